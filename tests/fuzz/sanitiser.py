"""Text of a student's on the pages of others. The first line says what it is: html, markdown, repeated or outputs."""

from __future__ import annotations

import ast
import json
import random
import time
import warnings
from typing import Any

import nbformat
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbformat.v4 import new_code_cell, new_notebook

from autograder.sanitising.html import inert_html, inert_tex
from autograder.sanitising.inert_outputs import inert_outputs
from autograder.sanitising.markdown import MOST_CHARACTERS, inert_markdown
from tests.active_content import ATTACKS, PIXEL
from tests.fuzz.json_mutations import mutate
from tests.inert import objections
from tests.laborious_content import ATTACKS as LABORIOUS

REPEATED = MOST_CHARACTERS // 2
"""Characters that a repeated text is made long."""
LONGEST_SEED = 20_000
MOST_SECONDS = 6.0
"""Of CPU time for one text, with the fuzzer's counting, which takes most of it, in it."""


def check(data: bytes) -> None:
    """What comes out is inert, the same when sanitised again, and made in bounded time.

    Raises:
        AssertionError: where an invariant does not hold; any other exception is a find, too.
    """
    kind, _, rest = data.partition(b"\n")
    text = rest.decode("utf-8", errors="replace")
    started = time.thread_time()
    if kind == b"html":
        _check_html(text)
    elif kind == b"markdown":
        _check_markdown(text)
    elif kind == b"repeated":
        unit = text[:200] or "x"
        text = (unit * (REPEATED // len(unit) + 1))[:REPEATED]
        inert_html(text)
        inert_markdown(text)
    elif kind == b"outputs":
        try:
            outputs = json.loads(text)
        except (ValueError, RecursionError):
            return
        _check_outputs(outputs)
    spent = time.thread_time() - started
    assert spent < MOST_SECONDS, f"{spent:.1f} s for {len(text)} characters"


def _check_html(text: str) -> None:
    once = inert_html(text)
    _no_objections(once, rendered=False)
    assert inert_html(once) == once, "sanitised twice, it is other HTML"


def _check_markdown(text: str) -> None:
    once = inert_markdown(text)
    _no_objections(_on_page(once), rendered=True)
    assert inert_markdown(once) == once, "sanitised twice, it is other Markdown"


def _on_page(markdown: str) -> str:
    """As the pages render it, which may be empty where they cannot."""
    return MarkdownWithMath(renderer=IPythonRenderer(escape=False, attachments={})).render(markdown)


def _check_outputs(outputs: Any) -> None:
    made = inert_outputs(outputs)
    cell = new_code_cell("x", id="x")
    cell.outputs = made
    notebook = new_notebook(cells=[cell])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validate(notebook)
    nbformat.writes(notebook).encode()
    for output in made:
        for mime, value in output.get("data", {}).items():
            assert mime in ("text/plain", "text/html", "text/markdown", "text/latex") or mime.startswith("image/"), mime
            if mime == "text/html":
                _no_objections(value, rendered=False)
            elif mime == "text/markdown":
                _no_objections(_on_page(value), rendered=True)
            elif mime == "text/latex":
                assert inert_tex(value) == value, "a macro that loads or links"
            elif mime.startswith("image/"):
                assert not set(value) & set("<>\"'&"), "a picture that is text"
    assert inert_outputs(made) == made, "sanitised twice, they are other outputs"


def _no_objections(html: str, rendered: bool) -> None:
    found = objections(html, rendered=rendered)
    assert not found, f"active content left: {found[:3]}"


def mutated(data: bytes, chance: random.Random) -> bytes | None:
    """Outputs changed as JSON, and texts spliced with tokens; None where neither applies."""
    kind, _, rest = data.partition(b"\n")
    if kind == b"outputs":
        try:
            return b"outputs\n" + json.dumps(mutate(json.loads(rest), chance)).encode()
        except (ValueError, RecursionError):
            return None
    if kind not in (b"html", b"markdown", b"repeated"):
        return None
    text = rest.decode("utf-8", errors="replace")
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(text))
        cut = at + chance.choice((0, 0, 0, 1, 2, 8))
        text = text[:at] + chance.choice(TOKENS) + text[cut:]
    kind = chance.choice((kind, kind, kind, kind, kind, b"html", b"markdown", b"repeated"))
    return kind + b"\n" + text.encode("utf-8", errors="replace")


TOKENS = (
    "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "&lt;", "&#x3c;", "&", ";", '"', "'", "=", "\n",
    "\n\n", " ", "\t", "\x00", "\x0c", "\r", "`", "```", "~~~", "$", "$$", "\\", "\\(", "\\[", "\\begin{x}", "\\end{x}",
    "\\href", "|", "|-|\n", "> ", "- ", "1. ", "# ", "[", "]", "(", ")", "![", "](", "[x]: ", "<a href=", "<img src=",
    "<svg>", "<math>", "<mtext>", "<mglyph>", "<style>", "</style>", "<script>", "</script>", "<title>", "<textarea>",
    "<noscript>", "<template>", "<table>", "<tr>", "<td>", "<select>", "<option>", "<form>", "<iframe srcdoc=",
    "<foreignObject>", "<annotation-xml encoding=text/html>", "<plaintext>", "<xmp>", "<div>", "</div>", "<p>", "<b>",
    "<details open>", "onerror=x ", "onload=x ", " style=", "background:url(x)", "color:", "color:url(//x.y/)", "id=x ",
    "class=highlight ", "class=score ", "javascript:", "JaVaScRiPt&colon;", "data:text/html,x",
    "data:image/png;base64,", "http://x.example/", "//x.example/", "/formgrader", "attachment:", "files/", "mailto:x",
    "\u2028", "\ufeff", "\ud7ff",
    "<use xlink:href='#a'/>", "<clipPath id='a'>", "clip-path:url(#a)", "<pattern id='a'>", "```mermaid\n", "\\def\\x",
    "```mcfunction\n", "1" * 60, "\\raise", "\\\\[-9em]", "\u0301" * 30, "&#769;" * 30, "<q>", "<ruby>",
    "rowspan=999 ", "①", "ｌ",
    "*", "**", "_", "~~", "[^1]", "[^1]: ", "***", "---\n", "    ", "https://x.example/", "www.x.example", "\x1b[31m",
)  # fmt: skip


def seeds() -> dict[str, bytes]:
    """Every attack of tests/active_content.py, as what it is, and what honest students write."""
    made: dict[str, bytes] = {}
    for attack in ATTACKS:
        source = attack.cell.source
        if attack.cell.cell_type == "markdown":
            made[attack.name] = b"markdown\n" + source.encode()
        elif source.startswith("from IPython.display import publish_display_data"):
            data, metadata = (ast.literal_eval(one) for one in ast.parse(source).body[1].value.args)
            if set(data) == {"text/html", "text/plain"}:
                made[attack.name] = b"html\n" + data["text/html"].encode()
            else:
                output = {"output_type": "display_data", "data": data, "metadata": metadata}
                made[attack.name] = b"outputs\n" + json.dumps([output]).encode()
    for name, data in LABORIOUS.items():
        if len(written := json.dumps([{"output_type": "display_data", "data": data}])) <= LONGEST_SEED:
            made[name] = b"outputs\n" + written.encode()
    stream = [{"output_type": "stream", "name": "stdout", "text": ["\x1b[31;1mx\x1b[0m"]}]
    picture = {"output_type": "execute_result", "data": {"image/png": PIXEL}, "metadata": {}, "execution_count": 1}
    made["honest-outputs"] = b"outputs\n" + json.dumps([*stream, picture]).encode()
    made["honest-markdown"] = b"markdown\n# T\n\n| a | b |\n|:--|--:|\n| $x_1$ | `<` |\n\n- [ ] to do\n\n> *q* ~~s~~\n"
    made["honest-table"] = b'html\n<table border="1" class="dataframe"><tr style="color: red;"><td>1</td></tr></table>'
    made["repeated"] = b"repeated\n["
    return made
