"""The finished picture: an SVG and its alternative text."""

from __future__ import annotations

import base64
import html
import itertools
import re
from collections.abc import Collection
from dataclasses import dataclass

from autograder.marked_text import PRE
from autograder.pictures.sweep_rows import SweepRow, read_rows

GROUND = "#ffffff"
LEAST = 0.85
"""How far a picture may shrink before it scrolls: its smallest letters, of 11 pixels, then have 9."""
_SIZE = re.compile(r'<svg [^>]*?width="(\d+)"')
_NAME = re.compile(r'aria-label="[^"]*"')
WRONG = "\nWrong:\n"
"""The line above the marked nodes in a picture's text."""


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture that Jupyter displays.

    Attributes:
        svg: the image; empty if Graphviz is missing.
        alt: the same content as text: nodes, values, gradients, edges, wrong numbers, folded nodes.
    """

    svg: str
    alt: str

    def __repr__(self) -> str:
        return self.alt

    @property
    def wrong(self) -> list[str]:
        """The marked nodes: "✗ x: got 3, expected 2"."""
        _, _, marked = self.alt.partition(WRONG)
        return [line[2:] for line in itertools.takewhile(lambda line: line.startswith("- "), marked.splitlines())]

    @property
    def sweep(self) -> list[SweepRow]:
        """The backward sweep to the first wrong gradient; empty where the picture is not of wrong gradients."""
        return read_rows(self.alt)

    @property
    def summary(self) -> str:
        """The first line of the text, and the marked nodes."""
        return " ".join([self.alt.partition("\n")[0], *(f"{mark}." for mark in self.wrong)])

    def html(self, alt: str | None = None) -> str:
        """Return one `<img>` with the SVG inside, where it can neither run anything nor restyle the page.

        For pages that show what others made; its ground is its own, because an image knows no page.

        Args:
            alt: its alternative text; by default the picture's whole text.
        """
        if not self.svg:
            return f"<pre>{html.escape(self.alt, quote=True)}</pre>"
        alt = html.escape(self.alt if alt is None else alt, quote=True)
        data = base64.b64encode(self.svg.encode()).decode("ascii")
        looks = f"max-width:100%;background-color:{GROUND}"
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{alt}" style="{looks}">'

    def inline(self, alt: str | None = None) -> str:
        """Return the SVG itself, which takes its ink from the page and shrinks only as far as it stays readable.

        Beyond that it scrolls sideways. Only for a picture that this process has painted.

        Args:
            alt: its alternative text; by default the picture's whole text.
        """
        if not (found := _SIZE.search(self.svg)):
            return self.html(alt)
        alt = html.escape(self.alt if alt is None else alt, quote=True)
        wide = int(found[1])
        looks = f"display:block;width:100%;height:auto;min-width:{round(LEAST * wide)}px;max-width:{wide}px"
        svg = _NAME.sub(lambda _: f'aria-label="{alt}" style="{looks}"', self.svg, count=1)
        scrolling = 'tabindex="0" role="group" aria-label="A graph, which scrolls sideways" style="overflow-x:auto"'
        return f"<div {scrolling}>{svg}</div>"

    def with_words(self, *, live: bool) -> str:
        """Return the picture with a short alternative text, and all of it in words, folded.

        Args:
            live: whether it stands in the page itself, else it is an image.
        """
        words = (
            f'<details><summary>The graph in words</summary><pre style="{PRE}">{html.escape(self.alt)}</pre></details>'
        )
        return (self.inline if live else self.html)(self.summary) + (words if self.svg else "")

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        bundle = {"text/html": self.inline(), "text/plain": self.alt}
        if self.svg:
            bundle["image/svg+xml"] = self.svg  # for those who show no SVG in HTML, such as a graded notebook's page
        return {
            kind: content
            for kind, content in bundle.items()
            if (not include or kind in include) and kind not in (exclude or ())
        }
