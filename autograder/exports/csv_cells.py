"""CSV for learning platforms, safe against formula injection when a spreadsheet opens it.

A spreadsheet takes a cell that starts with `=`, `+`, `-`, `@`, a tab or a return for a formula, quoted or not, and
students choose their own names. OWASP's Application Security Verification Standard (5.0, requirement 1.2.10) puts
an apostrophe before such a cell. No platform identifies students by the cells that this changes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from autograder.visible_text import visible

STARTS = "=+-@\u207a\u207c\u208a\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
"""Characters that begin a formula; some programs read a superscript, full-width or small sign as the plain one."""
INSIDE = re.compile(rf"([;,\"]\s*)(?=[{re.escape(STARTS)}])")
"""Where a formula would begin in a spreadsheet that splits cells at another delimiter than this file's."""
INSIDE_HTML = re.compile(rf"(?<=[;,])[\s{re.escape(STARTS)}]*[{re.escape(STARTS)}]")
BREAK = re.compile(r"[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]+")
"""Characters that would begin another line or another cell."""


def text(value: str | None) -> str:
    """Return a text as one line that no spreadsheet runs, without backslashes, which PHP reads as escapes."""
    line = _one_line(value or "").replace("\\", "/").strip()
    line = INSIDE.sub(r"\1'", line)
    return f"'{line}" if line.startswith(tuple(STARTS)) else line


def html(lines: Iterable[str]) -> str:
    """Return lines as one line of HTML, escaped, without quotes and backslashes, which CSV readers disagree on."""
    made = "<br>".join(escape(_one_line(line)).replace("\\", "&#92;") for line in lines)
    return INSIDE_HTML.sub(lambda found: "".join(_as_entity(sign) for sign in found[0]), made)


def _as_entity(sign: str) -> str:
    return f"&#{ord(sign)};" if sign in STARTS else sign


def _one_line(text: str) -> str:
    return visible(BREAK.sub(" ", text), kept="")


def is_plain(identifier: str) -> bool:
    """Return whether an identifier needs no change in a file; changed, it could be another student's."""
    return bool(identifier) and identifier == text(identifier) and identifier != "0"  # PHP calls "0" empty


def write(path: Path, rows: Iterable[list[str]]) -> None:
    """Write rows with every cell quoted, in UTF-8 without a byte order mark, which Canvas reads into a header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8", errors="replace") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows(rows)
