"""Every number in a lesson's sentences is one that a cell of the same section prints or sets.

A sentence that states 97.6% needs a 0.976 or a 97.6 in what its section prints, to the precision that it states. So an
upgrade that changes a figure makes the sentence that quotes it fail. Numbers that no cell can know, such as years, are
listed in `lessons/figures/NN_topic.toml`, each with its reason.
"""

from __future__ import annotations

import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from html import unescape

import nbformat

from tests.prose.lesson import CODE_BLOCK, LESSONS, NOT_READ, TAG_OR_TARGET, sections

NUMBER = re.compile(r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])")
MINUTES = re.compile(r"\b\d+(?: and \d+)? minutes")
"""What a sitting takes; `sittings` judges these."""
POWER = re.compile(r"(?:(\d+(?:\.\d+)?) *\\(?:cdot|times) *)?10\^(?:\{(-?\d+)\}|(\d))")
NAME = re.compile(r"[Ll]essons? \d\d(?:(?:, | and | to )\d\d)*|\b\d\d_\w+|\b(?:PyTorch|torch|Python|CUDA) \d[\d.]*")
POINTS = 0.5
"""A percentage may be off by this many points: training ends a little differently on another processor."""


def findings(number: str, executed: nbformat.NotebookNode) -> Iterator[str]:
    """Numbers in prose that nothing in their section prints or sets, a sentence each."""
    elsewhere = from_elsewhere(number)
    unused = set(elsewhere)
    everywhere = {value for cell in executed.cells for value in evidence(cell)}
    for section in sections(executed.cells):
        if section.title in NOT_READ:
            continue
        whole = not section.title or section.title.startswith(("Summary", "First sitting", "Second sitting"))
        values = everywhere if whole else {value for cell in section.cells for value in evidence(cell)}
        for cell in section.cells:
            for stated in numbers(cell.source) if cell.cell_type == "markdown" else ():
                if stated in elsewhere:
                    unused.discard(stated)
                elif not any(agrees(stated, value) for value in values):
                    yield f"{stated} in {cell.id} ({around(cell.source, stated)}): no cell of its section prints it"
    for stated in sorted(unused):
        yield f"{stated} is listed as a number from elsewhere, and no sentence states it"


def from_elsewhere(number: str) -> dict[str, str]:
    """Numbers that no cell can know, each with the reason."""
    tables = [tomllib.loads(path.read_text(encoding="utf-8")) for path in LESSONS.glob(f"figures/{number}_*.toml")]
    return {name: reason for table in tables for name, reason in table.items()}


def numbers(markdown: str) -> list[str]:
    """The numbers that a text's sentences state, as they are written; 1e-7 for a power of ten."""
    text = TAG_OR_TARGET.sub(" ", CODE_BLOCK.sub(" ", markdown))
    text = NAME.sub(" ", MINUTES.sub(" ", text))
    text = POWER.sub(lambda found: f" {found[1] or 1}e{found[2] or found[3]} ", text)
    text = re.sub(r"^\s*\d+\. ", "", text, flags=re.MULTILINE)  # a list's own count
    after = re.compile(r"%|\\%| percent| per cent")
    return [found[0] + ("%" if after.match(text, found.end()) else "") for found in NUMBER.finditer(text)]


def evidence(cell: nbformat.NotebookNode) -> Iterator[float]:
    """All numbers in a code cell's source and in what it shows."""
    if cell.cell_type != "code":
        return
    try:
        for token in tokenize.generate_tokens(io.StringIO(cell.source).readline):
            if token.type == tokenize.NUMBER:
                yield from _value(token.string)
    except (tokenize.TokenError, SyntaxError):  # a magic, or a cell that shows an error of syntax
        yield from (float(found[0].replace(",", "")) for found in NUMBER.finditer(cell.source))
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        shown = (output.get("text", ""), data.get("text/plain", ""), unescape(data.get("text/html", "")))
        for text in shown:
            for found in re.finditer(r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?", "".join(text)):
                yield from _value(found[0].rstrip(",").replace(",", ""))


def _value(text: str) -> Iterator[float]:
    try:
        yield float(text)
    except ValueError:
        return


def agrees(stated: str, value: float) -> bool:
    """Whether a number as it is written is this value, rounded."""
    bare = stated.rstrip("%").replace(",", "")
    number = float(bare)
    if "e" in bare:
        return value != 0 and 1 / 3 < number / value < 3
    half = 0.5 * 10.0 ** -len(bare.partition(".")[2]) * 1.000001
    if stated.endswith("%"):
        return abs(100 * value - number) <= max(half, POINTS) or abs(value - number) <= max(half, POINTS)
    return abs(value - number) <= half


def around(markdown: str, stated: str) -> str:
    """A few words around a number."""
    place = max(markdown.find(stated.rstrip("%")), 0)
    return " ".join(markdown[max(place - 30, 0) : place + 30].split())
