"""Right answers to exercise 02."""

from tests.answers import right

# one_at_a_time


@right("one_at_a_time")
def a_loop_that_unpacks():
    import torch

    def one_at_a_time(a, nodes):
        gradients = []
        for node in nodes:
            (gradient,) = torch.autograd.grad(outputs=a, inputs=[node], retain_graph=True)
            gradients.append(gradient)
        return gradients


@right("one_at_a_time")
def retained_but_by_the_last():
    from torch.autograd import grad

    def one_at_a_time(a, nodes):
        last = len(nodes) - 1
        return [grad(a, node, retain_graph=i < last)[0] for i, node in enumerate(nodes)]


@right("one_at_a_time")
def with_create_graph():
    import torch

    def one_at_a_time(a, nodes):
        def of(node):
            return torch.autograd.grad(a, node, grad_outputs=torch.ones_like(a), create_graph=True)

        return tuple(sum(map(of, nodes), ()))


@right("one_at_a_time")
def by_a_dict_of_one():
    import torch

    def one_at_a_time(a, nodes):
        return tuple(torch.autograd.grad(a, {"it": node}, retain_graph=True)["it"] for node in nodes)


# all_partials


@right("all_partials")
def a_list_of_nodes():
    from torch.autograd import grad

    def all_partials(a, nodes):
        return list(grad(outputs=[a], inputs=list(nodes), retain_graph=True))


@right("all_partials")
def of_the_sum_of_one_element():
    import torch

    def all_partials(a, nodes):
        named = {str(i): node for i, node in enumerate(nodes)}
        found = torch.autograd.grad(a.reshape(()), tuple(named.values()))
        return tuple(found)


@right("all_partials")
def by_a_dict_of_inputs():
    import torch

    def all_partials(a, nodes):
        found = torch.autograd.grad(a, dict(enumerate(nodes)), retain_graph=True)
        return tuple(found[i] for i in range(len(nodes)))


@right("all_partials")
def with_hooks_and_a_pass_for_all():
    import torch

    def all_partials(a, nodes):
        caught = {}
        handles = [node.register_hook(lambda g, i=i: caught.update({i: g.clone()})) for i, node in enumerate(nodes)]
        torch.autograd.grad(a, nodes)
        for handle in handles:
            handle.remove()
        return tuple(caught[i] for i in range(len(nodes)))


# predict_second_call


@right("predict_second_call")
def as_tuples_from_letters():
    def predict_second_call():
        failing = {"A", "F", "G"}
        return {letter: (True, letter not in failing) for letter in "ABCDEFGHI"}


@right("predict_second_call")
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


@right("predict_second_call")
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


# grad_or_zero


@right("grad_or_zero")
def zeros_by_hand():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return [torch.zeros_like(x) if g is None else g for x, g in zip(inputs, found)]


@right("grad_or_zero")
def one_input_at_a_time():
    import torch

    def grad_or_zero(output, inputs):
        result = ()
        for x in inputs:
            result += torch.autograd.grad(output, [x], retain_graph=True, materialize_grads=True)
        return result


@right("grad_or_zero")
def a_path_of_zeros_added():
    import torch

    def grad_or_zero(output, inputs):
        # every input leads to this number, and what leads there by this way alone has the gradient 0
        anchored = output.sum() + sum(0 * x.sum().to(output) for x in inputs)
        return torch.autograd.grad(anchored, list(inputs))


@right("grad_or_zero")
def errors_taken_for_an_answer():
    import torch

    def grad_or_zero(output, inputs):
        result = []
        for x in inputs:
            try:
                result.append(torch.autograd.grad(output, x, retain_graph=True)[0])
            except RuntimeError:
                result.append(torch.zeros(x.shape, dtype=x.dtype, device=x.device))
        return tuple(result)


# named_gradients


@right("named_gradients")
def names_put_back():
    import torch

    def named_gradients(output, named):
        gradients = torch.autograd.grad(output, tuple(named.values()), allow_unused=True)
        return {name: gradient for name, gradient in zip(named, gradients) if gradient is not None}


@right("named_gradients")
def a_loop_over_pairs():
    from torch.autograd import grad

    def named_gradients(output, named):
        result = {}
        names, tensors = list(named), list(named.values())
        for name, gradient in zip(names, grad(output, tensors, None, True, False, True, True)):
            if gradient is None:
                continue
            result[name] = gradient
        return result


@right("named_gradients")
def none_deleted_from_the_new_dict():
    import torch

    def named_gradients(output, named):
        result = torch.autograd.grad(output, dict(named), retain_graph=True, allow_unused=True)
        for name in [name for name in result if result[name] is None]:
            del result[name]
        return result


@right("named_gradients")
def sorted_by_name():
    import torch

    def named_gradients(output, named):
        names = sorted(named)
        gradients = torch.autograd.grad(output.sum(), [named[name] for name in names], allow_unused=True)
        return dict(pair for pair in zip(names, gradients) if pair[1] is not None)


# gradient_of_vector


@right("gradient_of_vector")
def of_the_weighted_sum():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad((y * upstream).sum(), x)[0]


@right("gradient_of_vector")
def row_by_row():
    import torch

    def gradient_of_vector(y, x, upstream):
        total = torch.zeros_like(x)
        for element, weight in zip(y.reshape(-1), upstream.reshape(-1)):
            total = total + weight * torch.autograd.grad(element, x, retain_graph=True)[0]
        return total


@right("gradient_of_vector")
def rows_in_a_batch():
    import torch

    def gradient_of_vector(y, x, upstream):
        one_hot = torch.eye(y.numel(), dtype=y.dtype).reshape(-1, *y.shape)
        (rows,) = torch.autograd.grad(y, x, one_hot, is_grads_batched=True)
        return torch.tensordot(upstream.reshape(-1), rows.to(upstream.dtype), dims=1)


@right("gradient_of_vector")
def lists_of_one():
    from torch.autograd import grad

    def gradient_of_vector(y, x, upstream):
        return grad([y], [x], [upstream], create_graph=True)[0]


@right("gradient_of_vector")
def dot_product_of_the_flattened():
    import torch

    def gradient_of_vector(y, x, upstream):
        number = torch.dot(y.flatten(), upstream.flatten())
        return torch.autograd.grad(number, x)[0]
