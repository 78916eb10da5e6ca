"""`make term` with a small class: every step of a term ends with the scores that were written down beforehand."""

from __future__ import annotations

import pytest

from tests.browser import needs_chromium
from tests.depth import exhaustive
from tests.term.__main__ import STEPS, main

pytestmark = [needs_chromium, exhaustive]


def test_a_term_of_a_small_class_ends_with_every_score_as_expected(capsys: pytest.CaptureFixture[str]) -> None:
    main(students=12)
    assert len(capsys.readouterr().out.splitlines()) == len(STEPS)
