"""Wrong answers to exercise 04."""

from tests.answers import slip, wrong

# attach_savers


@wrong("attach_savers", diagnosed="not attempted")
def attach_savers_not_attempted():
    def attach_savers(tensors, grads):
        raise NotImplementedError  # your code here


@wrong("attach_savers", diagnosed="late binding")
def a_hook_defined_in_the_loop():
    def attach_savers(tensors, grads):
        handles = []
        for name, tensor in tensors.items():

            def save(gradient):
                grads[name] = gradient.clone()

            handles.append(tensor.register_hook(save))
        return handles


@wrong("attach_savers", diagnosed="late binding")
def a_lambda_in_the_loop():
    def attach_savers(tensors, grads):
        handles = []
        for name, tensor in tensors.items():
            handles.append(tensor.register_hook(lambda gradient: grads.update({name: gradient.clone()})))
        return handles


@wrong("attach_savers", diagnosed="the hook not returned")
def a_maker_without_return():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("attach_savers", diagnosed="a returned value changes the gradient")
def a_lambda_with_setdefault():
    def attach_savers(tensors, grads):
        return [
            tensor.register_hook(lambda gradient, name=name: grads.setdefault(name, gradient.clone()))
            for name, tensor in tensors.items()
        ]


@wrong("attach_savers", diagnosed="shared storage", loses=("copies",))
def the_gradient_itself():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("attach_savers", diagnosed="shared storage")
def detached_and_not_copied():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.detach()

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("attach_savers", diagnosed="handles lost", loses=("handles",))
def no_handles():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()

            return save

        for name, tensor in tensors.items():
            tensor.register_hook(saver(name))


@wrong("attach_savers", diagnosed="handles lost", loses=("handles",))
def handles_by_name():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()

            return save

        return {name: tensor.register_hook(saver(name)) for name, tensor in tensors.items()}


@wrong("attach_savers", diagnosed="added up from pass to pass")
def summed_over_passes():
    import torch

    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                grads[name] = grads.get(name, torch.zeros_like(gradient)) + gradient

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("attach_savers", diagnosed="only the first pass kept")
def kept_if_new():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(gradient):
                if name not in grads:
                    grads[name] = gradient.clone()

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("attach_savers", diagnosed=".grad read inside the hook")
def the_stored_gradient():
    def attach_savers(tensors, grads):
        def saver(name, tensor):
            def save(gradient):
                grads[name] = tensor.grad

            return save

        return [tensor.register_hook(saver(name, tensor)) for name, tensor in tensors.items()]


@wrong("attach_savers", diagnosed="values saved")
def the_tensor_itself():
    def attach_savers(tensors, grads):
        def saver(name, tensor):
            def save(gradient):
                grads[name] = tensor.clone()

            return save

        return [tensor.register_hook(saver(name, tensor)) for name, tensor in tensors.items()]


@wrong("attach_savers", diagnosed="an earlier copy overwritten")
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


@wrong("attach_savers", diagnosed="read before the pass")
def retained_and_read_at_once():
    def attach_savers(tensors, grads):
        for name, tensor in tensors.items():
            tensor.retain_grad()
            grads[name] = tensor.grad
        return []


@wrong("attach_savers", diagnosed="nothing saved")
def a_dict_of_its_own():
    def attach_savers(tensors, grads):
        grads = {}

        def saver(name):
            def save(gradient):
                grads[name] = gradient.clone()

            return save

        return [tensor.register_hook(saver(name)) for name, tensor in tensors.items()]


@wrong("attach_savers", diagnosed="nothing saved")
def removed_before_the_pass():
    def attach_savers(tensors, grads):
        handles = []
        for name, tensor in tensors.items():
            with tensor.register_hook(lambda gradient, name=name: grads.update({name: gradient.clone()})) as handle:
                handles.append(handle)
        return handles


@wrong("attach_savers", diagnosed="a hook for leaves only")
def post_accumulate_savers():
    def attach_savers(tensors, grads):
        def saver(name):
            def save(tensor):
                grads[name] = tensor.grad.clone()

            return save

        return [tensor.register_post_accumulate_grad_hook(saver(name)) for name, tensor in tensors.items()]


# predict_hooks


@wrong("predict_hooks", diagnosed="not attempted")
def predict_hooks_not_attempted():
    def predict_hooks():
        raise NotImplementedError  # your code here


def right_predictions():
    """Every slip below starts from this."""

    def predict_hooks():
        return {
            "A": [60.0],
            "B": [180.0, 180.0],
            "C": [],
            "D": [1.0],
            "E": [60.0],
            "F": [61.0],
            "G": [60.0],
            "H": [360.0],
            "I": [-20.0],
        }


PREDICTION_SLIPS = {
    "a_call_for_each_factor": ('"A": [60.0]', '"A": [30.0, 30.0]', "once for each use"),
    "accumulated": ('"B": [180.0, 180.0]', '"B": [180.0, 360.0]', "added up as .grad is"),
    "every_pass_runs_all": ('"C": []', '"C": [60.0]', "every pass runs every hook"),
    "nothing_at_the_output": ('"D": [1.0]', '"D": []', "the output has no hook to run"),
    "looks_back": ('"E": [60.0]', '"E": [60.0, 60.0]', "a hook looks back"),
    "too_late_for_ever": ('"E": [60.0]', '"E": []', "a late hook never runs"),
    "reaches_the_hook_before": ('"G": [60.0]', '"G": [61.0]', "a change reaches hooks before it"),
    "reaches_b": ('"I": [-20.0]', '"I": [-40.0]', "a change reaches other branches"),
    "one_number_misread": ('"H": [360.0]', '"H": [182.0]', "wrong"),
}
for name, (was, wrote, diagnosed) in PREDICTION_SLIPS.items():
    slip(
        "predict_hooks",
        name,
        within=right_predictions,
        was=was,
        wrote=wrote,
        diagnosed=diagnosed,
        loses=("all nine cases",),
    )


@wrong("predict_hooks", diagnosed="once for each use")
def two_calls_wherever_u_is_hooked():
    def predict_hooks():
        return {
            "A": [30.0, 30.0],
            "B": [180.0, 180.0],
            "C": [],
            "D": [1.0],
            "E": [30.0, 30.0],
            "F": [31.0, 31.0],
            "G": [30.0, 30.0],
            "H": [360.0],
            "I": [-20.0],
        }


@wrong("predict_hooks", diagnosed="every hook gets the original", loses=("all nine cases",))
def changes_are_not_passed_on():
    def predict_hooks():
        return dict(A=[60], B=[180, 180], C=[], D=[1], E=[60], F=[60], G=[60], H=[180], I=[-20])


@wrong("predict_hooks", diagnosed="one factor of the square")
def the_square_differentiated_once():
    def predict_hooks():
        return dict(A=[30], B=[90, 90], C=[], D=[1], E=[30], F=[31], G=[30], H=[180], I=[-20])


@wrong("predict_hooks", diagnosed="values instead of gradients")
def values_predicted():
    def predict_hooks():
        return dict(A=[6], B=[2, 2], C=[], D=[160], E=[6], F=[7], G=[6], H=[2], I=[1])


@wrong("predict_hooks", diagnosed="wrong")
def numbers_without_lists():
    def predict_hooks():
        return dict(A=60, B=360, C=0, D=1, E=60, F=61, G=60, H=360, I=-20)


@wrong("predict_hooks", diagnosed="wrong")
def a_case_forgotten():
    def predict_hooks():
        return dict(A=[60], B=[180, 180], D=[1], E=[60], F=[61], G=[60], H=[360], I=[-20])


# clip_on_the_way


@wrong("clip_on_the_way", diagnosed="not attempted")
def clip_on_the_way_not_attempted():
    def clip_on_the_way(t, max_norm):
        raise NotImplementedError  # your code here


@wrong("clip_on_the_way", diagnosed="clipped by value")
def clamped():
    def clip_on_the_way(t, max_norm):
        return t.register_hook(lambda gradient: gradient.clamp(-max_norm, max_norm))


@wrong("clip_on_the_way", diagnosed="changed in place", loses=("neighbours and old gradients stay",))
def multiplied_in_place():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = gradient.norm()
            if length > max_norm:
                gradient *= max_norm / length
            return gradient

        return t.register_hook(clip)


@wrong("clip_on_the_way", diagnosed="clipped after accumulation", loses=("neighbours and old gradients stay",))
def clip_grad_norm_on_leaves():
    import torch

    def clip_on_the_way(t, max_norm):
        if t.is_leaf:

            def clip_total(p):
                torch.nn.utils.clip_grad_norm_([p], max_norm)

            return t.register_post_accumulate_grad_hook(clip_total)

        def clip(gradient):
            return gradient * min(1.0, max_norm / max(float(gradient.norm()), 1e-12))

        return t.register_hook(clip)


@wrong("clip_on_the_way", diagnosed="a hook for leaves only")
def post_accumulate_on_anything():
    import torch

    def clip_on_the_way(t, max_norm):
        def clip(p):
            torch.nn.utils.clip_grad_norm_([p], max_norm)

        return t.register_post_accumulate_grad_hook(clip)


@wrong("clip_on_the_way", diagnosed="always scaled to max_norm", loses=("short ones and zero pass",))
def always_divided():
    def clip_on_the_way(t, max_norm):
        return t.register_hook(lambda gradient: gradient / gradient.norm() * max_norm)


@wrong("clip_on_the_way", diagnosed="always scaled to max_norm", loses=("short ones and zero pass",))
def always_divided_except_zero():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = gradient.norm()
            return gradient if length == 0 else gradient * (max_norm / length)

        return t.register_hook(clip)


@wrong("clip_on_the_way", diagnosed="each row for itself")
def row_by_row():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = gradient.norm(dim=-1, keepdim=True)
            return gradient * (max_norm / length.clamp(min=max_norm))

        return t.register_hook(clip)


@wrong("clip_on_the_way", diagnosed="another length")
def root_forgotten():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = (gradient * gradient).sum()
            return gradient * (max_norm / length) if length > max_norm else gradient

        return t.register_hook(clip)


@wrong("clip_on_the_way", diagnosed="another length")
def largest_element():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = gradient.abs().max()
            return gradient * (max_norm / length) if length > max_norm else gradient

        return t.register_hook(clip)


@wrong("clip_on_the_way", diagnosed="another length")
def sum_of_sizes():
    import torch

    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            length = torch.linalg.vector_norm(gradient, ord=1)
            return gradient * (max_norm / length) if length > max_norm else gradient

        return t.register_hook(clip)


@wrong("clip_on_the_way", diagnosed="brought to length 1")
def max_norm_forgotten():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            if gradient.norm() > max_norm:
                return gradient / gradient.norm()

        return t.register_hook(clip)


@wrong("clip_on_the_way", diagnosed="max_norm as the factor")
def times_max_norm():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            return max_norm * gradient if gradient.norm() > max_norm else gradient

        return t.register_hook(clip)


@wrong("clip_on_the_way", diagnosed="long gradients made zero")
def refused():
    import torch

    def clip_on_the_way(t, max_norm):
        return t.register_hook(lambda gradient: torch.where(gradient.norm() > max_norm, 0.0, gradient))


@wrong("clip_on_the_way", diagnosed="nothing returned")
def assigned_to_the_argument():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            if gradient.norm() > max_norm:
                gradient = gradient * (max_norm / gradient.norm())

        return t.register_hook(clip)


@wrong("clip_on_the_way", diagnosed="only the first pass", loses=("until the handle is removed",))
def a_hook_that_removes_itself():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            handle.remove()
            return gradient * (max_norm / gradient.norm().clamp(min=max_norm))

        handle = t.register_hook(clip)
        return handle


@wrong("clip_on_the_way", diagnosed="handle not returned", loses=("until the handle is removed",))
def handle_kept_back():
    def clip_on_the_way(t, max_norm):
        def clip(gradient):
            return gradient * (max_norm / gradient.norm().clamp(min=max_norm))

        t.register_hook(clip)


@wrong("clip_on_the_way", diagnosed="a returned value of another kind")
def a_lambda_after_accumulation():
    import torch

    def clip_on_the_way(t, max_norm):
        if t.is_leaf:
            return t.register_post_accumulate_grad_hook(lambda p: torch.nn.utils.clip_grad_norm_([p], max_norm))
        return t.register_hook(lambda gradient: gradient * min(1.0, max_norm / (float(gradient.norm()) + 1e-9)))


# layer_gradients


@wrong("layer_gradients", diagnosed="not attempted")
def layer_gradients_not_attempted():
    def layer_gradients(model, x, loss_fn):
        raise NotImplementedError  # your code here


@wrong("layer_gradients", diagnosed="a child left out", loses=("None where none is computed",))
def only_hooks_that_ran():
    def layer_gradients(model, x, loss_fn):
        result = {}

        def watcher(name):
            def watch(module, grad_input, grad_output):
                result[name] = grad_input[0], grad_output[0]

            return watch

        handles = [child.register_full_backward_hook(watcher(name)) for name, child in model.named_children()]
        before = x.grad
        try:
            loss_fn(model(x)).backward()
        finally:
            for handle in handles:
                handle.remove()
            x.grad = before
        return result


slip(
    "layer_gradients",
    "hooks_not_removed_after_an_error",
    within=only_hooks_that_ran,
    was="try:\n        loss_fn(model(x)).backward()\n    finally:\n        for handle in handles:\n"
    "            handle.remove()\n        x.grad = before\n    return result",
    wrote="loss_fn(model(x)).backward()\n    for handle in handles:\n        handle.remove()\n    x.grad = before\n"
    "    return {name: result.get(name, (None, None)) for name, _ in model.named_children()}",
    diagnosed="hooks stay after an error",
    loses=("no hook stays",),
)
slip(
    "layer_gradients",
    "tuples_of_hooks",
    within=only_hooks_that_ran,
    was="result[name] = grad_input[0], grad_output[0]",
    wrote="result[name] = grad_input, grad_output",
    diagnosed="a tuple for each gradient",
)
slip(
    "layer_gradients",
    "order_of_the_hook_turned",
    within=only_hooks_that_ran,
    was="result[name] = grad_input[0], grad_output[0]",
    wrote="result[name] = grad_output[0], grad_input[0]",
    diagnosed="input and output swapped",
)
slip(
    "layer_gradients",
    "deprecated_hook",
    within=only_hooks_that_ran,
    was="register_full_backward_hook",
    wrote="register_backward_hook",
    diagnosed="the old backward hook",
)
slip(
    "layer_gradients",
    "grad_of_x_filled",
    within=only_hooks_that_ran,
    was="        x.grad = before\n    return result",
    wrote="    return {name: result.get(name, (None, None)) for name, _ in model.named_children()}",
    diagnosed=".grad filled",
    loses=("modes, running statistics and x as they were",),
)


@wrong("layer_gradients", diagnosed="late binding")
def backward_hooks_in_a_loop():
    def layer_gradients(model, x, loss_fn):
        result = {}
        handles = []
        for name, child in model.named_children():

            def watch(module, grad_input, grad_output):
                result[name] = (grad_input[0], grad_output[0])

            handles.append(child.register_full_backward_hook(watch))
        loss_fn(model(x)).backward()
        for handle in handles:
            handle.remove()
        return result


@wrong("layer_gradients", diagnosed="a child left out")
def looked_up_by_name():
    def layer_gradients(model, x, loss_fn):
        inputs, outputs = {}, {}
        handles = []
        for name, child in model.named_children():

            def watch(module, grad_input, grad_output, name=name):
                inputs[name], outputs[name] = grad_input[0], grad_output[0]

            handles.append(child.register_full_backward_hook(watch))
        loss_fn(model(x)).backward()
        for handle in handles:
            handle.remove()
        return {name: (inputs[name], outputs[name]) for name, _ in model.named_children()}


@wrong("layer_gradients", diagnosed="children run by hand")
def one_child_after_the_other():
    import torch

    def layer_gradients(model, x, loss_fn):
        pairs, h = {}, x
        for name, child in model.named_children():
            given, h = h, child(h)
            pairs[name] = given, h
        loss = loss_fn(h)

        def gradient(tensor):
            if not tensor.requires_grad:
                return None
            return torch.autograd.grad(loss, tensor, retain_graph=True)[0]

        return {name: (gradient(given), gradient(output)) for name, (given, output) in pairs.items()}


@wrong("layer_gradients", diagnosed="taken from the neighbour")
def outputs_of_the_one_before():
    import torch

    def layer_gradients(model, x, loss_fn):
        outputs = {}
        handles = [
            child.register_forward_hook(lambda module, args, output, name=name: outputs.update({name: output}))
            for name, child in model.named_children()
        ]
        try:
            loss = loss_fn(model(x))
        finally:
            for handle in handles:
                handle.remove()
        result, before = {}, None
        for name, _ in model.named_children():
            gradient = None
            if outputs[name].requires_grad:
                (gradient,) = torch.autograd.grad(loss, outputs[name], retain_graph=True, allow_unused=True)
            result[name] = before, gradient
            before = gradient
        return result


@wrong("layer_gradients", diagnosed="a gradient where nobody asked", loses=("None where none is computed",))
def x_gets_a_gradient():
    import torch

    def layer_gradients(model, x, loss_fn):
        seen = {}
        if x.is_floating_point():
            x = x.detach().clone().requires_grad_()
        handles = [
            child.register_forward_hook(lambda module, args, output, name=name: seen.update({name: (args[0], output)}))
            for name, child in model.named_children()
        ]
        try:
            loss = loss_fn(model(x))
        finally:
            for handle in handles:
                handle.remove()

        def gradient(tensor):
            if tensor.requires_grad:
                return torch.autograd.grad(loss, tensor, retain_graph=True, allow_unused=True)[0]

        return {name: (gradient(given), gradient(output)) for name, (given, output) in seen.items()}


@wrong("layer_gradients", diagnosed="zeros instead of None", loses=("None where none is computed",))
def materialised():
    import torch

    def layer_gradients(model, x, loss_fn):
        seen = {}
        handles = [
            child.register_forward_hook(lambda module, args, output, name=name: seen.update({name: (args[0], output)}))
            for name, child in model.named_children()
        ]
        try:
            loss = loss_fn(model(x))
        finally:
            for handle in handles:
                handle.remove()

        def gradient(tensor):
            if not tensor.requires_grad:
                return torch.zeros(tensor.shape, dtype=torch.float64)
            return torch.autograd.grad(loss, tensor, retain_graph=True, materialize_grads=True)[0]

        return {name: (gradient(given), gradient(output)) for name, (given, output) in seen.items()}


@wrong("layer_gradients", diagnosed="outputs only")
def one_gradient_each():
    import torch

    def layer_gradients(model, x, loss_fn):
        seen = {}
        handles = [
            child.register_forward_hook(lambda module, args, output, name=name: seen.update({name: output}))
            for name, child in model.named_children()
        ]
        try:
            loss = loss_fn(model(x))
        finally:
            for handle in handles:
                handle.remove()
        wanted = {name: output for name, output in seen.items() if output.requires_grad}
        return {name: None for name in seen} | torch.autograd.grad(loss, wanted, allow_unused=True)


def a_right_walk():
    """Every slip below starts from this."""
    import torch

    def layer_gradients(model, x, loss_fn):
        seen = {}
        handles = [
            child.register_forward_hook(lambda module, args, output, name=name: seen.update({name: (args[0], output)}))
            for name, child in model.named_children()
        ]
        try:
            loss = loss_fn(model(x))
        finally:
            for handle in handles:
                handle.remove()

        def gradient(tensor):
            if tensor.requires_grad:
                return torch.autograd.grad(loss, tensor, retain_graph=True, allow_unused=True)[0]

        return {name: (gradient(given), gradient(output)) for name, (given, output) in seen.items()}


AS_IT_WAS = "modes, running statistics and x as they were"
WALK_SLIPS = {
    "put_into_evaluation": ("seen = {}", "seen = {}\n    model.eval()", "another mode", ()),
    "put_into_training": ("seen = {}", "seen = {}\n    model.train()", "another mode", (AS_IT_WAS,)),
    "evaluation_and_back": (
        "loss = loss_fn(model(x))",
        "model.eval()\n        loss = loss_fn(model(x))\n        model.train()",
        "another mode",
        (),
    ),
    "trained_afterwards": (
        "loss = loss_fn(model(x))",
        "loss = loss_fn(model(x))\n        model.train()",
        "another mode",
        (AS_IT_WAS,),
    ),
    "a_run_to_warm_up": ("seen = {}", "seen = {}\n    model(x)", "the model run twice", (AS_IT_WAS,)),
    "forward_hooks_forgotten": (
        "try:\n        loss = loss_fn(model(x))\n    finally:\n        for handle in handles:\n            handle.remove()",
        "loss = loss_fn(model(x))",
        "hooks stay behind",
        ("no hook stays",),
    ),
    "no_try": (
        "try:\n        loss = loss_fn(model(x))\n    finally:\n        for handle in handles:\n            handle.remove()",
        "loss = loss_fn(model(x))\n    for handle in handles:\n        handle.remove()",
        "hooks stay after an error",
        ("no hook stays",),
    ),
}
for name, (was, wrote, diagnosed, loses) in WALK_SLIPS.items():
    slip("layer_gradients", name, within=a_right_walk, was=was, wrote=wrote, diagnosed=diagnosed, loses=loses)


# count_nodes


@wrong("count_nodes", diagnosed="not attempted")
def count_nodes_not_attempted():
    def count_nodes(output, run):
        raise NotImplementedError  # your code here


@wrong("count_nodes", diagnosed="too slow", endless=True)
def every_path_walked():
    def count_nodes(output, run):
        runs, handles, to_visit = [], [], [output.grad_fn] if output.grad_fn else []
        while to_visit:
            node = to_visit.pop()
            handles.append(node.register_prehook(lambda gradients: runs.append(1)))
            to_visit += [following for following, _ in node.next_functions if following]
        try:
            run()
        finally:
            for handle in handles:
                handle.remove()
        return len(runs)


slip(
    "count_nodes",
    "every_path_up_to_a_limit",
    within=every_path_walked,
    was="while to_visit:",
    wrote="while to_visit and len(handles) < 3000:",
    diagnosed="a hook for each path",
)


@wrong("count_nodes", diagnosed="recursion", loses=("deep graphs and many paths",))
def a_recursive_walk():
    def count_nodes(output, run):
        nodes = set()

        def visit(node):
            if node is not None and node not in nodes:
                nodes.add(node)
                for following, _ in node.next_functions:
                    visit(following)

        visit(output.grad_fn)
        runs = []
        handles = [node.register_prehook(lambda gradients: runs.append(1)) for node in nodes]
        try:
            run()
        finally:
            for handle in handles:
                handle.remove()
        return len(runs)


def a_right_count():
    """Every slip below starts from this."""

    def count_nodes(output, run):
        nodes, seen, to_visit = [], set(), [output.grad_fn]
        while to_visit:
            node = to_visit.pop()
            if node is None or node in seen:
                continue
            seen.add(node)
            nodes.append(node)
            to_visit.extend(following for following, _ in node.next_functions)
        runs = []
        handles = [node.register_prehook(lambda gradients: runs.append(1)) for node in nodes]
        try:
            run()
        finally:
            for handle in handles:
                handle.remove()
        return len(runs)


COUNT_SLIPS = {
    "leaves_skipped": (
        "nodes.append(node)",
        'if "AccumulateGrad" not in node.name():\n            nodes.append(node)',
        "leaves left out",
    ),
    "distinct_nodes": (
        "runs = []\n    handles = [node.register_prehook(lambda gradients: runs.append(1)) for node in nodes]",
        "runs = set()\n    handles = [n.register_prehook(lambda gradients, n=n: runs.add(n)) for n in nodes]",
        "each node once",
    ),
    "nodes_for_executions": ("return len(runs)", "return len(nodes)", "size of the graph"),
    "first_node_forgotten": (
        "nodes.append(node)",
        "if node is not output.grad_fn:\n            nodes.append(node)",
        "the first node left out",
    ),
    "the_left_way": ("in node.next_functions)", "in node.next_functions[:1])", "one way only"),
    "a_run_to_warm_up": ("runs = []", "run()\n    runs = []", "graph already freed"),
    "hooks_too_late": (
        "runs = []\n    handles = [",
        "runs = []\n    run()\n    run = int\n    handles = [",
        "hooks after run",
    ),
    "handles_thrown_away": ("handle.remove()", "del handle", "hooks stay on the nodes"),
    "handles_lost_with_an_error": (
        "try:\n        run()\n    finally:\n        for handle in handles:\n            handle.remove()",
        "run()\n    for handle in handles:\n        handle.remove()",
        "hooks stay after an error",
    ),
    "no_node_for_a_leaf": ("node is None or node in seen", "node in seen", "None for a node"),
}
for name, (was, wrote, diagnosed) in COUNT_SLIPS.items():
    slip("count_nodes", name, within=a_right_count, was=was, wrote=wrote, diagnosed=diagnosed)


@wrong("count_nodes", diagnosed="passes counted")
def calls_of_the_first_node():
    def count_nodes(output, run):
        runs = []
        if output.grad_fn is None:
            run()
            return 0
        handle = output.grad_fn.register_prehook(lambda gradients: runs.append(1))
        try:
            run()
        finally:
            handle.remove()
        return len(runs)


@wrong("count_nodes", diagnosed="run called twice")
def a_run_that_forgives_errors():
    import contextlib

    def count_nodes(output, run):
        nodes, to_visit = set(), [output.grad_fn]
        while to_visit:
            node = to_visit.pop()
            if node is not None and node not in nodes:
                nodes.add(node)
                to_visit.extend(following for following, _ in node.next_functions)
        runs = []
        with contextlib.suppress(RuntimeError):
            run()
        handles = [node.register_prehook(lambda gradients: runs.append(1)) for node in nodes]
        try:
            with contextlib.suppress(RuntimeError):
                run()
        finally:
            for handle in handles:
                handle.remove()
        return len(runs)


# step_in_backward


@wrong("step_in_backward", diagnosed="not attempted")
def step_in_backward_not_attempted():
    def step_in_backward(parameters, lr):
        raise NotImplementedError  # your code here


def a_right_step():
    """Every slip below starts from this."""
    import torch

    def step_in_backward(parameters, lr):
        def step(parameter):
            with torch.no_grad():
                parameter -= lr * parameter.grad
            parameter.grad = None

        return [parameter.register_post_accumulate_grad_hook(step) for parameter in parameters]


STEP_SLIPS = {
    "plus_for_minus": ("parameter -= lr", "parameter += lr", "uphill"),
    "grad_not_forgotten": ("        parameter.grad = None\n", "", "gradients kept"),
    "grad_zeroed": ("parameter.grad = None", "parameter.grad.zero_()", "zeroed instead of forgotten"),
    "a_new_tensor": ("parameter -= lr", "parameter = parameter - lr", "another tensor"),
    "no_learning_rate": ("lr * parameter.grad", "parameter.grad", "learning rate forgotten"),
    "recorded_by_autograd": ("with torch.no_grad():", "if True:", "the step recorded"),
    "forgotten_before_the_step": (
        "with torch.no_grad():\n            parameter -= lr * parameter.grad\n        parameter.grad = None",
        "parameter.grad = None\n        with torch.no_grad():\n            parameter -= lr * parameter.grad",
        "None found by a hook",
    ),
    "handles_kept_back": (
        "return [parameter.register_post_accumulate_grad_hook(step) for parameter in parameters]",
        "for parameter in parameters:\n        parameter.register_post_accumulate_grad_hook(step)",
        "handles lost",
    ),
    "one_handle": (
        "return [parameter.register_post_accumulate_grad_hook(step) for parameter in parameters]",
        "for parameter in parameters:\n        handle = parameter.register_post_accumulate_grad_hook(step)\n"
        "    return [handle]",
        "handles lost",
    ),
}
for name, (was, wrote, diagnosed) in STEP_SLIPS.items():
    slip("step_in_backward", name, within=a_right_step, was=was, wrote=wrote, diagnosed=diagnosed)


@wrong("step_in_backward", diagnosed="another tensor")
def a_name_for_another_tensor():
    def step_in_backward(parameters, lr):
        def step(parameter):
            gradient, parameter.grad = parameter.grad, None
            parameter = parameter - lr * gradient

        return [parameter.register_post_accumulate_grad_hook(step) for parameter in parameters]


@wrong("step_in_backward", diagnosed="a tensor hook instead")
def a_step_on_arrival():
    def step_in_backward(parameters, lr):
        def stepper(parameter):
            def step(gradient):
                parameter.data -= lr * gradient

            return step

        return [parameter.register_hook(stepper(parameter)) for parameter in parameters]


@wrong("step_in_backward", diagnosed="a tensor hook instead")
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


@wrong("step_in_backward", diagnosed="late binding")
def tensor_hooks_in_a_loop():
    def step_in_backward(parameters, lr):
        handles = []
        for parameter in parameters:

            def step(gradient):
                parameter.data.sub_(lr * gradient)

            handles.append(parameter.register_hook(step))
        return handles


@wrong("step_in_backward", diagnosed="None found by a hook")
def post_accumulate_hooks_in_a_loop():
    def step_in_backward(parameters, lr):
        handles = []
        for parameter in parameters:

            def step(_):
                parameter.data.sub_(lr * parameter.grad)
                parameter.grad = None

            handles.append(parameter.register_post_accumulate_grad_hook(step))
        return handles


@wrong("step_in_backward", diagnosed="waiting for all gradients")
def all_steps_at_the_end():
    def step_in_backward(parameters, lr):
        parameters = list(parameters)

        def step(_):
            if all(p.grad is not None for p in parameters):
                for p in parameters:
                    p.data -= lr * p.grad
                    p.grad = None

        return [p.register_post_accumulate_grad_hook(step) for p in parameters]


@wrong("step_in_backward", diagnosed="a tensor hook instead")
def a_multi_grad_hook():
    from torch.autograd.graph import register_multi_grad_hook

    def step_in_backward(parameters, lr):
        parameters = list(parameters)

        def step(gradients):
            for parameter, gradient in zip(parameters, gradients):
                if gradient is not None:
                    parameter.data -= lr * gradient

        return [register_multi_grad_hook(parameters, step)]


@wrong("step_in_backward", diagnosed="every hook steps all")
def everybody_with_a_gradient_steps():
    def step_in_backward(parameters, lr):
        parameters = list(parameters)

        def step(_):
            for p in parameters:
                if p.grad is not None:
                    p.data -= lr * p.grad

        return [p.register_post_accumulate_grad_hook(step) for p in parameters]


@wrong("step_in_backward", diagnosed="every hook steps all")
def an_optimizer_in_every_hook():
    import torch

    def step_in_backward(parameters, lr):
        parameters = list(parameters)
        optimizer = torch.optim.SGD(parameters, lr=lr)
        return [p.register_post_accumulate_grad_hook(lambda _: optimizer.step()) for p in parameters]


@wrong("step_in_backward", diagnosed="an iterator used up")
def parameters_run_through_twice():
    import torch

    def step_in_backward(parameters, lr):
        optimizer = torch.optim.SGD(parameters, lr=lr)

        def step(_):
            optimizer.step()
            optimizer.zero_grad()

        return [p.register_post_accumulate_grad_hook(step) for p in parameters]
