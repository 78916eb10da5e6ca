"""step_in_backward: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, slip, wrong

from ..shared import RETURNED_OTHER


def a_right_step():
    """Every slip below starts from this."""
    import torch

    def step_in_backward(parameters, lr):
        def step(parameter):
            with torch.no_grad():
                parameter -= lr * parameter.grad
            parameter.grad = None

        return [parameter.register_post_accumulate_grad_hook(step) for parameter in parameters]


slip(
    "plus_for_minus",
    within=a_right_step,
    was="parameter -= lr",
    wrote="parameter += lr",
    diagnosed="uphill",
    sentence="The parameters moved along their gradients. In which direction does gradient descent go?",
)
slip(
    "grad_not_forgotten",
    within=a_right_step,
    was="        parameter.grad = None\n",
    wrote="",
    diagnosed=".grad not cleared",
    sentence="After the step `.grad` is still filled, and the next pass adds to it. When can you clear it?",
)
slip(
    "grad_zeroed",
    within=a_right_step,
    was="parameter.grad = None",
    wrote="parameter.grad.zero_()",
    diagnosed=".grad zeroed instead of None",
    sentence="`.grad` holds zeros, which take as much memory as any gradient. It must be None.",
)


@mistake(
    "new tensor instead of in-place",
    "The parameters have not moved. `p = p - ...` makes a new tensor; change the parameter itself, in place.",
)
def a_name_for_another_tensor():
    def step_in_backward(parameters, lr):
        def step(parameter):
            gradient, parameter.grad = parameter.grad, None
            parameter = parameter - lr * gradient

        return [parameter.register_post_accumulate_grad_hook(step) for parameter in parameters]


slip(
    "a_new_tensor",
    within=a_right_step,
    was="parameter -= lr",
    wrote="parameter = parameter - lr",
    diagnosed="new tensor instead of in-place",
    predicts=True,
)
slip(
    "no_learning_rate",
    within=a_right_step,
    was="lr * parameter.grad",
    wrote="parameter.grad",
    diagnosed="learning rate forgotten",
    sentence="You moved each parameter by its whole gradient. A step is `lr` times as long.",
)


@mistake(
    "a tensor hook instead",
    "The step was right, but PyTorch still filled `.grad`: a hook that receives the gradient runs before it is "
    "accumulated. Which hook runs after that?",
)
def a_step_on_arrival():
    def step_in_backward(parameters, lr):
        def stepper(parameter):
            def step(gradient):
                parameter.data -= lr * gradient

            return step

        return [parameter.register_hook(stepper(parameter)) for parameter in parameters]


@wrong("a tensor hook instead", predicts=True)
def a_step_on_arrival_that_forgets_too_early():
    import torch

    def step_in_backward(parameters, lr):
        def stepper(parameter):
            def step(gradient):
                with torch.no_grad():
                    parameter.sub_(lr * gradient)
                parameter.grad = None

            return step

        return [parameter.register_hook(stepper(parameter)) for parameter in parameters]


@wrong("a tensor hook instead")
def a_multi_grad_hook():
    from torch.autograd.graph import register_multi_grad_hook

    def step_in_backward(parameters, lr):
        parameters = list(parameters)

        def step(gradients):
            for parameter, gradient in zip(parameters, gradients):
                if gradient is not None:
                    parameter.data -= lr * gradient

        return [register_multi_grad_hook(parameters, step)]


@mistake(
    "waiting for all gradients",
    "Your parameters step together when the last gradient has arrived. Each must step when its own gradient arrives.",
)
def all_steps_at_the_end():
    def step_in_backward(parameters, lr):
        parameters = list(parameters)

        def step(_):
            if all(p.grad is not None for p in parameters):
                for p in parameters:
                    p.data -= lr * p.grad
                    p.grad = None

        return [p.register_post_accumulate_grad_hook(step) for p in parameters]


@mistake(
    "every hook steps all parameters",
    "Parameters stepped when the gradient of another arrived, while the pass may still need their old values. Each "
    "hook may change only its own parameter.",
    raises="one of the variables needed for gradient computation has been modified",
    predicts=True,
)
def everybody_with_a_gradient_steps():
    def step_in_backward(parameters, lr):
        parameters = list(parameters)

        def step(_):
            for p in parameters:
                if p.grad is not None:
                    p.data -= lr * p.grad

        return [p.register_post_accumulate_grad_hook(step) for p in parameters]


@wrong("every hook steps all parameters")
def an_optimizer_in_every_hook():
    import torch

    def step_in_backward(parameters, lr):
        parameters = list(parameters)
        optimizer = torch.optim.SGD(parameters, lr=lr)
        return [p.register_post_accumulate_grad_hook(lambda _: optimizer.step()) for p in parameters]


known(
    Mistake(
        "missing no_grad",
        "With `create_graph=True` autograd records the pass, and so it would record your step. In which context does "
        "autograd record nothing?",
        raises="a leaf Variable that requires grad is being used in an in-place operation",
    )
)
slip(
    "recorded_by_autograd",
    within=a_right_step,
    was="with torch.no_grad():",
    wrote="if True:",
    diagnosed="missing no_grad",
)


@mistake(
    "iterator used up",
    "You looped over `parameters` twice, and an iterator such as `model.parameters()` is empty the second time. Make "
    "a list first.",
)
def parameters_run_through_twice():
    import torch

    def step_in_backward(parameters, lr):
        optimizer = torch.optim.SGD(parameters, lr=lr)

        def step(_):
            optimizer.step()
            optimizer.zero_grad()

        return [p.register_post_accumulate_grad_hook(step) for p in parameters]


@mistake(
    "late binding",
    "A hook changed a parameter other than its own. A function defined in a loop looks the loop's variable up when it "
    "runs, and by then the variable holds the last parameter.",
    raises="RuntimeError: output with shape .* doesn't match|The size of tensor a .* must match",
)
def tensor_hooks_in_a_loop():
    def step_in_backward(parameters, lr):
        handles = []
        for parameter in parameters:

            def step(gradient):
                parameter.data.sub_(lr * gradient)

            handles.append(parameter.register_hook(step))
        return handles


@mistake(
    ".grad is None in a hook",
    "A hook found None in `.grad`. Did you clear it before the step, or does the hook use other parameters than its "
    "argument? Each steps when its own gradient has arrived.",
    raises="NoneType.*; None was (a|the) .grad",
)
def post_accumulate_hooks_in_a_loop():
    def step_in_backward(parameters, lr):
        handles = []
        for parameter in parameters:

            def step(_):
                parameter.data.sub_(lr * parameter.grad)
                parameter.grad = None

            handles.append(parameter.register_post_accumulate_grad_hook(step))
        return handles


slip(
    "forgotten_before_the_step",
    within=a_right_step,
    was="with torch.no_grad():\n            parameter -= lr * parameter.grad\n        parameter.grad = None",
    wrote="parameter.grad = None\n        with torch.no_grad():\n            parameter -= lr * parameter.grad",
    diagnosed=".grad is None in a hook",
)
known(
    RETURNED_OTHER,
    Mistake(
        "handles not returned",
        "The caller cannot remove all of the hooks. Return one handle per parameter.",
        raises="TypeError: 'NoneType' object is not (subscriptable|iterable)"
        "|'(NoneType|Tensor|Parameter|function)' object has no attribute 'remove'",
        afterwards=True,
    ),
)
slip(
    "handles_kept_back",
    within=a_right_step,
    was="return [parameter.register_post_accumulate_grad_hook(step) for parameter in parameters]",
    wrote="for parameter in parameters:\n        parameter.register_post_accumulate_grad_hook(step)",
    diagnosed="handles not returned",
)
slip(
    "one_handle",
    within=a_right_step,
    was="return [parameter.register_post_accumulate_grad_hook(step) for parameter in parameters]",
    wrote="for parameter in parameters:\n"
    "        handle = parameter.register_post_accumulate_grad_hook(step)\n    return [handle]",
    diagnosed="handles not returned",
    predicts=True,
)


@wrong("not attempted")
def step_in_backward_not_attempted():
    def step_in_backward(parameters, lr):
        raise NotImplementedError  # your code here


@right
def an_optimizer_for_each():
    import torch

    def step_in_backward(parameters, lr):
        handles = []
        for parameter in parameters:
            optimizer = torch.optim.SGD([parameter], lr=lr)

            def step(parameter, optimizer=optimizer):
                optimizer.step()
                optimizer.zero_grad()

            handles.append(parameter.register_post_accumulate_grad_hook(step))
        return handles


@right
def by_data():
    def step_in_backward(parameters, lr):
        def step(p):
            p.data.add_(p.grad.detach(), alpha=-lr)
            del p.grad

        return tuple(p.register_post_accumulate_grad_hook(step) for p in parameters)


@right
def one_optimizer_whose_others_have_none():
    import torch

    def step_in_backward(parameters, lr):
        parameters = list(parameters)
        optimizer = torch.optim.SGD(parameters, lr)

        def step(_):
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

        return [p.register_post_accumulate_grad_hook(step) for p in parameters]


@right
def new_data():
    import torch

    @torch.no_grad()
    def step(p, lr):
        p.copy_(p - lr * p.grad)
        p.grad = None

    def step_in_backward(parameters, lr):
        from functools import partial

        return [p.register_post_accumulate_grad_hook(partial(step, lr=lr)) for p in parameters]
