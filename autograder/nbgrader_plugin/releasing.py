"""nbgrader's steps that give assignments out through the exchange folder, and feedback back."""

from __future__ import annotations

import glob
from pathlib import Path

import nbformat
from nbgrader.exchange.default import ExchangeReleaseAssignment, ExchangeReleaseFeedback

from autograder.nbgrader_plugin.grading_notice import notices


class ReleaseAssignment(ExchangeReleaseAssignment):
    """Releases an assignment, and says which of its cells no check will grade."""

    def copy_files(self) -> None:
        """Release it."""
        super().copy_files()
        for path in sorted(Path(self.src_path).glob("*.ipynb")):
            for line in notices(path.stem, nbformat.read(path, as_version=4)):
                self.log.warning("%s", line)


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Releases feedback folder by folder: one without a time or a secret, which students can delete, stops nobody."""

    def copy_files(self) -> None:
        """Release them one by one."""
        every = self.src_path
        for folder in sorted(glob.glob(every)):
            self.src_path = glob.escape(folder)
            try:
                super().copy_files()
            except (OSError, UnicodeDecodeError) as error:
                self.log.error("Not released: the feedback in %s (%s)", folder, error)
        self.src_path = every
