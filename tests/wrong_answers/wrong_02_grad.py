"""Wrong answers to exercise 02."""

from tests.answers import wrong

# one_at_a_time


@wrong("one_at_a_time", diagnosed="not attempted")
def one_at_a_time_not_attempted():
    def one_at_a_time(a, nodes):
        raise NotImplementedError  # your code here


@wrong("one_at_a_time", diagnosed="one call for all nodes", loses=("one backward pass for each node",))
def all_in_one_call():
    import torch

    def one_at_a_time(a, nodes):
        return torch.autograd.grad(a, nodes)


@wrong("one_at_a_time", diagnosed="left in a tuple", loses=("every partial, returned and not stored",))
def one_tuples_left_in():
    import torch

    def one_at_a_time(a, nodes):
        return tuple(torch.autograd.grad(a, node, retain_graph=True) for node in nodes)


@wrong("one_at_a_time", diagnosed="graph already freed")
def nothing_retained():
    import torch

    def one_at_a_time(a, nodes):
        return tuple(torch.autograd.grad(a, node)[0] for node in nodes)


@wrong("one_at_a_time", diagnosed="graph already freed")
def retained_by_the_last_only():
    import torch

    def one_at_a_time(a, nodes):
        gradients = []
        for node in nodes:
            gradients += torch.autograd.grad(a, node, retain_graph=node is nodes[-1])
        return tuple(gradients)


@wrong("one_at_a_time", diagnosed="backward in a loop")
def each_backward_adds():
    def one_at_a_time(a, nodes):
        gradients = []
        for node in nodes:
            node.retain_grad()
            a.backward(retain_graph=True)
            gradients.append(node.grad.clone())
        return tuple(gradients)


@wrong("one_at_a_time", diagnosed="inner nodes after backward")
def backward_for_each_and_grad():
    def one_at_a_time(a, nodes):
        for node in nodes:
            a.backward(retain_graph=True)
        return tuple(node.grad for node in nodes)


@wrong("one_at_a_time", diagnosed="backward instead of grad")
def backward_for_one_input():
    def one_at_a_time(a, nodes):
        for node in nodes:
            a.backward(inputs=[node], retain_graph=True)
        return tuple(node.grad for node in nodes)


@wrong("one_at_a_time", diagnosed="None returned", loses=("every partial, returned and not stored",))
def printed_only():
    import torch

    def one_at_a_time(a, nodes):
        for node in nodes:
            print(torch.autograd.grad(a, node, retain_graph=True)[0])


@wrong("one_at_a_time", diagnosed="several numbers taken for one")
def one_number_each():
    import torch

    def one_at_a_time(a, nodes):
        return torch.tensor([torch.autograd.grad(a, node, retain_graph=True)[0].item() for node in nodes])


@wrong("one_at_a_time", diagnosed="only the first node")
def return_inside_the_loop():
    import torch

    def one_at_a_time(a, nodes):
        for node in nodes:
            return torch.autograd.grad(a, node, retain_graph=True)


@wrong("one_at_a_time", diagnosed="only the last node", loses=("every partial, returned and not stored",))
def overwritten_in_the_loop():
    import torch

    def one_at_a_time(a, nodes):
        for node in nodes:
            result = torch.autograd.grad(a, node, retain_graph=True)
        return result


@wrong("one_at_a_time", diagnosed="numbers instead of tensors", loses=("every partial, returned and not stored",))
def items():
    import torch

    def one_at_a_time(a, nodes):
        return tuple(torch.autograd.grad(a, node, retain_graph=True)[0].tolist() for node in nodes)


@wrong("one_at_a_time", diagnosed="order turned round", loses=("every partial, returned and not stored",))
def each_put_in_front():
    import torch

    def one_at_a_time(a, nodes):
        gradients = ()
        for node in nodes:
            gradients = torch.autograd.grad(a, node, retain_graph=True) + gradients
        return gradients


@wrong("one_at_a_time", diagnosed="all gradients for each node")
def nodes_for_node():
    import torch

    def one_at_a_time(a, nodes):
        return tuple(torch.autograd.grad(a, nodes, retain_graph=True) for node in nodes)


@wrong("one_at_a_time", diagnosed="each node asked twice", loses=("one backward pass for each node",))
def asked_to_see_whether_it_is_there():
    import torch

    def one_at_a_time(a, nodes):
        gradients = []
        for node in nodes:
            if torch.autograd.grad(a, node, retain_graph=True, allow_unused=True)[0] is not None:
                gradients.append(torch.autograd.grad(a, node, retain_graph=True)[0])
        return tuple(gradients)


@wrong("one_at_a_time", diagnosed="a loop variable named grad")
def grad_becomes_a_tuple():
    from torch.autograd import grad

    def one_at_a_time(a, nodes):
        found = []
        for node in nodes:
            grad = grad(a, node, retain_graph=True)
            found.append(grad[0])
        return tuple(found)


# all_partials


@wrong("all_partials", diagnosed="not attempted")
def all_partials_not_attempted():
    def all_partials(a, nodes):
        raise NotImplementedError  # your code here


@wrong("all_partials", diagnosed="a pass for each node", loses=("one backward pass",))
def one_call_for_each_node():
    import torch

    def all_partials(a, nodes):
        return tuple(torch.autograd.grad(a, node, retain_graph=True)[0] for node in nodes)


@wrong("all_partials", diagnosed="nodes handed over one by one")
def with_a_star():
    import torch

    def all_partials(a, nodes):
        return torch.autograd.grad(a, *nodes)


@wrong("all_partials", diagnosed="two passes for all", loses=("one backward pass",))
def one_pass_to_look_and_one_to_return():
    import torch

    def all_partials(a, nodes):
        assert all(g is not None for g in torch.autograd.grad(a, nodes, retain_graph=True))
        return torch.autograd.grad(a, nodes)


@wrong("all_partials", diagnosed="graph already freed")
def a_loop_without_retaining():
    import torch

    def all_partials(a, nodes):
        return tuple(torch.autograd.grad(a, node)[0] for node in nodes)


@wrong("all_partials", diagnosed="backward instead of grad")
def backward_and_grad():
    def all_partials(a, nodes):
        for node in nodes:
            node.retain_grad()
        a.backward()
        return tuple(node.grad for node in nodes)


@wrong("all_partials", diagnosed="backward in a loop")
def backward_again_and_again():
    def all_partials(a, nodes):
        gradients = []
        for node in nodes:
            node.retain_grad()
            a.backward(retain_graph=True)
            gradients.append(node.grad.clone())
        return tuple(gradients)


@wrong("all_partials", diagnosed="inner nodes after backward")
def backward_without_retain_grad():
    def all_partials(a, nodes):
        a.backward()
        return tuple(node.grad for node in nodes)


@wrong("all_partials", diagnosed="backward instead of grad")
def backward_for_these_inputs():
    def all_partials(a, nodes):
        a.backward(inputs=list(nodes))
        return tuple(node.grad for node in nodes)


@wrong("all_partials", diagnosed="a loop variable named grad")
def grad_hides_grad():
    from torch.autograd import grad

    def all_partials(a, nodes):
        found = []
        for node in nodes:
            grad = grad(a, node, retain_graph=True)
            found.append(grad[0])
        return tuple(found)


@wrong("all_partials", diagnosed="left in a tuple")
def tuples_of_one():
    import torch

    def all_partials(a, nodes):
        return tuple(torch.autograd.grad(a, node, retain_graph=True) for node in nodes)


@wrong("all_partials", diagnosed="only the first node")
def the_first_of_the_tuple():
    import torch

    def all_partials(a, nodes):
        return torch.autograd.grad(a, nodes)[0]


@wrong("all_partials", diagnosed="order turned round", loses=("every partial, returned and not stored",))
def backwards_as_the_graph():
    import torch

    def all_partials(a, nodes):
        return torch.autograd.grad(a, list(nodes)[::-1])


@wrong("all_partials", diagnosed="not part of the graph")
def copies_that_require_grad():
    import torch

    def all_partials(a, nodes):
        leaves = [node.detach().requires_grad_() for node in nodes]
        return torch.autograd.grad(a, leaves)


# predict_second_call


@wrong("predict_second_call", diagnosed="not attempted")
def predict_second_call_not_attempted():
    def predict_second_call():
        raise NotImplementedError  # your code here


@wrong("predict_second_call", diagnosed="the whole graph freed")
def freed_unless_retained():
    def predict_second_call():
        return {case: [True, case in "BE"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="everything behind the output freed")
def whatever_lies_behind():
    def predict_second_call():
        return {case: [True, case in "BEH"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="every node that ran is lost", loses=("all nine cases",))
def sums_emptied_too():
    def predict_second_call():
        return {case: [True, case not in "ACFGI"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="nothing is freed")
def all_work():
    def predict_second_call():
        return {case: [True, True] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="create_graph does not retain", loses=("all nine cases",))
def only_retain_graph_retains():
    def predict_second_call():
        return {case: [True, case not in "AEFG"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="retain_graph does not retain", loses=("all nine cases",))
def the_flag_on_the_wrong_call():
    def predict_second_call():
        return {case: [True, case not in "ABFG"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="the product saves nothing", loses=("all nine cases",))
def products_need_no_values():
    def predict_second_call():
        return {case: [True, case != "A"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="relu saves nothing", loses=("all nine cases",))
def gates_are_always_known():
    def predict_second_call():
        return {case: [True, case not in "FG"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="freed for the same tensor only")
def the_same_input_again():
    def predict_second_call():
        return {case: [True, case not in "CG"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="freed for the same output only")
def the_same_output_again():
    def predict_second_call():
        return {case: [True, case not in "ACF"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="true and false exchanged")
def true_for_an_error():
    def predict_second_call():
        return {case: [True, case in "AFG"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="first calls fail")
def both_calls_fail():
    def predict_second_call():
        return {case: [case not in "AFG"] * 2 for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="wrong", loses=("all nine cases",))
def one_slip():
    def predict_second_call():
        return {case: [True, case not in "AFGH"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="wrong")
def words_for_booleans():
    def predict_second_call():
        return {case: ["works", "fails" if case in "AFG" else "works"] for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="wrong")
def one_boolean_for_each():
    def predict_second_call():
        return {case: case not in "AFG" for case in "ABCDEFGHI"}


@wrong("predict_second_call", diagnosed="wrong")
def a_case_forgotten():
    def predict_second_call():
        return {case: [True, case not in "AFG"] for case in "ABCDEFGH"}


# grad_or_zero


@wrong("grad_or_zero", diagnosed="not attempted")
def grad_or_zero_not_attempted():
    def grad_or_zero(output, inputs):
        raise NotImplementedError  # your code here


@wrong("grad_or_zero", diagnosed="unused tensors not allowed for", loses=("zeros for what it does not use",))
def the_plain_call():
    import torch

    def grad_or_zero(output, inputs):
        return torch.autograd.grad(output, inputs)


@wrong("grad_or_zero", diagnosed="None instead of a gradient", loses=("zeros for what it does not use",))
def none_left_in():
    import torch

    def grad_or_zero(output, inputs):
        return torch.autograd.grad(output, inputs, allow_unused=True)


@wrong("grad_or_zero", diagnosed="zeros without their shape", loses=("zeros for what it does not use",))
def a_scalar_zero():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(torch.tensor(0.0) if g is None else g for g in found)


@wrong("grad_or_zero", diagnosed="zeros without their shape", loses=("zeros for what it does not use",))
def a_plain_zero():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(0 if g is None else g for g in found)


@wrong("grad_or_zero", diagnosed="zeros in the default dtype", loses=("zeros for what it does not use",))
def zeros_of_the_shape():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(torch.zeros(x.shape) if g is None else g for x, g in zip(inputs, found))


@wrong("grad_or_zero", diagnosed="zeros without their shape", loses=("zeros for what it does not use",))
def zeros_like_the_wrong_tensor():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(torch.zeros_like(output) if g is None else g for g in found)


@wrong("grad_or_zero", diagnosed="unused inputs left out", loses=("zeros for what it does not use",))
def none_filtered_out():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(g for g in found if g is not None)


@wrong("grad_or_zero", diagnosed="ones instead of zeros", loses=("zeros for what it does not use",))
def ones_like():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(torch.ones_like(x) if g is None else g for x, g in zip(inputs, found))


@wrong("grad_or_zero", diagnosed="the input in its own place", loses=("zeros for what it does not use",))
def the_input_for_its_gradient():
    import torch

    def grad_or_zero(output, inputs):
        found = torch.autograd.grad(output, inputs, allow_unused=True)
        return tuple(x if g is None else g for x, g in zip(inputs, found))


@wrong("grad_or_zero", diagnosed="inner nodes taken for unused")
def backward_and_zeros():
    import torch

    def grad_or_zero(output, inputs):
        output.backward()
        return tuple(torch.zeros_like(x) if x.grad is None else x.grad for x in inputs)


@wrong("grad_or_zero", diagnosed="inner nodes taken for unused")
def zeros_where_there_is_a_history():
    import torch

    def grad_or_zero(output, inputs):
        result = []
        for x in inputs:
            if x.grad_fn is not None:
                result.append(torch.zeros_like(x))
            else:
                result += torch.autograd.grad(output, x, materialize_grads=True, retain_graph=True)
        return tuple(result)


@wrong("grad_or_zero", diagnosed="graph already freed")
def one_by_one_without_retaining():
    import torch

    def grad_or_zero(output, inputs):
        return tuple(torch.autograd.grad(output, x, materialize_grads=True)[0] for x in inputs)


# named_gradients


@wrong("named_gradients", diagnosed="not attempted")
def named_gradients_not_attempted():
    def named_gradients(output, named):
        raise NotImplementedError  # your code here


@wrong("named_gradients", diagnosed="unused tensors not allowed for")
def a_dict_for_a_dict():
    import torch

    def named_gradients(output, named):
        return torch.autograd.grad(output, named)


@wrong("named_gradients", diagnosed="unused names kept", loses=("what the output does not use left out",))
def none_under_a_name():
    import torch

    def named_gradients(output, named):
        return torch.autograd.grad(output, named, allow_unused=True)


@wrong("named_gradients", diagnosed="zeros for unused names", loses=("what the output does not use left out",))
def zeros_under_a_name():
    import torch

    def named_gradients(output, named):
        return torch.autograd.grad(output, named, materialize_grads=True)


@wrong("named_gradients", diagnosed="a gradient of 0 taken for none")
def by_truth():
    import torch

    def named_gradients(output, named):
        found = torch.autograd.grad(output, named, allow_unused=True)
        return {name: gradient for name, gradient in found.items() if gradient}


@wrong("named_gradients", diagnosed="a gradient of 0 taken for none", loses=("what the output does not use left out",))
def zeros_filtered_out():
    import torch

    def named_gradients(output, named):
        found = torch.autograd.grad(output, named, materialize_grads=True)
        return {name: gradient for name, gradient in found.items() if gradient.abs().sum() > 0}


@wrong("named_gradients", diagnosed="names out of step", loses=("what the output does not use left out",))
def filtered_before_naming():
    import torch

    def named_gradients(output, named):
        gradients = torch.autograd.grad(output, list(named.values()), allow_unused=True)
        return dict(zip(named, [g for g in gradients if g is not None]))


@wrong("named_gradients", diagnosed="a pass for each name", loses=("one backward pass",))
def a_loop_over_names():
    import torch

    def named_gradients(output, named):
        result = {}
        for name, tensor in named.items():
            (gradient,) = torch.autograd.grad(output, tensor, retain_graph=True, allow_unused=True)
            if gradient is not None:
                result[name] = gradient
        return result


@wrong("named_gradients", diagnosed="named changed", loses=("what the output does not use left out",))
def unused_names_deleted():
    import torch

    def named_gradients(output, named):
        found = torch.autograd.grad(output, named, allow_unused=True)
        for name in found:
            if found[name] is None:
                named.pop(name)
        return {name: found[name] for name in named}


@wrong("named_gradients", diagnosed="named changed", loses=("what the output does not use left out",))
def written_into_named():
    import torch

    def named_gradients(output, named):
        gradients = torch.autograd.grad(output, list(named.values()), allow_unused=True)
        for name, gradient in zip(list(named), gradients):
            if gradient is None:
                del named[name]
            else:
                named[name] = gradient
        return named


@wrong("named_gradients", diagnosed="changed while looped over", loses=("what the output does not use left out",))
def deleted_while_looping():
    import torch

    def named_gradients(output, named):
        found = torch.autograd.grad(output, named, allow_unused=True)
        for name in found:
            if found[name] is None:
                del found[name]
        return found


@wrong("named_gradients", diagnosed="a second name lost", loses=("each gradient under its name",))
def names_by_tensor():
    import torch

    def named_gradients(output, named):
        names = {tensor: name for name, tensor in named.items()}
        gradients = torch.autograd.grad(output, list(names), allow_unused=True)
        return {names[t]: g for t, g in zip(names, gradients) if g is not None}


@wrong("named_gradients", diagnosed="gradients without names")
def a_tuple():
    import torch

    def named_gradients(output, named):
        found = torch.autograd.grad(output, list(named.values()), allow_unused=True)
        return tuple(gradient for gradient in found if gradient is not None)


@wrong("named_gradients", diagnosed="backward instead of grad")
def backward_and_what_is_there():
    def named_gradients(output, named):
        output.backward()
        return {name: tensor.grad for name, tensor in named.items() if tensor.grad is not None}


@wrong("named_gradients", diagnosed="names sorted, tensors not")
def sorted_on_one_side_only():
    import torch

    def named_gradients(output, named):
        gradients = torch.autograd.grad(output, list(named.values()), allow_unused=True)
        return {name: g for name, g in zip(sorted(named), gradients) if g is not None}


@wrong("named_gradients", diagnosed="left in a tuple")
def tuples_under_names():
    import torch

    def named_gradients(output, named):
        found = {n: torch.autograd.grad(output, t, retain_graph=True, allow_unused=True) for n, t in named.items()}
        return {name: gradient for name, gradient in found.items() if gradient[0] is not None}


# gradient_of_vector


@wrong("gradient_of_vector", diagnosed="not attempted")
def gradient_of_vector_not_attempted():
    def gradient_of_vector(y, x, upstream):
        raise NotImplementedError  # your code here


@wrong("gradient_of_vector", diagnosed="y summed")
def sum_until_the_error_is_gone():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y.sum(), x)[0]


@wrong("gradient_of_vector", diagnosed="y summed")
def ones_for_upstream():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y, x, grad_outputs=torch.ones_like(upstream))[0]


@wrong("gradient_of_vector", diagnosed="gradient of a vector")
def nothing_to_start_with():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y, x)[0]


@wrong("gradient_of_vector", diagnosed="left in a tuple")
def the_tuple_itself():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y, x, upstream)


@wrong("gradient_of_vector", diagnosed="multiplied after the pass")
def weights_at_the_wrong_end():
    import torch

    def gradient_of_vector(y, x, upstream):
        return upstream * torch.autograd.grad(y.sum(), x)[0]


@wrong("gradient_of_vector", diagnosed="the weights' sum")
def weights_added_up():
    import torch

    def gradient_of_vector(y, x, upstream):
        return upstream.sum() * torch.autograd.grad(y, x, torch.ones_like(y))[0]


@wrong("gradient_of_vector", diagnosed="weighted rows not added up")
def rows_stacked():
    import torch

    def gradient_of_vector(y, x, upstream):
        pairs = zip(y.flatten(), upstream.flatten())
        return torch.stack([weight * torch.autograd.grad(one, x, retain_graph=True)[0] for one, weight in pairs])


@wrong("gradient_of_vector", diagnosed="the whole Jacobian")
def all_rows():
    import torch

    def gradient_of_vector(y, x, upstream):
        rows = [torch.autograd.grad(one, x, retain_graph=True)[0] for one in y.flatten()]
        return torch.stack(rows).reshape(y.shape + x.shape)


@wrong("gradient_of_vector", diagnosed="only the last element of y")
def overwritten_row_by_row():
    import torch

    def gradient_of_vector(y, x, upstream):
        for one, weight in zip(y.flatten(), upstream.flatten()):
            result = weight * torch.autograd.grad(one, x, retain_graph=True)[0]
        return result


@wrong("gradient_of_vector", diagnosed="only the first element of y")
def first_element():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y.flatten()[0], x)[0] * upstream.flatten()[0]


@wrong("gradient_of_vector", diagnosed="a mean where the sum belongs")
def mean_of_the_product():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad((y * upstream).mean(), x)[0]


@wrong("gradient_of_vector", diagnosed="backward instead of grad")
def backward_with_upstream():
    def gradient_of_vector(y, x, upstream):
        x.retain_grad()
        y.backward(upstream)
        return x.grad


@wrong("gradient_of_vector", diagnosed="backward instead of grad")
def backward_of_leaves_only():
    def gradient_of_vector(y, x, upstream):
        y.backward(gradient=upstream)
        return x.grad


@wrong("gradient_of_vector", diagnosed="a dot product of vectors only", loses=("y of any shape",))
def a_matrix_product():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y @ upstream, x)[0]


@wrong("gradient_of_vector", diagnosed="argument changed")
def upstream_multiplied_in_place():
    import torch

    def gradient_of_vector(y, x, upstream):
        upstream *= y
        return torch.autograd.grad(upstream.sum(), x)[0]


@wrong("gradient_of_vector", diagnosed="no graph behind it")
def arguments_exchanged():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(upstream, x, y)[0]


@wrong("gradient_of_vector", diagnosed="sign")
def minus():
    import torch

    def gradient_of_vector(y, x, upstream):
        return torch.autograd.grad(y, x, -upstream)[0]
