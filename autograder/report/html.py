"""A verdict as HTML for a notebook, the formgrader and feedback pages.

Everything is escaped: what was seen may contain a student's text. Colours come with words and marks, and
inherit from the page, so that they work on light and dark ground alike.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from autograder.report.text import closing, only_reason, score, with_repetitions

if TYPE_CHECKING:
    from autograder.grader.verdict import Result, Verdict

CARD = (
    "border:1px solid {colour};border-left-width:6px;border-radius:4px;padding:.5em .8em;"
    "margin:.3em 0;max-width:46em;font-size:14px;line-height:1.45"
)
PASSED, PARTLY, MISSED = "#2e7d6b", "#b07d12", "#b3423a"


def verdict_as_html(verdict: Verdict, printed: str = "") -> str:
    """The whole display of `check("task")`.

    Args:
        verdict: what to show.
        printed: what the student's code printed while it was asked, shown folded.
    """
    full = verdict.points == verdict.maximum
    colour = PASSED if full else PARTLY if verdict.points else MISSED
    head = f"<strong><code>{escape(verdict.task)}</code>: {escape(score(verdict))}</strong>"
    if (only := only_reason(verdict)) is not None:
        body = f"<div>{_code(only)}</div>"
    else:
        drawn = {} if verdict.picture is None else {verdict.picture[0]: f"<div>{verdict.picture[1].html()}</div>"}
        results = enumerate(with_repetitions(verdict))
        rows = "".join(_row(result, told, drawn.get(place, "")) for place, (result, told) in results)
        body = f'<ul style="list-style:none;margin:.3em 0;padding:0">{rows}</ul>'
    fold = ""
    if printed.strip():
        fold = f"<details><summary>Printed meanwhile</summary><pre>{escape(printed)}</pre></details>"
    end = f'<div style="opacity:.8">{_code(closing(verdict))}</div>'
    # MathJax leaves the card alone: what was seen may hold a student's dollars.
    return f'<div class="tex2jax_ignore" style="{CARD.format(colour=colour)}">{head}{body}{fold}{end}</div>'


def _row(result: Result, told: tuple[str, str, str], picture: str) -> str:
    passed = result.kind == "passed"
    mark = (
        f'<span style="color:{PASSED}">✓ passed</span>' if passed else f'<span style="color:{MISSED}">✗ missed</span>'
    )
    points = f"{result.points:g} of {result.maximum:g}"
    seen, example, advice = told
    parts = [_code(seen), _pre(example), picture, _code(advice)]
    body = "".join(f'<div style="margin-left:1.4em">{part}</div>' for part in parts if part)
    return f'<li style="margin:.2em 0">{mark} · {_code(result.title)} ({points}){body}</li>'


def _pre(text: str) -> str:
    return f'<pre style="margin:.2em 1em">{escape(text.strip())}</pre>' if text else ""


def _code(text: str) -> str:
    """Escaped, with `backticks` as code."""
    pieces = escape(text).split("`")
    if len(pieces) % 2 == 0:  # an odd number of backticks: leave them as they are
        return "`".join(pieces)
    return "".join(f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces))
