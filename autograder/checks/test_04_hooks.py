"""Checks of exercise 04: hooks."""

from __future__ import annotations

from autograder.checks.answers import Answers
from autograder.checks.draws.hooks import layers, nodes, steps, tensor_hooks
from autograder.checks.task import Task
from autograder.comparison import Tolerance
from autograder.diagnosis import hooks as mistakes
from autograder.references import hooks as reference
from autograder.references import public_cases

EXERCISE = "04_hooks"
CLIPPING = Tolerance(relative=1e-4)


def cases(task: str, group: str | None = None) -> list:
    """The public cases of this exercise."""
    return public_cases(EXERCISE, task, group)


ATTACH_SAVERS = Task(
    "attach_savers",
    EXERCISE,
    minutes=12,
    section="A closure that saves",
    reference=reference.attach_savers,
    mistakes=mistakes.ATTACH_SAVERS,
)


@ATTACH_SAVERS.check(
    "each gradient under its own name",
    points=2,
    cases=cases("attach_savers", "saved"),
    draw=tensor_hooks.saved_twice,
)
def test_attach_savers(answers: Answers) -> None:
    """Every pass overwrites, and the gradients themselves stay as they are."""
    answers.agree()


@ATTACH_SAVERS.check("copies", points=1, cases=cases("attach_savers", "apart"), draw=tensor_hooks.saved_apart)
def test_attach_savers_copies(answers: Answers) -> None:
    """Writing into one saved gradient changes no other tensor."""
    answers.agree()


@ATTACH_SAVERS.check("handles", points=1, cases=cases("attach_savers", "handles"), draw=tensor_hooks.savers_removed)
def test_attach_savers_handles(answers: Answers) -> None:
    """One for each tensor, in order."""
    answers.agree()


PREDICT_HOOKS = Task(
    "predict_hooks",
    EXERCISE,
    minutes=15,
    section="Which passes run which hooks",
    reference=reference.predict_hooks,
    mistakes=mistakes.PREDICT_HOOKS,
)


@PREDICT_HOOKS.check("at least seven of nine cases", points=2, cases=cases("predict_hooks"))
def test_predict_most_hooks(answers: Answers) -> None:
    """More than one idea explains."""
    answers.tally(allowed=2)


@PREDICT_HOOKS.check("all nine cases", points=2, cases=cases("predict_hooks"))
def test_predict_all_hooks(answers: Answers) -> None:
    """Every case."""
    answers.tally()


CLIP_ON_THE_WAY = Task(
    "clip_on_the_way",
    EXERCISE,
    minutes=15,
    section="Rescaling on the way",
    reference=reference.clip_on_the_way,
    mistakes=mistakes.CLIP_ON_THE_WAY,
    tolerance=CLIPPING,
)


@CLIP_ON_THE_WAY.check(
    "long gradients are shortened",
    points=2,
    cases=cases("clip_on_the_way", "too long"),
    draw=tensor_hooks.too_long,
)
def test_clip_long(answers: Answers) -> None:
    """By one factor for the whole tensor."""
    answers.agree()


@CLIP_ON_THE_WAY.check(
    "short ones and zero pass",
    points=1,
    cases=cases("clip_on_the_way", "short"),
    draw=tensor_hooks.short_enough,
)
def test_clip_short(answers: Answers) -> None:
    """Unchanged."""
    answers.agree()


@CLIP_ON_THE_WAY.check(
    "neighbours and old gradients stay",
    points=1,
    cases=cases("clip_on_the_way", "only there"),
    draw=tensor_hooks.only_there,
)
def test_clip_only_there(answers: Answers) -> None:
    """Nothing but the gradient that passes t is scaled."""
    answers.agree()


@CLIP_ON_THE_WAY.check(
    "until the handle is removed",
    points=1,
    cases=cases("clip_on_the_way", "handle"),
    draw=tensor_hooks.clipped_until_removed,
)
def test_clip_handle(answers: Answers) -> None:
    """Every pass before, none after."""
    answers.agree()


LAYER_GRADIENTS = Task(
    "layer_gradients",
    EXERCISE,
    minutes=25,
    section="Module hooks",
    reference=reference.layer_gradients,
    mistakes=mistakes.LAYER_GRADIENTS,
)


@LAYER_GRADIENTS.check(
    "input and output of each child",
    points=3,
    cases=cases("layer_gradients", "children"),
    draw=layers.children,
)
def test_layer_gradients(answers: Answers) -> None:
    """Whatever stands between the children, and in whichever order."""
    answers.agree()


@LAYER_GRADIENTS.check(
    "None where none is computed", points=1, cases=cases("layer_gradients", "none"), draw=layers.no_gradient
)
def test_layer_gradients_none(answers: Answers) -> None:
    """First children outside the graph, and x with a gradient."""
    answers.agree()


@LAYER_GRADIENTS.check(
    "modes, running statistics and x as they were",
    points=1,
    cases=cases("layer_gradients", "as it was"),
    draw=layers.as_it_was,
)
def test_layer_gradients_as_it_was(answers: Answers) -> None:
    """One run of the model, in its own modes."""
    answers.agree()


@LAYER_GRADIENTS.check(
    "no hook stays", points=1, cases=cases("layer_gradients", "no hook stays"), draw=layers.no_hook_stays
)
def test_layer_gradients_left_clean(answers: Answers) -> None:
    """Even where loss_fn raises."""
    answers.agree()


COUNT_NODES = Task(
    "count_nodes",
    EXERCISE,
    minutes=20,
    section="Hooks on nodes",
    reference=reference.count_nodes,
    mistakes=mistakes.COUNT_NODES,
)


@COUNT_NODES.check("every execution", points=2, cases=cases("count_nodes", "executions"), draw=nodes.executions)
def test_count_nodes(answers: Answers) -> None:
    """Of this graph's nodes, in all passes that run starts."""
    answers.agree()


@COUNT_NODES.check("one call of run, 0 for a leaf", points=1, cases=cases("count_nodes", "once"), draw=nodes.run_once)
def test_count_nodes_once(answers: Answers) -> None:
    """The calls of run are counted."""
    answers.agree()


@COUNT_NODES.check(
    "deep graphs and many paths",
    points=1,
    cases=cases("count_nodes", "deep and wide"),
    draw=nodes.deep_and_wide,
    draws=2,
)
def test_count_nodes_deep(answers: Answers) -> None:
    """Each node is met once, without recursion."""
    answers.agree()


@COUNT_NODES.check("no hook stays", points=1, cases=cases("count_nodes", "left clean"), draw=nodes.left_clean)
def test_count_nodes_left_clean(answers: Answers) -> None:
    """Even where run raises."""
    answers.agree()


STEP_IN_BACKWARD = Task(
    "step_in_backward",
    EXERCISE,
    minutes=15,
    section="Post-accumulate-grad hooks",
    reference=reference.step_in_backward,
    mistakes=mistakes.STEP_IN_BACKWARD,
)


@STEP_IN_BACKWARD.check("the steps", points=2, cases=cases("step_in_backward", "steps"), draw=steps.steps)
def test_step_in_backward(answers: Answers) -> None:
    """As an ordinary loop takes them."""
    answers.agree()


@STEP_IN_BACKWARD.check(
    "at once, and the gradient is gone",
    points=1,
    cases=cases("step_in_backward", "at once"),
    draw=steps.at_once,
)
def test_step_at_once(answers: Answers) -> None:
    """While the pass goes on, with the same parameter objects."""
    answers.agree()


@STEP_IN_BACKWARD.check(
    "until the handles are removed",
    points=1,
    cases=cases("step_in_backward", "removed"),
    draw=steps.until_removed,
)
def test_step_until_removed(answers: Answers) -> None:
    """Afterwards `.grad` fills as usual."""
    answers.agree()
