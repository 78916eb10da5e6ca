"""The view, a sandbox's root: read-only mounts of the files that Python and its packages need, and nothing else.

The supervisor builds the view once and enters it; each sandbox gets a copy with its own scratch folder.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import autograder
from autograder.supervisor import gpu, kernel_calls
from autograder.supervisor.kernel_calls import MS_BIND, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_PRIVATE, MS_REC
from autograder.wire.files import lay_out

SCRATCH = "/home/student"
USER = 1000
DEVICES = ("null", "zero", "random", "urandom")
SYSTEM = (
    *("/bin", "/usr/bin", "/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/usr/lib32"),
    *("/usr/share/fonts", "/usr/share/zoneinfo", "/usr/share/locale", "/usr/share/terminfo"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/fonts", "/etc/alternatives"),
)
"""The system's programs and libraries; those that do not exist are skipped."""
PACKAGE_PARTS = (
    *("__init__.py", "surroundings.py", "tracebacks.py", "notebook.py", "names.py", "replacing.py", "marked_text.py"),
    *("contrasts", "lesson_pictures", "own_gradients", "pictures", "probes", "sandbox", "wire"),
)
"""The parts of this package that a notebook may import: no check, reference, mistake or verdict."""
OUTSIDE_FILES = ("/etc/passwd", "/etc/group", "/dev/random", "/dev/urandom")
"""Further files that a sandbox without its own root may read."""
MOUNT_POINTS = ("/sys", "/mnt", "/media", "/srv", "/opt")
"""Folders on which the new root may be mounted while it is built; only the supervisor sees that mount."""
_PASSWD = f"root:x:0:0:root:/:/bin/false\nstudent:x:{USER}:{USER}:student:{SCRATCH}:/bin/sh\n"
_FILES = {"passwd": _PASSWD, "group": f"root:x:0:\nstudent:x:{USER}:\n", "hosts": "127.0.0.1 localhost\n"}


def package() -> Path:
    """Return the folder of this package."""
    return Path(autograder.__file__).parent


def readable() -> list[str]:
    """List all paths of the view, except this package's."""
    paths = list(SYSTEM)
    for prefix in dict.fromkeys((sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)):
        paths += [f"{prefix}/{name}" for name in ("bin", "lib", "lib64", "pyvenv.cfg")]
    paths += [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    paths += [entry for entry in sys.path if Path(entry).name in ("site-packages", "dist-packages")]
    real = [os.path.realpath(path) for path in paths]
    return [path for path in dict.fromkeys(paths + real) if os.path.lexists(path)]


def search_path() -> str:
    """Return a sandbox's PATH: the folders of programs in the view, without the caller's own."""
    own, system = os.path.join(sys.prefix, "bin"), ("/usr/bin", "/bin")
    return os.pathsep.join(folder for folder in (own, *system) if os.path.isdir(folder))


def ours() -> list[str]:
    """List this package's paths in the view."""
    return [str(package() / name) for name in PACKAGE_PARTS]


def enter(device: str = "cpu") -> None:
    """Build the view and make it this process's root for good, with a scratch folder.

    Args:
        device: the type of device that sandboxes compute on.

    Raises:
        OSError: if the kernel refuses; the process is then unusable.
    """
    cuda = device == gpu.CUDA
    paths = readable() + (gpu.readable() if cuda else [])
    devices = [f"/dev/{name}" for name in DEVICES] + (gpu.devices() if cuda else [])
    place = next(place for place in MOUNT_POINTS if _free(place, paths))
    kernel_calls.mount("", "/", "", MS_REC | MS_PRIVATE)
    kernel_calls.mount("view", place, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=16m")
    Path(place, "proc").mkdir()
    bound: list[str] = []
    for path in paths:
        _show(place, path, bound)
    _show_package(place)
    _fill(place, devices)
    kernel_calls.restrict_mounts(place, kernel_calls.MOUNT_ATTR_RDONLY | kernel_calls.MOUNT_ATTR_NOSUID)
    kernel_calls.mount("/proc", f"{place}/proc", "", MS_BIND | MS_REC)  # else no sandbox may mount its own
    for path in devices:
        kernel_calls.mount(path, place + path, "", MS_BIND)
        # A device can be written to all the same, but its mode cannot be changed, which is the machine's.
        kernel_calls.restrict_mounts(place + path, kernel_calls.MOUNT_ATTR_RDONLY | kernel_calls.MOUNT_ATTR_NOSUID)
    kernel_calls.pivot_root(place)
    kernel_calls.mount("scratch", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=64m")
    os.environ.update(dict.fromkeys(("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR"), SCRATCH))


def _free(place: str, paths: list[str]) -> bool:
    return Path(place).is_dir() and not any(Path(path).is_relative_to(place) for path in paths)


def _show(place: str, path: str, bound: list[str]) -> None:
    """Show `path` in the view as it is outside: links as links, all else as bind mounts."""
    done = Path("/")
    for part in Path(path).parts[1:]:
        done /= part
        if str(done) in bound:
            return  # everything below it is there already
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
    kernel_calls.mount(path, str(inside), "", MS_BIND | MS_REC)


def _show_package(place: str) -> None:
    """Show only the importable parts of this package, even if the folders around it are in the view."""
    inside = Path(place + os.path.realpath(package()))
    inside.mkdir(parents=True, exist_ok=True)
    kernel_calls.mount("ours", str(inside), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")
    for path in ours():
        _bind(place, os.path.realpath(path))


def _fill(place: str, devices: list[str]) -> None:
    """Make the few files that are not taken from the machine."""
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


def mount_private(scratch_bytes: int, device: str = "cpu", files: bytes = b"") -> None:
    """Mount a sandbox's own scratch folder and /proc over its copy of the view.

    Args:
        scratch_bytes: the size of the scratch folder, beside the files.
        device: the type of device that it computes on. CUDA reads more of /proc than processes.
        files: what lies in the scratch folder, as from `pack_files`; each is mounted read-only, so that student code
            can neither change nor replace it.

    Raises:
        OSError: if the kernel refuses to mount the scratch folder.
    """
    options = f"size={scratch_bytes + 2 * len(files)},nr_inodes=20000,mode=700,uid={USER},gid={USER}"
    kernel_calls.mount("scratch", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, options)
    for path in map(str, lay_out(files, SCRATCH)):
        kernel_calls.mount(path, path, "", MS_BIND)
        kernel_calls.restrict_mounts(path, kernel_calls.MOUNT_ATTR_RDONLY | kernel_calls.MOUNT_ATTR_NOSUID)
    _mount_proc(device)
    kernel_calls.enter_copy_of_root()


def _mount_proc(device: str) -> None:
    for options in ("hidepid=invisible,subset=pid", "hidepid=invisible")[device == gpu.CUDA :]:
        try:
            return kernel_calls.mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, options)
        except OSError:
            continue
    # In a container that covers parts of /proc the kernel refuses a new one, so leave it empty.
    return kernel_calls.mount("noproc", "/proc", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | 1, "size=4k,mode=555")
