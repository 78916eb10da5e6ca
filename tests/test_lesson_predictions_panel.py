"""The panel of a prediction, driven without a browser: what it takes, what it then says, and what stands without it."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import IPython.display
import pytest

from autograder import record
from autograder.grader.custody import NotebookRun
from autograder.lesson_predictions import asking, predict, session
from autograder.lesson_predictions.markup import question_as_html, reply_as_html
from autograder.lesson_predictions.panel import Panel
from autograder.lesson_predictions.review_panel import ReviewPanel
from autograder.lesson_predictions.standing import answered
from autograder.lesson_predictions.table import find
from autograder.sandbox.limits import Limits
from tests import lesson_course
from tests.depth import proof
from tests.lesson_course import keep, lesson, noted

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(autouse=True)
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The course, and a record of one's own."""
    monkeypatch.setenv(record.FOLDER, str(tmp_path / "kept"))
    monkeypatch.setenv("AUTOGRADER_COURSE", str(lesson_course.made(tmp_path / "course")))
    return tmp_path / "course"


def panel(which: str) -> Panel:
    return asking.panel_for(find(which))


def answer(shown: Panel, choice: str | None, sure: int) -> None:
    """Press the button of a choice, or write a number, then say how sure."""
    if shown.field is not None:
        shown.field.value = choice
    elif choice is not None:
        (pressed,) = (button for button in shown.choices if button.description[2:] == choice)
        pressed.click()
    shown.levels[sure - 1].click()


def test_a_choice_is_committed_once() -> None:
    shown = panel("half")
    assert [button.description[0] for button in shown.choices] == ["○"] * len(shown.choices)
    answer(shown, "3", 3)
    assert "✓ Right" in shown.result.value
    assert "half</code> divides by 2 &amp; returns a float." in shown.result.value
    said = shown.result.value
    answer(shown, "2", 1)
    assert shown.result.value == said
    assert [button.description for button in shown.choices if button.description.startswith("●")] == ["● 3"]
    assert [button.description[0] for button in shown.levels] == ["○", "○", "●"]
    assert [(one.answer, one.right, one.sure) for one in answered()] == [("`3`", True, 3)]


def test_a_wrong_choice_is_told_the_answer_in_words() -> None:
    shown = panel("half")
    answer(shown, "2", 1)
    assert "✗ Not right" in shown.result.value
    assert "The answer is <code" in shown.result.value


@pytest.mark.parametrize(
    ("which", "choice", "said"),
    [
        ("half", None, "Choose an answer, then say how sure you are."),
        ("third", "", "Write a number."),
        ("third", "<b>", "&#x27;&lt;b&gt;&#x27; is not a number"),
    ],
)
def test_what_is_not_complete_is_said_and_not_kept(which: str, choice: str | None, said: str) -> None:
    shown = panel(which)
    answer(shown, choice, 3)
    assert said in shown.result.value
    assert 'role="alert"' in shown.result.value
    assert shown.field is None or not shown.field.disabled
    assert answered() == []


def test_a_choice_can_be_changed_until_one_says_how_sure() -> None:
    shown = panel("half")
    shown.choices[0].click()
    assert 'role="status"' in shown.result.value
    answer(shown, "3", 2)
    assert [(one.answer, one.right) for one in answered()] == [("`3`", True)]


def test_a_number_is_committed() -> None:
    shown = panel("third")
    answer(shown, "1/3", 2)
    assert answered()[0].right


def test_a_review_goes_through_what_is_due_one_after_the_other() -> None:
    keep(noted("half", False), noted("third", False))
    shown = ReviewPanel([find("half"), find("third")])
    (place,) = shown.box.children[0].outputs
    markdown = place["data"]["text/markdown"]
    assert markdown.startswith("*1 of 2. From lesson 03_halving, “Halves”*")
    assert "```python\ndef half(x):" in markdown
    assert shown.following not in shown.box.children
    answer(shown.panel, "3", 3)
    assert "It will be asked again on" in shown.panel.result.value
    shown.following.click()
    (place,) = shown.box.children[0].outputs
    assert "2 of 2" in place["data"]["text/markdown"]
    answer(shown.panel, "5", 1)
    assert shown.following not in shown.box.children
    assert [(one.which, one.right, one.review) for one in answered()[2:]] == [
        ("half", True, True),
        ("third", False, True),
    ]


@pytest.fixture
def displays(monkeypatch: pytest.MonkeyPatch) -> list[dict]:
    """What is displayed in a notebook."""
    shown: list[dict] = []
    monkeypatch.setattr(session, "has_kernel", lambda: True)
    monkeypatch.setattr(IPython.display, "publish_display_data", shown.append)
    return shown


def test_a_notebook_gets_the_panel_and_what_stands_in_its_place(displays: list[dict]) -> None:
    predict("half")
    (bundle,) = displays
    assert set(bundle) == {WIDGET, "text/html", "text/plain"}
    assert bundle["text/plain"].startswith("Your prediction: What is `half(6)`?")
    assert "The answer" not in bundle["text/plain"]
    assert "<details>" in bundle["text/html"]


@pytest.mark.parametrize("variable", [asking.STATIC])
def test_a_page_without_a_kernel_gets_no_panel(
    variable: str, displays: list[dict], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "1")
    predict("half")
    assert WIDGET not in displays[0]


class Seen(HTMLParser):
    """The text of a page outside and inside of folded parts, and its tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open, self.text, self.folded, self.tags = [], "", "", set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "details" in self.open:
            self.folded += data
        else:
            self.text += data


def test_the_page_folds_the_answer_and_escapes_everything() -> None:
    seen = Seen(question_as_html(find("half")))
    assert "it raises <b>ValueError</b>" in seen.text
    assert "b" not in seen.tags
    assert "divides by 2" not in seen.text
    assert seen.folded == "The answer3. half divides by 2 & returns a float."
    assert 'predict("half", "a", sure=2)' in seen.text


def test_an_answer_reaches_html_escaped() -> None:
    shown = panel("half")
    answer(shown, "it raises <b>ValueError</b>", 2)
    assert shown.reply is not None
    assert "b" not in Seen(reply_as_html(shown.reply)).tags


@proof
def test_a_sandbox_can_import_it_and_asks_nothing() -> None:
    notebook = lesson()
    notebook.cells[0].update(cell_type="code", source="from autograder import predict, review", metadata={})
    custody = NotebookRun(notebook.cells, {}, b"0" * 16, Limits()).custody()
    said = "".join(output.get("text", "") for outputs in custody.outputs.values() for output in outputs)
    assert said.count("helps at your desk") == 2
    assert "Error" not in said
