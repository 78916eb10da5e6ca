"""predict_switches: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import functools

from autograder.diagnosis import Idea
from autograder.tasks.answers import known, right, slips, wrong

from .task import REFERENCE


idea = functools.partial(Idea, REFERENCE.oracle)


known(
    idea("eval() stops recording", "`eval()` switches autograd off. Whose method is it?", I=[False, "error"]),
    idea("eval() keeps dropout", "dropout drops in evaluation mode too. What does `eval()` change?", I=[True, 0.0]),
    idea(
        "everything recorded",
        "`y` is recorded although grad mode is off. What does the product rule lose then?",
        A=[True, 27.0],
        C=[True, 27.0],
        D=[True, 7.0],
    ),
    idea(
        "no_grad hides changes",
        "a change under `no_grad` goes unnoticed, and the pass uses the new number. How does a node know that what it "
        "has saved is still the same?",
        B=[True, 8.0],
    ),
    idea(
        "saved numbers are copies",
        "a node saves copies, so that later changes do not matter. What would that cost in memory?",
        B=[True, 6.0],
        F=[False, 20.085537],
    ),
    idea(
        "inference_mode is no_grad",
        "an inference tensor is usable like any constant. What does a product save?",
        C=[False, 9.0],
    ),
    idea(
        "inference tensors unusable",
        "an inference tensor cannot take part in any recorded operation. Which operations save nothing?",
        D=[False, "error"],
    ),
    idea(
        "no_grad tensors unusable",
        "nothing that was made without recording can take part in a later pass. What does a pass do with a constant?",
        A=[False, "error"],
        D=[False, "error"],
    ),
    idea(
        "detach copies",
        "`detach()` makes a copy, with memory of its own. What happens to `w` when `y` is written to?",
        E=[False, 6.0],
        F=[False, 20.085537],
    ),
    idea(
        "changes through detach unnoticed",
        "a change through a detached tensor goes unnoticed, and the pass uses the new number. Which counter do the two "
        "tensors share?",
        F=[False, 0.0],
    ),
    idea(
        "freezing undoes recording",
        "`requires_grad_(False)` also takes back what was recorded before. Where does the graph of `y` hang?",
        G=[False, "error"],
    ),
    idea(
        "freezing breaks old graphs",
        "a pass raises where it comes to a leaf that was frozen since. What does it do with the number?",
        G=[True, "error"],
    ),
    idea(
        "freezing affects new graphs only",
        "a leaf that was frozen after the forward pass still takes its deposit. Which flag does the deposit ask?",
        G=[True, 6.0],
    ),
    idea(
        "a frozen factor stops the gradient",
        "a frozen tensor keeps everything after it from being recorded. Does `w` require a gradient?",
        H=[False, "error"],
    ),
    idea(
        "no gradient past a frozen factor",
        "a gradient does not pass an operation with a frozen factor. What is the derivative of `v * w` in `w`?",
        H=[True, None],
    ),
)


def right_predictions():
    """Every slip below starts from this."""

    def predict_switches():
        return {
            "A": [False, 9.0],
            "B": [True, "error"],
            "C": [False, "error"],
            "D": [False, 1.0],
            "E": [False, 12.0],
            "F": [False, "error"],
            "G": [True, None],
            "H": [True, 5.0],
            "I": [True, 2.0],
        }


right(right_predictions)

slips(
    right_predictions,
    {
        "eval_off": ('"I": [True, 2.0]', '"I": [False, "error"]', "eval() stops recording"),
        "dropped": ('"I": [True, 2.0]', '"I": [True, 0.0]', "eval() keeps dropout"),
        "never_again": ('"A": [False, 9.0]', '"A": [False, "error"]', "no_grad tensors unusable"),
        "all_three_factors": ('"A": [False, 9.0]', '"A": [True, 27.0]', "everything recorded"),
        "unseen_update": ('"B": [True, "error"]', '"B": [True, 8.0]', "no_grad hides changes"),
        "the_old_number": ('"B": [True, "error"]', '"B": [True, 6.0]', "saved numbers are copies"),
        "just_another_name": ('"C": [False, "error"]', '"C": [False, 9.0]', "inference_mode is no_grad"),
        "not_even_a_sum": ('"D": [False, 1.0]', '"D": [False, "error"]', "inference tensors unusable"),
        "a_copy": ('"E": [False, 12.0]', '"E": [False, 6.0]', "detach copies"),
        "zeroed_unseen": ('"F": [False, "error"]', '"F": [False, 0.0]', "changes through detach unnoticed"),
        "taken_back": ('"G": [True, None]', '"G": [False, "error"]', "freezing undoes recording"),
        "raises_at_the_leaf": ('"G": [True, None]', '"G": [True, "error"]', "freezing breaks old graphs"),
        "deposited_all_the_same": ('"G": [True, None]', '"G": [True, 6.0]', "freezing affects new graphs only"),
        "one_frozen_all_frozen": ('"H": [True, 5.0]', '"H": [False, "error"]', "a frozen factor stops the gradient"),
        "a_wall": ('"H": [True, 5.0]', '"H": [True, None]', "no gradient past a frozen factor"),
        "one_number_misread": ('"E": [False, 12.0]', '"E": [False, 18.0]', "wrong"),
    },
    loses=("all nine cases",),
)


@wrong("everything recorded")
def grad_mode_ignored():
    def predict_switches():
        return dict(
            A=(True, 27),
            B=(True, "error"),
            C=(True, 27),
            D=(True, 7),
            E=(False, 12),
            F=(False, "error"),
            G=(True, None),
            H=(True, 5),
            I=(True, 2),
        )


@wrong("detach copies", loses=("all nine cases",))
def memory_of_its_own():
    import math

    def predict_switches():
        return dict(
            A=(False, 9),
            B=(True, "error"),
            C=(False, "error"),
            D=(False, 1),
            E=(False, 6),
            F=(False, math.exp(3)),
            G=(True, None),
            H=(True, 5),
            I=(True, 2),
        )


@wrong("no_grad tensors unusable", loses=("all nine cases",))
def constants_do_not_count():
    def predict_switches():
        later = dict(zip("ABCDEFGHI", ["error"] * 4 + [12, "error", None, 5, 2]))
        return {case: [case in "BGHI", what] for case, what in later.items()}


@wrong("not attempted")
def predict_switches_not_attempted():
    def predict_switches():
        raise NotImplementedError  # your code here


@wrong("wrong")
def every_second_item_an_error():
    def predict_switches():
        return {case: [case in "BGHI", "error"] for case in "ABCDEFGHI"}


@wrong("wrong")
def the_first_items_alone():
    def predict_switches():
        return {case: case in "BGHI" for case in "ABCDEFGHI"}


@wrong("wrong")
def a_case_forgotten():
    def predict_switches():
        return dict(
            A=[False, 9],
            B=[True, "error"],
            C=[False, "error"],
            D=[False, 1],
            E=[False, 12],
            F=[False, "error"],
            G=[True, None],
            H=[True, 5],
        )


@right
def integers_and_tuples():
    def predict_switches():
        later = dict(zip("ABCDEFGHI", [9, "error", "error", 1, 12, "error", None, 5, 2]))
        return {case: (case in "BGHI", what) for case, what in later.items()}


@right
def really_run():
    import torch
    from torch import nn

    def predict_switches():
        cases = {
            "A": ("with torch.no_grad(): y = w * w", "(w * y).backward()"),
            "B": ("y = w * w", "with torch.no_grad(): w.add_(1)\ny.backward()"),
            "C": ("with torch.inference_mode(): y = w * w", "(w * y).backward()"),
            "D": ("with torch.inference_mode(): y = w * w", "(w + y).backward()"),
            "E": ("y = w.detach()", "y.mul_(2)\n(w * w).backward()"),
            "F": ("z = torch.exp(w)\ny = z.detach()", "y.zero_()\nz.backward()"),
            "G": ("y = w * w", "w.requires_grad_(False)\ny.backward()"),
            "H": ("v = torch.tensor(5.0)\ny = v * w", "y.backward()"),
            "I": ("layer = nn.Dropout(1.0).eval()\ny = layer(2 * w)", "y.backward()"),
        }
        found = {}
        for case, (making, later) in cases.items():
            names = {"torch": torch, "nn": nn, "w": torch.tensor(3.0, requires_grad=True)}
            exec(making, names)
            found[case] = [names["y"].requires_grad]
            try:
                exec(later, names)
                found[case].append(names["w"].grad)
            except RuntimeError:
                found[case].append("error")
        return found
