"""nbgrader's steps that give assignments out through the exchange folder, and feedback back."""

from __future__ import annotations

import glob
from pathlib import Path

import nbformat
from nbgrader.exchange.default import ExchangeReleaseAssignment, ExchangeReleaseFeedback

from autograder.nbgrader_plugin.grading_notice import notices
from autograder.nbgrader_plugin.reasons import reason

FROM_THE_EXCHANGE = ("timestamp.txt", "submission_secret.txt")
"""What `nbgrader submit` puts beside a notebook, and by which a student's own nbgrader finds the page again."""


class ReleaseAssignment(ExchangeReleaseAssignment):
    """Releases an assignment, and says which of its cells no check will grade."""

    def copy_files(self) -> None:
        """Release it."""
        super().copy_files()
        for path in sorted(Path(self.src_path).glob("*.ipynb")):
            for line in notices(path.stem, nbformat.read(path, as_version=4)):
                self.log.warning("%s", line)


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Releases feedback folder by folder: one that cannot be stops nobody.

    Whoever handed in by mail or through a learning platform has no secret by which their nbgrader could fetch a page.
    """

    def copy_files(self) -> None:
        """Release them one by one, and name those who must get their pages in another way."""
        every, others = self.src_path, list[str]()
        for folder in sorted(glob.glob(every)):
            self.src_path = glob.escape(folder)
            if not all(_has_content(Path(folder, name)) for name in FROM_THE_EXCHANGE):
                others.append(Path(folder).parent.name)
                continue
            try:
                super().copy_files()
            except Exception as error:
                self.log.error("Not released: the feedback in %s (%s)", folder, reason(error))
        self.src_path = every
        if others:
            self.log.warning(
                "Not released, because they did not hand in through the exchange: %s. Send them their pages, which are "
                "%s, or put them on your learning platform",
                ", ".join(others),
                self.coursedir.format_path(self.coursedir.feedback_directory, "STUDENT", self.coursedir.assignment_id)
                + "/*.html",
            )


def _has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0
