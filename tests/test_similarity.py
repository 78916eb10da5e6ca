"""Copies are seen, independent answers are not, and no submission can do more than be left out."""

from __future__ import annotations

import argparse
import ast
import dataclasses
import difflib
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from autograder.checks.catalogue import exercises
from autograder.classroom.course import Course
from autograder.classroom.errors import CourseError
from autograder.similarity import command
from autograder.similarity.fragments import Cell, UncomparableError, fragments
from autograder.similarity.pairs import LEAST, Pair, few_of, pairs
from autograder.similarity.report import HINT, Findings, write_report
from autograder.similarity.side_by_side import side_by_side
from autograder.similarity.syntax import sequences
from autograder.student_data.stored import forget
from tests.answers import Answer
from tests.copied_answers import class_of_answers, disguised, handed_in, works_of
from tests.course import hand_in, new_course
from tests.depth import exhaustive, one_of_each, proof
from tests.submissions import as_bytes, released, solution_sources, solved, submission

EXERCISE = "01_scalar_graphs"
TABLES = ("12_twins",)
"""Exercises that are one table of strings, in which a copy looks like any right answer."""
DERIVED = 0.6
"""Answers whose texts are alike to this degree were written from each other."""


def sources(students: dict[str, dict[str, Answer]]) -> dict[str, dict[str, str]]:
    return {name: {task: answer.source for task, answer in answers.items()} for name, answers in students.items()}


def likeness(first: dict[str, Answer], second: dict[str, Answer]) -> float:
    """How alike the texts of two students' most similar answers are."""
    words = [(first[task].source.split(), second[task].source.split()) for task in first.keys() & second.keys()]
    return max(difflib.SequenceMatcher(None, *both, autojunk=False).ratio() for both in words)


@pytest.mark.parametrize("exercise", exercises())
def test_independent_right_answers_are_never_flagged(exercise: str) -> None:
    """Even in a class as small as this, where no solution is common."""
    works, published, _ = works_of(exercise, sources(class_of_answers(exercise, wrong=False)))
    assert len(works) >= 2
    assert pairs(works, published, len(works)) == []


@pytest.mark.parametrize("exercise", one_of_each(exercises(), type, rest=exhaustive))
def test_of_right_and_wrong_answers_only_those_written_from_each_other_are_flagged(exercise: str) -> None:
    students = class_of_answers(exercise)
    for pair in pairs(*works_of(exercise, sources(students))):
        assert likeness(students[pair.first], students[pair.second]) > DERIVED, pair


@pytest.mark.parametrize(
    "exercise", one_of_each([one for one in exercises() if one not in TABLES], type, rest=exhaustive)
)
def test_a_disguised_copy_is_the_first_pair(exercise: str) -> None:
    """Other names, comments and constants, functions and methods in another order."""
    students = sources(class_of_answers(exercise))
    copy = {task: disguised(source) for task, source in students["student-01"].items()}
    first, *_ = pairs(*works_of(exercise, students | {"student-99": copy}))
    assert (first.first, first.second) == ("student-01", "student-99")
    assert first.overlaps[0].share > 0.9
    assert difflib.SequenceMatcher(None, *("\n".join(x.values()) for x in (students["student-01"], copy))).ratio() < 0.9


def test_one_copied_task_is_seen_among_others_of_ones_own_and_in_another_cell() -> None:
    students = sources(class_of_answers(EXERCISE))
    own = students.pop("student-20")
    copied = "value_arithmetic"
    students["student-99"] = own | {copied: "", "fit_neuron": disguised(students["student-03"][copied])}
    (pair,) = [one for one in pairs(*works_of(EXERCISE, students)) if one.second == "student-99"]
    assert pair.first == "student-03"
    assert copied in {overlap.task for overlap in pair.overlaps}


def test_the_published_solution_and_the_released_notebook_count_nothing() -> None:
    published = solution_sources(EXERCISE)
    students = {f"student-{number:02}": published if number < 2 else {} for number in range(4)}
    assert pairs(*works_of(EXERCISE, students)) == []
    works, _, few = works_of(EXERCISE, students)
    assert pairs(works, set(), few) != []


def test_what_more_than_a_few_share_counts_nothing() -> None:
    students = sources(class_of_answers(EXERCISE))
    for number in range(80, 80 + few_of(80)):
        students[f"student-{number}"] = students["student-01"]
    flagged = pairs(*works_of(EXERCISE, students))
    assert not [pair for pair in flagged if "student-01" in (pair.first, pair.second)]
    works, published, _ = works_of(EXERCISE, students)
    assert any(pair.first == "student-01" for pair in pairs(works, published, few_of(80) + 1))


def test_a_task_with_one_short_answer_is_left_out() -> None:
    source = "def forward_values(x, w, b):\n    return {'u': x * w, 'v': x * w + b, 'a': max(0, x * w + b)}\n"
    students = sources(class_of_answers(EXERCISE))
    students |= {"student-98": {"forward_values": source}, "student-99": {"forward_values": source}}
    flagged = pairs(*works_of(EXERCISE, students))
    assert not [pair for pair in flagged if "student-99" in (pair.first, pair.second)]


def labels(source: str) -> list[list[str]]:
    """A cell's sequences, without lines."""
    return [[label for label, _ in sequence] for sequence in sequences(ast.parse(source))]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("x = 3\n'a remark'\nprint(x)", "name = 4.5\nprint(name)"),
        ("def f(a: int) -> int:\n    'Doc.'\n    return a", "def g(b):\n    return b"),
        ("def f(a):\n    return (a,\n        'x')  # here", "def f(a): return a, 'y'"),
        ("def f(a): return a\ndef g(a, b): return b", "def h(a, b): return b\ndef f(a): return a"),
    ],
)
def test_what_a_copyist_changes_changes_nothing(first: str, second: str) -> None:
    assert sorted(labels(first)) == sorted(labels(second))


def test_what_is_imported_is_the_same_under_any_name() -> None:
    first, second = (
        labels(f"import torch{alias}\n{name}.exp(3)")[0] for alias, name in (("", "torch"), (" as t", "t"))
    )
    assert first[2:] == second[2:] == ["Expr", "Call", "Attribute exp", "Name torch", "Constant number"]


def test_a_librarys_names_make_a_difference() -> None:
    assert labels("torch.exp(x)") != labels("torch.sin(x)")
    assert labels("f(keepdim=True)") != labels("f(dim=True)") != labels("f(dim=False)")


HOSTILE: dict[str, str] = {
    "parentheses": "(" * 90_000,
    "unary": "-" * 90_000 + "1",
    "attributes": "a" + ".b" * 40_000,
    "sums": "1" + "+1" * 40_000,
    "calls": "f" + "()" * 40_000,
    "comparisons": "1" + "<1" * 45_000,
    "indents": "".join(" " * depth + "if 1:\n" for depth in range(300)),
    "null bytes": "x = 1\0",
    "no Python": "def (:",
    "a long number": "9" * 90_000,
    "10 MB": "x = 1\n" * 1_700_000,
    "thousands of functions": "def f(a):\n    return [a + 1 for a in range(a) if a]\n" * 1_900,
    "surrogates": "x = '\udc80'",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_cell_takes_little_time_and_is_left_out_for_one_reason(kind: str) -> None:
    start = time.process_time()
    with pytest.raises(UncomparableError) as raised:
        fragments([Cell("t", HOSTILE[kind])])
    assert time.process_time() - start < 5
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 200


def test_ipythons_lines_are_passed_over() -> None:
    body = "def f(a):\n    {}\n    return [b * a for b in range(10)]\n"
    magic, plain = "%matplotlib inline\n!ls\nprint?\n" + body.format("%time"), "pass\n" * 3 + body.format("pass")
    assert fragments([Cell("t", magic)]) == fragments([Cell("t", plain)]) != {}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class with one copy in it, and submissions of all kinds."""
    course = new_course(tmp_path_factory.mktemp("course"))
    answers = sources(class_of_answers(EXERCISE))
    copied = {task: disguised(source) for task, source in answers["student-01"].items()}
    for name in list(answers)[:12]:
        hand_in(course, name, EXERCISE, as_bytes(submission(EXERCISE, answers[name])))
    hand_in(course, "student-90", EXERCISE, as_bytes(submission(EXERCISE, copied)))
    hand_in(course, "student-91", EXERCISE, as_bytes(released(EXERCISE)))
    hand_in(course, "student-92", EXERCISE, b"{ not a notebook")
    hand_in(course, "student-93", EXERCISE, json.dumps({"nbformat": 4, "cells": "none"}).encode())
    (course / "elsewhere.ipynb").write_bytes(as_bytes(solved(EXERCISE)))
    folder = course / "gradebook" / "submitted" / "student-94" / EXERCISE
    folder.mkdir(parents=True)
    (folder / f"{EXERCISE}.ipynb").symlink_to(course / "elsewhere.ipynb")
    loud = submission(EXERCISE, answers["student-02"])
    loud.cells.insert(1, new_code_cell(f"open({str(course / 'ran')!r}, 'w')", id="loud"))
    hand_in(course, "student-95", EXERCISE, as_bytes(loud))
    return course


def test_the_command_prints_pairs_and_writes_pages(course: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "autograder.command_line", "similarity", EXERCISE],
        cwd=course,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert said.startswith(HINT)
    assert "2 pairs among 15 submissions" in said
    assert "student-92: The file is not a notebook" in said
    assert "student-94: The submitted notebook is a link." in said
    assert not (course / "ran").exists()
    pages = sorted(path.name for path in (course / "gradebook" / "similarity" / EXERCISE).iterdir())
    assert pages == ["index.html", "pair-001.html", "pair-002.html"]
    for path in (course / "gradebook" / "similarity" / EXERCISE).iterdir():
        text = path.read_text()
        assert text.partition("<main>\n")[2].startswith(f"<p><strong>{HINT.replace(chr(39), '&#x27;')}")
        assert "<script" not in text
        assert "http://" not in text
        assert "https://" not in text


def test_a_course_without_two_submissions_is_told(
    course: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(course)
    assert command.compare_class(argparse.Namespace(exercise="02_grad", few=None, pages=1)) == 2
    assert "there are 0 submissions of '02_grad' to compare" in capsys.readouterr().err
    for name in ("..", ".", "../submitted"):
        assert command.compare_class(argparse.Namespace(exercise=name, few=None, pages=1)) == 2
        assert "is no exercise's name" in capsys.readouterr().err


@proof
def test_a_forgotten_students_pages_go(course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "course"
    shutil.copytree(course, own, symlinks=True)
    monkeypatch.chdir(own)
    report = own / "gradebook" / "similarity" / EXERCISE
    if not report.exists():
        write_report(command.compare(Course(), EXERCISE), report, 10)
    forget(Course(), "student-05")
    assert report.exists()
    forget(Course(), "student-90")
    assert not report.exists()


def two(first: str, second: str, names: tuple[str, str] = ("student-01", "student-02")) -> Findings:
    """Findings about two students with one cell each."""
    cells = {name: [Cell("t", source)] for name, source in zip(names, (first, second), strict=True)}
    found = pairs({name: fragments(own) for name, own in cells.items()}, set(), 2)
    return Findings("e", cells, found, {}, 2)


LONG = "def f(a):\n" + "\n".join(f"    b{n} = torch.op_{n}(a, [{n}, a])" for n in range(12)) + "\n"


def test_shared_lines_are_marked_with_their_counterpart_and_others_are_not() -> None:
    findings = two(f"import torch\n{LONG}", f"{LONG}\nunlike = [i for i in 'anything']\n")
    html = side_by_side(findings.pairs[0], *findings.cells.values())
    assert "<span class=both><i>    1.3 | = 1.2" in html
    assert "<span><i>    1.1  " in html
    assert "<span><i>   1.15  " in html
    assert html.count("class=both") == 2 * 13


def test_a_pair_says_which_versions_of_a_task_both_were_dealt() -> None:
    findings = two(LONG, LONG)
    for other, said in ((3, ", versions 2 and 3"), (2, "")):
        dealt = {"student-01": {"t": 2}, "student-02": {"t": other}}
        told = dataclasses.replace(findings, versions=dealt).described(findings.pairs[0])
        assert [one.partition("fragments)")[2] for one in told if one.startswith("t:")] == [said]


def test_what_the_instructor_of_an_own_course_published_counts_nothing(tmp_path: Path) -> None:
    (tmp_path / "nbgrader_config.py").write_text(f"c = get_config()\nc.CourseDirectory.root = {str(tmp_path)!r}\n")
    given = as_bytes(new_notebook(cells=[new_code_cell(LONG), new_code_cell("not Python")]))
    for folder in ("source/ps1", "release/ps1", "submitted/student-01/ps1", "submitted/student-02/ps1"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "problem2.ipynb").write_bytes(given)
    assert command.compare(Course(tmp_path), "ps1").pairs == []
    shutil.rmtree(tmp_path / "release")
    with pytest.raises(CourseError, match=r"no notebook in .*release/ps1, .* `nbgrader generate_assignment ps1`"):
        command.compare(Course(tmp_path), "ps1")


HOSTILE_TEXT = ("<script>alert(1)</script>", "</pre><img src=x onerror=alert(1)>", "\u202e\u200b")


@pytest.mark.parametrize("hostile", HOSTILE_TEXT)
def test_nothing_of_a_student_is_markup_or_invisible(hostile: str, tmp_path: Path) -> None:
    source = f"# {hostile}\n{LONG}"
    findings = two(source, source, ("student-01", f"student {hostile}"))
    write_report(findings, tmp_path / "report", 5)
    for path in (tmp_path / "report").iterdir():
        text = path.read_text()
        assert "<script" not in text
        assert "<img" not in text
        assert not set("\u202e\u200b") & set(text)
        assert "default-src 'none'" in text
        assert "pair-001" in text or "student-01" in text


def steps(work: Callable[[], object]) -> int:
    """Calls made on the way: what an algorithm costs, the same on every machine."""
    count = 0

    def counts(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(counts)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_the_work_grows_with_the_class_and_not_with_its_square() -> None:
    students = list(sources(class_of_answers(EXERCISE)).values())
    works = [fragments(handed_in(EXERCISE, answers)) for answers in students]
    few, many = ({f"student-{n:04}": works[n % len(works)] for n in range(size)} for size in (100, 800))
    assert steps(lambda: pairs(many, set(), 5)) <= 8 * steps(lambda: pairs(few, set(), 5))


def test_what_is_shared_must_be_enough() -> None:
    """Of what one has, all is shared, and it is too little."""
    short = "".join(LONG.splitlines(keepends=True)[:3])
    assert 0 < len(fragments([Cell("t", short)])) < LEAST
    assert two(short, short).pairs == []


@pytest.mark.parametrize(
    "source", ["# x" + "\u0301" * 85_000, "# " + "a." * 40_000, "\n" * 90_000], ids=["accents", "dots", "lines"]
)
def test_a_page_holds_no_more_than_a_browser_draws(source: str) -> None:
    """85,000 accents on a letter, in a comment, ended the browser that showed the pair."""
    shown = side_by_side(Pair("student-01", "student-02", (), frozenset()), [Cell("t", source)], [Cell("t", "x = 1")])
    assert len(shown) < 1_000_000
    assert max(map(len, shown.split("</span>"))) < 3_000
    assert "\u0301" * 21 not in shown
