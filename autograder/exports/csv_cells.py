"""CSV that a learning platform reads and a spreadsheet shows: numbers as numbers, text as text.

A spreadsheet takes a cell that starts with `=`, `+`, `-`, `@`, a tab or a return for a formula, quoted or not;
people choose their own names. OWASP's Application Security Verification Standard (5.0, requirement 1.2.10) has
such a cell start with an apostrophe. No platform identifies anybody by the cells that are changed so.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

FORMULA = re.compile(r"\s*[=+\-@\t\r\n\0＝＋－＠]")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
DECIMALS = 4


def text(value: str | None) -> str:
    """One line of text that no spreadsheet runs; PHP reads a backslash before a quote otherwise than others do."""
    line = CONTROL.sub(" ", value or "").replace("\\", "/").strip()
    return f"'{line}" if FORMULA.match(line) else line


def html(lines: Iterable[str]) -> str:
    """Lines as HTML in one line, with no quote and no backslash for a reader of CSV to stumble over."""
    return "<br>".join(escape(CONTROL.sub(" ", line)).replace("\\", "&#92;") for line in lines)


def is_plain(identifier: str) -> bool:
    """Whether an identifier can stand in a file as it is: changed, it would be nobody's or somebody else's."""
    return bool(identifier) and identifier == text(identifier) and identifier != "0"  # PHP calls "0" empty


def number(points: float) -> str:
    """Points with a decimal point and without an exponent: 27, 2.5."""
    shown = f"{points:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def write(path: Path, rows: Iterable[list[str]]) -> None:
    """Write every cell quoted, in UTF-8 without a mark at its start, which Canvas takes for part of a header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8", errors="replace") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
