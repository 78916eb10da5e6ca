"""token_accumulation: mistakes, other ways to make them, and right answers."""

from autograder.tasks.answers import mistake, right, slip, wrong

UNEQUAL = "different numbers of counted targets"
WITHOUT = "a batch without a counted target"
BEFORE = "whatever lay in .grad before"
KEPT = "one graph at a time"


def mean_by_mean():
    """Every slip below starts from this: the mean of each batch, weighted by its own denominator."""
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        def count(X, targets):
            return (targets != ignore_index).sum().item()

        total = sum(count(X, targets) for X, targets in batches)
        model.zero_grad()
        for X, targets in batches:
            if (targets == ignore_index).all():
                continue
            scores = model(X).transpose(1, 2)
            mean = F.cross_entropy(scores, targets, ignore_index=ignore_index)
            (mean * count(X, targets) / total).backward()
        return [parameter.grad for parameter in model.parameters()]


right(mean_by_mean)

slip(
    "shares_of_the_samples",
    within=mean_by_mean,
    was="return (targets != ignore_index).sum().item()",
    wrote="return len(X)",
    diagnosed="weighted by samples",
    sentence="Each batch's mean was weighted by its number of samples. By what number did `cross_entropy` divide the sum?",
    loses=(UNEQUAL, WITHOUT),
)
slip(
    "shares_of_all_positions",
    within=mean_by_mean,
    was="return (targets != ignore_index).sum().item()",
    wrote="return targets.numel()",
    diagnosed="weighted by all positions",
    sentence="Each batch's mean was weighted by its number of positions, including those that are ignored. `cross_entropy` divided "
    "its sum by a different number.",
    loses=(UNEQUAL, WITHOUT),
)
slip(
    "a_mean_of_means",
    within=mean_by_mean,
    was="return (targets != ignore_index).sum().item()",
    wrote="return (targets != ignore_index).any().item()",
    diagnosed="batches weighted equally",
    sentence="Every batch has the same weight, whether it holds many counted targets or few. How much does one target "
    "count then?",
    loses=(UNEQUAL, WITHOUT),
)
slip(
    "no_factor",
    within=mean_by_mean,
    was="(mean * count(X, targets) / total).backward()",
    wrote="mean.backward()",
    diagnosed="means added up",
    sentence="The gradients of the batches' means were added as they are. Their sum is not the gradient of one mean: "
    "each batch needs a weight.",
)


@mistake(
    "nan from an empty batch",
    "The mean over no target is 0/0, which is nan, and nan times a weight of 0 is still nan. Which other number of that "
    "batch is 0 without a division?",
    loses=(WITHOUT,),
)
def a_masked_mean_for_each():
    import torch

    def token_accumulation(model, batches, ignore_index=-100):
        counted = sum(int((targets != ignore_index).sum()) for _, targets in batches)
        total = [torch.zeros_like(p) for p in model.parameters()]
        for X, targets in batches:
            mask = targets != ignore_index
            logs = model(X).log_softmax(-1).gather(2, (targets * mask).unsqueeze(2)).squeeze(2)
            mean = -(logs * mask).sum() / mask.sum()
            for t, g in zip(total, torch.autograd.grad(mean, list(model.parameters()))):
                t += g * mask.sum() / counted
        return total


@wrong("nan from an empty batch", loses=(WITHOUT,))
def one_hot_targets():
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        masks = [(targets != ignore_index).to(next(model.parameters()).dtype) for _, targets in batches]
        total = sum(mask.sum() for mask in masks)
        model.zero_grad()
        for (X, targets), mask in zip(batches, masks):
            scores = model(X)
            hot = F.one_hot((targets * mask).long(), scores.shape[-1])
            each = -(hot * scores.log_softmax(-1)).sum(-1)
            share = mask.sum() / total
            (share * (each * mask).sum() / mask.sum()).backward()
        return [p.grad for p in model.parameters()]


@right
def losses_one_by_one():
    """0/0 arrives at the losses of an empty batch, and torch's backward passes nothing on to what is ignored."""
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        counts = [(targets != ignore_index).sum() for _, targets in batches]
        model.zero_grad()
        for (X, targets), count in zip(batches, counts):
            losses = F.cross_entropy(model(X).mT, targets, ignore_index=ignore_index, reduction="none")
            (losses.sum() / count * count / sum(counts)).backward()
        return [p.grad for p in model.parameters()]


@right
def the_backward_of_a_mean_over_nothing():
    """Its value is nan; torch's backward skips what is ignored, and gives zeros."""
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        counts = [(targets != ignore_index).sum() for _, targets in batches]
        model.zero_grad()
        for (X, targets), count in zip(batches, counts):
            scores = model(X)
            loss = F.cross_entropy(scores.reshape(-1, scores.shape[-1]), targets.reshape(-1), ignore_index=ignore_index)
            (loss * count / sum(counts)).backward()
        return [p.grad for p in model.parameters()]


@wrong("weighted by samples", predicts=True, loses=(UNEQUAL, WITHOUT))
def the_recipe_for_plain_means():
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        samples = sum(len(X) for X, _ in batches)
        model.zero_grad()
        for X, targets in batches:
            loss = F.cross_entropy(model(X).transpose(1, 2), targets, ignore_index=ignore_index)
            (loss * len(X) / samples).backward()
        return [p.grad for p in model.parameters()]


@wrong("batches weighted equally", predicts=True, loses=(UNEQUAL, WITHOUT))
def divided_by_their_number():
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        for p in model.parameters():
            p.grad = None
        for X, targets in batches:
            scores = model(X).flatten(0, 1)
            (F.cross_entropy(scores, targets.flatten(), ignore_index=ignore_index) / len(batches)).backward()
        return [p.grad for p in model.parameters()]


@wrong("weighted by all positions", predicts=True, loses=(UNEQUAL, WITHOUT))
def tokens_with_the_padding():
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        tokens = sum(targets.numel() for _, targets in batches)
        model.zero_grad()
        for X, targets in batches:
            loss = F.cross_entropy(model(X).transpose(1, 2), targets, ignore_index=ignore_index)
            (loss * (targets.numel() / tokens)).backward()
        return [p.grad for p in model.parameters()]


@wrong("means added up", predicts=True)
def loss_backward_in_a_loop():
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        model.zero_grad()
        for X, targets in batches:
            F.cross_entropy(model(X).transpose(1, 2), targets, ignore_index=ignore_index).backward()
        return [p.grad for p in model.parameters()]


def sum_by_sum():
    """Further slips start from this: the sums of the batches, divided by the count of all."""
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        counted = sum(int((targets != ignore_index).sum()) for _, targets in batches)
        model.zero_grad()
        for X, targets in batches:
            scores = model(X)
            scores, targets = scores.reshape(-1, scores.shape[-1]), targets.reshape(-1)
            loss = F.cross_entropy(scores, targets, ignore_index=ignore_index, reduction="sum") / counted
            loss.backward()
        return [parameter.grad for parameter in model.parameters()]


right(sum_by_sum)

slip(
    "padding_in_the_denominator",
    within=sum_by_sum,
    was="int((targets != ignore_index).sum())",
    wrote="targets.numel()",
    diagnosed="divided by all positions",
    sentence="The losses were added up and divided by the total number of positions. Those that are ignored count neither above nor "
    "below the line.",
)
slip(
    "samples_in_the_denominator",
    within=sum_by_sum,
    was="int((targets != ignore_index).sum())",
    wrote="len(targets)",
    diagnosed="divided by the samples",
    sentence="The losses were added up and divided by the number of samples. Every counted position has its own loss.",
)
slip(
    "never_divided",
    within=sum_by_sum,
    was=" / counted",
    wrote="",
    diagnosed="sums added up",
    sentence="The losses of all counted targets were added up. Their mean is wanted.",
)
slip(
    "not_cleared",
    within=sum_by_sum,
    was="model.zero_grad()",
    wrote="pass",
    diagnosed="gradients from before added",
    sentence="Your answer includes gradients from before the call. Clear every `.grad` before the first batch.",
)
slip(
    "cleared_too_often",
    within=sum_by_sum,
    was="scores = model(X)\n",
    wrote="model.zero_grad()\n        scores = model(X)\n",
    diagnosed="cleared between the batches",
    sentence="The last batch alone is in the result: `.grad` was cleared between the batches.",
)
slip(
    "minus_one_hundred_for_ever",
    within=sum_by_sum,
    was="def token_accumulation(model, batches, ignore_index=-100):\n",
    wrote="def token_accumulation(model, batches, ignore_index=-100):\n    ignore_index = -100\n",
    diagnosed="the argument ignore_index unused",
)


@mistake(
    "the argument ignore_index unused",
    "Targets that should not count did: `ignore_index` was handed over, and -100 was used. Both the loss and the count "
    "need it.",
    raises="IndexError: Target -?\\d+ is out of bounds",
    loses=(UNEQUAL, WITHOUT),
    predicts=True,
)
def the_default_only():
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        counted = sum((targets != -100).sum() for _, targets in batches)
        model.zero_grad()
        for X, targets in batches:
            (F.cross_entropy(model(X).transpose(1, 2), targets, reduction="sum") / counted).backward()
        return [p.grad for p in model.parameters()]


@mistake(
    "classes on the last axis",
    "`cross_entropy` looks for the classes on the second axis, and the model's scores have them on the last. Where the "
    "length happens to be the number of classes, no error is raised.",
    raises="(RuntimeError: Expected target size|ValueError: Expected input batch_size|IndexError: Target \\d+ is out of bounds)",
    predicts=True,
)
def scores_as_they_come():
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        counted = sum((targets != ignore_index).sum() for _, targets in batches)
        model.zero_grad()
        for X, targets in batches:
            (F.cross_entropy(model(X), targets, ignore_index=ignore_index, reduction="sum") / counted).backward()
        return [p.grad for p in model.parameters()]


@mistake(
    "view of what is not contiguous",
    "`view` cannot always merge axes of a tensor that is not contiguous, such as a transposed one. `reshape` and `flatten` can.",
    raises="RuntimeError: view size is not compatible",
    loses=(UNEQUAL,),
)
def merged_by_view():
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        counted = sum((targets != ignore_index).sum() for _, targets in batches)
        model.zero_grad()
        for X, targets in batches:
            scores = model(X).flatten(0, 1)
            loss = F.cross_entropy(scores, targets.view(-1), ignore_index=ignore_index, reduction="sum")
            (loss / counted).backward()
        return [p.grad for p in model.parameters()]


@mistake(
    "several graphs at once",
    "The gradients are right, and the graphs of several batches were alive at once: many batches keep more tensors than "
    "one. When does a graph let go of what it keeps?",
    loses=(KEPT,),
)
def one_backward_at_the_end():
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        counted = sum((targets != ignore_index).sum() for _, targets in batches)
        model.zero_grad()
        loss = 0.0
        for X, targets in batches:
            scores = model(X).transpose(1, 2)
            loss = loss + F.cross_entropy(scores, targets, ignore_index=ignore_index, reduction="sum")
        (loss / counted).backward()
        return [p.grad for p in model.parameters()]


slip(
    "each_graph_retained",
    within=sum_by_sum,
    was="loss.backward()",
    wrote="loss.backward(retain_graph=True)",
    diagnosed="several graphs at once",
    loses=(KEPT,),
)


@mistake(
    "more than one call a batch",
    "The model ran more often than there are batches. One run of each is enough for its loss; what else was it asked?",
    loses=(KEPT,),
)
def a_run_for_the_loss_alone():
    import torch
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        def loss(X, targets):
            return F.cross_entropy(model(X).transpose(1, 2), targets, ignore_index=ignore_index, reduction="sum")

        with torch.no_grad():
            total = sum(loss(X, targets) for X, targets in batches)
        counted = sum((targets != ignore_index).sum() for _, targets in batches)
        model.zero_grad()
        for X, targets in batches:
            (loss(X, targets) / counted).backward()
        return [p.grad for p in model.parameters()]


@mistake(
    "all batches at once",
    "The batches were put together, and the model got them all in one call. They were cut because they do "
    "not fit into memory together, and batches of different lengths do not stack.",
    raises="RuntimeError: Sizes of tensors must match",
    predicts=True,
)
def put_together():
    import torch
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        X = torch.cat([X for X, _ in batches])
        targets = torch.cat([targets for _, targets in batches])
        model.zero_grad()
        F.cross_entropy(model(X).transpose(1, 2), targets, ignore_index=ignore_index).backward()
        return [p.grad for p in model.parameters()]


@wrong("not attempted")
def token_accumulation_not_attempted():
    def token_accumulation(model, batches, ignore_index=-100):
        raise NotImplementedError  # your code here


@wrong("parameters changed")
def a_step_at_the_end():
    import torch
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        optimizer.zero_grad()
        counted = sum((targets != ignore_index).sum() for _, targets in batches)
        for X, targets in batches:
            scores = model(X).flatten(0, 1)
            loss = F.cross_entropy(scores, targets.flatten(), ignore_index=ignore_index, reduction="sum")
            (loss / counted).backward()
        optimizer.step()
        return [parameter.grad for parameter in model.parameters()]


@right
def without_filling_grad():
    import torch
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        parameters, counted = list(model.parameters()), 0
        total = [torch.zeros_like(p) for p in parameters]
        for X, targets in batches:
            loss = F.cross_entropy(model(X).mT, targets, ignore_index=ignore_index, reduction="sum")
            for t, g in zip(total, torch.autograd.grad(loss, parameters)):
                t += g
            counted += (targets != ignore_index).sum()
        return [t / counted for t in total]


@right
def by_log_softmax_and_a_mask():
    def token_accumulation(model, batches, ignore_index=-100):
        for p in model.parameters():
            p.grad = None
        for X, targets in batches:
            mask = targets != ignore_index
            logs = model(X).log_softmax(dim=2)
            picked = logs.gather(2, targets.clamp(min=0, max=logs.shape[2] - 1).unsqueeze(2)).squeeze(2)
            (-(picked * mask).sum()).backward()
        counted = sum(int((targets != ignore_index).sum()) for _, targets in batches)
        return [p.grad / counted for p in model.parameters()]


@right
def only_what_counts():
    import torch.nn.functional as F

    def token_accumulation(model, batches, ignore_index=-100):
        masks = [targets != ignore_index for _, targets in batches]
        counted = sum(mask.sum().item() for mask in masks)
        model.zero_grad(set_to_none=False)
        for (X, targets), mask in zip(batches, masks):
            if mask.any():
                loss = F.cross_entropy(model(X)[mask], targets[mask])
                (loss * mask.sum() / counted).backward()
        return [p.grad.clone() for p in model.parameters()]
