"""Nothing that a submission shows keeps the browser of whoever grades it busy; honest pictures stay as they are."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable
from pathlib import Path

import matplotlib
import nbformat
import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from autograder import draw
from autograder.decisions.contests import CELL
from autograder.notebooks.combining_marks import MOST, limit_marks
from autograder.pictures.picture import Picture
from autograder.sanitising.allowance import Allowance
from autograder.sanitising.html import ACTIVE, inert_html, inert_tex, is_laborious
from autograder.sanitising.images import MOST_PIXELS, embedded_image, svg_image, unsafe_images
from autograder.sanitising.inert_notebook import sanitise
from autograder.sanitising.inert_outputs import TOO_MUCH, inert_outputs
from autograder.sanitising.markdown import inert_markdown
from autograder.sanitising.source import CUT, LONGEST_LINE, MOST_CHARACTERS, shorten
from autograder.sanitising.svg_allowlist import DASHES, TRANSFORM
from autograder.sanitising.svg_costs import Pen
from autograder.similarity.syntax import MAGIC
from tests.active_content import PIXEL
from tests.browser import needs_chromium
from tests.depth import one_of_each
from tests.laborious_content import ATTACKS, CELLS, MARK, output, png, svg

GONE = [name for name in ATTACKS if not name.startswith(("svg", "accents", "colours", "html-ruby", "html-accents"))]
GONE += ["svg-use-long", "svg-dashes", "svg-entities", "svg-deep", "svg-many"]
GONE.remove("html-quotes")


def kind(name: str) -> str:
    """What it is made of: "svg" of "svg-dashes"."""
    return name.partition("-")[0]


LABORIOUS = re.compile(r"<(filter|mask|animate|foreignObject|q|ruby|rt)\b|:has|mermaid|(opacity=.*){999}", re.DOTALL)


def shown(name: str) -> list[dict]:
    """What the pages get of an attack."""
    return [made["data"] for made in inert_outputs([output(name)])]


def decoded(data: dict) -> str:
    """The same as text, with what is inside its addresses."""
    text = "".join(data.values())
    return text + "".join(base64.b64decode(found).decode() for found in re.findall(r"svg\+xml;base64,([\w+/=]*)", text))


@pytest.mark.parametrize("name", one_of_each(GONE, kind))
def test_what_is_too_much_is_left_out_and_named(name: str) -> None:
    made = "".join(data.get("text/plain", "") + data.get("text/html", "") for data in shown(name))
    assert made.startswith(TOO_MUCH) or made == "<img>"


@pytest.mark.parametrize("name", one_of_each(ATTACKS, kind))
def test_what_is_shown_is_little_work(name: str) -> None:
    for data in shown(name):
        text = decoded(data)
        assert not LABORIOUS.search(text)
        assert MARK * (MOST + 1) not in text
        assert len(text) * text.count("\x1b") < 1e9
        assert set(re.findall(r'<use[^>]*href="#(\w*)', text)) <= {"a0", "p"}  # shapes, not groups
        assert not re.search(r"(rowspan|colspan)=.\d{3}", text)


@pytest.mark.parametrize("name", one_of_each([*ATTACKS, *CELLS], kind))
def test_twice_is_once(name: str) -> None:
    one = CELLS[name] if name in CELLS else new_code_cell("x", id="x", outputs=[output(name)])
    sanitise(once := new_notebook(cells=[NotebookNode(one)]), lambda _: False)
    twice = nbformat.from_dict(once)
    sanitise(twice, lambda _: False)
    assert twice == once


def test_a_thousand_small_ones_are_too_much_together() -> None:
    allowance = Allowance()
    one = new_output("display_data", data={"image/png": png(5_000, 5_000)})
    made = inert_outputs([one] * 40, allowance=allowance)
    assert 2 <= sum("image/png" in each["data"] for each in made) <= 12
    table = new_output("display_data", data={"text/html": "<p>a</p>" * 10_000})
    made = inert_outputs([table] * 40, allowance=Allowance())
    assert 2 <= sum("text/html" in each["data"] for each in made) <= 6
    formulas = new_output("display_data", data={"text/latex": "$x_1$ " * 400})
    made = inert_outputs([formulas] * 40, allowance=Allowance())
    assert 2 <= sum("text/latex" in each["data"] for each in made) <= 5


def test_attached_pictures_are_pictures() -> None:
    notebook = new_notebook(cells=[NotebookNode(CELLS["attachment"]), NotebookNode(CELLS["attachment-often"])])
    sanitise(notebook, lambda _: False)
    once, often = notebook.cells
    (bundle,) = once.attachments.values()
    assert set(re.findall(rb'<use[^>]*href="#(\w*)', base64.b64decode(bundle["image/svg+xml"]))) == {b"a0"}
    assert often.source.startswith("```text") or not often.get("attachments")


@pytest.mark.parametrize(
    "source", ["```mermaid\ngraph TD\n```", "~~~  Mermaid\nx\n~~~", "> ````{.mermaid}\n> x\n> ````"]
)
def test_a_diagram_is_its_text(source: str) -> None:
    made = inert_markdown(source)
    assert made.startswith("<div>")
    assert not re.search("class=.*mermaid|\n|```|~~~", made, re.IGNORECASE)


@pytest.mark.parametrize(
    "tex",
    [
        r"\def\frac#1#2{x}", r"\gdef\x{}", r"\let\frac\sqrt", r"\newcommand{\frac}{x}", r"\renewcommand\frac{x}",
        r"\newenvironment{matrix}{}{}", r"\DeclareMathOperator{\sin}{cos}", r"\raise 9em x", r"\smash{x}", r"\rlap{x}",
        r"\mathllap{x}", r"\rule{99em}{99em}", r"\Rule{9em}{9em}{0em}", r"\hspace{-9em}", r"\hspace*{ -9em}",
        r"\kern-9em", r"\mskip 999mu", r"x \\[-9em] y", r"x \\*[-9em] y", r"x \\[999em] y",
    ],
)  # fmt: skip
def test_a_formula_neither_defines_nor_moves(tex: str) -> None:
    made = inert_tex(tex)
    assert made != tex
    assert inert_tex(made) == made
    assert "\\[-" not in made.replace(" ", "")[1:] or "\\\\ " in made
    assert inert_markdown(f"${tex}$") == f"${made}$"


@pytest.mark.parametrize(
    "tex",
    [r"\hspace{1cm} \quad \, \! \\[1em] \\ [x] \lowercase \ruler", r"\begin{matrix} a \\ b \end{matrix}", r"\letter"],
)
def test_honest_formulas_stay(tex: str) -> None:
    assert inert_tex(tex) == tex


def test_accents_of_every_script_stay() -> None:
    honest = "Việt Nam, ภาษาไทยที่, हिन्दी क्ष्म्य, עִבְרִית, e\u0301, \u0915\u094d\u0937"
    assert limit_marks(honest) == honest
    assert limit_marks(f"a{MARK * MOST}b{MARK * 5_000}c") == f"a{MARK * MOST}b{MARK * MOST}c"


def test_code_is_cut_after_it_has_run_and_the_course_s_own_is_not() -> None:
    names = ("code-dots", "code-long", "code-accents")
    notebook = new_notebook(cells=[NotebookNode(CELLS[name]) for name in names])
    before = [cell.source for cell in notebook.cells]
    sanitise(notebook, lambda _: False)
    assert [cell.source for cell in notebook.cells] == before  # it has still to run
    shorten(notebook, lambda _: True)
    assert [cell.source for cell in notebook.cells] == before
    shorten(notebook, lambda _: False)
    source = [cell.source for cell in notebook.cells]
    assert sum(map(len, source)) < MOST_CHARACTERS + 1_000
    assert max(len(line) for each in source for line in each.split("\n")) <= LONGEST_LINE + len(CUT)
    assert source[0].endswith(CUT)
    shorten(blank := new_notebook(cells=[NotebookNode(CELLS["code-blank"])]), lambda _: False)
    assert " \n" not in blank.cells[0].source  # many such lines are as slow as one long line
    short = new_notebook(cells=[new_code_cell("def f(x):\n    return x  # é\n" * 100)])
    shorten(short, lambda _: False)
    assert short.cells[0].source == "def f(x):\n    return x  # é\n" * 100


def test_honest_bitmaps_stay() -> None:
    for kind in ("PNG", "JPEG", "GIF", "WEBP"):
        file = io.BytesIO()
        Figure().savefig(drawn := io.BytesIO(), dpi=200)
        Image.open(drawn).convert("RGB").save(file, kind)
        encoded = base64.b64encode(file.getvalue()).decode()
        assert embedded_image(kind.lower(), encoded).encoded == encoded
    assert embedded_image("png", PIXEL + '" onload="x') is None
    assert embedded_image("png", png(7_000, 7_000)) is not None
    assert embedded_image("png", png(7_200, 7_200)) is None
    assert 7_000**2 <= MOST_PIXELS <= 7_200**2


def test_pictures_in_files_are_measured_and_everything_else_stays(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name, side in {"small.png": 600, "deep/large.PNG": 16_000}.items():
        (tmp_path / name).write_bytes(base64.b64decode(png(side, side)))
    (tmp_path / "of-no-kind.jpg").write_bytes(base64.b64decode(png(9, 9)))
    (tmp_path / "data.csv").write_text("1,2")
    assert unsafe_images(tmp_path) == [tmp_path / "deep" / "large.PNG", tmp_path / "of-no-kind.jpg"]


def _figures() -> dict[str, Callable[[Figure], object]]:
    chance = np.random.default_rng(0)
    points = chance.random((400, 2))

    def lines(figure: Figure) -> None:
        axes = figure.subplots()
        axes.plot([1, 3, 2], "--o", label="$x^2$ and $\\alpha$")
        axes.errorbar([0, 1], [1, 2], yerr=0.3, capsize=4, linestyle=":")
        axes.legend()
        axes.grid(linestyle=":", linewidth=0.5)

    return {
        "lines": lines,
        "scatter": lambda figure: figure.subplots().scatter(*points.T, c=points[:, 0], alpha=0.5),
        "image": lambda figure: figure.subplots().imshow(points[:20]),
        "hatched": lambda figure: figure.subplots().hist(points[:, 0], hatch="/x"),
        "areas": lambda figure: figure.subplots().contourf(points[:20]),
        "mesh": lambda figure: figure.subplots().pcolormesh(chance.random((28, 28))),
        "polar": lambda figure: figure.add_subplot(projection="polar").plot([1, 2, 3]),
        "many": lambda figure: [axes.plot(points) for axes in figure.subplots(3, 3).flat],
    }


def drawn(name: str, fonttype: str = "path") -> str:
    """An honest figure as matplotlib writes it."""
    figure, file = Figure(), io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": fonttype}):
        _figures()[name](figure)
        figure.suptitle("Ünïcode <title>")
        figure.savefig(file, format="svg")
    return file.getvalue()


GRAPHVIZ = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<!-- Generated by graphviz -->
<svg width="62pt" height="116pt" viewBox="0.00 0.00 62.00 116.00" xmlns="http://www.w3.org/2000/svg"
 xmlns:xlink="http://www.w3.org/1999/xlink">
<g id="graph0" class="graph" transform="scale(1 1) rotate(0) translate(4 112)"><title>%3</title>
<polygon fill="white" stroke="transparent" points="-4,4 -4,-112 58,-112 58,4 -4,4"/>
<g id="node1" class="node"><title>a</title><g id="a_node1"><a xlink:title="tip">
<ellipse fill="none" stroke="black" cx="27" cy="-90" rx="27" ry="18"/>
<text text-anchor="middle" x="27" y="-86.3" font-family="Times,serif" font-size="14.00">a</text></a></g></g>
<g id="edge1" class="edge">
<path fill="none" stroke="black" stroke-dasharray="5,2" d="M27,-71.7C27,-63.98 27,-54.71 27,-46.11"/>
<polygon fill="black" stroke="black" points="30.5,-46.1 27,-36.1 23.5,-46.1 30.5,-46.1"/></g></g></svg>"""
HONEST = [*_figures(), "letters", "graphviz", "course"]


def honest(name: str) -> str:
    """An honest picture's file."""
    if name == "graphviz":
        return GRAPHVIZ
    if name == "course":
        x = torch.tensor(3.0, requires_grad=True)
        return draw(torch.relu(x * 2) + x).svg
    return drawn("lines", "none") if name == "letters" else drawn(name)


@needs_chromium
@pytest.mark.parametrize("name", one_of_each(HONEST, type))
def test_an_honest_picture_looks_the_same(browser: object, name: str) -> None:
    before = honest(name)
    after = base64.b64decode(svg_image(before).encoded).decode()
    assert svg_image(after).encoded == svg_image(before).encoded
    page = browser.new_page()
    seen = []
    for source in (before, after, svg("")):
        data = base64.b64encode(source.encode()).decode()
        page.set_content(f'<img src="data:image/svg+xml;base64,{data}">')
        page.evaluate("document.images[0].decode()")
        seen.append(page.screenshot())
    page.close()
    assert seen[0] == seen[1] != seen[2]


def test_our_own_pictures_stay() -> None:
    drawing = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>A &amp; b</title><path d="M0 0" /></svg>'
    )
    html = Picture(drawing, "alt").html()
    assert base64.b64decode(re.search(r"base64,([^\"]*)", inert_html(html))[1]).decode() == drawing


def test_what_an_honest_notebook_shows_is_within_its_allowance() -> None:
    figures = [new_output("display_data", data={"image/svg+xml": honest(name)}) for name in HONEST]
    table = "<table>" + "<tr>" + "<td>0.1</td>" * 20 + "</tr>" * 60 + "</table>"
    tables = [new_output("display_data", data={"text/html": table})] * 20
    bitmaps = [new_output("display_data", data={"image/png": PIXEL})] * 50
    cells = [new_code_cell("x", outputs=figures[:4] + tables + bitmaps), new_code_cell("y", outputs=figures[4:])]
    formulas = "It is $\\frac{\\partial x}{\\partial y}$ and $$x_1^2 + y_1^2$$."
    cells += [new_markdown_cell(formulas) for _ in range(100)]
    notebook = new_notebook(cells=cells)
    sanitise(notebook, lambda _: False)
    assert TOO_MUCH not in str(notebook)
    assert notebook.cells[-1].source == cells[-1].source


BLANKS = " " * 200_000
ALMOST = {
    "dashes": lambda: DASHES.fullmatch("1" * 400 + "!"),
    "transforms": lambda: TRANSFORM.fullmatch("scale(1) " * 50 + "!"),
    "lengths": lambda: Pen().of({"stroke-dasharray": "1" * 400 + "!"}),
    "a rectangle": lambda: svg_image(svg(f'<rect id="x" stroke-dasharray="1" width="{"3" * 400}%"/>')),
    "a distance": lambda: _is_kept(inert_tex, f"\\kern{BLANKS}x"),
    "active": lambda: ACTIVE.search(f"<{BLANKS}"),
    "an appeal": lambda: CELL.match(f"{BLANKS}x appeal"),
    "a magic line": lambda: _is_kept(lambda text: MAGIC.sub("", text), "\n" * 99_000 + "("),
}
"""What fits a pattern but for its last character, which must not take a second for each character."""


def _is_kept(change: Callable[[str], str], text: str) -> None:
    assert change(text) == text


@pytest.mark.parametrize("name", ALMOST)
def test_what_almost_fits_is_not_tried_in_every_way(name: str) -> None:
    assert not isinstance(ALMOST[name](), re.Match)


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 190_000,
        "<div><!--</div>-->" * 50_000,
        "<div><p></p>" * 80_000,
        '<p><b title="' + "A" * 490_000 + '">' + "<p>a" * 120_000,
        '<p><b title="' + "A" * 7_000 + '">' + "<p>a" * 9_980,
    ],
    ids=["nested", "ended in comments", "paragraphs ended", "opened again", "opened again, small"],
)
def test_html_that_a_parser_multiplies_is_left_out(html: str) -> None:
    assert is_laborious(html)
    made = inert_outputs([new_output("display_data", data={"text/html": html})])
    assert "text/html" not in made[0]["data"]
    assert len(inert_html(html)) < 10 * len(html)


def test_honest_html_is_not_laborious() -> None:
    table = "<table>" + "<tr><td><b>1</b></td><td>2</td></tr>" * 500 + "</table>"
    assert not is_laborious(table)
    assert not is_laborious("<p>a<br>" * 50_000)
