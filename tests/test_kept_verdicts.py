"""What is compared before and after a move: nothing that differs stays unsaid."""

from __future__ import annotations

import pytest

from tests.kept_verdicts import differences

BEFORE = {"f: solved": {"points": 2.0, "reason": ""}, "a.ipynb": "12"}


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (BEFORE, []),
        (BEFORE | {"f: solved": {"points": 1.0, "reason": ""}}, ["f: solved: points was 2.0, is 1.0"]),
        (BEFORE | {"f: solved": {"points": 2.0}}, ["f: solved: reason was '', is None"]),
        (BEFORE | {"a.ipynb": "13"}, ["a.ipynb: other bytes"]),
        ({"a.ipynb": "12"}, ["f: solved: is gone"]),
        (BEFORE | {"g: solved": {}}, ["g: solved: is new"]),
    ],
)
def test_what_differs_is_said(now: dict, said: list[str]) -> None:
    assert list(differences(BEFORE, now)) == said
