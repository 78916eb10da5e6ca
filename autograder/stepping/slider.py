"""The slider with its buttons: standard widgets, no script of ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets

from autograder.marked_text import with_code
from autograder.pictures import Picture
from autograder.stepping.frames import shown_steps
from autograder.stepping.sweep import Sweep


def slider(sweep: Sweep, frame: Callable[[int], Picture], below: str) -> ipywidgets.VBox:
    """Make a slider over the steps, at the first that differs, with buttons for one step back and forward.

    Args:
        sweep: the steps.
        frame: draws one of them.
        below: HTML that stays the same.
    """
    steps = shown_steps(sweep)
    at = ipywidgets.IntSlider(
        value=(sweep.first or steps[0]) + 1,
        min=steps[0] + 1,
        max=steps[-1] + 1,
        description="Step",
        layout=ipywidgets.Layout(max_width="28em", width="60%"),
    )
    width = ipywidgets.Layout(width="6.5em")
    back = ipywidgets.Button(description="Previous", tooltip="One step back", layout=width)
    forward = ipywidgets.Button(description="Next", tooltip="One step forward", layout=width)
    overall = ipywidgets.HTML(f"<div>{with_code(sweep.summary())}</div>" if sweep.first is None else "")
    sentence, graph = ipywidgets.HTML(), ipywidgets.HTML()

    def show(change: Any = None) -> None:
        number = at.value - 1
        said = with_code(sweep.sentence(number))
        # A screen reader says this sentence whenever it changes.
        sentence.value = f'<div role="status" aria-live="polite" style="line-height:1.45"><strong>{said}</strong></div>'
        graph.value = frame(number).with_words(live=True)
        back.disabled, forward.disabled = at.value == at.min, at.value == at.max

    def move(by: int) -> None:
        at.value = min(max(at.value + by, at.min), at.max)

    at.observe(show, names="value")
    back.on_click(lambda _: move(-1))
    forward.on_click(lambda _: move(1))
    show()
    controls = ipywidgets.HBox([at, back, forward], layout=ipywidgets.Layout(flex_flow="row wrap"))
    return ipywidgets.VBox([overall, controls, sentence, graph, ipywidgets.HTML(below)])
