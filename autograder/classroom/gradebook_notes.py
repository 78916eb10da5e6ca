"""Notes on the gradebook in a class run's summary, such as stale rows and manual points that need a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rich.text import Text

from autograder.classroom.current_rows import MISSING
from autograder.classroom.done import Done
from autograder.standings.cell_score import CellScore
from autograder.visible_text import visible

LOST = (
    "Due dates, points given by hand and comments existed only in the gradebook: where rows were missing, "
    "restore a backup of gradebook.db, or give them again."
)

WITHDRAWN = "Withdrawn (graded once, not in `submitted` any more; no export sends their points):"
OTHERS = "Notebooks that are not graded, because the exercise has none of that name; rename those that you want graded:"
MOST_NAMED = 12
UNTIMED = "Times of submission that are unknown; these count as in time, whatever an earlier hand-in said:"


class GradebookNotes:
    """Collect notes on the gradebook: counts, and names wherever somebody has to look."""

    def __init__(self, several: bool = False) -> None:
        """
        Args:
            several: whether the run has several assignments, so that a student's name needs the assignment's.
        """
        self._several = several
        self._untimed = dict[str, None]()
        self._odd, self._empty, self._withdrawn = list[str](), list[str](), list[str]()
        self._differs, self._others = list[str](), list[str]()
        self._stale, self._penalties, self._by_hand = Counter[str](), list[str](), list[str]()
        self._scaled: dict[str, None] = {}

    def add(self, done: Done) -> None:
        """Note the result for one submission."""
        student = done.named(with_assignment=self._several)
        if done.untimed:
            self._untimed[visible(f"  {student}: {done.untimed}", kept="")] = None
        if done.stale:
            self._stale[done.stale] += 1
        if done.penalty is not None:
            before, now = (_points(one) for one in done.penalty)
            self._penalties.append(visible(f"  {student}: {before} before, {now} now", kept=""))
        self._by_hand += [visible(f"  {student}: {one}", kept="") for one in done.by_hand]
        self._scaled |= dict.fromkeys(done.scaled)

    def differs(self, sentences: list[str]) -> None:
        """Note what a person entered that the gradebook no longer holds, a sentence each."""
        self._differs += sentences

    def others(self, assignment: str, expected: Iterable[str], found: dict[str, list[str]]) -> None:
        """Note notebooks that are not graded because of their names.

        Args:
            assignment: its name.
            expected: names of the exercise's notebooks.
            found: by student, the file names of other notebooks.
        """
        wanted = ", ".join(f"{name}.ipynb" for name in sorted(expected))
        for student, names in found.items():
            told = f"  {assignment}: {student}: {', '.join(names)} (graded is {wanted})"
            self._others.append(visible(told, kept=""))

    def withdrawn(self, assignment: str, students: list[str]) -> None:
        """Note the students whose graded submissions were removed from `submitted` later."""
        several = f" ({assignment})" if self._several else ""
        self._withdrawn += [visible(f"  {student}{several}", kept="") for student in students]

    def check(self, assignment: str, cells: Iterable[tuple[str, CellScore]]) -> None:
        """Note manual points that are out of range, and questions left unanswered.

        Args:
            assignment: its name.
            cells: the students' names and the cells concerned.
        """
        empty = dict[str, list[str]]()
        for student, cell in cells:
            if cell.out_of_range:
                self._odd.append(visible(f"  {assignment}: {cell.task}: {student}: {cell.out_of_range}", kept=""))
            else:
                empty.setdefault(cell.task, []).append(student)
        for task, students in empty.items():
            self._empty.append(visible(f"  {assignment}: {task}: {_some(students)}", kept=""))

    def texts(self) -> Iterator[Text]:
        """Yield the notes as paragraphs."""
        if self._stale:
            reasons = ", ".join(f"{count} {why}" for why, count in self._stale.most_common())
            yield Text(f"Rows of the gradebook that did not hold what was graded: {reasons}.")
        if MISSING in self._stale:
            yield Text(LOST)
        yield from (Text(f"{one}.") for one in self._differs)
        if self._penalties:
            yield _paragraph(f"Late penalties that differ now: {len(self._penalties)}", self._penalties)
        if self._untimed:
            yield _paragraph(UNTIMED, list(self._untimed))
        if self._by_hand:
            yield _paragraph("Points given by hand that need a look in the formgrader:", self._by_hand)
        if self._odd:
            yield _paragraph("Points given by hand that are below 0, or more than the cell is worth:", self._odd)
        if self._empty:
            yield _paragraph("Questions left as they were handed out, which count 0:", self._empty)
        if self._others:
            yield _paragraph(OTHERS, self._others)
        if self._withdrawn:
            yield _paragraph(WITHDRAWN, self._withdrawn)
        if self._scaled:
            yield _paragraph("Points are scaled to what the notebook says:", [f"  {one}" for one in self._scaled])


def _some(students: list[str]) -> str:
    """Name the first students and count the others, because a whole class may leave an essay empty."""
    more = f" and {len(students) - MOST_NAMED} more" if len(students) > MOST_NAMED else ""
    return ", ".join(students[:MOST_NAMED]) + more


def _points(penalty: float | None) -> str:
    return f"{round(max(0.0, penalty or 0.0), 2):g}"  # nbgrader's penalty is negative if the points are


def _paragraph(title: str, lines: list[str]) -> Text:
    return Text("\n".join([title, *lines]))
