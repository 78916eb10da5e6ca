"""A card's "Read again" leads to the section, where the lesson's notebook lies nearby."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest

from autograder.executions import Provenance
from autograder.grader.live import judge_namespace
from autograder.tasks.lesson_sections import linked
from autograder.verdicts.card import verdict_as_html
from tests.submissions import COURSE

WRONG = "def partials(x, w, b):\n    return dict.fromkeys('xwbuv', 7.0)\n"


def card(run: Provenance | None) -> str:
    names: dict = {}
    exec(WRONG, names)
    return verdict_as_html(*judge_namespace("partials", names), run)


def test_in_an_exercise_the_link_leads_to_the_lessons_section(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(COURSE / "exercises" / "01_scalar_graphs")
    (where,) = re.findall(r'<a href="([^"]*)"', card(Provenance(3)))
    path, _, cell = unquote(where).partition("#cell-id=")
    (found,) = [one for one in nbformat.read(path, as_version=4).cells if one.id == cell]
    assert "## Products along paths" in found.source.splitlines()


def test_a_graded_page_which_knows_no_lesson_has_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(COURSE / "exercises" / "01_scalar_graphs")
    assert "Read again: lesson 01" in card(None)
    assert "<a " not in card(None)


def test_far_from_any_lesson_there_is_no_link(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert "<a " not in card(Provenance(3))


def test_a_heading_in_code_and_signs_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "lessons").mkdir()
    cell = {"id": "x<1", "source": "#### x < y, 5% of it\n\ntext"}
    (tmp_path / "lessons" / "07_a b.ipynb").write_text(json.dumps({"cells": [cell]}))
    monkeypatch.chdir(tmp_path)
    html = linked("See lesson 07, “x &lt; y, 5% of it”.")
    assert 'href="lessons/07_a%20b.ipynb#cell-id=x%3C1"' in html


@pytest.mark.parametrize("content", ["{}", "[", '{"cells": [1]}', '{"cells": [{"source": "## Title"}]}'])
def test_a_lesson_that_cannot_be_read_is_linked_as_a_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str
) -> None:
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "07_a.ipynb").write_text(content)
    monkeypatch.chdir(tmp_path)
    assert 'href="lessons/07_a.ipynb"' in linked("lesson 07, “Title”")
