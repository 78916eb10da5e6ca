"""What `check` shows, in a real browser on the grounds where it is shown: axe finds nothing, contrast is measured."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from autograder.grader.live import judge_namespace
from autograder.pictures import draw, style
from autograder.verdicts.card import MISSED, PARTLY, PASSED, verdict_as_html
from autograder.verdicts.plain_text import verdict_as_text
from autograder.verdicts.verdict import Verdict
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
def test_axe_finds_nothing(page: Page, ground: str, answer: str) -> None:
    on_page(page, ground, verdict_as_html(*verdict_on(answer)))
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    undecided = [one["id"] for one in found.response["incomplete"]]
    assert "color-contrast" not in undecided


def test_axe_would_find_something(page: Page) -> None:
    on_page(page, "JupyterLab dark", f'<p style="color:{MISSED}">missed</p>')
    assert [one["id"] for one in Axe().run(page).response["violations"]] == ["color-contrast"]


def test_a_card_is_a_heading_and_a_list(page: Page) -> None:
    on_page(page, "JupyterLab dark", verdict_as_html(*verdict_on("swapped")))
    tree = page.locator("main").aria_snapshot()
    assert 'heading "partials: 1 of 3 points" [level=3]' in tree
    assert len(re.findall(r"^\s*- listitem", tree, re.MULTILINE)) == 2
    assert "✗ missed" in tree
    assert "✓ passed" in tree
    assert 'img "Where the numbers differ: 6 nodes, output a. ✗ x: got 3, expected 2. ✗ w: got 2, expected 3."' in tree


def test_the_graph_can_be_walked_through_in_words(page: Page) -> None:
    on_page(page, "VS Code dark", verdict_as_html(*verdict_on("swapped")))
    words = page.locator("details", has_text="The graph in words").inner_text()
    assert "- x → u" in words
    assert "- ✗ w: got 2, expected 3" in words


def test_no_colour_speaks_alone(page: Page) -> None:
    """Without any colour or picture, the text of the card says what the plain text says."""
    verdict, printed = verdict_on("swapped")
    on_page(page, "nbgrader", verdict_as_html(verdict, printed))
    seen = " ".join(page.locator("main").inner_text().replace("`", "").split())
    for line in verdict_as_text(verdict).replace("`", "").splitlines():
        sentence = " ".join(line.replace("[missed]", "✗ missed ·").replace("[passed]", "✓ passed ·").split())
        assert sentence in seen


def test_plain_text_says_all_of_it() -> None:
    text = " ".join(verdict_as_text(verdict_on("swapped")[0], drawn=True).split())
    for part in ("partials: 1 of 3 points", "[missed] the gate open (0 of 2)", "`partials(3.0, 2.0, 1.0)['x']` is 3"):
        assert part in text
    assert "In the graph: ✗ x: got 3, expected 2; ✗ w: got 2, expected 3." in text
    assert "Read again: lesson 01, “Products along paths”." in text


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, as WCAG defines it."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("colour", "ground"), list(itertools.product((PASSED, PARTLY, MISSED), GROUNDS)))
def test_the_edge_of_a_card_is_seen_on_every_ground(colour: str, ground: str) -> None:
    assert contrast(colour, GROUNDS[ground][0]) >= 3


def test_every_text_of_a_picture_is_read_on_what_lies_behind_it() -> None:
    edges = [("x", "u", 2), ("w", "u", 3), ("u", "v", 1), ("b", "v", 1)]
    numbers = dict.fromkeys("xwubv", 2)
    pictures = [
        draw(edges, values=numbers, gradients=numbers, wrong={"x": (3, 2)}, title="A graph"),
        draw([(f"n{k}", f"n{k + 1}", 1) for k in range(60)]),  # folded
    ]
    grounds = {style.CARD, *(look[0] for look in style.OUTLINES.values())}
    used = {
        element.get("fill")
        for picture in pictures
        for element in ElementTree.fromstring(picture.svg).iter("{http://www.w3.org/2000/svg}text")
    }
    assert {style.INK, style.QUIET, style.GRADIENT, style.WRONG, style.EDGE_TEXT} <= used
    for colour, ground in itertools.product(used, grounds):
        assert contrast(colour, ground) >= 4.5, (colour, ground)
    for _, outline, *_ in style.OUTLINES.values():
        assert contrast(outline, style.CARD) >= 3
    assert contrast(style.EDGE, style.CARD) >= 3
