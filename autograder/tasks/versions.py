"""Make the versions of a task, siblings of equal difficulty, from the one folder that holds it: `versions.toml`.

    asks = ["`a = relu(x * w + b)`", "`a = relu(x * w - b)`"]
    [texts]
    formula = ["x * w + b", "x * w - b"]

The files of the folder are version 1, as they stand. Another version is the same files with each text of version 1
replaced by its own, in code, statement, hints and messages alike; so nothing is written twice, and version 1 needs no
template. The other versions are written into a private folder of this process, where everything that reads a task's
folder finds them.

A *label* names a task in a version: `partials@2`. Without a number the task has not been dealt, and nothing that is
said of it mentions versions.
"""

from __future__ import annotations

import atexit
import dataclasses
import functools
import importlib
import os
import re
import shutil
import tempfile
from pathlib import Path

from autograder.tasks.tables import TaskFolderError, check_keys, line_of, read_toml

FILE = "versions.toml"
KEYS = {"asks": list, "texts": dict}
MOST = 5
"""Versions that a task may have: the first and four siblings."""
SIGN = "@"
"""Separates a task's name from its version in a label."""
WRITTEN = (".md", ".py", ".toml")
"""Suffixes of the files in which texts are replaced."""


@dataclasses.dataclass(frozen=True)
class Versions:
    """The versions of one task.

    Attributes:
        asks: what each version asks for, as the end of a sentence.
        texts: the texts of each parameter, one per version; the first is in the folder's files.
    """

    asks: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]

    @property
    def count(self) -> int:
        """The number of versions."""
        return len(self.asks)

    def text(self, source: str, version: int) -> str:
        """Return a text of version 1 as another version has it."""
        if version < 2:
            return source
        pattern, others = _pattern(self.texts)
        return pattern.sub(lambda found: others[found[0]][version - 1], source)


@functools.lru_cache(64)
def _pattern(texts: tuple[tuple[str, ...], ...]) -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    """Return what finds each first text as a whole, longer ones before those that they contain."""
    others = {one[0]: one for one in texts}
    words = []
    for text in sorted(others, key=len, reverse=True):
        before = r"(?<!\w)" if re.match(r"\w", text) else ""
        after = r"(?!\w)" if re.match(r"\w", text[-1]) else ""
        words.append(f"{before}{re.escape(text)}{after}")
    return re.compile("|".join(words)), others


def versions_of(folder: Path) -> Versions | None:
    """Read the versions of a task from its folder; None if it has only one.

    Raises:
        TaskFolderError: if its `versions.toml` cannot be used.
    """
    file = folder / FILE
    return _read(file, file.stat().st_mtime_ns) if file.exists() else None


@functools.lru_cache(256)
def _read(file: Path, changed: int) -> Versions:
    given, text = read_toml(file)
    check_keys(given, file, text, KEYS, {})
    asks, texts = given["asks"], given["texts"]
    if not 2 <= len(asks) <= MOST or not _are_texts(asks):
        raise TaskFolderError(f"{file}, line {line_of('asks', text)}: asks takes 2 to {MOST} texts, one per version")
    for name, row in texts.items():
        where = f"{file}, line {line_of(name, text)}"
        if not isinstance(row, list) or len(row) != len(asks) or not _are_texts(row):
            raise TaskFolderError(f"{where}: {name} takes {len(asks)} texts, one per version, as asks does")
    firsts = [row[0] for row in texts.values()]
    if len({*firsts}) < len(firsts):
        raise TaskFolderError(f"{file}: two parameters replace the same text of version 1; join them")
    if len({*zip(*texts.values(), strict=True)}) < len(asks):
        raise TaskFolderError(f"{file}: two versions have the same texts; each version must differ from all others")
    return Versions(tuple(asks), tuple(map(tuple, texts.values())))


def _are_texts(row: list[object]) -> bool:
    return all(isinstance(one, str) and one for one in row)


def label(task: str, version: int) -> str:
    """Return the label of a task in a version; the task's name if it has not been dealt."""
    return f"{task}{SIGN}{version}" if version else task


def of_label(text: str) -> tuple[str, int]:
    """Return the task and the version that a label names; version 0 if the task has not been dealt."""
    task, sign, number = text.partition(SIGN)
    return (task, int(number)) if sign and re.fullmatch(r"[1-9]\d?", number) else (text, 0)


def folder_of(folder: Path, version: int) -> Path:
    """Return the folder of a task's version; the task's own if it has not been dealt.

    Raises:
        LookupError: if the task has no such version.
        TaskFolderError: if its `versions.toml` cannot be used.
    """
    if not version:
        return folder
    known = versions_of(folder)
    if known is None or version > known.count:
        count = known.count if known is not None else 1
        raise LookupError(f"{folder.name} has {count} version{'s'[: count != 1]}, and no version {version}")
    return _made(folder, version, known)


@functools.cache
def _made(folder: Path, version: int, known: Versions) -> Path:
    """Write the files of a version into a course folder of its own, which holds nothing else."""
    course = _private() / str(len(_sources))
    made = course / folder.relative_to(folder.parents[2])
    made.mkdir(parents=True)
    for file in folder.iterdir():
        if file.suffix in WRITTEN and file.is_file():
            (made / file.name).write_text(known.text(file.read_text(encoding="utf-8"), version), encoding="utf-8")
    _sources[made] = folder, version
    importlib.invalidate_caches()  # the import system has not seen this folder
    return made


_sources: dict[Path, tuple[Path, int]] = {}
"""By the folder of a version, the task's own and the version's number."""


@functools.cache
def _private() -> Path:
    """Make a folder that only this process uses, and remove it at its end; a forked process leaves it alone."""
    path, owner = Path(tempfile.mkdtemp(prefix="autograder-versions-")).resolve(), os.getpid()
    atexit.register(lambda: shutil.rmtree(path, ignore_errors=True) if os.getpid() == owner else None)
    return path


def source_of_version(folder: Path) -> tuple[Path, int]:
    """Return the task's own folder and the number of its version; version 0 if the folder is the task's own."""
    return _sources.get(folder, (folder, 0))
