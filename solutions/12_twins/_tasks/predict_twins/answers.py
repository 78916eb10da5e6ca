"""predict_twins: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

import functools

from autograder.diagnosis import Idea
from autograder.tasks.answers import known, mistake, right, slips, wrong

from .task import REFERENCE, UNLISTED


idea = functools.partial(Idea, REFERENCE.oracle)


known(
    idea(
        "vector outputs always summed",
        "every system adds up the derivatives of a vector's elements. Which two ask for a scalar?",
        A=["10", "10", "10"],
    ),
    idea(
        "vector outputs always refused",
        "TensorFlow refuses a vector output as well. What does its tape return instead?",
        A=["raises", "raises", "raises"],
    ),
    idea(
        "zero for every unused input",
        "an unused input gets 0 everywhere. What do PyTorch and TensorFlow find when they walk back from `y`?",
        B=["0", "0", "0"],
    ),
    idea(
        "None for every unused input",
        "PyTorch returns `None` for an unused input of its own accord. Which argument allows it to?",
        B=["None", "None", "0"],
    ),
    idea(
        "stopped gradient still counts",
        "a factor that is held constant is differentiated all the same. What does the system see of it?",
        C=["6", "6", "6"],
    ),
    idea(
        "stopped gradient stops everything",
        "a factor that is held constant stops the gradient of the other factor, too. Which of them is still `x`?",
        C=["0", "0", "0"],
    ),
    idea(
        "integers converted to floats",
        "an integer is converted before it is differentiated. Which dtypes have a gradient?",
        D=["6", "6", "6"],
    ),
    idea(
        "integers refused everywhere",
        "TensorFlow refuses an integer input as well. A tape that does not follow something returns what?",
        D=["raises", "raises", "raises"],
    ),
    idea(
        "relu's convention for maximum",
        "a maximum with 0 has relu's slope at its corner. Are its two arguments treated alike there?",
        E=["0", "0", "0"],
    ),
    idea(
        "one slope for maximum",
        "all systems split the gradient of a maximum between two equal arguments. Which system gives all of it to one argument?",
        E=["0.5", "0.5", "0.5"],
    ),
    idea(
        "second derivatives by default",
        "a derivative can be differentiated again in every system without further ado. Was it recorded?",
        F=["12", "12", "12"],
    ),
    idea(
        "persistent tapes record afterwards",
        "a persistent tape also records what you compute after its block. Where does its recording end?",
        F=["raises", "12", "12"],
    ),
    idea(
        "tapes answer twice",
        "a tape without `persistent=True` can be asked again where PyTorch's graph can. What uses a tape up?",
        G=["1", "1", "1"],
    ),
    idea(
        "every second question fails",
        "PyTorch's graph of a sum can be asked only once. What has a sum saved that could be freed?",
        G=["raises", "raises", "1"],
    ),
    idea(
        "every input is followed",
        "every system follows every input. How do PyTorch and a tape learn which ones you care about?",
        H=["6", "6", "6"],
    ),
    idea(
        "plain numbers keep their history",
        "a number that was taken out of a system still has its history. What does it know of `x`?",
        I=["6", "6", "6"],
    ),
    idea(
        "plain numbers leave unnoticed",
        "every system lets a number out without a word. What would `float` have to get from a tracer?",
        I=["3", "3", "3"],
    ),
    UNLISTED,
)


@mistake(
    "three systems alike",
    "These predictions are PyTorch's answers three times. Where do a tape and a traced function have something that a "
    "graph on the tensors has not, or the other way round?",
)
def everywhere_as_in_pytorch():
    def predict_twins():
        own = dict(zip("ABCDEFGHI", "raises raises 3 raises 0.5 raises 1 raises 3".split()))
        return {case: [answer] * 3 for case, answer in own.items()}


@mistake(
    "JAX like TensorFlow",
    "In these predictions JAX answers as TensorFlow does. A tape records what it is shown; what does `jax.grad` get?",
)
def the_other_two_alike():
    def predict_twins():
        return {
            "A": ["raises", "10", "10"],
            "B": ["raises", "None", "None"],
            "C": ["3", "3", "3"],
            "D": ["raises", "None", "None"],
            "E": ["0.5", "1", "1"],
            "F": ["raises", "None", "None"],
            "G": ["1", "raises", "raises"],
            "H": ["raises", "None", "None"],
            "I": ["3", "3", "3"],
        }


@mistake(
    "TensorFlow like PyTorch",
    "In these predictions TensorFlow answers as PyTorch does. What does a tape return where PyTorch raises?",
)
def both_keep_a_diary():
    def predict_twins():
        return {
            "A": ["raises", "raises", "raises"],
            "B": ["raises", "raises", "0"],
            "C": ["3", "3", "3"],
            "D": ["raises", "raises", "raises"],
            "E": ["0.5", "0.5", "0.5"],
            "F": ["raises", "raises", "12"],
            "G": ["1", "1", "1"],
            "H": ["raises", "raises", "6"],
            "I": ["3", "3", "raises"],
        }


@mistake(
    "TensorFlow and JAX exchanged",
    "You gave TensorFlow's answers for JAX and JAX's for TensorFlow. The order is PyTorch, TensorFlow, JAX.",
)
def alphabetical_from_the_end():
    def predict_twins():
        return {
            "A": ["raises", "raises", "10"],
            "B": ["raises", "0", "None"],
            "C": ["3", "3", "3"],
            "D": ["raises", "raises", "None"],
            "E": ["0.5", "0.5", "1"],
            "F": ["raises", "12", "None"],
            "G": ["1", "1", "raises"],
            "H": ["raises", "6", "None"],
            "I": ["3", "raises", "3"],
        }


@mistake(
    "mathematics instead of systems",
    "These predictions are what mathematics says of each function. Each system answers from what it has kept.",
)
def by_the_rules_of_calculus():
    def predict_twins():
        slopes = dict(A="10", B="0", C="3", D="6", E="0.5", F="12", G="1", H="6", I="3")
        return {case: [slope, slope, slope] for case, slope in slopes.items()}


def right_predictions():
    """Every slip below starts from this."""

    def predict_twins():
        return {
            "A": ["raises", "10", "raises"],
            "B": ["raises", "None", "0"],
            "C": ["3", "3", "3"],
            "D": ["raises", "None", "raises"],
            "E": ["0.5", "1", "0.5"],
            "F": ["raises", "None", "12"],
            "G": ["1", "raises", "1"],
            "H": ["raises", "None", "6"],
            "I": ["3", "3", "raises"],
        }


slips(
    right_predictions,
    {
        "all_sum": ('"A": ["raises", "10", "raises"]', '"A": ["10", "10", "10"]', "vector outputs always summed"),
        "all_refuse": ('"A": ["raises", "10", "raises"]', '"A": 3 * ["raises"]', "vector outputs always refused"),
        "nothing_is_zero": ('"B": ["raises", "None", "0"]', '"B": ["0", "0", "0"]', "zero for every unused input"),
        "allowed_unasked": (
            '"B": ["raises", "None", "0"]',
            '"B": ["None", "None", "0"]',
            "None for every unused input",
        ),
        "not_stopped": ('"C": ["3", "3", "3"]', '"C": ["6", "6", "6"]', "stopped gradient still counts"),
        "all_stopped": ('"C": ["3", "3", "3"]', '"C": ["0", "0", "0"]', "stopped gradient stops everything"),
        "three_is_three": ('"D": ["raises", "None", "raises"]', '"D": ["6", "6", "6"]', "integers converted to floats"),
        "a_strict_tape": ('"D": ["raises", "None", "raises"]', '"D": 3 * ["raises"]', "integers refused everywhere"),
        "as_relu": ('"E": ["0.5", "1", "0.5"]', '"E": ["0", "0", "0"]', "relu's convention for maximum"),
        "all_halves": ('"E": ["0.5", "1", "0.5"]', '"E": ["0.5", "0.5", "0.5"]', "one slope for maximum"),
        "twice_derived": ('"F": ["raises", "None", "12"]', '"F": ["12", "12", "12"]', "second derivatives by default"),
        "it_persists": (
            '"F": ["raises", "None", "12"]',
            '"F": ["raises", "12", "12"]',
            "persistent tapes record afterwards",
        ),
        "the_tape_again": ('"G": ["1", "raises", "1"]', '"G": ["1", "1", "1"]', "tapes answer twice"),
        "freed_sums": ('"G": ["1", "raises", "1"]', '"G": ["raises", "raises", "1"]', "every second question fails"),
        "all_followed": ('"H": ["raises", "None", "6"]', '"H": ["6", "6", "6"]', "every input is followed"),
        "both_factors": ('"I": ["3", "3", "raises"]', '"I": ["6", "6", "6"]', "plain numbers keep their history"),
        "a_quiet_leak": ('"I": ["3", "3", "raises"]', '"I": ["3", "3", "3"]', "plain numbers leave unnoticed"),
        "one_string_misread": ('"E": ["0.5", "1", "0.5"]', '"E": ["0.5", "0", "1"]', "wrong"),
    },
    loses=("all nine cases",),
)


@wrong("three systems alike")
def one_column_copied():
    def predict_twins():
        refused = dict.fromkeys("ABDFH", "raises")
        answers = {**refused, "C": "3", "E": "0.5", "G": "1", "I": "3"}
        return {case: (answers[case],) * 3 for case in sorted(answers)}


@wrong("JAX like TensorFlow")
def the_tapes_answers_twice():
    def predict_twins():
        pytorch = ["raises", "raises", "3", "raises", "0.5", "raises", "1", "raises", "3"]
        tape = ["10", "None", "3", "None", "1", "None", "raises", "None", "3"]
        return {case: [one, other, other] for case, one, other in zip("ABCDEFGHI", pytorch, tape)}


@wrong("TensorFlow like PyTorch")
def the_graphs_answers_twice():
    def predict_twins():
        pytorch = ["raises", "raises", "3", "raises", "0.5", "raises", "1", "raises", "3"]
        jax = ["raises", "0", "3", "raises", "0.5", "12", "1", "6", "raises"]
        return {case: [one, one, other] for case, one, other in zip("ABCDEFGHI", pytorch, jax)}


@wrong("TensorFlow and JAX exchanged")
def columns_in_another_order():
    def predict_twins():
        pytorch = "raises raises 3 raises 0.5 raises 1 raises 3".split()
        jax = "raises 0 3 raises 0.5 12 1 6 raises".split()
        tensorflow = "10 None 3 None 1 None raises None 3".split()
        return {case: list(row) for case, *row in zip("ABCDEFGHI", pytorch, jax, tensorflow)}


@wrong("mathematics instead of systems")
def no_system_at_all():
    def predict_twins():
        return {case: [word] * 3 for case, word in zip("ABCDEFGHI", ["10", "0", "3", "6", "0.5", "12", "1", "6", "3"])}


@wrong("a string that is not listed")
def error_in_place_of_raises():
    def predict_twins():
        return {
            "A": ["error", "10", "error"],
            "B": ["error", "None", "0"],
            "C": ["3", "3", "3"],
            "D": ["error", "None", "error"],
            "E": ["0.5", "1", "0.5"],
            "F": ["error", "None", "12"],
            "G": ["1", "error", "1"],
            "H": ["error", "None", "6"],
            "I": ["3", "3", "error"],
        }


@wrong("a string that is not listed")
def numbers_with_a_point():
    def predict_twins():
        columns = (
            "raises raises 3.0 raises 0.5 raises 1.0 raises 3.0",
            "10.0 None 3.0 None 1.0 None raises None 3.0",
            "raises 0.0 3.0 raises 0.5 12.0 1.0 6.0 raises",
        )
        return {case: list(row) for case, *row in zip("ABCDEFGHI", *(column.split() for column in columns))}


@wrong("not attempted")
def predict_twins_not_attempted():
    def predict_twins():
        raise NotImplementedError  # your code here


@wrong("wrong")
def one_answer_for_all_systems():
    def predict_twins():
        return dict(zip("ABCDEFGHI", "raises raises 3 raises 0.5 raises 1 raises 3".split()))


@wrong("wrong")
def values_in_place_of_strings():
    def predict_twins():
        return {
            "A": ["raises", 10, "raises"],
            "B": ["raises", None, 0],
            "C": [3, 3, 3],
            "D": ["raises", None, "raises"],
            "E": [0.5, 1, 0.5],
            "F": ["raises", None, 12],
            "G": [1, "raises", 1],
            "H": ["raises", None, 6],
            "I": [3, 3, "raises"],
        }


@wrong("wrong")
def two_systems_only():
    def predict_twins():
        pytorch = "raises raises 3 raises 0.5 raises 1 raises 3".split()
        tensorflow = "10 None 3 None 1 None raises None 3".split()
        return {case: list(row) for case, *row in zip("ABCDEFGHI", pytorch, tensorflow)}


@wrong("wrong")
def a_case_forgotten():
    def predict_twins():
        return {
            "A": ["raises", "10", "raises"],
            "B": ["raises", "None", "0"],
            "C": ["3", "3", "3"],
            "D": ["raises", "None", "raises"],
            "E": ["0.5", "1", "0.5"],
            "F": ["raises", "None", "12"],
            "G": ["1", "raises", "1"],
            "I": ["3", "3", "raises"],
        }


@right
def three_columns():
    def predict_twins():
        pytorch = "raises raises 3 raises 0.5 raises 1 raises 3".split()
        tensorflow = "10 None 3 None 1 None raises None 3".split()
        jax = "raises 0 3 raises 0.5 12 1 6 raises".split()
        return {case: row for case, *row in zip("ABCDEFGHI", pytorch, tensorflow, jax)}


@right
def what_was_kept():
    def predict_twins():
        no_graph = ("raises", "None")  # where the way back from y does not lead to the input
        return {
            "A": ("raises", str(2 * 3 + 4), "raises"),
            "B": (*no_graph, "0"),
            "C": ("3",) * 3,
            "D": (*no_graph, "raises"),
            "E": ("0.5", "1", "0.5"),
            "F": (*no_graph, str(6 * 2)),
            "G": ("1", "raises", "1"),
            "H": (*no_graph, str(2 * 3)),
            "I": ("3", "3", "raises"),
        }


@right
def pytorch_really_asked():
    import torch

    def predict_twins():
        def leaf(value=3.0):
            return torch.tensor(value, requires_grad=True)

        def slope(f, x):
            return torch.autograd.grad(f(x), x)[0]

        def second_answer(x):
            y = x + 1
            return [torch.autograd.grad(y, x)[0] for _ in range(2)][1]

        cases = {
            "A": lambda: slope(lambda x: torch.stack([x * x, 4 * x]), leaf()),
            "B": lambda: torch.autograd.grad(leaf() * 2, leaf(5.0))[0],
            "C": lambda: slope(lambda x: x * x.detach(), leaf()),
            "D": lambda: slope(lambda x: x * x, leaf(3)),
            "E": lambda: slope(lambda x: torch.maximum(x, torch.tensor(0.0)), leaf(0.0)),
            "F": lambda: slope(lambda x: slope(lambda x: x**3, x), leaf(2.0)),
            "G": lambda: second_answer(leaf()),
            "H": lambda: slope(lambda x: x * x, torch.tensor(3.0)),
            "I": lambda: slope(lambda x: x * x.item(), leaf()),
        }
        others = {
            "A": ["10", "raises"],
            "B": ["None", "0"],
            "C": ["3", "3"],
            "D": ["None", "raises"],
            "E": ["1", "0.5"],
            "F": ["None", "12"],
            "G": ["raises", "1"],
            "H": ["None", "6"],
            "I": ["3", "raises"],
        }

        def said(case):
            try:
                return f"{case().item():g}"
            except RuntimeError:
                return "raises"

        return {name: [said(case), *others[name]] for name, case in cases.items()}
