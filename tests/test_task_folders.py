"""A course's folders: what is derived from them, and that a folder which cannot be used is told in one sentence."""

from __future__ import annotations

import dataclasses
import re
import shutil
import tokenize
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

import autograder
from autograder.authoring.exercise_notebook import duration, generate_notebook
from autograder.authoring.notebook_edits import read_back
from autograder.checks.catalogue import find_task, tasks_of
from autograder.classroom.version import _sources, judging_digest
from autograder.command_line import main
from autograder.grader.live import judge_namespace
from autograder.tasks.folders import COURSE, exercise_folder, exercises, read_exercise
from autograder.tasks.lesson_sections import with_reading
from autograder.tasks.tables import TaskFolderError
from autograder.verdicts.plain_text import verdict_as_text
from tests.submissions import COURSE as COURSE_FOLDER

MINIATURE = Path(__file__).with_name("miniature")
EXERCISE = "01_doubling"


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the smallest course, which is the course of this process for a test."""
    shutil.copytree(MINIATURE, tmp_path / "course", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setenv(COURSE, str(tmp_path / "course"))
    return tmp_path / "course"


def test_everything_is_derived_from_the_folders(course: Path) -> None:
    assert exercises() == (EXERCISE,)
    tasks = tasks_of(EXERCISE)
    assert {name: task.points for name, task in tasks.items()} == {"double": 1, "slope": 3}
    assert find_task("slope") is tasks["slope"]
    cells = {cell.id: cell for cell in generate_notebook(EXERCISE).cells}
    assert cells["title"].source.endswith("Two tasks, 4 points, about 10 minutes.")
    assert cells["about-slope"].source.startswith("## `slope`\n\n3 points · 5 minutes · core\n\nWrite `slope(y, x)`.")
    assert cells["check-slope"].metadata.nbgrader.points == 3
    assert nbformat.reads(nbformat.writes(generate_notebook(EXERCISE)), as_version=4) == generate_notebook(EXERCISE)


def test_a_person_can_give_points_for_an_explanation(course: Path) -> None:
    table = course / EXERCISE / "_tasks" / "exercise.toml"
    table.write_text(table.read_text() + "explaining = 2\n")
    cells = {cell.id: cell for cell in generate_notebook(EXERCISE).cells}
    assert "6 points" in cells["title"].source
    assert cells["about-own-program"].source.startswith("## Your own program\n\n2 points")
    graded = cells["solve-own-program"].metadata.nbgrader
    assert (graded.grade, graded.solution, graded.points) == (True, True, 2)
    table.write_text(table.read_text().replace("explaining = 2", "explaining = -2"))
    with pytest.raises(TaskFolderError, match="explaining = -2, but points cannot be below 0"):
        read_exercise(table.parent)


def test_a_mistake_is_written_once_and_predicts_with_its_answer(course: Path) -> None:
    task = find_task("double")
    squared = next(one for one in task.mistakes if one.name == "squared")
    assert squared.predict((3.0,), 6.0, None) == 9.0
    assert [one.name for one in task.answers.answers if one.diagnosed == "squared"] == ["squared", "times_itself"]
    assert len([one for one in task.mistakes if one.name == "squared"]) == 1  # the second is held out


def test_another_answer_of_a_mistake_predicts_where_it_is_told_to(course: Path) -> None:
    answers = course / EXERCISE / "_tasks" / "double" / "answers.py"
    answers.write_text(answers.read_text().replace('@wrong("squared")', '@wrong("squared", predicts=True)'))
    assert [one.predict((3.0,), 6.0, None) for one in find_task("double").mistakes][:2] == [9.0, 9.0]


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (5, "5 minutes"),
        (18, "20 minutes"),
        (20, "20 minutes"),
        (55, "55 minutes"),
        (59, "an hour"),
        (62, "an hour"),
        (63, "an hour and a quarter"),
        (121, "two hours"),
    ],
)
def test_time_is_told_in_minutes_and_in_quarters_of_an_hour(minutes: int, words: str) -> None:
    assert duration(minutes) == words


def test_edited_cells_go_back_to_their_files(course: Path) -> None:
    tasks, path = course / EXERCISE / "_tasks", course / EXERCISE / f"{EXERCISE}.ipynb"
    assert main(["notebook"]) == 0
    text = path.read_text()
    text = text.replace("result is twice as much", "result is its double").replace("return 2 * x", "return x + x")
    path.write_text(text.replace("this was all", "the end").replace("as a course can be", "as it gets"))
    changed = {file.relative_to(tasks).as_posix() for file in read_back(EXERCISE)}
    assert changed == {"double/statement.md", "double/solution.py", "opening.md", "closing.md"}
    assert "{tasks}, {points}, about {time}" in (tasks / "opening.md").read_text()
    assert "its double" in (tasks / "double" / "statement.md").read_text()
    assert main(["notebook", "--back"]) == 0


def test_edits_in_a_notebook_are_not_overwritten(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notebook"]) == 0
    path = course / EXERCISE / f"{EXERCISE}.ipynb"
    edited = path.read_text().replace("twice as much", "its double")
    path.write_text(edited)
    assert main(["notebook"]) == 2
    assert "--back` reads the edits into" in capsys.readouterr().err
    assert path.read_text() == edited
    assert main(["notebook", "--force"]) == 0
    assert path.read_text() != edited


@pytest.mark.parametrize("text", ["", "<<<<<<< HEAD", "[]"])
def test_a_damaged_notebook_is_made_anew(course: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = course / EXERCISE / f"{EXERCISE}.ipynb"
    path.write_text(text)
    assert main(["notebook", EXERCISE]) == main(["notebook", EXERCISE, "--back"]) == 2
    assert capsys.readouterr().err.count(f"{path} is not a notebook: `autograder notebook {EXERCISE} --force`") == 2
    assert main(["notebook", EXERCISE, "--force"]) == 0
    assert main(["notebook", EXERCISE]) == 0


def test_a_copy_keeps_the_cells_that_no_folder_made(course: Path) -> None:
    path = course / EXERCISE / f"{EXERCISE}.ipynb"
    for number in (1, 2):
        assert main(["notebook", "--force"]) == 0
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(nbformat.v4.new_code_cell(f"assert own == {number}"))
        nbformat.write(notebook, path)
    assert main(["notebook", "--force"]) == 0
    for number in (1, 2):
        assert f"own == {number}" in (path.parent / "_tasks" / f"{EXERCISE}.before{number}.ipynb").read_text()
    assert main(["notebook", "--force"]) == 0
    assert len(list(path.parent.rglob("*.before*"))) == 2


def test_an_unknown_exercise_is_named(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notebook", "01_dubling"]) == main(["notebook", "--back", "01_dubling"]) == 2
    assert capsys.readouterr().err.count("there is no exercise '01_dubling'") == 2


def test_a_derived_cell_is_not_edited(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["notebook"]) == 0
    path = course / EXERCISE / f"{EXERCISE}.ipynb"
    before = path.read_text()
    for was, wrote, said in (
        ("1 point ·", "9 points ·", "the first lines of the cell about-double follow from the task"),
        ("From clean", "From the top", "the cell about-from-clean is made anew each time"),
        ('"points": 3', '"points": 5', "the cell check-slope has 5 points, and 3 by its checks: change points= in"),
    ):
        path.write_text(before.replace(was, wrote))
        assert main(["notebook", "--back"]) == 2
        assert said in capsys.readouterr().err
        path.write_text(before)


def test_what_was_changed_meanwhile_is_not_overwritten(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tasks, path = course / EXERCISE / "_tasks", course / EXERCISE / f"{EXERCISE}.ipynb"
    assert main(["notebook"]) == 0
    statement = tasks / "double" / "statement.md"
    statement.write_text(statement.read_text().replace("a float", "any float"))
    notebook = path.read_text().replace("return 2 * x", "return x + x")
    path.write_text(notebook)
    assert main(["notebook", "--back"]) == 0  # another cell was edited
    assert "any float" in statement.read_text()
    statement.write_text(statement.read_text().replace("any float", "some float"))
    path.write_text(path.read_text().replace("twice as much", "its double"))
    capsys.readouterr()
    assert main(["notebook", "--back"]) == 2
    assert f"{statement} was changed after {path} was made, and so was the cell about-double" in capsys.readouterr().err
    assert "some float" in statement.read_text()
    assert main(["notebook", "--back", "--force"]) == 0
    assert "any float" in statement.read_text()
    assert "its double" in statement.read_text()


def test_what_students_get_does_not_say_from_what_it_was_made(course: Path) -> None:
    assert "made_from" in generate_notebook(EXERCISE).metadata
    for path in (COURSE_FOLDER / "exercises").rglob("*.ipynb"):
        assert "made_from" not in nbformat.read(path, as_version=4).metadata


def test_an_exercise_has_a_number(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "exercise", "optimizers"]) == 2
    assert capsys.readouterr().err == "an exercise is named NN_topic, like 14_optimizers, and not 'optimizers'\n"
    assert not (course / "optimizers").exists()


@pytest.mark.parametrize(
    ("was", "wrote", "said"),
    [
        ('"double",', "'double',", "write tasks = [...] with names in double quotes"),
        ('"double",', '"double",  # the first\n', "write tasks = [...] with names in double quotes"),
    ],
)
def test_a_list_of_tasks_that_cannot_be_continued_is_told(
    course: Path, was: str, wrote: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = course / EXERCISE / "_tasks"
    change("exercise.toml", was, wrote)(tasks)
    assert main(["new", "task", f"{EXERCISE}/triple"]) == 2
    assert said in capsys.readouterr().err
    assert not (tasks / "triple").exists()


def test_a_list_of_tasks_without_blanks_is_continued(course: Path) -> None:
    change("exercise.toml", "tasks = [", "tasks=[")(course / EXERCISE / "_tasks")
    assert main(["new", "task", f"{EXERCISE}/triple"]) == 0


@pytest.mark.parametrize(
    "name", ["class", "stra\u00dfe", "a" * 51, "setup", "about_double", "check_double", "Double", "hint"]
)
def test_a_task_has_a_name_of_which_cells_can_be_made(course: Path, name: str) -> None:
    assert main(["new", "task", f"{EXERCISE}/{name}"]) == 2
    assert not (course / EXERCISE / "_tasks" / name).exists()


def test_the_rules_stay_a_placeholder(course: Path) -> None:
    opening = course / EXERCISE / "_tasks" / "opening.md"
    opening.write_text(opening.read_text() + "\n{rules}\n")
    assert main(["notebook", "--force"]) == 0
    path = course / EXERCISE / f"{EXERCISE}.ipynb"
    path.write_text(path.read_text().replace("as a course can be", "as it gets"))
    assert main(["notebook", "--back"]) == 0
    assert "as it gets" in opening.read_text()
    assert opening.read_text().endswith("\n\n{rules}\n")


def change(name: str, *changes: str) -> Callable[[Path], None]:
    """Write something else in a file: what stood there and what is written, in turn."""

    def changed(tasks: Path) -> None:
        text = (tasks / name).read_text()
        for was, wrote in zip(changes[::2], changes[1::2], strict=True):
            assert was in text
            text = text.replace(was, wrote)
        (tasks / name).write_text(text)

    return changed


def twice(tasks: Path) -> None:
    shutil.copytree(tasks.parent, tasks.parent.parent / "02_again")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda tasks: (tasks / "slope" / "hints.toml").unlink(), r"slope lacks hints\.toml"),
        (lambda tasks: (tasks / "exercise.toml").unlink(), r"_tasks lacks exercise\.toml"),
        (lambda tasks: (tasks / "opening.md").unlink(), r"opening\.md"),
        (
            change("slope/cases.toml", 'group = "grad"\n', 'group = "grads"\n'),
            r"cases\.toml has no case in the group 'grad'",
        ),
        (
            change("slope/task.py", '"grad", draw', '"value", draw'),
            r"cases\.toml: no check asks the cases of the group 'grad'",
        ),
        (change("slope/solution.py", "    ### END SOLUTION\n", ""), r"solution\.py needs ### BEGIN SOLUTION and"),
        (lambda tasks: (tasks / "third").mkdir(), r"exercise\.toml does not name third among its tasks"),
        (change("exercise.toml", "version", "versoin"), r"exercise\.toml, line 1: unknown key 'versoin'"),
        (change("exercise.toml", '"double", ', ""), r"does not name double"),
        (change("exercise.toml", "= 1", '= "one"'), r"exercise\.toml, line 1: version is not a number"),
        (change("slope/hints.toml", "pointer", "pointr"), r"hints\.toml, line 2: unknown key 'pointr'"),
        (change("slope/cases.toml", "expected", "expcted"), r"cases\.toml, line 8: unknown key 'expcted'"),
        (change("slope/cases.toml", '"value"', '"vaule"'), r"cases\.toml has no case in the group 'value'"),
        (change("slope/cases.toml", "[[case]]", "[[case"), r"cases\.toml"),
        (
            change("slope/cases.toml", "tensor = 6.0", "tensr = 6.0"),
            r"cases\.toml, line 9: unknown key 'tensr' in a val",
        ),
        (
            change("slope/cases.toml", "dtype", "dtyp"),
            r"cases\.toml, line 9: unknown key 'dtyp' in a value; the keys are",
        ),
        (
            change("slope/cases.toml", "none = true", "nan = true"),
            r"public case 1 of 'nothing filled' is recorded other",
        ),
        (
            change("slope/cases.toml", "float32", "float23"),
            r"cases\.toml, line 9: there is no dtype 'float23' \(did you",
        ),
        (
            change("double/cases.toml", "[3.0]", "[{ number = 3.0 }]"),
            r"cases\.toml, line 2: unknown key 'number' in a v",
        ),
        (change("double/cases.toml", "[3.0]", "3.0"), r"cases\.toml, line 2: inputs is not a list"),
        (change("double/cases.toml", "[3.0]", '[{ family = "cubc" }]'), r"line 2: there is no family 'cubc' \(did you"),
        (
            change("double/cases.toml", "[3.0]", '[{ family = "exponential" }]'),
            r"line 2: .* lacks coefficient 'b'; it ",
        ),
        (
            change("slope/equivalents.toml", "within", "witin"),
            r"equivalents\.toml, line 2: unknown key 'witin'; the keys",
        ),
        (change("slope/equivalents.toml", "[['", "['"), r"equivalents\.toml: "),
        (
            change("slope/equivalents.toml", ", 'return torch.autograd.grad(y, x)[-1]'", ""),
            r"line 1: a change is two tex",
        ),
        (
            lambda tasks: (tasks / "reading.toml").write_text('"retaning" = "Slopes"'),
            r"reading\.toml: no mistake speaks of 'retaning'; the topics are a leaf of your own, .*retaining",
        ),
        (
            lambda tasks: (tasks / "reading.toml").write_text("retaining = 3"),
            r"reading\.toml, line 1: 'retaining' is n",
        ),
        (lambda tasks: (tasks / "reading.toml").write_text("retaining ="), r"reading\.toml: Invalid value"),
        (
            lambda tasks: (tasks / "not_held_out.toml").write_text('doubel = ["squared"]'),
            r"not_held_out\.toml, line 1: unknown key 'doubel'; the keys are double, slope",
        ),
        (change("slope/cases.toml", "y = x * x", "y = x +* x"), r"cases\.toml, line 5: SyntaxError: invalid syntax"),
        (change("slope/cases.toml", "y = x * x", "y = x * z"), r"cases\.toml, line 5: NameError: name 'z' is not def"),
        (
            change("slope/task.py", "lambda y, x: torch.autograd.grad(y, x)[0]", "lambda y, x: torch.grad(y, x)"),
            r"slope/task\.py, line 23: AttributeError: module 'torch' has no attribute 'grad'",
        ),
        (
            change("slope/task.py", "{tensor_text(source, (3,)", "{tensor_txt(source, (3,)"),
            r"slope/task\.py, line 33: NameError: name 'tensor_txt' is not defined",
        ),
        (change("slope/task.py", "(x * x *", "(x * z *"), r"task\.py draws a program whose line 2 is `y = \(x \* z"),
        (change("double/task.py", "answers.agree()", "answers.agre()"), r"double/task\.py, line 23: AttributeError"),
        (change("shared.py", "SHOWN", "SHOW"), r"slope/task\.py, line 15: ImportError: cannot import name 'SHOWN'"),
        (
            lambda tasks: (tasks / "shared.py").write_text("1 / 0"),
            r"shared\.py, line 1: ZeroDivisionError: division by",
        ),
        (lambda tasks: (tasks / "shared.py").write_text("1 /"), r"shared\.py, line 1: SyntaxError: invalid syntax"),
        (
            change(
                "double/task.py", "TASK = Task(", "ONE = TASK = Task(", "TASK.check", "ONE.check", "ONE = TASK", "ONE"
            ),
            r"declares no TASK",
        ),
        (
            change("slope/answers.py", 'wrote="return gradient.abs()"', 'wrote="return gradient.abs("'),
            r"answers\.py, line \d+: the wrong answer the_sign_lost: line 5 of the cell is not Python \(",
        ),
        (
            change("double/answers.py", "    def double(x):\n        return x**2", "    return x**2"),
            r"answers\.py, line 6: the wrong answer squared: line 1 of the cell is not Python \('return' outside fu",
        ),
        (change("exercise.toml", '"slope"', "3"), r"exercise\.toml: tasks = .*, 3\], but it takes the names of tasks"),
        (change("exercise.toml", '"slope"', '"double"'), r"exercise\.toml: tasks = .* names of tasks, each once"),
        (twice, r"two tasks are called double: .*01_doubling.* and .*02_again"),
        (change("double/task.py", "minutes=2", "minuets=2"), r"task\.py, line \d+: TypeError: .*minuets"),
        (change("double/task.py", "TASK = ", "TASK + "), r"task\.py"),
        (change("double/answers.py", "return x**2", "return 2 * x"), r"answers\.py, line \d+: .*'squared'.* is right"),
        (change("double/answers.py", "def times_itself", "def squared"), r"answers\.py, line \d+: .*called squared"),
        (
            change(
                "double/task.py",
                "\n\n@TASK",
                "\n\n@TASK.check('b', points=1)\ndef test_double(answers):\n    answers.agree()\n\n\n@TASK",
            ),
            r"double/task\.py: two checks have a test test_double: rename one",
        ),
        (
            change("slope/task.py", "def test_slope(", "def test_double("),
            r"double/task\.py: .*slope/task\.py has a test test_double too",
        ),
        (
            change("double/answers.py", "@right\ndef halved", "@wrong\ndef halved"),
            r"answers\.py, line \d+: TypeError: @wrong takes",
        ),
        (change("slope/statement.md", "gradient 2,", "gradient 3,"), r"statement\.md, line 4: .*names 4 points.* 3"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(
    course: Path,
    spoil: Callable[[Path], None],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("autograder.proving.command.MUTANTS", 2)
    spoil(course / EXERCISE / "_tasks")
    assert main(["check-task", "double"]) or main(["check-task", "slope"])
    out = capsys.readouterr()
    lines = [line for line in (out.out + out.err).splitlines() if re.search(said, line)]
    assert len(lines) == 1, out
    assert "Traceback" not in out.out + out.err


def test_the_cache_that_a_removed_task_leaves_is_no_task(course: Path) -> None:
    (course / EXERCISE / "_tasks" / "gone" / "__pycache__").mkdir(parents=True)
    assert read_exercise(course / EXERCISE / "_tasks").tasks == ("double", "slope")


def test_what_jupyterlab_keeps_beside_a_file_is_no_task(course: Path) -> None:
    (course / EXERCISE / "_tasks" / ".ipynb_checkpoints").mkdir()
    (course / EXERCISE / "_tasks" / ".ipynb_checkpoints" / "opening-checkpoint.md").touch()
    assert read_exercise(course / EXERCISE / "_tasks").tasks == ("double", "slope")


def test_without_a_lesson_nothing_is_to_be_read_again(course: Path) -> None:
    verdict, _ = judge_namespace("double", {"double": lambda x: x})
    assert "\n  Read again: lesson 01, “Doubling”. A hint: " in verdict_as_text(verdict)
    assert "\n  A hint: " in verdict_as_text(dataclasses.replace(verdict, section=""))


def test_an_exercise_is_read_without_importing_its_tasks(course: Path) -> None:
    (course / EXERCISE / "_tasks" / "double" / "task.py").write_text("raise SystemExit")
    assert read_exercise(course / EXERCISE / "_tasks").tasks == ("double", "slope")


def test_the_engine_points_into_lessons_only_where_the_course_says_so(course: Path) -> None:
    sentence = "The graph is gone. {read what a call frees}"
    assert with_reading(sentence) == "The graph is gone."
    shutil.copytree(course, course.parent / "other")
    reading = course.parent / "other" / EXERCISE / "_tasks" / "reading.toml"
    reading.write_text('"what a call frees" = "What a call frees"')
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(COURSE, str(course.parent / "other"))
        assert with_reading(sentence) == "The graph is gone. See lesson 01, “What a call frees”."


def test_the_engine_names_no_task_and_no_exercise() -> None:
    """Words that English has anyway may be identifiers: a distance, say."""
    tasks = {name for exercise in exercises() for name in exercise_folder(exercise).tasks}
    marked = {task for task in tasks if "_" in task or len(re.findall("[A-Z]", task)) > 1}
    for path in sorted(Path(autograder.__file__).parent.rglob("*.py")):
        assert not re.search("|".join(map(re.escape, exercises())), path.read_text()), path
        with path.open("rb") as file:
            tokens = list(tokenize.tokenize(file.readline))
        assert {one.string for one in tokens if one.type == tokenize.NAME} & marked == set(), path
        assert {one.string.strip("\"'") for one in tokens if one.type == tokenize.STRING} & tasks == set(), path


@pytest.mark.parametrize("name", ["answers.py", "task.py", "cases.toml"])
def test_verdicts_are_outdated_where_a_task_folder_has_changed(course: Path, name: str) -> None:
    before = judging_digest()
    path = course / EXERCISE / "_tasks" / "double" / name
    path.write_text(path.read_text() + "\n# changed\n")
    _sources.cache_clear()
    assert judging_digest() != before
