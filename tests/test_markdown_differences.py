"""What one parser of Markdown takes for text and another for a picture is reduced: there are several that show it."""

from __future__ import annotations

import pytest

from autograder.sanitising.markdown import inert_markdown
from tests.active_content import PIXEL
from tests.markdown_differences import DIAGRAMS, FORMULAS, HONEST, LINKS, PICTURES

ATTACHED = {name: {"image/png": PIXEL} for name in ("plot.png",)}


@pytest.mark.parametrize("source", [*PICTURES.values(), *DIAGRAMS.values(), *LINKS.values()], ids=ascii)
def test_what_another_parser_could_find_is_shown_reduced(source: str) -> None:
    made = inert_markdown(source.replace("URL", "http://attack.invalid/x"))
    assert made.startswith(("<div>", "```text\n", "````text\n", "`````text\n")), made


@pytest.mark.parametrize("macro", FORMULAS)
def test_tex_that_acts_elsewhere_on_the_page_is_spelled_out(macro: str) -> None:
    made = inert_markdown(f"${FORMULAS[macro]}$")
    assert f"\\ {macro}" in made
    assert f"\\{macro}" not in made


@pytest.mark.parametrize("source", HONEST)
def test_honest_markdown_stays_to_the_letter(source: str) -> None:
    assert inert_markdown(source, ATTACHED) == source
