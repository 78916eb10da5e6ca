"""The README's pictures: they exist, are small, and say in words what they show."""

from __future__ import annotations

import re

import pytest

from tests.submissions import COURSE

PICTURES = re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", (COURSE / "README.md").read_text())


def test_a_failing_and_a_passing_check_are_shown() -> None:
    shown = ("check_missed", "check_passed", "step_through", "own_question")
    assert [path for _, path in PICTURES] == [f"docs/pictures/{name}.png" for name in shown]


@pytest.mark.parametrize(("words", "path"), PICTURES, ids=lambda value: value[-16:])
def test_a_picture_is_small_and_told_in_words(words: str, path: str) -> None:
    assert len(words.split()) > 10
    assert (COURSE / path).stat().st_size < 80_000
