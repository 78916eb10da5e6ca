"""Right answers to exercise 10."""

from tests.answers import right

# raise_activation


@right("raise_activation")
def by_backward_without_parameters():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        start = x.detach().clone()
        start.requires_grad = True
        hidden = torch.nn.functional.relu(layer1(start))
        layer2(hidden)[:, k].sum().backward(inputs=[start])
        with torch.no_grad():
            start += epsilon * start.grad.sign()
        return start.detach()


@right("raise_activation")
def either_way_where_it_does_not_matter():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        slope = torch.func.grad(lambda one: layer2(layer1(one).clamp(min=0))[0, k])(x)
        return torch.where(slope < 0, x - epsilon, x + epsilon).detach()


@right("raise_activation")
def by_the_jacobian():
    import torch

    def raise_activation(layer1, layer2, x, k, epsilon):
        J = torch.autograd.functional.jacobian(lambda one: layer2(torch.relu(layer1(one))), x)
        return (x + epsilon * torch.sign(J[0, k])).detach()


# fgsm


@right("fgsm")
def summed_loss():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        adv = x.clone()
        adv.requires_grad_(True)
        loss = F.cross_entropy(model(adv), y, reduction="sum")
        loss.backward(inputs=[adv])
        return torch.clamp(x + epsilon * torch.sign(adv.grad), min=0.0, max=1.0)


@right("fgsm")
def image_by_image():
    import torch
    import torch.nn as nn

    def fgsm(model, x, y, epsilon):
        out = []
        for i in range(len(x)):
            one = x[i : i + 1].clone().requires_grad_()
            loss = nn.CrossEntropyLoss()(model(one), y[i : i + 1])
            (g,) = torch.autograd.grad(loss, one)
            moved = torch.where(g > 0, x[i : i + 1] + epsilon, x[i : i + 1] - epsilon)
            out.append(moved.clamp(0, 1))
        return torch.cat(out)


@right("fgsm")
def minus_the_log_probability():
    import torch

    def fgsm(model, x, y, epsilon):
        def score(images):
            return model(images).log_softmax(dim=1).gather(1, y.unsqueeze(1)).sum()

        slope = torch.func.grad(score)(x)
        return torch.minimum(
            torch.maximum(x - epsilon * slope.sign(), torch.zeros_like(x)), torch.ones_like(x)
        ).detach()


@right("fgsm")
def grads_put_back():
    import torch
    import torch.nn.functional as F

    def fgsm(model, x, y, epsilon):
        kept = [None if p.grad is None else p.grad.clone() for p in model.parameters()]
        adv = x.clone().requires_grad_()
        F.cross_entropy(model(adv), y).backward()
        for p, g in zip(model.parameters(), kept):
            p.grad = g
        return (x + epsilon * adv.grad.sign()).clamp(0, 1).detach()


# pgd


@right("pgd")
def change_kept_apart():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        delta = torch.zeros_like(x)
        for _ in range(iterations):
            delta.requires_grad_()
            loss = F.cross_entropy(model(x + delta), y)
            (g,) = torch.autograd.grad(loss, delta)
            delta = (delta.detach() + step * g.sign()).clamp(-epsilon, epsilon)
            delta = (x + delta).clamp(0, 1) - x
        return x + delta


@right("pgd")
def by_recursion():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        if iterations == 0:
            return x
        now = pgd(model, x, y, epsilon, step, iterations - 1).clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(now), y, reduction="sum"), now)
        new = now.detach() + step * g.sign()
        return torch.max(torch.min(new, x + epsilon), x - epsilon).clamp(0.0, 1.0)


@right("pgd")
def with_torch_func():
    import torch

    def pgd(model, x, y, epsilon, step, iterations):
        slope = torch.func.grad(lambda images: torch.nn.functional.cross_entropy(model(images), y))
        adv = x.clone()
        k = 0
        while k < iterations:
            adv = adv + step * torch.sign(slope(adv))
            adv = x + (adv - x).clamp(-epsilon, epsilon)
            adv = adv.clamp(0, 1)
            k += 1
        return adv.detach()


# targeted_pgd


@right("pgd")
def limits_known_before_the_loop():
    import torch
    import torch.nn.functional as F

    def pgd(model, x, y, epsilon, step, iterations):
        lowest, highest = (x - epsilon).clamp(min=0), (x + epsilon).clamp(max=1)
        now = x.clone()
        for _ in range(iterations):
            leaf = now.clone().requires_grad_()
            (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
            now = torch.clamp(now + step * g.sign(), lowest, highest)
        return now


@right("targeted_pgd")
def minus_the_loss():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        adv = x.clone()
        for _ in range(iterations):
            adv.requires_grad_()
            gain = -F.cross_entropy(model(adv), target)
            (g,) = torch.autograd.grad(gain, adv)
            with torch.no_grad():
                adv = adv + step * g.sign()
                adv = torch.min(torch.max(adv, x - epsilon), x + epsilon).clamp(0, 1)
        with torch.no_grad():
            return adv, model(adv).max(dim=1).indices.eq(target)


@right("targeted_pgd")
def image_by_image_for_targets():
    import torch
    import torch.nn.functional as F

    def targeted_pgd(model, x, target, epsilon, step, iterations):
        images, there = [], []
        for one, t in zip(x, target):
            start = one.unsqueeze(0)
            now = start
            for _ in range(iterations):
                leaf = now.clone().requires_grad_()
                F.cross_entropy(model(leaf), t.unsqueeze(0)).backward(inputs=[leaf])
                now = start + (now - step * leaf.grad.sign() - start).clamp(-epsilon, epsilon)
                now = now.clamp(0, 1)
            images.append(now)
            logits = model(now)[0]
            there.append(bool((logits[t] >= logits).all()))
        return [torch.cat(images), torch.tensor(there)]


# smallest_epsilon


@right("smallest_epsilon")
def row_by_row():
    import torch

    def smallest_epsilon(w, b, x):
        total = sum(abs(float(one)) for one in w)
        return torch.stack([abs(torch.dot(row, w) + b) / total for row in x])


@right("smallest_epsilon")
def by_the_norm():
    import torch

    def smallest_epsilon(w, b, x):
        score = torch.nn.functional.linear(x, w[None])[:, 0] + b
        return torch.sqrt(score**2) / torch.linalg.vector_norm(w, ord=1)


@right("smallest_epsilon")
def by_bisection():
    import torch

    def smallest_epsilon(w, b, x):
        score = x.double() @ w.double() + b
        low, high = torch.zeros_like(score), torch.full_like(score, 1e6)
        way = -score.sign()[:, None] * w.double().sign()
        for _ in range(200):
            middle = (low + high) / 2
            moved = (x + middle[:, None] * way) @ w.double() + b
            there = moved * score <= 0
            high, low = torch.where(there, middle, high), torch.where(there, low, middle)
        return high.to(x.dtype)


# robust_accuracy


@right("robust_accuracy")
def counted_in_python():
    def robust_accuracy(model, X, y, attack):
        logits = model(attack(model, X, y))
        right = sum(int(row.argmax()) == int(label) for row, label in zip(logits, y))
        return right / len(y)


@right("robust_accuracy")
def as_a_tensor():
    import torch

    def robust_accuracy(model, X, y, attack):
        adv = attack(model, X, y).detach()
        return torch.sum(model(adv).softmax(dim=-1).max(dim=-1).indices == y) / y.numel()


@right("robust_accuracy")
def one_minus_the_errors():
    def robust_accuracy(model, X, y, attack):
        read = model(attack(model, X, y)).topk(1).indices.squeeze(1)
        return 1 - (read != y).float().mean().item()


# adversarial_step


@right("adversarial_step")
def cleared_in_between():
    import torch
    import torch.nn as nn

    def adversarial_step(model, optimizer, X, y, epsilon):
        criterion = nn.CrossEntropyLoss()
        adv = X.clone().detach().requires_grad_(True)
        criterion(model(adv), y).backward()
        adv = torch.clamp(X + epsilon * adv.grad.sign(), 0, 1).detach()
        optimizer.zero_grad(set_to_none=False)
        loss = criterion(model(adv), y)
        loss.backward()
        optimizer.step()
        return loss.item()


@right("adversarial_step")
def gradients_by_grad():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        slope = torch.func.grad(lambda images: F.cross_entropy(model(images), y, reduction="sum"))(X)
        attacked = torch.where(slope >= 0, X + epsilon, X - epsilon).clamp(0, 1).detach()
        parameters = [p for p in model.parameters() if p.requires_grad]
        loss = F.cross_entropy(model(attacked), y)
        for p, g in zip(parameters, torch.autograd.grad(loss, parameters)):
            p.grad = g
        optimizer.step()
        return loss.detach()


@right("adversarial_step")
def cleared_before_and_after():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        for p in model.parameters():
            p.grad = None
        adv = X.clone().requires_grad_()
        F.cross_entropy(model(adv), y).backward(inputs=[adv])
        adv = (adv + epsilon * adv.grad.sign()).clamp(0, 1).detach()
        loss = -model(adv).log_softmax(1)[torch.arange(len(y)), y].mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return float(loss)


@right("adversarial_step")
def a_closure_for_the_optimizer():
    import torch
    import torch.nn.functional as F

    def adversarial_step(model, optimizer, X, y, epsilon):
        leaf = X.clone().requires_grad_()
        (g,) = torch.autograd.grad(F.cross_entropy(model(leaf), y), leaf)
        attacked = (X + epsilon * g.sign()).clamp(0, 1)

        def closure():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(attacked), y)
            loss.backward()
            return loss

        return optimizer.step(closure).detach()
