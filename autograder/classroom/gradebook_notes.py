"""What a class run's summary says of the gradebook: rows that were not current, and points by hand to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.text import Text

from autograder.classroom.currency import MISSING
from autograder.classroom.done import Done
from autograder.visible_text import visible

LOST = (
    "Due dates, points by hand and comments stood in the gradebook alone: where rows were missing, "
    "restore a backup of gradebook.db, or give them again."
)


class GradebookNotes:
    """Collects them: counts, and names where somebody has to look."""

    def __init__(self) -> None:
        self._stale, self._penalties, self._by_hand = Counter[str](), list[str](), list[str]()
        self._scaled: dict[str, None] = {}

    def add(self, done: Done) -> None:
        """Count one submission."""
        student = done.submission.student
        if done.stale:
            self._stale[done.stale] += 1
        if done.penalty is not None:
            before, now = (_points(one) for one in done.penalty)
            self._penalties.append(visible(f"  {student}: {before} before, {now} now", kept=""))
        self._by_hand += [visible(f"  {student}: {one}", kept="") for one in done.by_hand]
        self._scaled |= dict.fromkeys(done.scaled)

    def texts(self) -> Iterator[Text]:
        """Yield what there is to say, paragraph by paragraph."""
        if self._stale:
            reasons = ", ".join(f"{count} {why}" for why, count in self._stale.most_common())
            yield Text(f"Rows of the gradebook that did not hold what was graded: {reasons}.")
        if MISSING in self._stale:
            yield Text(LOST)
        if self._penalties:
            yield _paragraph(f"Late penalties that differ now: {len(self._penalties)}", self._penalties)
        if self._by_hand:
            yield _paragraph("Points given by hand that need a look in the formgrader:", self._by_hand)
        if self._scaled:
            yield _paragraph("Points are scaled to what the notebook says:", [f"  {one}" for one in self._scaled])


def _points(penalty: float | None) -> str:
    return f"{round(penalty or 0.0, 2):g}"


def _paragraph(title: str, lines: list[str]) -> Text:
    return Text("\n".join([title, *lines]))
