"""nbgrader's step with which a student hands in: a copy from the workspace gets the exercise's own name."""

from __future__ import annotations

import tempfile
from pathlib import Path

from nbgrader.exchange.default import ExchangeSubmit

from autograder.tasks.folders import exercise_of


class Submit(ExchangeSubmit):
    """Handing in, under the names that the instructor's side expects."""

    src_path: str
    release_path: str

    def copy_files(self) -> None:
        """Hand in a copy of the folder, in which the notebooks are called as they were released.

        A name that the release has stays, because the assignment may be another course's.
        """
        self.init_release()
        known = {path.name for path in Path(self.release_path).glob("*.ipynb")}
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made) / Path(self.src_path).name
            self.do_copy(self.src_path, str(folder))
            for path in folder.glob("*.ipynb"):
                released = path.with_stem(exercise_of(path.stem))
                if path.name not in known and released.name in known and not released.exists():
                    path.rename(released)
            before, self.src_path = self.src_path, str(folder)
            try:
                super().copy_files()
            finally:
                self.src_path = before
