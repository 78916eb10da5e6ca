"""The sections of a class report about people and weeks, as HTML, and the whole page put together."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.class_report import plots
from autograder.class_report.assignment_sections import AssignmentPart
from autograder.class_report.page import name_shown, page, table, with_code
from autograder.class_report.participation import Stopped, stuck, untouched
from autograder.class_report.proportions import LEAST
from autograder.class_report.pseudonyms import Pseudonyms
from autograder.class_report.weeks import BY_NAME, Timeline, weeks
from autograder.standings.number_text import number
from autograder.standings.state import State
from autograder.static_page import shown

MOST_LISTED = 40
"""Students that a list of the page holds; the CSV has all."""


def assignment_page(part: AssignmentPart, gone: Sequence[Stopped], names: Pseudonyms) -> str:
    """Return the page about one assignment.

    Args:
        part: the findings.
        gone: who stopped handing in.
        names: what students are called.
    """
    title = f"The class in {part.results.name}"
    body = [f"<h1>{shown(title)}</h1><p>{shown(part.states())}</p>{_notes([part], names)}"]
    body.append(f"<h2>Scores</h2>{part.scores()}")
    body.append(f"<h2>What to talk about tomorrow</h2>{part.talk(2)}")
    body += [part.html(2), _people(part, gone, names, 2), _granted([part], names), _all_students([part], names)]
    return page(title, "\n".join(body), names.anonymous)


def course_page(parts: Sequence[AssignmentPart], time: Timeline, gone: Sequence[Stopped], names: Pseudonyms) -> str:
    """Return the page about a course, with its assignments by time.

    Args:
        parts: the findings about each assignment, the earliest first; at least one.
        time: the order of the assignments.
        gone: who stopped handing in.
        names: what students are called.
    """
    title, last = "The class in the whole course", parts[-1]
    links = "".join(f'<li><a href="#a{k}">{shown(one.results.name)}</a></li>' for k, one in enumerate(parts))
    body = [f'<h1>{title}</h1><nav aria-label="Assignments"><ul>{links}</ul></nav>{_notes(parts, names)}']
    body.append(f"<h2>What to talk about tomorrow: {shown(last.results.name)}</h2>{last.talk(2)}")
    body += [f"<h2>Weeks side by side</h2>{_weeks(parts, time)}", _people(last, gone, names, 2)]
    for place, part in enumerate(parts):
        head = f'<h2 id="a{place}">{shown(part.results.name)}</h2><p>{shown(part.states())}</p>'
        body.append(f"{head}<h3>Scores</h3>{part.scores()}{part.html(3)}")
    body += [_granted(parts, names), _all_students(parts, names)]
    return page(title, "\n".join(body), names.anonymous)


def _notes(parts: Sequence[AssignmentPart], names: Pseudonyms) -> str:
    """Return remarks on the gradebook; on a page without names, none that names students."""
    notes = [note for part in parts for note in part.results.notes]
    if notes and names.anonymous:
        notes = ["The gradebook differs from what was last seen: `autograder scores` says where"]
    notes += [remark for part in parts for remark in part.results.remarks]
    return "".join(f"<p>{with_code(note)}.</p>" for note in notes)


def _people(part: AssignmentPart, gone: Sequence[Stopped], names: Pseudonyms, level: int) -> str:
    heading = f"<h{level}>Who is stuck, and who stopped handing in</h{level}>"
    found = sorted(stuck(part.results), key=lambda one: (-len(one.without_points), names.place(one.student)))
    rows = [
        (
            name_shown(names.of(one.student)),
            f"{len(one.without_points)} of {one.tried} tried",
            ", ".join(f"<code>{name_shown(task)}</code>" for task in one.without_points),
            ", ".join(map(name_shown, one.mistakes)),
        )
        for one in found[:MOST_LISTED]
    ]
    columns = ("student", "no points in", "tasks", "mistakes in them")
    what = f"Stuck in {part.results.name}: no points in half of the tasks tried, or in more"
    body = table(what, columns, rows, (1,)) + _more(len(found), len(rows))
    body = body or "<p>No student is stuck: none tried two tasks or more and got nothing in half of them.</p>"
    idle = [names.of(one.student) for one in sorted(untouched(part.results), key=lambda one: names.place(one.student))]
    if idle:
        left = f" and {len(idle) - MOST_LISTED} more" if len(idle) > MOST_LISTED else ""
        body += f"<p>Handed in with nothing tried: {shown(', '.join(idle[:MOST_LISTED]))}{left}.</p>"
    away = sorted(gone, key=lambda one: (-one.missed, names.place(one.student)))
    lines = [(name_shown(names.of(one.student)), shown(one.last), str(one.missed)) for one in away[:MOST_LISTED]]
    listed = table("Stopped handing in", ("student", "last handed in", "missed since"), lines, (2,))
    return f"{heading}{body}{listed or '<p>No student stopped handing in.</p>'}{_more(len(away), len(lines))}"


def _granted(parts: Sequence[AssignmentPart], names: Pseudonyms) -> str:
    """Return who has an extension or a cohort; on a page without names only how many, because they are few."""
    found = [(part.results.name, one.student, one.granted) for part in parts for one in part.results.participants]
    given = [(name, student, granted) for name, student, granted in found if granted is not None]
    if not given:
        return ""
    heading = "<h2>Extensions and cohorts</h2>"
    if names.anonymous:
        count = len({student for _, student, _ in given})
        return f"{heading}<p>{count} {'student has' if count == 1 else 'students have'} one.</p>"
    rows = [
        (name_shown(student), shown(name), number(granted.hours), shown(granted.group), shown(granted.cohort))
        for name, student, granted in given
    ]
    columns = ("student", "assignment", "hours", "as a member of group", "cohort")
    return (
        heading
        + table("Who has an extension or a cohort", columns, rows[:MOST_LISTED], (2,))
        + _more(len(rows), len(rows[:MOST_LISTED]))
    )


def _more(found: int, listed: int) -> str:
    return f"<p>The CSV lists {found - listed} more.</p>" if found > listed else ""


def _weeks(parts: Sequence[AssignmentPart], time: Timeline) -> str:
    every = weeks([one.results for one in parts])
    by = "name, because not all have a due date or hand-ins with a time" if time.by == BY_NAME else time.by
    rows = []
    for week, part in zip(every, parts, strict=True):
        low, middle, high = (f"{one:.0%}" for one in week.quartiles) if week.quartiles else ("", "", "")
        hardest = min(part.items, key=lambda one: one.mean.share or 0.0, default=None)
        rows.append(
            (
                shown(week.assignment),
                "" if week.due is None else f"{week.due:%Y-%m-%d %H:%M} UTC",
                f"{week.handed_in.count} of {week.handed_in.of}",
                str(len(week.final)),
                middle,
                f"{low} to {high}" if len(week.final) >= LEAST else "",
                f"<code>{name_shown(hardest.task)}</code> ({hardest.mean.shown})" if hardest else "",
                name_shown(part.mistakes[0].name) if part.mistakes else "",
            )
        )
    columns = (
        "assignment",
        "due",
        "handed in",
        "final",
        "median",
        "middle half",
        "hardest task",
        "most frequent mistake",
    )
    plot = plots.side_by_side(every)
    drawn = f'<div class="plots">{plot.html()}</div>' if plot else ""
    note = f"In order of {by}. Assignments ask different things, so a lower share need not mean a weaker week."
    return f'<p class="soft">{note}</p>{drawn}{table("Assignments by time", columns, rows, (2, 3, 4, 5))}'


def _all_students(parts: Sequence[AssignmentPart], names: Pseudonyms) -> str:
    """Return a folded table of all students' points."""
    by_part = [{one.student: one for one in part.results.participants} for part in parts]
    students = sorted({student for found in by_part for student in found}, key=names.place)
    rows = []
    for student in students:
        cells = []
        for found in by_part:
            one = found.get(student)
            cells.append("" if one is None else number(one.points) if one.state is State.GRADED else one.state.value)
        rows.append((name_shown(names.of(student)), *cells))
    columns = ("student", *(part.results.name for part in parts))
    listed = table("Final points, or how far the work is graded", columns, rows, range(1, len(columns)))
    return (
        f"<h2>All students</h2><details><summary>The points of all students</summary>{listed}</details>" if rows else ""
    )
