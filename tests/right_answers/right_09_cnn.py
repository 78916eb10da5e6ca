"""Right answers to exercise 09."""

from tests.answers import right

# latent_gradients


@right("latent_gradients")
def retain_grad_and_backward():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image.clone().requires_grad_())
        latent.retain_grad()
        modified = latent.mean(dim=[2, 3]) * 2
        modified.retain_grad()
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@right("latent_gradients")
def the_latents_share_by_hand():
    import torch

    def latent_gradients(encoder, decoder, image):
        with torch.no_grad():
            latent = encoder(image)
        modified = (2 * latent.flatten(2).mean(2)).requires_grad_()
        (of_modified,) = torch.autograd.grad(decoder(modified).sum(), modified)
        share = 2 / (latent.shape[2] * latent.shape[3])
        return [of_modified, (share * of_modified)[:, :, None, None].expand_as(latent)]


@right("latent_gradients")
def hooks_on_both():
    def latent_gradients(encoder, decoder, image):
        kept = {}
        latent = encoder(image.detach().requires_grad_(True))
        latent.register_hook(lambda g: kept.update(latent=g.clone()))
        modified = 2 * latent.sum((2, 3)) / latent[0, 0].numel()
        modified.register_hook(lambda g: kept.update(modified=g.clone()))
        decoder(modified).sum().backward()
        return kept["modified"], kept["latent"]


# feature_map_gradient


@right("feature_map_gradient")
def retained_behind_the_relu():
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        image = image.clone().requires_grad_()
        h = F.relu(conv2(F.relu(conv1(image))))
        h.retain_grad()
        F.cross_entropy(fc(h.view(h.size(0), -1)), target).backward()
        return h.grad


@right("feature_map_gradient")
def softmax_minus_one_hot():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        with torch.no_grad():
            h = conv2(conv1(image).clamp(min=0)).clamp(min=0)
            p = fc(h.flatten(1)).softmax(1)
            d = (p - F.one_hot(target, p.shape[1]).to(p.dtype)) / len(target)
            return (d @ fc.weight).reshape(h.shape)


@right("feature_map_gradient")
def by_torch_func():
    import torch
    from torch import nn

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = nn.Sequential(conv1, nn.ReLU(), conv2, nn.ReLU())(image).detach()
        loss = lambda h: nn.CrossEntropyLoss()(fc(torch.flatten(h, 1)), target)
        return torch.func.grad(loss)(h)


# contributions


@right("contributions")
def a_row_of_the_weight():
    def contributions(h, layer, c):
        return h * layer.weight[c]


@right("contributions")
def sample_by_sample():
    import torch

    def contributions(h, layer, c):
        rows = []
        for one in h:
            one = one.detach().clone().requires_grad_()
            layer(one)[c].backward()
            rows.append(one.grad * one.detach())
        return torch.stack(rows)


@right("contributions")
def by_vjp():
    import torch

    def contributions(h, layer, c):
        out, back = torch.func.vjp(layer, h)
        one_hot = torch.zeros_like(out)
        one_hot[:, c] = 1
        return back(one_hot)[0].mul(h)


# conv_weight_gradient


@right("conv_weight_gradient")
def unfolded():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        n = upstream.shape[1]
        total = (upstream.flatten(2) @ windows.mT).sum(0)
        return total.view(n, x.shape[1], kh, kw)


@right("conv_weight_gradient")
def a_convolution_with_dilation():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = kernel_size if isinstance(kernel_size, (tuple, list)) else (kernel_size, kernel_size)
        full = F.conv2d(x.transpose(0, 1), upstream.transpose(0, 1), padding=padding, dilation=stride)
        return full.transpose(0, 1)[:, :, :kh, :kw]


@right("conv_weight_gradient")
def place_by_place():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        if isinstance(kernel_size, int):
            kernel_size = (kernel_size, kernel_size)
        x = F.pad(x, [padding] * 4)
        grad = torch.zeros(upstream.size(1), x.size(1), *kernel_size, dtype=x.dtype)
        for b in range(x.size(0)):
            for r in range(upstream.size(2)):
                for c in range(upstream.size(3)):
                    top, left = r * stride, c * stride
                    window = x[b, :, top : top + kernel_size[0], left : left + kernel_size[1]]
                    grad += upstream[b, :, r, c].reshape(-1, 1, 1, 1) * window
        return grad


# max_pool_gradient


@right("max_pool_gradient")
def by_autograd():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        leaf = x.clone().requires_grad_()
        F.max_pool2d(leaf, size).backward(upstream)
        return leaf.grad


@right("max_pool_gradient")
def window_by_window():
    import torch

    def max_pool_gradient(x, upstream, size):
        out = torch.zeros_like(x)
        for b in range(upstream.shape[0]):
            for c in range(upstream.shape[1]):
                for i in range(upstream.shape[2]):
                    for j in range(upstream.shape[3]):
                        best, at = None, None
                        for r in range(i * size, i * size + size):
                            for k in range(j * size, j * size + size):
                                if best is None or x[b, c, r, k] > best:
                                    best, at = x[b, c, r, k], (r, k)
                        out[b, c, at[0], at[1]] = upstream[b, c, i, j]
        return out


@right("max_pool_gradient")
def argmax_of_unfolded_windows():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        rows, columns = upstream.shape[2:]
        cut = x[:, :, : rows * size, : columns * size]
        windows = cut.reshape(*x.shape[:2], rows, size, columns, size).transpose(3, 4).flatten(4)
        mask = F.one_hot(windows.argmax(-1), size * size).to(x.dtype)
        back = (mask * upstream[..., None]).unflatten(4, (size, size)).transpose(3, 4)
        out = torch.zeros_like(x)
        out[:, :, : rows * size, : columns * size] = back.reshape(cut.shape)
        return out


# saliency


@right("saliency")
def gathered_logits():
    import torch

    def saliency(model, image, target):
        leaf = image.detach().clone().requires_grad_()
        logits = model(leaf)
        index = torch.as_tensor(target).expand(len(image)).reshape(-1, 1)
        logits.gather(1, index).sum().backward()
        return leaf.grad.abs()


@right("saliency")
def one_hot_upstream():
    import torch
    import torch.nn.functional as F

    def saliency(model, image, target):
        x = image.clone()
        x.requires_grad = True
        out = model(x)
        if isinstance(target, int):
            target = torch.tensor([target] * len(out))
        weights = F.one_hot(target, out.size(1)).to(out.dtype)
        return torch.autograd.grad(out, x, grad_outputs=weights)[0].abs()


@right("saliency")
def image_by_image():
    import torch

    def saliency(model, image, target):
        targets = [target] * len(image) if isinstance(target, int) else target.tolist()
        maps = []
        for one, c in zip(image, targets):
            one = one.clone().unsqueeze(0).requires_grad_()
            maps.append(torch.autograd.grad(model(one)[0, c], one)[0].abs())
        return torch.cat(maps)


# grad_cam


@right("grad_cam")
def maps_retained():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image.clone().requires_grad_())
        maps.retain_grad()
        out = head(maps)
        rows = torch.arange(out.shape[0])
        out[rows, target].sum().backward()
        alpha = maps.grad.flatten(2).mean(-1)
        return torch.einsum("bc,bchw->bhw", alpha, maps.detach()).clamp(min=0).unsqueeze(1)


@right("grad_cam")
def image_by_image():
    import torch
    import torch.nn.functional as F

    def grad_cam(features, head, image, target):
        cams = []
        for k in range(len(image)):
            c = target if isinstance(target, int) else int(target[k])
            with torch.no_grad():
                a = features(image[k : k + 1])
            g = torch.func.grad(lambda a: head(a)[0, c])(a)
            cams.append(F.relu(sum(g[0, m].mean() * a[0, m] for m in range(a.shape[1]))))
        return torch.stack(cams).unsqueeze(1)


@right("grad_cam")
def a_one_by_one_convolution():
    import torch
    import torch.nn.functional as F

    def grad_cam(features, head, image, target):
        maps = features(image).detach().clone().requires_grad_()
        logits = head(maps)
        if not torch.is_tensor(target):
            target = torch.full((len(logits),), target)
        (g,) = torch.autograd.grad(logits.gather(1, target.unsqueeze(1)).sum(), maps)
        w = F.adaptive_avg_pool2d(g, 1)
        b, c, h, k = maps.shape
        grouped = F.conv2d(maps.reshape(1, b * c, h, k), w.reshape(b, c, 1, 1), groups=b)
        return F.relu(grouped.reshape(b, 1, h, k))
