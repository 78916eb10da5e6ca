"""Markdown that parsers read differently: pictures, links and diagrams that JupyterLab finds where nbconvert sees text.

In each, URL stands for an address; asking it tells who looks at the cell, and when.
"""

from __future__ import annotations

SEEN_BY_JUPYTERLAB = {
    "environment-with-empty-lines": "\\begin{x}\n\n![a](URL)\n\n\\end{x}",
    "fence-in-items": "- ```\n![x](URL)\n- ```",
}
"""Those that JupyterLab 4.6 asked for, where nbconvert 7 sees a formula, and code."""
PICTURES = SEEN_BY_JUPYTERLAB | {
    "formula": "$ ![x](URL) $",
    "formula-of-paragraphs": "$a\n\n![x](URL)\n\n$",
    "formula-in-parentheses": "\\\\( ![x](URL) \\\\)",
    "prices": "a $5 ![x](URL) and $6 b",
    "formula-in-formula": "$$ a $ ![x](URL) $ b $$",
    "formula-of-html": "$<img src='URL'>$",
    "code-of-html": "`<img src='URL'>`",
    "code-in-code": "``<img src='URL'>` ``",
    "fence-of-tildes": "~~~\n```\n![x](URL)\n~~~",
    "fence-in-items-2": "- ```\n  a\n- ```\n  ![x](URL)\n  ```",
    "fence-without-end": "```\na\n ``` b\n![x](URL)",
    "indented": "a\n\n    <img src='URL'>\n\n\t![x](URL)",
    "indented-in-item": "- a\n\n      ![x](URL)\n\n  b",
    "reference-in-fence": "![x][r]\n\n```\n[r]: URL\n```",
    "reference-after-text": "text\n[r]: URL\n\n![x][r]",
    "reference-on-two-lines": "![x][r]\n\n[r]:\n\n URL",
    "escaped": "\\![x](URL)",
    "placeholder": "@@1@@ $x$ $<img src='URL'>$",
    "two-of-which-one-is-code": "![`](data:image/png;base64,AA==)`](URL)",
}
DIAGRAMS = {
    "mark-of-a-file": "```\ufeffmermaid\ngraph TD\nA-->B\n```",
    "invisible": "```\u200bmermaid\ngraph TD\nA-->B\n```",
    "backslash": "```mer\\maid\ngraph TD\nA-->B\n```",
    "entity": "```&#109;ermaid\ngraph TD\nA-->B\n```",
}
LINKS = {
    "local-in-code": "- ```\n[x](http://localhost:8888/formgrader?path=/tmp)\n- ```",
    "script-in-formula": "$[x](javascript:alert(1))$",
    "without-scheme": "- ```\n[x](//localhost:8888/formgrader)\n- ```",
    "www": "- ```\nwww.x.localhost:8888/formgrader\n- ```",
}
FORMULAS = {
    "definecolor": r"\definecolor{red}{RGB}{255,255,255}",
    "Newextarrow": r"\Newextarrow{\alpha}{5,5}{0x2190}",
    "newgathered": r"\newgathered{aligned}{REWRITTEN}{}{}",
    "mathtoolsset": r"\mathtoolsset{prescript-arg-format=\mathbf}",
    "uproot": r"\sqrt[\uproot{9999} COVER]{x}",
    "MoveEqLeft": r"\MoveEqLeft[50] x",
    "shoveright": r"\shoveright[-40em]{x}",
    "crampedllap": r"\crampedllap{COVER}",
    "hspace": "\\hspace\ufeff{-30em}",
    "hskip": "\\hskip\ufeff-30em",
}
"""TeX that changes what stands elsewhere on the page, or covers it: each by its macro."""
HONEST = [
    "The slope is $\\frac{a}{b}$; see [the lesson](https://pytorch.org/docs/stable/autograd.html?a=b#c).",
    "```python\nx[0] = y  # a < b\nfns[0](x)\n```",
    "![a plot](attachment:plot.png) and ![again](plot.png)",
    "| a | b |\n|---|---|\n| `x` | **y** |",
    "$$\\begin{aligned} x &= 1 \\\\ y &= 2 \\newline z \\end{aligned}$$",
    "Energy < 3 and `List<int>`, H<sub>2</sub>O, <https://example.org/a?b=c>",
    "- a\n- b\n\n  ```\n  code\n  ```",
    "$\\color{red}{x} \\hspace{1em} y \\kern 2pt z$",
]
"""What stays to the letter."""
