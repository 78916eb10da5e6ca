"""The finished picture: an SVG and its alternative text."""

from __future__ import annotations

import base64
import html
import itertools
from collections.abc import Collection
from dataclasses import dataclass

from autograder.pictures.sweep_rows import SweepRow, read_rows

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

        Args:
            alt: its alternative text; by default the picture's whole text.
        """
        if not self.svg:
            return f"<pre>{html.escape(self.alt, quote=True)}</pre>"
        alt = html.escape(self.alt if alt is None else alt, quote=True)
        data = base64.b64encode(self.svg.encode()).decode("ascii")
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{alt}" style="max-width:100%">'

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        bundle = {"text/html": self.html(), "text/plain": self.alt}
        return {
            kind: content
            for kind, content in bundle.items()
            if (not include or kind in include) and kind not in (exclude or ())
        }
