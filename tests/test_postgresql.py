"""PostgreSQL as the gradebook's database: what a file would hold, whatever becomes of the server."""

from __future__ import annotations

import contextlib
import csv
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.engine.default import DefaultDialect

from autograder.classroom import database
from autograder.classroom.assignment_rows import AssignmentRows
from autograder.classroom.course import Course
from autograder.classroom.handing_out import AHEAD
from autograder.classroom.recording import recorder
from autograder.classroom.run import ClassRun
from autograder.classroom.run_options import RunOptions
from autograder.command_line import main
from autograder.grader.supervision import close_all
from tests.class_runs import CLASS, EXERCISE, Here, inside, run_class
from tests.course import (
    autograded,
    db_url,
    gradebook_points,
    hand_in,
    hand_out,
    nbgrader,
    new_course,
    results,
    rows,
    start_grading,
    wait_for_results,
)
from tests.depth import proof
from tests.jupyter_server import Server
from tests.postgresql import PostgreSQL, binaries
from tests.sandboxes import said, sandbox
from tests.submissions import COURSE, as_bytes, solved

SECOND = "02_grad"
GRADEBOOK = "gradebook"
MANY = [f"student-{number:02}" for number in range(11, 18)]


@pytest.fixture(scope="module")
def server() -> Iterator[PostgreSQL]:
    """A server, and its password where libpq looks for it."""
    if binaries() is None:
        pytest.skip("no PostgreSQL server is installed")
    server = PostgreSQL()
    try:
        server.start()
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("PGPASSFILE", str(server.passwords))
            yield server
    finally:
        server.close()


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[tuple]]]:
    """The class graded with the database that nobody has to set up, and its rows."""
    course = new_course(tmp_path_factory.mktemp("sqlite"))
    for student, notebook in CLASS.items():
        hand_in(course, student, EXERCISE, notebook)
    hand_out(course)
    run_class(course)
    nbgrader(course, "export")
    return course, rows(course, EXERCISE)


@pytest.fixture(scope="module")
def released_on(server: PostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database that knows two assignments and no student, to be copied."""
    course, url = new_course(tmp_path_factory.mktemp("released")), server.create("released")
    for assignment in (EXERCISE, SECOND):
        nbgrader(course, "generate_assignment", assignment, "--force", COURSE_DB_URL=url)
    return "released"


@pytest.fixture
def course(
    server: PostgreSQL, released_on: str, on_sqlite: tuple, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """The same class with a database on the server, not graded; the answers are there already."""
    monkeypatch.setenv("COURSE_DB_URL", server.create(GRADEBOOK, like=released_on))
    unwanted = shutil.ignore_patterns("gradebook.db", "results", "autograded", "grades.csv")
    yield Path(shutil.copytree(on_sqlite[0], tmp_path / "course", ignore=unwanted))
    server.execute(f"drop database {GRADEBOOK} with (force)")


class Few(Here):
    """Takes `AHEAD` submissions at a time, and so records the class in two transactions."""

    @staticmethod
    def capacity() -> int:
        return 1


def exported(course: Path) -> list[dict[str, str]]:
    """nbgrader's table of grades, by student; the file knows one assignment, the server two."""
    with (course / "gradebook" / "grades.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["assignment"] == EXERCISE]
        return sorted(rows, key=lambda row: row["student_id"])


def autograder(*words: str) -> int:
    """Our command in this process and folder; its exit status."""
    try:
        return main(list(words))
    except SystemExit as ended:  # of the course's configuration
        return ended.code


@proof
def test_the_rows_are_those_of_sqlite(course: Path, on_sqlite: tuple) -> None:
    """Ours and nbgrader's own grading, feedback and export."""
    same, expected = on_sqlite
    run_class(course)
    assert rows(course, EXERCISE) == expected
    for student in CLASS:
        assert autograded(course, student, EXERCISE) == autograded(same, student, EXERCISE), student
    nbgrader(course, "autograde", EXERCISE, "--force")
    assert rows(course, EXERCISE) == expected
    nbgrader(course, "generate_feedback", EXERCISE, "--student=student-03")
    assert (course / "gradebook" / "feedback" / "student-03" / EXERCISE / f"{EXERCISE}.html").exists()
    nbgrader(course, "export")
    assert exported(course) == exported(same)
    assert not (course / "gradebook" / "gradebook.db").exists()


@proof
def test_a_course_that_has_begun_is_moved_as_the_page_says(
    on_sqlite: tuple, server: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script of docs/postgresql.md; points given by hand are not asked for again."""
    course = shutil.copytree(on_sqlite[0], tmp_path / "course")
    with Gradebook(db_url(course)) as gradebook:
        gradebook.find_grade("check_partials", EXERCISE, EXERCISE, "student-03").manual_score = 2.5
        gradebook.db.commit()
    run_class(course, force=True)
    expected = rows(course, EXERCISE)
    monkeypatch.setenv("COURSE_DB_URL", server.create("moved"))
    (script,) = re.findall(r"```python\n(.*?)```", (COURSE / "docs" / "postgresql.md").read_text(), re.DOTALL)
    with Gradebook(db_url(course)):  # as any command of nbgrader does
        pass
    with inside(course):
        exec(script, {})
    assert rows(course, EXERCISE) == expected
    assert {one.state for one in run_class(course, force=True).values()} == {"graded"}
    assert rows(course, EXERCISE) == expected


@proof
def test_every_command_works(course: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    run_class(course)
    monkeypatch.chdir(course)
    nbgrader(course, "db", "upgrade")
    nbgrader(course, "db", "student", "add", "student-98", "--last-name=Ünsal 楊")
    assert "student-98 (Ünsal 楊, None)" in nbgrader(course, "db", "student", "list").stdout
    nbgrader(course, "db", "student", "remove", "student-03", "--force")
    capsys.readouterr()
    assert autograder("scores", EXERCISE) == 0
    table = capsys.readouterr().out
    without_lines = " ".join(table.replace("│", " ").split())
    assert "student-03 -/30 not graded" in without_lines  # it lies where it was handed in
    assert "Nothing handed in: student-98" in without_lines
    assert without_lines.count("not graded:") == 1
    assert autograder("export-anonymous", "scores.csv") == 0
    assert autograder("forget", "student-05", "--yes") == 0
    assert "rows of the gradebook" in capsys.readouterr().out
    assert set(rows(course, EXERCISE)) == {"student-01", "student-02", "student-04"}
    nbgrader(course, "db", "assignment", "remove", EXERCISE, "--force")
    with Gradebook(db_url(course)) as gradebook:
        assert [assignment.name for assignment in gradebook.assignments] == [SECOND]


def test_a_table_lists_tasks_in_the_notebooks_order(course: Path, capsys: pytest.CaptureFixture) -> None:
    """The server hands out a row that was changed after those that were not."""
    run_class(course)
    with Gradebook(db_url(course)) as gradebook:
        gradebook.find_grade("check_forward_values", EXERCISE, EXERCISE, "student-05").manual_score = 0.5
        gradebook.db.commit()
    with inside(course):
        assert autograder("scores", EXERCISE) == 0
    of_student = capsys.readouterr().out.partition("student-05")[2]
    assert 0 < of_student.find("forward_values") < of_student.find("path_sum")


def other_program(statements: Callable[[], Any]) -> threading.Timer:
    """Something that happens in a while."""
    later = threading.Timer(3.0, statements)
    later.start()
    return later


@proof
def test_a_server_that_crashes_in_mid_run_is_waited_for(course: Path, on_sqlite: tuple, server: PostgreSQL) -> None:
    heard: list[str] = []
    done = []
    with inside(course):
        for one in ClassRun(Course(), RunOptions(), Few).grade(EXERCISE, heard.append):
            done.append(one)
            if len(done) == AHEAD:
                server.stop("immediate")
                back = other_program(server.start)
    back.join()
    assert sorted((one.submission.student, one.state) for one in done) == [
        (student, "graded" if student == "student-04" else "judged") for student in CLASS
    ]
    (waiting,) = heard
    assert waiting.startswith("waiting for the gradebook's database: ")
    assert rows(course, EXERCISE) == on_sqlite[1]


@proof
@pytest.mark.parametrize("made", [True, False], ids=["rows-made", "rows-found"])
@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
def test_a_connection_that_is_cut_at_any_commit_loses_nothing(
    late: bool, made: bool, course: Path, on_sqlite: tuple, server: PostgreSQL
) -> None:
    """One submission again and again; the connection ends at its first commit, then at its second, and so on."""
    at = cuts = count = 0

    def commit(dialect: Any, connection: Any) -> None:
        nonlocal count, cuts
        count += 1
        cuts += count == at
        if count == at and not late:
            server.cut(GRADEBOOK)
        connection.commit()
        if count == at and late:
            server.cut(GRADEBOOK)

    while at == cuts:
        at, count = at + 1, 0
        if made:
            with Gradebook(db_url(course)) as gradebook, contextlib.suppress(MissingEntry):
                gradebook.remove_student("student-03")
        for path in results(course):
            path.unlink()
        with mock.patch.object(DefaultDialect, "do_commit", commit), inside(course):
            (done,) = ClassRun(Course(), RunOptions(), Here).grade(EXERCISE, print, ["student-03"])
        assert done.state == "judged", f"{done.reason}, cut at commit {at}"
        assert rows(course, EXERCISE)["student-03"] == on_sqlite[1]["student-03"], f"cut at commit {at}"
    assert cuts > 1


def test_a_row_that_another_grader_makes_first_is_found(course: Path, on_sqlite: tuple) -> None:
    """Both look for the student, both find none, one is first."""
    missed, original = [], AssignmentRows.write

    def too_late(self: AssignmentRows) -> None:
        if not missed:
            with Gradebook(db_url(course)) as other:
                missed.append(other.add_student("student-01"))
        original(self)

    with mock.patch.object(AssignmentRows, "write", too_late):
        assert {one.state for one in run_class(course).values()} <= {"judged", "graded"}
    assert missed
    assert rows(course, EXERCISE) == on_sqlite[1]


def test_a_name_that_is_too_long_costs_nobody_else_anything(course: Path) -> None:
    long = "s" * 129
    hand_in(course, long, EXERCISE, CLASS["student-02"])
    with inside(course):
        done = list(ClassRun(Course(), RunOptions(), Here).grade(EXERCISE, print, [long, "student-02"]))
    assert {one.submission.student: one.state for one in done} == {long: "failed", "student-02": "judged"}
    (reason,) = (one.reason for one in done if one.reason)
    assert "value too long for type character varying(128)" in reason


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="a setting of Linux")
def test_a_run_notices_within_a_minute_that_the_servers_machine_is_gone(course: Path) -> None:
    with inside(course), recorder(Course(), print) as recording:
        descriptor = recording.read(lambda gradebook: os.dup(gradebook.db.connection().connection.fileno()))
        with socket.socket(fileno=descriptor) as connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 60_000


@proof
def test_two_graders_share_a_database_and_a_restart(course: Path, server: PostgreSQL, tmp_path: Path) -> None:
    """Two folders, two assignments, the same students; the server is away while both write."""
    students = [f"student-{number}" for number in range(11, 51)]  # so many that neither ends before the other begins
    shutil.rmtree(course / "gradebook" / "submitted")
    courses = {EXERCISE: course, SECOND: new_course(tmp_path / "other")}
    for assignment, folder in courses.items():
        for student in students:
            hand_in(folder, student, assignment, as_bytes(solved(assignment)))
    runs = {assignment: start_grading(folder, assignment) for assignment, folder in courses.items()}
    for assignment, run in runs.items():
        wait_for_results(courses[assignment], 1, run)
    for run in runs.values():  # not before: one that stops within a transaction may hold what the other waits for
        run.send_signal(signal.SIGSTOP)
    server.stop("immediate")
    for assignment, run in runs.items():
        assert len(results(courses[assignment])) < len(students)
        run.send_signal(signal.SIGCONT)
    time.sleep(3)
    server.start()
    for assignment, run in runs.items():
        said, _ = run.communicate(timeout=240)
        assert run.returncode == 0, said
        assert "waiting for the gradebook's database" in said
        assert f"{len(students)} submissions" in said
        for student in students:
            points = gradebook_points(courses[assignment], assignment, student)
            assert sum(points.values()) == {EXERCISE: 30, SECOND: 21}[assignment], student


@proof
def test_the_formgrader_works_while_a_class_is_graded(course: Path, server: PostgreSQL) -> None:
    for student in MANY:
        hand_in(course, student, EXERCISE, as_bytes(solved(EXERCISE)))
    with Server(course) as jupyter:
        button = f"formgrader/api/submission/{EXERCISE}/student-03/autograde"
        with start_grading(course, EXERCISE) as run:
            wait_for_results(course, 1, run)
            done = jupyter.ask(button, method="POST")
            said, _ = run.communicate(timeout=120)
        assert done["success"], done.get("log", done)
        assert run.returncode == 0, said
        table = jupyter.ask(f"formgrader/api/submissions/{EXERCISE}")
        (notebook,) = jupyter.ask(f"formgrader/api/student_notebook_submissions/student-03/{EXERCISE}")
        for path in ("assignments", "students", f"notebooks/{EXERCISE}", f"submitted_notebooks/{EXERCISE}/{EXERCISE}",
                     "student_submissions/student-03", f"grades?submission_id={notebook['id']}"):  # fmt: skip
            assert jupyter.ask(f"formgrader/api/{path}"), path
        shown = jupyter.page("formgrader/manage_assignments")
    assert {row["student"]: row["score"] for row in table} == {
        "student-01": 30, "student-02": 0, "student-03": 27, "student-04": 0, "student-05": 26,
        **dict.fromkeys(MANY, 30),
    }  # fmt: skip
    assert server.url(GRADEBOOK) in shown
    assert server.password not in shown


@pytest.mark.parametrize(
    ("trouble", "cause"),
    [
        ("down", "Connection refused"),
        ("password", "password authentication failed"),
        ("database", 'database "missing" does not exist'),
    ],
)
@pytest.mark.parametrize("words", [["grade"], ["scores", EXERCISE], ["forget", "student-01", "--yes"]])
def test_a_database_that_cannot_be_had_is_told_in_a_sentence(
    words: list[str],
    trouble: str,
    cause: str,
    course: Path,
    server: PostgreSQL,
    capsys: pytest.CaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = server.url(GRADEBOOK)
    if trouble == "down":
        address = address.replace(f":{server.port}/", ":1/")  # where nobody listens
    if trouble == "database":
        address = server.url("missing")
    monkeypatch.setenv("COURSE_DB_URL", address)
    monkeypatch.chdir(course)
    if trouble == "password":
        server.write_password("wrong")
    try:
        status = autograder(*words)
    finally:
        server.write_password(server.password)
    told = capsys.readouterr().err
    assert status == 2
    assert told.startswith(f"autograder {words[0]}: the gradebook {address} cannot be used (")
    assert cause in told
    assert told.endswith("see that its server runs, that it exists and that ~/.pgpass holds its password\n")
    assert told.count("\n") == 1
    assert (course / "gradebook" / "submitted" / "student-01").exists()


@pytest.mark.parametrize("words", ["db student list", "export"])
def test_nbgraders_own_commands_tell_it_in_a_sentence_too(words: str, tmp_path: Path) -> None:
    environment = os.environ | {"COURSE_DB_URL": "postgresql+psycopg://course@127.0.0.1:1/gradients"}  # nobody listens
    command, course = ["nbgrader", *words.split()], new_course(tmp_path / "course")
    done = subprocess.run(command, cwd=course, text=True, capture_output=True, env=environment)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("nbgrader: the database refused it (connection failed: ")
    assert "raceback" not in done.stderr


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("postgresql:/course@here", "The database's address cannot be read: docs/postgresql.md shows"),
        ("postgresql+psycopg://here:port/course", "The database's address cannot be read: docs/postgresql.md shows"),
        ("postgresql+psycopg://here/course", "autograder grade: there is no driver for this database"),
    ],
)
def test_what_has_to_be_set_up_is_told(
    address: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COURSE_DB_URL", address)
    monkeypatch.chdir(new_course(tmp_path / "course"))
    monkeypatch.setitem(sys.modules, "psycopg", None)  # as where it is not installed
    assert autograder("grade") == 2
    assert capsys.readouterr().err.startswith(told)


@proof
def test_a_server_that_stays_away_ends_the_run_and_the_next_goes_on(
    course: Path, on_sqlite: tuple, server: PostgreSQL, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "PATIENCE_SECONDS", 2.0)
    with inside(course):
        run = ClassRun(Course(), RunOptions(), Few).grade(EXERCISE, print)
        assert {next(run).state for _ in range(AHEAD)} == {"judged", "graded"}
        server.stop()
        try:
            with pytest.raises(database.CourseError, match=r"the database does not answer again .* goes on"):
                list(run)
        finally:
            server.start()
    assert len(results(course)) == AHEAD
    states = [one.state for one in run_class(course).values()]
    assert states.count("unchanged") == AHEAD == len(CLASS) - 1
    assert rows(course, EXERCISE) == on_sqlite[1]


def test_a_gradebook_of_another_version_is_no_reason_to_wait(course: Path, server: PostgreSQL) -> None:
    """A column that is missing stays missing, on either database."""
    heard: list[str] = []
    with Gradebook(db_url(course)) as gradebook, gradebook.engine.begin() as connection:
        connection.exec_driver_sql("alter table grade drop column extra_credit")
    with inside(course), pytest.raises(database.CourseError, match=r"extra_credit.*`nbgrader db upgrade`"):
        list(ClassRun(Course(), RunOptions(), Here).grade(EXERCISE, heard.append))
    assert not heard


@pytest.mark.parametrize(
    ("address", "command"),
    [
        ("postgresql+psycopg://me:secret@h/d", ["nbgrader", "db", "student", "list"]),
        ("postgresql+psycopg://me:/9#secret?@h/d", ["nbgrader", "db", "student", "list"]),
        ("postgresql+psycopg://h/d?password=secret", ["autograder", "grade"]),
        ("postgresql+psycopg://h/d?sslpassword=secret", ["autograder", "grade"]),
    ],
)
def test_a_password_in_the_address_is_refused(address: str, command: list[str], tmp_path: Path) -> None:
    """It would stand in the formgrader's page."""
    course, environment = new_course(tmp_path / "course"), os.environ | {"COURSE_DB_URL": address}
    done = subprocess.run(command, cwd=course, text=True, capture_output=True, env=environment)
    assert done.returncode == 2
    assert "write it to ~/.pgpass instead" in done.stderr
    assert "secret" not in done.stderr


@pytest.mark.parametrize("command", [["nbgrader", "db", "student", "list"], ["autograder", "scores", EXERCISE]])
def test_another_gradebook_folder_never_writes_into_the_database(command: list[str], tmp_path: Path) -> None:
    """The sample class has the ids of the class whose database a shell exports."""
    course, real = new_course(tmp_path / "course"), tmp_path / "real.db"
    variables = {"COURSE_GRADEBOOK": "gradebook/sample", "COURSE_DB_URL": f"sqlite:///{real}"}
    done = subprocess.run(command, cwd=course, text=True, capture_output=True, env=os.environ | variables)
    assert done.returncode == 2
    assert done.stderr.startswith("COURSE_DB_URL names the database of gradebook/, but COURSE_GRADEBOOK chooses ")
    assert not real.exists()


def test_another_gradebook_folder_names_its_database_in_its_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = new_course(tmp_path / "course")
    settings = course / "autumn" / "settings.py"
    settings.parent.mkdir()
    monkeypatch.setenv("COURSE_GRADEBOOK", "autumn")
    assert db_url(course) == f"sqlite:///{course / 'autumn' / 'gradebook.db'}"
    settings.write_text('c.CourseDirectory.db_url = "postgresql+psycopg://course@here/autumn"\n')
    assert db_url(course) == "postgresql+psycopg://course@here/autumn"


def test_tests_and_benchmarks_do_not_know_the_instructors_database() -> None:
    command = [sys.executable, "-c", "import os, benchmarks.databases; print('COURSE_DB_URL' in os.environ)"]
    environment = os.environ | {"COURSE_DB_URL": "postgresql+psycopg://course@here/gradients"}
    assert subprocess.run(command, cwd=COURSE, text=True, capture_output=True, env=environment).stdout == "False\n"


@proof
@pytest.mark.parametrize("highest", ["a", "c"])
def test_a_student_sees_nothing_of_the_database(highest: str, server: PostgreSQL) -> None:
    """Neither its address nor a password in the environment; in tier a neither the file nor the port."""
    secrets = {"COURSE_DB_URL": server.url("x"), "PGPASSWORD": server.password, "PGUSER": "course"}
    look = "import os\nprint(dict(os.environ))\nprint(open('/proc/self/environ').read())"
    read = f"open({str(server.passwords)!r}).read()"
    connect = f"import socket; socket.create_connection(('127.0.0.1', {server.port}), 1)"
    close_all()  # those that were started without all this
    with mock.patch.dict(os.environ, secrets), sandbox(highest) as process:
        environment = said(process, look)
        reached = [said(process, f"{attempt}\nprint('reached')") for attempt in (read, connect)]
    assert "AUTOGRADER_SANDBOX" in environment
    for secret in ("PGPASS", "COURSE_DB_URL", "PGUSER", server.password, str(server.port)):
        assert secret not in environment
    if highest != "c":
        assert not [one for one in reached if "reached" in one]
