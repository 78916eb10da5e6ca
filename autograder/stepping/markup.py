"""A sweep as HTML: everything is escaped, and text takes its colour from the page."""

from __future__ import annotations

from html import escape

from autograder.stepping.frames import MARK, shown_steps
from autograder.stepping.sweep import UNKNOWN, Sweep


def table_as_html(sweep: Sweep) -> str:
    """Write the shown steps as a table; a cross and a word mark those that differ."""
    cell = "padding:.1em .8em;text-align:{side};border-bottom:1px solid rgba(128,128,128,.35)"
    sides = ("right", "left", "right", "right", "left")
    head = "".join(
        f'<th scope="col" style="{cell.format(side=side)}">{name}</th>'
        for name, side in zip(("step", "node", "yours", "right", "compared"), sides, strict=True)
    )
    rows = []
    for at in shown_steps(sweep):
        step = sweep.steps[at]
        compared = f"{MARK} differs" if step.differs else "not known" if step.right == UNKNOWN else "agrees"
        texts = (str(at + 1), sweep.places[step.node].label, step.yours, step.right, compared)
        cells = "".join(
            f'<td style="{cell.format(side=side)}">{escape(text)}</td>' for text, side in zip(texts, sides, strict=True)
        )
        rows.append(f"<tr>{cells}</tr>")
    style = "border-collapse:collapse;color:inherit;background:none;margin:.4em 0"
    return f'<table style="{style}"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
