"""Sphinx extension: formulas as MathML, which browsers show without a script or a font from elsewhere.

docutils, which Sphinx builds on, translates TeX; this registers it as a renderer of formulas.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

LOG = logging.getLogger(__name__)
KNOWN_AS = {r"\dots": r"\ldots"}
"""Commands that docutils knows by another name."""


def _write(writer: Any, node: nodes.Element, *, block: bool) -> None:
    tex = re.sub(r"\\[a-zA-Z]+", lambda found: KNOWN_AS.get(found[0], found[0]), node.astext())
    try:
        formula = tex2mathml(tex, as_block=block)
    except MathError as error:
        LOG.warning("this formula cannot be shown: %s (%s)", node.astext(), error, location=node)
        formula = f"<code>{writer.encode(node.astext())}</code>"
    if block:  # a formula wider than a telephone is scrolled, with keys too
        formula = f'<div class="formula" role="group" aria-label="formula" tabindex="0">{formula}</div>'
    writer.body.append(formula)
    raise nodes.SkipNode


def inline(writer: Any, node: nodes.math) -> None:
    """A formula in a line of text."""
    _write(writer, node, block=False)


def block(writer: Any, node: nodes.math_block) -> None:
    """A formula of its own."""
    _write(writer, node, block=True)


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer `mathml`."""
    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
