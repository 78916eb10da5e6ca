"""The skeleton of a class report: one HTML page that loads nothing and runs nothing, with its style and tables."""

from __future__ import annotations

from collections.abc import Sequence

from autograder import marked_text, static_page
from autograder.static_page import shown
from autograder.terminal import LONGEST_NAME
from autograder.visible_text import visible

ANONYMOUS = '<meta name="students" content="anonymous">'
"""A mark in the head of a page without names, which therefore cannot be searched for a student."""
MANY = 4
"""Columns from which a table scrolls on a telephone, where they would be squeezed to a word a line."""
STYLE = """
:root { color-scheme: light dark; --ink: #1f2328; --ground: #ffffff; --soft: #57606a; --line: #d0d7de }
:root { --tint: #f3f5f8; --link: #0550ae }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --ground: #16191d; --soft: #b3bac2; --line: #3d444d; --tint: #20252b; --link: #79b8ff }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif }
main { max-width: 66rem; margin: 0 auto; padding: 1rem 1rem 4rem; overflow-wrap: break-word }
h1 { margin: .5rem 0; font-size: 1.8rem; line-height: 1.2 }
h2 { margin: 2.2rem 0 .6rem; padding-top: .6rem; border-top: 2px solid var(--line); font-size: 1.35rem }
h3 { margin: 1.6rem 0 .5rem; font-size: 1.1rem } h4 { margin: 1rem 0 .3rem; font-size: 1rem }
p, ul, ol { margin: .5rem 0; max-width: 46rem } a { color: var(--link) }
.soft, caption { color: var(--soft) } caption { text-align: left; padding: 0 0 .3rem; font-size: .92rem }
.scroll { overflow-x: auto; margin: .8rem 0 } .scroll:focus-visible { outline: 3px solid var(--link) }
table { border-collapse: collapse; font-size: .95rem }
th, td { padding: .3rem .9rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
thead th { vertical-align: bottom } tbody th { font-weight: 600; min-width: 8rem }
tr:has(+ .below) > * { border-bottom: 0 } .below td { padding-top: 0 } .long { overflow-wrap: anywhere }
summary { cursor: pointer }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; margin: .8rem 0; align-items: flex-start }
.plots img { flex: 0 1 auto; height: auto; border-radius: 6px; padding: 6px }
.talk { padding-left: 1.4rem; max-width: none } .talk > li { margin: 0 0 1.4rem; padding-left: .3rem }
.talk > li::marker { font-weight: 700 }
code { font: .92em ui-monospace, monospace; background: var(--tint); border-radius: 3px; padding: 0 .2em }
pre { margin: 0; padding: .6rem .8rem; background: var(--tint); border-left: 4px solid var(--line) }
pre { font: 13.5px/1.45 ui-monospace, monospace; width: max-content; min-width: 100% }
pre code { font: inherit; background: none; padding: 0 } .program { margin: .4rem 0 }
nav ul { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; padding: 0; list-style: none }
nav ul { max-width: none }
@media (max-width: 45rem) { table.wide { min-width: 44rem } }
@media print {
  :root { color-scheme: light; --ink: #000000; --ground: #ffffff; --soft: #333333; --line: #999999; --tint: #f3f5f8 }
  :root { --link: #000000 }
  main { max-width: none; padding: 0 } nav { display: none } .scroll { overflow: visible }
  h2, h3 { break-after: avoid } .talk > li, tr, img { break-inside: avoid }
  table.wide { min-width: 0 } details::details-content { content-visibility: visible; display: block }
  pre { white-space: pre-wrap; width: auto } table { font-size: .85rem }
}
"""


def page(title: str, body: str, anonymous: bool) -> str:
    """Return a whole page.

    Args:
        title: text.
        body: HTML.
        anonymous: whether the page names no student.
    """
    return static_page.page(title, body, STYLE, ANONYMOUS if anonymous else "", images=True)


def name_shown(name: str) -> str:
    """Return a name for a page; one with a very long word may break anywhere, so that it widens no table."""
    longest = max(map(len, name.split()), default=0)
    return f'<span class="long">{shown(name)}</span>' if longest > LONGEST_NAME else shown(name)


def with_code(text: str) -> str:
    """Return a text for a page, with what is in `backticks` as code."""
    return marked_text.with_code(visible(text), "<code>")


def table(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[str] | str], numbers: Sequence[int] = ()
) -> str:
    """Return a table in a frame that scrolls sideways where the window is narrow; empty without rows.

    Args:
        caption: text.
        columns: their headings, text.
        rows: cells as HTML, of which the first is the row's heading; a single text is a row without columns, which
            belongs to the row above.
        numbers: the indices of the columns that are set to the right.
    """
    if not rows:
        return ""
    kinds = [' class="number"' if place in numbers else "" for place in range(len(columns))]
    head = "".join(f'<th{kind} scope="col">{shown(name)}</th>' for kind, name in zip(kinds, columns, strict=True))
    lines = []
    for row in rows:
        if isinstance(row, str):
            lines.append(f'<tr class="below"><td colspan="{len(columns)}">{row}</td></tr>')
            continue
        first, *rest = row
        cells = (f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds[1:], rest, strict=True))
        lines.append(f'<tr><th scope="row">{first}</th>{"".join(cells)}</tr>')
    name, wide = shown(caption), ' class="wide"' if len(columns) >= MANY else ""
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{name}"><table{wide}><caption>{name}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def program(source: str) -> str:
    """Return a program for a page, in a frame that scrolls sideways where the window is narrow."""
    frame = '<div class="scroll program" tabindex="0" role="group" aria-label="A program">'
    return f"{frame}<pre><code>{shown(source)}</code></pre></div>"
