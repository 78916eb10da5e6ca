"""partials: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@mistake(
    "x and w swapped",
    "The partials of `x` and `w` are swapped. When u = x * w is differentiated with respect "
    "to `x`, which factor is left?",
)
def x_and_w_swapped():
    def partials(x, w, b):
        gate = 1.0 if x * w + b > 0 else 0.0
        return {"x": gate * x, "w": gate * w, "b": gate, "u": gate, "v": gate}


@mistake(
    "relu's gate forgotten",
    "The partials are right for an open gate, though `v` is below zero here. What is the slope of relu there?",
)
def gate_forgotten():
    def partials(x, w, b):
        return {"x": w, "w": x, "b": 1.0, "u": 1.0, "v": 1.0}


@mistake("slope 1 at the kink", "At v = 0 exactly, this course takes relu's slope to be 0, as PyTorch does.")
def open_at_zero():
    def partials(x, w, b):
        v = x * w + b
        gate = 1.0 if v >= 0 else 0.0
        return {"x": gate * w, "w": gate * x, "b": gate, "u": gate, "v": gate}


@mistake(
    "averaged slope at the kink",
    "At v = 0 the two sides were averaged. This course takes relu's slope there to be 0, as PyTorch does.",
)
def half_at_zero():
    def partials(x, w, b):
        def a(x, w, b):
            return max(0.0, x * w + b)

        def slope(f):
            return (f(1e-4) - f(-1e-4)) / 2e-4

        gate = slope(lambda h: max(0.0, x * w + b + h))
        return {
            "x": slope(lambda h: a(x + h, w, b)),
            "w": slope(lambda h: a(x, w + h, b)),
            "b": slope(lambda h: a(x, w, b + h)),
            "u": gate,
            "v": gate,
        }


@mistake("gate of u instead of v", "The gate follows the sign of `u`. Which node goes into relu?")
def gate_of_u():
    def partials(x, w, b):
        u = x * w
        gate = 1.0 if u > 0 else 0.0
        return {"x": gate * w, "w": gate * x, "b": gate, "u": gate, "v": gate}


@mistake(
    "gate only on v",
    "The gate acts on the partial of `v` alone. The paths of the other nodes lead through the same gate.",
)
def gate_only_on_v():
    def partials(x, w, b):
        v = x * w + b
        d_a_v = 1.0 if v > 0 else 0.0
        d_v_u = 1.0
        d_v_b = 1.0
        return {"x": w * d_v_u, "w": x * d_v_u, "b": d_v_b, "u": d_v_u, "v": d_a_v}


@mistake(
    "the node's value instead of its partial",
    "These are the values of the nodes. A partial says how much `a` changes per change of the node.",
)
def values_of_the_nodes():
    def partials(x, w, b):
        u = x * w
        v = u + b
        return {"x": x, "w": w, "b": b, "u": u, "v": v}


@mistake(
    "multiplied by the output", "Every partial is `a` times too large. Did you use relu's output instead of its slope?"
)
def relu_instead_of_its_slope():
    def partials(x, w, b):
        v = x * w + b
        a = max(0.0, v)
        return {"x": a * w, "w": a * x, "b": a, "u": a, "v": a}


@mistake(
    "partials of u instead of a", "These are the partials of `u`. The path goes on from there, through `v` to `a`."
)
def stopped_at_u():
    def partials(x, w, b):
        return {"x": w, "w": x, "b": 0.0, "u": 1.0, "v": 0.0}


@wrong("sign")
def minus_the_gradient():
    def partials(x, w, b):
        gate = 1.0 if x * w + b > 0 else 0.0
        return {"x": -gate * w, "w": -gate * x, "b": -gate, "u": -gate, "v": -gate}


@right
def early_return():
    def partials(x, w, b):
        if x * w + b <= 0:
            return {"x": 0, "w": 0, "b": 0, "u": 0, "v": 0}
        return {"x": w, "w": x, "b": 1, "u": 1, "v": 1}


@right
def asked_of_torch_in_float32():
    import torch

    def partials(x, w, b):
        x = torch.tensor(x, requires_grad=True)
        w = torch.tensor(w, requires_grad=True)
        b = torch.tensor(b, requires_grad=True)
        u = x * w
        v = u + b
        a = torch.relu(v)
        return dict(zip("xwbuv", torch.autograd.grad(a, (x, w, b, u, v))))


@right
def retained_by_torch():
    import torch

    def partials(x, w, b):
        x, w, b = (torch.tensor([n], dtype=torch.float64, requires_grad=True) for n in (x, w, b))
        u = x * w
        v = u + b
        u.retain_grad()
        v.retain_grad()
        v.relu().sum().backward()
        return {name: node.grad for name, node in {"x": x, "w": w, "b": b, "u": u, "v": v}.items()}


@right
def pushed_forward():
    # The derivative with respect to one node at a time, carried along with the value.
    def partials(x, w, b):
        def towards(name):
            d = {node: 1.0 if node == name else 0.0 for node in "xwbuv"}
            d_u = d["u"] + d["x"] * w + x * d["w"]
            d_v = d["v"] + d_u + d["b"]
            return d_v if x * w + b > 0 else 0.0

        return {name: towards(name) for name in "xwbuv"}
