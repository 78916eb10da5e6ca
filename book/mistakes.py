"""The pages "the mistakes", written from what the checks themselves use: every diagnosis, by exercise and task."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path

from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import Task
from autograder.diagnosis.altered_autograd import autograd_mistakes, no_return
from autograder.diagnosis.damage import DAMAGE
from autograder.diagnosis.exceptions import TOO_SLOW
from autograder.diagnosis.general import GENERAL
from autograder.diagnosis.raised import RAISED
from autograder.tasks.lesson_sections import with_reading
from book.drawn import Drawn, drawn
from book.markdown import escaped, fenced, linked, name_of, raw, section_link
from book.source import put

OVERVIEW = """# The mistakes

When an answer is wrong, `check` asks what it would have been under each mistake that it knows. The one that
reproduces your numbers is named. These are all of them: {own} of single tasks, and {shared} that any task can meet.

A mistake is known by what it does, so its sentence says what was seen and where to look, and leaves the
answer to you. Where the check draws the graph of a wrong answer, the picture stands here too.

{table}
```{{toctree}}
:hidden:

{toctree}
```

## In any task

### What became of the arguments

This is looked at before any result. Where a task allows one of these, it says so.

{damage}
A task's own mistakes are tried next; those below explain what is left.

### Numbers and shapes

{numbers}
### What became of the call

{calls}
### Errors that torch or Python raises

{errors}
"""
SEVERAL = "In several tasks"


@dataclasses.dataclass(frozen=True)
class Entry:
    """One mistake on a page.

    Attributes:
        name: short.
        sentence: what the student is told.
        raises: the exception that it ends in; empty for one that shows in numbers.
        drawn: how it looks, where there is a picture.
        tasks: those that share it, where there are several.
    """

    name: str
    sentence: str
    raises: str = ""
    drawn: Drawn | None = None
    tasks: str = ""

    def text(self) -> str:
        """As Markdown, to stand below its name."""
        lines = [linked(self.sentence)]
        if self.raises:
            lines.append(f"Known by an exception: `{self.raises}`.")
        if self.drawn is not None:
            lines += [
                f"For example, {linked(self.drawn.seen)}",
                fenced(self.drawn.example),
                raw(self.drawn.picture.inline()),
            ]
        if self.tasks:
            lines.append(f"In {self.tasks}.")
        return "\n\n".join(line for line in lines if line) + "\n"


def entry(mistake: object, pictures: dict[str, Drawn] | None = None) -> Entry:
    """Of any kind of hypothesis; `pictures` by the mistake's name."""
    raises = getattr(mistake, "raises", "").partition(":")[0]
    shown = raises if raises.isidentifier() else ""
    return Entry(mistake.name, with_reading(mistake.sentence), shown, (pictures or {}).get(mistake.name))


def unique(entries: Iterable[Entry]) -> list[Entry]:
    """Each once: a mistake may predict several answers."""
    return list({(one.name, one.sentence): one for one in reversed(list(entries))}.values())[::-1]


def listed(entries: Iterable[Entry], level: int = 3) -> str:
    """As Markdown with a heading for each name; a name may have several sentences."""
    texts: dict[str, list[str]] = {}
    for one in entries:
        texts.setdefault(one.name, []).append(one.text())
    return "\n".join(f"{'#' * level} {escaped(name)}\n\n" + "\n".join(own) for name, own in texts.items())


def exercise_page(exercise: str) -> tuple[str, int]:
    """The page of an exercise's own mistakes, and how many they are."""
    pictures = drawn(exercise)
    tasks = tasks_of(exercise)
    entries = {
        name: unique(entry(m, {mistake: d for (t, mistake), d in pictures.items() if t == name}) for m in task.mistakes)
        for name, task in tasks.items()
    }
    owners: dict[tuple[str, str], list[str]] = {}
    for name, ones in entries.items():
        for one in ones:
            owners.setdefault((one.name, one.sentence), []).append(name)
    several = unique(one for ones in entries.values() for one in ones if len(owners[one.name, one.sentence]) > 1)
    parts = [
        f"# {name_of(exercise)}: the mistakes",
        f"Of [exercise {exercise[:2]}](../exercises/{exercise}/{exercise}.ipynb), task by task.",
    ]
    for name, task in tasks.items():
        own = [one for one in entries[name] if len(owners[one.name, one.sentence]) == 1]
        parts += [_task_head(task), listed(own)]
    if several:
        named = {key: ", ".join(f"`{name}`" for name in names) for key, names in owners.items()}
        shared = [dataclasses.replace(one, tasks=named[one.name, one.sentence]) for one in several]
        parts += [f"## {SEVERAL}", listed(shared)]
    return "\n\n".join(parts) + "\n", len(owners)


def _task_head(task: Task) -> str:
    where = f"../exercises/{task.exercise}/{task.exercise}.ipynb#{task.name}"
    again = section_link(task.exercise[:2], task.section)
    return f"## `{task.name}`\n\n[The task](<{where}>). Read again: {again}."


def overview(counts: dict[str, int]) -> str:
    """The page of those that any task can meet, and the way to all others."""
    nobody = "a task"
    of_calls = [no_return(nobody), TOO_SLOW, *autograd_mistakes(nobody, lambda *_: None)]
    errors = [one for one in RAISED if one.name != TOO_SLOW.name]
    damage = [kind.mistake for kind in DAMAGE.values()]
    groups = {"damage": damage, "numbers": GENERAL, "calls": of_calls, "errors": errors}
    texts = {name: listed(unique(entry(m) for m in group), level=4) for name, group in groups.items()}
    rows = ["| exercise | tasks | mistakes |", "|---|---|---|"]
    for exercise, count in counts.items():
        names = ", ".join(f"[`{name}`](<{exercise}.md#{name}>)" for name in tasks_of(exercise))
        rows.append(f"| [{name_of(exercise)}]({exercise}.md) | {names} | {count} |")
    shared = len(unique(entry(m) for group in groups.values() for m in group))
    toctree = "\n".join(f"{name_of(exercise)} <{exercise}>" for exercise in counts)
    return OVERVIEW.format(
        own=sum(counts.values()), shared=shared, table="\n".join(rows) + "\n", toctree=toctree, **texts
    )


def write(folder: Path) -> list[Path]:
    """Write all pages; returns them."""
    pages = {exercise: exercise_page(exercise) for exercise in exercises()}
    texts = {exercise: text for exercise, (text, _) in pages.items()}
    texts["index"] = overview({exercise: count for exercise, (_, count) in pages.items()})
    for name, text in texts.items():
        put(folder / f"{name}.md", text.encode())
    return [folder / f"{name}.md" for name in texts]
