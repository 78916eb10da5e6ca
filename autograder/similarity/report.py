"""The report of a comparison: a page with the ranking, and a page for each pair."""

from __future__ import annotations

import dataclasses
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from autograder.sharing import OPEN_FOLDER, make_folder, share_file
from autograder.similarity.fragments import Cell
from autograder.similarity.pairs import LEAST, SHARE, Pair
from autograder.similarity.side_by_side import STYLE, side_by_side
from autograder.static_page import page, shown

HINT = (
    "This is a hint for a human and proves nothing: the share is that part of the smaller one's own code whose syntax "
    "the other one has too, counting only what is not published and what few others of the class wrote, and "
    "similar short answers to the same task are to be expected."
)


@dataclasses.dataclass(frozen=True)
class Findings:
    """The result of a comparison.

    Attributes:
        exercise: the exercise's name.
        cells: by student, the code cells.
        pairs: the telling ones, the largest first.
        left_out: by student, why the submission could not be compared.
        few: the most submissions that may share a fragment that still counts.
        versions: by student and task, the versions that were dealt.
    """

    exercise: str
    cells: dict[str, list[Cell]]
    pairs: list[Pair]
    left_out: dict[str, str]
    few: int
    versions: Mapping[str, Mapping[str, int]] = dataclasses.field(default_factory=dict)

    def described(self, pair: Pair) -> list[str]:
        """Return a pair's overlaps in words: "double: 93% (412 fragments), versions 1 and 3"."""
        return [
            f"{one.task}: {one.share:.0%} ({one.shared} fragments){self._dealt(pair, one.task)}"
            for one in pair.overlaps
        ]

    def _dealt(self, pair: Pair, task: str) -> str:
        """Name the versions of a task that two students were dealt, if it was dealt and they are not the same."""
        first, second = (self.versions.get(student, {}).get(task) for student in (pair.first, pair.second))
        return "" if first == second else f", versions {first} and {second}"


def write_report(findings: Findings, folder: Path, most: int) -> Path:
    """Write a report's pages, which replace an older report.

    Args:
        findings: the results to report.
        folder: the report's folder.
        most: the number of pairs that get a page.

    Returns:
        The path of the page with the ranking.
    """
    make_folder(folder.parent)
    made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".writing-"))  # only its owner can read it
    names = {}
    for number, pair in enumerate(findings.pairs[:most], start=1):
        names[pair] = f"pair-{number:03}.html"
        _write(made / names[pair], page(f"{pair.first} and {pair.second}", _pair(findings, pair), STYLE))
    _write(made / "index.html", page(f"Similar submissions of {findings.exercise}", _ranking(findings, names), STYLE))
    if folder.exists():
        shutil.rmtree(folder)
    share_file(made, OPEN_FOLDER)
    os.replace(made, folder)
    return folder / "index.html"


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace")


def _pair(findings: Findings, pair: Pair) -> str:
    overlaps = "".join(f"<li>{shown(one)}</li>" for one in findings.described(pair))
    cells = findings.cells[pair.first], findings.cells[pair.second]
    return (
        f"<p>{hint()}</p><p>Marked lines are in both and in at most {findings.few} submissions; “= 3.12” names "
        'the same place in the other one, cell 3, line 12. <a href="index.html">All pairs</a></p>'
        f"<ul>{overlaps}</ul>{side_by_side(pair, *cells)}"
    )


def hint() -> str:
    """Return the warning at the head of each page, which says what the share means."""
    return f"<strong>{shown(HINT)}</strong>"


def _ranking(findings: Findings, names: dict[Pair, str]) -> str:
    rows = []
    for pair in findings.pairs:
        who = f"{shown(pair.first)} and {shown(pair.second)}"
        link = f'<a href="{names[pair]}">{who}</a>' if pair in names else who
        best, told = pair.overlaps[0], shown("; ".join(findings.described(pair)))
        rows.append(f'<tr><td>{link}</td><td class="number">{best.share:.0%}</td><td>{told}</td></tr>')
    table = (
        f'<table><tr><th>students</th><th class="number">share</th><th>in</th></tr>{"".join(rows)}</table>'
        if rows
        else "<p>No pair shares much that few others wrote.</p>"
    )
    left_out = "".join(f"<li>{shown(name)}: {shown(why)}</li>" for name, why in findings.left_out.items())
    rest = f"<h2>Not compared</h2><ul>{left_out}</ul>" if left_out else ""
    return (
        f"<p>{hint()}</p><h1>{shown(findings.exercise)}</h1><p>{len(findings.cells)} submissions. The share counts "
        f"what at most {findings.few} of them have in common. The table lists pairs that share {LEAST} fragments or "
        f"more, and {SHARE:.0%} of the smaller one's.</p>{table}{rest}"
    )


def reports_about(folder: Path, student: str) -> list[Path]:
    """Return the folders of all reports that name a student."""
    name = shown(student)
    return [
        report
        for report in sorted(folder.glob("*"))
        if any(name in path.read_text(encoding="utf-8") for path in report.glob("*.html"))
    ]
