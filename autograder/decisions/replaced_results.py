"""What a rejudgement replaced: the record, the graded notebook and the state of points by hand, to be put back.

Each is one compressed file, `gradebook/decisions/NUMBER/ASSIGNMENT/STUDENT/NOTEBOOK.json.gz`.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.whole_files import write_whole

FORMAT = 1
SUFFIX = ".json.gz"


class DamagedCopyError(Exception):
    """A copy of what was replaced cannot be read; the message says which."""


@dataclasses.dataclass(frozen=True)
class Replaced:
    """What a rejudgement replaced of one submitted notebook.

    Attributes:
        record: the record of its result; empty if there was none.
        notebook: the graded notebook's file.
        waits: by grade_id, whether the cell waited for a person; only cells with points given by hand.
    """

    record: dict[str, Any]
    notebook: str
    waits: dict[str, bool]

    def write(self, path: Path) -> None:
        """Write it to a file.

        Raises:
            OSError: if it cannot be written.
        """
        data = {"format": FORMAT} | dataclasses.asdict(self)
        write_whole(path, gzip.compress(json.dumps(data).encode(), 6, mtime=0))

    @staticmethod
    def read(path: Path) -> Replaced:
        """Read it from a file.

        Raises:
            DamagedCopyError: if it is damaged, or another version wrote it.
            OSError: if the file cannot be read.
        """
        try:
            data = json.loads(gzip.decompress(path.read_bytes()))
            if data.pop("format") != FORMAT:
                raise ValueError
            return Replaced(dict(data["record"]), str(data["notebook"]), dict(data["waits"]))
        except (gzip.BadGzipFile, EOFError, zlib.error, KeyError, TypeError, AttributeError, ValueError):
            raise DamagedCopyError(f"{path.name} was written by another version, or is damaged") from None


def replaced_file(gradebook: Path, number: int, assignment: str, student: str, notebook: str) -> Path:
    """Return the path of what a decision replaced of one submitted notebook."""
    return gradebook / "decisions" / str(number) / assignment / student / f"{notebook}{SUFFIX}"


def replaced_files(gradebook: Path, number: int) -> Iterator[tuple[str, str, str, Path]]:
    """Yield assignment, student, notebook and file of everything that a decision replaced."""
    for path in sorted((gradebook / "decisions" / str(number)).glob(f"*/*/*{SUFFIX}")):
        yield path.parent.parent.name, path.parent.name, path.name.removesuffix(SUFFIX), path
