"""What tasks of this exercise share."""

SHOWN = ("result", "x.grad")
