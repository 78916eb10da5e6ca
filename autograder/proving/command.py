"""Run `autograder check-task`: prove one task, and print what is missing."""

from __future__ import annotations

import functools
import random
import traceback
from collections.abc import Callable, Iterator

from autograder.authoring.scaffolding import to_fill_in
from autograder.checks.catalogue import cells_before, find_task
from autograder.checks.task import Task
from autograder.proving import derived_notebooks, files, mistakes, named_mistakes, two_sources, versions
from autograder.proving.mutants.bench import Bench
from autograder.proving.problems import Problem, explained, grouped
from autograder.proving.regions.declared import declared, undeclared
from autograder.proving.regions.figures import problems_of, table
from autograder.proving.regions.recording import record
from autograder.proving.written_answers import verdict_problems
from autograder.tasks import siblings
from autograder.tasks.versions import source_of_version
from autograder.wire.outcome import Outcome

DRAWS = range(20)
MUTANTS = 40
"""Size of the sample of mutants, which takes seconds to judge; `make mutants` judges all."""


def prove(name: str, with_traceback: bool = False, each: bool = False) -> int:
    """Prove a task, and print for each claim whether it holds.

    Args:
        name: the task's name.
        with_traceback: also print full tracebacks of exceptions in the task's files.
        each: print every problem, also where many are alike.

    Returns:
        The exit status: 1 if there is any problem, else 0.

    Raises:
        LookupError: if there is no such task.
        TaskFolderError: if its folder cannot be imported.
    """
    task = find_task(name)
    said: list[str] = []

    def holds(what: str, *parts: Callable[[Task], Iterator[Problem]], of: Task = task) -> bool:
        found = list(grouped((problem for part in parts for problem in _found(of, part, with_traceback)), each))
        new = [one for one in found if one not in said]
        said.extend(new)
        print(f"{'-' if found else '+'} {what}{': as above' if found and not new else ''}", flush=True)
        for one in new:
            print(f"    {one}", flush=True)
        return not found

    right = holds("its files can be used", files.usable)
    right = right and holds("two sources agree, and draws follow their seed", _of_references)
    right = right and holds("the published solution has full points", _of_solution)
    if right:
        holds("mistakes predict answers", mistakes.without_answers)
        holds("mistakes are told apart", mistakes.distinguishable, mistakes.well_worded, mistakes.held_out)
        holds("mistakes that the lesson and the texts name have messages", named_mistakes.with_messages)
        holds("answers get what they must", _of_answers)
        asked: list[str] = []
        holds(
            "each region that the statement promises is asked every time", functools.partial(_of_regions, shown=asked)
        )
        print(*(f"  {line}" for line in asked), sep="\n", end="\n" if asked else "", flush=True)
        holds("mutants of the solution lose points", _of_mutants)
        _prove_versions(task, holds)
    holds("the folder is whole", files.whole, files.styled, derived_notebooks.in_lesson)
    holds("the notebooks are made from the folder", derived_notebooks.up_to_date)
    holds("nothing is left to fill in", _to_fill_in)
    if said:
        print(f"{task.name}: {len(said)} to mend{'' if right else '; mistakes, answers and mutants wait until then'}")
        return 1
    left = [*derived_notebooks.left_to_do(task), *undeclared(task)]
    print(f"{task.name} is proved.", *(f"Left to do: {one}." for one in left), sep="\n")
    return 0


def _prove_versions(task: Task, holds: Callable[..., bool]) -> None:
    """Prove the versions of a task as the task itself, and that an answer to one loses its points in the others."""
    of_task = versions.versions(task)
    if of_task:
        holds("the texts of the versions are in the folder", versions.parameters_used)
    for one in of_task:
        named = f"version {one.version}: "
        usable = files.usable, _of_references, _of_solution
        if one.version > 1 and holds(f"{named}references and solution", *usable, of=one):
            about = mistakes.without_answers, mistakes.distinguishable, mistakes.well_worded
            holds(f"{named}mistakes and answers", *about, _of_answers, of=one)
            holds(f"{named}regions", functools.partial(_of_regions, shown=[]), of=one)
            holds(f"{named}mutants", _of_mutants, of=one)
        holds(f"{named}right answers to the others lose points as {siblings.NAME!r}", versions.other_answers, of=one)


def _found(task: Task, part: Callable[[Task], Iterator[Problem]], with_traceback: bool) -> Iterator[Problem]:
    """Yield the problems that a part finds; an exception ends the part and is reported as a problem too."""
    own, version = source_of_version(task.folder)

    def placed(problem: Problem) -> Problem:  # the files of another version have the same lines as the first's
        where = problem.sentence.replace(str(task.folder), str(own))
        return problem._replace(sentence=f"{where} (in version {version})" if version else where)

    try:
        yield from map(placed, part(task))
    except Exception as error:
        yield placed(Problem(explained(task, error)))
        if with_traceback:
            traceback.print_exception(error)


def _of_references(task: Task) -> Iterator[Problem]:
    yield from two_sources.sources_distinct(task)
    yield from two_sources.public_values(task)
    for check in task.checks:
        if check.strata:
            yield from two_sources.sources_agree(check, DRAWS)
            yield from two_sources.draws_follow_their_seed(check)


def _of_solution(task: Task) -> Iterator[Problem]:
    with Bench() as bench:
        published = bench.verdict(task, task.solution, cells_before(task))
        if any(result.kind == Outcome.DEFECT for result in published.results):
            bench.judged_here(task)  # raises the exception of the check itself
        if published.points < published.maximum:
            yield Problem(f"{task.folder / 'solution.py'}: the published solution loses points: {published.reason}")


def _of_answers(task: Task) -> Iterator[Problem]:
    before = cells_before(task)  # run for every answer, as in a student's notebook, even if it does not use them
    with Bench() as bench:
        for answer in task.answers.answers:
            yield from verdict_problems(answer, bench.verdict(task, answer.source, before))


def _of_regions(task: Task, shown: list[str]) -> Iterator[Problem]:
    """Report regions that are not always asked; add the table of all regions to `shown`."""
    if (of_task := declared(task)) is not None:
        found = record(task, of_task)
        shown += table(found)
        yield from problems_of(found)


def _of_mutants(task: Task) -> Iterator[Problem]:
    try:
        from autograder.proving.mutants import equivalent
        from autograder.proving.mutants.figures import mutants_of
    except ModuleNotFoundError as error:
        yield Problem(f"{error.name}, which makes the mutants, is missing: `pip install gradients-course[test]`")
        return
    before, listed, made = cells_before(task), equivalent.entries(task), mutants_of(task)
    for entry in equivalent.stale(task, {one.change for one in made}):
        where = f"{task.folder / equivalent.FILE}: no mutant within {entry.change.within!r} makes"
        yield Problem(f"{where} {entry.change.wrote!r} of {entry.change.was!r}", "entries without a mutant")
    made = [one for one in made if one.change not in listed]
    some = random.Random(task.name).sample(made, min(MUTANTS, len(made)))
    with Bench() as bench:
        for one in some:
            if bench.killed_by(task, one.source, before) is None:
                sentence = f"{task.name}: this change of the solution loses no points\n{one.diff}"
                yield Problem(sentence, "changes that lose no points")


def _to_fill_in(task: Task) -> Iterator[Problem]:
    yield from map(Problem, to_fill_in(task.folder))
