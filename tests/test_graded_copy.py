"""nbgrader's configured steps, as a worker takes them."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from traitlets.config import Config

from autograder.classroom.errors import CourseError
from autograder.classroom.graded_copy import GRADE, graded_copy, steps_of

LIMITED = Config(
    {
        "Autograde": {"autograde_preprocessors": [GRADE, "nbgrader.preprocessors.LimitOutput"]},
        "LimitOutput": {"max_lines": 2, "max_traceback": 7},
        "GenerateFeedback": {"force": True},
    }
)


def test_a_worker_gets_the_settings_of_the_steps_alone() -> None:
    found = steps_of(LIMITED)
    assert found["steps"][-1] == "nbgrader.preprocessors.LimitOutput"
    assert found["settings"] == {"LimitOutput": {"max_lines": 2, "max_traceback": 7}}


def test_a_step_has_its_settings_where_it_is_taken() -> None:
    printed = new_output("stream", name="stdout", text="1\n2\n3\n4\n")
    notebook = new_notebook(cells=[new_code_cell("", outputs=[printed])])
    raw, _ = graded_copy(notebook, steps_of(LIMITED), {})
    assert b"3\\n" not in raw


@pytest.mark.parametrize("value", [["a", 1], {"a": 0.5}, None, "text"])
def test_a_setting_may_be_any_data(value: object) -> None:
    config = Config({"LimitOutput": {"enabled_for": value}})
    config.Autograde.autograde_preprocessors = [GRADE, "nbgrader.preprocessors.LimitOutput"]
    assert steps_of(config)["settings"]["LimitOutput"] == {"enabled_for": value}


def test_a_setting_that_cannot_travel_is_refused() -> None:
    config = Config({"LimitOutput": {"max_lines": object()}})
    config.Autograde.autograde_preprocessors = [GRADE, "nbgrader.preprocessors.LimitOutput"]
    with pytest.raises(CourseError, match=r"c\.LimitOutput\.max_lines cannot be sent to workers"):
        steps_of(config)
