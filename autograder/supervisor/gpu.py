"""The files of a machine that a sandbox must see for CUDA to work, and no more; on the CPU it sees none of them.

Compared with what the driver was seen to open and to ask for; see docs/gpu.md.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path

CUDA = "cuda"

CARDS = re.compile(r"nvidia(\d+|ctl|-uvm|-uvm-tools)")
LIBRARY = "libcuda.so.1"
LIBRARY_FOLDERS = ("/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/local/cuda/compat")
"""Folders that may hold the driver's library, besides the system's own."""
SYS_FILES = (
    *("/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/devices/system/memory/block_size_bytes"),
    *("/sys/module/nvidia", "/sys/module/nvidia_uvm"),
)
"""Paths under /sys that the driver's library reads."""
PROC_FILES = (
    *("/proc/devices", "/proc/modules", "/proc/driver/nvidia"),
    *("/proc/meminfo", "/proc/cpuinfo", "/proc/version", "/proc/sys/vm/mmap_min_addr"),
)
"""Paths under /proc that it reads, besides those of its own process."""

THREADS = "cuda"
"""The beginning of the names of the driver's threads."""

IOCTL_TYPE = ord("F") << 8
"""The second byte of every ioctl request to nvidia0 and nvidiactl; terminals, disks and networks use others."""
UVM_REQUESTS = 0x100
"""The number of ioctl requests of nvidia-uvm, which start at 0 and have no type."""
UVM_SPECIAL = (0x30000001, 0x30000002)
"""The requests that initialise and deinitialise nvidia-uvm."""


def devices(root: Path = Path("/dev")) -> list[str]:
    """List the device files: cards, their control file, unified memory, and capabilities of MIG instances."""
    cards = [path for path in sorted(root.glob("nvidia*")) if CARDS.fullmatch(path.name)]
    return [str(path) for path in [*cards, *sorted((root / "nvidia-caps").glob("nvidia-cap*"))]]


def libraries() -> list[str]:
    """List the folders with the driver's library that are not among the system's own."""
    named = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    folders = [folder for folder in dict.fromkeys((*named, *LIBRARY_FOLDERS)) if folder.startswith("/")]
    return [folder for folder in folders if Path(folder, LIBRARY).exists()]


def readable() -> list[str]:
    """List the folders and files that CUDA reads, besides those that every sandbox reads."""
    return [path for path in (*libraries(), *SYS_FILES) if os.path.exists(path)]


def thread_names() -> str:
    """Return the folder of the files in which the driver writes the names of this process's threads.

    Without write access cuInit fails. Of the files there, a process that has changed its user may write only `comm`.
    """
    return f"/proc/{os.getpid()}/task"


def is_in_use() -> bool:
    """Return whether this process has begun with CUDA: whether it holds a device file open.

    The driver's library says nothing: with torch's CUDA build it is loaded as soon as torch is.
    """
    opened = []
    for path in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the descriptor that listed the others
            opened.append(path.readlink().name)
    return any(map(CARDS.fullmatch, opened))
