"""The figures as a Markdown table, and its place in docs/explain_gradient.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.explained.changing import Changed
from benchmarks.explained.judging import EQUIVALENT, LOCATED, MISSED, NUMBERS, PLACED, RAISES, RELATED, Told
from benchmarks.explained.kinds import KINDS

Results = list[tuple[Changed, Told]]
SAYING = (RELATED, PLACED, LOCATED, NUMBERS)
START, END = "<!-- table -->", "<!-- end of table -->"
HEAD = (
    "| mutation | wrong mutants | related | placed | located otherwise | numbers only | taken for right "
    "| said otherwise with another draw | mean CPU |\n|---|---|---|---|---|---|---|---|---|"
)


def table(results: Results, functions: int) -> str:
    """Return the figures by kind of mutation, and a sentence on what is not among them."""
    rows = [_row(kind, [(one, told) for one, told in results if one.kind == kind]) for kind in KINDS]
    apart = {verdict: sum(told.verdict == verdict for _, told in results) for verdict in (RAISES, EQUIVALENT)}
    return "\n".join(
        [
            f"{len(results):,} mutants of {functions} right Functions, and no right Function is reported as wrong. "
            f"Not in the table: {apart[RAISES]:,} raise an error, and {apart[EQUIVALENT]:,} are equivalent, since no "
            "gradient differs.",
            "",
            HEAD,
            *filter(None, rows),
            _row("all", results),
        ]
    )


def _row(kind: str, results: Results) -> str:
    some = [told for _, told in results if told.verdict in (*SAYING, MISSED)]
    if not some:
        return ""
    counts = [sum(told.verdict == verdict for told in some) for verdict in (*SAYING, MISSED)]
    shares = [f"{count} ({count / len(some):.0%})" for count in counts[:4]]
    otherwise = sum(bool(told.otherwise) for told in some)
    mean = sum(told.seconds for told in some) / len(some)
    return f"| {' | '.join([kind, str(len(some)), *shares, str(counts[4]), str(otherwise), f'{1000 * mean:.0f} ms'])} |"


def details(results: Results) -> Iterator[str]:
    """Yield what somebody should look at: what changed with another draw, wrong ones taken for right, numbers only."""
    for one, told in results:
        for words, others in (("OTHERWISE", told.otherwise), ("MOVED", told.moved)):
            if others:
                yield f"{words} {_named(one)}\n    {' / '.join(told.sentences)}\n    {' / '.join(others)}"
        if told.verdict in (MISSED, NUMBERS):
            yield f"{told.verdict.upper()} {_named(one)}\n    {' / '.join(told.sentences)}"


def _named(one: Changed) -> str:
    return f"[{one.kind}] {one.change.within}: {one.change.was!r} -> {one.change.wrote!r}"


def write(text: str, page: Path) -> None:
    """Replace what stands between the marks of a page; the second mark is added if it is missing."""
    before, _, after = page.read_text(encoding="utf-8").partition(START)
    rest = after.partition(END)[2] if END in after else after
    page.write_text(f"{before}{START}\n\n{text}\n\n{END}{rest}", encoding="utf-8")
