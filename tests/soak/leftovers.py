"""What a run of the command holds while it works, and what it leaves: memory, descriptors, namespaces, folders."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import threading
from collections.abc import Callable
from pathlib import Path

from autograder.supervisor.control_groups import ROOT as CONTROL_GROUPS
from benchmarks.usage import memory, tree

SECONDS_BETWEEN = 1.0


@dataclasses.dataclass(frozen=True)
class Sample:
    """One look.

    Attributes:
        done: how many submissions were graded by then.
        memory: private memory of the command and all that it started, in MiB.
        descriptors: that they hold open.
        processes: how many they are.
        namespaces: that live on the machine.
        mounts: of the machine.
        folders: in the run's own folder for temporary files.
        groups: control groups of ours.
    """

    done: int
    memory: float
    descriptors: int
    processes: int
    namespaces: int
    mounts: int
    folders: int
    groups: int


QUANTITIES = tuple(field.name for field in dataclasses.fields(Sample) if field.name != "done")


def look(root: int | None, scratch: Path, done: int) -> Sample:
    """One sample; of the machine alone where no command runs."""
    processes = [] if root is None else tree(root)
    groups = [name for _, names, _ in os.walk(CONTROL_GROUPS) for name in names if name.startswith("autograder-")]
    return Sample(
        done,
        sum(map(memory, processes)) / (1 << 20),
        sum(_descriptors(pid) for pid in processes),
        len(processes),
        len(_namespaces()),
        len(Path("/proc/mounts").read_text().splitlines()),
        len(folders(scratch)),
        len(groups),
    )


def folders(scratch: Path) -> list[str]:
    """What lies in a folder for temporary files, but for torch's own cache, which it makes once and keeps."""
    return [path.name for path in scratch.iterdir() if not path.name.startswith("torchinductor_")]


def _descriptors(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def _namespaces() -> set[str]:
    """All that some process lives in."""
    found = set()
    for link in Path("/proc").glob("[0-9]*/ns/*"):
        with contextlib.suppress(OSError):
            found.add(os.readlink(link))
    return found


class Watch(threading.Thread):
    """Looks once a second until told to stop.

    Attributes:
        samples: what was seen.
    """

    def __init__(self, root: int, scratch: Path, done: Callable[[], int]) -> None:
        super().__init__(daemon=True)
        self._root, self._scratch, self._done = root, scratch, done
        self.samples: list[Sample] = []
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(SECONDS_BETWEEN):
            with contextlib.suppress(OSError):  # a folder that went meanwhile
                self.samples.append(look(self._root, self._scratch, self._done()))
