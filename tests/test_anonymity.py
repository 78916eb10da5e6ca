"""Anonymous grading: the formgrader's page for a submission holds no name, in no link either."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader.formgrader import FormgradeExtension
from traitlets.config import Config

from autograder.nbgrader_plugin.anonymity import hide_names, is_anonymous
from tests.course import new_course
from tests.submissions import released

RESOURCES = {
    "assignment_id": "01_scalar_graphs",
    "notebook_id": "01_scalar_graphs",
    "submission_id": "abc",
    "index": 2,
    "total": 9,
    "base_url": "",
    "student": "student-01",
    "last_name": "Doe",
    "first_name": "Ann",
    "notebook_path": "gradebook/autograded/student-01/01_scalar_graphs/01_scalar_graphs.ipynb",
}
NAMES = ("student-01", "Doe", "Ann<", "Ann ")


def page(config: Config) -> str:
    """The page on which the formgrader shows a submission, made as it makes it."""
    html, _ = HTMLExporter(config=config).from_notebook_node(
        nbformat.from_dict(released("01_scalar_graphs")), resources={**RESOURCES}
    )
    return html


def formgrader(course: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    """The formgrader's configuration in a course."""
    monkeypatch.chdir(course)
    app = FormgradeExtension()
    app.initialize([], root=str(course))
    return app.config


def test_the_formgraders_page_holds_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    course = new_course(tmp_path)
    before = formgrader(course, monkeypatch)
    assert not is_anonymous(before)
    assert any(name in page(before) for name in NAMES)
    (course / "gradebook").mkdir(exist_ok=True)
    (course / "gradebook" / "settings.py").write_text("c = get_config()\nc.Grade.anonymous = True\n")
    config = formgrader(course, monkeypatch)
    assert is_anonymous(config)
    html = page(config)
    assert not [name for name in NAMES if name in html]
    assert html.count("Submission #3") == 2
    assert ".live-notebook .glyphicon { display: none }" in html
    assert html.count('class="score tabbable"') == page(before).count('class="score tabbable"') > 0


def test_pages_of_feedback_stay_as_they_are() -> None:
    """They take their template from the same folders."""
    theirs = Config()
    hide_names(theirs)
    basedirs = theirs.HTMLExporter.extra_template_basedirs
    assert [sorted(path.name for path in Path(basedirs[0]).iterdir())] == [["formgrade"]]
    assert (Path(basedirs[1]) / "feedback" / "index.html.j2").is_file()
