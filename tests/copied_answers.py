"""Classes made of the repository's answers, and copies as people make them who do not want to be noticed."""

from __future__ import annotations

import ast
import random
from itertools import zip_longest

from autograder.similarity.fragments import Cell, cells_of, fragments
from autograder.similarity.pairs import few_of
from tests.answers import Answer, right_answers, wrong_answers
from tests.submissions import released, solution_sources, submission


def class_of_answers(exercise: str, wrong: bool = True) -> dict[str, dict[str, Answer]]:
    """Students who answer every task differently as long as there are answers; by name, then by task."""
    by_task: dict[str, list[Answer]] = {}
    answers = [*right_answers(exercise), *(wrong_answers(exercise) if wrong else [])]
    for answer in {one.source: one for one in reversed(answers)}.values():  # a whole engine answers several tasks
        by_task.setdefault(answer.task, []).insert(0, answer)
    rounds = zip_longest(*by_task.values())
    return {
        f"student-{number:02}": {answer.task: answer for answer in answers if answer is not None}
        for number, answers in enumerate(rounds, start=1)
    }


def handed_in(exercise: str, answers: dict[str, str]) -> list[Cell]:
    """The cells of a notebook with these answers."""
    return cells_of(submission(exercise, answers))


def works_of(exercise: str, students: dict[str, dict[str, str]]) -> tuple[dict[str, dict[int, str]], set[int], int]:
    """What `pairs` takes: each student's fragments, the published ones, and how many are a few."""
    works = {name: fragments(handed_in(exercise, answers)) for name, answers in students.items()}
    published = (cells_of(released(exercise)), handed_in(exercise, solution_sources(exercise)))
    return works, {fragment for cells in published for fragment in fragments(cells)}, few_of(len(works))


def disguised(source: str, seed: int = 1) -> str:
    """The same code with other names, other comments, other constants, and functions and methods in another order."""
    source_of_chance = random.Random(seed)
    tree = _Renamed(source).visit(ast.parse(source))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef)):
            _shuffle(node.body, source_of_chance)
    lines = ast.unparse(ast.fix_missing_locations(tree)).split("\n")
    return "\n".join(line + "  # note" * (number % 3 == 0) for number, line in enumerate(lines))


def _shuffle(body: list[ast.stmt], source: random.Random) -> None:
    places = [place for place, node in enumerate(body) if isinstance(node, ast.FunctionDef)]
    functions = [body[place] for place in places]
    source.shuffle(functions)
    for place, node in zip(places, functions, strict=True):
        body[place] = node


class _Renamed(ast.NodeTransformer):
    """Every name that the code itself binds gets another one, apart from functions and classes, which tasks name."""

    def __init__(self, source: str) -> None:
        bound = {node.arg for node in ast.walk(ast.parse(source)) if isinstance(node, ast.arg)}
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound.add(node.id)
        self.names = {name: f"my_{name}_{number}" for number, name in enumerate(sorted(bound))}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.names.get(node.arg, node.arg)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        if type(node.value) in (int, float):
            node.value += 0.125
        elif isinstance(node.value, str):
            node.value += "!"
        return node
