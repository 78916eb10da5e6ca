"""What `step_through` shows: text, a picture with a table, a slider, and nothing where a notebook is graded."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest

from autograder.pictures import Picture, draw
from autograder.stepping import step_through
from autograder.stepping.frames import MOST, shown_steps
from autograder.stepping.show import WIDGET
from tests.stepping_engines import Node, Overwrites, graph, stepped


def test_the_text_is_a_table_that_ends_at_the_first_difference() -> None:
    assert stepped(Overwrites).text() == (
        "Step 5 of 7: `u` received 6, the right sweep gives it 16: what came over the path through `v`\n"
        "replaced what had come over the path through `y`, and should have been added to it.\n"
        "step  node  yours  right\n"
        "   1  y         1      1\n"
        "   2  t         6      6\n"
        "   3  b         6      6\n"
        "   4  v         6      6\n"
        "   5  u         6     16  ✗"
    )


def test_names_are_the_callers_variables() -> None:
    first = Node(2.0)
    second = first * first
    shown = step_through(second)
    assert [shown.sweep.places[step.node].label for step in shown.sweep.steps] == ["second", "first"]


def test_nodes_without_names_are_called_by_what_they_compute() -> None:
    a, b = Node(2.0), Node(5.0)
    shown = step_through((a * b).relu() + a * b, names={"a": a, "b": b})
    labels = [place.label for place in shown.sweep.places]
    assert len(set(labels)) == len(labels)
    assert {"a * b #1", "a * b #2", "ReLU", "+"} <= set(labels)


def test_html_shows_the_first_difference_and_all_steps_folded() -> None:
    page = stepped(Overwrites).html()
    assert page.count("<svg ") == 1
    assert 'aria-label="Step ' in page
    assert "<summary>All steps as a table</summary>" in page
    assert page.count("<tr>") == 1 + 7
    assert "✗ differs" in page


def test_nothing_of_a_students_text_is_markup() -> None:
    class Labelled(Node):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            self.label = "<script>alert(1)</script>"

    shown = step_through(Labelled(2.0) * Labelled(3.0), names={"<b>": 1})
    for text in (shown.html(), *[one.value for one in _htmls(shown.widget())]):
        assert "<script" not in text
        assert "<b>" not in text


def _htmls(widget: Any) -> list[Any]:
    return [one for one in widget.children if type(one).__name__ == "HTML"]


def test_the_slider_opens_at_the_first_difference_and_steps_both_ways() -> None:
    shown = stepped(Overwrites)
    box = shown.widget()
    (at, back, forward), sentence = box.children[1].children, box.children[2]
    first = shown.sweep.first + 1
    assert (at.value, at.min, at.max) == (first, 1, 7)
    assert 'aria-live="polite"' in sentence.value
    assert f"Step {first} of 7" in sentence.value
    back.click()
    assert f"Step {first - 1} of 7" in sentence.value
    assert "as in the right sweep" in sentence.value
    at.value = 1
    assert back.disabled
    back.click()
    assert at.value == 1
    for _ in range(9):
        forward.click()
    assert (at.value, forward.disabled) == (7, True)


def test_pictures_are_drawn_when_they_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    monkeypatch.setattr("autograder.stepping.show.picture", lambda sweep, at: drawn.append(at) or picture(sweep, at))
    from autograder.stepping.frames import picture

    shown = stepped(Overwrites)
    assert drawn == []
    shown.widget()
    assert drawn == [shown.sweep.first]


def test_a_frame_shows_the_numbers_so_far_and_where_it_is() -> None:
    shown = stepped(Overwrites)
    before, at = shown.frame(0).alt, shown.frame(shown.sweep.first).alt
    assert re.search(r"- y \(output\): .*grad 1, this step", before)
    assert "- u (intermediate): *, value 6\n" in before
    assert "✗ u: got 6, expected 16" in at
    assert "this step" in re.search(r"- u .*", at)[0]


def test_a_large_graph_shows_the_steps_around_the_first_difference() -> None:
    x = Node(1.0)
    y = x
    for _ in range(60):
        y = y + Node(1.0)
    z = y * y
    z._backward = lambda: y.add_to(3.0 * z.grad)
    for _ in range(60):
        z = z + Node(1.0)
    shown = step_through(z)
    steps = shown_steps(shown.sweep)
    assert len(steps) == MOST
    assert shown.sweep.first in steps
    assert f"{len(shown.sweep.steps) - MOST} of {len(shown.sweep.steps)} steps are hidden" in shown.text()
    assert "around the first that differs" in shown.html()
    assert shown.frame(shown.sweep.first).wrong
    assert shown.widget().children[1].children[0].min == steps[0] + 1


def test_without_a_person_before_the_kernel_there_is_no_slider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert set(stepped(Node)._repr_mimebundle_()) == {"text/plain", "text/html"}
    monkeypatch.setenv("JPY_SESSION_NAME", "/home/student-01/work/lesson.ipynb")
    assert set(stepped(Node)._repr_mimebundle_()) == {"text/plain", "text/html", WIDGET}


@pytest.mark.parametrize("where", ["AUTOGRADER_SANDBOX", "NBGRADER_EXECUTION"])
def test_where_a_notebook_is_graded_a_line_is_printed_and_nothing_run(
    where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(where, "1")
    names = graph(Node)
    names["y"].backward = lambda: pytest.fail("was run")
    assert step_through(names["y"]) is None
    assert capsys.readouterr().out.count("\n") == 1


def test_an_engine_needs_no_torch_and_import_stays_light() -> None:
    code = (
        "import sys, autograder\n"
        "assert 'autograder.stepping' not in sys.modules\n"
        "from autograder import step_through\n"
        "class V:\n"
        "    def __init__(self, data, parents=()): self.data, self.grad, self.parents = data, 0.0, parents\n"
        "    def backward(self): self.grad = 1.0\n"
        "print(step_through(V(2.0)))\n"
        "assert not {'torch', 'ipywidgets', 'pytest'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "The only step agrees" in done.stdout
    assert done.stderr == ""


def test_a_picture_of_wrong_gradients_holds_the_sweep_to_the_first_of_them() -> None:
    names = graph(Node)
    names["y"].backward()
    wrong = {"u": (6, 16), "x": (6, 38)}
    drawn = draw(names["y"], names=names, wrong=wrong, backwards=True)
    rows = [(row.label, row.yours, row.right) for row in drawn.sweep]
    assert rows[0] == ("y", "", "1")
    assert rows[-1] == ("u", "6", "16")
    assert {label for label, *_ in rows} == {"y", "t", "v", "u"} | ({"b"} & {label for label, *_ in rows})
    assert Picture("", drawn.alt).sweep == drawn.sweep
    assert draw(names["y"], names=names, wrong=wrong, backwards=False).sweep == []
    assert draw(names["y"], names=names, backwards=True).sweep == []
