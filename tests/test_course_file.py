"""An instructor's course file chooses exercises, tasks, their order and their points, and every total follows."""

from __future__ import annotations

import csv
import dataclasses
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbgrader.api import Gradebook

from autograder.authoring.tailored_notebook import tailor
from autograder.checks.catalogue import named_tasks, tasks_in
from autograder.command_line import main
from autograder.desk.saved_notebook import ExerciseProgress
from autograder.desk.workspace import Workspace, WorkspaceError
from autograder.grader.live import judge_namespace
from autograder.notebooks.grade_cells import task_of_grade_cell
from autograder.notebooks.weights import weights
from autograder.tasks import folders
from autograder.tasks.course_file import COURSE_FILE
from autograder.tasks.folders import CHOSEN_BY
from autograder.tasks.listing import task_list
from autograder.tasks.tables import TaskFolderError
from tests.course import db_url, hand_in, nbgrader, new_course
from tests.submissions import COURSE, as_bytes, cell_of, solution_sources

EXERCISE, OTHER, LEFT_OUT = "02_grad", "12_twins", "01_scalar_graphs"
TASKS = ["gradient_of_vector", "all_partials"]
CHOICE = f"""
[[exercise]]
name = "{EXERCISE}"
tasks = ["gradient_of_vector", "all_partials"]
points = {{ all_partials = 1.5 }}

[[exercise]]
name = "{OTHER}"
"""
MINIATURE = Path(__file__).with_name("miniature")


def choose(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a course file and name it in the environment."""
    file = folder / COURSE_FILE
    file.write_text(text)
    monkeypatch.setenv(CHOSEN_BY, str(file))
    return file


def entry(name: str, *more: str) -> str:
    return "\n".join(["[[exercise]]", f'name = "{name}"', *more, ""])


FIRST = entry("01_doubling")
WRONG = {
    "": " lists no exercise: add one, or delete the file to use the whole course",
    "[[exercise]\n": ": Expected ']]' at the end of an array declaration (at line 1, column 11)",
    "[exercise]\nname = 1\n": ", line 1: exercise is not a list",
    "[[exercise]]\ntasks = []\n": " lacks the key name",
    entry("01_doubling", "task = []"): ", line 3: unknown key 'task'; the keys are name, tasks, points, explaining",
    entry("01_doubling", "explaining = -1"): ", line 3: explaining is -1; write a number of 0",
    entry("01_doubling", 'points = "3"'): ", line 3: points is not a table",
    entry("01_dubling"): ", line 2: there is no exercise '01_dubling' (did you mean '01_doubling'?)",
    FIRST + FIRST: ", line 3: 01_doubling is listed in line 1 already; keep one of them",
    entry("01_doubling", "tasks = []"): ", line 1: 01_doubling has no task: list one, or leave out the exercise",
    entry("01_doubling", "tasks = [1]"): ", line 3: 1 is not a task's name in quotes",
    entry("01_doubling", "tasks = [", '"double",', '"slop"]'): ", line 5: 01_doubling has no task 'slop' (did you mean",
    entry("01_doubling", 'tasks = ["slope", "slope"]'): ", line 3: the task slope is listed twice; keep one of them",
    entry("01_doubling", "[exercise.points]", "slop = 1"): ", line 4: 01_doubling has no task 'slop' (did you mean 'sl",
    entry("01_doubling", 'tasks = ["slope"]', "points = {double = 1}"): ", line 4: it gives points to double, which it",
    entry("01_doubling", "points = {double = -1}"): ", line 3: the points of double are -1.0; write a number of 0",
    entry("01_doubling", "points = {double = true}"): ", line 3: the points of double are True; write a number",
    entry("01_doubling", "points = {double = nan}"): ", line 3: the points of double are nan; write a number",
    entry("01_doubling", 'points = {double = "\x1b"}'): ", line 3: the points of double are '\\x1b'; write a number",
}
WRONG = {text.replace("= -1}", "= -1.0}").replace("\x1b", "\\u001b"): said for text, said in WRONG.items()}


@pytest.mark.parametrize("text", WRONG)
def test_what_cannot_be_used_is_told_in_one_sentence(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(folders.COURSE, str(MINIATURE))
    file = choose(tmp_path, text, monkeypatch)
    with pytest.raises(TaskFolderError) as said:
        folders.exercises()
    assert str(said.value).startswith(f"{file}{WRONG[text]}")
    assert "\n" not in str(said.value)


BASES = {
    '["value_arithmetic", "fit_neuron"]': "fit_neuron builds on value_backward, which 01_scalar_graphs leaves out: "
    "list value_backward before it, or leave out fit_neuron too",
    '["value_backward"]': "value_backward builds on value_arithmetic, which 01_scalar_graphs leaves out: list",
    '["value_backward", "value_arithmetic"]': "value_backward builds on value_arithmetic, which comes later: put it",
    '["value_arithmetic", "value_long_chains", "fit_neuron"]': "",
    '["fit_neuron", "value_arithmetic", "value_long_chains"]': "fit_neuron builds on value_arithmetic, which comes",
}


@pytest.mark.parametrize("tasks", BASES)
def test_a_task_comes_after_what_it_builds_on(tasks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = choose(tmp_path, entry(LEFT_OUT, f"tasks = {tasks}"), monkeypatch)
    if not BASES[tasks]:
        assert folders.known_exercise(LEFT_OUT).tasks == tuple(json.loads(tasks))
        return
    with pytest.raises(TaskFolderError) as said:
        folders.exercises()
    assert str(said.value).startswith(f"{file}, line 3: {BASES[tasks]}")


def test_a_changed_file_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folders.COURSE, str(MINIATURE))
    for tasks in (("slope",), ("slope", "double")):
        choose(tmp_path, entry("01_doubling", f"tasks = {json.dumps(tasks)}"), monkeypatch)
        assert folders.known_exercise("01_doubling").tasks == tasks
        assert tuple(folders.task_folders()) == tasks


def test_a_check_without_a_notebooks_file_has_the_chosen_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(folders.COURSE, str(MINIATURE))
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    choose(tmp_path, entry("01_doubling", 'tasks = ["double"]', "points = {double = 9}"), monkeypatch)
    names: dict[str, object] = {}
    exec((MINIATURE / "01_doubling/_tasks/double/solution.py").read_text(), names)
    verdict, _ = judge_namespace("double", names)
    assert (verdict.points, verdict.maximum) == (9, 9)
    with pytest.raises(LookupError, match="There is no task 'slope'"):
        judge_namespace("slope", names)


def test_a_course_file_asks_for_an_explanation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(folders.COURSE, str(MINIATURE))
    choose(tmp_path, entry("01_doubling", 'tasks = ["double"]', "explaining = 2"), monkeypatch)
    notebook = nbformat.read(MINIATURE / "01_doubling" / "01_doubling.ipynb", as_version=4)
    for _ in range(2):  # also where the cells are there already
        tailor(notebook, folders.known_exercise("01_doubling"), folders.whole_exercise("01_doubling"))
    assert [cell.id for cell in notebook.cells].count("solve-own-program") == 1
    assert cell_of(notebook, "own_program").metadata.nbgrader.points == 2
    assert "3 points" in notebook.cells[0].source


def test_authors_see_the_whole_course(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`autograder notebook` makes the file that git keeps, so that `git pull` never stops at it."""
    shutil.copytree(MINIATURE, solutions := tmp_path / "solutions")
    monkeypatch.setenv(folders.COURSE, str(solutions))
    choose(tmp_path, entry("01_doubling", 'tasks = ["slope"]', "points = {slope = 9}"), monkeypatch)
    before = (solutions / "01_doubling" / "01_doubling.ipynb").read_bytes()
    assert main(["notebook"]) == 0
    assert capsys.readouterr().out == ""
    assert (solutions / "01_doubling" / "01_doubling.ipynb").read_bytes() == before
    assert folders.known_exercise("01_doubling").tasks == ("slope",)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a course file, whose exercises are generated."""
    course = new_course(tmp_path_factory.mktemp("chosen"))
    shutil.copytree(COURSE / "lessons", course / "lessons", ignore=shutil.ignore_patterns("predictions"))
    (course / COURSE_FILE).write_text(CHOICE)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(CHOSEN_BY)
        nbgrader(course, "generate_assignment", "*", "--force")
    return course


@pytest.fixture
def course(generated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of that course, as the current folder."""
    shutil.copytree(generated, tmp_path / "course")
    monkeypatch.delenv(CHOSEN_BY)
    monkeypatch.chdir(tmp_path / "course")
    yield tmp_path / "course"
    monkeypatch.setenv(CHOSEN_BY, "")  # the configuration has set it


def released(course: Path, exercise: str = EXERCISE) -> NotebookNode:
    return nbformat.read(course / "release" / exercise / f"{exercise}.ipynb", as_version=4)


def solved(course: Path, *tasks: str) -> bytes:
    notebook = released(course)
    for task in tasks:
        cell_of(notebook, task).source = solution_sources(EXERCISE)[task]
    return as_bytes(notebook)


def test_students_get_what_was_chosen(course: Path) -> None:
    notebook = released(course)
    assert [task for cell in notebook.cells if (task := task_of_grade_cell(cell))] == TASKS
    assert weights(notebook.cells) == {"gradient_of_vector": 4, "all_partials": 1.5}
    sources = {cell.id: cell.source for cell in notebook.cells}
    assert re.search(r"Two tasks,\s+5\.5 points", sources["title"])
    assert sources["about-all-partials"].startswith("## `all_partials`\n\n1.5 points · ")
    assert not any("named_gradients" in cell.id.replace("-", "_") for cell in notebook.cells)
    assert [*sources][-3:] == ["about-from-clean", "from-clean", "what-next"]
    assert sorted(path.name for path in (course / "release").iterdir()) == [EXERCISE, OTHER]
    whole = nbformat.read(COURSE / "exercises" / OTHER / f"{OTHER}.ipynb", as_version=4)
    assert released(course, OTHER) == whole


def test_what_git_keeps_stays_as_it_is(course: Path) -> None:
    for folder in ("solutions", "exercises"):
        for path in (course / folder).rglob("*.ipynb"):
            assert path.read_bytes() == (COURSE / path.relative_to(course)).read_bytes()


def tailored(notebook: NotebookNode, tasks: tuple[str, ...], **points: float) -> list[str]:
    whole = folders.whole_exercise(LEFT_OUT)
    assert whole is not None
    return tailor(notebook, dataclasses.replace(whole, tasks=tasks, points=points), whole)


def source(exercise: str = LEFT_OUT) -> NotebookNode:
    return nbformat.read(COURSE / "solutions" / exercise / f"{exercise}.ipynb", as_version=4)


def test_a_statement_names_the_points_of_each_check() -> None:
    notebook = source()
    tailored(notebook, ("value_arithmetic",), value_arithmetic=6)
    text = cell_of(notebook, "about_value_arithmetic").source
    assert "Points: operators between nodes (3), numbers on either side (1.5), a base of 0 (1.5)." in text


def test_what_an_instructor_wrote_into_the_notebook_stays_and_is_named() -> None:
    notebook = source()
    cell_of(notebook, "title").source = "# Our exercise"
    cell_of(notebook, "about_partials").source = "## Partials, in our words"
    own = nbformat.v4.new_markdown_cell("Think before you write; see `path_sum`.", id="own")
    notebook.cells.insert(notebook.cells.index(cell_of(notebook, "partials")), own)
    assert tailored(notebook, ("partials",), partials=1) == [
        "the heading of partials was rewritten: see that it names 1 point",
        "the title was rewritten: see that its tasks, points and time are right",
        *(f"the text of the cell how_it_works mentions {task}, which is left out" for task in MENTIONED),
        "the text of the cell own mentions path_sum, which is left out",
    ]
    assert [cell.id for cell in notebook.cells[3:7]] == ["about-partials", "own", "solve-partials", "check-partials"]
    assert 'hint("partials")' in cell_of(notebook, "how_it_works").source


MENTIONED = ("value_arithmetic", "value_functions", "value_backward", "value_long_chains", "fit_neuron")


def test_a_notebook_without_a_chosen_task_is_told() -> None:
    notebook = source()
    notebook.cells.remove(cell_of(notebook, "check_partials"))
    with pytest.raises(TaskFolderError, match=r"lacks the task partials: run `autograder notebook 01_scalar_graphs`$"):
        tailored(notebook, ("partials",))


def test_a_left_out_exercise_is_not_generated(course: Path) -> None:
    done = subprocess.run(["nbgrader", "generate_assignment", LEFT_OUT], cwd=course, capture_output=True, text=True)
    assert done.returncode == 1
    assert f"{COURSE_FILE} leaves out {LEFT_OUT}: add it there to use it" in done.stderr
    assert "Traceback" not in done.stderr
    with Gradebook(db_url(course)) as gradebook:
        assert sorted(one.name for one in gradebook.assignments) == [EXERCISE, OTHER]


def test_a_bad_file_ends_every_command_with_its_sentence(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (course / COURSE_FILE).write_text(entry("02_gard"))
    with pytest.raises(SystemExit) as ended:
        main(["scores"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        f"{course / COURSE_FILE}, line 2: there is no exercise '02_gard' (did you mean '02_grad'?)\n"
    )


def test_every_total_follows(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_in(course, "student-01", EXERCISE, solved(course, *TASKS))
    hand_in(course, "student-02", EXERCISE, solved(course, "gradient_of_vector"))
    assert main(["grade", "--workers", "1"]) == 0
    result = json.loads((course / f"gradebook/results/{EXERCISE}/student-02/{EXERCISE}.json").read_text())
    assert (result["points"], result["maximum"]) == (4, 5.5)
    assert [one["task"] for one in result["verdicts"]] == TASKS
    capsys.readouterr()
    assert main(["scores", EXERCISE]) == 0
    table = capsys.readouterr().out
    assert "5.5/5.5" in table
    assert "0/1.5" in table
    with Gradebook(db_url(course)) as gradebook:
        assert {one.name: one.max_score for one in gradebook.assignments}[EXERCISE] == 5.5
    nbgrader(course, "export")
    rows = list(csv.DictReader((course / "gradebook/grades.csv").open()))
    assert {row["assignment"] for row in rows} == {EXERCISE, OTHER}
    assert {row["student_id"]: (row["score"], row["max_score"]) for row in rows if row["assignment"] == EXERCISE} == {
        "student-01": ("5.5", "5.5"),
        "student-02": ("4.0", "5.5"),
    }
    assert main(["report", EXERCISE]) == 0
    page = (course / f"gradebook/report/assignments/{EXERCISE}/index.html").read_text()
    assert "all_partials" in page
    assert "named_gradients" not in page

    # The instructor then leaves out what was graded, and gives the other exercise other points.
    (course / COURSE_FILE).write_text(entry(OTHER, "points = {predict_twins = 20}"))
    capsys.readouterr()
    assert main(["grade"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"{EXERCISE} is in the gradebook, but {COURSE_FILE} leaves it out, and so do tables and exports" in said
    assert f"{COURSE_FILE} was changed after {OTHER} was generated: run `nbgrader generate_assignment {OTHER}" in said
    assert main(["grade", EXERCISE]) == 2
    assert f"leaves out {EXERCISE}: add it there to use it" in " ".join(capsys.readouterr().err.split())
    assert main(["scores"]) == 0
    assert EXERCISE not in capsys.readouterr().out
    nbgrader(course, "export")
    assert {row["assignment"] for row in csv.DictReader((course / "gradebook/grades.csv").open())} == {OTHER}


def test_a_student_without_the_file_sees_the_chosen_tasks(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Students get the notebook, through the exchange or by mail, and need not have the course file."""
    monkeypatch.setenv(CHOSEN_BY, "")
    path = hand_in(course, "student-01", EXERCISE, solved(course, "all_partials")) / f"{EXERCISE}.ipynb"
    found = ExerciseProgress.of(path)
    assert list(found.verdicts) == TASKS
    assert (found.points, found.maximum, found.lacking) == (1.5, 5.5, ())
    listed = task_list(EXERCISE, named_tasks(json.loads(path.read_text())))
    assert "gradient_of_vector, all_partials\n" in listed
    assert "named_gradients" not in listed


@pytest.mark.parametrize("named", [None, 3, [], ["none"], [["all_partials"]], {"all_partials": 1}])
def test_what_anybody_wrote_into_the_metadata_takes_no_task_away(named: object) -> None:
    assert len(tasks_in({"metadata": {"autograder": {"tasks": named}}}, EXERCISE)) == 6
    assert len(tasks_in({"metadata": named}, EXERCISE)) == 6


def test_a_workspace_holds_the_chosen_exercises(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CHOSEN_BY, str(course / COURSE_FILE))
    workspace = Workspace.above(course)
    workspace.fill()
    assert sorted(path.name for path in (workspace.folder / "exercises").iterdir()) == [EXERCISE, OTHER]
    copy = workspace.folder / "exercises" / EXERCISE / f"{EXERCISE}_exercise.ipynb"
    assert copy.read_bytes() == (course / "release" / EXERCISE / f"{EXERCISE}.ipynb").read_bytes()
    links = [f"../exercises/{name}/" for name in (EXERCISE, LEFT_OUT)]
    lessons = {name: (workspace.folder / "lessons" / f"{name}.ipynb").read_text() for name in (EXERCISE, LEFT_OUT)}
    assert links[0] in lessons[EXERCISE]
    assert links[1] in (COURSE / "lessons" / f"{LEFT_OUT}.ipynb").read_text()
    assert links[1] not in lessons[LEFT_OUT]
    shutil.rmtree(course / "release")
    with pytest.raises(WorkspaceError, match="chooses exercises, and none is released: run `nbgrader generate_assig"):
        Workspace.above(course)
