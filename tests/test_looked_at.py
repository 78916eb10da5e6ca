"""What is said of an expression that was looked at is a sentence, and no test's report."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from autograder.checks.looked_at import what_differs
from autograder.comparison import differences


def said(expression: str, right: Any, seen: Any, says: dict[str, str] | None = None) -> str:
    expected, got = {expression: right}, {expression: seen}
    return what_differs(differences(got, expected)[0], (expression,), expected, got, says or {})


def test_a_clause_without_the_right_count_is_not_said_of_a_count() -> None:
    clause = {"result": "the call ended with {got}"}
    assert said("result", "ValueError", "nothing", clause) == "the call ended with nothing"
    for count in (5, 5.0):
        assert said("result", count, 3, clause) == "`result` is 3, expected 5"


@pytest.mark.parametrize(
    ("expression", "right", "seen", "sentence"),
    [
        ("x.grad", 2.0, 3.5, "`x.grad` is 3.5, expected 2"),
        ("x.grad", 2.0, float("nan"), "`x.grad` is nan, expected 2"),
        ("x.grad", 2.0, float("inf"), "`x.grad` is inf, expected 2"),
        ("len(passes)", 1, 5, "the number of backward passes is 5, expected 1"),
        ("runs.total()", 3, 11, "the number of backward nodes that ran is 11, expected 3"),
        ("len(f.calls)", 1, 2, "the number of calls of `f` is 2, expected 1"),
        ("counters.hooks_on(w, b)", 0.0, 2, "the number of hooks left on `w, b` is 2, expected 0"),
        ("run.counts['mm']", 0, 1, "the number of runs of the operation `mm` is 1, expected 0"),
        ("len(passes) == 0", True, False, "a backward pass has run, expected none"),
        ("len(passes) <= 4", True, False, "more than 4 backward passes have run"),
        ("len(model.last.calls) > 0", True, False, "`model.last` has never been called"),
        ("run.products > 1", False, True, "more than one product has been computed"),
        ("run.largest < 1600", True, False, "a tensor with 1600 elements or more has been made"),
        ("result.requires_grad", False, True, "`result` requires a gradient, and should not"),
        ("result.requires_grad", True, False, "`result` requires no gradient, and should"),
        ("w.is_leaf", True, False, "`w` is not a leaf, and should be one"),
        ("a is b", True, False, "`a is b` does not hold, and should"),
        ("a is b", False, True, "`a is b` holds, and should not"),
        ("result[1:]", [0.0, 0.0, 2.0], [0.0, 0.0, 3.5], "`result[3]` is 3.5, expected 2"),
        (
            "result[:, [0, 2, 3]]",
            torch.eye(3),
            torch.ones(3, 3),
            "`result[0, 2]` is 1, expected 0, and 5 more entries differ",
        ),
        ("result[-2:]", [0.0, 2.0], [0.0, 3.5], "`result[-2:][1]` is 3.5, expected 2"),
        (
            "result[[0, 2], [0, 1]]",
            torch.zeros(2),
            torch.ones(2),
            "`result[[0, 2], [0, 1]][0]` is 1, expected 0, and 1 more entry differs",
        ),
        ("raised", "ValueError", "nothing", "`raised` is 'nothing', expected 'ValueError'"),
        ("result", True, False, "`result` is False, expected True"),
    ],
)
def test_a_clause_says_what_was_seen(expression: str, right: Any, seen: Any, sentence: str) -> None:
    assert said(expression, right, seen) == sentence


def test_a_task_says_it_in_its_own_words_where_two_of_a_kind_differ() -> None:
    says = {"raised": "the call has raised {got}, not {expected}", "list(during)": "a gradient was still there"}
    assert said("raised", "ValueError", "nothing", says) == "the call has raised nothing, not ValueError"
    assert said("list(during)", [True, True], [True, False], says) == "a gradient was still there"
    assert said("x - 5.0 < 1", True, False, {"x - * < 1": "it moved too far"}) == "it moved too far"
    assert said("raised", "ValueError", None, says) == "`raised` is None, expected the text 'ValueError'"
    assert said("list(during)", [True, True], [True], says) == "`list(during)` has 1 entry, expected 2"
