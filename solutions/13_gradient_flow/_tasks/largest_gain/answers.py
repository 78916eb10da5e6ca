"""largest_gain: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong


@mistake(
    "eigenvalue instead of singular value",
    "This is the size of the largest eigenvalue: you applied J again and again. For a singular value, J and its "
    "transpose take turns.",
    loses=(
        "as many outputs as inputs",
        "more or fewer outputs than inputs",
        "large and small gains",
        "calls and memory",
    ),
)
def j_applied_again_and_again():
    import torch

    def largest_gain(f, x, steps):
        v, gain = torch.randn_like(x), 0.0
        for _ in range(steps):
            v = v / v.norm()
            v = torch.func.jvp(f, (x,), (v,))[1]
            gain = v.norm().item()
            if gain == 0:
                break
        return gain


@wrong("eigenvalue instead of singular value")
def the_transpose_again_and_again():
    import torch

    def largest_gain(f, x, steps):
        v = torch.randn_like(x)
        length = torch.ones(())
        for _ in range(steps):
            _, pull = torch.func.vjp(f, x)
            (v,) = pull(v / length)
            length = v.norm()
        return length.item()


known(
    Mistake(
        "eigenvalue instead of singular value",
        "You used a vector of outputs as a vector of inputs. J v has m entries, and the transpose of J takes it back to n.",
        raises="RuntimeError: (jvp|.*[Ee]xpected .* shape|The size of tensor|Mismatch|Trying to set a forward gradient)"
        "|ValueError: .*shape|RuntimeError: .*same (size|shape)",
    )
)


@mistake(
    "squared gain",
    "This is the square of the largest singular value, by which one step with J and its transpose multiplies v.",
    loses=(
        "as many outputs as inputs",
        "more or fewer outputs than inputs",
        "large and small gains",
        "calls and memory",
    ),
)
def the_length_after_a_whole_step():
    import torch

    def largest_gain(f, x, steps):
        v, gain = torch.randn_like(x), 0.0
        for _ in range(steps):
            u = torch.func.jvp(f, (x,), (v / v.norm(),))[1]
            (v,) = torch.func.vjp(f, x)[1](u)
            gain = v.norm().item()
            if gain == 0:
                break
        return gain


@wrong(
    "squared gain",
    loses=(
        "as many outputs as inputs",
        "more or fewer outputs than inputs",
        "large and small gains",
        "calls and memory",
    ),
)
def a_rayleigh_quotient():
    import torch

    def largest_gain(f, x, steps):
        v = torch.nn.functional.normalize(torch.rand_like(x) - 0.3, dim=0)
        quotient = 0.0
        for _ in range(steps):
            u = torch.func.jvp(f, (x,), (v,))[1]
            (w,) = torch.func.vjp(f, x)[1](u)
            quotient = float(v @ w)
            v = torch.nn.functional.normalize(w, dim=0)
        return quotient


@mistake(
    "Frobenius norm",
    "This is the root of the sum of all squared entries of J, in which all singular values count. The task asks for "
    "the largest alone.",
)
def the_frobenius_norm():
    import torch

    def largest_gain(f, x, steps):
        return torch.func.jacrev(f)(x).norm().item()


@wrong("Frobenius norm")
def squares_of_rows_added():
    import torch

    def largest_gain(f, x, steps):
        total = 0.0
        for k in range(len(f(x))):
            leaf = x.clone().requires_grad_()
            (row,) = torch.autograd.grad(f(leaf)[k], leaf)
            total += row.square().sum().item()
        return total**0.5


@mistake(
    "smallest singular value",
    "This is the smallest singular value. The task asks for the largest.",
)
def the_last_of_svdvals():
    import torch

    def largest_gain(f, x, steps):
        return torch.linalg.svdvals(torch.func.jacfwd(f)(x))[-1].item()


@wrong("smallest singular value")
def order_minus_two():
    import torch

    def largest_gain(f, x, steps):
        return float(torch.linalg.matrix_norm(torch.autograd.functional.jacobian(f, x), -2))


@mistake(
    "gradient of the sum",
    "This is the length of the gradient of the sum of all outputs. That is one direction among the outputs, and not "
    "the one with the largest gain.",
)
def ones_pulled_back():
    import torch

    def largest_gain(f, x, steps):
        leaf = x.clone().requires_grad_()
        return torch.autograd.grad(f(leaf).sum(), leaf)[0].norm().item()


@wrong("gradient of the sum")
def ones_as_upstream():
    import torch

    def largest_gain(f, x, steps):
        output, pull = torch.func.vjp(f, x)
        return float(torch.linalg.vector_norm(pull(torch.ones_like(output))[0]))


@mistake(
    "vector not normalised",
    "You never scaled the vector back to length 1. After many steps its entries leave the range of floats and become "
    "infinity or 0.",
    loses=("large and small gains",),
)
def a_ratio_at_the_end():
    import torch

    def largest_gain(f, x, steps):
        v = torch.randn_like(x)
        for _ in range(steps):
            u = torch.func.jvp(f, (x,), (v,))[1]
            if not u.any() and (v.abs() > 1e-3).any():
                return 0.0
            (v,) = torch.func.vjp(f, x)[1](u)
        u = torch.func.jvp(f, (x,), (v,))[1]
        return (u.norm() / v.norm()).item()


@wrong("vector not normalised", loses=("large and small gains",))
def lengths_of_the_last_two():
    import torch

    def largest_gain(f, x, steps):
        _, pull = torch.func.vjp(f, x)
        v = before = torch.randn_like(x)
        for _ in range(steps):
            u = torch.func.jvp(f, (x,), (v,))[1]
            before, v = v, pull(u)[0]
        if torch.equal(f(x), torch.zeros_like(f(x))) and not v.any():
            return 0.0
        return (v.norm() / before.norm()).sqrt().item()


@mistake(
    "0 divided by 0",
    "A Jacobian that is 0 makes a vector of length 0, and dividing by that length gives nan, which `f` only passes "
    "on. Stop there: the gain is 0.0.",
    loses=("a Jacobian that is 0",),
)
def nothing_normalised():
    import torch

    def largest_gain(f, x, steps):
        v, u = torch.randn_like(x), None
        for _ in range(steps):
            v = v / v.norm()
            u = torch.func.jvp(f, (x,), (v,))[1]
            (v,) = torch.func.vjp(f, x)[1](u)
        return u.norm().item()


@wrong("0 divided by 0", predicts=True, loses=("a Jacobian that is 0",))
def quotient_of_two_lengths():
    import torch

    def largest_gain(f, x, steps):
        v = torch.randn_like(x)
        v /= v.norm()
        for _ in range(steps):
            u = torch.func.jvp(f, (x,), (v,))[1]
            (w,) = torch.func.vjp(f, x)[1](u)
            gain = w.norm() / u.norm()
            v = w / w.norm()
        return gain.item()


@wrong("0 divided by 0", loses=("a Jacobian that is 0",))
def normalised_at_the_end():
    import torch

    def largest_gain(f, x, steps):
        start = torch.randn_like(x)
        v = start / start.norm()
        for _ in range(steps):
            (w,) = torch.func.vjp(f, x)[1](torch.func.jvp(f, (x,), (v,))[1])
            v = w / w.norm()
        return torch.func.jvp(f, (x,), (v,))[1].norm().item()


@mistake(
    "epsilon added to the length",
    "You added a small number to every length, to avoid dividing by 0. Where the gain is small, so is the length, and "
    "v does not return to length 1; test for 0 instead.",
    loses=("large and small gains",),
)
def a_trillionth_added():
    import torch

    def largest_gain(f, x, steps):
        v = torch.randn_like(x)
        for _ in range(steps):
            v = v / (v.norm() + 1e-12)
            u = torch.func.jvp(f, (x,), (v,))[1]
            (v,) = torch.func.vjp(f, x)[1](u)
        return u.norm().item()


@wrong("epsilon added to the length", predicts=True, loses=("large and small gains",))
def a_hundred_millionth_added():
    import torch

    def largest_gain(f, x, steps):
        v = torch.randn_like(x)
        for _ in range(steps):
            v = v / (v.norm() + 1e-8)
            u = torch.func.jvp(f, (x,), (v,))[1]
            (v,) = torch.func.vjp(f, x)[1](u)
        return u.norm().item()


@wrong("epsilon added to the length", loses=("large and small gains",))
def both_sides_with_a_trillionth():
    import torch

    def largest_gain(f, x, steps):
        _, pull = torch.func.vjp(f, x)
        w = torch.randn_like(x)
        for _ in range(steps):
            direction = w / (torch.linalg.vector_norm(w) + 1e-12)
            gained = torch.func.jvp(f, (x,), (direction,))[1]
            w = pull(gained)[0]
        return torch.linalg.vector_norm(gained).item()


@mistake(
    "start with equal entries",
    "You started with a vector of equal entries. It can be orthogonal to the direction with the largest gain, and "
    "then no step turns it there; a random start is not.",
    loses=("as many outputs as inputs",),
)
def ones_as_a_start():
    import torch

    def largest_gain(f, x, steps):
        v, gain = torch.ones_like(x), 0.0
        for _ in range(steps):
            v = v / v.norm()
            u = torch.func.jvp(f, (x,), (v,))[1]
            gain = u.norm().item()
            if gain == 0:
                break
            (v,) = torch.func.vjp(f, x)[1](u)
        return gain


@wrong("start with equal entries", loses=("as many outputs as inputs",))
def a_start_of_equal_parts():
    import torch

    def largest_gain(f, x, steps):
        v = torch.full_like(x, 1 / len(x) ** 0.5)
        _, pull = torch.func.vjp(f, x)
        u = torch.func.jvp(f, (x,), (v,))[1]
        for _ in range(steps):
            if not u.any():
                return 0.0
            (v,) = pull(u)
            u = torch.func.jvp(f, (x,), (v / v.norm(),))[1]
        return u.norm().item()


@mistake(
    "Jacobian built",
    "The number is right, but you made a tensor with all entries of J for it. Two products per step need no such "
    "tensor.",
    loses=("calls and memory",),
)
def singular_values_of_the_matrix():
    import torch

    def largest_gain(f, x, steps):
        return torch.linalg.svdvals(torch.func.jacrev(f)(x))[0].item()


@wrong("Jacobian built", loses=("calls and memory",))
def the_spectral_norm():
    import torch

    def largest_gain(f, x, steps):
        J = torch.func.jacfwd(f)(x)
        return torch.linalg.matrix_norm(J, 2).item()


@mistake(
    "f called too often",
    "You called `f` more than twice per step. Each product calls it once, and you do not need its value.",
    loses=("calls and memory",),
)
def the_value_too():
    import torch

    def largest_gain(f, x, steps):
        v, gain = torch.randn_like(x), 0.0
        for _ in range(steps):
            f(x)
            u = torch.func.jvp(f, (x,), (v / v.norm(),))[1]
            gain = u.norm().item()
            if gain == 0:
                break
            (v,) = torch.func.vjp(f, x)[1](u)
        return gain


@wrong("f called too often", loses=("calls and memory",))
def more_steps_than_asked():
    import torch

    def largest_gain(f, x, steps):
        v, gain = torch.randn_like(x), 0.0
        for _ in range(2 * steps):
            v = v / v.norm()
            u = torch.func.jvp(f, (x,), (v,))[1]
            gain = u.norm().item()
            if gain == 0:
                return gain
            (v,) = torch.func.vjp(f, x)[1](u)
        return gain


@wrong("not attempted")
def largest_gain_not_attempted():
    def largest_gain(f, x, steps):
        raise NotImplementedError  # your code here


@right
def by_plain_autograd():
    import torch

    def largest_gain(f, x, steps):
        leaf = x.clone().requires_grad_()
        y = f(leaf)
        weights = torch.zeros_like(y, requires_grad=True)
        (back,) = torch.autograd.grad(y, leaf, weights, create_graph=True)
        v, u = torch.randn_like(x), torch.zeros_like(y)
        for _ in range(steps):
            v = v / (v.norm() + 1e-300 if v.dtype == torch.float64 else v.norm() + 1e-30)
            if back.requires_grad:
                (u,) = torch.autograd.grad(back, weights, v, retain_graph=True)
            (v,) = torch.autograd.grad(y, leaf, u, retain_graph=True)
        return u.norm().item()


@right
def with_dual_numbers():
    import torch
    from torch.autograd import forward_ad as fwAD

    def largest_gain(f, x, steps):
        value, pull = torch.func.vjp(f, x)
        v = torch.rand_like(x) + 0.1 * torch.randn_like(x)
        for _ in range(steps):
            with fwAD.dual_level():
                dual = fwAD.make_dual(x, v / v.norm())
                u = fwAD.unpack_dual(f(dual)).tangent
            if u is None or u.norm() == 0:
                return 0.0
            v = pull(u)[0]
        return torch.sqrt(v @ v).item() ** 0.5 if steps < 1 else u.norm().item()


@right
def the_root_of_the_square():
    import math

    import torch

    def largest_gain(f, x, steps):
        direction = torch.nn.functional.normalize(torch.randn_like(x), dim=0)
        square = 0.0
        for _ in range(steps):
            forward = torch.func.jvp(f, (x,), (direction,))[1]
            back = torch.func.vjp(f, x)[1](forward)[0]
            square = torch.dot(direction, back).item()
            length = torch.linalg.vector_norm(back)
            direction = back / length if length > 0 else torch.zeros_like(back)
        return math.sqrt(max(square, 0.0))
