"""forward_values: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@mistake("relu forgotten", "`a` follows `v` below zero. What does relu do with a negative number?")
def relu_forgotten():
    def forward_values(x, w, b):
        u = x * w
        v = u + b
        a = v
        return {"u": u, "v": v, "a": a}


@mistake("w + b first", "`v` is x * (w + b). Which of the two operations comes first in the graph?")
def brackets_in_the_wrong_place():
    def forward_values(x, w, b):
        v = x * (w + b)
        return {"u": x * w, "v": v, "a": max(0.0, v)}


@mistake(
    "w + b first", "`b` came in too early: `u` is w + b, or x * (w + b). Which two nodes does `u` join in the graph?"
)
def b_added_before_the_product():
    def forward_values(x, w, b):
        u = w + b
        v = x * u
        return {"u": u, "v": v, "a": max(0.0, v)}


@mistake("sum instead of product", "`u` is x + w. Which operation joins `x` and `w` in the graph?")
def x_plus_w():
    def forward_values(x, w, b):
        u = x + w
        v = u + b
        return {"u": u, "v": v, "a": max(0.0, v)}


@mistake(
    "absolute value instead of relu",
    "`a` is the absolute value of `v`. What does relu do with a negative number?",
)
def size_of_v():
    def forward_values(x, w, b):
        u = x * w
        v = u + b
        return {"u": u, "v": v, "a": abs(v)}


@mistake(
    "relu taken too early",
    "`v` is already cut off at zero. relu computes `a` from `v` and leaves `v` itself unchanged.",
)
def v_cut_at_zero():
    def forward_values(x, w, b):
        u = x * w
        v = max(0.0, u + b)
        a = v
        return {"u": u, "v": v, "a": a}


@mistake("b left out", "`v` equals `u`. What else goes into `v`?")
def without_b():
    def forward_values(x, w, b):
        u = x * w
        v = u
        return {"u": u, "v": v, "a": max(0.0, v)}


@mistake("b subtracted", "`v` is u - b. Which operation joins `u` and `b` in the graph?")
def minus_b():
    def forward_values(x, w, b):
        u = x * w
        v = u - b
        return {"u": u, "v": v, "a": max(0.0, v)}


@wrong("not attempted")
def forward_not_attempted():
    def forward_values(x, w, b):
        raise NotImplementedError  # your code here


@wrong("under another name")
def u_and_v_swapped():
    def forward_values(x, w, b):
        u = x * w
        v = u + b
        a = max(0.0, v)
        return dict(zip(["v", "u", "a"], [u, v, a]))


@right
def with_if():
    def forward_values(x, w, b):
        u = x * w
        v = u + b
        if v > 0:
            a = v
        else:
            a = 0
        return dict(u=u, v=v, a=a)


@right
def as_float32_tensors():
    import torch

    def forward_values(x, w, b):
        x, w, b = torch.tensor(x), torch.tensor(w), torch.tensor(b)
        u = x * w
        v = u + b
        return {"u": u, "v": v, "a": torch.relu(v)}


@right
def tensors_with_one_axis_and_a_key_too_many():
    import torch

    def forward_values(x, w, b):
        nodes = {"x": torch.tensor([x], requires_grad=True, dtype=torch.float64)}
        nodes["u"] = nodes["x"] * w
        nodes["v"] = nodes["u"] + b
        nodes["a"] = nodes["v"].clamp(min=0)
        return nodes


@right
def gate_as_a_factor():
    def forward_values(x, w, b):
        values = {"u": w * x}
        values["v"] = b + values["u"]
        values["a"] = values["v"] * (values["v"] > 0)
        return values
