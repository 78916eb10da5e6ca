"""predict_hooks: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import functools

from autograder.diagnosis import Idea
from autograder.tasks.answers import known, right, slips, wrong

from .task import REFERENCE


idea = functools.partial(Idea, REFERENCE.oracle)


known(
    idea(
        "one call per use",
        "a hook is called for each use of its tensor. How often is it called?",
        A=[30.0, 30.0],
        E=[30.0, 30.0],
        F=[31.0, 31.0],
        G=[30.0, 30.0],
    ),
    idea(
        "accumulated like .grad",
        "a hook receives the total that `.grad` then holds. What does one pass compute?",
        B=[180.0, 360.0],
    ),
    idea("every pass runs every hook", "every pass runs every hook. What does `grad` leave out?", C=[60.0]),
    idea(
        "no gradient at the output",
        "the output itself has no gradient. Where does a pass begin?",
        D=[],
    ),
    idea(
        "hook reports earlier passes",
        "a hook also reports passes that were over when you registered it. Can it?",
        E=[60.0, 60.0],
    ),
    idea("a late hook never runs", "a hook must be registered before the first pass. Was the graph kept?", E=[]),
    idea(
        "every hook gets the original",
        "no hook changes what other hooks receive. What does a returned value do?",
        F=[60.0],
        H=[180.0],
    ),
    idea(
        "a change reaches hooks before it",
        "a returned value reaches every hook on its tensor, even hooks registered before. In which order do they run?",
        G=[61.0],
    ),
    idea(
        "a change reaches other branches",
        "a changed gradient changes all other gradients. Which of them are computed from it?",
        I=[-40.0],
    ),
    idea(
        "only one factor counted",
        "only one of the two factors in `u * u` counts. How many of them depend on `u`?",
        A=[30.0],
        B=[90.0, 90.0],
        E=[30.0],
        F=[31.0],
        G=[30.0],
        H=[180.0],
    ),
    idea(
        "values instead of gradients",
        "a hook receives the value of its tensor. What does PyTorch pass to it?",
        A=[6.0],
        B=[2.0, 2.0],
        D=[160.0],
        E=[6.0],
        F=[7.0],
        G=[6.0],
        H=[2.0],
        I=[1.0],
    ),
)


@wrong("one call per use")
def two_calls_wherever_u_is_hooked():
    def predict_hooks():
        return {
            "A": [30.0, 30.0],
            "B": [180.0, 180.0],
            "C": [],
            "D": [1.0],
            "E": [30.0, 30.0],
            "F": [31.0, 31.0],
            "G": [30.0, 30.0],
            "H": [360.0],
            "I": [-20.0],
        }


@wrong("every hook gets the original", loses=("all nine cases",))
def changes_are_not_passed_on():
    def predict_hooks():
        return dict(A=[60], B=[180, 180], C=[], D=[1], E=[60], F=[60], G=[60], H=[180], I=[-20])


@wrong("only one factor counted")
def the_square_differentiated_once():
    def predict_hooks():
        return dict(A=[30], B=[90, 90], C=[], D=[1], E=[30], F=[31], G=[30], H=[180], I=[-20])


def right_predictions():
    """Every slip below starts from this."""

    def predict_hooks():
        return {
            "A": [60.0],
            "B": [180.0, 180.0],
            "C": [],
            "D": [1.0],
            "E": [60.0],
            "F": [61.0],
            "G": [60.0],
            "H": [360.0],
            "I": [-20.0],
        }


slips(
    right_predictions,
    {
        "a_call_for_each_factor": ('"A": [60.0]', '"A": [30.0, 30.0]', "one call per use"),
        "accumulated": ('"B": [180.0, 180.0]', '"B": [180.0, 360.0]', "accumulated like .grad"),
        "every_pass_runs_all": ('"C": []', '"C": [60.0]', "every pass runs every hook"),
        "nothing_at_the_output": ('"D": [1.0]', '"D": []', "no gradient at the output"),
        "looks_back": ('"E": [60.0]', '"E": [60.0, 60.0]', "hook reports earlier passes"),
        "too_late_for_ever": ('"E": [60.0]', '"E": []', "a late hook never runs"),
        "reaches_the_hook_before": ('"G": [60.0]', '"G": [61.0]', "a change reaches hooks before it"),
        "reaches_b": ('"I": [-20.0]', '"I": [-40.0]', "a change reaches other branches"),
        "one_number_misread": ('"H": [360.0]', '"H": [182.0]', "wrong"),
    },
    loses=("all nine cases",),
)


@wrong("values instead of gradients")
def values_predicted():
    def predict_hooks():
        return dict(A=[6], B=[2, 2], C=[], D=[160], E=[6], F=[7], G=[6], H=[2], I=[1])


@wrong("not attempted")
def predict_hooks_not_attempted():
    def predict_hooks():
        raise NotImplementedError  # your code here


@wrong("wrong")
def numbers_without_lists():
    def predict_hooks():
        return dict(A=60, B=360, C=0, D=1, E=60, F=61, G=60, H=360, I=-20)


@wrong("wrong")
def a_case_forgotten():
    def predict_hooks():
        return dict(A=[60], B=[180, 180], D=[1], E=[60], F=[61], G=[60], H=[360], I=[-20])


@right
def integers_and_tuples():
    def predict_hooks():
        return dict(A=(60,), B=(180, 180), C=(), D=(1,), E=(60,), F=(61,), G=(60,), H=(360,), I=(-20,))


@right
def worked_out_from_partials():
    def predict_hooks():
        x, w = 2, 3
        d_v = 5
        d_u = d_v * 2 * (x * w)
        d_x, d_b = d_u * w, -4 * d_v
        return {
            "A": [d_u],
            "B": 2 * [d_x],
            "C": [],
            "D": [1],
            "E": [d_u],
            "F": [d_u + 1],
            "G": [d_u],
            "H": [2 * d_u * w],
            "I": [d_b],
            "why": "the chain rule",
        }


@right
def really_run():
    import torch

    def predict_hooks():
        def double(gradient):
            return 2 * gradient

        def add_one(gradient):
            return gradient + 1

        def case(*lines):
            x, w, b = (torch.tensor(value, requires_grad=True) for value in (2.0, 3.0, 1.0))
            u = x * w
            v = u * u - 4 * b
            a = 5 * torch.relu(v)
            tensors, log = {"x": x, "w": w, "b": b, "u": u, "v": v, "a": a}, []

            def record(gradient):
                log.append(gradient.item())

            for kind, name in lines:
                if kind == "backward":
                    a.backward(retain_graph=True)
                elif kind == "grad":
                    torch.autograd.grad(a, tensors[name], retain_graph=True)
                else:
                    tensors[name].register_hook({"record": record, "double": double, "add_one": add_one}[kind])
            return log

        backward = ("backward", "")
        return {
            "A": case(("record", "u"), backward),
            "B": case(("record", "x"), backward, backward),
            "C": case(("record", "u"), ("grad", "b")),
            "D": case(("record", "a"), ("grad", "w")),
            "E": case(backward, ("record", "u"), ("grad", "x")),
            "F": case(("add_one", "u"), ("record", "u"), backward),
            "G": case(("record", "u"), ("add_one", "u"), backward),
            "H": case(("record", "x"), ("double", "u"), backward),
            "I": case(("record", "b"), ("double", "u"), backward),
        }
