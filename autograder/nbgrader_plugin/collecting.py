"""nbgrader's step that brings submissions in from the exchange folder, where students write as they like."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from datetime import datetime
from typing import Any

from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import ignore_patterns

from autograder.nbgrader_plugin.submission_files import GuardedCourse
from autograder.notebooks.submission_files import STUDENT


class Collect(ExchangeCollect):
    """Collects links as links, which grading then refuses and names; nbgrader would copy what they point to.

    Special files stay where they are: reading one may never end, and stops the collection of the class.
    """

    def init_src(self) -> None:
        """Find the submissions; one whose name says nothing stops nobody else's collection."""
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"]]
        self.coursedir = GuardedCourse.of(self.coursedir)  # an older submission's time may be nonsense too

    def _path_to_record(self, path: str) -> dict[str, Any]:
        """Who and when, from a folder's name, which a student chose."""
        try:
            record = super()._path_to_record(path)
        except Exception:
            record = {"username": ""}
        if STUDENT.fullmatch(record["username"]):
            return record
        self.log.error("Not collected: the name of %a does not say who handed it in, and when", path)
        return {"username": "", "filename": "", "timestamp": datetime.min}

    def do_copy(self, src: str, dest: str, log: Any = None) -> None:
        """Copy one submission."""
        if os.path.islink(src):
            self.log.error("Not collected: %a is a link", src)
            return
        size = self.get_size(src)
        if size > 1000 * self.coursedir.max_dir_size:
            self.log.error("Not collected: %a holds more than %d kB", src, self.coursedir.max_dir_size)
            return
        unwanted = ignore_patterns(
            exclude=self.coursedir.ignore,
            include=self.coursedir.include,
            max_file_size=self.coursedir.max_file_size,
            log=self.log,
        )
        shutil.copytree(src, dest, symlinks=True, ignore=self._and_special_files(unwanted))
        if self.coursedir.groupshared:
            _share(dest)

    def _and_special_files(self, unwanted: Callable[[str, list[str]], list[str]]) -> Callable:
        def ignore(folder: str, names: list[str]) -> list[str]:
            special = [name for name in names if not _is_ordinary(os.path.join(folder, name))]
            for name in special:
                self.log.warning("Not collected: %a is no ordinary file", os.path.join(folder, name))
            # A link's own size and kind are not looked at: it is copied as a link, whatever it points to.
            plain = [name for name in names if not os.path.islink(os.path.join(folder, name))]
            return special + unwanted(folder, [name for name in plain if name not in special])

        return ignore


def _is_ordinary(path: str) -> bool:
    mode = os.lstat(path).st_mode
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)


def _share(folder: str) -> None:
    """Let the course's group read and write, as nbgrader does; a link's target is not touched."""
    for parent, _, names in os.walk(folder):
        os.chmod(parent, stat.S_IMODE(os.stat(parent).st_mode) | 0o2770)
        for path in (os.path.join(parent, name) for name in names):
            if not os.path.islink(path):
                os.chmod(path, stat.S_IMODE(os.stat(path).st_mode) | 0o660)
