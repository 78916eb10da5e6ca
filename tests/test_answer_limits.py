"""Whatever a student's process sends as an answer, judging it stays cheap, and ends."""

from __future__ import annotations

import importlib
import json
import re
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import torch

from autograder.checks import answer as answer_file
from autograder.checks.answer import Answer
from autograder.checks.answers import Answers
from autograder.checks.catalogue import exercises, tasks_of
from autograder.checks.task import Check
from autograder.diagnosis.raised import RAISED
from autograder.grader.answers_file import pack_answers, unpack_answers
from autograder.grader.custody import Custody
from autograder.judging import time_and_memory as judging_limits
from autograder.judging.evidence import Evidence
from autograder.judging.judge import judge
from autograder.probes import answer
from autograder.probes.counters import passes_run
from autograder.probes.question import Question
from autograder.wire.frames import pack
from autograder.wire.plain import encode
from tests.backtracking import nested

TASKS = tasks_of("01_scalar_graphs")
RIGHT = "def partials(x, w, b):\n    g = float(x * w + b > 0)\n    return dict(x=g * w, w=g * x, b=g, u=g, v=g)\n"
EMPTY = {"t": "tensor", "dtype": "float32", "shape": [0], "device": "cpu", "at": [0, 0]}
LARGEST_KEPT = 1 << 20
"""Bytes that are stored of all forged answers to a task."""


def _seen(result: Any) -> dict:
    pairs = [[name, result] for name in ("result", "again")]
    return {"seen": {"t": "dict", "v": pairs}, "error": None}


def _list(*items: Any) -> dict:
    return {"t": "list", "v": [*items]}


def _nested(depth: int) -> list:
    value: list = []
    for _ in range(depth):
        value = [value]
    return value


FORGED: dict[str, tuple[dict, bytes, str]] = {
    "sixty thousand empty tensors": (_seen(_list(*[EMPTY] * 60_000)), b"", "more data"),
    "a tensor of many axes, many times": (_seen(_list(*[EMPTY | {"shape": [0] + [1] * 30}] * 100)), b"", "more data"),
    "an empty tensor of a huge shape": (_seen(EMPTY | {"shape": [0, 10**6, 10**6, 10**6]}), b"", "empty|expected"),
    "two thousand keys of 20,000 characters": (
        _seen({"t": "dict", "v": [[f"{n:020000}", 1.0] for n in range(2_000)]}),
        b"",
        "more data",
    ),
    "one string of 20 MB": (_seen("x" * (20 << 20)), b"", "not readable"),
    "forty MB of nan": (
        _seen(EMPTY | {"dtype": "float64", "shape": [5 << 20], "at": [0, 40 << 20]}),
        b"\xff" * (40 << 20),
        "more data",
    ),
    "ten thousand strange objects": (_seen(_list(*[{"t": "foreign", "type": "x" * 200}] * 10_000)), b"", "more data"),
    "a dict of dicts, each within the depth": (
        _seen(_list(*[{"t": "dict", "v": [[n, _list(*range(60))] for n in range(60)]}] * 3)),
        b"",
        "more data",
    ),
    "words of an error without an end": (
        {"seen": None, "error": {"kind": "raised", "type": "E" * (9 << 20), "message": "m" * (9 << 20)}},
        b"",
        "raised E",
    ),
    "an error with a million parts": (
        {"seen": None, "error": dict.fromkeys(map(str, range(10**6)), 1)},
        b"",
        "readable",
    ),
    "an error that took longer than floats go": (
        {"seen": None, "error": {"kind": "time", "seconds": 10**400}},
        b"",
        "did not finish",
    ),
    "printed text without an end": (_seen(1.0) | {"printed": "x" * (30 << 20)}, b"", "expected"),
    "a field that nobody reads, deep": (_seen(1.0) | {"points": _nested(900)}, b"", "expected"),
    "a field that nobody reads, large": (_seen(1.0) | {"points": [[]] * 1_000_000}, b"", "expected"),
    "a tree that is no answer, deep": ({"seen": _nested(900), "error": None}, b"", "not readable"),
    "a node of nan as a list": (_seen(1.0) | {"nan_began": ["Mul"] * 100_000}, b"", "expected"),
}


def _asked(envelope: dict, blob: bytes) -> Evidence:
    evidence = Evidence()
    evidence.ask(TASKS["partials"], lambda question: Answer(envelope, blob))
    return evidence


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_answer_is_judged_and_stored_small(name: str) -> None:
    envelope, blob, says = FORGED[name]
    evidence = _asked(envelope, blob)
    verdict = judge().verdicts(["partials"], evidence)["partials"]
    assert verdict.points == 0
    assert {result.kind for result in verdict.results} <= {"raised", "unasked", "wrong", "time"}, verdict
    assert re.search(says, verdict.reason), verdict.reason
    kept = [[one.envelope, one.blob] for answers in evidence.answers.values() for one in answers]
    assert sum(len(json.dumps(envelope)) + len(blob) for envelope, blob in kept) < LARGEST_KEPT
    raw = pack_answers(Custody(evidence), {"partials": TASKS["partials"]})
    again = unpack_answers(raw, evidence.seed).evidence
    assert judge().verdicts(["partials"], again)["partials"] == verdict


def test_what_a_question_needs_is_room_enough() -> None:
    """However large the question and its right answer are."""
    value = [torch.ones(60_000), list(range(5_000))]
    tree, blob = encode({"result": value})
    sent = Answer({"seen": tree, "error": None}, blob)
    assert sent.kept("cpu", lambda: answer_file.Size.of(value)).envelope["error"] is None
    assert sent.kept("cpu", lambda: answer_file.Size.of(value[1])).envelope["error"] is None
    assert sent.kept("cpu", lambda: answer_file.Size.of(value[0])).envelope["error"] == answer_file.TOO_LARGE
    wide = Answer(sent.envelope, blob + bytes(9 << 20))
    assert wide.kept("cpu", lambda: answer_file.Size.of(value[1])).envelope["error"] == answer_file.TOO_LARGE


@pytest.mark.parametrize("value", [["x" * 20_000] * 300, ["\x00" * 20_000] * 30, [[0] * 100] * 300])
def test_a_probe_says_itself_that_an_answer_is_too_large(value: list) -> None:
    """So that no honest process sends a frame that the grader would not take."""
    names: dict[str, Any] = {"partials": lambda *arguments: value}
    question = Question("call", {"target": "partials", "arguments": []})
    envelope, blob = answer(question, names)
    assert envelope["error"] == {"kind": "too_large"}
    assert len(pack(envelope, blob)) < answer_file.FRAME.text


def test_an_answer_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {}
    exec(RIGHT, names)
    decoded: list[Any] = []
    decode = answer_file.decode

    def counted(tree: Any, *rest: Any, **how: Any) -> Any:
        decoded.append(tree)
        return decode(tree, *rest, **how)

    monkeypatch.setattr(answer_file, "decode", counted)
    evidence = Evidence()
    evidence.ask(TASKS["partials"], lambda question: Answer(*answer(question, names)))
    for _ in range(3):
        assert judge().verdicts(["partials"], evidence)["partials"].points == 3
    assert len(decoded) == sum(len(answers) for answers in evidence.answers.values())


class _Endless(Evidence):
    """Evidence in which one task is never judged through."""

    def answers_to(self, check: Check) -> Answers:
        while check.task.name == "partials":
            try:
                while True:
                    pass
            except Exception:  # as hypotheses have it, which may not predict anything
                continue
        return super().answers_to(check)


class _Greedy(Evidence):
    """Evidence in which judging one task takes more memory than there is."""

    def answers_to(self, check: Check) -> Answers:
        if check.task.name == "partials":
            self.kept = [torch.empty(1 << 28, dtype=torch.uint8) for _ in range(64)]
        return super().answers_to(check)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A judge whose time is over soon."""
    monkeypatch.setattr(judge(), "seconds", 0.3)
    yield
    judge()


def _answered(evidence: Evidence) -> Evidence:
    names: dict[str, Any] = {}
    exec(RIGHT.replace("partials", "forward_values").replace("return dict", "u = x * w\n    return dict"), names)
    names["forward_values"] = lambda x, w, b: {"u": x * w, "v": x * w + b, "a": max(x * w + b, 0.0)}
    for task in ("forward_values", "partials", "path_sum"):
        evidence.ask(TASKS[task], lambda question: Answer(*answer(question, names)))
    return evidence


@pytest.mark.usefixtures("hurried")
def test_judging_that_does_not_end_costs_its_task_alone() -> None:
    before = judge()
    verdicts = judge().verdicts(["forward_values", "partials", "path_sum"], _answered(_Endless()))
    assert verdicts["partials"].points == 0
    assert verdicts["partials"].reason == judging_limits.OUT_OF_TIME
    assert verdicts["forward_values"].points == 2
    assert verdicts["path_sum"].results[0].kind == "missing"
    assert judge() is not before
    before._thread.join(10)
    assert not before._thread.is_alive()


def test_judging_that_takes_all_memory_costs_its_check_alone() -> None:
    verdicts = judge().verdicts(["forward_values", "partials"], _answered(_Greedy()), memory=1 << 30)
    assert verdicts["partials"].points == 0
    assert {result.kind for result in verdicts["partials"].results} == {"limit"}
    assert verdicts["partials"].reason == judging_limits.OUT_OF_MEMORY
    assert verdicts["forward_values"].points == 2
    import resource

    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY


def test_an_import_is_not_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_to_import.py").write_text(
        "import sys, time\nsys.modules['__main__'].importing.set()\nwhile not sys.modules['__main__'].told.is_set():\n"
        "    time.sleep(0.001)\nwhole = True\n"
    )
    main = sys.modules["__main__"]
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(main, "importing", threading.Event(), raising=False)
    monkeypatch.setattr(main, "told", threading.Event(), raising=False)
    watches: list[judging_limits.Stopwatch] = []
    ended: list[str] = []

    def work() -> None:
        watches.append(judging_limits.Stopwatch())
        try:
            importlib.import_module("slow_to_import")
            while True:
                time.sleep(0.001)
        except judging_limits.OverdueError:
            ended.append("interrupted")

    thread = threading.Thread(target=work)
    thread.start()
    main.importing.wait()
    watches[0].interrupt()
    main.told.set()
    while thread.is_alive():
        watches[0].interrupt()
        thread.join(0.01)
    assert ended == ["interrupted"]
    assert sys.modules.pop("slow_to_import").whole


PATTERNS = {one.raises for exercise in exercises() for task in tasks_of(exercise).values() for one in task.mistakes}
PATTERNS |= {one.raises for one in RAISED}


@pytest.mark.parametrize("pattern", sorted(PATTERNS - {""}))
def test_no_students_words_make_a_pattern_backtrack(pattern: str) -> None:
    """A thread that is inside `re` hears nothing, and 500 characters are enough for (a+)+."""
    from re import _parser

    found = list(nested(_parser.parse(pattern)))
    assert not any(found)
    assert len(found) <= 4


def test_the_search_for_repeats_finds_them() -> None:
    from re import _parser

    assert any(nested(_parser.parse(r"RuntimeError: (\w+ ?)+$")))
    assert list(nested(_parser.parse(r"a.*(b|c\d+)?"))) == [False, False]


def test_the_cards_are_counted_before_memory_is_limited() -> None:
    """By the first backward pass: a driver that cannot reserve addresses complains to the instructor."""
    import resource

    judging_limits._count_cards.cache_clear()
    before = resource.getrlimit(resource.RLIMIT_AS)
    seen = []
    with passes_run() as passes, mock.patch.object(resource, "setrlimit") as limit:
        limit.side_effect = lambda *_: seen.append(len(passes))
        for _ in range(2):
            with judging_limits.memory_limited(1 << 30):
                pass
    assert seen == [1, 1, 1, 1]
    assert resource.getrlimit(resource.RLIMIT_AS) == before
