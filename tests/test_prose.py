"""The course's prose: its English, minutes, pictures, and predictions that are not given away.

Figures are compared where lessons are run, in tests/tasks/test_lessons.py.
"""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.prose import english, figures, given_away, sittings
from tests.prose.english import Rule
from tests.prose.lesson import LESSONS, answering

NUMBERS = sorted(path.name[:2] for path in LESSONS.glob("*.ipynb"))
MOST_ACCEPTED = 2
"""Findings that were accepted when the rules were made. Mend one, and lower this."""


def test_what_is_read_is_plain_english() -> None:
    found = {one.key: str(one) for one in english.findings(english.files())}
    accepted = english.accepted()
    assert [said for key, said in found.items() if key not in accepted] == []
    assert [key for key in accepted if key not in found] == [], "mended: take it out of tests/prose/accepted.toml"
    assert len(accepted) <= MOST_ACCEPTED, "the list may only shrink"


@pytest.mark.parametrize("rule", english.rules(), ids=lambda rule: rule.name)
def test_a_rule_finds_its_example_and_no_more(rule: Rule) -> None:
    assert rule.pattern.search(rule.finds)
    assert not rule.pattern.search(rule.leaves)


@pytest.mark.parametrize(
    "source",
    [
        'print("the layers shall learn it soon")',
        'print(f"the {1 + 1} layers shall learn it")',
        "x = 1  # the layers shall learn",
    ],
)
def test_sentences_in_programs_are_read(source: str) -> None:
    (text,) = english.in_a_program(source, comments=True)
    assert any(rule.pattern.search(text) for rule in english.rules())


def test_names_docstrings_and_code_are_not_read() -> None:
    assert [*english.in_a_program('"""The layers shall learn it soon."""\nx = "shall learn"')] == []
    assert "shall" not in "".join(english.paragraphs("```\nshall\n```\n\nThe rest."))


@pytest.mark.parametrize("number", NUMBERS)
def test_minutes_and_pictures_are_as_stated(number: str) -> None:
    assert [*sittings.findings(number)] == []


@pytest.mark.parametrize("number", NUMBERS)
def test_no_prediction_is_given_away(number: str) -> None:
    assert [*given_away.findings(number)] == []


@pytest.mark.parametrize(
    "source",
    [
        "x = 17\nassert run() == x",
        "figure(fig, alt='a curve that falls')",
        "print('once, with 17')",
        "run()  # once, with 17",
        "values = {'z': 17}",
    ],
)
def test_an_answer_in_the_source_is_found(source: str) -> None:
    assert [*given_away._in_a_cell("sum", "cell", source, {"17"}, "once, with 17")]


def test_what_shows_an_answer_is_all_code_up_to_the_next_text() -> None:
    cells = [
        new_code_cell('predict("a")'),
        new_code_cell("1"),
        new_code_cell("2"),
        new_markdown_cell(""),
        new_code_cell("3"),
    ]
    ((name, showing),) = answering(cells)
    assert (name, [cell.source for cell in showing]) == ("a", ["1", "2"])


@pytest.mark.parametrize(
    ("stated", "value", "agree"),
    [
        ("97.6%", 0.97632, True),
        ("97.6%", 0.96, False),
        ("1,797", 1797.0, True),
        ("0.25", 0.2549, True),
        ("0.25", 0.256, False),
        ("12", 12.4, True),
        ("12", 12.6, False),
        ("1e-7", 2.3e-07, True),
        ("1e-7", 2.3e-05, False),
    ],
)
def test_a_figure_agrees_to_the_precision_that_it_states(stated: str, value: float, agree: bool) -> None:
    assert figures.agrees(stated, value) is agree


@pytest.mark.parametrize(("text", "found"), [("It prints 0.75.", []), ("It prints 0.85.", ["0.85"])])
def test_a_figure_that_no_cell_of_its_section_prints_is_found(text: str, found: list[str]) -> None:
    printing = new_code_cell("print(3 / 4)", outputs=[new_output("stream", name="stdout", text="0.75\n")])
    cells = [new_markdown_cell("# A"), new_markdown_cell("## B"), printing, new_markdown_cell(text)]
    said = [*figures.findings("00", new_notebook(cells=cells))]
    assert [one.split()[0] for one in said] == found


def test_minutes_are_those_of_the_formula() -> None:
    cells = [
        new_markdown_cell(" ".join(["word"] * 440)),
        new_code_cell("a = 1\n\nb = 2"),
        new_code_cell('predict("a")'),
    ]
    assert sittings.minutes(cells) == pytest.approx(2 + 2 * 4 / 60 + 0.75)
