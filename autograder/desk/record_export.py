"""`autograder export-record`: a student's predictions and attempts, without the student, to help improve the course.

It holds days since the first event and a name drawn for this export; no date, no clock time, no path. Predictions,
choices and tasks that are not the course's are left out.
"""

from __future__ import annotations

import argparse
import json
import math
import secrets
import sys
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any

from autograder import record
from autograder.attempts import attempts
from autograder.lesson_predictions.standing import Answered, answered
from autograder.lesson_predictions.table import LessonsMissingError, Prediction, predictions
from autograder.tasks.folders import task_folders
from autograder.tasks.tables import TaskFolderError
from autograder.terminal import Terminal, complain

VERB = "autograder export-record"


def export_record(options: argparse.Namespace) -> int:
    """Run `autograder export-record`: print the file, ask, then write it.

    Returns:
        0; 1 if the answer was no; 2 if there is nothing to write, or no file or terminal.
    """
    file = record.path()
    try:
        found = contents()
    except TaskFolderError as error:
        complain(VERB, error)
        return 2
    if file is None or not (found["predictions"] or found["attempts"]):
        complain(VERB, f"nothing is recorded yet{_where(file)}")
        return 2
    text = json.dumps(found, indent=1) + "\n"
    Terminal().lines(text.splitlines())
    print(f"This was made from your record, {file}. Nothing was sent.")
    return 0 if options.show else _write(options.file, text)


def _where(file: Path | None) -> str:
    return f" in {file}" if file is not None else f": {record.FOLDER} is off"


def _write(path: Path | None, text: str) -> int:
    if path is None:
        complain(VERB, "name the file to write, or add --show to look only")
        return 2
    if not sys.stdin.isatty():
        complain(VERB, "there is no terminal to ask in: add --show to look, or run this in a terminal to write")
        return 2
    try:
        agreed = input(f"Write this to {path}? Type yes: ").strip() == "yes"
    except EOFError:
        agreed = False
    if not agreed:
        print("Nothing was written.")
        return 1
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        complain(VERB, f"{path} exists; name another file")
        return 2
    except OSError as error:
        complain(VERB, f"{path} cannot be written: {error.strerror}")
        return 2
    print(f"Written to {path}.")
    return 0


def contents() -> dict[str, Any]:
    """Return what an export holds, as plain data.

    Raises:
        TaskFolderError: if the course's lists cannot be read.
    """
    asked, tasks = _asked(), task_folders()
    answers = [one for one in answered() if one.which in asked]
    tries = [(one, _day(one)) for one in attempts() if one["task"] in tasks]
    first = min([one.day for one in answers] + [day for _, day in tries], default=date.today())
    return {
        "export": secrets.token_hex(8),
        "predictions": [_prediction(one, asked[one.which], first) for one in answers],
        "attempts": [_attempt(one, (day - first).days) for one, day in tries],
    }


def _asked() -> Mapping[str, Prediction]:
    try:
        return predictions()
    except LessonsMissingError:  # attempts there may be all the same
        return {}


def _prediction(one: Answered, prediction: Prediction, first: date) -> dict[str, Any]:
    if prediction.number is None:
        known = one.answer in prediction.choices
    else:
        known = isinstance(one.answer, float | int) and abs(one.answer) < math.inf
    answer = one.answer if known else None
    said = {"right": one.right, "sure": one.sure, "before": one.before, "review": one.review}
    return {"day": (one.day - first).days, "which": one.which, "answer": answer, **said}


def _attempt(event: dict[str, Any], day: int) -> dict[str, Any]:
    return {"day": day} | {key: event[key] for key in ("task", "points", "maximum", "mistakes")}


def _day(event: dict[str, Any]) -> date:
    return datetime.fromisoformat(event["at"]).astimezone().date()
