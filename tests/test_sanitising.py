"""The policy on active content: what is honest stays, all else becomes inert, and nothing breaks it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from pygments.lexers.special import TextLexer

from autograder.checks.catalogue import tasks_of
from autograder.pictures import Picture, draw
from autograder.sanitising import markdown
from autograder.sanitising.allowance import Allowance
from autograder.sanitising.html import image_source, inert_html, link_target
from autograder.sanitising.images import svg_image
from autograder.sanitising.inert_notebook import sanitise
from autograder.sanitising.inert_outputs import inert_outputs
from autograder.sanitising.markdown import as_text, inert_markdown
from autograder.verdicts.verdict import Verdict
from autograder.verdicts.verdict_outputs import outputs_of
from tests.active_content import ATTACKS, PIXEL
from tests.depth import one_of_each
from tests.inert import objections
from tests.sample_class import EXERCISE

HONEST = [
    "# Heading\n\nSome *text*, **bold**, `x < y`, a < b & c, A&B, &copy; &lt;b&gt;, “quotes”, 'these' and \"those\".",
    "$a < b$ and $$x_1 > \\frac{1}{2}$$ and\n\n\\begin{align}\na &< b \\\\\nc &> d\n\\end{align}",
    "```python\nif a < b:\n    print('<script>')\n```\n\n    indented <b>\n",
    "| a | b |\n|:--|--:|\n| 1 | $x_1$ |\n| `<` | ~~x~~ |",
    "[docs](https://pytorch.org/docs/stable/autograd.html 'title'), <https://example.org>, https://example.org/a?b=c&d=e",
    "[mail](mailto:someone@example.org), [above](#Heading), ![plot](plot.png), ![p](data:image/png;base64,"
    + PIXEL
    + ")",
    "1. one\n   - two\n\n> quote\n\n- [ ] to do\n- [x] done\n\nTerm\n: its meaning\n\n---",
    "line<br>break, <b>bold</b>, H<sub>2</sub>O, x<sup>2</sup>",
]


@pytest.mark.parametrize("source", HONEST)
def test_honest_markdown_stays_to_the_letter(source: str) -> None:
    assert inert_markdown(source) == source


def test_attached_images_stay_and_nothing_else_attached() -> None:
    bundle = {"image/png": PIXEL, "text/html": "PGI+", 'x" onerror="y': "AAAA"}
    cell = new_markdown_cell("see ![x](attachment:p.png)", attachments={"p.png": bundle, "q": {"text/html": "PGI+"}})
    sanitise(notebook := new_notebook(cells=[cell]), lambda _: False)
    assert notebook.cells[0].source == "see ![x](attachment:p.png)"
    assert notebook.cells[0].attachments == {"p.png": {"image/png": PIXEL}}


def test_honest_html_keeps_its_meaning() -> None:
    made = inert_markdown('<div align="center"><img src="plot.png" width="300"></div>\n\n**after**')
    assert '<div align="center"><img src="plot.png" width="300"></div>' in made
    assert "<strong>after</strong>" in made
    table = '<table border="1" class="dataframe"><tr style="text-align: right;"><td>1</td></tr></table>'
    assert 'class="dataframe"' in inert_html(table)
    assert "text-align:right" in inert_html(table)


@pytest.mark.parametrize(
    ("style", "kept"),
    [
        ("color: rgb(1, 2, 3); font-weight: bold !important", "color:rgb(1, 2, 3);font-weight:bold ! important"),
        ("color:url(//attack.invalid/)", ""),
        ("background-color:image-set('//attack.invalid/' 1x); color:red", "color:red"),
        ("color:\\75rl(x)", ""),
        ("color:var(--x)", ""),
        ("max-width:calc(1px", ""),
        ("color:red}body{color:red", ""),
        ("position:fixed;color:red", "color:red"),
    ],
)
def test_a_style_holds_words_lengths_and_colours(style: str, kept: str) -> None:
    assert inert_html(f'<p style="{style}">x</p>') == f'<p style="{kept}">x</p>'


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://pytorch.org/a?b=c#d", True),
        ("http://bücher.example/", True),
        ("#anchor", True),
        ("mailto:a@example.org", True),
        ("javascript:alert(1)", False),
        (" javascript:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,x", False),
        ("evil.html", False),
        ("/formgrader?path=/x", False),
        ("//evil.example", False),
        ("https://hub.example.org/user/me/%66ormgrader?path=/x", False),
        ("http://localhost:8888/", False),
        ("http://127.0.0.1:8888/", False),
        ("http://2130706433/", False),
        ("http://[::1]:8888/", False),
        ("http://[", False),
        ("https:\\\\example.org", False),
    ],
)
def test_links_lead_to_public_hosts_only(url: str, kept: bool) -> None:
    assert link_target(url) == (url if kept else None)


@pytest.mark.parametrize(
    "url",
    ["http://a.example/x.png", "/x.png", "../x.png", "a/../../x.png", "x.svg", "data:text/html;base64,AA", "x.png?a"],
)
def test_images_ask_nobody(url: str) -> None:
    assert image_source(url) is None


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_sanitising_twice_is_sanitising_once(attack: object) -> None:
    once = new_notebook(cells=[attack.cell.copy()])
    sanitise(once, lambda _: False)
    twice = nbformat.from_dict(once)
    sanitise(twice, lambda _: False)
    assert twice == once


@pytest.mark.parametrize("source", one_of_each(["[" * 10_000, "![" * 4_500, "~~~\n" + "![" * 4_900 + "\n~~~"], type))
def test_markdown_that_costs_the_renderer_too_much_becomes_text(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown, "MOST_SECONDS", 0.05)  # on a fast machine they stay below the real limit
    made = inert_markdown(source)
    assert made.startswith("```text\n")
    assert inert_markdown(made) == made
    started = time.process_time()
    HTMLExporter(template_name="classic").from_notebook_node(new_notebook(cells=[new_markdown_cell(made)]))
    assert time.process_time() - started < 3  # the formgrader renders it, too


def test_after_its_time_a_notebook_s_markdown_is_text() -> None:
    assert inert_markdown("# Title", allowance=Allowance(deadline=0.0)) == "```text\n# Title\n```"
    (output,) = inert_outputs(
        [{"output_type": "display_data", "data": {"text/markdown": "# T"}}], (), Allowance(deadline=0.0)
    )
    assert output["data"] == {"text/markdown": "```text\n# T\n```"}


@given(st.text(alphabet="`~\n text<b>$[]()!*", max_size=60))
def test_text_shows_as_it_is(source: str) -> None:
    assert inert_markdown(as_text(source)) == as_text(source)


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KINDS = st.sampled_from(["stream", "error", "display_data", "execute_result", "other"])
TYPES = st.sampled_from(["text/plain", "text/html", "text/markdown", "image/png", "image/svg+xml", "text/latex", "x/y"])
OUTPUT = st.fixed_dictionaries(
    {"output_type": KINDS},
    optional={
        "data": st.dictionaries(TYPES, JSON, max_size=3) | JSON,
        "metadata": JSON,
        "name": JSON,
        "text": JSON,
        "traceback": JSON,
        "ename": JSON,
        "execution_count": JSON,
    },
)


@given(st.lists(OUTPUT | JSON, max_size=3) | JSON)
@settings(deadline=None)
def test_outputs_of_any_shape_become_valid_ones(outputs: object) -> None:
    cell = new_code_cell("x", id="x")
    cell.outputs = inert_outputs(outputs)
    notebook = new_notebook(cells=[cell])
    nbformat.validate(notebook)
    nbformat.writes(notebook).encode()


def test_surrogates_and_strange_colours_can_be_written() -> None:
    for text in ("\ud800", "\x1b[38;5;999m x", "\x1b[38;2;1m x", "\x1b[²m x"):
        (output,) = inert_outputs([{"output_type": "stream", "name": "stdout", "text": text}])
        cell = new_code_cell("x", outputs=[nbformat.from_dict(output)])
        HTMLExporter(template_name="classic").from_notebook_node(new_notebook(cells=[cell]))[0].encode()


def test_our_pictures_and_verdicts_stay() -> None:
    picture = Picture("<svg xmlns='http://www.w3.org/2000/svg'/>", 'a "graph"').html()
    assert 'src="data:image/svg+xml;base64,' in inert_html(picture)
    assert "max-width:100%" in inert_html(picture)
    drawn = draw([("x", "y", 2)])
    (kept,) = inert_outputs([{"output_type": "display_data", "data": drawn._repr_mimebundle_(), "metadata": {}}])
    assert re.search(r'^<img src="data:image/svg\+xml;base64,[^"]+" alt="Computation graph', kept["data"]["text/html"])
    task = next(iter(tasks_of(EXERCISE).values()))
    made = outputs_of(Verdict.nothing(task, "missing", "<script>alert(1)</script>"))
    outputs = json.loads(json.dumps(made))  # as they come from the grader
    assert inert_outputs(outputs, graded=True) == outputs
    assert inert_outputs(outputs, graded=False) != outputs
    outputs[0]["data"]["text/html"] += "<script>alert(1)</script>"
    assert "script>" not in inert_outputs(outputs, graded=True)[0]["data"]["text/html"]


def test_an_svg_becomes_an_image_and_unknown_types_a_note() -> None:
    svg = "<svg><script>alert(1)</script><path d='M0 0'/></svg>"
    made = inert_outputs([{"output_type": "display_data", "data": {"image/svg+xml": svg, "text/plain": '"<b>'}}])
    encoded = svg_image('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>').encoded
    assert made[0]["data"]["text/html"] == f'<img src="data:image/svg+xml;base64,{encoded}" alt="&quot;&lt;b&gt;">'
    made = inert_outputs([{"output_type": "display_data", "data": {"application/javascript": "alert(1)"}}])
    assert [output["data"] for output in made] == [
        {"text/plain": "Left out here, because a browser could run it or does not know it: application/javascript."}
    ]


def test_metadata_stays_valid_where_a_required_part_of_it_is_left_out() -> None:
    metadata = {"language_info": {"name": "<python>"}, "kernelspec": {"name": "python3", "display_name": "<b>"}}
    sanitise(notebook := new_notebook(metadata=metadata), lambda _: False)
    nbformat.validate(notebook)
    assert notebook.metadata == {"language_info": {"name": "python"}}


@pytest.mark.parametrize("name", ["ipython3", "mcfunction"])
def test_no_student_chooses_the_lexer_of_a_page(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[str] = []
    for module in ("pygments.lexers", "nbconvert.filters.markdown_mistune"):
        monkeypatch.setattr(f"{module}.get_lexer_by_name", lambda lexer, **_: chosen.append(lexer) or TextLexer())
    cells = [new_code_cell("%%perl\n1"), new_markdown_cell(f"```{name.upper()} x\n1\n```\n\n- ~~~ {name}\n  1\n")]
    metadata = {"language_info": {"name": name, "pygments_lexer": name}}
    sanitise(notebook := new_notebook(cells=cells, metadata=metadata), lambda _: False)
    HTMLExporter(template_name="classic").from_notebook_node(notebook)
    assert {one.lower() for one in chosen} == {"python"}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_another_parser_finds_nothing_active(attack: object) -> None:
    sanitise(notebook := new_notebook(cells=[attack.cell.copy()]), lambda _: False)
    (cell,) = notebook.cells
    if cell.cell_type == "markdown":
        page = MarkdownWithMath(renderer=IPythonRenderer(escape=False, attachments=cell.get("attachments", {})))
        assert not objections(page.render(cell.source), rendered=True)


@pytest.mark.parametrize(
    "html", ["<script>", "<a href='javascript:x'>", "<p onclick=x>", "<svg>", "<img src='//a.b/'>"]
)
def test_the_other_parser_sees_what_is_active(html: str) -> None:
    assert objections(html)


def test_the_course_s_own_cells_stay() -> None:
    cell = new_markdown_cell("<div class='note'>ours</div>", metadata={"slideshow": {}, "tags": ["a", "<b>"]})
    sanitise(new_notebook(cells=[cell]), lambda _: True)
    assert cell.source == "<div class='note'>ours</div>"


def test_the_step_loads_neither_torch_nor_pytest() -> None:
    code = "import sys, autograder.nbgrader_plugin.active_content, autograder.nbgrader_plugin.reader\n"
    code += "assert not {'torch', 'pytest', '_pytest'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
