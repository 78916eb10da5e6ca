"""Sphinx extension: formulas as MathML, which browsers show without a script or a font from elsewhere.

The package latex2mathml translates TeX; this registers it as a renderer of formulas.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging

LOG = logging.getLogger(__name__)


def _write(writer: Any, node: nodes.Element, *, block: bool) -> None:
    tex = node.astext().strip()
    try:
        formula = convert(tex, display="block" if block else "inline")
    except Exception as error:  # its own errors have nothing in common
        LOG.warning("this formula cannot be shown: %s (%s)", tex, error.__class__.__name__, location=node)
        formula = ""
    if "\\" in formula:
        LOG.warning("this formula has a command that nothing is known of: %s", tex, location=node)
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
