"""`autograder watch`: check an exercise whenever its notebook is saved, and print what has changed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from rich.text import Text
from watchfiles import watch

from autograder.desk.progress import is_attempted, reason
from autograder.desk.saved_notebook import ExerciseProgress, NothingFoundError, notebooks
from autograder.supervisor.tiers import check_system
from autograder.tasks.folders import exercise_of
from autograder.terminal import Terminal, complain

LOOK_MILLISECONDS = 1000


def watch_notebooks(names: list[str]) -> int:
    """Check notebooks at each save, until Ctrl-C.

    Returns:
        The exit status: 0, or 2 if an exercise does not exist.

    Raises:
        NoSandboxError: if a notebook could never be checked on this system.
    """
    check_system()
    console = Terminal()
    try:
        paths = [path.resolve() for path in notebooks(names, Path.cwd())]
    except NothingFoundError as error:
        complain("autograder watch", error)
        return 2
    before: dict[Path, ExerciseProgress] = {}
    saved = {path: _saved(path) for path in paths}
    console.print(
        f"Watching {', '.join(exercise_of(path.stem) for path in paths)}. Save a notebook to check it; Ctrl-C ends."
    )
    # The loop also looks at the files every second, because a save may come before the watcher is ready.
    for _ in watch(*{path.parent for path in paths}, yield_on_timeout=True, rust_timeout=LOOK_MILLISECONDS):
        for path in paths:
            if (latest := _saved(path)) == saved[path] or latest is None:
                continue
            saved[path] = latest
            now = ExerciseProgress.of(path)
            for line in changed(before.get(path), now):
                console.print(Text(line), soft_wrap=True)
            before[path] = now
    return 0


def _saved(path: Path) -> tuple[int, int] | None:
    """Return a file's modification time in nanoseconds and its size; None while an editor replaces it."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def changed(before: ExerciseProgress | None, now: ExerciseProgress) -> Iterator[str]:
    """Yield a line for each task whose points or reason have changed, and one for the exercise."""
    news = False
    for name, verdict in now.verdicts.items():
        old = before.verdicts.get(name) if before else None  # a new version has tasks of its own
        if old is not None and (old.points, old.reason) == (verdict.points, verdict.reason):
            continue
        if old is None and not is_attempted(verdict):
            continue
        news = True
        was = f"{old.points:g} -> " if old is not None and old.points != verdict.points else ""
        why = f": {reason(verdict)}" if verdict.points < verdict.maximum else ""
        yield f"  {name}: {was}{verdict.points:g} of {verdict.maximum:g}{why}"
    told = "" if news else ", nothing has changed"
    yield f"{time.strftime('%H:%M:%S')} {now.exercise}: {now.points:g} of {now.maximum:g} points{told}"
