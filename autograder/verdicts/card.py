"""A verdict as HTML for a notebook, the formgrader and feedback pages.

Everything is escaped, because what was seen may contain a student's text. What explains is read without unfolding
anything.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

from autograder.hints import hints_of
from autograder.marked_text import PARTLY, PRE, RIGHT, WRONG, mark, with_code
from autograder.tasks.lesson_sections import linked
from autograder.tasks.tables import TaskFolderError
from autograder.verdicts.plain_text import offers_hint, score, what_next
from autograder.verdicts.telling import Fold, Seen, Telling

if TYPE_CHECKING:
    from autograder.executions import Provenance
    from autograder.pictures import Picture
    from autograder.verdicts.verdict import Verdict

CARD = (
    "border:1px solid {colour};border-left-width:6px;border-radius:4px;padding:.5em .8em;"
    "margin:.3em 0;max-width:46em;font-size:14px;line-height:1.45"
)
HEADING = "margin:0;font-size:1em;font-weight:normal;line-height:inherit"
BLOCK = "margin:.4em 0"
INSIDE = "margin:.2em 0 .2em 1.4em"
TABLE = "border-collapse:collapse;color:inherit;background:none;margin:.2em 1em"
CELL = "padding:.1em .8em;text-align:left;border-bottom:1px solid rgba(128,128,128,.35)"
STEP = "Run the program in a cell of its own: `step_through`, called with its output, shows every step of your pass."
HINTS = ("A hint", "The next hint", "The last hint")


def verdict_as_html(verdict: Verdict, printed: str = "", run: Provenance | None = None) -> str:
    """Render a verdict as HTML, the whole display of `check("task")`.

    Args:
        verdict: what to show.
        printed: what the student's code printed while it answered, shown folded.
        run: in a notebook, which execution was judged; only there lessons are linked, and pictures follow the theme.
    """
    newer = "" if run is None else run.newer
    colour = RIGHT if verdict.passed and not newer else PARTLY if verdict.points else WRONG
    drawn = {} if verdict.picture is None else {verdict.picture[0]: _drawn(verdict.picture[1], live=run is not None)}
    text = with_code if run is None else _linked_code
    told = Telling.of(verdict)
    parts = [
        _block(f"<strong>{with_code(newer)}</strong>" if newer else ""),
        f'<h3 style="{HEADING}">{_name(verdict)}: {escape(score(verdict, run))}</h3>',
        _block(f"<strong>{text(told.lead)}</strong> {text(told.more)}" if told.lead else ""),
        _first(told.first, drawn) if told.first is not None else "",
        *(_folded(fold, text, drawn) for fold in told.folds),
        _passed(told.passed),
        _fold("Printed meanwhile", _pre(printed)) if printed.strip() else "",
        _block(text(what_next(verdict, run))),
        _hints(verdict.label, text) if offers_hint(verdict, run) else "",
    ]
    # Keeps MathJax from typesetting dollar signs in a student's text.
    return f'<div class="tex2jax_ignore" style="{CARD.format(colour=colour)}">{"".join(parts)}</div>'


def _name(verdict: Verdict) -> str:
    return with_code(f"`{verdict.task}`") + (f", version {verdict.version}" if verdict.version else "")


def _first(seen: Seen, drawn: dict[int, str]) -> str:
    return _block(f"{mark('✗ missed', WRONG)} {with_code(seen.title)}{_shown(seen, drawn)}")


def _folded(fold: Fold, text: Callable[[str], str], drawn: dict[int, str]) -> str:
    several = len(fold.parts) > 1
    inside = "".join(
        (f'<div style="{INSIDE}">{with_code(part.title)}</div>' if several else "") + _shown(part, drawn)
        for part in fold.parts
    )
    said = f"{text(fold.said)} " if fold.said else ""
    return _block(said + _fold(with_code(fold.line), inside))


def _shown(seen: Seen, drawn: dict[int, str]) -> str:
    """What was seen: the sentence, the program, the graph."""
    parts = (with_code(seen.said), _pre(seen.example), drawn.get(seen.place, ""))
    return "".join(f'<div style="{INSIDE}">{part}</div>' for part in parts if part)


def _passed(titles: tuple[str, ...]) -> str:
    """Name what passed; a list, which screen readers count."""
    rows = "".join(f"<li>{mark('✓ passed', RIGHT)} {with_code(title)}</li>" for title in titles)
    # Some screen readers do not announce a list without bullets unless it has the role of one.
    return f'<ul role="list" style="list-style:none;{BLOCK};padding:0">{rows}</ul>' if rows else ""


def _hints(task: str, text: Callable[[str], str]) -> str:
    """Fold the task's hints into each other, so that they are read one after the other."""
    try:
        hints = hints_of(task)
    except (LookupError, TaskFolderError):  # another course's task, or one whose hints cannot be read
        return ""
    inside = ""
    for title, hint in reversed([*zip(HINTS, hints, strict=True)]):
        inside = _fold(title, f'<div style="{INSIDE}">{text(hint)}{inside}</div>')
    return inside


def _drawn(picture: Picture, *, live: bool) -> str:
    """Return the picture, and the sweep to its first wrong number."""
    return picture.with_words(live=live) + _sweep(picture, live)


def _sweep(picture: Picture, live: bool) -> str:
    """Fold the backward sweep, yours beside the right one, to the first number that differs."""
    if not picture.sweep:
        return ""
    head = "".join(f'<th scope="col" style="{CELL}">{title}</th>' for title in ("node", "yours", "right"))
    rows = [(row.label, row.yours or "agrees", row.right) for row in picture.sweep]
    cells = ["".join(f'<td style="{CELL}">{escape(text)}</td>' for text in row) for row in rows]
    table = f'<table style="{TABLE}">{"".join(f"<tr>{row}</tr>" for row in (head, *cells))}</table>'
    step = f"<div>{with_code(STEP)}</div>" if live else ""
    return _fold("Backwards from the output, to the first number that differs", table + step)


def _block(inside: str) -> str:
    return f'<div style="{BLOCK}">{inside}</div>' if inside else ""


def _fold(title: str, inside: str) -> str:
    return f"<details><summary>{title}</summary>{inside}</details>" if inside else title


def _pre(text: str) -> str:
    return f'<pre style="{PRE}">{escape(text)}</pre>' if text else ""


def _linked_code(text: str) -> str:
    """Turn a text into HTML, with a link at each section of a lesson."""
    return linked(with_code(text))
