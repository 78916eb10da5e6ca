"""What `check` shows, in a real browser on the grounds where it is shown: axe finds nothing, contrast is measured."""

from __future__ import annotations

import dataclasses
import itertools
import re
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import pytest
from axe_playwright_python.sync_playwright import Axe
from IPython.core.formatters import DisplayFormatter
from playwright.sync_api import Browser, Page

from autograder import marked_text, notebook
from autograder.diagnosis.damage import DAMAGE
from autograder.diagnosis.exceptions import TOO_SLOW
from autograder.executions import Provenance
from autograder.grader.live import judge_namespace
from autograder.hints import hints_of
from autograder.pictures import draw, style
from autograder.verdicts.card import HINTS, verdict_as_html
from autograder.verdicts.plain_text import verdict_as_text
from autograder.verdicts.telling import Telling
from autograder.verdicts.verdict import Result, Verdict
from autograder.wire.outcome import NOT_ASKED
from tests.browser import needs_chromium

pytestmark = needs_chromium
RIGHT = "def partials(x, w, b):\n    g = float(x * w + b > 0)\n    return dict(x=g * w, w=g * x, b=g, u=g, v=g)\n"
ANSWERS = {
    "right": RIGHT,
    "swapped": RIGHT.replace("x=g * w, w=g * x", "x=g * x, w=g * w"),
    "not attempted": "def partials(x, w, b):\n    raise NotImplementedError",
    "missing": "",
    "raises": "def partials(x, w, b):\n    print('was here')\n    return y",
    "program": "class Value:\n    def __init__(self, data):\n        self.data, self.grad = data, 0.0\n",
}
GROUNDS = {
    # name: ground, text, and what the page does to code and pre
    "JupyterLab light": ("#ffffff", "rgba(0,0,0,.87)", "code{background:#eeeeee}pre{color:rgba(0,0,0,.87)}"),
    "JupyterLab dark": ("#111111", "#ffffff", "code{background:#424242}pre{color:#ffffff}"),
    "VS Code light": ("#ffffff", "#3b3b3b", "code{color:#a31515}"),
    "VS Code dark": ("#1f1f1f", "#cccccc", "code{color:#d7ba7d}"),
    "nbgrader": (
        "#ffffff",
        "#333333",
        "code{color:#c7254e;background:#f9f2f4}pre{color:#333;background:#f5f5f5;border:1px solid #ccc;padding:9px}",
    ),
}


def verdict_on(answer: str) -> tuple[Verdict, str]:
    """The verdict on one of these answers, and what it printed."""
    names: dict = {}
    exec(compile(ANSWERS[answer], "<cell>", "exec"), names)
    return judge_namespace("value_backward" if answer == "program" else "partials", names)


@pytest.fixture(scope="module")
def page(browser: Browser) -> Page:
    return browser.new_page()


def on_page(page: Page, ground: str, cards: str) -> None:
    """Show cards as an output below a task's heading, on that ground."""
    background, text, rules = GROUNDS[ground]
    page.set_content(
        f"<!doctype html><html lang=en><title>exercise</title><style>body{{background:{background};color:{text};"
        f"font-family:sans-serif}}{rules}</style><body><main><h1>Exercise</h1><h2>partials</h2>{cards}</main></body></html>"
    )
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("run", [None, Provenance(5)], ids=["graded", "live"])
def test_axe_finds_nothing(page: Page, ground: str, answer: str, run: Provenance | None) -> None:
    on_page(page, ground, verdict_as_html(*verdict_on(answer), run))
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    # Of text on a drawn box it cannot decide; that is measured below.
    (undecided,) = [rule["nodes"] for rule in found.response["incomplete"] if rule["id"] == "color-contrast"] or [[]]
    assert [one["html"] for one in undecided if not one["html"].startswith("<text ")] == []


def test_axe_would_find_something(page: Page) -> None:
    on_page(page, "JupyterLab dark", f'<p style="color:{marked_text.WRONG}">missed</p>')
    assert [one["id"] for one in Axe().run(page).response["violations"]] == ["color-contrast"]


def test_a_card_leads_with_the_sentence_that_explains(page: Page) -> None:
    on_page(page, "JupyterLab dark", verdict_as_html(*verdict_on("swapped")))
    tree = page.locator("main").aria_snapshot()
    assert 'heading "partials: 1 of 3 points" [level=3]' in tree
    assert page.locator("main strong").all_inner_texts() == ["The partials of x and w are swapped."]
    places = [tree.index(one) for one in ("heading", "are swapped", "✗ missed", "img", "✓ passed", "A hint")]
    assert places == sorted(places)
    assert len(re.findall(r"^\s*- listitem", tree, re.MULTILINE)) == 1
    assert 'img "Where the numbers differ: 6 nodes, output a. ✗ x: got 3, expected 2. ✗ w: got 2, expected 3."' in tree
    assert page.locator("main").inner_text().count("of 3") == 1  # the score stands once


def test_what_hangs_on_the_same_mistake_is_folded(page: Page) -> None:
    names: dict = {}
    exec("def micro_batches(model, criterion, X, y, size): return None", names)
    page.set_content(f"<main>{verdict_as_html(judge_namespace('micro_batches', names)[0])}</main>")
    folds = page.locator("main > div > div > details > summary").all_inner_texts()
    assert folds[:2] == [
        "The same shows in checks worth 3 more points: parts of unequal size; whatever lay in .grad before",
        "Also missed: never too many samples at once",
    ]
    assert page.locator("main > div > div > pre, main > div > div > div > pre").count() == 1  # one program is open


def test_hints_unfold_one_after_the_other_by_keyboard(page: Page) -> None:
    page.set_content(f"<main>{verdict_as_html(*verdict_on('swapped'))}</main>")
    hints = [page.get_by_text(title, exact=True) for title in HINTS]
    assert [hint.is_visible() for hint in hints] == [True, False, False]
    hints[0].focus()
    for following in hints[1:]:
        page.keyboard.press("Enter")
        assert following.is_visible()
        page.keyboard.press("Tab")
    assert [page.get_by_text(hint).count() for hint in hints_of("partials")] == [1, 1, 1]


def test_the_graph_can_be_walked_through_in_words(page: Page) -> None:
    on_page(page, "VS Code dark", verdict_as_html(*verdict_on("swapped")))
    words = page.locator("details", has_text="The graph in words").inner_text()
    assert "- x → u" in words
    assert "- ✗ w: got 2, expected 3" in words


def test_no_colour_speaks_alone(page: Page) -> None:
    """Without any colour or picture, the text of the card says what the plain text says, in the same order."""
    verdict, printed = verdict_on("swapped")
    on_page(page, "nbgrader", verdict_as_html(verdict, printed))
    seen = " ".join(page.locator("main").inner_text().replace("`", "").split())
    place = 0
    for line in verdict_as_text(verdict).replace("`", "").partition(" A hint:")[0].splitlines():
        sentence = " ".join(line.replace("[missed]", "✗ missed").replace("[passed]", "✓ passed").split())
        place = seen.index(sentence, place)


def test_plain_text_says_all_of_it() -> None:
    text = " ".join(verdict_as_text(verdict_on("swapped")[0], drawn=True).split())
    for part in ("partials: 1 of 3 points", "[missed] the gate open", "`partials(3.0, 2.0, 1.0)['x']` is 3"):
        assert part in text
    assert "In the graph: ✗ x: got 3, expected 2; ✗ w: got 2, expected 3." in text
    assert "Read again: lesson 01, “Products along paths”." in text


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("wide", [390, 700])
def test_a_graph_follows_the_theme_and_stays_readable(page: Page, ground: str, wide: int) -> None:
    page.set_viewport_size({"width": wide, "height": 700})
    chain = [(f"node_{k}", f"node_{k + 1}", 1.25) for k in range(8)]
    for shown in (verdict_as_html(*verdict_on("swapped"), Provenance(5)), draw(chain).inline()):
        on_page(page, ground, shown)
        found = page.evaluate(
            """[...document.querySelectorAll('svg text')].map(one => ({
                ink: getComputedStyle(one).fill == getComputedStyle(document.body).color,
                size: parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a}))"""
        )
        assert all(one["ink"] for one in found)
        assert min(one["size"] for one in found) >= 9
        assert page.evaluate("document.documentElement.scrollWidth") <= wide  # the graph scrolls, not the page
    page.set_viewport_size({"width": 1280, "height": 720})


Colour = tuple[float, float, float]


def rgb(colour: str) -> Colour:
    """Red, green and blue from 0 to 255, of #rrggbb or of what a browser computes, on white where it is thin."""
    if colour.startswith("#"):
        return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))
    red, green, blue, *opacity = (float(part) for part in re.findall(r"[\d.]+", colour))
    return mixed((red, green, blue), (255, 255, 255), *opacity) if opacity else (red, green, blue)


def mixed(colour: Colour, behind: Colour, opacity: float) -> Colour:
    """What is seen of a thin colour on another."""
    return tuple(opacity * one + (1 - opacity) * other for one, other in zip(colour, behind, strict=True))


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of two colours, as WCAG defines it."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: Colour) -> float:
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


COLOURS = (marked_text.RIGHT, marked_text.PARTLY, marked_text.WRONG, marked_text.ASKED)


@pytest.mark.parametrize(("colour", "ground"), list(itertools.product(COLOURS, GROUNDS)))
def test_the_edge_of_a_card_is_seen_on_every_ground(colour: str, ground: str) -> None:
    assert contrast(rgb(colour), rgb(GROUNDS[ground][0])) >= 3


@pytest.mark.parametrize("ground", GROUNDS)
def test_every_text_of_a_picture_is_read_on_what_lies_behind_it(page: Page, ground: str) -> None:
    """The ink is the page's, thinned; behind it lies the page, tinted."""
    on_page(page, ground, "")
    behind, ink = page.evaluate("(style => [style.backgroundColor, style.color])(getComputedStyle(document.body))")
    fills = [(look[0], look[1]) for look in style.OUTLINES.values() if look[0] != "none"]
    tinted = [rgb(behind), *(mixed(rgb(fill), rgb(behind), opacity) for fill, opacity in fills)]
    for fill in tinted:
        assert contrast(mixed(rgb(ink), fill, style.QUIET), fill) >= 4.5
    for outline in (style.EDGE, *(look[2] for look in style.OUTLINES.values())):
        assert contrast(rgb(outline), rgb(behind)) >= 3


def test_a_picture_has_no_other_ink() -> None:
    edges = [("x", "u", 2), ("w", "u", 3), ("u", "v", 1), ("b", "v", 1)]
    numbers = dict.fromkeys("xwubv", 2)
    pictures = [
        draw(edges, values=numbers, gradients=numbers, wrong={"x": (3, 2)}, title="A graph"),
        draw([(f"n{k}", f"n{k + 1}", 1) for k in range(60)]),  # folded
    ]
    for picture in pictures:
        texts = [*ElementTree.fromstring(picture.svg).iter("{http://www.w3.org/2000/svg}text")]
        assert {text.get("fill") for text in texts} == {style.INK}
        assert {text.get("fill-opacity") for text in texts} <= {None, str(style.QUIET)}


def test_damage_leads_with_the_fact_and_then_says_what_to_do() -> None:
    damage = DAMAGE["grad filled", ""]
    finding = SimpleNamespace(
        kind="wrong", seen="`x.grad` holds one.", mistake=damage.mistake, example="", picture=None
    )
    check = SimpleNamespace(title="it", points=1.0, task=None)
    verdict = Verdict("f", "01", "s", (Result.of(check, False, finding, ""),))
    told = Telling.of(verdict)
    assert told.lead == "`x.grad` holds one."
    assert told.more.startswith("`backward()` adds, in place, to the `.grad` of every leaf")
    assert told.first.said == ""


def test_what_was_not_asked_is_told_as_that() -> None:
    slow = SimpleNamespace(kind="time", seen="It did not finish.", mistake=TOO_SLOW, example="", picture=None)
    unasked = SimpleNamespace(**vars(slow) | {"seen": f"{NOT_ASKED}: another question did not finish."})
    checks = [SimpleNamespace(title=title, points=1.0, task=None) for title in ("many paths", "no hook stays")]
    pairs = zip(checks, (slow, unasked), strict=True)
    verdict = Verdict("f", "01", "s", tuple(Result.of(check, False, one, "") for check, one in pairs))
    assert [fold.line for fold in Telling.of(verdict).folds] == ["Not asked because of it: no hook stays"]


def test_a_picture_in_which_nothing_is_marked_is_not_shown() -> None:
    verdict, _ = verdict_on("swapped")
    unmarked = tuple(dataclasses.replace(one, picture=lambda: draw([("x", "y", 1)])) for one in verdict.results)
    assert verdict.picture is not None
    assert dataclasses.replace(verdict, results=unmarked).picture is None


@pytest.mark.parametrize(("variable", "kernel", "shown"), [("", True, ""), ("", False, "2"), ("autograde", True, "2")])
def test_points_are_shown_where_no_card_has_them(
    monkeypatch: pytest.MonkeyPatch, variable: str, kernel: bool, shown: str
) -> None:
    """In a notebook the card has the score; a terminal's prompt and nbgrader read the number."""
    monkeypatch.setenv("NBGRADER_EXECUTION", variable)
    monkeypatch.setattr(notebook, "_shell", lambda: SimpleNamespace(kernel=object() if kernel else None))
    data, _ = DisplayFormatter(parent=None).format(notebook.Points(2))
    assert data.get("text/plain", "") == shown
