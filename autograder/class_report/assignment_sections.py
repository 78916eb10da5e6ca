"""The sections of a class report about one assignment, as HTML: what to talk about, scores, tasks, checks, mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from autograder.class_report import plots
from autograder.class_report.item_analysis import OddCheck, TaskItem, odd_checks, task_items
from autograder.class_report.mistakes import MOST_TALKED_ABOUT, Mistake, named_mistakes, to_talk_about
from autograder.class_report.page import name_shown, program, table, with_code
from autograder.class_report.proportions import LEAST
from autograder.class_report.results import AssignmentResults
from autograder.class_report.version_items import CHANCE, VersionItem, unequal, version_items
from autograder.pictures.figure import Plot
from autograder.standings.number_text import number
from autograder.standings.state import State
from autograder.static_page import shown

MOST_MISTAKES = 40
"""Mistakes that the page lists; the CSV has all."""


class AssignmentPart:
    """The findings about one assignment, each computed once, for the page and for the CSV."""

    def __init__(self, results: AssignmentResults) -> None:
        self.results = results

    @cached_property
    def items(self) -> list[TaskItem]:
        """The tasks, analysed."""
        return task_items(self.results)

    @cached_property
    def versions(self) -> list[VersionItem]:
        """The dealt versions of tasks; empty if none were dealt."""
        return version_items(self.results)

    @cached_property
    def odd(self) -> list[OddCheck]:
        """The checks that behave oddly."""
        return odd_checks(self.results)

    @cached_property
    def mistakes(self) -> list[Mistake]:
        """The named mistakes, the most frequent first."""
        return named_mistakes(self.results)

    def html(self, level: int) -> str:
        """Return the sections after the scores.

        Args:
            level: of their headings, 2 or 3.
        """
        parts = [("Tasks: difficulty and discrimination", self._tasks())]
        if self.versions:
            parts.append(("Versions side by side", self._versions()))
        parts += [("Checks that behave oddly", self._odd()), ("Named mistakes by frequency", self._mistakes())]
        return "".join(f"<h{level}>{title}</h{level}>{body}" for title, body in parts)

    def states(self) -> str:
        """Say in a sentence how many students handed in, and how far their work is graded."""
        every, counted = self.results.participants, Counter(one.state for one in self.results.participants)
        said = ", ".join(f"{counted[state]} {state.value}" for state in State if counted[state])
        return (
            f"{len(every)} student{'' if len(every) == 1 else 's'}: {said}." if every else "There are no students yet."
        )

    def talk(self, level: int) -> str:
        """Return what to talk about tomorrow: at most five mistakes with most lost points.

        Args:
            level: of the headings above.
        """
        if not self.mistakes:
            return "<p>No submission shows a mistake that has a name.</p>"
        rows = []
        for one in to_talk_about(self.mistakes):
            example = f"<p>An example:</p>{program(one.program)}" if one.program else ""
            if one.question:
                example = f"<p>An example: {with_code(one.question)}</p>"
            head = f"<h{level + 1}>{shown(one.name)}, in {_codes(one.tasks)}</h{level + 1}>"
            cost = f"<p>{_students(one.students)}, {number(one.lost)} points lost.{_again(one)}</p>"
            rows.append(f"<li>{head}{cost}<p>{with_code(one.advice)}</p>{example}</li>")
        most = f"At most {MOST_TALKED_ABOUT} mistakes, those that cost the class the most points."
        return f'<p class="soft">{most}</p><ol class="talk">{"".join(rows)}</ol>'

    def scores(self) -> str:
        """Return the distribution of the final points, in words and drawn."""
        plot = plots.distribution(self.results)
        return f"<p>{shown(plots.points_in_words(self.results))}</p>{_plots([plot])}"

    def _tasks(self) -> str:
        if not self.items:
            return "<p>No task is graded yet.</p>"
        rows = [
            (
                f"<code>{name_shown(one.task)}</code>",
                number(one.maximum),
                f"{one.tried.count} of {one.tried.of}",
                one.full.shown,
                one.mean.shown,
                one.mean_of_tried.shown,
                shown(one.discrimination.shown),
            )
            for one in self.items
        ]
        columns = ("task", "points", "tried by", "full points, of those", "mean", "mean if tried", "discrimination")
        note = (
            "Difficulty is the mean share of a task's points. Discrimination is the correlation of its points with the "
            "total of the other tasks, among students who tried something: near 0, the task tells little about who "
            f"knows the rest. In brackets stand 95% intervals; below {LEAST} students there are only counts."
        )
        drawn = _plots([plots.difficulty(self.items), plots.discrimination(self.items)])
        listed = table("Tasks in the order of the notebook", columns, rows, (1, 2, 4, 5))
        return f'<p class="soft">{note}</p>{drawn}{listed}'

    def _versions(self) -> str:
        rows = [
            (
                f"<code>{name_shown(one.task)}</code>",
                str(one.version),
                f"{one.tried.count} of {one.tried.of}",
                one.full.shown,
                one.mean_of_tried.shown,
            )
            for one in self.versions
        ]
        columns = ("task", "version", "tried by", "full points, of those", "mean if tried")
        other = list(unequal(self.results))
        said = f"Those of {_codes(other)} differ" if other else "None differ"
        note = (
            f"Versions of a task should be equally hard. {said} by more than chance explains in the points of those "
            f"who tried them (Kruskal-Wallis test at the level of {CHANCE:.0%}, for versions that {LEAST} students or "
            "more tried)."
        )
        return f'<p class="soft">{note}</p>{table("Versions of tasks, as they were dealt", columns, rows, (1, 2, 4))}'

    def _odd(self) -> str:
        if len([one for one in self.results.judged if one.tried]) < LEAST and not self.odd:
            return f"<p>Fewer than {LEAST} students tried a task: too few to say.</p>"
        rows = [(f"<code>{name_shown(one.task)}</code>", name_shown(one.check), shown(one.why)) for one in self.odd]
        what = "Look at these checks: they may ask for something that the task does not say."
        return table(what, ("task", "check", "what is odd"), rows) or "<p>None does.</p>"

    def _mistakes(self) -> str:
        rows = list[tuple[str, ...] | str]()
        for one in self.mistakes[:MOST_MISTAKES]:
            counts = str(one.students), number(one.lost)
            rows.append((name_shown(one.name), _codes(one.tasks), *counts, name_shown(one.reading)))
            if example := _folded(one):
                rows.append(example)
        if not rows:
            return "<p>No submission shows a mistake that has a name.</p>"
        left = len(self.mistakes) - MOST_MISTAKES
        more = f"<p>The CSV lists {left} more.</p>" if left > 0 else ""
        columns = ("mistake", "in", "students", "points lost", "read again")
        return f"{table('Students whose last submission shows the mistake', columns, rows, (2, 3))}{more}"


def _folded(one: Mistake) -> str:
    if not one.program and not one.question:
        return ""
    inside = program(one.program) if one.program else f"<p>{with_code(one.question)}</p>"
    kind = "program" if one.program else "question"
    return f"<details><summary>An example {kind} of “{name_shown(one.name)}”</summary>{inside}</details>"


def _codes(names: Sequence[str]) -> str:
    return ", ".join(f"<code>{name_shown(name)}</code>" for name in names)


def _again(one: Mistake) -> str:
    return f" Read again: {shown(one.reading)}." if one.reading else ""


def _students(count: int) -> str:
    return f"{count} student{'' if count == 1 else 's'}"


def _plots(drawn: Sequence[Plot | None]) -> str:
    images = "".join(plot.html() for plot in drawn if plot is not None)
    return f'<div class="plots">{images}</div>' if images else ""
