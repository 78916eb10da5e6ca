"""clip_by_global_norm: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@mistake(
    "gradients clipped separately",
    "You clipped every gradient by its own norm, which turns the direction of the whole. Scale all by one number.",
    loses=("gradients that are too long", "short gradients and None", "in place"),
)
def one_by_one():
    import math

    import torch

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        if not gradients:
            return 0.0
        total = torch.stack([g.norm() for g in gradients]).norm().item()
        if not math.isfinite(total):
            raise ValueError
        for g in gradients:
            if g.norm() > max_norm:
                g.mul_(max_norm / g.norm())
        return total


@wrong("gradients clipped separately", loses=("gradients that are too long", "short gradients and None", "in place"))
def a_loop_of_clip_grad_norm():
    import torch
    from torch.nn.utils import clip_grad_norm_

    def clip_by_global_norm(parameters, max_norm):
        norms = [p.grad.norm().item() for p in parameters if p.grad is not None]
        total = sum(norm**2 for norm in norms) ** 0.5
        if not torch.isfinite(torch.tensor(total)):
            raise ValueError("not finite")
        for p in parameters:
            if p.grad is not None:
                clip_grad_norm_([p], max_norm)
        return total


@mistake(
    "short gradients stretched",
    "You stretched gradients that were short enough to `max_norm`. Scale only those that are too long.",
    loses=("short gradients and None",),
)
def always_scaled():
    import math

    import torch

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        if not gradients:
            return 0.0
        total = torch.stack([g.norm() for g in gradients]).norm().item()
        if not math.isfinite(total):
            raise ValueError
        for g in gradients:
            g.mul_(max_norm / max(total, 1e-12))
        return total


@wrong("short gradients stretched", loses=("short gradients and None",))
def normalised_first():
    import math

    def clip_by_global_norm(parameters, max_norm):
        there = [p for p in parameters if p.grad is not None]
        total = math.sqrt(sum((p.grad**2).sum().item() for p in there))
        if not math.isfinite(total):
            raise ValueError
        for p in there:
            if total:
                p.grad /= total
                p.grad *= max_norm
        return total


@mistake(
    "largest entry as norm",
    "You used the largest entry as the norm. The Euclidean norm is the square root of the sum of all squares.",
)
def largest_entry():
    import math

    import torch

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        if not gradients:
            return 0.0
        total = max(g.abs().max().item() for g in gradients)
        if not all(torch.isfinite(g).all() for g in gradients):
            raise ValueError
        if total > max_norm:
            for g in gradients:
                g.mul_(max_norm / total)
        assert math.isfinite(total)
        return total


@wrong("largest entry as norm")
def the_norm_of_order_infinity():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        if not gradients:
            return 0.0
        total = torch.linalg.vector_norm(torch.cat([g.flatten() for g in gradients]), float("inf"))
        if not torch.isfinite(total):
            raise ValueError("not finite")
        factor = torch.clamp(max_norm / total.clamp(min=1e-30), max=1.0)
        for g in gradients:
            g *= factor
        return total


@mistake(
    "clipped by value",
    "You cut each entry to at most `max_norm`. Cutting some entries and not others changes the direction.",
)
def clamped():
    import math

    import torch

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        if not gradients:
            return 0.0
        total = torch.stack([g.norm() for g in gradients]).norm().item()
        if not math.isfinite(total):
            raise ValueError
        for g in gradients:
            g.clamp_(-max_norm, max_norm)
        return total


@wrong("clipped by value")
def clip_grad_value():
    import torch
    from torch.nn.utils import clip_grad_value_, get_total_norm

    def clip_by_global_norm(parameters, max_norm):
        total = get_total_norm([p.grad for p in parameters if p.grad is not None])
        if not torch.isfinite(total):
            raise ValueError("not finite")
        clip_grad_value_([p for p in parameters if p.grad is not None], max_norm)
        return total


@mistake(
    "sum of norms",
    "You added the norms of the gradients. They combine like the short sides of a right triangle: squares, sum, root.",
)
def sum_of_norms():
    import math

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        total = sum((g.norm().item() for g in gradients), 0.0)
        if not math.isfinite(total):
            raise ValueError
        if total > max_norm:
            for g in gradients:
                g.mul_(max_norm / total)
        return total


@wrong("sum of norms")
def a_running_sum_of_norms():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        total = torch.zeros((), dtype=torch.float64)
        for p in parameters:
            if p.grad is not None:
                total += torch.linalg.vector_norm(p.grad)
        if not torch.isfinite(total):
            raise ValueError("not finite")
        for p in parameters:
            if p.grad is not None and total > max_norm:
                p.grad.div_((total / max_norm).to(p.grad.dtype))
        return total.item()


@mistake(
    "squared norm",
    "You used the sum of squares as the norm. Its square root is missing.",
)
def root_forgotten():
    import math

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        total = sum((g.square().sum().item() for g in gradients), 0.0)
        if not math.isfinite(total):
            raise ValueError
        if total > max_norm:
            for g in gradients:
                g.mul_(max_norm / total)
        return total


@wrong("squared norm")
def a_product_with_itself():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        flat = torch.cat([g.flatten() for g in gradients]) if gradients else torch.zeros(1)
        total = (flat @ flat).item()
        if total != total or total == float("inf"):
            raise ValueError("not finite")
        factor = min(1.0, max_norm / (total or 1.0))
        for g in gradients:
            g.mul_(factor)
        return total


@mistake(
    "norm after scaling",
    "You returned the norm from after the scaling. Return the one from before, which shows how long the gradients "
    "really were.",
    loses=("gradients that are too long", "short gradients and None"),
)
def measured_again():
    import math

    import torch

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        if not gradients:
            return 0.0
        total = torch.stack([g.norm() for g in gradients]).norm().item()
        if not math.isfinite(total):
            raise ValueError
        if total > max_norm:
            for g in gradients:
                g.mul_(max_norm / total)
        return torch.stack([g.norm() for g in gradients]).norm().item()


@wrong("norm after scaling", loses=("gradients that are too long", "short gradients and None"))
def the_smaller_of_both():
    import math

    def clip_by_global_norm(parameters, max_norm):
        there = [p for p in parameters if p.grad is not None]
        total = math.sqrt(sum((p.grad**2).sum().item() for p in there))
        if not math.isfinite(total):
            raise ValueError
        if total > max_norm:
            for p in there:
                p.grad *= max_norm / total
        return min(total, max_norm)


@mistake(
    ".grad replaced",
    "`.grad` is another tensor now. Other code that holds the old gradient still sees the long one, so write into it.",
    loses=("in place",),
)
def new_gradients():
    import math

    import torch

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        if not gradients:
            return 0.0
        total = torch.stack([g.norm() for g in gradients]).norm().item()
        if not math.isfinite(total):
            raise ValueError
        if total > max_norm:
            for p in parameters:
                if p.grad is not None:
                    p.grad = p.grad * (max_norm / total)
        return total


@wrong(".grad replaced", loses=("in place",))
def replaced_by_a_quotient():
    import math

    def clip_by_global_norm(parameters, max_norm):
        there = [p for p in parameters if p.grad is not None]
        total = math.sqrt(sum((p.grad**2).sum().item() for p in there))
        if not math.isfinite(total):
            raise ValueError
        for p in there:
            p.grad = p.grad / max(1.0, total / max_norm)
        return total


@mistake(
    "gradients not scaled",
    "The gradients are unchanged. Multiplying the loop variable by a number only makes a new tensor; which operations "
    "write into a tensor?",
    loses=("gradients that are too long", "short gradients and None", "in place"),
)
def a_name_bound_anew():
    import math

    import torch

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        if not gradients:
            return 0.0
        total = torch.stack([g.norm() for g in gradients]).norm().item()
        if not math.isfinite(total):
            raise ValueError
        if total > max_norm:
            for g in gradients:
                g = g * (max_norm / total)
        return total


@wrong("gradients not scaled", loses=("gradients that are too long", "short gradients and None", "in place"))
def a_new_list():
    import math

    def clip_by_global_norm(parameters, max_norm):
        there = [p.grad for p in parameters if p.grad is not None]
        total = math.sqrt(sum((g**2).sum().item() for g in there))
        if not math.isfinite(total):
            raise ValueError
        if total > max_norm:
            there = [max_norm / total * g for g in there]
        return total


@mistake(
    "non-finite norm ignored",
    "The norm was not finite, and you raised nothing. A step with such gradients would spoil the parameters.",
    loses=("not finite",),
)
def never_raises():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        if not gradients:
            return 0.0
        total = torch.stack([g.norm() for g in gradients]).norm().item()
        if total > max_norm and total < float("inf"):
            for g in gradients:
                g.mul_(max_norm / total)
        return total


@wrong("non-finite norm ignored", loses=("not finite",))
def returned_early():
    import math

    def clip_by_global_norm(parameters, max_norm):
        there = [p.grad for p in parameters if p.grad is not None]
        total = math.sqrt(sum((g**2).sum().item() for g in there))
        if math.isnan(total) or math.isinf(total) or total <= max_norm:
            return total
        for g in there:
            g.mul_(max_norm / total)
        return total


@mistake(
    "scaled by non-finite norm",
    "The norm was not finite, and you raised nothing and scaled the gradients by it. They are 0 or nan now.",
    loses=("not finite",),
)
def torch_as_it_is():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        return torch.nn.utils.clip_grad_norm_(parameters, max_norm)


@wrong("scaled by non-finite norm", loses=("not finite",))
def divided_by_infinity():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        there = [p.grad for p in parameters if p.grad is not None]
        total = torch.cat([torch.zeros(1), *(g.flatten() for g in there)]).norm()
        factor = max_norm / (total + 1e-6)
        for g in there:
            g.mul_(torch.clamp(factor, max=1.0).to(g.dtype))
        return total.item()


@mistake(
    "non-finite norm only compared",
    "The norm was not finite, and you raised nothing. An infinite norm is larger than `max_norm`, so you scaled the "
    "gradients to 0 and nan; a comparison with nan is false, so you let those through.",
    loses=("not finite",),
)
def only_compared():
    def clip_by_global_norm(parameters, max_norm):
        there = [p.grad for p in parameters if p.grad is not None]
        total = sum((g**2).sum().item() for g in there) ** 0.5
        if total > max_norm:
            for g in there:
                g.mul_(max_norm / total)
        return total


@wrong("non-finite norm only compared", loses=("not finite",))
def a_long_vector_compared():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        there = [p.grad for p in parameters if p.grad is not None]
        total = torch.cat([torch.zeros(1, dtype=torch.float64), *(g.double().flatten() for g in there)]).norm().item()
        if total <= max_norm or total != total:
            return total
        for g in there:
            g /= total / max_norm
        return total


@mistake(
    "checked after clipping",
    "You raised the ValueError after you had scaled the gradients, which are 0 or nan now. Check the norm before you "
    "change anything.",
    loses=("not finite",),
)
def the_norm_that_came_back():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        total = torch.nn.utils.clip_grad_norm_(parameters, max_norm)
        if not torch.isfinite(total):
            raise ValueError("not finite")
        return total.item()


@wrong("checked after clipping", predicts=True, loses=("not finite",))
def compared_and_then_checked():
    import math

    def clip_by_global_norm(parameters, max_norm):
        there = [p.grad for p in parameters if p.grad is not None]
        total = math.sqrt(sum((g**2).sum().item() for g in there))
        if total > max_norm:
            for g in there:
                g.mul_(max_norm / total)
        if not math.isfinite(total):
            raise ValueError("not finite")
        return total


@wrong("checked after clipping", loses=("not finite",))
def the_check_comes_last():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        there = [p.grad for p in parameters if p.grad is not None]
        total = torch.cat([torch.zeros(1), *(g.flatten() for g in there)]).norm()
        factor = torch.clamp(max_norm / (total + 1e-6), max=1.0)
        for g in there:
            g.mul_(factor.to(g.dtype))
        if total.isnan() or total.isinf():
            raise ValueError("inf or nan")
        return total.item()


@mistake(
    "wrong exception",
    "You raised an exception of another kind. The task asks for a ValueError, so catch the other exception, or check "
    "first.",
    loses=("not finite",),
)
def error_if_nonfinite():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        return torch.nn.utils.clip_grad_norm_(parameters, max_norm, error_if_nonfinite=True)


@wrong("wrong exception", loses=("not finite",))
def a_runtime_error_of_ones_own():
    import math

    def clip_by_global_norm(parameters, max_norm):
        there = [p.grad for p in parameters if p.grad is not None]
        total = math.sqrt(sum((g**2).sum().item() for g in there))
        if not math.isfinite(total):
            raise RuntimeError("gradients are not finite")
        if total > max_norm:
            for g in there:
                g.mul_(max_norm / total)
        return total


@mistake(
    "None not skipped",
    "A parameter that took no part in the pass has None in its `.grad`. Skip it.",
    raises="AttributeError: 'NoneType' object has no attribute|TypeError: .*NoneType",
    loses=("short gradients and None",),
)
def every_gradient_used():
    import math

    import torch

    def clip_by_global_norm(parameters, max_norm):
        total = torch.stack([p.grad.norm() for p in parameters]).norm().item()
        if not math.isfinite(total):
            raise ValueError
        if total > max_norm:
            for p in parameters:
                p.grad.mul_(max_norm / total)
        return total


@mistake(
    "no gradient at all",
    "If no parameter has a gradient, there is nothing to stack, and the `sum` of nothing is the int 0 instead of a "
    "tensor. The norm is 0.0 then.",
    raises="(RuntimeError|ValueError): .*(non-empty|empty|at least one)|TypeError: .*must be Tensor, not (int|float)"
    "|AttributeError: '(int|float)' object has no attribute",
    loses=("short gradients and None",),
)
def an_empty_list_stacked():
    import math

    import torch

    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        total = torch.stack([g.norm() for g in gradients]).norm().item()
        if not math.isfinite(total):
            raise ValueError
        if total > max_norm:
            for g in gradients:
                g.mul_(max_norm / total)
        return total


@wrong("no gradient at all", loses=("short gradients and None",))
def the_root_of_a_sum_of_nothing():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        total = torch.sqrt(sum(p.grad.square().sum() for p in parameters if p.grad is not None))
        if not torch.isfinite(total):
            raise ValueError("not finite")
        if total > max_norm:
            for p in parameters:
                if p.grad is not None:
                    p.grad *= max_norm / total
        return total.item()


@wrong("not attempted")
def clip_by_global_norm_not_attempted():
    def clip_by_global_norm(parameters, max_norm):
        raise NotImplementedError  # your code here


@right
def with_torch_and_another_exception():
    import torch

    def clip_by_global_norm(parameters, max_norm):
        try:
            return torch.nn.utils.clip_grad_norm_(parameters, max_norm, error_if_nonfinite=True).item()
        except RuntimeError as error:
            raise ValueError("gradients are not finite") from error


@right
def squares_added_up():
    import math

    def clip_by_global_norm(parameters, max_norm):
        total = 0.0
        for parameter in parameters:
            if parameter.grad is not None:
                total += parameter.grad.pow(2).sum().item()
        total = total**0.5
        if not math.isfinite(total):
            raise ValueError(total)
        factor = max_norm / total if total > max_norm else None
        for parameter in parameters:
            if factor and parameter.grad is not None:
                parameter.grad *= factor
        return total


@right
def one_long_vector():
    import torch

    @torch.no_grad()
    def clip_by_global_norm(parameters, max_norm):
        gradients = [p.grad for p in parameters if p.grad is not None]
        if gradients == []:
            return torch.tensor(0.0)
        vector = torch.cat([g.reshape(-1) for g in gradients])
        if not torch.isfinite(vector).all():
            raise ValueError("inf or nan")
        length = vector.norm()
        if length > max_norm:
            torch._foreach_mul_(gradients, (max_norm / length).item())
        return length
