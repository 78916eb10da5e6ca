"""What a sandbox must see of a machine for CUDA to work in it, and no more. Where it computes on the CPU: nothing.

Written from what is generally known of the driver, and not tried on a machine with a GPU: docs/gpu.md.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

CUDA = "cuda"

CARDS = re.compile(r"nvidia(\d+|ctl|-uvm|-uvm-tools)")
LIBRARY = "libcuda.so.1"
PLACES = ("/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/local/cuda/compat")
"""Where the driver's library lies, beside the system's own folders."""
ABOUT = ("/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/module/nvidia")
"""What the driver's library reads about the machine."""
PROCESSES = ("/proc/devices", "/proc/modules", "/proc/driver/nvidia", "/proc/meminfo", "/proc/cpuinfo", "/proc/version")
"""What it reads in /proc, beside its own process's."""

IOCTL_TYPE = ord("F") << 8
"""The second byte of every request to nvidia0 and nvidiactl; terminals, disks and networks have others."""
UVM_REQUESTS = 0x100
"""nvidia-uvm numbers its requests from 0 on, without a type."""
UVM_SPECIAL = (0x30000001, 0x30000002)
"""To begin and to end with nvidia-uvm."""


def devices(root: Path = Path("/dev")) -> list[str]:
    """The device files: cards, their control file, unified memory, and the capabilities of parts of a card."""
    cards = [path for path in sorted(root.glob("nvidia*")) if CARDS.fullmatch(path.name)]
    return [str(path) for path in [*cards, *sorted((root / "nvidia-caps").glob("nvidia-cap*"))]]


def libraries() -> list[str]:
    """Folders with the driver's library that are not among the system's own."""
    named = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    folders = [folder for folder in dict.fromkeys((*named, *PLACES)) if folder.startswith("/")]
    return [folder for folder in folders if Path(folder, LIBRARY).exists()]


def readable() -> list[str]:
    """Folders and files to read, beside what every sandbox reads."""
    return [path for path in (*libraries(), *ABOUT) if os.path.exists(path)]
