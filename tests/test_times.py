"""Times are read in one place, where each text means one time or is refused in a sentence."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from nbgrader import utils
from nbgrader.api import Gradebook

from autograder.nbgrader_plugin import strict_times
from autograder.nbgrader_plugin.zip_collecting import Collector
from autograder.notebooks.submission_files import time_of
from autograder.times import NotATimeError, parse
from tests.course import db_url, new_course

HALF_PAST_ELEVEN = datetime(2026, 11, 10, 11, 30)
READ = (
    "2026-11-10 13:30:00 +0200",
    "2026-11-10 13:30:00+02:00",
    "2026-11-10T13:30+02",
    "2026-11-10T13:30 +0200",  # the formgrader's
    "2026-11-10 06:30:00 -05:00",
    "2026-11-10 11:30:00.000000 UTC",  # nbgrader's
    "2026-11-10T11:30:00Z",
    "2026-11-10 11:30:00 GMT\n",
    "2026-11-10 11:30",
    "2026-11-10-11-30-00",  # in the name of a file
)
REFUSED = (
    "10.11.2026 13:30",
    "10/11/2026 13:30",
    "11-10-2026 13:30",
    "2026-11-10",
    "2026-11-10 13:30:00 EST",
    "2026-11-10 13:30:00 Europe/Berlin",
    "2026-11-10 13:30:00 200",
    "2026-11-10 13:30:00 +2000",
    "2026-11-10 1:30 PM",
    "2026-11-31 13:30",
    "2026-11-10 24:30",
    "0026-11-10 13:30",
    "tomorrow",
    "٢٠٢٦-11-10 13:30",
    "",
)


@pytest.mark.parametrize("text", READ)
def test_a_time_that_is_certain_is_read_as_utc(text: str) -> None:
    assert parse(text) == HALF_PAST_ELEVEN


def test_what_python_writes_is_read() -> None:
    for time in (HALF_PAST_ELEVEN, datetime(2026, 11, 10, 11, 30, 5, 123456)):
        assert parse(str(time)) == parse(time.isoformat()) == parse(f"{time} UTC") == time


@pytest.mark.parametrize("text", REFUSED)
def test_any_other_is_refused_in_a_sentence_that_quotes_it(text: str) -> None:
    with pytest.raises(NotATimeError) as said:
        parse(text)
    assert str(said.value) == (
        f"'{text}' may mean several times or none: write 2026-11-10 13:30:00 +0200, the year first, with UTC or an "
        "offset"
    )


def test_a_long_text_is_quoted_in_part_and_acts_nowhere() -> None:
    with pytest.raises(NotATimeError, match=r"^'\\x1b\[2Jx{36}\.\.\.' may mean"):
        parse("\x1b[2J" + "x" * 1000)


def test_nbgrader_reads_them_so_wherever_it_does() -> None:
    assert utils.parse_utc is strict_times.parse_utc
    for name in ("nbgrader.coursedir", "nbgrader.apps.zipcollectapp", "nbgrader.exchange.default.collect"):
        __import__(name)
        assert sys.modules[name].parse_utc is strict_times.parse_utc, name
    assert utils.parse_utc(READ[0]) == utils.parse_utc(HALF_PAST_ELEVEN) == HALF_PAST_ELEVEN
    assert utils.parse_utc(None) is None


def test_the_file_of_a_submission_is_named_with_its_text(tmp_path: Path) -> None:
    (tmp_path / "timestamp.txt").write_text("10.11.2026 13:30")
    found = time_of(tmp_path, ())
    assert found.time is None
    assert found.why.startswith(
        "its timestamp.txt is no time ('10.11.2026 13:30' may mean several times or none: write"
    )


def test_a_file_from_a_windows_editor_is_read(tmp_path: Path) -> None:
    (tmp_path / "timestamp.txt").write_text("2026-11-10 11:30:00 UTC", encoding="utf-8-sig")
    assert time_of(tmp_path, ()).time == HALF_PAST_ELEVEN


def test_a_time_in_the_name_of_a_file_is_one_or_told(caplog: pytest.LogCaptureFixture) -> None:
    collector = Collector(named_regexp=r".*/(?P<student_id>[\w-]+)_(?P<timestamp>.*)_(?P<file_id>01)")
    assert collector.collect("x/student-01_2026-11-10-11-30-00_01.ipynb")["timestamp"] == "2026-11-10-11-30-00"
    assert "timestamp" not in collector.collect("x/student-02_10.11.2026_01.ipynb")
    assert "the name of x/student-02_10.11.2026_01.ipynb: '10.11.2026' may mean several times" in caplog.text


def test_a_due_date_on_the_command_line_is_refused_in_a_sentence(tmp_path: Path) -> None:
    course = new_course(tmp_path)
    command = ["nbgrader", "db", "assignment", "add", "01_scalar_graphs"]
    done = subprocess.run([*command, "--duedate=10.11.2026 13:30"], cwd=course, capture_output=True, text=True)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "\nnbgrader: '10.11.2026 13:30' may mean several times or none: write 2026-" in f"\n{done.stderr}"
    with Gradebook(db_url(course)) as gradebook:
        assert not gradebook.assignments
