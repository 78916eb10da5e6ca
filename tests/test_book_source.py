"""What the site is made of, without Sphinx: names that its pages document, and links that hold there."""

from __future__ import annotations

import pkgutil
import re
from pathlib import Path

import pytest

from book import source
from book.source import GUIDES
from tests.submissions import COURSE

BOOK = COURSE / "book"
DOCUMENTED = [
    name
    for page in sorted((BOOK / "api").glob("*.md"))
    for name in re.findall(r"^\.\. auto\w+:: ([\w.]+)", page.read_text(), re.M)
]
PAGES = [path for pattern in GUIDES if pattern.endswith(".md") for path in sorted(COURSE.glob(pattern))]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_the_pages_document_exists(name: str) -> None:
    assert pkgutil.resolve_name(name) is not None


def ids(page: Path) -> set[str]:
    """The headings' ids as Sphinx makes them; GitHub's differ where a heading has an apostrophe."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(COURSE).as_posix())
def test_links_between_documents_hold_on_the_site(page: Path) -> None:
    if page.name == "README.md":
        return  # pages of the site include parts of it
    for target, anchor in re.findall(r"\]\((?!http)([^)\s#]*)#([^)\s]+)\)", page.read_text(encoding="utf-8")):
        aim = (page.parent / target).resolve() if target else page
        assert aim != COURSE / "README.md", f"{page.name} links to README.md, which is no page of the site"
        if aim.suffix == ".md":
            assert anchor in ids(aim), f"{page.name} links to #{anchor}, which {aim.name} lacks on the site"


@pytest.mark.parametrize("name", ["task.py", "cases.toml", "statement.md"])
def test_outputs_are_made_anew_where_a_task_has_changed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "solutions" / "01_doubling" / "_tasks" / "double" / name
    file.parent.mkdir(parents=True)
    for pins in ("requirements.txt", "constraints.txt"):
        (tmp_path / pins).touch()
    monkeypatch.setattr(source, "COURSE", tmp_path)
    file.write_text("before")
    before = source.fingerprint()
    file.write_text("after")
    assert source.fingerprint() != before
