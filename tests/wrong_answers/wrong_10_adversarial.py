"""Wrong answers to exercise 10."""

from tests.answers import wrong

AS_IT_WAS = "images and model as they were"
FOUND = "numbers without influence, and all as it was"


# raise_activation


@wrong("raise_activation", diagnosed="not attempted")
def raise_activation_not_attempted():
    def raise_activation(layer1, layer2, x, k, epsilon):
        raise NotImplementedError  # your code here


@wrong("raise_activation", diagnosed="uphill on a distance")
def as_the_recipe_says():
    import torch
    import torch.nn.functional as F

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        neurons = F.relu(layer2(F.relu(layer1(leaf))))
        neurons.retain_grad()
        target = torch.zeros_like(neurons)
        target[0, k] = 1
        (g,) = torch.autograd.grad(F.mse_loss(neurons, target), leaf)
        return (leaf + epsilon * g.sign()).detach()


@wrong("raise_activation", diagnosed="uphill on a distance")
def the_recipe_before_the_relu():
    import torch
    import torch.nn.functional as F

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        neurons = layer2(F.relu(layer1(leaf)))
        target = torch.zeros_like(neurons)
        target[0, k] = 1
        (g,) = torch.autograd.grad(F.mse_loss(neurons, target), leaf)
        return x + epsilon * g.sign()


@wrong("raise_activation", diagnosed="distance of all neurons")
def the_recipe_turned_round():
    import torch
    import torch.nn.functional as F

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        neurons = F.relu(layer2(F.relu(layer1(leaf))))
        target = torch.zeros_like(neurons)
        target[0, k] = 1
        (g,) = torch.autograd.grad(F.mse_loss(neurons, target), leaf)
        return x - epsilon * g.sign()


@wrong("raise_activation", diagnosed="all neurons")
def the_sum_of_the_neurons():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf))).sum(), leaf)
        return x + epsilon * g.sign()


@wrong("raise_activation", diagnosed="behind a ReLU", loses=("a neuron below 0",))
def a_relu_on_the_neuron():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(torch.relu(layer2(torch.relu(layer1(leaf))))[0, k], leaf)
        return x + epsilon * g.sign()


@wrong("raise_activation", diagnosed="the neuron beside it")
def counted_from_one():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k - 1], leaf)
        return x + epsilon * g.sign()


@wrong("raise_activation", diagnosed="no neuron of that number")
def counted_twice():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[k], leaf)
        return x + epsilon * g.sign()


@wrong("raise_activation", diagnosed="the ReLU between left out")
def no_relu_between():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(layer1(leaf))[0, k], leaf)
        return x + epsilon * g.sign()


@wrong("raise_activation", diagnosed="lowered")
def down():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return x - epsilon * g.sign()


@wrong("raise_activation", diagnosed="a step without its sign")
def plain_gradient():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return x + epsilon * g


@wrong("raise_activation", diagnosed="a step without its sign")
def gradient_of_length_one():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return x + epsilon * g / g.norm()


@wrong("raise_activation", diagnosed="too large")
def epsilon_unused():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return x + g.sign()


@wrong("raise_activation", diagnosed="clamped")
def held_in_an_image():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return (x + epsilon * g.sign()).clamp(0, 1)


@wrong("raise_activation", diagnosed="the change alone")
def the_perturbation():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return epsilon * g.sign()


@wrong("raise_activation", diagnosed="nothing moved")
def computed_and_forgotten():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        adversarial = x
        adversarial + epsilon * g.sign()
        return adversarial


@wrong("raise_activation", diagnosed="attached where data was wanted", loses=(FOUND,))
def still_attached():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return leaf + epsilon * g.sign()


@wrong("raise_activation", diagnosed="the caller's image marked", loses=(FOUND,))
def the_callers_tensor():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        x.requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(x)))[0, k], x)
        return (x + epsilon * g.sign()).detach()


@wrong("raise_activation", diagnosed="argument changed", loses=(FOUND,))
def written_into_x():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        x += epsilon * g.sign()
        return x


@wrong("raise_activation", diagnosed="gradients filled", loses=(FOUND,))
def backward_through_all():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        layer2(torch.relu(layer1(leaf)))[0, k].backward()
        return x + epsilon * leaf.grad.sign()


@wrong("raise_activation", diagnosed="gradients cleared", loses=(FOUND,))
def zeroed_first():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        layer1.zero_grad()
        layer2.zero_grad()
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(layer2(torch.relu(layer1(leaf)))[0, k], leaf)
        return x + epsilon * g.sign()


@wrong("raise_activation", diagnosed="gradient of plain data")
def no_leaf():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        neuron = layer2(torch.relu(layer1(x)))[0, k]
        (g,) = torch.autograd.grad(neuron, x)
        return x + epsilon * g.sign()


# fgsm


@wrong("fgsm", diagnosed="not attempted")
def fgsm_not_attempted():
    def fgsm(model, x, y, epsilon):
        raise NotImplementedError  # your code here


@wrong("fgsm", diagnosed="the other way")
def downhill():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return (x - epsilon * g.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="against the prediction")
def labels_from_the_model():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        logits = model(leaf)
        (g,) = torch.autograd.grad(F.cross_entropy(logits, logits.argmax(1)), leaf)
        return (x + epsilon * g.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="gradient without its sign")
def no_sign():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return (x + epsilon * g).clamp(0, 1)


@wrong("fgsm", diagnosed="gradient without its sign")
def scaled_gradient():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return (x + epsilon * g / g.abs().max()).clamp(0, 1)


@wrong(
    "fgsm",
    diagnosed="limits forgotten",
    loses=(
        "the limits 0 and 1",
        AS_IT_WAS,
    ),
)
def no_clamp():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return x + epsilon * g.sign()


@wrong("fgsm", diagnosed="change clamped")
def clamp_on_the_change():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return x + (epsilon * g.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="scaled to the limits")
def stretched():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = x + epsilon * g.sign()
        return (adv - adv.min()) / (adv.max() - adv.min())


@wrong("fgsm", diagnosed="softmax twice")
def softmax_before_the_loss():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        p = torch.softmax(model(leaf), dim=1)
        (g,) = torch.autograd.grad(F.cross_entropy(p, y), leaf)
        return (x + epsilon * g.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="of the logit")
def lower_the_logit():
    import torch

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        chosen = model(leaf).gather(1, y[:, None]).sum()
        (g,) = torch.autograd.grad(chosen, leaf)
        return (x - epsilon * g.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="one direction for the batch")
def one_gradient_for_all():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return (x + epsilon * g.mean(0).sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="too large")
def epsilon_left_out():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return (x + g.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="the change alone")
def only_the_perturbation():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return epsilon * g.sign()


@wrong("fgsm", diagnosed="nothing moved")
def unchanged():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        x + epsilon * g.sign()
        return x.clamp(0, 1)


@wrong("fgsm", diagnosed="attached where data was wanted", loses=(AS_IT_WAS,))
def attached():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return (leaf + epsilon * g.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="the caller's image marked", loses=(AS_IT_WAS,))
def image_marked():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        x.requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(x), y), x)
        return (x + epsilon * g.sign()).clamp(0, 1).detach()


@wrong("fgsm", diagnosed="argument changed", loses=(AS_IT_WAS,))
def image_written_into():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        x += epsilon * g.sign()
        return x.clamp_(0, 1)


@wrong("fgsm", diagnosed="gradients filled", loses=(AS_IT_WAS,))
def by_backward():
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        F.cross_entropy(model(leaf), y).backward()
        return (x + epsilon * leaf.grad.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="gradients filled", loses=(AS_IT_WAS,))
def as_in_the_tutorial():
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        loss = F.cross_entropy(model(leaf), y)
        model.zero_grad()
        loss.backward()
        return (x + epsilon * leaf.grad.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="gradients cleared", loses=(AS_IT_WAS,))
def cleared_afterwards():
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        F.cross_entropy(model(leaf), y).backward()
        model.zero_grad()
        return (x + epsilon * leaf.grad.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="mode changed", loses=(AS_IT_WAS,))
def put_in_evaluation():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        model.eval()
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return (x + epsilon * g.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="frozen parameters thawed", loses=(AS_IT_WAS,))
def thawed_first():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        for p in model.parameters():
            p.requires_grad_()
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        return (x + epsilon * g.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="no graph behind it")
def in_no_grad():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        with torch.no_grad():
            loss = F.cross_entropy(model(leaf), y)
        (g,) = torch.autograd.grad(loss, leaf)
        return (x + epsilon * g.sign()).clamp(0, 1)


@wrong("fgsm", diagnosed="gradient of a vector")
def losses_of_all_images():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        losses = F.cross_entropy(model(leaf), y, reduction="none")
        (g,) = torch.autograd.grad(losses, leaf)
        return (x + epsilon * g.sign()).clamp(0, 1)


# pgd


@wrong("pgd", diagnosed="not attempted")
def pgd_not_attempted():
    def pgd(model, x, y, epsilon, step, iterations):
        raise NotImplementedError  # your code here


@wrong("pgd", diagnosed="projection forgotten")
def no_projection():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = adv.clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="projection forgotten")
def around_the_last_point():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            new = adv + step * g.sign()
            adv = torch.clamp(new, adv - epsilon, adv + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="projection around another point")
def around_zero():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = adv.clamp(-epsilon, epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="projected only at the end")
def at_the_end():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
        return torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)


@wrong(
    "pgd",
    diagnosed="limits forgotten",
    loses=(
        "the limits 0 and 1",
        AS_IT_WAS,
    ),
)
def no_limits():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon)
        return adv


@wrong("pgd", diagnosed="gradients of the start")
def one_gradient():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = x.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="gradients of the start")
def gradient_before_the_loop():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = x
        for _ in range(iterations):
            adv = (adv + step * g.sign()).clamp(0, 1)
            adv = torch.clamp(adv, x - epsilon, x + epsilon)
        return adv


@wrong("pgd", diagnosed="each step from the start")
def always_from_x():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = x + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="steps of another size")
def step_is_epsilon():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + epsilon * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="steps of another size")
def epsilon_shared_out():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        if iterations == 0:
            return x
        alpha = epsilon / iterations
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + alpha * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="another number of steps")
def a_single_step():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(1):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="another number of steps")
def one_too_many():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations + 1):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="another number of steps")
def first_step_lost():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(1, iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="the other way")
def downhill_all_the_way():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="against the prediction")
def against_what_is_read():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        y = model(x).argmax(1)
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="against the prediction")
def against_what_is_read_now():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), model(leaf).argmax(1)), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="gradient without its sign")
def without_signs():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="softmax twice")
def softmax_in_front():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf).softmax(1), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="of the logit")
def a_logit_lowered():
    import torch

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(-model(leaf).gather(1, y[:, None]).sum(), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="one direction for the batch")
def direction_of_the_batch():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sum(0, keepdim=True).sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="a random start")
def at_random_first():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x + torch.empty_like(x).uniform_(-epsilon, epsilon)
        adv = adv.clamp(0, 1)
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="the change alone")
def change_returned():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv - x


@wrong("pgd", diagnosed="nothing moved")
def start_returned():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return x


@wrong("pgd", diagnosed="no iterations", loses=("no iterations",))
def name_made_in_the_loop():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        current = x
        for _ in range(iterations):
            leaf = current.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            current = attacked = torch.clamp(current + step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return attacked


@wrong("pgd", diagnosed="another number of steps", loses=("no iterations",))
def at_least_once():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(max(iterations, 1)):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong(
    "pgd",
    diagnosed="attached where data was wanted",
    loses=(
        "no iterations",
        AS_IT_WAS,
    ),
)
def grows_a_graph():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone().requires_grad_()
        for _ in range(iterations):
            (g,) = torch.autograd.grad(F.cross_entropy(model(adv), y), adv)
            adv = torch.clamp(adv + step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="the caller's image marked", loses=(AS_IT_WAS,))
def start_marked():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        x.requires_grad_()
        adv = x
        for _ in range(iterations):
            (g,) = torch.autograd.grad(F.cross_entropy(model(adv), y), adv)
            adv = torch.clamp(adv + step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv.detach()


@wrong("pgd", diagnosed="projection forgotten")
def start_written_into():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv += step * g.sign()
            adv.copy_(torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1))
        return adv


@wrong("pgd", diagnosed="gradients filled", loses=(AS_IT_WAS,))
def backward_each_time():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            adv.requires_grad_()
            F.cross_entropy(model(adv), y).backward()
            g = adv.grad
            adv = torch.clamp(adv.detach() + step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="gradients cleared", loses=(AS_IT_WAS,))
def backward_and_zero_grad():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            adv.requires_grad_()
            model.zero_grad()
            F.cross_entropy(model(adv), y).backward(inputs=[adv])
            g = adv.grad
            adv = torch.clamp(adv.detach() + step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("pgd", diagnosed="mode changed", loses=(AS_IT_WAS,))
def evaluation_and_training():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        model.eval()
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        model.train()
        return adv


# targeted_pgd


@wrong("targeted_pgd", diagnosed="not attempted")
def targeted_not_attempted():
    def targeted_pgd(model, x, target, epsilon, step, iterations):
        raise NotImplementedError  # your code here


@wrong("targeted_pgd", diagnosed="the other way")
def away_from_the_target():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="projection forgotten")
def no_projection():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = adv.clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="projection around another point")
def around_zero():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = adv.clamp(-epsilon, epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="projected only at the end")
def at_the_end():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
        adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="limits forgotten")
def no_limits():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="gradients of the start")
def one_gradient():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = x.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="each step from the start")
def always_from_x():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = x - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="steps of another size")
def step_is_epsilon():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - epsilon * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="another number of steps")
def one_too_many():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations + 1):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="gradient without its sign")
def without_signs():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="target ignored")
def to_what_is_read():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), model(leaf).argmax(1)), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="target ignored")
def away_from_what_is_read():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        y = model(x).argmax(1)
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            adv = adv + step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="of the logit")
def raise_the_logit():
    import torch

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(-model(leaf).gather(1, target[:, None]).sum(), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="softmax twice")
def softmax_in_front():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf).softmax(1), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="a random start")
def at_random_first():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x + torch.empty_like(x).uniform_(-epsilon, epsilon)
        adv = adv.clamp(0, 1)
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="stopped early")
def until_all_are_there():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            logits = model(leaf)
            if (logits.argmax(1) == target).all():
                break
            (g,) = torch.autograd.grad(F.cross_entropy(logits, target), leaf)
            adv = torch.clamp(adv - step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="stopped early")
def each_until_it_is_there():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            logits = model(leaf)
            (g,) = torch.autograd.grad(F.cross_entropy(logits, target), leaf)
            moving = (logits.argmax(1) != target)[:, None, None, None]
            adv = torch.clamp(adv - step * g.sign() * moving, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="reached before it began")
def asked_at_the_start():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(x).argmax(1) == target


@wrong("targeted_pgd", diagnosed="reached where it was only misled")
def anything_else():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) != model(x).argmax(1)


@wrong("targeted_pgd", diagnosed="reached turned round")
def not_equal():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) != target


@wrong("targeted_pgd", diagnosed="one answer for all")
def all_of_them():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, bool((model(adv).argmax(1) == target).all())


@wrong("targeted_pgd", diagnosed="classes for bools")
def what_is_read():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1)


@wrong("targeted_pgd", diagnosed="numbers for bools")
def ones_and_zeros():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv, (model(adv).argmax(1) == target).float()


@wrong("targeted_pgd", diagnosed="more than half")
def sure_of_it():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        p = model(adv).softmax(1)
        return adv, p[torch.arange(len(p)), target] > 0.5


@wrong("targeted_pgd", diagnosed="reached on the way", loses=("who has arrived",))
def ever_there():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        reached = torch.zeros(len(x), dtype=torch.bool)
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = torch.clamp(adv - step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
            reached |= model(adv).argmax(1) == target
        return adv, reached


@wrong("targeted_pgd", diagnosed="images alone")
def returned_alone():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            leaf = adv.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            adv = adv - step * g.sign()
            adv = torch.clamp(adv, x - epsilon, x + epsilon).clamp(0, 1)
        return adv


@wrong("targeted_pgd", diagnosed="attached where data was wanted", loses=(AS_IT_WAS,))
def grows_a_graph():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone().requires_grad_()
        for _ in range(iterations):
            (g,) = torch.autograd.grad(F.cross_entropy(model(adv), target), adv)
            adv = torch.clamp(adv - step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="gradients filled", loses=(AS_IT_WAS,))
def backward_each_time():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            adv.requires_grad_()
            F.cross_entropy(model(adv), target).backward()
            g = adv.grad
            adv = torch.clamp(adv.detach() - step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return adv, model(adv).argmax(1) == target


@wrong("targeted_pgd", diagnosed="no iterations")
def name_made_in_the_loop():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        current = x
        for _ in range(iterations):
            leaf = current.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            current = attacked = torch.clamp(current - step * g.sign(), x - epsilon, x + epsilon).clamp(0, 1)
        return attacked, model(attacked).argmax(1) == target


# smallest_epsilon


@wrong("smallest_epsilon", diagnosed="not attempted")
def smallest_not_attempted():
    def smallest_epsilon(w, b, x):
        raise NotImplementedError  # your code here


@wrong("smallest_epsilon", diagnosed="Euclidean distance")
def with_a_ruler():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / w.norm()


@wrong("smallest_epsilon", diagnosed="largest weight only")
def one_number_moves():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / w.abs().max()


@wrong("smallest_epsilon", diagnosed="weights with their signs")
def signs_kept():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / w.sum()


@wrong("smallest_epsilon", diagnosed="weights with their signs")
def size_of_the_sum():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / w.sum().abs()


@wrong("smallest_epsilon", diagnosed="with the score's sign")
def score_with_its_sign():
    def smallest_epsilon(w, b, x):
        return (x @ w + b) / w.abs().sum()


@wrong("smallest_epsilon", diagnosed="one side only")
def from_above_only():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).clamp(min=0) / w.abs().sum()


@wrong("smallest_epsilon", diagnosed="bias forgotten")
def without_b():
    def smallest_epsilon(w, b, x):
        return (x @ w).abs() / w.abs().sum()


@wrong("smallest_epsilon", diagnosed="bias moved too")
def b_among_the_weights():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / (w.abs().sum() + abs(b))


@wrong("smallest_epsilon", diagnosed="mean of the weights")
def mean_for_sum():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / w.abs().mean()


@wrong("smallest_epsilon", diagnosed="squares of the weights")
def by_squares():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs() / (w @ w)


@wrong("smallest_epsilon", diagnosed="the score itself")
def not_divided():
    def smallest_epsilon(w, b, x):
        return (x @ w + b).abs()


@wrong("smallest_epsilon", diagnosed="one for all rows")
def nearest_of_all():
    def smallest_epsilon(w, b, x):
        return ((x @ w + b).abs() / w.abs().sum()).min()


@wrong("smallest_epsilon", diagnosed="a product of other shapes")
def wrong_side_of_the_matrix():
    def smallest_epsilon(w, b, x):
        return (w @ x + b).abs() / w.abs().sum()


@wrong("smallest_epsilon", diagnosed="another shape")
def a_column():
    def smallest_epsilon(w, b, x):
        return (x @ w[:, None] + b).abs() / w.abs().sum()


@wrong("smallest_epsilon", diagnosed="argument changed", loses=("on it, zeros, float32",))
def x_moved():
    def smallest_epsilon(w, b, x):
        x -= w * ((x @ w + b) / (w @ w))[:, None] * 0
        x[:] = x + 1e-9
        return (x @ w + b).abs() / w.abs().sum()


# robust_accuracy


@wrong("robust_accuracy", diagnosed="not attempted")
def robust_not_attempted():
    def robust_accuracy(model, X, y, attack):
        raise NotImplementedError  # your code here


@wrong("robust_accuracy", diagnosed="before the attack")
def never_attacked():
    def robust_accuracy(model, X, y, attack):
        return (model(X).argmax(1) == y).double().mean().item()


@wrong("robust_accuracy", diagnosed="before the attack")
def attacked_and_forgotten():
    def robust_accuracy(model, X, y, attack):
        attacked = attack(model, X, y)
        return (model(X).argmax(1) == y).double().mean().item()


@wrong("robust_accuracy", diagnosed="the part that is misread")
def success_of_the_attack():
    def robust_accuracy(model, X, y, attack):
        return (model(attack(model, X, y)).argmax(1) != y).double().mean().item()


@wrong("robust_accuracy", diagnosed="of those that were right")
def among_the_right_ones():
    def robust_accuracy(model, X, y, attack):
        attacked = attack(model, X, y)
        before = model(X).argmax(1) == y
        after = model(attacked).argmax(1) == y
        return (before & after).sum().item() / before.sum().item()


@wrong("robust_accuracy", diagnosed="read as before")
def against_the_reading():
    def robust_accuracy(model, X, y, attack):
        return (model(attack(model, X, y)).argmax(1) == model(X).argmax(1)).double().mean().item()


@wrong("robust_accuracy", diagnosed="attack without the labels")
def attack_on_the_reading():
    def robust_accuracy(model, X, y, attack):
        attacked = attack(model, X, model(X).argmax(1))
        return (model(attacked).argmax(1) == y).double().mean().item()


@wrong("robust_accuracy", diagnosed="how many, not which part")
def counted():
    def robust_accuracy(model, X, y, attack):
        return float((model(attack(model, X, y)).argmax(1) == y).sum())


@wrong("robust_accuracy", diagnosed="how many, not which part")
def per_cent():
    def robust_accuracy(model, X, y, attack):
        return 100 * (model(attack(model, X, y)).argmax(1) == y).double().mean().item()


@wrong("robust_accuracy", diagnosed="attacked one by one")
def a_call_for_each():
    def robust_accuracy(model, X, y, attack):
        right = 0
        for i in range(len(X)):
            one = attack(model, X[i : i + 1], y[i : i + 1])
            right += int(model(one).argmax(1).item() == y[i].item())
        return right / len(X)


@wrong("robust_accuracy", diagnosed="attacked twice", loses=("one call, with all images",))
def called_for_its_length():
    def robust_accuracy(model, X, y, attack):
        right = (model(attack(model, X, y)).argmax(1) == y).sum().item()
        return right / len(attack(model, X, y))


@wrong("robust_accuracy", diagnosed="largest of the batch")
def along_the_batch():
    def robust_accuracy(model, X, y, attack):
        return (model(attack(model, X, y)).argmax(0) == y).double().mean().item()


@wrong(
    "robust_accuracy",
    diagnosed="attack without gradients",
    loses=(
        "the number",
        "one call, with all images",
        AS_IT_WAS,
    ),
)
def all_in_no_grad():
    import torch

    def robust_accuracy(model, X, y, attack):
        with torch.no_grad():
            attacked = attack(model, X, y)
            return (model(attacked).argmax(1) == y).double().mean().item()


@wrong("robust_accuracy", diagnosed="attack without gradients")
def in_inference_mode():
    import torch

    def robust_accuracy(model, X, y, attack):
        with torch.inference_mode():
            attacked = attack(model, X, y)
            return (model(attacked).argmax(1) == y).double().mean().item()


@wrong("robust_accuracy", diagnosed="mode changed", loses=(AS_IT_WAS,))
def evaluation_first():
    def robust_accuracy(model, X, y, attack):
        model.eval()
        return (model(attack(model, X, y)).argmax(1) == y).double().mean().item()


@wrong("robust_accuracy", diagnosed="gradients cleared", loses=(AS_IT_WAS,))
def zeroed_before():
    def robust_accuracy(model, X, y, attack):
        model.zero_grad()
        return (model(attack(model, X, y)).argmax(1) == y).double().mean().item()


@wrong("robust_accuracy", diagnosed="the caller's image marked", loses=(AS_IT_WAS,))
def marked_for_the_attack():
    def robust_accuracy(model, X, y, attack):
        X.requires_grad_()
        return (model(attack(model, X, y)).argmax(1) == y).double().mean().item()


# adversarial_step


@wrong("adversarial_step", diagnosed="not attempted")
def adversarial_not_attempted():
    def adversarial_step(model, optimizer, X, y, epsilon):
        raise NotImplementedError  # your code here


@wrong("adversarial_step", diagnosed="trained on the images as they came")
def clean_training():
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(X), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="trained on the images as they came")
def attacked_and_unused():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(X), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="gradients left over")
def never_cleared():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="the attack's gradients took part")
def two_backwards():
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        optimizer.zero_grad()
        leaf = X.clone().requires_grad_()
        F.cross_entropy(model(leaf), y).backward()
        adv = (X + epsilon * leaf.grad.sign()).clamp(0, 1)
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="the attack's gradients took part")
def two_backwards_never_cleared():
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        F.cross_entropy(model(leaf), y).backward()
        adv = (X + epsilon * leaf.grad.sign()).clamp(0, 1)
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="images attacked the wrong way")
def made_easier():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X - epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="against the prediction")
def against_what_is_read():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), model(X).argmax(1)), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="gradient without its sign")
def no_sign():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="limits forgotten")
def no_clamp():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = X + epsilon * g.sign()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="both kinds of images")
def half_and_half():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = (F.cross_entropy(model(X), y) + F.cross_entropy(model(adv), y)) / 2
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="both kinds of images")
def one_batch_of_both():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(torch.cat([X, adv])), torch.cat([y, y]))
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="sum over the batch")
def summed_loss():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y, reduction="sum")
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="no step")
def no_optimizer():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        return loss.detach()


@wrong("adversarial_step", diagnosed="no step")
def cleared_too_late():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="more than one step")
def step_for_the_attack_too():
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        optimizer.zero_grad()
        leaf = X.clone().requires_grad_()
        F.cross_entropy(model(leaf), y).backward()
        adv = (X + epsilon * leaf.grad.sign()).clamp(0, 1)
        optimizer.step()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="more than one step")
def clean_step_first():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        optimizer.zero_grad()
        F.cross_entropy(model(X), y).backward()
        optimizer.step()
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="uphill")
def uphill():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = -F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="loss of the images as they came", loses=("the loss",))
def clean_loss_returned():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        clean = F.cross_entropy(model(leaf), y)
        (g,) = torch.autograd.grad(clean, leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return clean.detach()


@wrong("adversarial_step", diagnosed="loss after the step", loses=("the loss",))
def loss_looked_at_afterwards():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            return F.cross_entropy(model(adv), y)


@wrong("adversarial_step", diagnosed="loss added up", loses=("the loss",))
def loss_times_batch():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach() * len(X)


@wrong("adversarial_step", diagnosed="attached where data was wanted", loses=("frozen layers, and all as it was",))
def loss_attached():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss


@wrong("adversarial_step", diagnosed="None returned")
def nothing_returned():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return None


@wrong("adversarial_step", diagnosed="the caller's image marked", loses=("frozen layers, and all as it was",))
def images_marked():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        X.requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(X), y), X)
        adv = (X + epsilon * g.sign()).clamp(0, 1).detach()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="mode changed", loses=("frozen layers, and all as it was",))
def in_evaluation():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        model.eval()
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="frozen parameters thawed", loses=("frozen layers, and all as it was",))
def thawed():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        for p in model.parameters():
            p.requires_grad_()
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="mode changed", loses=("frozen layers, and all as it was",))
def trained_with_dropout():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        model.train()
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="graph already freed")
def second_pass_through_the_first_graph():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        loss = F.cross_entropy(model(leaf), y)
        (g,) = torch.autograd.grad(loss, leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("raise_activation", diagnosed="a neuron of the layer before")
def the_first_layers_neuron():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        leaf = x.clone().requires_grad_()
        (g,) = torch.autograd.grad(torch.relu(layer1(leaf))[0, k], leaf)
        return x + epsilon * g.sign()


@wrong("fgsm", diagnosed="another loss")
def up_a_mean_squared_error():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        leaf = x.clone().requires_grad_()
        logits = model(leaf)
        (g,) = torch.autograd.grad(F.mse_loss(logits, F.one_hot(y, logits.shape[1]).to(logits)), leaf)
        return (x + epsilon * g.sign()).clamp(0, 1)


@wrong("pgd", diagnosed="projection of the length")
def projected_on_a_ball():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        now = x
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            change = now + step * g.sign() - x
            length = change.flatten(1).norm(dim=1).view(-1, 1, 1, 1)
            now = (x + change * (epsilon / length).clamp(max=1)).clamp(0, 1)
        return now


@wrong("pgd", diagnosed="limits the wrong way round")
def clamped_from_plus_to_minus():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        now = x
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            now = (x + (now + step * g.sign() - x).clamp(epsilon, -epsilon)).clamp(0, 1)
        return now


@wrong("pgd", diagnosed="projected only at the end", loses=("the limits 0 and 1",))
def pixels_clamped_only_at_the_end():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        delta = torch.zeros_like(x)
        for _ in range(iterations):
            leaf = (x + delta).requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            delta = (delta + step * g.sign()).clamp(-epsilon, epsilon)
        return (x + delta).clamp(0, 1)


@wrong("pgd", diagnosed="gradients added up")
def delta_whose_gradients_pile_up():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        delta = torch.zeros_like(x, requires_grad=True)
        for _ in range(iterations):
            F.cross_entropy(model(x + delta), y).backward()
            with torch.no_grad():
                delta += step * delta.grad.sign()
                delta.clamp_(-epsilon, epsilon)
                delta.copy_((x + delta).clamp(0, 1) - x)
        return (x + delta).detach()


@wrong("pgd", diagnosed="stopped early")
def until_all_are_misread():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        now = x
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            logits = model(leaf)
            if (logits.argmax(1) != y).all():
                break
            (g,) = torch.autograd.grad(F.cross_entropy(logits, y), leaf)
            now = (x + (now + step * g.sign() - x).clamp(-epsilon, epsilon)).clamp(0, 1)
        return now


@wrong("pgd", diagnosed="steps of another size")
def step_shared_out():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        now = x
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            now = (x + (now + step / iterations * g.sign() - x).clamp(-epsilon, epsilon)).clamp(0, 1)
        return now


@wrong("targeted_pgd", diagnosed="reached before the last step", loses=("who has arrived",))
def looked_at_inside_the_loop():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        now, reached = x, model(x).argmax(1) == target
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            logits = model(leaf)
            reached = logits.argmax(1) == target
            (g,) = torch.autograd.grad(F.cross_entropy(logits, target), leaf)
            now = (x + (now - step * g.sign() - x).clamp(-epsilon, epsilon)).clamp(0, 1)
        return now, reached


@wrong("targeted_pgd", diagnosed="largest of the batch", loses=("who has arrived",))
def largest_of_all_logits():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        now = x
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), target), leaf)
            now = (x + (now - step * g.sign() - x).clamp(-epsilon, epsilon)).clamp(0, 1)
        return now, model(now).argmax() == target


@wrong("smallest_epsilon", diagnosed="bias taken away")
def minus_the_bias():
    def smallest_epsilon(w, b, x):
        return (x @ w - b).abs() / w.abs().sum()


@wrong("smallest_epsilon", diagnosed="upside down")
def weights_over_score():
    def smallest_epsilon(w, b, x):
        return w.abs().sum() / (x @ w + b).abs()


@wrong("robust_accuracy", diagnosed="largest of the batch")
def largest_logit_of_all_images():
    def robust_accuracy(model, X, y, attack):
        return (model(attack(model, X, y)).argmax() == y).float().mean().item()


@wrong("adversarial_step", diagnosed="mode changed", loses=("frozen layers, and all as it was",))
def attack_in_evaluation_and_training_in_training():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        model.eval()
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        adv = (X + epsilon * g.sign()).clamp(0, 1)
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.detach()


@wrong("adversarial_step", diagnosed="a step by hand")
def rate_times_gradient():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        loss = F.cross_entropy(model((X + epsilon * g.sign()).clamp(0, 1)), y)
        parameters = [p for p in model.parameters() if p.requires_grad]
        with torch.no_grad():
            for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
                parameter -= optimizer.param_groups[0]["lr"] * gradient
        return loss.detach()


@wrong("adversarial_step", diagnosed="the caller's images moved")
def images_moved_in_place():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        X.requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(X), y), X)
        with torch.no_grad():
            X += epsilon * g.sign()
            X.clamp_(0, 1)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(X), y)
        loss.backward()
        optimizer.step()
        return loss.detach()
