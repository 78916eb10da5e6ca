"""The files of a machine that a sandbox must see for CUDA to work, and no more; on the CPU it sees none of them.

Written from general knowledge of the driver and not tried on a machine with a GPU; see docs/gpu.md.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

CUDA = "cuda"

CARDS = re.compile(r"nvidia(\d+|ctl|-uvm|-uvm-tools)")
LIBRARY = "libcuda.so.1"
LIBRARY_FOLDERS = ("/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/local/cuda/compat")
"""Folders that may hold the driver's library, besides the system's own."""
SYS_FILES = ("/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/module/nvidia")
"""Paths under /sys that the driver's library reads."""
PROC_FILES = (
    *("/proc/devices", "/proc/modules", "/proc/driver/nvidia"),
    *("/proc/meminfo", "/proc/cpuinfo", "/proc/version"),
)
"""Paths under /proc that it reads, besides those of its own process."""

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
