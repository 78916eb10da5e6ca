"""newton_step: mistakes, other ways to make them, and right answers."""

from autograder.diagnosis import Mistake
from autograder.tasks.answers import known, mistake, right, wrong

from ..shared import NOTHING_LEFT
from .task import newton_from


@wrong(
    "requires_grad switched on",
    loses=(
        "where it leads",
        "solved and detached",
    ),
)
def newton_x_marked():
    import torch

    def newton_step(f, x):
        x.requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        H = torch.stack([torch.autograd.grad(one, x, retain_graph=True)[0] for one in g])
        return (x - torch.linalg.solve(H, g)).detach()


@mistake(
    "derivative without a graph",
    "You differentiated a gradient that has no graph. Was it computed with `create_graph=True`?",
    raises="RuntimeError: element \\d+ of tensors does not require grad",
)
def newton_without_create_graph():
    import torch

    def newton_step(f, x):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x)[0]
        H = torch.stack([torch.autograd.grad(one, x, retain_graph=True)[0] for one in g])
        return x - torch.linalg.solve(H, g)


known(NOTHING_LEFT)


@mistake(
    "inverse computed",
    "The numbers are right, but you computed an inverse on the way. You need one vector, which a system "
    "of equations gives. See lesson 08, “Newton's method”.",
    loses=("solved and detached",),
)
def times_the_inverse():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return (x - torch.linalg.inv(H) @ g).detach()


@wrong("inverse computed", predicts=True, loses=("solved and detached",))
def times_the_pseudo_inverse():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return (x - H.pinverse() @ g).detach()


@mistake(
    "result not detached",
    "The numbers are right, but the result requires a gradient, from your own leaf or from a tensor that "
    "f uses. Return it detached.",
    loses=("solved and detached",),
)
def a_leaf_in_the_result():
    import torch

    def newton_step(f, x):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        H = torch.stack([torch.autograd.grad(one, x, retain_graph=True)[0] for one in g])
        return x - torch.linalg.solve(H, g)


@mistake("uphill", "You took the step in the opposite direction. Which way does it lead from x?")
def plus_for_minus():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return (x + torch.linalg.solve(H, g)).detach()


known(
    Mistake(
        "step instead of new x",
        "This is the step, or its opposite. Return where it leads: the new x.",
        lambda f, x: x - newton_from(f, x),
    )
)


@wrong("step instead of new x", predicts=True)
def only_the_step():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return -torch.linalg.solve(H, g).detach()


@mistake("gradient descent", "This is x minus the gradient. You have not used the curvature, which says how far to go.")
def the_gradient_alone():
    import torch

    def newton_step(f, x):
        return (x - torch.func.grad(f)(x)).detach()


@mistake(
    "multiplied by the Hessian",
    "You multiplied the gradient by the Hessian. Where the function curves more, should the step be longer?",
)
def a_product_for_a_quotient():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return (x - H @ g).detach()


@mistake(
    "only the diagonal",
    "You divided each element of the gradient by its own curvature. But each element of x also changes the slopes "
    "along the others: the Hessian is a matrix.",
)
def divided_element_by_element():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return (x - g / torch.diagonal(H)).detach()


@mistake(
    "row sums of the Hessian",
    "You divided the gradient by the sums of the Hessian's rows, the gradient of `gradient.sum()`. You "
    "need the rows themselves.",
)
def second_derivative_as_in_one_variable():
    import torch

    def newton_step(f, x):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        h = torch.autograd.grad(g.sum(), x)[0]
        return (x - g / h).detach()


@mistake(
    "absolute curvatures",
    "You took the curvatures without their sign. Plain Newton goes to where the slope is 0, downhill or not.",
)
def downhill_always():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x).detach(), torch.func.hessian(f)(x).detach()
        values, vectors = torch.linalg.eigh(H)
        return x - vectors @ ((vectors.T @ g) / values.abs())


known(
    Mistake(
        "more than one step",
        "This is where several steps lead. Take one step.",
        lambda f, x: newton_from(f, newton_from(f, newton_from(f, x))),
    )
)


@wrong("more than one step", predicts=True)
def two_steps():
    import torch

    def newton_step(f, x):
        for _ in range(2):
            x = (x - torch.linalg.solve(torch.func.hessian(f)(x), torch.func.grad(f)(x))).detach()
        return x


@mistake(
    "Cholesky on an indefinite Hessian",
    "Cholesky's method needs a Hessian that is positive definite. The task allows any Hessian that is not singular.",
    raises="_?LinAlgError: .*cholesky",
)
def by_cholesky():
    import torch

    def newton_step(f, x):
        g, H = torch.func.grad(f)(x).detach(), torch.func.hessian(f)(x).detach()
        L = torch.linalg.cholesky(H)
        return x - torch.cholesky_solve(g.unsqueeze(1), L).squeeze(1)


@mistake(
    "singular matrix built",
    "Your matrix is singular, though the Hessian is not: a row is missing, repeated or in the wrong place.",
    raises="_?LinAlgError: .*singular",
)
def the_first_row_for_all():
    import torch

    def newton_step(f, x):
        x = x.clone().requires_grad_()
        g = torch.autograd.grad(f(x), x, create_graph=True)[0]
        rows = [torch.autograd.grad(g[0], x, retain_graph=True)[0] for _ in g]
        return (x - torch.linalg.solve(torch.stack(rows), g)).detach()


@wrong("not attempted")
def newton_step_not_attempted():
    def newton_step(f, x):
        raise NotImplementedError  # your code here


@right
def by_torch_func():
    import torch

    def newton_step(f, x):
        gradient, hessian = torch.func.grad(f)(x), torch.func.hessian(f)(x)
        return x - torch.linalg.solve(hessian, gradient).detach()


@right
def by_least_squares():
    import torch

    def newton_step(f, x):
        H = torch.autograd.functional.hessian(f, x)
        (g,) = torch.autograd.functional.jacobian(f, (x,))
        return x - torch.linalg.lstsq(H.detach(), g.detach().unsqueeze(1)).solution.squeeze(1)


@right
def by_eigenvectors():
    import torch

    def newton_step(f, x):
        with torch.no_grad():
            g, H = torch.func.jacrev(f)(x), torch.func.jacfwd(torch.func.jacrev(f))(x)
            values, vectors = torch.linalg.eigh(H)
            return x - vectors @ ((vectors.T @ g) / values)
