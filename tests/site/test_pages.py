"""The built site without a browser: every link leads somewhere, nothing comes from elsewhere, nothing is missing."""

from __future__ import annotations

import re
import sys
from urllib.parse import urlsplit

import pytest
import torch

from autograder.checks.catalogue import exercises, tasks_of
from autograder.diagnosis.general import GENERAL
from tests.site.built import MADE_BY_SPHINX, SITE, is_dead, links, page, pages, resolved, text
from tests.submissions import COURSE

LESSONS = sorted(path.stem for path in (COURSE / "lessons").glob("*.ipynb"))


def words(sentence: str) -> str:
    """A sentence as a page shows it: without marks of code, with one space between words, quotes and dashes alike."""
    plain = re.sub(r"[`“”\"'‘’]", "", sentence).replace("–", "--").replace("—", "---").replace("…", "...")
    return " ".join(plain.split())


def test_a_lesson_an_exercise_and_its_mistakes_each_have_a_page() -> None:
    wanted = {f"lessons/{name}.html" for name in LESSONS}
    wanted |= {f"exercises/{name}/{name}.html" for name in exercises()} | {f"mistakes/{n}.html" for n in exercises()}
    assert len(LESSONS) == 13
    assert wanted | {"index.html", "mistakes/index.html", "search.html"} <= set(pages())


@pytest.mark.parametrize("name", pages())
def test_no_link_is_dead(name: str) -> None:
    assert [address for _, address in links(name) if is_dead(name, address)] == []


def test_a_dead_link_would_be_seen() -> None:
    assert is_dead("index.html", "lessons/99_nothing.html")
    assert is_dead("index.html", "lessons/01_scalar_graphs.html#nothing")
    assert not is_dead("lessons/02_grad.html", "01_scalar_graphs.html#the-toy-graph")


def test_every_page_is_reached_from_the_first() -> None:
    reached, waiting = set(), ["index.html"]
    while waiting:
        name = waiting.pop()
        reached.add(name)
        targets = {target[0] for tag, a in links(name) if tag == "a" and (target := resolved(name, a))}
        waiting += [target for target in targets & set(pages()) if target not in reached]
    assert set(pages()) - reached - MADE_BY_SPHINX == set()


@pytest.mark.parametrize("name", pages())
def test_nothing_is_loaded_from_elsewhere(name: str) -> None:
    loaded = [address for tag, address in links(name) if tag != "a" and not address.startswith("data:")]
    assert [address for address in loaded if resolved(name, address) is None] == []


def test_no_style_sheet_loads_from_elsewhere() -> None:
    for path in SITE.rglob("*.css"):
        assert re.findall(r"(?:@import\s*|url\()\s*[\"']?(?:https?:)?//[^)]*", text(path)) == [], path


@pytest.mark.parametrize("name", pages())
def test_links_elsewhere_are_encrypted_and_every_picture_says_what_it_shows(name: str) -> None:
    outside = [urlsplit(address) for tag, address in links(name) if tag == "a" and resolved(name, address) is None]
    assert {url.scheme for url in outside} <= {"https"}
    assert page(name).select("img:not([alt])") == []
    assert [image for image in page(name).select("article img") if not image["alt"].strip()] == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_was_run_and_leads_to_its_exercise(lesson: str) -> None:
    name = f"lessons/{lesson}.html"
    outputs = page(name).select(".cell_output")
    assert len(outputs) >= 10
    assert page(name).select(".cell_output .traceback") == []
    targets = {target[0] for tag, a in links(name) if tag == "a" and (target := resolved(name, a))}
    assert f"exercises/{lesson}/{lesson}.html" in targets or lesson not in exercises()


@pytest.mark.parametrize("lesson", LESSONS)
def test_pictures_of_a_lesson_arrive_with_their_words(lesson: str) -> None:
    pictures = page(f"lessons/{lesson}.html").select(".cell_output img")
    assert pictures
    assert all(len(picture["alt"]) > 20 for picture in pictures)


@pytest.mark.parametrize("exercise", exercises())
def test_an_exercise_shows_a_card_for_every_task(exercise: str) -> None:
    shown = words(page(f"exercises/{exercise}/{exercise}.html").get_text(" "))
    for name, task in tasks_of(exercise).items():
        assert f"{name} : 0 of {task.points:g}" in shown
    assert page(f"exercises/{exercise}/{exercise}.html").select(".cell_output .traceback") == []


@pytest.mark.parametrize("exercise", exercises())
def test_every_mistake_is_listed_by_name_with_its_sentence(exercise: str) -> None:
    shown = words(page(f"mistakes/{exercise}.html").get_text(""))
    for task in tasks_of(exercise).values():
        for mistake in task.mistakes:
            assert words(mistake.name) in shown
            assert words(mistake.sentence) in shown
        assert words(task.section) in shown


def test_general_mistakes_are_listed_and_graphs_are_drawn() -> None:
    shown = words(page("mistakes/index.html").get_text(""))
    assert all(words(mistake.name) in shown and words(mistake.sentence) in shown for mistake in GENERAL)
    for exercise in exercises():
        has_graphs = any(task.graph is not None for task in tasks_of(exercise).values())
        assert bool(page(f"mistakes/{exercise}.html").select("article img")) == has_graphs


def test_no_page_says_where_it_was_built() -> None:
    places = {str(COURSE), sys.prefix, sys.base_prefix, torch.__path__[0]}
    found = [(name, place) for name in pages() for place in places if place in text(SITE / name)]
    assert found == []


def test_formulas_are_mathml() -> None:
    assert len(page("lessons/01_scalar_graphs.html").select("math")) > 20
    assert not any("$" in str(formula) for formula in page("lessons/01_scalar_graphs.html").select("math"))


@pytest.mark.parametrize("lesson", LESSONS)
def test_what_answers_a_prediction_is_folded(lesson: str) -> None:
    cells = page(f"lessons/{lesson}.html").select("div.cell")
    asking = [place for place, cell in enumerate(cells) if re.match(r"\s*predict\(", cell.get_text())]
    assert asking
    for place in asking:
        assert "tag_hide-output" in cells[place + 1]["class"] or not cells[place + 1].select(".cell_output")
