"""The sandbox's root: a read-only view of what Python and its packages need, and nothing else.

The supervisor builds it once and enters it; each sandbox gets a copy with a scratch folder of its own.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import autograder
from autograder.supervisor import gpu, syscalls
from autograder.supervisor.syscalls import MS_BIND, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_PRIVATE, MS_REC

SCRATCH = "/home/student"
USER = 1000
DEVICES = ("null", "zero", "random", "urandom")
SYSTEM = (
    *("/bin", "/usr/bin", "/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/usr/lib32"),
    *("/usr/share/fonts", "/usr/share/zoneinfo", "/usr/share/locale", "/usr/share/terminfo"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/fonts", "/etc/alternatives"),
)
"""Programs and libraries of the system; what does not exist is passed over."""
OURS = ("__init__.py", "surroundings.py", "tracebacks.py", "notebook.py", "names.py")
OURS += ("hints.py", "hints", "pictures", "probes", "sandbox", "wire")
"""What a notebook may import of this package; no check, reference, mistake or verdict is among it."""
NAMES = ("/etc/passwd", "/etc/group", "/dev/random", "/dev/urandom")
"""Beside it, what a sandbox without a root of its own reads outside."""
PLACES = ("/sys", "/mnt", "/media", "/srv", "/opt")
"""Where the new root may be put together: in front of one of these, for the supervisor's eyes only."""
_PASSWD = f"root:x:0:0:root:/:/bin/false\nstudent:x:{USER}:{USER}:student:{SCRATCH}:/bin/sh\n"
_FILES = {"passwd": _PASSWD, "group": f"root:x:0:\nstudent:x:{USER}:\n", "hosts": "127.0.0.1 localhost\n"}


def package() -> Path:
    """The folder of this package."""
    return Path(autograder.__file__).parent


def readable() -> list[str]:
    """All paths of the view, but for this package's own."""
    paths = list(SYSTEM)
    for prefix in dict.fromkeys((sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)):
        paths += [f"{prefix}/{name}" for name in ("bin", "lib", "lib64", "pyvenv.cfg")]
    paths += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    paths += [entry for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages")]
    real = [os.path.realpath(path) for path in paths]
    return [path for path in dict.fromkeys(paths + real) if os.path.lexists(path)]


def search_path() -> str:
    """PATH in a sandbox: folders of programs that it sees, and none of the caller's own."""
    own, system = os.path.join(sys.prefix, "bin"), ("/usr/bin", "/bin")
    return os.pathsep.join(folder for folder in (own, *system) if os.path.isdir(folder))


def ours() -> list[str]:
    """This package's own part of the view."""
    return [str(package() / name) for name in OURS]


def enter(device: str = "cpu") -> None:
    """Move this process into the view, for good, with a scratch folder of its own.

    Args:
        device: the type of device that sandboxes compute on.

    Raises:
        OSError: where the kernel refuses; the process is of no further use then.
    """
    cuda = device == gpu.CUDA
    paths = readable() + (gpu.readable() if cuda else [])
    devices = [f"/dev/{name}" for name in DEVICES] + (gpu.devices() if cuda else [])
    place = next(place for place in PLACES if _free(place, paths))
    syscalls.mount("", "/", "", MS_REC | MS_PRIVATE)
    syscalls.mount("view", place, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=16m")
    Path(place, "proc").mkdir()
    bound: list[str] = []
    for path in paths:
        _show(place, path, bound)
    _show_package(place)
    _fill(place, devices)
    syscalls.restrict_mounts(place, syscalls.MOUNT_ATTR_RDONLY | syscalls.MOUNT_ATTR_NOSUID)
    syscalls.mount("/proc", f"{place}/proc", "", MS_BIND | MS_REC)  # without it, no sandbox may see its own
    for path in devices:
        syscalls.mount(path, place + path, "", MS_BIND)
    syscalls.pivot_root(place)
    syscalls.mount("scratch", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=64m")
    os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR"), SCRATCH))


def _free(place: str, paths: list[str]) -> bool:
    return Path(place).is_dir() and not any(Path(path).is_relative_to(place) for path in paths)


def _show(place: str, path: str, bound: list[str]) -> None:
    """Have `path` lead to in the view to where it leads outside: links as links, the rest bound."""
    done = Path("/")
    for part in Path(path).parts[1:]:
        done /= part
        if str(done) in bound:
            return  # what lies below is there already
        inside = Path(place + str(done))
        if done.is_symlink():
            if not inside.is_symlink():
                inside.symlink_to(os.readlink(done))
            _show(place, os.path.normpath(done.parent / os.readlink(done)), bound)
        elif str(done) == path:
            _bind(place, path)
            bound.append(path)
        elif not inside.exists():
            inside.mkdir()


def _bind(place: str, path: str) -> None:
    if not os.path.exists(path):
        return
    inside = Path(place + path)
    if os.path.isdir(path):
        inside.mkdir(exist_ok=True)
    else:
        inside.touch()
    syscalls.mount(path, str(inside), "", MS_BIND | MS_REC)


def _show_package(place: str) -> None:
    """Of this package only what a notebook may import, even where all around it is shown."""
    inside = Path(place + os.path.realpath(package()))
    inside.mkdir(parents=True, exist_ok=True)
    syscalls.mount("ours", str(inside), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")
    for path in ours():
        _bind(place, os.path.realpath(path))


def _fill(place: str, devices: list[str]) -> None:
    """The few things that are made rather than shown."""
    root = Path(place)
    for folder in ("etc", "dev", SCRATCH[1:]):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for path in devices:
        Path(place + path).parent.mkdir(exist_ok=True)
        Path(place + path).touch()
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        (root / "dev" / name).symlink_to(f"/proc/self/fd/{number}")
    (root / "dev" / "fd").symlink_to("/proc/self/fd")
    for name, text in _FILES.items():
        (root / "etc" / name).write_text(text)
    if not (root / "tmp").exists():
        (root / "tmp").symlink_to(SCRATCH)


def furnish(limits_scratch: int, device: str = "cpu") -> None:
    """A sandbox's own mounts over its copy of the view: scratch, and its own processes under /proc.

    Args:
        limits_scratch: bytes of the scratch folder.
        device: the type of device that it computes on. CUDA looks into /proc beside processes.

    Raises:
        OSError: where the kernel refuses the scratch folder.
    """
    options = f"size={limits_scratch},nr_inodes=20000,mode=700,uid={USER},gid={USER}"
    syscalls.mount("scratch", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, options)
    _mount_proc(device)
    syscalls.enter_copy_of_root()


def _mount_proc(device: str) -> None:
    for options in ("hidepid=invisible,subset=pid", "hidepid=invisible")[device == gpu.CUDA :]:
        try:
            return syscalls.mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, options)
        except OSError:
            continue
    # A container that covers parts of /proc does not let us see our own either.
    return syscalls.mount("noproc", "/proc", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | 1, "size=4k,mode=555")
