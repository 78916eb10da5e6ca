"""The pictures: what they show, what they say in words, and what they survive."""

from __future__ import annotations

import base64
import html
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree

import pytest
import torch

from autograder.pictures import Picture, draw

TOY = [("x", "u", 2), ("w", "u", 3), ("u", "v", 1), ("b", "v", 1), ("v", "a", 1)]
VALUES = {"x": 3, "w": 2, "b": 1, "u": 6, "v": 7, "a": 7}
PARTIALS = {"x": 2, "w": 3, "b": 1, "u": 1, "v": 1, "a": 1}
SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: Picture) -> list[str]:
    """The texts of the image, in order; fails where the SVG is not well-formed."""
    return [element.text or "" for element in ElementTree.fromstring(picture.svg).iter(f"{SVG}text")]


def toy_tensors() -> dict[str, torch.Tensor]:
    x, w, b = (torch.tensor(value, requires_grad=True) for value in (3.0, 2.0, 1.0))
    u = x * w
    v = u + b
    return {"x": x, "w": w, "b": b, "u": u, "v": v, "a": torch.relu(v)}


class Value:
    """A small engine with parents in a set, as many students write it."""

    def __init__(self, data: float, before: tuple = (), op: str = "") -> None:
        self.data, self.grad = data, 0.0
        self._before, self._op = set(before), op

    def __add__(self, other: object) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        return type(self)(self.data + other.data, (self, other), "+")


# --- the first wrong number ---


@pytest.mark.parametrize(
    ("wrong", "backwards", "first"),
    [
        (("x", "w", "u"), True, "the first wrong number is that of u"),
        (("x", "b"), True, None),  # neither leads to the other
        (("x", "u", "b"), True, "the first wrong numbers are those of b and u"),
        (("u", "a"), False, "the first wrong number is that of u"),
        (("u",), True, None),
    ],
)
def test_the_first_wrong_number_on_the_way_is_noted(wrong: tuple, backwards: bool, first: str | None) -> None:
    found = draw(TOY, wrong={name: (0, 1) for name in wrong}, backwards=backwards).alt
    assert (f", {first}" in found) if first else ("the first wrong" not in found)


# --- a list of edges ---


def test_toy_picture_shows_values_partials_and_local_derivatives():
    shown = texts(draw(TOY, values=VALUES, gradients=PARTIALS, title="The toy graph"))
    assert shown[0] == "The toy graph"
    for label in ("∂u/∂x = 2", "∂u/∂w = 3", "∂v/∂u = 1", "∂v/∂b = 1", "∂a/∂v = 1"):
        assert label in shown
    for name in VALUES:
        at = shown.index(name)
        value_then_partial = ["value", str(VALUES[name]), f"∂a/∂{name}", str(PARTIALS[name])]
        assert shown[at + 1 : at + 5] == value_then_partial
    assert shown[-3:] == ["leaf", "intermediate", "output"]


def test_nothing_is_printed():
    # Text on stderr in a grade cell would cost points. Fonts are loaded once, hence the new process.
    code = "from autograder import pictures as p; p.draw([('x','u',2),('x','u',3),('u','u',None)])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == done.stderr == b""


def test_alternative_text_says_all_of_it():
    assert draw(TOY, values=VALUES, gradients=PARTIALS, wrong={"x": (3, 2)}).alt == (
        "Computation graph: 6 nodes, output a.\n"
        "Nodes:\n"
        "- x (leaf): value 3, ∂a/∂x 2\n"
        "- w (leaf): value 2, ∂a/∂w 3\n"
        "- b (leaf): value 1, ∂a/∂b 1\n"
        "- u (intermediate): value 6, ∂a/∂u 1\n"
        "- v (intermediate): value 7, ∂a/∂v 1\n"
        "- a (output): value 7, ∂a/∂a 1\n"
        "Edges:\n"
        "- x → u: ∂u/∂x = 2\n"
        "- w → u: ∂u/∂w = 3\n"
        "- u → v: ∂v/∂u = 1\n"
        "- b → v: ∂v/∂b = 1\n"
        "- v → a: ∂a/∂v = 1\n"
        "Wrong:\n"
        "- ✗ x: got 3, expected 2"
    )


def test_the_image_is_one_frame_with_a_name():
    picture = draw(TOY, title="Toy & co")
    root = ElementTree.fromstring(picture.svg)
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.find(f"{SVG}title").text == "Toy & co"
    frame = root.find(f"{SVG}rect")
    assert float(frame.get("width")) >= float(root.get("width")) - 1


def test_notebooks_get_the_picture_in_the_pages_ink_and_text():
    picture = draw(TOY, title='"quoted" <b>')
    bundle = picture._repr_mimebundle_()
    assert bundle["text/plain"] == picture.alt == repr(picture)
    assert bundle["image/svg+xml"] == picture.svg
    shown = ElementTree.fromstring(bundle["text/html"]).find(f"{SVG}svg")
    assert shown.get("aria-label") == picture.alt.replace("\n", " ")  # as XML reads a line break in an attribute
    assert [one.text for one in shown.iter(f"{SVG}text")] == texts(picture)
    assert list(picture._repr_mimebundle_(include=["text/plain"])) == ["text/plain"]


def test_pages_of_others_get_an_image_on_its_own_ground():
    picture = draw(TOY, title='"quoted" <b>')
    looks = "max-width:100%;background-color:#ffffff"
    found = re.fullmatch(
        rf'<img src="data:image/svg\+xml;base64,([^"]*)" alt="([^"<>]*)" style="{looks}">', picture.html()
    )
    assert base64.b64decode(found[1]).decode() == picture.svg
    assert html.unescape(found[2]) == picture.alt


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        'a"]; b [label="',
        "&lt;\\N\\l",
        "</title>",
        "a\x00\x1b\ud800\u202eb",
        "漢字\n",
        "",
    ],
)
def test_names_are_texts_and_nothing_else(name):
    picture = draw([(name, "a", 1)], values={name: name}, wrong={name: (name, name)}, title=name)
    tags = {element.tag for element in ElementTree.fromstring(picture.svg).iter()}
    assert tags <= {SVG + tag for tag in ("svg", "title", "desc", "rect", "g", "path", "text")}
    assert "<script" not in picture.svg
    assert re.fullmatch(r"<img [^<>]*>", picture.html())
    assert {element.tag for element in ElementTree.fromstring(picture.inline()).iter()} == tags | {"div"}
    if name.startswith("<script"):
        assert name in picture.alt


def test_long_names_are_cut():
    picture = draw([("n" * 5000, "a", 1)], title="t" * 5000)
    assert len(picture.alt) < 1000
    assert any(text.endswith("n…") and len(text) < 30 for text in texts(picture))


def test_wrong_numbers_are_marked_without_colour_too():
    picture = draw(TOY, values=VALUES, gradients={**PARTIALS, "x": 3}, wrong={"x": (3, 2), "b": (2, 0), "u": 5})
    shown = texts(picture)
    at = shown.index("∂a/∂x")
    assert shown[at + 1 : at + 3] == ["✗ got 3", "expected 2"]
    assert "✗ got 2" in shown
    assert "expected 0" in shown
    assert "✗ got 5" in shown
    assert sum(text.startswith("expected") for text in shown) == 2  # u's is not to be told
    assert picture.svg.count('stroke-width="3" stroke-dasharray') == 4  # three nodes and the key
    assert "✗ u: got 5\n" in picture.alt + "\n"


def test_a_wrong_name_outside_the_graph_is_not_lost():
    picture = draw(TOY, wrong={"z": (2, 0)})
    assert "✗ z (not in this graph): got 2, expected 0" in picture.alt
    assert "✗ z (not in this graph): got 2, expected 0" in texts(picture)


def engine() -> Value:
    return Value(1.0) + 2


@pytest.mark.parametrize("thing", [TOY, toy_tensors()["a"], engine()], ids=["edges", "tensor", "engine"])
def test_a_name_that_the_graph_lacks_is_said(thing):
    picture = draw(thing, values={"q": 1}, gradients={"r": 2, "q": 3}, wrong={"s": 4})
    for note in ("q and r are not part of this graph", "✗ s (not in this graph): got 4"):
        assert f"Note: {note}" in picture.alt.splitlines()
        assert note in texts(picture)
    assert "not part" not in draw(thing).alt


def test_of_many_names_that_the_graph_lacks_the_first_are_said():
    alt = draw(TOY, values=dict.fromkeys("xqrstyz", 0) | {7: 0}).alt
    assert "Note: q, r, s, t, y and 2 more are not part of this graph" in alt
    assert "Note: q is not part of this graph" in draw(TOY, values={"q": 0}).alt


def test_a_tensor_with_two_names_is_found_by_either():
    x = torch.tensor(3.0, requires_grad=True)
    alt = draw(x * 2, names={"x": x, "same": x}, values={"same": 5}, gradients={"x": 2}, wrong={"same": 4}).alt
    assert "- x, same (leaf): value 5, grad 2" in alt
    assert "- ✗ x, same: got 4" in alt
    assert "not part" not in alt


@pytest.mark.parametrize(
    ("number", "shown"),
    [(-0.0, "0"), (1 / 3, "0.3333"), (12345.6, "1.235e+04"), (float("nan"), "nan"), (10**400, "huge"),
     (torch.tensor(2.0), "2"), (None, "None"), (torch.ones(2), "Tensor"), (True, "True")],
)  # fmt: skip
def test_numbers_are_short(number, shown):
    assert f"- x (leaf): value {shown}\n" in draw(TOY, values={"x": number}).alt


def test_parallel_edges_and_cycles():
    assert draw([("x", "y", 2), ("x", "y", 3)]).alt.count("x → y") == 2
    assert "x → y: 100 edges" in draw([("x", "y", 1)] * 100).alt
    assert "y → x" in draw([("x", "y", 1), ("y", "x", 1), ("x", "x", None)]).alt


def test_equal_graphs_give_equal_bytes():
    code = "from autograder import pictures as p; print(p.draw([('x','u',2),('w','u',3)], values={'x': 1}).svg)"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


@pytest.mark.parametrize("thing", [[], 3, None, "x", [("x",)], [(1, 2, 3)], torch.nn.ReLU(), {"x": 1}, Value])
def test_other_things_are_refused_with_a_reason(thing):
    with pytest.raises(TypeError, match=r"edge|draw"):
        draw(thing)


# --- folding ---


def test_a_chain_of_ten_thousand_is_folded():
    start = time.process_time()
    picture = draw([(f"n{i}", f"n{i + 1}", 1) for i in range(10_000)])
    assert time.process_time() - start < 5
    assert "… 9,997 nodes …" in texts(picture)
    assert picture.alt.startswith("Computation graph: 10,001 nodes, output n10000.")
    assert "Folded: 9,997 nodes." in picture.alt


def test_a_graph_of_thirty_nodes_is_shown_whole():
    assert "Folded" not in draw([(f"n{i}", f"n{i + 1}", 1) for i in range(29)]).alt
    assert "Folded" in draw([(f"n{i}", f"n{i + 1}", 1) for i in range(30)]).alt


@pytest.mark.parametrize(
    "edges",
    [
        [(f"n{i}", "out", 1) for i in range(5000)],
        [("in", f"n{i}", 1) for i in range(5000)],
        [(f"n{i}", f"n{j}", 1) for i in range(30) for j in range(i)],
        [(f"s{i}", f"{side}{i}", 1) for i in range(2000) for side in "lr"]
        + [(f"{side}{i}", f"s{i + 1}", 1) for i in range(2000) for side in "lr"],
        [(f"n{i}", f"n{(i + 1) % 3000}", 1) for i in range(3000)],
    ],
    ids=["fan in", "fan out", "dense", "diamonds", "ring"],
)  # fmt: skip
def test_wide_dense_and_cyclic_graphs_are_cut(edges):
    start = time.process_time()
    picture = draw(edges)
    assert time.process_time() - start < 5
    names = {name for edge in edges for name in edge[:2]}
    folded = int(re.search(r"Folded: ([\d,]+) nodes", picture.alt)[1].replace(",", ""))
    assert len(names) == folded + len(re.findall(r"^- .* \((?:leaf|intermediate|output)\)", picture.alt, re.M))
    assert picture.svg


def test_what_is_wrong_survives_folding():
    chain = [(f"n{i}", f"n{i + 1}", 1) for i in range(1000)]
    assert "✗ n500: got 2, expected 1" in draw(chain, wrong={"n500": (2, 1)}).alt
    every = draw(chain, wrong={f"n{i}": (2, 1) for i in range(1000)}).alt
    assert every.count("got 2, expected 1") == 1000


def test_what_is_wrong_is_shown_before_what_has_a_name():
    x = torch.tensor(1.0, requires_grad=True)
    named = {"n0": x}
    for i in range(40):
        named[f"n{i + 1}"] = named[f"n{i}"] * 2
    assert "✗ got 7" in texts(draw(named["n40"], names=named, wrong={"n30": 7}))


# --- autograd graphs ---


def test_a_tensors_graph_before_and_after_backward():
    tensors = toy_tensors()
    tensors["u"].retain_grad()
    tensors["v"].register_hook(lambda gradient: None)
    before = draw(tensors["a"], names=tensors).alt
    assert "- x (leaf): value 3, grad None\n" in before
    assert "- u (intermediate): MulBackward0, value 6, grad None, retains its gradient, saved" in before
    assert "saved self: ()" in before
    assert "- v (intermediate): AddBackward0, value 7, grad not kept, 1 hook\n" in before
    assert "- a (output): ReluBackward0, value 7, grad not kept, saved result: ()\n" in before
    assert [line for line in before.splitlines() if "→" in line] == [
        "- x → u", "- w → u", "- u → v", "- b → v", "- v → a",
    ]  # fmt: skip

    tensors["a"].backward()
    after = draw(tensors["a"], names=tensors).alt
    assert "- x (leaf): value 3, grad 2\n" in after
    assert "value 6, grad 1, retains its gradient, saved other: freed, saved self: freed\n" in after
    assert "saved result: freed" in after


@pytest.mark.filterwarnings("error")
def test_drawing_changes_nothing():
    tensors = toy_tensors()
    draw(tensors["a"], names=tensors)
    gradients = torch.autograd.grad(tensors["a"], list(tensors.values()))
    assert [float(gradient) for gradient in gradients] == [2, 3, 1, 1, 1, 1]
    assert all(tensor.grad is None for tensor in (tensors["x"], tensors["w"], tensors["b"]))


def test_custom_functions_shapes_and_results():
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, upstream):
            return 3 * upstream * ctx.saved_tensors[0] ** 2

    x = torch.ones(5, 2, requires_grad=True)
    y = Cube.apply(x).unbind(1)[1].sum()
    alt = draw(y, names={"x": x}).alt
    assert "- x (leaf): shape (5, 2), grad None\n" in alt
    assert "- CubeBackward (intermediate): shape (5, 2), custom Function, saved: (5, 2)\n" in alt
    assert "UnbindBackward0 → SumBackward0: result 1" in alt
    y.backward()
    assert "custom Function, saved: freed\n" in draw(y).alt


def test_a_saved_tensor_that_was_written_into():
    x = torch.ones(3, requires_grad=True)
    h = x * 2
    y = (h**2).sum()
    h.add_(1)
    assert "saved self: changed in place" in draw(y).alt


def test_tensors_outside_the_graph_are_named():
    tensors = toy_tensors()
    copy = tensors["u"].detach()
    picture = draw(tensors["a"], names={"x": tensors["x"], "copy": copy, "n": 3})
    assert "copy is not part of this graph" in texts(picture)
    alone = draw(copy, names={"copy": copy}).alt
    assert "- copy (leaf): value 6\nNote: no graph: this tensor does not require a gradient" in alone


def test_a_tensor_that_lies_about_itself():
    class Liar(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            raise RuntimeError("lied")

    with torch._C.DisableTorchFunctionSubclass():
        x = torch.ones(2).as_subclass(Liar).requires_grad_()
        y = (x * 2).sum()
    assert "- x (leaf): value [1, 1], grad None\n" in draw(y, names={"x": x}).alt


def test_a_long_autograd_chain():
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(10_000):
        y = y * 1.0
    start = time.process_time()
    alt = draw(y, names={"x": x, "y": y}).alt
    assert time.process_time() - start < 5
    assert "… 9,997 nodes …: 9,997 × MulBackward0" in alt


# --- a student's engine ---


def test_an_engine_with_sets():
    x, y = Value(3.0), Value(2.0)
    out = x + y + 1
    out.grad = 1.0
    alt = draw(out, names={"x": x, "y": y}, wrong={"x": (0, 1)}).alt
    assert "- x (leaf): value 3, grad 0\n" in alt
    assert "- + #2 (output): value 6, grad 1\n" in alt
    assert "- x → + #1\n" in alt
    assert "- ✗ x: got 0, expected 1" in alt


def test_the_order_of_a_set_does_not_show():
    out = Value(45.0, tuple(Value(float(data)) for data in (3, 1, 9, 8, 2, 7, 5, 6, 4)))
    assert re.findall(r"leaf\): value (\d)", draw(out).alt) == list("123456789")


class Broken(Value):
    """Everything that a picture might lean on is wrong."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        raise RuntimeError("no hash")

    def __getattr__(self, name: str) -> object:
        return self

    def __repr__(self) -> str:
        raise RuntimeError("no repr")

    def __bool__(self) -> bool:
        raise RuntimeError("no bool")

    def __init__(self, data: float, before: tuple = (), op: str = "") -> None:
        self.data, self.grad, self._op = data, 0.0, op
        self.origins = [(parent, 1.0) for parent in before]


def test_an_engine_that_lies():
    x, y = Broken(3.0), Broken(3.0)
    alt = draw(x + y, names={"x": x, "y": y}).alt
    assert alt.startswith("Computation graph: 3 nodes, output +.")
    assert "- x → +: 1\n- y → +: 1" in alt


class Slotted:
    """Slots, one parent per attribute, a list of users and a property."""

    __slots__ = ("_data", "grad", "left", "right", "users")

    def __init__(self, data: float, left: object = None, right: object = None) -> None:
        self._data, self.grad, self.left, self.right, self.users = data, 0.0, left, right, []
        for parent in (left, right):
            if parent is not None:
                parent.users.append(self)

    @property
    def data(self) -> float:
        return self._data


def test_an_engine_with_slots_and_users():
    x, w = Slotted(3), Slotted(2)
    u = Slotted(6, x, w)
    alt = draw(Slotted(6, u), names={"x": x, "w": w, "u": u}).alt
    assert [line for line in alt.splitlines() if "→" in line] == ["- x → u", "- w → u", "- u → output"]
    assert "- x (leaf): value 3, grad 0" in alt


def test_local_derivatives_in_a_second_list_and_the_sorted_graph():
    class Node:
        def __init__(self, data, children=(), local_grads=()):
            self.data, self.grad = data, 0
            self._children, self._local_grads = children, local_grads
            self.order = []

    x, w = Node(3.0), Node(2.0)
    out = Node(6.0, (x, w), (2.0, 3.0))
    out.order = [x, w, out]
    alt = draw(out, names={"x": x, "w": w, "out": out}).alt
    assert alt.endswith("Edges:\n- x → out: 2\n- w → out: 3")


def test_a_long_engine_chain():
    y = x = Value(0.0)
    for _ in range(10_000):
        y = y + 1
    start = time.process_time()
    alt = draw(y, names={"x": x}).alt
    assert time.process_time() - start < 10
    assert alt.startswith("Computation graph: 20,001 nodes")
    assert "- x (leaf): value 0" in alt


# --- where Graphviz or torch are missing ---


def test_without_graphviz_the_text_remains(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    picture = draw(TOY)
    assert picture.svg == ""
    assert picture.alt.endswith("Note: there is no image without Graphviz: pip install pygraphviz")
    assert picture.html().startswith("<pre>Computation graph")


def test_importing_pictures_leaves_torch_alone():
    code = "import sys, autograder.pictures as p; p.draw([('x', 'y', 1)]); assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
