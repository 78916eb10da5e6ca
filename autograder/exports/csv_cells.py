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

from autograder.visible_text import visible

STARTS = "=+-@\u207a\u207c\u208a\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
"""What begins a formula; a raised, full-width or small sign counts as the plain one for some."""
INSIDE = re.compile(rf"([;,\"]\s*)(?=[{re.escape(STARTS)}])")
"""Where a spreadsheet that separates cells otherwise than this file would begin one with a formula."""
INSIDE_HTML = re.compile(rf"(?<=[;,])[\s{re.escape(STARTS)}]*[{re.escape(STARTS)}]")
BREAK = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
"""What would begin another line, or another cell."""


def text(value: str | None) -> str:
    """One line of text that no spreadsheet runs; PHP reads a backslash before a quote otherwise than others do."""
    line = _one_line(value or "").replace("\\", "/").strip()
    line = INSIDE.sub(r"\1'", line)
    return f"'{line}" if line.startswith(tuple(STARTS)) else line


def html(lines: Iterable[str]) -> str:
    """Lines as HTML in one line, with no quote and no backslash for a reader of CSV to stumble over."""
    made = "<br>".join(escape(_one_line(line)).replace("\\", "&#92;") for line in lines)
    return INSIDE_HTML.sub(lambda found: "".join(_as_entity(sign) for sign in found[0]), made)


def _as_entity(sign: str) -> str:
    return f"&#{ord(sign)};" if sign in STARTS else sign


def _one_line(text: str) -> str:
    return visible(BREAK.sub(" ", text), kept="")


def is_plain(identifier: str) -> bool:
    """Whether an identifier can stand in a file as it is: changed, it would be nobody's or somebody else's."""
    return bool(identifier) and identifier == text(identifier) and identifier != "0"  # PHP calls "0" empty


def write(path: Path, rows: Iterable[list[str]]) -> None:
    """Write every cell quoted, in UTF-8 without a mark at its start, which Canvas takes for part of a header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8", errors="replace") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
