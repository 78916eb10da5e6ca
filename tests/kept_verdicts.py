"""`python -m tests.kept_verdicts FILE [EXERCISE ...]`: write down what everybody gets, or say what differs now.

It writes where FILE is not there yet, and compares where it is.

For whoever moves knowledge from one place to another and means to change nothing: of every wrong and right answer, and
of each exercise untouched and solved, the whole verdict (points, reasons, names, sentences, examples); of every
notebook, its bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from autograder.checks.catalogue import exercises
from autograder.classroom.job import Job, JobResult
from autograder.classroom.version import version
from autograder.classroom.worker import work
from tests.answer_notebooks import LIMITS, SEED, verdicts
from tests.submissions import COURSE, released, solved

FOLDERS = ("lessons", "solutions", "exercises")


def gathered(wanted: Sequence[str]) -> dict[str, Any]:
    """Collect the verdicts and the notebooks' digests of these exercises, by a name for each."""
    found: dict[str, Any] = {}
    for exercise in wanted:
        for (task, answer), verdict in verdicts(exercise).items():
            found[f"{exercise} {task}: {answer}"] = verdict.as_data()
        for name, notebook in (("untouched", released(exercise)), ("solved", solved(exercise))):
            result = JobResult.unpack(work(Job(notebook, exercise, None, LIMITS, SEED, version()).pack()))
            assert not result.error, result.error
            found |= {f"{exercise} {one['task']}: {name}": one for one in result.verdicts}
    for path in sorted(
        path for folder in FOLDERS for path in (COURSE / folder).rglob("*.ipynb") if path.stem in wanted
    ):
        found[str(path.relative_to(COURSE))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def differences(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """Say what is gone, new or different, a line each; of a verdict, each part that differs.

    Args:
        before: as it was written down.
        now: as it is.
    """
    for name in sorted(before.keys() | now.keys()):
        if name not in now:
            yield f"{name}: is gone"
        elif name not in before:
            yield f"{name}: is new"
        elif isinstance(before[name], dict):
            for part in sorted(before[name].keys() | now[name].keys()):
                was, is_now = before[name].get(part), now[name].get(part)
                if was != is_now:
                    yield f"{name}: {part} was {was!r}, is {is_now!r}"
        elif before[name] != now[name]:
            yield f"{name}: other bytes"


def main() -> int:
    """Write or compare.

    Returns:
        1 where something differs.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.kept_verdicts", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("exercises", nargs="*", help="all of them where left out")
    given = parser.parse_args()
    path, wanted = given.file, given.exercises or exercises()
    now = json.loads(json.dumps(gathered(wanted)))
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(now, indent=1), encoding="utf-8")
        print(f"{len(now):,} written to {path}; the same command compares with it")
        return 0
    before = json.loads(path.read_text(encoding="utf-8"))
    found = list(differences({name: one for name, one in before.items() if any(each in name for each in wanted)}, now))
    print("\n".join(found) or f"All {len(now):,} are as they were.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
