"""Two submissions side by side as a page that marks the lines that both share and hardly anybody else wrote.

All text of students is escaped, characters that reorder or hide text are spelled out, and the page's Content
Security Policy allows no script, no image and no connection.
"""

from __future__ import annotations

from autograder.sanitising.source import readable
from autograder.similarity.fragments import Cell, Place, places
from autograder.similarity.pairs import Pair
from autograder.static_page import shown

STYLE = """
:root { color-scheme: light dark; --mark: #ffe9a8; --bar: #9a6700; --soft: #5a5a5a }
@media (prefers-color-scheme: dark) { :root { --mark: #4a3c12; --bar: #e3b341; --soft: #b8b8b8 } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 110rem; padding: 0 1rem }
table { border-collapse: collapse } th, td { padding: .2rem .8rem; text-align: left; vertical-align: top }
td.number, th.number { text-align: right } td:first-child { white-space: nowrap }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1rem }
.pair h2, .pair h3 { margin: .8rem 0 .2rem }
pre { margin: 0 0 .6rem; overflow-x: auto; font: 13px/1.45 ui-monospace, monospace }
pre span { display: block; border-left: 4px solid transparent; white-space: pre-wrap }
pre span { padding-left: 20ch; text-indent: -19ch }
pre span.both { background: var(--mark); border-left-color: var(--bar) }
pre i { color: var(--soft); font-style: normal; user-select: none }
"""
MOST_LINES = 5_000
"""Lines of a cell that are shown; the course's own cells have at most a hundred."""


def side_by_side(pair: Pair, first: list[Cell], second: list[Cell]) -> str:
    """Return two submissions as HTML in two columns, task by task.

    Args:
        pair: the two students with the fragments they share.
        first, second: the code cells of each.
    """
    left, right = (places(cells, set(pair.fragments)) for cells in (first, second))
    there, back = _counterparts(left, right), _counterparts(right, left)
    marked = [_lines(found) for found in (left, right)]
    parts = [f"<h2>{shown(pair.first)}</h2><h2>{shown(pair.second)}</h2>"]
    for task in dict.fromkeys(cell.task for cell in (*first, *second)):
        columns = [
            [_cell(number, cell, lines, others) for number, cell in enumerate(cells) if cell.task == task]
            for cells, lines, others in ((first, marked[0], there), (second, marked[1], back))
        ]
        head = f"<h3>{shown(task)}</h3>"
        parts.append(f"<div>{head}{''.join(columns[0])}</div><div>{head}{''.join(columns[1])}</div>")
    return f'<div class="pair">{"".join(parts)}</div>'


def _lines(found: dict[int, Place]) -> set[tuple[int, int]]:
    return {(place.cell, line) for place in found.values() for line in place.lines}


def _counterparts(here: dict[int, Place], there: dict[int, Place]) -> dict[tuple[int, int], str]:
    """For each (cell, line) where a shared fragment begins, return "cell.line" of its start in the other submission."""
    found: dict[tuple[int, int], str] = {}
    for fragment, place in here.items():
        other = there[fragment]
        found.setdefault((place.cell, place.lines[0]), f"{other.cell + 1}.{other.lines[0]}")
    return found


def _cell(number: int, cell: Cell, marked: set[tuple[int, int]], others: dict[tuple[int, int], str]) -> str:
    rows = []
    lines = readable(cell.source).split("\n")
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = ["... the rest is in the submission"]
    for line, text in enumerate(lines, start=1):
        both = (number, line) in marked
        other = f"= {others[number, line]}" if (number, line) in others else ""
        gutter = f"{f'{number + 1}.{line}':>7} {'|' if both else ' '} {other:<9}"
        rows.append(f"<span{' class=both' if both else ''}><i>{gutter}</i>{shown(text)}</span>")
    return f"<pre>{''.join(rows)}</pre>"
