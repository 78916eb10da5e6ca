"""An instructor's own settings: in a file that git ignores, in force everywhere, told with their line when broken."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from unittest import mock

import pytest
from traitlets.config import Config, PyFileConfigLoader

from autograder.command_line import main
from autograder.nbgrader_plugin.settings import SettingsError, read_settings
from tests.course import new_course
from tests.submissions import COURSE

DOCUMENTED = """
c.AssignLatePenalties.plugin_class = "autograder.nbgrader_plugin.late_work.LateWork"
c.LateWork.lost_per_day = 0.1
c.Grade.variant = "autumn"
c.Canvas.columns = {"01_scalar_graphs": "Exercise 1"}
"""


def written(course: Path, text: str) -> Path:
    path = course / "gradebook" / "settings.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text("c = get_config()\n" + text)
    return path


def configured(course: Path, lines: str) -> Config:
    """The configuration of an own course with these lines before our two."""
    text = f"{lines}\nfrom autograder.nbgrader_plugin.configuration import configure\nconfigure(c)\n"
    (course / "nbgrader_config.py").write_text(f"c = get_config()\nc.CourseDirectory.root = {str(course)!r}\n{text}")
    with mock.patch.dict(os.environ):
        return PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()


def test_settings_lie_where_git_does_not_look() -> None:
    done = subprocess.run(["git", "check-ignore", "gradebook/settings.py"], cwd=COURSE, capture_output=True, text=True)
    assert done.stdout == "gradebook/settings.py\n"


def test_a_course_has_them(tmp_path: Path) -> None:
    course = new_course(tmp_path)
    written(course, DOCUMENTED + 'c.CourseDirectory.course_id = "another"\n')
    config = PyFileConfigLoader("nbgrader_config.py", path=str(course)).load_config()
    assert config.LateWork.lost_per_day == 0.1
    assert config.LateWork.extensions == str(course / "gradebook" / "extensions.csv")
    assert config.Grade.variant == "autumn"
    assert config.CourseDirectory.course_id == "another"
    assert config.CourseDirectory.source_directory == "solutions"


@pytest.mark.parametrize(
    ("lines", "seconds"),
    [
        ("c.Execute.timeout = 60", 60),
        ("c.ExecutePreprocessor.timeout = 300", 300),
        ("c.NotebookClient.timeout = 5; c.Execute.timeout = 60", 60),
        ("c.Execute.timeout = -1", 300),
        ("c.Execute.timeout = None; c.Grade.notebook_seconds = 900.0", 900),
        ("c.Execute.timeout = -1; c.Grade.cell_seconds = 7.0", 7),
    ],
)
def test_cells_have_the_time_that_nbgraders_own_step_gives_them(lines: str, seconds: float, tmp_path: Path) -> None:
    assert configured(tmp_path, lines).Grade.cell_seconds == seconds


def test_a_timeout_that_is_no_number_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        configured(tmp_path, 'c.Execute.timeout = "1m"')
    assert capsys.readouterr().err == "c.Execute.timeout = '1m' is not a number of seconds: correct it\n"


def test_the_tasks_of_another_course_judge_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "source"
    (source / "ps1" / "_tasks").mkdir(parents=True)
    monkeypatch.setenv("AUTOGRADER_COURSE", str(tmp_path / "another" / "source"))
    with pytest.raises(SystemExit, match="2"):
        configured(tmp_path, "")
    said = capsys.readouterr().err
    assert f"names the tasks in {tmp_path}/another/source, and this course has its own in {source}: run `unset" in said
    monkeypatch.setenv("AUTOGRADER_COURSE", f"{source}/../source")
    assert configured(tmp_path, "").CourseDirectory.root == str(tmp_path)


BROKEN = {
    "c.Grade.cell_seconds = = 3": "line 2: this is not Python (invalid syntax)",
    "x = 1\nc.Grade.cell_seconds = 1 / 0": "line 3: ZeroDivisionError: division by zero",
    "c.LateWork.lost_per_dya = 0.1": "line 2: LateWork has no setting 'lost_per_dya'; did you mean 'lost_per_day'?",
    "\nc.LateWrok.lost_per_day = 0.1": "line 3: there is no LateWrok; did you mean LateWork?",
    "c.Grade.cell_seconds = -1": "line 2: The value of the 'cell_seconds' trait of a Grade instance should not",
    "c.Grade.memory_mib = 0": "line 2: The value of the 'memory_mib' trait of a Grade instance should not",
    "c.LateWork.lost_per_day = 'much'": "line 2: The 'lost_per_day' trait of a LateWork instance expected a float",
    "c.LateWork.lost_per_day = 10.0": "line 2: The value of the 'lost_per_day' trait of a LateWork instance should not",
    "c.Moodle.identifier = 'name'": "line 2: The 'identifier' trait of a Moodle instance expected any of",
}


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_wrong_is_told_with_its_line(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SettingsError) as said:
        read_settings(path)
    assert str(said.value).startswith(f"{path}, {BROKEN[text]}")
    assert "\n" not in str(said.value)


def test_what_is_of_others_is_left_alone(tmp_path: Path) -> None:
    assert "FormgradeApp" in read_settings(written(tmp_path, "c.FormgradeApp.x = 1\nc.GradeBookLike.y = 2\n"))
    assert not read_settings(tmp_path / "none.py")


def test_a_command_ends_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    course = new_course(tmp_path)
    path = written(course, "c.LateWork.lost_per_dya = 0.1\n")
    monkeypatch.chdir(course)
    with pytest.raises(SystemExit, match="2"):
        main(["grade"])
    assert capsys.readouterr().err == f"{path}, {BROKEN['c.LateWork.lost_per_dya = 0.1']}\n"
