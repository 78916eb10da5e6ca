"""predict_second_call: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from .task import Predictions, by_rule


def _turned_round() -> Predictions:
    return {name: [not first, not second] for name, (first, second) in by_rule().items()}


@mistake(
    "the whole graph freed",
    "These predictions fit a call that frees everything in sight. What does a call do with a node that it "
    "never came near, or that saved nothing?",
)
def freed_unless_retained():
    def predict_second_call():
        return {case: [True, case in "BE"] for case in "ABCDEFGHI"}


@mistake(
    "side branches freed too",
    "These predictions fit a call that runs every node before its output. Does it run nodes that do not lead to the "
    "requested tensor?",
)
def whatever_lies_behind():
    def predict_second_call():
        return {case: [True, case in "BEH"] for case in "ABCDEFGHI"}


@mistake(
    "nodes without saved tensors freed",
    "These predictions fit a graph in which no node can run twice. What has a sum saved that could be freed?",
    loses=("all nine cases",),
)
def sums_emptied_too():
    def predict_second_call():
        return {case: [True, case not in "ACFGI"] for case in "ABCDEFGHI"}


@mistake(
    "nothing is freed",
    "These predictions fit calls that all work. A product needs its two factors to be differentiated; are "
    "they still there after a call that ran it?",
)
def all_work():
    def predict_second_call():
        return {case: [True, True] for case in "ABCDEFGHI"}


@mistake(
    "create_graph does not retain",
    "You took `create_graph=True` to free as usual. What is the default of `retain_graph`?",
    loses=("all nine cases",),
)
def only_retain_graph_retains():
    def predict_second_call():
        return {case: [True, case not in "AEFG"] for case in "ABCDEFGHI"}


@mistake(
    "retain_graph does not retain",
    "You took `retain_graph=True` to do nothing. It keeps what the call itself would have freed.",
    loses=("all nine cases",),
)
def the_flag_on_the_wrong_call():
    def predict_second_call():
        return {case: [True, case not in "ABFG"] for case in "ABCDEFGHI"}


@mistake(
    "the product saves nothing",
    "These predictions fit a product that saves nothing. What are its two local derivatives?",
    loses=("all nine cases",),
)
def products_need_no_values():
    def predict_second_call():
        return {case: [True, case != "A"] for case in "ABCDEFGHI"}


@mistake(
    "relu saves nothing",
    "These predictions fit a relu that saves nothing. How does it know later whether its gate was open?",
    loses=("all nine cases",),
)
def gates_are_always_known():
    def predict_second_call():
        return {case: [True, case not in "FG"] for case in "ABCDEFGHI"}


@mistake(
    "freed for the same tensor only",
    "These predictions fit a call that fails if an earlier call requested the same tensor. A call empties nodes, "
    "whichever tensor they ran for.",
)
def the_same_input_again():
    def predict_second_call():
        return {case: [True, case not in "CG"] for case in "ABCDEFGHI"}


@mistake(
    "freed for the same output only",
    "These predictions fit a call that fails if it starts at the same output as the call before. It depends on the "
    "nodes that it must run.",
)
def the_same_output_again():
    def predict_second_call():
        return {case: [True, case not in "ACF"] for case in "ABCDEFGHI"}


@mistake(
    "first calls fail", "You predicted that a first call fails. Its graph is fresh, and no node has been emptied yet."
)
def both_calls_fail():
    def predict_second_call():
        return {case: [case not in "AFG"] * 2 for case in "ABCDEFGHI"}


known(
    Mistake(
        "True and False swapped",
        "Every prediction is the opposite of what happens. True means a call that works.",
        _turned_round,
    )
)


@mistake(
    "True and False swapped",
    "Your predictions for the second calls are the opposite of what happens. True means a call that works.",
)
def true_for_an_error():
    def predict_second_call():
        return {case: [True, case in "AFG"] for case in "ABCDEFGHI"}


@wrong("not attempted")
def predict_second_call_not_attempted():
    def predict_second_call():
        raise NotImplementedError  # your code here


@wrong("wrong", loses=("all nine cases",))
def one_slip():
    def predict_second_call():
        return {case: [True, case not in "AFGH"] for case in "ABCDEFGHI"}


@wrong("wrong")
def words_for_booleans():
    def predict_second_call():
        return {case: ["works", "fails" if case in "AFG" else "works"] for case in "ABCDEFGHI"}


@wrong("wrong")
def one_boolean_for_each():
    def predict_second_call():
        return {case: case not in "AFG" for case in "ABCDEFGHI"}


@wrong("wrong")
def a_case_forgotten():
    def predict_second_call():
        return {case: [True, case not in "AFG"] for case in "ABCDEFGH"}


@right
def as_tuples_from_letters():
    def predict_second_call():
        failing = {"A", "F", "G"}
        return {letter: (True, letter not in failing) for letter in "ABCDEFGHI"}


@right
def by_really_calling():
    import torch

    def predict_second_call():
        cases = {
            "A": ("ab", {}, "au"),
            "B": ("ab", {"retain_graph": True}, "au"),
            "C": ("vb", {}, "vb"),
            "D": ("av", {}, "vx"),
            "E": ("ax", {"create_graph": True}, "ax"),
            "F": ("ux", {}, "uw"),
            "G": ("ux", {}, "ax"),
            "H": ("ux", {}, "ab"),
            "I": ("ab", {}, "vx"),
        }

        def works(t, pair, **options):
            try:
                torch.autograd.grad(t[pair[0]], t[pair[1]], **options)
            except RuntimeError:
                return False
            return True

        answers = {}
        for name, (first, options, second) in cases.items():
            t = {name: torch.tensor(value, requires_grad=True) for name, value in zip("xwb", (3.0, 2.0, 1.0))}
            t["u"] = t["x"] * t["w"]
            t["v"] = t["u"] + t["b"]
            t["a"] = torch.relu(t["v"])
            answers[name] = [works(t, first, **options), works(t, second)]
        return answers


@right
def by_nodes_on_paper():
    def predict_second_call():
        # what the first call empties, what the second must run
        on_paper = {
            "A": ("relu", "relu sum"),
            "B": ("", "relu sum"),
            "C": ("", "sum"),
            "D": ("relu", "sum product"),
            "E": ("", "relu sum product"),
            "F": ("product", "product"),
            "G": ("product", "relu sum product"),
            "H": ("product", "relu sum"),
            "I": ("relu", "sum product"),
        }
        return {case: [True, not set(one.split()) & set(two.split())] for case, (one, two) in on_paper.items()}
