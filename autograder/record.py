"""The student's own record: predictions, attempts, questions about one's own answers. It never leaves this computer.

A line of JSON for each event, in this user's data folder. `AUTOGRADER_RECORD` names another, seen from the home folder,
so that notebooks of different folders keep one record; `off` keeps nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from autograder.surroundings import is_graded

FOLDER = "AUTOGRADER_RECORD"
"""Environment variable: the record's folder, or `off`."""
FILE = "record.jsonl"


def path() -> Path | None:
    """Return the record's file, which may not exist yet; None where nothing is kept."""
    chosen = os.environ.get(FOLDER, "").strip()
    if chosen.lower() == "off" or is_graded():  # which is no event of its author's
        return None
    if chosen:
        return Path(os.path.expanduser("~"), os.path.expanduser(chosen), FILE)
    from platformdirs import user_data_path  # here, because few processes keep a record

    return user_data_path("gradients-course", appauthor=False) / FILE


def note(kind: str, **what: Any) -> None:
    """Append an event; a record that cannot be written disturbs nobody.

    Args:
        kind: "prediction", "attempt", "question" or "practice".
        what: plain data that JSON can hold.
    """
    file = path()
    if file is None:
        return
    line = json.dumps({"at": datetime.now(UTC).isoformat(timespec="seconds"), "kind": kind, **what}) + "\n"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a+b") as record:
            record.write(b"\n" * _is_torn(record) + line.encode())
    except OSError:
        return


def _is_torn(record: BinaryIO) -> bool:
    """Return whether the last line has no end, as after a full disk; the next one would be lost with it."""
    if not record.seek(0, os.SEEK_END):
        return False
    record.seek(-1, os.SEEK_END)
    return record.read(1) != b"\n"


def events(kind: str) -> Iterator[dict[str, Any]]:
    """Yield the events of a kind, oldest first; a line that was damaged is passed over."""
    file = path()
    try:
        lines = [] if file is None else file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        try:
            event = json.loads(line)
            when = datetime.fromisoformat(event["at"])
        except (ValueError, TypeError, KeyError):
            continue
        if isinstance(event, dict) and event.get("kind") == kind and when.tzinfo is not None:
            yield event
