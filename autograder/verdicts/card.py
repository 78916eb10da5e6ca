"""A verdict as HTML for a notebook, the formgrader and feedback pages.

Everything is escaped, because what was seen may contain a student's text. Text takes its colour from the page, so that
it is readable on light and dark backgrounds; coloured marks bring their own background, and words repeat what a colour
says. The card is a heading and a list, which screen readers announce as such.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from autograder.verdicts.plain_text import closing, common_reason, number, score, without_repetitions
from autograder.wire.outcome import Outcome

if TYPE_CHECKING:
    from autograder.executions import Provenance
    from autograder.pictures import Picture
    from autograder.verdicts.verdict import Result, Verdict

CARD = (
    "border:1px solid {colour};border-left-width:6px;border-radius:4px;padding:.5em .8em;"
    "margin:.3em 0;max-width:46em;font-size:14px;line-height:1.45"
)
HEADING = "margin:0;font-size:1em;font-weight:bold;line-height:inherit"
CODE = "color:inherit;background:rgba(128,128,128,.15);border-radius:2px"
PRE = "color:inherit;background:none;border:0;padding:0;margin:.2em 1em;white-space:pre-wrap"
MARK = "background:{colour};color:#ffffff;border-radius:3px;padding:0 .4em"
PASSED, PARTLY, MISSED = "#2e7d6b", "#a8740f", "#ba4c44"
"""Colours with enough contrast as a border on white and dark backgrounds, and as a background of white text."""


def verdict_as_html(verdict: Verdict, printed: str = "", run: Provenance | None = None) -> str:
    """Render a verdict as HTML, the whole display of `check("task")`.

    Args:
        verdict: what to show.
        printed: what the student's code printed while it answered, shown folded.
        run: in a notebook, which execution was judged.
    """
    newer = "" if run is None else run.newer
    full = verdict.passed and not newer
    colour = PASSED if full else PARTLY if verdict.points else MISSED
    head = f'<h3 style="{HEADING}">{_code(f"`{verdict.task}`")}: {escape(score(verdict, run))}</h3>'
    first = f"<div><strong>{_code(newer)}</strong></div>" if newer else ""
    if (reason := common_reason(verdict)) is not None:
        body = f"<div>{_code(reason)}</div>"
    else:
        drawn = {} if verdict.picture is None else {verdict.picture[0]: _drawn(verdict.picture[1])}
        results = enumerate(without_repetitions(verdict))
        rows = "".join(_row(result, told, drawn.get(place, "")) for place, (result, told) in results)
        # Some screen readers do not announce a list without bullets unless it has the role of one.
        body = f'<ul role="list" style="list-style:none;margin:.3em 0;padding:0">{rows}</ul>'
    fold = _fold("Printed meanwhile", printed) if printed.strip() else ""
    end = f"<div>{_code(closing(verdict, run))}</div>"
    # Keeps MathJax from typesetting dollar signs in a student's text.
    return f'<div class="tex2jax_ignore" style="{CARD.format(colour=colour)}">{first}{head}{body}{fold}{end}</div>'


def _row(result: Result, told: tuple[str, str, str], picture: str) -> str:
    word, colour = ("✓ passed", PASSED) if result.kind == Outcome.PASSED else ("✗ missed", MISSED)
    mark = f'<span style="{MARK.format(colour=colour)}">{word}</span>'
    points = f"{number(result.points)} of {number(result.maximum)}"
    seen, example, advice = told
    parts = [_code(seen), _pre(example.strip()), picture, _code(advice)]
    body = "".join(f'<div style="margin-left:1.4em">{part}</div>' for part in parts if part)
    return f'<li style="margin:.2em 0">{mark} · {_code(result.title)} ({points}){body}</li>'


def _drawn(picture: Picture) -> str:
    """Return the picture with a short alternative text, and the graph in words, folded."""
    return picture.html(alt=picture.summary) + (_fold("The graph in words", picture.alt) if picture.svg else "")


def _fold(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary>{_pre(text)}</details>"


def _pre(text: str) -> str:
    return f'<pre style="{PRE}">{escape(text)}</pre>' if text else ""


def _code(text: str) -> str:
    """Escape a text and turn what is in `backticks` into code."""
    pieces = escape(text).split("`")
    if len(pieces) % 2 == 0:  # an odd number of backticks: leave them as they are
        return "`".join(pieces)
    return "".join(f'<code style="{CODE}">{piece}</code>' if i % 2 else piece for i, piece in enumerate(pieces))
