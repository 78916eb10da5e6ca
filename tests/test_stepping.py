"""Stepping through backward passes of scalar engines: the step at which wrong ones stop, and what is left behind."""

from __future__ import annotations

import math
from typing import Any

import pytest

from autograder.stepping import step_through
from autograder.stepping.operations import OPERATIONS, slopes
from tests.stepping_engines import (
    RIGHT,
    STYLES,
    DepthFirst,
    EveryUse,
    ForgetsOne,
    InputsFirst,
    Node,
    NoSeed,
    NoUpstream,
    Overwrites,
    WithSlots,
    WrongLocal,
    WrongSign,
    graph,
    numbers,
    stepped,
)


@pytest.mark.parametrize(
    ("engine", "label", "yours", "right", "because"),
    [
        (Overwrites, "u", "6", "16", "through `v` replaced what had come over the path through `y`"),
        (InputsFirst, "u", "10", "16", "through `v` had not arrived when `u` passed its gradient on"),
        (
            DepthFirst,
            "u",
            "10",
            "16",
            "what comes over the path through `v` had not arrived when `u` passed its gradient",
        ),
        (ForgetsOne, "b", "0", "6", "what comes over the path through `t` is missing"),
        (WrongSign, "b", "-6", "6", "over the path through `t` came -6 in place of 6: the sign is wrong"),
        (WrongLocal, "t", "10", "6", "The derivative of `y` with respect to `t` is 6, and 10 was multiplied"),
        (NoUpstream, "x", "8", "38", "which lacks the gradient that arrived at `u`, 16, as a factor"),
        (NoSeed, "y", "0", "1", "the output's gradient with respect to itself is 1"),
        (EveryUse, "u", "10", "16", "through `v` had not arrived"),
    ],
)
def test_a_wrong_engine_stops_at_its_first_wrong_number(
    engine: type[Node], label: str, yours: str, right: str, because: str
) -> None:
    sweep = stepped(engine).sweep
    assert sweep.first is not None
    step = sweep.steps[sweep.first]
    assert (sweep.places[step.node].label, step.right) == (label, right)
    assert step.yours == yours
    assert because in step.because
    assert sweep.summary().startswith(f"Step {sweep.first + 1} of 7: `{label}` received {step.yours}, the right sweep ")
    assert not any(one.differs for one in sweep.steps[: sweep.first])


# --- right engines, in many styles ---


@pytest.mark.parametrize("engine", STYLES)
def test_a_right_engine_of_any_style_agrees(engine: type[Any]) -> None:
    shown = stepped(engine)
    assert shown.sweep.first is None
    assert numbers(shown) == RIGHT
    assert {step.right for step in shown.sweep.steps} == set(RIGHT.values())
    assert shown.sweep.summary() == "All 7 steps agree with the right sweep."
    assert [shown.sweep.places[step.node].label for step in shown.sweep.steps][:2] == ["y", "t"]


@pytest.mark.parametrize("engine", [*STYLES, Overwrites, NoSeed])
def test_stepping_changes_nothing(engine: type[Any]) -> None:
    names = graph(engine)
    names["y"].backward()
    before = {name: (node.grad, set(dir(node))) for name, node in names.items()}
    classes = {cls: dict(vars(cls)) for cls in engine.__mro__[:-1]}
    step_through(names["y"], names=names)
    assert {name: (node.grad, set(dir(node))) for name, node in names.items()} == before
    assert {cls: dict(vars(cls)) for cls in engine.__mro__[:-1]} == classes


def test_an_earlier_pass_is_not_seen() -> None:
    names = graph(Node)
    names["y"].backward()
    shown = step_through(names["y"], names=names)
    assert numbers(shown) == RIGHT


def test_marks_that_a_pass_leaves_are_taken_away() -> None:
    class Marks(Node):
        def backward(self) -> None:
            super().backward()
            self.visited = True

    names = graph(Marks)
    step_through(names["y"])
    assert not hasattr(names["y"], "visited")


def test_what_a_pass_remembers_in_lists_sets_and_dicts_is_forgotten() -> None:
    class Remembers(Node):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            self.visited, self.memo, self.met = set[int](), dict[int, bool](), list[int]()

        def backward(self) -> None:
            if not self.visited and not self.memo and not self.met:
                super().backward()
            self.visited.add(id(self))
            self.memo[id(self)] = True
            self.met.append(id(self))

    names = graph(Remembers)
    assert numbers(step_through(names["y"], names=names)) == RIGHT
    assert not any((names["y"].visited, names["y"].memo, names["y"].met))


# --- what is not known is not guessed ---


def test_an_unknown_operation_makes_what_lies_before_it_unknown() -> None:
    x = Node(3.0)
    y = Node(7.5, (x,), "mystery")
    y._backward = lambda: x.add_to(2.0 * y.grad)
    shown = step_through(y, names={"x": x, "y": y})
    assert "neither its number nor what it stores tells which operation made `y`" in shown.sweep.sentence(1)
    assert shown.sweep.summary().startswith("1 of 2 steps agree")
    assert shown.sweep.first is None


def test_stored_derivatives_of_a_node_made_by_hand_are_taken_as_they_are() -> None:
    a = WithSlots(2.0)
    c = WithSlots(4.0, ((a, 5.0),))  # any function may have this value and this slope
    y = c * c
    shown = step_through(y, names={"a": a, "c": c, "y": y})
    assert numbers(shown) == {"y": "1", "c": "8", "a": "40"}
    assert shown.sweep.first is None
    assert "Which operation made `c` is not known" in shown.text()


def test_an_operator_that_stores_wrong_derivatives_is_found() -> None:
    class Swapped(WithSlots):
        def __mul__(self, other: WithSlots) -> Swapped:
            return Swapped(self.data * other.data, ((self, self.data), (other, other.data)))

    a, b = Swapped(3.0), Swapped(2.0)
    shown = step_through(a * b)
    assert "received 3, the right sweep gives it 2" in shown.sweep.summary()
    by_hand = step_through(Swapped(6.0, ((a, 4.0), (b, -1.0))))
    assert by_hand.sweep.first is None


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_derivative_agrees_with_differences(name: str) -> None:
    operation, step = OPERATIONS[name], 1e-6
    at = [0.7, 1.9][: len(operation.slopes)]
    for place, slope in enumerate(slopes(operation, at)):
        up, down = ([x + side * step * (i == place) for i, x in enumerate(at)] for side in (1, -1))
        difference = (operation.forward(*up) - operation.forward(*down)) / (2 * step)
        assert slope is not None
        assert math.isclose(slope, difference, rel_tol=1e-7, abs_tol=1e-7)


# --- hostile and unusual objects: a sentence, and never a traceback of ours ---


def test_a_pass_that_raises_is_shown_until_then() -> None:
    class Fails(Node):
        def relu(self) -> Node:
            out = super().relu()
            out._backward = lambda: 1 / 0
            return out

    x = Fails(2.0)
    u = x * x
    y = u.relu() * x
    shown = step_through(y, names={"x": x, "u": u, "y": y})
    assert shown.sweep.ended == "Your backward pass ended with ZeroDivisionError: division by zero"
    assert shown.sweep.first is None
    assert "ended with ZeroDivisionError" in shown.text()
    assert x.grad == 0.0


def test_a_getter_that_raises_gives_a_sentence() -> None:
    class Raises(Node):
        @property
        def grad(self) -> float:
            raise RuntimeError("no")

        @grad.setter
        def grad(self, value: float) -> None:
            pass

    shown = step_through(Raises(2.0))
    assert "cannot be set to zero (RuntimeError came from its attribute `grad`)" in shown.sweep.notes[0]


def test_gradients_written_past_the_attribute_are_shown_at_the_end() -> None:
    class Sneaks(Node):
        def add_to(self, share: float) -> None:
            self.__dict__["grad"] += share

    shown = stepped(Sneaks)
    assert numbers(shown) == RIGHT
    assert "in a way that cannot be watched" in shown.text()
    assert shown.sweep.first is None


def test_a_setattr_that_keeps_gradients_elsewhere_works_as_before() -> None:
    class Elsewhere(Node):
        def __setattr__(self, name: str, value: object) -> None:
            self.__dict__.setdefault("own", {})[name] = value
            if name != "grad":
                self.__dict__[name] = value

        def __getattr__(self, name: str) -> Any:
            try:
                return self.__dict__["own"][name]
            except KeyError:
                raise AttributeError(name) from None

    shown = stepped(Elsewhere)
    assert shown.sweep.first is None
    assert shown.text()


def test_a_read_only_gradient_is_said() -> None:
    class Computed(Node):
        grad = property(lambda self: self._g, None)  # type: ignore[assignment]

        def __init__(self, data: float) -> None:
            self.data, self._g, self._prev = data, 0.0, set()

        def backward(self) -> None:
            self._g = 1.0

    shown = step_through(Computed(2.0))
    assert "`grad` is a property without a setter" in shown.text()
    assert shown.sweep.first is None


@pytest.mark.parametrize("thing", [3.0, "y", None, Node, [1, 2], object()])
def test_anything_else_is_refused_in_a_sentence(thing: object) -> None:
    with pytest.raises(
        TypeError, match=r"^step_through\(\) takes a tensor or a node with .data, .grad and its parents, "
    ):
        step_through(thing)


def test_an_engine_without_the_method_says_what_to_give() -> None:
    class Bare:
        def __init__(self, data: float, parents: tuple = ()) -> None:
            self.data, self.grad, self.parents = data, 0.0, parents

    x = Bare(2.0)
    y = Bare(4.0, (x, x))
    with pytest.raises(TypeError, match="backward=lambda"):
        step_through(y)

    def sweep() -> None:
        y.grad = 1.0
        x.grad = 4.0 * y.grad

    assert step_through(y, backward=sweep).sweep.steps[0].yours == "1"


def test_a_cycle_and_an_interrupted_pass_leave_everything_as_it_was() -> None:
    x = Node(1.0)
    y = x + x
    x._prev = {y}
    assert "the nodes form a cycle" in step_through(y).sweep.sentence(0)

    class Endless(Node):
        def backward(self) -> None:
            self.grad = 5.0
            raise KeyboardInterrupt

    node = Endless(1.0)
    with pytest.raises(KeyboardInterrupt):
        step_through(node)
    assert node.grad == 0.0
    assert "grad" not in vars(Endless)
