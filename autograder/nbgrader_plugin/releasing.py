"""nbgrader's steps that release assignments and feedback through the exchange folder."""

from __future__ import annotations

import glob
import json
from pathlib import Path

import nbformat
from nbgrader.exchange.default import ExchangeReleaseAssignment, ExchangeReleaseFeedback

from autograder.gradebook_access.deals import PUBLISHED, read_deal
from autograder.gradebook_access.reasons import reason
from autograder.nbgrader_plugin.grading_notice import notices

FROM_THE_EXCHANGE = ("timestamp.txt", "submission_secret.txt")
"""The files that `nbgrader submit` adds to a submission, by which a student's nbgrader finds the feedback."""


class ReleaseAssignment(ExchangeReleaseAssignment):
    """The release of an assignment, with warnings about cells that no check will grade."""

    def copy_files(self) -> None:
        """Release the assignment, say how it is dealt, then log the warnings."""
        super().copy_files()
        names = [path.stem for path in sorted(Path(self.src_path).glob("*.ipynb"))]
        deals = {name: read_deal(self.coursedir, self.coursedir.assignment_id, name) for name in names}
        if data := {name: deal.as_data() for name, deal in deals.items() if deal is not None}:
            published = Path(self.dest_path) / PUBLISHED
            published.write_text(json.dumps(data, indent=1), encoding="utf-8")
            published.chmod(0o664 if self.coursedir.groupshared else 0o644)
        for path in sorted(Path(self.src_path).glob("*.ipynb")):
            for line in notices(path.stem, nbformat.read(path, as_version=4)):
                self.log.warning("%s", line)


class ReleaseFeedback(ExchangeReleaseFeedback):
    """The release of feedback folder by folder, so that one failure does not stop the others.

    Students who handed in by mail or through a learning platform have no secret with which nbgrader could fetch a page.
    """

    src_path: str

    def copy_files(self) -> None:
        """Release the folders one by one, and name the students who must get their pages in another way."""
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
