"""No text of a student acts where an instructor reads it: in a terminal, a log, a table or a page."""

from __future__ import annotations

import io
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from autograder.checks.catalogue import tasks_of
from autograder.classroom.changes import changes
from autograder.classroom.course import Submission
from autograder.classroom.done import Done
from autograder.classroom.summary import Summary
from autograder.diagnosis.exceptions import finding_of_error
from autograder.exports.csv_cells import html, text
from autograder.gradebook_access.repairs import Repairs
from autograder.similarity.side_by_side import shown
from autograder.verdicts.card import verdict_as_html
from autograder.verdicts.plain_text import finding_as_text, verdict_as_text
from autograder.verdicts.verdict import Result, Verdict
from autograder.visible_text import visible
from tests.sample_class import EXERCISE

CLIPBOARD = "\x1b]52;c;ZXZpbA==\x07"
ACTING = {
    "clipboard": CLIPBOARD,
    "cursor": "\x1b[2J\x1b[1A",
    "colour": "\x1b[32m",
    "one-byte commands": "\x9b31m\x90q\x9c",
    "backspaces": "wrong\b\b\b\b\bright",
    "start of line": "wrong\rright",
    "right to left": "\u202e01 fo 01\u2066",
    "joined": "a\u200bb\u2060c\ufeff",
    "tags": "\U000e0041",
    "half a character": "\ud800",
    "private use": "\ue000",
    "another line": "\n14:00:00 01_scalar_graphs: 10 of 10 points",
    "another line to some": "\u2028\u2029\x85",
    "null": "\0",
    "markup": "[red]x[/red] [link=file:///etc/passwd]y[/link] :smiley:",
}
FILLERS = "\u034f\u115f\u3164\uffa0\u2800\u17b4\u180b\U000e0100"
SIGNS = "\uff1d\ufe66\u207a\u208a\uff0b\uff0d\ufe6b\uff20"
TASK = next(iter(tasks_of(EXERCISE).values()))


def acts(said: str, kept: str = "\n") -> set[str]:
    """Characters in a text that are not only seen."""
    found = {c for c in said if unicodedata.category(c)[0] == "C" or unicodedata.category(c) in ("Zl", "Zp")}
    return found - set(kept)


def verdict_with(acting: str) -> Verdict:
    """Of an answer whose exception, class, function and source hold it."""
    error = {"kind": "raised", "type": acting, "message": acting, "function": acting, "source": acting}
    finding = finding_of_error(error, "call()", ())
    return Verdict.of(TASK, [Result.of(check, False, finding, "") for check in TASK.checks])


@pytest.mark.parametrize("acting", ACTING.values(), ids=ACTING)
def test_a_verdict_on_an_exception_holds_only_visible_text(acting: str) -> None:
    verdict = verdict_with(acting)
    assert not acts(verdict.reason, kept="")
    for said in (verdict_as_text(verdict), verdict_as_html(verdict), str(verdict.as_data())):
        assert not acts(said)
    finding = finding_of_error({"kind": "missing", "name": acting, "because": acting}, "call()", ())
    assert not acts(finding_as_text(finding, TASK))
    assert not acts(Verdict.nothing(TASK, "unreadable", acting).reason, kept="")
    assert not acts(Result.of(TASK.checks[0], False, None, acting).seen, kept="")


def test_what_acted_is_spelled_out() -> None:
    reason = verdict_with("x\x1b]0;t\x07\u202e").reason
    assert r"x\x1b]0;t\x07\u202e" in reason
    assert verdict_with("größer, 大きい, \N{NO-BREAK SPACE}e\u0301").reason.count("größer, 大きい") >= 1


@pytest.mark.parametrize("acting", ACTING.values(), ids=ACTING)
def test_tables_and_pages_hold_only_visible_text(acting: str) -> None:
    assert not acts(text(acting), kept="")
    assert not acts(html([acting]), kept="")
    assert not acts(shown(acting))


def told(summary: Summary) -> str:
    """What a class run says at its end, in the terminal that it uses."""
    from autograder.terminal import Terminal

    file = io.StringIO()
    terminal = Terminal(file=file, force_terminal=True, color_system=None, width=200)
    summary.show(terminal, 1.0)
    terminal.print(changes(summary.changed))
    return file.getvalue()


@pytest.mark.parametrize("acting", ACTING.values(), ids=ACTING)
def test_a_summary_says_only_visible_text(acting: str) -> None:
    summary = Summary()
    verdicts = [{"task": TASK.name, "points": 1, "maximum": 2, "reason": acting, "results": []}]
    before = [verdicts[0] | {"points": 2}]
    done = Done(Submission("bob", EXERCISE, EXERCISE, Path()), "failed", verdicts, before, {"partials": acting})
    done.seconds, done.repaired, done.reason = 1.0, Repairs([acting]), f"{acting} at last"
    summary.add(done)
    said = told(summary)
    assert not acts(said)
    assert "14:00:00" not in {line.strip()[:8] for line in said.splitlines()}
    if "[red]" in acting:
        assert "[red]x[/red]" in said


@pytest.mark.parametrize("acting", ACTING.values(), ids=ACTING)
def test_a_log_holds_only_visible_text(acting: str) -> None:
    """In a process of its own: what logging makes of a record holds for all of it."""
    source = f"""
import logging, sys
import autograder.nbgrader_plugin.visible_log
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
logging.error("Copying %s", {acting!r})
logging.error("Copying " + {acting!r})
try:
    raise ValueError({acting!r})
except ValueError:
    logging.exception("it failed")
"""
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert not acts(done.stdout)
    assert not any(line.startswith("14:00:00") for line in done.stdout.splitlines()[:4])


def test_a_defect_is_told_in_visible_text(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from autograder import command_line

    def fail(arguments: list[str] | None) -> int:
        raise ValueError(CLIPBOARD)

    monkeypatch.setattr(command_line, "_run", fail)
    assert command_line.main([]) == 1
    said = capfd.readouterr().err
    assert "Traceback" in said
    assert not acts(said)


@pytest.mark.parametrize("filler", FILLERS, ids=ascii)
def test_a_letter_that_is_drawn_as_nothing_is_spelled_out(filler: str) -> None:
    assert visible(f"student-01{filler}") == f"student-01{ascii(filler)[1:-1]}"
    assert visible("\N{HEAVY BLACK HEART}\ufe0f ก็ é") == "\N{HEAVY BLACK HEART}\ufe0f ก็ é"


@pytest.mark.parametrize("sign", SIGNS, ids=ascii)
def test_no_cell_of_a_table_begins_with_a_sign_in_another_width(sign: str) -> None:
    assert text(f"{sign}1+1") == f"'{sign}1+1"
    assert text(f"a; {sign}1+1") == f"a; '{sign}1+1"
    assert html([f"a;{sign}1+1"]) == f"a;&#{ord(sign)};1+1"
