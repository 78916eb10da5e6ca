"""`python -m tests.checks_table [EXERCISE ...]`: how well each task's checks are proved, as docs/checks.md.

Judges every wrong answer, every right one and every mutant, which takes some minutes an exercise; a process for each.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from autograder.checks.catalogue import cells_before, exercises, tasks_of
from autograder.checks.task import Task
from autograder.proving.mutants.bench import Bench
from autograder.proving.mutants.figures import Score, scores
from autograder.proving.regions import figures as figures_of_regions
from tests.answers import Answer, right_answers, wrong_answers
from tests.submissions import COURSE

PAGE = COURSE / "docs" / "checks.md"
HEAD = """# How well the checks are proved

`make checks-table` makes this page from the repository's own wrong and right answers and from mutants of the published
solutions. Its columns:

- *second source*: what the reference was verified against, on public values and on 200 draws (20 in `make test`, the
  rest in `make exhaustive`);
- *caught*: wrong answers that lose points, of all that are written down;
- *by name*: wrong answers that get their own diagnosis;
- *right*: right answers, written in other ways, that get full points;
- *mutants*: small changes to the published solution that lose points, of those that change its behaviour (the others
  are listed with the reason in the task's `equivalents.toml`);
- *region mutants*: published solutions made wrong in one region only, such as where an entry is 0, or left right but
  made to damage an argument afterwards, that lose points at each of 20 seeds (a task without a figure declares no
  regions yet).

The figures are for the project's own answers, which were used to write the checks. For a test on unseen answers,
strangers wrote answers from the statements alone. Each of these was used once, and none is kept in the repository:

- For 24 tasks 216 wrong answers, two in nine of them with two mistakes and two in nine wrong in one region only, and 72
  right answers. No right answer was refused, and one wrong answer was accepted. A reader who knew the true mistake
  judged the feedback on the others: 65% were named and 25% located; 6% got a sentence that is partly about another
  mistake, 0.9% only the name of another mistake, and 4% nothing but numbers.
- Later, for 30 tasks drawn by lot, 270 wrong answers of the same kinds and 60 right answers. One wrong answer was
  accepted and turned out to be right. Two right answers were refused, because their author had not been shown a
  statement to which the task refers. Of the feedback 70% named the mistake and 19% located it, 6% was partly about
  another mistake, 0.7% only about another mistake, and 5% nothing but numbers.
- For all 81 tasks other than predictions 810 answers, each of which breaks the one requirement of its task that its
  author thought a test would forget, and 81 right answers. Of the 810, 183 were accepted: 134 of them lose points now,
  for 39 the statement asks for less now (it says, for example, that grad mode is on when the code is called), 3 turned
  out right, and 7 are still accepted. One right answer was refused, and is accepted now. Of the feedback on 195 of
  those that lost points at once, 86% was named or located; 7% was partly about another mistake, 3% misled, and 5% was
  nothing but numbers.
"""
COLUMNS = ("task", "points", "reference", "second source", "caught", "by name", "right", "mutants", "region mutants")


def row(task: Task, bench: Bench, score: Score) -> tuple[list[str], list[int]]:
    """A task's line, and its counts: wrong, caught, named, right, passed, mutants, killed, the same of regions."""
    before = cells_before(task)

    def judged(answer: Answer) -> tuple[bool, bool]:
        verdict = bench.verdict(task, answer.source, before)
        names = {result.mistake or result.kind.replace("_", " ") for result in verdict.results}
        return verdict.points == verdict.maximum, answer.diagnosed in names

    wrong = [judged(answer) for answer in wrong_answers(task.exercise) if answer.task == task.name]
    right = [judged(answer) for answer in right_answers(task.exercise) if answer.task == task.name]
    figures, regions = score.figures, figures_of_regions.score(task.name)
    regional = [regions.mutants, regions.mutants - len(regions.survivors) - len(regions.allowed)] if regions else [0, 0]
    counts = [
        len(wrong),
        sum(not full for full, _ in wrong),
        sum(named for full, named in wrong if not full),
        len(right),
        sum(full for full, _ in right),
        figures["mutants"] - figures["equivalent"],
        figures["killed"],
        *regional,
    ]
    shares = [f"{counts[1]}/{counts[0]}", f"{counts[2]}/{counts[0]}", f"{counts[4]}/{counts[3]}"]
    sources = [f"{task.points:g}", task.reference.oracle_by, task.reference.second_by]
    mutants = [f"{counts[6]}/{counts[5]}", f"{counts[8]}/{counts[7]}" if regions else ""]
    return [f"`{task.name}`", *sources, *shares, *mutants], counts


def section(exercise: str) -> tuple[str, list[int]]:
    """An exercise's table, and the sums of its counts."""
    found, lines, total = scores(exercise), [], [0] * 9
    with Bench() as bench:
        for name, task in tasks_of(exercise).items():
            line, counts = row(task, bench, found[name])
            lines.append(f"| {' | '.join(line)} |")
            total = [one + other for one, other in zip(total, counts, strict=True)]
    head = [f"| {' | '.join(COLUMNS)} |", f"|{'---|' * len(COLUMNS)}"]
    return "\n".join([f"## {exercise}\n", *head, *lines]) + "\n", total


def page(names: list[str]) -> str:
    """The whole page."""
    with ProcessPoolExecutor(max_tasks_per_child=1, mp_context=get_context("spawn")) as pool:
        parts, counts = zip(*pool.map(section, names), strict=True)
    wrong, caught, named, right, passed, made, killed, regional, lost = map(sum, zip(*counts, strict=True))
    together = (
        f"Together: {caught} of {wrong} wrong answers caught, {named} of them by their own name "
        f"({named / wrong:.1%}), {passed} of {right} right answers with full points, {killed} of {made} mutants "
        f"killed, {lost} of {regional} region mutants killed.\n"
    )
    return "\n".join([HEAD, together, *parts])


def main() -> None:
    """Write the page."""
    Path(PAGE).parent.mkdir(exist_ok=True)
    PAGE.write_text(page(sys.argv[1:] or list(exercises())), encoding="utf-8")
    print(PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
