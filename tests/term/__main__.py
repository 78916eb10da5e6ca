"""`python -m tests.term [STUDENTS]`: a term, step by step; it ends with every score as expected."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.term import first_steps, later_steps
from tests.term.class_so_far import Term
from tests.term.course import TermCourse

STEPS = (
    first_steps.release,
    first_steps.collect,
    first_steps.extend,
    first_steps.grade,
    first_steps.hand_in_again,
    first_steps.two_assistants,
    later_steps.appeal,
    later_steps.correct_a_check,
    later_steps.feedback,
    later_steps.export,
    later_steps.back_up_and_restore,
    later_steps.delete_a_student,
)
"""In order; each does what docs/instructors.md says, and asserts what must hold after it."""


def main(students: int) -> None:
    """Go through a term in a temporary folder, and print what each step found."""
    with tempfile.TemporaryDirectory() as place:
        term = Term(TermCourse(Path(place)), students)
        for step in STEPS:
            begun = time.monotonic()
            said = step(term)
            print(f"{step.__name__.replace('_', ' ')}: {said} ({time.monotonic() - begun:.0f} s)", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
