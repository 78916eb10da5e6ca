"""The slider with its buttons: standard widgets, no script of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from autograder.stepping.frames import shown_steps

if TYPE_CHECKING:
    from autograder.stepping.show import Stepper


def slider(stepper: Stepper) -> ipywidgets.VBox:
    """Make a slider over the steps, at the first that differs, with buttons for one step back and forward."""
    from autograder.stepping.show import _code, _drawn

    sweep, steps = stepper.sweep, shown_steps(stepper.sweep)
    at = ipywidgets.IntSlider(
        value=(sweep.first or 0) + 1,
        min=steps[0] + 1,
        max=steps[-1] + 1,
        description="Step",
        readout=True,
        layout=ipywidgets.Layout(max_width="28em", width="60%"),
    )
    back = ipywidgets.Button(description="Previous", tooltip="One step back", layout=ipywidgets.Layout(width="6.5em"))
    forward = ipywidgets.Button(description="Next", tooltip="One step forward", layout=ipywidgets.Layout(width="6.5em"))
    sentence, drawn = ipywidgets.HTML(), ipywidgets.HTML()
    overall = ipywidgets.HTML(f"<div>{_code(sweep.summary())}</div>" if sweep.first is None else "")
    folded = ipywidgets.HTML(stepper._folded())

    def show(change: Any = None) -> None:
        number = at.value - 1
        said = _code(sweep.sentence(number))
        sentence.value = f'<div role="status" aria-live="polite"><strong>{said}</strong></div>'
        drawn.value = _drawn(stepper.frame(number))
        back.disabled, forward.disabled = at.value == at.min, at.value == at.max

    def move(by: int) -> None:
        at.value = min(max(at.value + by, at.min), at.max)

    at.observe(show, names="value")
    back.on_click(lambda _: move(-1))
    forward.on_click(lambda _: move(1))
    show()
    controls = ipywidgets.HBox([at, back, forward], layout=ipywidgets.Layout(flex_flow="row wrap"))
    return ipywidgets.VBox([overall, controls, sentence, drawn, folded])
