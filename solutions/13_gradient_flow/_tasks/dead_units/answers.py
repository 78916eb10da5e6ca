"""dead_units: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, wrong


@mistake(
    "any instead of all",
    "You marked the units that are shut for some sample. A unit is dead if it is shut for *all* of them.",
)
def any_for_all():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        handles = []
        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):

                def note(module, args, output, name=name):
                    dead[name] = (output == 0).any(dim=0)

                handles.append(module.register_forward_hook(note))
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return dead


@wrong("any instead of all")
def not_all_open():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        dead = {}
        relus = {m: name for name, m in model.named_modules() if isinstance(m, nn.ReLU)}

        def hook(m, args, out):
            dead[relus[m]] = torch.logical_not((out > 0).all(0))

        handles = [m.register_forward_hook(hook) for m in relus]
        model(X)
        [h.remove() for h in handles]
        return dead


@mistake(
    "live units marked",
    "True marks the units that some sample opens. The task marks those that no sample opens.",
)
def alive():
    import torch
    from torch import nn

    def dead_units(model, X):
        alive = {}
        relus = {m: name for name, m in model.named_modules() if isinstance(m, nn.ReLU)}

        def hook(m, args, out):
            alive[relus[m]] = (out > 0).any(0)

        handles = [m.register_forward_hook(hook) for m in relus]
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return alive


@wrong("live units marked")
def positive_sums():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        found, handles = {}, []

        def watch(name):
            return lambda module, args, output: found.update({name: output.sum(0) > 0})

        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                handles.append(module.register_forward_hook(watch(name)))
        model(X)
        for handle in handles:
            handle.remove()
        return found


@mistake(
    "mean over samples",
    "You looked at the mean over the samples, before the ReLU. One sample may open a unit whose mean is below 0.",
)
def mean_input():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        relus = {m: name for name, m in model.named_modules() if isinstance(m, nn.ReLU)}

        def hook(m, args):
            dead[relus[m]] = args[0].mean(0) <= 0

        handles = [m.register_forward_pre_hook(hook) for m in relus]
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return dead


@wrong("mean over samples")
def sum_of_inputs():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        dead, handles = {}, []

        def watch(name):
            def before(module, args):
                dead[name] = ~(args[0].sum(dim=0) > 0)

            return before

        for name, module in model.named_modules():
            if type(module) is nn.ReLU:
                handles.append(module.register_forward_pre_hook(watch(name)))
        model(X)
        for handle in handles:
            handle.remove()
        return dead


@mistake(
    "0 counted as open",
    "You counted a unit that gets exactly 0 as open. The gradient of ReLU at 0 is 0, so such a unit passes nothing "
    "back.",
    loses=("one level", "any depth", "in place"),
)
def below_zero_only():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        relus = {m: name for name, m in model.named_modules() if isinstance(m, nn.ReLU)}

        def hook(m, args):
            dead[relus[m]] = (args[0] < 0).all(0)

        handles = [m.register_forward_pre_hook(hook) for m in relus]
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return dead


@wrong("0 counted as open", loses=("one level", "any depth", "in place"))
def some_input_at_least_zero():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        dead, handles = {}, []

        def watch(name):
            def before(module, args):
                dead[name] = args[0].amax(0) < 0

            return before

        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                handles.append(module.register_forward_pre_hook(watch(name)))
        model(X)
        for handle in handles:
            handle.remove()
        return dead


@mistake(
    "outputs below 0",
    "You marked no unit. You looked for outputs below 0, and a ReLU has none: what is its output when it is shut?",
)
def never_negative():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        relus = {m: name for name, m in model.named_modules() if isinstance(m, nn.ReLU)}

        def hook(m, args, out):
            dead[relus[m]] = (out < 0).all(0)

        handles = [m.register_forward_hook(hook) for m in relus]
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return dead


@wrong("outputs below 0")
def largest_below_zero():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        dead, handles = {}, []

        def watch(name):
            return lambda module, args, output: dead.update({name: output.amax(0) < 0})

        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                handles.append(module.register_forward_hook(watch(name)))
        model(X)
        for handle in handles:
            handle.remove()
        return dead


@mistake(
    "direct children only",
    "ReLUs inside other modules are missing. Which method lists modules at any depth?",
    loses=("any depth",),
)
def named_children():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        relus = {m: name for name, m in model.named_children() if isinstance(m, nn.ReLU)}

        def hook(m, args, out):
            dead[relus[m]] = (out == 0).all(0)

        handles = [m.register_forward_hook(hook) for m in relus]
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return dead


@wrong("direct children only", loses=("any depth",))
def names_without_a_dot():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        dead, handles = {}, []

        def watch(name):
            return lambda module, args, output: dead.update({name: output.amax(0) == 0})

        for name, module in model._modules.items():
            if isinstance(module, nn.ReLU):
                handles.append(module.register_forward_hook(watch(name)))
        model(X)
        for handle in handles:
            handle.remove()
        return dead


@mistake(
    "one entry per ReLU",
    "You returned one truth value for a whole ReLU. The task asks for one per unit.",
)
def whole_layers():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        relus = {m: name for name, m in model.named_modules() if isinstance(m, nn.ReLU)}

        def hook(m, args, out):
            dead[relus[m]] = (out == 0).all()

        handles = [m.register_forward_hook(hook) for m in relus]
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return dead


@wrong("one entry per ReLU")
def nothing_comes_out():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        dead, handles = {}, []

        def watch(name):
            return lambda module, args, output: dead.update({name: output.count_nonzero() == 0})

        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                handles.append(module.register_forward_hook(watch(name)))
        model(X)
        for handle in handles:
            handle.remove()
        return dead


@mistake(
    "one entry per channel",
    "You returned one entry per channel of the feature maps. Each place of a map is a unit of its own: remove only "
    "the batch axis.",
    loses=("one level",),
)
def channels_for_units():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        relus = {m: name for name, m in model.named_modules() if isinstance(m, nn.ReLU)}

        def hook(m, args, out):
            axes = (0, 2, 3) if out.dim() == 4 else 0
            dead[relus[m]] = out.amax(axes) == 0

        handles = [m.register_forward_hook(hook) for m in relus]
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return dead


@wrong("one entry per channel", loses=("one level",))
def maps_flattened():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        dead, handles = {}, []

        def watch(name):
            def after(module, args, output):
                opened = (output > 0).any(0)
                dead[name] = ~opened.reshape(len(opened), -1).any(1) if opened.dim() else ~opened

            return after

        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                handles.append(module.register_forward_hook(watch(name)))
        model(X)
        for handle in handles:
            handle.remove()
        return dead


@mistake(
    "one entry per sample",
    "You returned one entry per sample, over all of its units. The task asks for one per unit, over all samples.",
)
def the_other_axis():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        relus = {m: name for name, m in model.named_modules() if isinstance(m, nn.ReLU)}

        def hook(m, args, out):
            dead[relus[m]] = (out == 0).reshape(len(out), -1).all(1)

        handles = [m.register_forward_hook(hook) for m in relus]
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return dead


@wrong("one entry per sample")
def sums_of_samples():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        dead, handles = {}, []

        def watch(name):
            return lambda module, args, output: dead.update({name: output.reshape(len(output), -1).sum(1) == 0})

        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                handles.append(module.register_forward_hook(watch(name)))
        model(X)
        for handle in handles:
            handle.remove()
        return dead


@mistake(
    "output read too late",
    "You kept the output and read it after the run. By then another layer had overwritten it, so read it while the "
    "hook runs.",
    loses=("in place",),
)
def outputs_kept():
    import torch
    from torch import nn

    def dead_units(model, X):
        outputs = {}
        relus = {m: name for name, m in model.named_modules() if isinstance(m, nn.ReLU)}

        def hook(m, args, out):
            outputs[relus[m]] = out.detach()

        handles = [m.register_forward_hook(hook) for m in relus]
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return {name: (out == 0).all(0) for name, out in outputs.items()}


@wrong("output read too late", loses=("in place",))
def compared_at_the_end():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        kept, handles = [], []
        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                handles.append(
                    module.register_forward_hook(lambda m, a, output, name=name: kept.append((name, output)))
                )
        model(X)
        for handle in handles:
            handle.remove()
        return {name: ~(output != 0).any(dim=0) for name, output in kept}


@mistake(
    "late binding",
    "All hooks wrote under one name, the last that the loop gave: they looked the name up when they ran, after the "
    "loop. How does a hook keep the name of its own turn?",
    loses=("one level", "any depth", "everything as it was"),
)
def late_binding():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        handles = []
        relus = [(name, m) for name, m in model.named_modules() if isinstance(m, nn.ReLU)]
        for name, module in relus:
            handles.append(module.register_forward_hook(lambda m, a, out: dead.update({name: (out == 0).all(0)})))
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return dead


@wrong("late binding", predicts=True, loses=("one level", "any depth", "in place", "everything as it was"))
def the_last_name_of_all_modules():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead, handles = {}, []
        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):

                def hook(module, args, output):
                    dead[name] = (output == 0).all(0)

                handles.append(module.register_forward_hook(hook))
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return dead


@wrong("late binding", loses=("one level", "any depth", "in place", "everything as it was"))
def the_name_in_a_lambda():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        found, handles = {}, []
        for key, part in model.named_modules():
            if type(part) is nn.ReLU:
                handles.append(part.register_forward_hook(lambda m, a, out: found.update({key: out.amax(0) <= 0})))
        model(X)
        [handle.remove() for handle in handles]
        return found


@wrong("late binding", loses=("one level", "any depth", "everything as it was"))
def the_name_of_the_loop():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        dead, handles = {}, []

        def hook(module, args, output):
            dead[last] = output.amax(0) == 0

        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                last = name
                handles.append(module.register_forward_hook(hook))
        model(X)
        for handle in handles:
            handle.remove()
        return dead


@mistake(
    "evaluation mode forced",
    "You ran the model in evaluation mode. Run it in the mode in which you find it, because a BatchNorm computes "
    "something else in each.",
    loses=("everything as it was",),
)
def evaluated_and_put_back():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        modes = {m: m.training for m in model.modules()}
        model.eval()
        relus = {m: name for name, m in model.named_modules() if isinstance(m, nn.ReLU)}

        def hook(m, args, out):
            dead[relus[m]] = (out == 0).all(0)

        handles = [m.register_forward_hook(hook) for m in relus]
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        for m, mode in modes.items():
            m.training = mode
        return dead


@wrong("evaluation mode forced", loses=("everything as it was",))
def a_copy_in_evaluation_mode():
    import copy

    import torch
    from torch import nn

    def dead_units(model, X):
        spare = copy.deepcopy(model).eval()
        found = {}
        for name, module in spare.named_modules():
            if isinstance(module, nn.ReLU):
                module.register_forward_hook(lambda m, a, out, name=name: found.update({name: out.amax(0) == 0}))
        with torch.no_grad():
            spare(X)
        return found


@wrong("mode changed", loses=("everything as it was",))
def evaluated():
    import torch
    from torch import nn

    def dead_units(model, X):
        model.eval()
        dead = {}
        relus = {m: name for name, m in model.named_modules() if isinstance(m, nn.ReLU)}

        def hook(m, args, out):
            dead[relus[m]] = (out == 0).all(0)

        handles = [m.register_forward_hook(hook) for m in relus]
        with torch.no_grad():
            model(X)
        for handle in handles:
            handle.remove()
        return dead


@wrong("hook left", loses=("one level", "everything as it was"))
def hooks_stay():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}

        def watch(name):
            def hook(m, args, out):
                dead[name] = (out == 0).all(0)

            return hook

        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                module.register_forward_hook(watch(name))
        with torch.no_grad():
            model(X)
        return dead


@wrong("buffers changed", loses=("everything as it was",))
def run_twice():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        with torch.no_grad():
            for name, module in model.named_modules():
                if isinstance(module, nn.ReLU):
                    model(X)
                    handle = module.register_forward_hook(
                        lambda m, a, out, name=name: dead.update({name: (out == 0).all(0)})
                    )
                    model(X)
                    handle.remove()
        return dead


@wrong("not attempted")
def dead_units_not_attempted():
    def dead_units(model, X):
        raise NotImplementedError  # your code here


@right
def largest_output():
    import torch
    from torch import nn

    def dead_units(model, X):
        found = {}
        handles = []
        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                handles.append(
                    module.register_forward_hook(lambda m, a, out, name=name: found.update({name: out.amax(0) <= 0}))
                )
        try:
            with torch.no_grad():
                model(X)
        finally:
            for handle in handles:
                handle.remove()
        return found


@right
def inputs_before_the_relu():
    import torch
    from torch import nn

    @torch.no_grad()
    def dead_units(model, X):
        names = {module: name for name, module in model.named_modules() if isinstance(module, nn.ReLU)}
        found = {}

        def before(module, args):
            found[names[module]] = ~(args[0] > 0).any(dim=0)

        handles = [module.register_forward_pre_hook(before) for module in names]
        model(X)
        for handle in handles:
            handle.remove()
        return found


@right
def copies_kept():
    import torch
    from torch import nn

    def dead_units(model, X):
        outputs, handles = {}, []

        def keep(name):
            def hook(module, args, output):
                outputs[name] = output.detach().clone()

            return hook

        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                handles.append(module.register_forward_hook(keep(name)))
        model(X)
        for handle in handles:
            handle.remove()
        return {name: torch.count_nonzero(output, dim=0) == 0 for name, output in outputs.items()}


@wrong("buffers changed", loses=("everything as it was",))
def a_run_for_each_relu():
    import torch
    from torch import nn

    def dead_units(model, X):
        dead = {}
        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):

                def note(module, inputs, output, name=name):
                    dead[name] = (output == 0).all(0)

                handle = module.register_forward_hook(note)
                with torch.no_grad():
                    model(X)
                handle.remove()
        return dead
