"""The course's English, held to `english.toml`: everything that a student or an instructor reads.

Accepted findings are listed in `accepted.toml`, sentence by sentence. The list may only shrink: what is no longer found
must leave it, and nothing is added, as `tests/test_prose.py` sees to.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat

from tests.prose.lesson import CODE, CODE_BLOCK, MATHS, TAG_OR_TARGET
from tests.submissions import COURSE

HERE = Path(__file__).parent
GUIDES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "docs/*/*.md", "book/*.md")
LESSONS = ("lessons/{}*.ipynb", "lessons/predictions/{}*.toml")
EXERCISES = ("solutions/{}*/_tasks/**/*.md", "solutions/{}*/_tasks/**/*.toml", "solutions/{}*/_tasks/**/*.py")
ENGINE = ("autograder/**/*.py",)
NOT_READ = (
    "cases.toml",
    "regions.toml",
    "equivalents.toml",
    "not_held_out.toml",
    "named_mistakes.toml",
    "reading.toml",
)
"""Tables for authors: programs, conditions and names."""
WORDS = 5
"""A string of fewer words in a program is a name rather than a sentence."""
MOST_SEMICOLONS = 1
TITLE = re.compile(r"\[[^\]]*\]\(https?:[^)]*\)")
"""The title of a work of others, with its link."""


@dataclasses.dataclass(frozen=True)
class Rule:
    """A turn of phrase, what to write instead, a text that it is found in and one that it is not."""

    name: str
    pattern: re.Pattern[str]
    write: str
    finds: str
    leaves: str


@dataclasses.dataclass(frozen=True)
class Finding:
    """One place where a rule found something."""

    file: str
    rule: str
    text: str
    write: str

    def __str__(self) -> str:
        return f"{self.key} - write {self.write}"

    @property
    def key(self) -> str:
        """What a list of accepted findings calls it."""
        return f"{self.file}: {self.rule}: “{self.text}”"


@functools.cache
def rules() -> list[Rule]:
    """The rules of `english.toml`."""
    table = tomllib.loads((HERE / "english.toml").read_text(encoding="utf-8"))["rule"]
    flags = re.IGNORECASE | re.MULTILINE
    return [Rule(**one | {"pattern": re.compile(one["pattern"], flags)}) for one in table]


def findings(files: Iterable[Path]) -> Iterator[Finding]:
    """What the rules find in these files."""
    for path in files:
        name = path.relative_to(COURSE).as_posix()
        for text in texts(path):
            yield from _in_a_text(name, text)


def accepted() -> list[str]:
    """The findings that stay, by their keys."""
    return tomllib.loads((HERE / "accepted.toml").read_text(encoding="utf-8"))["accepted"]


def files(number: str = "") -> list[Path]:
    """All that is read; with a lesson's number, what belongs to this lesson and its exercise."""
    patterns = [one.format(number) for one in (*LESSONS, *EXERCISES)]
    patterns += () if number else (*GUIDES, *ENGINE)
    found = {path for pattern in patterns for path in COURSE.glob(pattern)}
    return sorted(path for path in found if path.name not in NOT_READ)


def texts(path: Path) -> Iterator[str]:
    """The sentences of a file, as one text for each cell, paragraph, value or string."""
    if path.suffix == ".ipynb":
        for cell in nbformat.read(path, as_version=4).cells:
            yield from (
                paragraphs(cell.source) if cell.cell_type == "markdown" else in_a_program(cell.source, comments=True)
            )
    elif path.suffix == ".toml":
        yield from _values(tomllib.loads(path.read_text(encoding="utf-8")))
    elif path.suffix == ".py":
        yield from in_a_program(path.read_text(encoding="utf-8"))
    else:
        yield from paragraphs(path.read_text(encoding="utf-8"))


def paragraphs(markdown: str) -> Iterator[str]:
    """The paragraphs of a text, lists by their items, tables by their rows."""
    bare = CODE_BLOCK.sub("\n\n", markdown)
    yield from (part for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) ?)", bare) if part.strip())


def in_a_program(source: str, comments: bool = False) -> Iterator[str]:
    """Strings that are sentences and not docstrings; of a lesson's cell its comments as well."""
    try:
        tree = ast.parse(re.sub(r"^%.*", "", source, flags=re.MULTILINE))
    except SyntaxError:
        return
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if id(node) in documents or id(node) in inside:
            continue
        if isinstance(node, ast.JoinedStr):
            yield from _sentence(
                "".join(str(part.value) if isinstance(part, ast.Constant) else "`x`" for part in node.values)
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _sentence(node.value)
    if comments:
        yield from (found[1] for found in re.finditer(r"(?:^|  )# (.+)$", source, re.MULTILINE))


def _sentence(text: str) -> Iterator[str]:
    if (
        len(text.split()) >= WORDS
        and "\n\n" not in text
        and "{" not in text
        and "-color" not in text
        and "-src" not in text
    ):
        yield text


def _values(table: object) -> Iterator[str]:
    if isinstance(table, str):
        yield table
    elif isinstance(table, dict):
        for name, value in table.items():
            if name != "holds":  # an expression
                yield from _values(value)
    elif isinstance(table, list):
        for value in table:
            yield from _values(value)


def _in_a_text(file: str, text: str) -> Iterator[Finding]:
    bare = MATHS.sub("x", CODE.sub("`x`", TAG_OR_TARGET.sub(" ", TITLE.sub("x", text))))
    for rule in rules():
        for found in rule.pattern.finditer(bare):
            start, end = max(found.start() - 25, 0), found.end() + 25
            yield Finding(file, rule.name, " ".join(bare[start:end].split()), rule.write)
    if bare.count("; ") > MOST_SEMICOLONS and "|" not in bare:
        yield Finding(file, "semicolons", " ".join(bare.split())[:70], "sentences: at most one semicolon a paragraph")
