"""`python -m book.source`: lay out in build/book what Sphinx reads.

Pages of the site's own come from book/, all others from where they stand in the repository, under the same relative
paths, so that links between notebooks and guides hold there too. Unchanged files are left alone: Sphinx reads again
only what is newer.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

from book import folded_answers, twins

COURSE = Path(__file__).parents[1]
SOURCE = COURSE / "build" / "book"
EXECUTED = COURSE / "build" / "executed"
"""Executed notebooks, kept from build to build by jupyter-cache."""
GUIDES = ("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/*/*.md", "docs/**/*.svg", "docs/**/*.png")
NOTEBOOKS = ("lessons/*.ipynb", "exercises/*/*.ipynb")
OWN = ("*.md", "api/*.md")


def anchor(title: str) -> str:
    """A heading's anchor, as Jupyter makes it and the notebooks' links use it."""
    return title.strip().replace(" ", "-")


def fingerprint() -> str:
    """Names what notebooks' outputs depend on beside their own cells: the package, task folders, predictions, pins."""
    digest = hashlib.sha256()
    files = [path for end in ("py", "toml", "css") for path in (COURSE / "autograder").rglob(f"*.{end}")]
    files += (COURSE / "lessons" / "predictions").glob("*.toml")
    files += [path for end in ("py", "toml", "md") for path in COURSE.glob(f"solutions/*/_tasks/**/*.{end}")]
    for path in sorted([*files, COURSE / "requirements.txt", COURSE / "constraints.txt"]):
        digest.update(path.relative_to(COURSE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def put(path: Path, content: bytes) -> None:
    """Write a file where its content is new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


def as_released(path: Path) -> bytes:
    """A notebook; in an exercise as students get it, what is still to be written may raise.

    Lesson 12 comes with its outputs, because the site's own Python has no TensorFlow and no JAX.
    """
    notebook = nbformat.read(path, as_version=4)
    if path == twins.LESSON:
        notebook = twins.as_page(notebook, fingerprint())
        folded_answers.fold(notebook)
        return nbformat.writes(notebook).encode()
    if path.parent.name == "lessons":
        folded_answers.fold(notebook)
    notebook.metadata["mystnb"] = {"execution_allow_errors": path.is_relative_to(COURSE / "exercises")}
    return nbformat.writes(notebook).encode()


def linked_files(page: Path) -> Iterator[Path]:
    """The repository's other files that a guide links to: on the site they can be downloaded."""
    for link in re.findall(r"\]\(([^)#:\s]+)\)", page.read_text(encoding="utf-8")):
        path = (page.parent / link).resolve()
        if path.is_file() and path.is_relative_to(COURSE):
            yield path


def lay_out(folder: Path = SOURCE) -> set[Path]:
    """Put everything there that is written by hand.

    Returns:
        What was put, without what other modules generate.
    """
    own = [(path, path.relative_to(COURSE / "book")) for pattern in OWN for path in (COURSE / "book").glob(pattern)]
    shared = {path for pattern in (*GUIDES, *NOTEBOOKS) for path in COURSE.glob(pattern)}
    shared |= {path for page in shared if page.suffix == ".md" for path in linked_files(page)}
    placed = own + [(path, path.relative_to(COURSE)) for path in shared]
    for path, place in placed:
        put(folder / place, as_released(path) if path.suffix == ".ipynb" else path.read_bytes())
    return {folder / place for _, place in placed}


def main() -> None:
    """Lay out pages and notebooks, then write the pages that are made from data."""
    from book import commands, mistakes, welcome

    generated = SOURCE / "generated"
    kept = {*lay_out(), *welcome.write(generated), *commands.write(generated), *mistakes.write(SOURCE / "mistakes")}
    for path in SOURCE.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()


if __name__ == "__main__":
    main()
