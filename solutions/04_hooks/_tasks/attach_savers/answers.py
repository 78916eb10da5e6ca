"""attach_savers: mistakes, other ways to make them, and right answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import RETURNED_OTHER

Named = dict[str, torch.Tensor]
Saver = Callable[[str, torch.Tensor, Named, torch.Tensor], Any]
"""From a name, its tensor, the dict and the arriving gradient to what the hook returns."""


def _attached(saver: Saver) -> Callable[[Named, Named], list]:
    def attach_savers(tensors: Named, grads: Named) -> list:
        return [
            tensor.register_hook(lambda gradient, name=name, tensor=tensor: saver(name, tensor, grads, gradient))
            for name, tensor in tensors.items()
        ]

    return attach_savers


def _stored_one_copied(name: str, tensor: torch.Tensor, grads: Named, gradient: torch.Tensor) -> None:
    grads[name] = None if tensor.grad is None else tensor.grad.clone()


@mistake(
    "late binding",
    "All gradients arrived under one name, that of the last tensor. When does a hook look up the loop's variable: "
    "when it is defined, or when it runs?",
)
def a_hook_defined_in_the_loop():
    def attach_savers(tensors, grads):
        handles = []
        for name, tensor in tensors.items():

            def save(gradient):
                grads[name] = gradient.clone()

            handles.append(tensor.register_hook(save))
        return handles


@wrong("late binding")
def a_lambda_in_the_loop():
    def attach_savers(tensors, grads):
        handles = []
        for name, tensor in tensors.items():
            handles.append(tensor.register_hook(lambda gradient: grads.update({name: gradient.clone()})))
        return handles


@mistake(
    "the saved copy returned",
    "Your hook returned the saved copy, so that copy replaced the gradient, and writing into one of them changes the "
    "other.",
    loses=("copies",),
)
def the_copy_goes_on():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()
                return grads[name]

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("the saved copy returned", loses=("copies",))
def last_line_returned():
    def attach_savers(tensors, grads):
        handles = []
        for name in tensors:

            def keep(gradient, name=name):
                copy = gradient.clone()
                grads.update({name: copy})
                return copy

            handles.append(tensors[name].register_hook(keep))
        return handles


@mistake(
    "shared storage",
    "A saved gradient changed when the caller wrote into another tensor. The tensor that a hook receives may belong "
    "to others too, so save one with storage of its own. See lesson 04, “Shared storage”.",
    loses=("copies",),
)
def the_gradient_itself():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("shared storage", predicts=True)
def detached_and_not_copied():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.detach()

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@mistake(
    "a returned value changes the gradient",
    "In the second pass the leaves received gradients of the first pass. The return value of a hook replaces the "
    "gradient, and a lambda always returns the value of its expression.",
)
def a_lambda_with_setdefault():
    def attach_savers(tensors, grads):
        return [
            tensor.register_hook(lambda gradient, name=name: grads.setdefault(name, gradient.clone()))
            for name, tensor in tensors.items()
        ]


@mistake(
    "only the first pass kept",
    "After a second pass the gradients of the first pass are still in the dict. Each pass must overwrite them.",
)
def kept_if_new():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                if name not in grads:
                    grads[name] = gradient.clone()

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@mistake(
    "summed over passes",
    "After a second pass each entry is the sum of both passes, as in `.grad`. Store the gradient of the latest pass "
    "alone.",
)
def summed_over_passes():
    import torch

    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = grads.get(name, torch.zeros_like(gradient)) + gradient

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


known(
    Mistake(
        ".grad read inside the hook",
        "You saved `.grad`. A tensor hook runs before the pass adds to it, and inner tensors store none; the hook's "
        "argument is the gradient of this pass.",
        _attached(_stored_one_copied),
    )
)


@wrong(".grad read inside the hook", predicts=True)
def the_stored_gradient():
    def attach_savers(tensors, grads):
        def saver(name, tensor):
            def save(gradient):
                grads[name] = tensor.grad

            return save

        return [tensor.register_hook(saver(name, tensor)) for name, tensor in tensors.items()]


@mistake(
    "value instead of gradient",
    "You saved the value of each tensor. PyTorch passes the gradient to the hook as its argument.",
)
def the_tensor_itself():
    def attach_savers(tensors, grads):
        def saver(name, tensor):
            def save(gradient):
                grads[name] = tensor.clone()

            return save

        return [tensor.register_hook(saver(name, tensor)) for name, tensor in tensors.items()]


@mistake(
    "earlier copy overwritten",
    "The second pass wrote its numbers into the copies of the first, so the copies that the caller kept have changed. "
    "Put a new copy into the dict each time.",
)
def copied_into_the_old_one():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                if name in grads:
                    grads[name].copy_(gradient)
                else:
                    grads[name] = gradient.clone()

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("items changed")
def retained_and_read_at_once():
    def attach_savers(tensors, grads):
        for name, tensor in tensors.items():
            tensor.retain_grad()
            grads[name] = tensor.grad
        return []


@mistake(
    "nothing saved",
    "No gradient arrived in the caller's dict. Are the hooks still registered when the pass runs, and do they "
    "write into `grads` itself?",
)
def a_dict_of_its_own():
    def attach_savers(tensors, grads):
        grads = {}

        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("nothing saved")
def removed_before_the_pass():
    def attach_savers(tensors, grads):
        handles = []
        for name, tensor in tensors.items():
            with tensor.register_hook(lambda gradient, name=name: grads.update({name: gradient.clone()})) as handle:
                handles.append(handle)
        return handles


@mistake(
    "hook not returned",
    "You registered None, and `backward()` tried to call it. Does the function that makes a hook also return it?",
    raises="TypeError: 'NoneType' object is not callable",
    afterwards=True,
)
def a_maker_without_return():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@mistake(
    "handles not returned",
    "The caller cannot remove all of the hooks. Return one handle per tensor, in the order of `tensors`.",
    raises="TypeError: 'NoneType' object is not (subscriptable|iterable)|IndexError: list index|KeyError: [01]"
    "|'(NoneType|Tensor|function)' object has no attribute 'remove'",
    afterwards=True,
    loses=("handles",),
)
def no_handles():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()

            return save

        for name, tensor in tensors.items():
            tensor.register_hook(saver(name))


@wrong("handles not returned", loses=("handles",))
def handles_by_name():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()

            return save

        return {name: tensor.register_hook(saver(name)) for name, tensor in tensors.items()}


known(RETURNED_OTHER)


@mistake(
    "post-accumulate hook on non-leaf",
    "Post-accumulate-grad hooks exist on leaves only. Which kind of hook can you put on any tensor that requires a "
    "gradient?",
    raises="post accumulate grad hooks cannot be registered on non-leaf",
)
def post_accumulate_savers():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(tensor):
                grads[name] = tensor.grad.clone()

            return save

        return [tensor.register_post_accumulate_grad_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("not attempted")
def attach_savers_not_attempted():
    def attach_savers(tensors, grads):
        raise NotImplementedError  # your code here


@right
def a_default_value_for_the_name():
    def attach_savers(tensors, grads):
        handles = []
        for name, tensor in tensors.items():

            def save(gradient, name=name):
                grads[name] = gradient.detach().clone()

            handles.append(tensor.register_hook(save))
        return handles


@right
def a_class_of_hooks():
    from dataclasses import dataclass

    import torch

    @dataclass
    class Saver:
        name: str
        grads: dict

        def __call__(self, gradient):
            self.grads[self.name] = torch.tensor(gradient.tolist(), dtype=gradient.dtype, device=gradient.device)

    def attach_savers(tensors, grads):
        return tuple(tensor.register_hook(Saver(name, grads)) for name, tensor in tensors.items())


@right
def a_partial():
    from functools import partial

    def save(grads, name, gradient):
        grads.update({name: gradient + 0})

    def attach_savers(tensors, grads):
        return [tensor.register_hook(partial(save, grads, name)) for name, tensor in tensors.items()]


@right
def a_copy_returned_too():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()
                return gradient

            return save

        return list(map(lambda item: item[1].register_hook(saver(item[0])), tensors.items()))


@mistake(
    "retain_grad instead of a hook alone",
    "The gradients are saved, and inner tensors keep them in `.grad` as well: after `retain_grad()` every later pass "
    "adds its gradient there. A hook needs no `retain_grad()`.",
    loses=("copies",),
)
def retained_too():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()

            return save

        for tensor in tensors.values():
            tensor.retain_grad()
        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("retain_grad instead of a hook alone", loses=("copies",))
def retained_where_not_a_leaf():
    def attach_savers(tensors, grads):
        def keep(name, gradient):
            grads[name] = gradient.detach().clone()

        handles = []
        for name, tensor in tensors.items():
            if not tensor.is_leaf:
                tensor.retain_grad()
            handles.append(tensor.register_hook(lambda gradient, name=name: keep(name, gradient)))
        return handles
