"""`about("task")`: questions from a student's own program, whose right answers are found again by other means."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from autograder import about, record
from autograder.checks.catalogue import exercises, find_task, tasks_of
from autograder.choices.showing import WIDGET
from autograder.own_answers import asking
from autograder.own_answers.backward_nodes import NodeLog
from autograder.own_answers.calls import Outcome, effect
from autograder.own_answers.draft import FEWEST_CHOICES
from autograder.own_answers.tracing import Visit
from autograder.own_answers.used_names import what_is_used
from autograder.surroundings import GRADING
from tests.depth import exhaustive, proof
from tests.kernel_cells import Kernel
from tests.own_programs import asked, complaint, namespace_of

TRIVIAL = {"predict_second_call", "predict_switches", "predict_hooks", "predict_twins", "predict_flow"}
"""Their answer is a table of predictions, written down."""
RETAINED = find_task("retained").solution


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of this test's own, and no questions from another."""
    monkeypatch.setenv(record.FOLDER, str(tmp_path))
    monkeypatch.setattr(asking, "_asked", {})


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A notebook with an answer to one task."""
    names = namespace_of(find_task("retained"), RETAINED)
    monkeypatch.setattr(asking, "_namespace", lambda: names)
    return names


def survey(exercise: str, source_of: Any) -> list[str]:
    """What is wrong with the questions about the programs that an exercise has for each task."""
    problems = []
    for name, task in tasks_of(exercise).items():
        for source in source_of(task):
            program, drafts = asked(task, source)
            if name not in TRIVIAL and len(drafts) < 3 and not program.is_late:
                problems.append(f"{name}: {len(drafts)} questions")
            problems += [f"{name}: {said}" for draft in drafts if (said := complaint(program, draft))]
    return problems


@pytest.mark.parametrize("task", ["grad_or_zero", "stop_gradient", "Cube"])
def test_right_answers_are_found_again_by_other_means(task: str) -> None:
    program, drafts = asked(find_task(task), find_task(task).solution)
    assert len(drafts) == 3
    assert [complaint(program, draft) for draft in drafts] == [""] * 3
    assert all(FEWEST_CHOICES <= len({*draft.choices}) == len(draft.choices) for draft in drafts)


@proof
@pytest.mark.parametrize("exercise", exercises())
def test_each_solution_has_three_questions_and_they_are_right(exercise: str) -> None:
    assert survey(exercise, lambda task: [task.solution]) == []


@exhaustive
@pytest.mark.parametrize("exercise", exercises())
def test_questions_about_right_answers_that_are_written_otherwise(exercise: str) -> None:
    found = survey(exercise, lambda task: [one.source for one in task.answers.answers if one.kind == "right"])
    assert [one for one in found if not one.endswith(" questions")] == []


def test_three_kinds_of_questions_come_first() -> None:
    _, drafts = asked(find_task("retained"), RETAINED)
    kinds = {"value": "a", "cut": "b", "result": "b", "node": "c", "next": "c", "count": "c"}
    assert [kinds[draft.form] for draft in drafts] == ["a", "b", "c"]


def test_the_same_program_has_the_same_questions() -> None:
    first, second = (asked(find_task("retained"), RETAINED)[1] for _ in range(2))
    assert [draft.titled("") for draft in first] == [draft.titled("") for draft in second]


COUNTED = "calls = []\ncache = {}\n" + RETAINED.replace(
    "    u = x * w", "    calls.append(x)\n    global last\n    last = x\n    u = x * w"
)


def test_nothing_is_left_behind() -> None:
    task = find_task("retained")
    names = namespace_of(task, COUNTED)
    before, code, tracing = dict(names), names["retained"].__code__, sys.gettrace()
    drafts = asking.questions(asking.OwnProgram.of(task, names))
    assert len(drafts) == 3
    assert list(names) == list(before)
    assert all(names[name] is value for name, value in before.items())
    assert names["calls"] == []
    assert names["retained"].__code__ is code
    assert sys.gettrace() is tracing


def test_what_a_class_counts_is_put_back() -> None:
    task = find_task("Cube")
    counting = task.solution.replace("(torch.autograd.Function):", "(torch.autograd.Function):\n    runs = 0")
    counting = counting.replace("### BEGIN SOLUTION", "Cube.runs += 1", 1)
    names = namespace_of(task, counting)
    asking.questions(asking.OwnProgram.of(task, names))
    assert names["Cube"].runs == 0


def test_no_hook_stays_on_the_nodes_of_a_graph() -> None:
    x = torch.tensor(3.0, requires_grad=True)
    y = (x * x).relu()
    log, visit = NodeLog(), Visit("own", 1, 0, {})
    with log.noting():
        log.at_line(visit, sys._getframe())
        y.backward(retain_graph=True)
        ran = [*log.passes[0].nodes]
        assert ran == ["ReluBackward0", "MulBackward0", "AccumulateGrad of x"]
    y.backward()
    assert [one.nodes for one in log.passes] == [ran]


def test_a_call_that_leaves_something_else_is_no_wrong_choice() -> None:
    same, other = Outcome({"d": 1.0}, left={"saved": [1.0]}), Outcome({"d": 1.0}, left={"saved": []})
    assert effect(same, same) == "same"
    assert effect(same, other) == "unclear"
    assert effect(same, Outcome({"d": 2.0}, left=same.left)) == "different"
    assert effect(same, Outcome({"d": 1.0 + 1e-5}, left=same.left)) == "unclear"
    assert effect(same, Outcome({}, "RuntimeError")) == "different"


ENDLESS = """
def path_sum(edges, start, end):
    waiting = [(start, 1.0)]
    total = 0.0
    while waiting:
        node, product = waiting.pop()
        if node == end:
            total += product
            continue
        for source, target, local in edges:
            if source == node:
                waiting.append((target, product * local))
    return total
"""


@proof
def test_a_cut_that_never_ends_makes_no_question() -> None:
    program, drafts = asked(find_task("path_sum"), ENDLESS)
    assert drafts
    assert "line 6" not in [draft.prompt for draft in drafts]  # without the pop the loop has no end
    assert [complaint(program, draft) for draft in drafts] == [""] * len(drafts)


def test_answers_as_text_are_judged_and_recorded(notebook: dict[str, Any], capsys: pytest.CaptureFixture) -> None:
    about("retained")
    text = capsys.readouterr().out
    assert "Question 3 of 3 about your `retained`" in text
    assert "-->" in text
    _, drafts = asking._asked["retained"]
    for draft in drafts:
        number = drafts.index(draft) + 1
        about("retained", number, "abcd"[draft.right])
        assert capsys.readouterr().out.startswith("Right. ")
        about("retained", number, "abcd"[draft.right - 1] if draft.right else "b")
        assert "right is" in capsys.readouterr().out
    noted = list(record.events("question"))
    assert [one["right"] for one in noted] == [True, False] * 3
    assert {one["task"] for one in noted} == {"retained"}
    assert [one["form"] for one in noted][::2] == [draft.form for draft in drafts]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("retained", 4), "There are questions 1 to 3"),
        (("retained", 1, "z"), "one of the letters a, b, c"),
        (("retaind",), "did you mean 'retained'?"),
        (("path_sum",), "The notebook defines no `path_sum`: run the cell that defines it first."),
    ],
)
def test_what_cannot_be_asked_is_said(
    notebook: dict[str, Any], capsys: pytest.CaptureFixture, given: tuple[Any, ...], said: str
) -> None:
    about(*given)
    assert said in capsys.readouterr().err
    assert list(record.events("question")) == []


def test_a_program_of_one_table_leaves_nothing_to_ask(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    task = find_task("predict_flow")
    monkeypatch.setattr(asking, "_namespace", lambda: namespace_of(task, task.solution))
    about("predict_flow")
    assert capsys.readouterr().out.startswith("Your `predict_flow` leaves nothing to ask")


@pytest.mark.parametrize(
    ("change", "is_noticed"),
    [
        ("def helper(v):\n    return deeper(v) + 2", True),
        ("def deeper(v):\n    return 3 * v * factor", True),
        ("factor = 5.0", True),
        ("class Value:\n    def double(self):\n        return 3", True),
        ("factor = 4.0", False),
        ("def helper(v):\n    return deeper(v) + 1", False),
    ],
)
def test_whether_what_an_answer_uses_has_changed(change: str, is_noticed: bool) -> None:
    names: dict[str, Any] = {}
    exec("class Value:\n    def double(self):\n        return 2", names)
    exec("def deeper(v):\n    return v * factor\nfactor = 4.0", names)
    exec("def helper(v):\n    return deeper(v) + 1", names)
    exec("def answer(v):\n    return [helper(v) + Value().double() for _ in range(2)]", names)
    before = what_is_used([names["answer"]], names)
    exec(change, names)
    assert (what_is_used([names["answer"]], names) != before) is is_noticed


class Touchy:
    """An object that must not be looked at."""

    def __repr__(self) -> str:
        raise AssertionError

    def __eq__(self, other: object) -> bool:
        raise AssertionError

    __hash__ = object.__hash__


@pytest.mark.parametrize("make", [lambda: [1], lambda: (Touchy(),), Touchy, lambda: torch.ones(2)])
def test_an_object_is_told_from_another_in_its_place(make: Any) -> None:
    names: dict[str, Any] = {"thing": make()}
    exec("def answer(v):\n    return thing", names)
    before = what_is_used([names["answer"]], names)
    assert what_is_used([names["answer"]], names) == before
    names["thing"] = make()
    assert what_is_used([names["answer"]], names) != before


def test_code_without_a_source_is_not_asked_about(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    names: dict[str, Any] = {}
    exec("def retained(x, w, b): return {}", names)
    monkeypatch.setattr(asking, "_namespace", lambda: names)
    about("retained")
    assert "run its cell again" in capsys.readouterr().err


@pytest.mark.parametrize("variable", GRADING)
def test_where_a_notebook_is_graded_nothing_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, variable: str
) -> None:
    monkeypatch.setenv(variable, "autograde")
    monkeypatch.setattr(asking, "find_task", lambda name: pytest.fail("a task was looked for"))
    about("retained", 1, "a")
    assert len(capsys.readouterr().out.splitlines()) == 1


CLICKED = """
import ipywidgets
from ipywidgets.widgets.widget import _instances
buttons = [one for one in _instances.values() if isinstance(one, ipywidgets.Button)]
right = asking._asked["retained"][1][1].right
buttons[right].click()
assert all(one.disabled for one in buttons)
for one in buttons:
    one.click()
"""


@proof
def test_a_widget_in_a_kernel_answers_and_records(tmp_path: Path) -> None:
    with Kernel(tmp_path, **{record.FOLDER: str(tmp_path)}) as kernel:
        kernel.run("from autograder import about\nfrom autograder.own_answers import asking")
        kernel.run(RETAINED)
        shown = [one["data"] for one in kernel.run('about("retained", 2)') if WIDGET in one.get("data", {})]
        assert len(shown) == 1
        assert "Question 2 of 3" in shown[0]["text/plain"]
        kernel.run(CLICKED)
    (noted,) = (tmp_path / record.FILE).read_text().splitlines()
    assert '"right": true' in noted
