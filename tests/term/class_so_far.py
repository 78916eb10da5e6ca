"""What a class has handed in so far, and the scores that follow from it."""

from __future__ import annotations

import dataclasses

import nbformat

from tests.term.course import TermCourse
from tests.term.made_class import Exercise, HandIn, score


@dataclasses.dataclass
class Term:
    """A term so far.

    Attributes:
        course: its folder.
        students: how many there are.
        hand_ins: the last hand-in of each student and exercise.
        by_hand: for student and exercise, what points given by a person add to those of the checks.
        extended: for student and exercise, the days that an extension covers.
    """

    course: TermCourse
    students: int
    hand_ins: dict[tuple[str, str], HandIn] = dataclasses.field(default_factory=dict)
    by_hand: dict[tuple[str, str], float] = dataclasses.field(default_factory=dict)
    extended: dict[tuple[str, str], int] = dataclasses.field(default_factory=dict)

    def hand_in(self, one: HandIn) -> None:
        """Take one hand-in as collected."""
        name = one.exercise.name
        self.hand_ins[one.student, name] = one
        handed_out = nbformat.read(self.course.handed_out(one.student, name), as_version=4)
        self.course.collected(one.student, name, one.notebook(handed_out), one.time)

    def hand_in_through_exchange(self, one: HandIn) -> None:
        """Have a student fetch, answer and submit, and collect it; the time of submission is then changed."""
        name = one.exercise.name
        home = self.course.as_student(one.student, "fetch_assignment", name)
        fetched = home / name / f"{name}.ipynb"
        fetched.write_bytes(one.notebook(nbformat.read(fetched, as_version=4)))
        self.course.as_student(one.student, "submit", name)
        self.course.run("nbgrader", "collect", name, "--log-level=ERROR")
        (self.course.submitted(one.student, name) / "timestamp.txt").write_text(one.time)
        self.hand_ins[one.student, name] = one

    def of(self, exercise: Exercise) -> list[HandIn]:
        """The last hand-ins of an exercise."""
        return [one for one in self.hand_ins.values() if one.exercise is exercise]

    def expected(self) -> dict[tuple[str, str], float]:
        """The scores that there must be."""
        return {
            who: score(one.points + self.by_hand.get(who, 0.0), one.days - self.extended.get(who, 0))
            for who, one in self.hand_ins.items()
        }

    def check_scores(self) -> str:
        """Compare all scores with those expected."""
        found, wanted = self.course.scores(), self.expected()
        wrong = [who for who in wanted.keys() | found.keys() if abs(found.get(who, -1) - wanted.get(who, -1)) > 1e-9]
        lines = [f"{who}: {found.get(who)}, expected {wanted.get(who)}" for who in sorted(wrong)[:9]]
        assert not wrong, f"{len(wrong)} of {len(wanted)} scores are wrong:\n" + "\n".join(lines)
        return f"{len(wanted)} scores as expected"
