"""What `step_through` shows: a slider where a kernel lives, a picture with a table where none does, text elsewhere."""

from __future__ import annotations

import functools
import os
import sys
import textwrap
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from autograder.marked_text import with_code
from autograder.stepping.frames import hidden, picture, shown_steps, table_as_text
from autograder.stepping.markup import table_as_html
from autograder.stepping.sweep import Sweep

if TYPE_CHECKING:
    from ipywidgets import Widget

WIDTH = 96
WIDGET = "application/vnd.jupyter.widget-view+json"


class Stepper:
    """A sweep that Jupyter displays, and `print` writes as text.

    Attributes:
        sweep: the steps, as data.
    """

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.frame = functools.lru_cache(maxsize=None)(functools.partial(picture, sweep))

    def __repr__(self) -> str:
        return self.text()

    def text(self) -> str:
        """Write the steps as a table that ends at the first difference, with what differs there in a sentence."""
        sweep = self.sweep
        parts = textwrap.wrap(sweep.summary(), WIDTH, break_long_words=False)
        if sweep.steps:
            parts.append(table_as_text(sweep))
        for note in self._notes():
            parts += textwrap.wrap(note, WIDTH, break_long_words=False)
        return "\n".join(parts)

    def html(self) -> str:
        """Write what shows the same without a kernel: the picture at the first difference, and the steps folded."""
        body = f"<p><strong>{with_code(self.sweep.summary())}</strong></p>"
        if self.sweep.steps:
            body += self.frame(self.sweep.first or 0).with_words(live=True)
        return f'<div class="tex2jax_ignore">{body}{self.folded()}</div>'

    def widget(self) -> Widget:
        """Make the slider with its buttons, the sentence and the picture."""
        from autograder.stepping.slider import slider  # with ipywidgets, which only a notebook needs

        return slider(self.sweep, self.frame, self.folded())

    def folded(self) -> str:
        """Write the table of steps, folded, and the notes."""
        table = f"<details><summary>All steps as a table</summary>{table_as_html(self.sweep)}</details>"
        notes = "".join(f"<p>{with_code(note)}</p>" for note in self._notes())
        return (table if self.sweep.steps else "") + notes

    def _notes(self) -> list[str]:
        sweep = self.sweep
        ended = [sweep.ended] if sweep.ended and sweep.summary() != sweep.ended else []
        notes = [f"{note.rstrip('.')}." for note in (*ended, *sweep.notes)]
        return [*notes, left_out] if (left_out := hidden(sweep)) else notes

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": self.text(), "text/html": self.html()}
        if len(shown_steps(self.sweep)) > 1 and is_live():
            try:
                shown = self.widget()._repr_mimebundle_()
                bundle[WIDGET] = shown[WIDGET]
            except Exception:  # without ipywidgets the picture and the table stand alone
                bundle.pop(WIDGET, None)
        return {
            kind: content
            for kind, content in bundle.items()
            if (not include or kind in include) and kind not in (exclude or ())
        }


def is_live() -> bool:
    """Whether a person sits before this kernel: a front end has told it the notebook's name.

    nbconvert, nbclient and the book tell none; what they write is read where no kernel answers a slider.
    """
    main = sys.modules.get("__main__")
    return bool(
        os.environ.get("JPY_SESSION_NAME") or getattr(main, "__vsc_ipynb_file__", None) or "google.colab" in sys.modules
    )
