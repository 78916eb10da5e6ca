"""The students' workspace: `work/` in the course's folder, with copies of lessons and exercises that are theirs.

A file that is there is never written over, except for a page of welcome that nobody changed. Lessons link to the
copies of the exercises, which have names of their own; the exercises themselves are copied byte by byte, because
grading compares their locked cells with the released ones.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Collection, Iterator
from pathlib import Path

from autograder.desk.versions import (
    Taken,
    is_begun,
    is_newer,
    is_notebook,
    lacks_answers,
    lesson_copy,
    version_of,
    with_answers,
)
from autograder.desk.welcome import WELCOME, welcome
from autograder.names import completed, with_nearest
from autograder.tasks.course_file import COURSE_FILE
from autograder.tasks.folders import COPY, WORK, is_left_out, released_name
from autograder.whole_files import write_whole

EXERCISES, LESSONS, EARLIER = "exercises", "lessons", "earlier"
PREDICTIONS = "predictions"
"""Beside the lessons: the answers to their predictions, which `predict` reads in the course's folder."""
FEEDBACK = "feedback"
"""What nbgrader fetches into an exercise's folder."""


class WorkspaceError(Exception):
    """A workspace that cannot be made or used; the message says what to do."""


@dataclasses.dataclass(frozen=True)
class Filled:
    """What a workspace holds after it was filled.

    Attributes:
        new: the names of files that were missing and were put there.
        begun: exercises whose copy was taken with answers that stood in the course's folder.
        behind: exercises in the course's folder with answers that their copy does not have.
        newer: files of which the course has a newer version: "01_doubling", or "lessons/01_doubling".
        unreadable: files of the course that are not notebooks; nothing was done with them.
    """

    new: tuple[str, ...]
    begun: tuple[str, ...]
    behind: tuple[str, ...]
    newer: tuple[str, ...]
    unreadable: tuple[Path, ...]


@dataclasses.dataclass(frozen=True)
class Workspace:
    """A student's workspace.

    Attributes:
        course: the folder of the course, which holds `exercises`, or `release` if a course file chooses among them, and
            may hold `lessons`.
    """

    course: Path

    @staticmethod
    def above(start: Path) -> Workspace:
        """Find the course's folder, from a folder upwards.

        Raises:
            WorkspaceError: if there is none.
        """
        for folder in (start, *start.parents):
            if folder.name == WORK and (any(_exercises(folder.parent)) or (folder.parent / COURSE_FILE).is_file()):
                continue  # a workspace
            chosen = (folder / COURSE_FILE).is_file() and released_name(folder) != EXERCISES
            if chosen and not any(_exercises(folder)):
                raise WorkspaceError(
                    f"{folder / COURSE_FILE} chooses exercises, and none is released: run "
                    "`nbgrader generate_assignment NAME` for each"
                )
            if any(_exercises(folder)):
                return Workspace(folder)
        raise WorkspaceError(f"there is no course in {start} or above it: start this in the course's folder")

    @property
    def folder(self) -> Path:
        """The workspace's folder."""
        return self.course / WORK

    def copies(self) -> dict[str, tuple[Path, Path]]:
        """Return the copy and its original for each notebook, by the name under which it is offered."""
        found = {
            name: (self.folder / EXERCISES / name / f"{name}{COPY}.ipynb", path)
            for name, path in _exercises(self.course)
        }
        for path in sorted((self.course / LESSONS).glob("*.ipynb")):
            found[f"{LESSONS}/{path.stem}"] = (self.folder / LESSONS / path.name, path)
        return found

    def _beside(self) -> Iterator[tuple[Path, Path]]:
        """Yield copy and original of the other files beside exercises and lessons: data, pictures, modules."""
        known = {original for _, original in self.copies().values()}
        folders = {path.parent: self.folder / EXERCISES / name for name, path in _exercises(self.course)}
        for folder, to in (folders | {self.course / LESSONS: self.folder / LESSONS}).items():
            for path in sorted(folder.rglob("*")):
                inside = path.relative_to(folder).parts
                is_ours = not path.is_symlink() and path.is_file() and path not in known
                left_out = PREDICTIONS if folder == self.course / LESSONS else FEEDBACK
                if is_ours and inside[0] != left_out and not any(part.startswith((".", "__")) for part in inside):
                    yield to.joinpath(*inside), path

    def fill(self) -> Filled:
        """Put everything there that is missing, and look for newer versions of the rest.

        Raises:
            WorkspaceError: if a link stands where a folder should be.
            OSError: if a file cannot be written; the error names it.
        """
        new, begun, behind, newer, unreadable = list[str](), list[str](), list[str](), list[str](), list[Path]()
        for name, (copy, original) in self.copies().items():
            self.refuse_links(copy)
            raw = self._original(name, original)
            if raw is None:
                unreadable.append(original)
                continue
            if not os.path.lexists(copy):
                write_whole(copy, raw)
                new.append(name)
                if is_begun(raw):
                    begun.append(name)
                continue
            if is_newer(raw, _bytes(copy)):
                newer.append(name)
            if lacks_answers(_bytes(copy), raw):
                behind.append(name)
        for copy, original in self._beside():
            self.refuse_links(copy)
            if not os.path.lexists(copy):
                write_whole(copy, original.read_bytes())
        page = self.folder / WELCOME
        is_there = os.path.lexists(page)
        if not is_there or (new and _bytes(page) == self._welcome(new)):  # as it was made for what there was before
            self.refuse_links(page)
            write_whole(page, self._welcome())
            new += [] if is_there else [WELCOME]
        return Filled(tuple(new), tuple(begun), tuple(behind), tuple(newer), tuple(unreadable))

    def take(self, name: str) -> tuple[Path, Path | None, Taken]:
        """Put the newer version of a notebook in the place of its copy, and keep that one among the earlier ones.

        The answers of an exercise move into the new version.

        Args:
            name: an exercise's, or how it begins; "lessons/01_doubling" for a lesson.

        Returns:
            The copy, the file that keeps the earlier one (None if the copy was the newest already), and which answers
            somebody should look at.

        Raises:
            WorkspaceError: if there is no such notebook, or the course's cannot be read.
            OSError: if a file cannot be written; nothing is lost then.
        """
        copies = self.copies()
        name = completed(name.removesuffix(".ipynb"), copies)
        if name not in copies:
            raise WorkspaceError(f"there is no {with_nearest(name, copies)}; there are {', '.join(copies)}")
        copy, original = copies[name]
        self.refuse_links(copy)
        raw, before = self._original(name, original), _bytes(copy)
        if raw is None:
            raise WorkspaceError(not_readable(original.relative_to(self.course)))
        if before is None:
            if os.path.lexists(copy):
                raise WorkspaceError(f"{copy} is not a file that can be read: give it another name, and try again")
            write_whole(copy, raw)
            return copy, None, Taken()
        if is_notebook(before) and not is_newer(raw, before):
            return copy, None, Taken()
        kept = self._place(f"{copy.stem.removesuffix(COPY)}_before-{version_of(raw) or 'newer'}", name)
        self.refuse_links(kept)
        made, taken = with_answers(raw, before)
        write_whole(kept, before)
        write_whole(copy, made)
        return copy, kept, taken

    def refuse_links(self, file: Path) -> None:
        """Refuse to write through a link, which may lead out of the workspace.

        Raises:
            WorkspaceError: if a folder above the file is a link or no folder.
        """
        for folder in (one for one in file.parents if one.is_relative_to(self.folder)):
            if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
                raise WorkspaceError(f"{folder} is not a folder but a link or a file: rename it, and try again")

    def _place(self, stem: str, name: str) -> Path:
        """Return a file for an earlier copy that does not exist yet, as deep as its copy, for its links."""
        folder = self.folder / EARLIER / Path(name).name
        paths = (folder / f"{stem}{again}.ipynb" for again in ("", *(f"-{number}" for number in range(2, 1000))))
        return next(path for path in paths if not os.path.lexists(path))

    def _welcome(self, without: Collection[str] = ()) -> bytes:
        listed = {name: both for name, both in self.copies().items() if name not in without}
        return welcome(listed, self.folder, f"{COPY}.ipynb").encode()

    def _original(self, name: str, original: Path) -> bytes | None:
        """Return what a copy of a notebook holds; None if the file is not a notebook."""
        raw = original.read_bytes()
        if not is_notebook(raw):
            return None
        if not name.startswith(f"{LESSONS}/"):
            return raw
        gone = [
            f"../{EXERCISES}/{path.name}/" for path in (self.course / EXERCISES).glob("*") if is_left_out(path.name)
        ]
        return lesson_copy(raw, {f"../{EXERCISES}/{one}/{one}": COPY for one, _ in _exercises(self.course)}, gone)


def not_readable(original: Path) -> str:
    """Say what to do with a file of the course that is not a notebook."""
    name = original.as_posix()
    return (
        f"{name} is not a readable notebook; a merge may have left its marks in it. Put the course's file back: in a "
        f"clone, `git checkout origin/HEAD -- {name}`"
    )


def _exercises(course: Path) -> Iterator[tuple[str, Path]]:
    """Yield name and file of each exercise that is released in a course's folder."""
    for folder in sorted((course / released_name(course)).glob("*")):
        if not is_left_out(folder.name) and (path := folder / f"{folder.name}.ipynb").is_file():
            yield folder.name, path


def _bytes(file: Path) -> bytes | None:
    """Return the content of a file; None where a link, a folder or nothing stands, or where it may not be read."""
    try:
        return None if file.is_symlink() else file.read_bytes()
    except OSError:
        return None
