"""Mistakes of predict_second_call: rules by which people decide whether a second call works."""

from __future__ import annotations

from collections.abc import Callable

from autograder.diagnosis.hypothesis import Mistake
from autograder.references.second_calls import (
    MADE_FROM,
    Predictions,
    TwoCalls,
    by_rule,
    emptied_by,
    predicted,
    run_by,
)


def _retained(case: TwoCalls) -> bool:
    return any(case.options.values())


def _behind(output: str) -> set[str]:
    """All nodes of an output's graph, asked for or not."""
    return {output}.union(*map(_behind, MADE_FROM[output])) if output in MADE_FROM else set()


def _saving(nodes: str) -> Callable[[TwoCalls], bool]:
    """The right rule, if these nodes alone saved tensors."""
    return lambda case: _retained(case) or not run_by(case.first) & run_by(case.second) & set(nodes)


def _ignoring(option: str) -> Callable[[TwoCalls], bool]:
    """The right rule, if one option did nothing."""
    return lambda case: (
        not run_by(case.second)
        & emptied_by(case._replace(options={name: value for name, value in case.options.items() if name != option}))
    )


def _first_calls_fail() -> Predictions:
    return {name: [works, works] for name, (_, works) in by_rule().items()}


def _turned_round() -> Predictions:
    return {name: [not first, not second] for name, (first, second) in by_rule().items()}


def _second_turned_round() -> Predictions:
    return {name: [first, not second] for name, (first, second) in by_rule().items()}


def _rule(name: str, sentence: str, works: Callable[[TwoCalls], bool]) -> Mistake:
    return Mistake(name, sentence, lambda: predicted(works))


PREDICT_SECOND_CALL = (
    _rule(
        "the whole graph freed",
        "These predictions fit a call that frees everything in sight. What does a call do with a node that it never "
        "came near, or that saved nothing?",
        _retained,
    ),
    _rule(
        "everything behind the output freed",
        "These predictions fit a call that runs all nodes behind its output. Does it run those which do not lead to "
        "the tensor that was asked for?",
        lambda case: _retained(case) or not _behind(case.first.output) & run_by(case.second),
    ),
    _rule(
        "every node that ran is lost",
        "These predictions fit a graph in which no node can run twice. What has a sum saved that could be freed?",
        _saving("uva"),
    ),
    _rule(
        "nothing is freed",
        "These predictions fit calls that all work. A product needs its two factors to be differentiated; are they "
        "still there after a call that ran it?",
        lambda case: True,
    ),
    _rule(
        "create_graph does not retain",
        "`create_graph=True` was taken to free as usual. What is the default of `retain_graph`?",
        _ignoring("create_graph"),
    ),
    _rule(
        "retain_graph does not retain",
        "`retain_graph=True` was taken to do nothing. It keeps what the call itself would have freed.",
        _ignoring("retain_graph"),
    ),
    _rule(
        "the product saves nothing",
        "These predictions fit a product that saves nothing. What are its two local derivatives?",
        _saving("a"),
    ),
    _rule(
        "relu saves nothing",
        "These predictions fit a relu that saves nothing. How does it know later whether its gate was open?",
        _saving("u"),
    ),
    _rule(
        "freed for the same tensor only",
        "These predictions fit a call that fails if the same tensor was asked for before. What is emptied are nodes, "
        "whichever tensor they ran for.",
        lambda case: _retained(case) or case.first.node != case.second.node,
    ),
    _rule(
        "freed for the same output only",
        "These predictions fit a call that fails if it starts at the same output as the one before. What counts is "
        "which nodes it must run.",
        lambda case: _retained(case) or case.first.output != case.second.output,
    ),
    Mistake(
        "first calls fail",
        "A first call was predicted to fail. Its graph is fresh, and no node has been emptied yet.",
        _first_calls_fail,
    ),
    Mistake(
        "true and false exchanged",
        "Every prediction is the opposite of what happens. True stands for a call that works.",
        _turned_round,
    ),
    Mistake(
        "true and false exchanged",
        "What was predicted for the second calls is the opposite of what happens. True stands for a call that works.",
        _second_turned_round,
    ),
)
