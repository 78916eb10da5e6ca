"""Wrong answers to exercise 09."""

from tests.answers import wrong

AS_IT_WAS = "image and model as they were"

# latent_gradients


@wrong("latent_gradients", diagnosed="not attempted")
def latent_gradients_not_attempted():
    def latent_gradients(encoder, decoder, image):
        raise NotImplementedError  # your code here


@wrong("latent_gradients", diagnosed="no retain_grad")
def nothing_retained():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image.clone().requires_grad_())
        modified = 2 * latent.mean(dim=(2, 3))
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@wrong("latent_gradients", diagnosed="no retain_grad")
def only_modified_retained():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image.clone().requires_grad_())
        modified = 2 * latent.mean(dim=(2, 3))
        modified.retain_grad()
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@wrong("latent_gradients", diagnosed="None used as a gradient")
def cloned_before_it_was_there():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image.clone().requires_grad_())
        modified = 2 * latent.mean(dim=(2, 3))
        decoder(modified).sum().backward()
        modified.retain_grad()
        return modified.grad.clone(), latent.grad.clone()


@wrong("latent_gradients", diagnosed="the 2 lost")
def the_mean_alone():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = latent.mean(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).sum(), (modified, latent))


@wrong("latent_gradients", diagnosed="a sum for the mean")
def summed_over_places():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.sum(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).sum(), (modified, latent))


@wrong("latent_gradients", diagnosed="no share for each position")
def spread_without_a_share():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach()
        modified = (2 * latent.mean(dim=(2, 3))).requires_grad_()
        d_modified = torch.autograd.grad(decoder(modified).sum(), modified)[0]
        return d_modified, 2 * d_modified[:, :, None, None].expand_as(latent)


@wrong("latent_gradients", diagnosed="position axes lost")
def one_number_a_channel():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=(2, 3))
        d_modified, d_latent = torch.autograd.grad(decoder(modified).sum(), (modified, latent))
        return d_modified, d_latent.sum(dim=(2, 3))


@wrong("latent_gradients", diagnosed="loss averaged")
def the_mean_as_loss():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).mean(), (modified, latent))


@wrong("latent_gradients", diagnosed="decoder left out")
def no_decoder():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=(2, 3))
        decoder(modified)
        return torch.autograd.grad(modified.sum(), (modified, latent))


@wrong("latent_gradients", diagnosed="the tensors themselves")
def values_returned():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image)
        return (2 * latent.mean(dim=(2, 3))).detach(), latent.detach()


@wrong("latent_gradients", diagnosed="under another name")
def the_other_order():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).sum(), (latent, modified))


@wrong("latent_gradients", diagnosed="wrong axes averaged")
def averaged_over_the_last_axis():
    import torch

    def latent_gradients(encoder, decoder, image):
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=-1)
        return torch.autograd.grad(decoder(modified).sum(), (modified, latent))


@wrong("latent_gradients", diagnosed="the decoder's weight read")
def rows_of_the_decoder_added():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image)
        d_modified = decoder.weight.sum(0).expand(len(image), -1)
        places = latent.shape[2] * latent.shape[3]
        return d_modified, (2 / places * d_modified)[:, :, None, None].expand_as(latent)


@wrong("latent_gradients", diagnosed="not part of the graph")
def the_encoder_run_again():
    import torch

    def latent_gradients(encoder, decoder, image):
        image = image.clone().requires_grad_()
        modified = 2 * encoder(image).mean(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).sum(), (modified, encoder(image)))


@wrong("latent_gradients", diagnosed="nothing to retain yet", loses=("frozen parts, and all as it was",))
def retained_as_it_comes():
    def latent_gradients(encoder, decoder, image):
        latent = encoder(image)
        latent.retain_grad()
        modified = 2 * latent.mean(dim=(2, 3))
        modified.retain_grad()
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@wrong("latent_gradients", diagnosed="frozen parameters thawed", loses=("frozen parts, and all as it was",))
def the_encoder_thawed():
    def latent_gradients(encoder, decoder, image):
        for p in list(encoder.parameters()) + list(decoder.parameters()):
            p.requires_grad = True
        latent = encoder(image)
        latent.retain_grad()
        modified = 2 * latent.mean(dim=(2, 3))
        modified.retain_grad()
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@wrong("latent_gradients", diagnosed="the caller's image marked", loses=("frozen parts, and all as it was",))
def image_marked():
    def latent_gradients(encoder, decoder, image):
        image.requires_grad_()
        latent = encoder(image)
        latent.retain_grad()
        modified = 2 * latent.mean(dim=(2, 3))
        modified.retain_grad()
        decoder(modified).sum().backward()
        return modified.grad, latent.grad


@wrong("latent_gradients", diagnosed="mode changed", loses=("frozen parts, and all as it was",))
def left_in_evaluation():
    import torch

    def latent_gradients(encoder, decoder, image):
        encoder.eval()
        decoder.eval()
        latent = encoder(image).detach().requires_grad_()
        modified = 2 * latent.mean(dim=(2, 3))
        return torch.autograd.grad(decoder(modified).sum(), (modified, latent))


# feature_map_gradient


@wrong("feature_map_gradient", diagnosed="not attempted")
def feature_map_gradient_not_attempted():
    def feature_map_gradient(conv1, conv2, fc, image, target):
        raise NotImplementedError  # your code here


@wrong("feature_map_gradient", diagnosed="before the ReLU")
def of_the_convolutions_output():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = conv2(F.relu(conv1(image))).detach().requires_grad_()
        loss = F.cross_entropy(fc(F.relu(h).flatten(1)), target)
        return torch.autograd.grad(loss, h)[0]


@wrong("feature_map_gradient", diagnosed="before the ReLU")
def masked_by_the_maps():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.cross_entropy(fc(h.flatten(1)), target)
        return torch.autograd.grad(loss, h)[0] * (h > 0)


@wrong("feature_map_gradient", diagnosed="no retain_grad")
def grad_of_an_inner_tensor():
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image.clone().requires_grad_()))))
        F.cross_entropy(fc(h.flatten(1)), target).backward()
        return h.grad


@wrong("feature_map_gradient", diagnosed="of the flattened maps")
def of_the_flattened_view():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        flat = F.relu(conv2(F.relu(conv1(image)))).flatten(1).detach().requires_grad_()
        loss = F.cross_entropy(fc(flat), target)
        return torch.autograd.grad(loss, flat)[0]


@wrong("feature_map_gradient", diagnosed="h computed twice")
def a_second_forward():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        image = image.clone().requires_grad_()

        def forward():
            return F.relu(conv2(F.relu(conv1(image))))

        loss = F.cross_entropy(fc(forward().flatten(1)), target)
        return torch.autograd.grad(loss, forward())[0]


@wrong("feature_map_gradient", diagnosed="of the first maps")
def behind_the_first_convolution():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv1(image)).detach().requires_grad_()
        loss = F.cross_entropy(fc(F.relu(conv2(h)).flatten(1)), target)
        return torch.autograd.grad(loss, h)[0]


@wrong("feature_map_gradient", diagnosed="loss summed over the batch")
def cross_entropy_summed():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.cross_entropy(fc(h.flatten(1)), target, reduction="sum")
        return torch.autograd.grad(loss, h)[0]


@wrong("feature_map_gradient", diagnosed="logits for the loss")
def of_the_targets_logits():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        logits = fc(h.flatten(1))
        return torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), h)[0]


@wrong("feature_map_gradient", diagnosed="softmax twice")
def softmax_before_the_loss():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.cross_entropy(F.softmax(fc(h.flatten(1)), dim=1), target)
        return torch.autograd.grad(loss, h)[0]


@wrong("feature_map_gradient", diagnosed="gradient times map")
def times_the_maps():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.cross_entropy(fc(h.flatten(1)), target)
        return torch.autograd.grad(loss, h)[0] * h.detach()


@wrong("feature_map_gradient", diagnosed="a ReLU left out")
def one_relu():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(conv1(image))).detach().requires_grad_()
        loss = F.cross_entropy(fc(h.flatten(1)), target)
        return torch.autograd.grad(loss, h)[0]


@wrong("feature_map_gradient", diagnosed="flattened too far")
def flattened_with_the_batch():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.cross_entropy(fc(h.flatten()), target)
        return torch.autograd.grad(loss, h)[0]


@wrong("feature_map_gradient", diagnosed="sign")
def downhill():
    import torch
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image)))).detach().requires_grad_()
        loss = F.log_softmax(fc(h.flatten(1)), 1)[torch.arange(len(h)), target].mean()
        return torch.autograd.grad(loss, h)[0]


@wrong("feature_map_gradient", diagnosed="nothing to retain yet", loses=("frozen layers, and all as it was",))
def maps_retained_as_they_come():
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        h = F.relu(conv2(F.relu(conv1(image))))
        h.retain_grad()
        F.cross_entropy(fc(h.flatten(1)), target).backward()
        return h.grad


@wrong("feature_map_gradient", diagnosed="the caller's image marked", loses=("frozen layers, and all as it was",))
def the_image_as_leaf():
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        image.requires_grad_()
        h = F.relu(conv2(F.relu(conv1(image))))
        h.retain_grad()
        F.cross_entropy(fc(h.flatten(1)), target).backward()
        return h.grad


@wrong("feature_map_gradient", diagnosed="frozen parameters thawed", loses=("frozen layers, and all as it was",))
def layers_thawed():
    import torch.nn.functional as F

    def feature_map_gradient(conv1, conv2, fc, image, target):
        for layer in (conv1, conv2, fc):
            layer.requires_grad_(True)
        h = F.relu(conv2(F.relu(conv1(image))))
        h.retain_grad()
        F.cross_entropy(fc(h.flatten(1)), target).backward()
        return h.grad


# contributions


@wrong("contributions", diagnosed="not attempted")
def contributions_not_attempted():
    def contributions(h, layer, c):
        raise NotImplementedError  # your code here


@wrong("contributions", diagnosed="sensitivity")
def the_gradient_alone():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[:, c].sum(), leaf)[0]


@wrong("contributions", diagnosed="added up")
def summed_to_the_logit():
    def contributions(h, layer, c):
        return (h * layer.weight[c]).sum(dim=1)


@wrong("contributions", diagnosed="the bias given to the inputs", loses=("what each input adds",))
def bias_shared_out():
    def contributions(h, layer, c):
        shares = h * layer.weight[c]
        if layer.bias is not None:
            shares = shares + layer.bias[c] / h.shape[1]
        return shares


@wrong("contributions", diagnosed="counted from 1")
def the_class_before():
    def contributions(h, layer, c):
        return h * layer.weight[c - 1]


@wrong("contributions", diagnosed="a sample for a class")
def row_c_of_the_output():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[c].sum(), leaf)[0] * h


@wrong("contributions", diagnosed="columns of the weight")
def column_c_of_the_weight():
    def contributions(h, layer, c):
        return h * layer.weight[:, c]


@wrong("contributions", diagnosed="all classes")
def all_logits():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf).sum(), leaf)[0] * h


@wrong("contributions", diagnosed="mean over the batch")
def mean_of_logits():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[:, c].mean(), leaf)[0] * h


@wrong("contributions", diagnosed="first sample only")
def logit_of_the_first_sample():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[0, c], leaf)[0] * h


@wrong("contributions", diagnosed="shares")
def percentages():
    def contributions(h, layer, c):
        parts = h * layer.weight[c]
        return parts / parts.sum(dim=1, keepdim=True)


@wrong("contributions", diagnosed="negative ones left out")
def positive_parts():
    import torch

    def contributions(h, layer, c):
        return torch.relu(h * layer.weight[c])


@wrong("contributions", diagnosed="absolute value")
def sizes():
    def contributions(h, layer, c):
        return (h * layer.weight[c]).abs()


@wrong("contributions", diagnosed="no bias", loses=("a layer without a bias",))
def logit_minus_bias():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        rest = layer(leaf)[:, c] - layer.bias[c]
        return torch.autograd.grad(rest.sum(), leaf)[0] * h


@wrong("contributions", diagnosed="gradient of a vector")
def the_logits_of_the_batch():
    import torch

    def contributions(h, layer, c):
        leaf = h.clone().requires_grad_()
        return torch.autograd.grad(layer(leaf)[:, c], leaf)[0] * h


@wrong("contributions", diagnosed="the caller's tensor marked", loses=("what each input adds",))
def h_marked():
    import torch

    def contributions(h, layer, c):
        h.requires_grad_()
        return (torch.autograd.grad(layer(h)[:, c].sum(), h)[0] * h).detach()


@wrong("contributions", diagnosed="argument changed")
def multiplied_in_place():
    def contributions(h, layer, c):
        return h.mul_(layer.weight[c].detach())


# conv_weight_gradient


@wrong("conv_weight_gradient", diagnosed="not attempted")
def conv_weight_gradient_not_attempted():
    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        raise NotImplementedError  # your code here


@wrong("conv_weight_gradient", diagnosed="not by hand")
def asked_autograd():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        w = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype, requires_grad=True)
        F.conv2d(x, w, stride=stride, padding=padding).backward(upstream)
        return w.grad


@wrong("conv_weight_gradient", diagnosed="not by hand")
def asked_nn_grad():
    import torch

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        shape = (upstream.shape[1], x.shape[1], kh, kw)
        return torch.nn.grad.conv2d_weight(x, shape, upstream, stride=stride, padding=padding)


@wrong("conv_weight_gradient", diagnosed="not by hand")
def asked_forward_mode():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        w = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        score = lambda w: (upstream * F.conv2d(x, w, stride=stride, padding=padding)).sum()
        return torch.func.jacfwd(score)(w)


@wrong("conv_weight_gradient", diagnosed="not by hand")
def asked_vjp():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        w = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        _, back = torch.func.vjp(lambda w: F.conv2d(x, w, stride=stride, padding=padding), w)
        return back(upstream)[0]


@wrong(
    "conv_weight_gradient", diagnosed="stride ignored", loses=("stride and padding", "oblong kernels, pixels left over")
)
def neighbours_only():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        x = F.pad(x, (padding,) * 4)
        rows, columns = upstream.shape[2:]
        g = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        for i in range(kh):
            for j in range(kw):
                g[:, :, i, j] = torch.einsum("bohw,bchw->oc", upstream, x[:, :, i : i + rows, j : j + columns])
        return g


@wrong(
    "conv_weight_gradient", diagnosed="stride ignored", loses=("stride and padding", "oblong kernels, pixels left over")
)
def the_output_as_a_kernel():
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        return F.conv2d(x.transpose(0, 1), upstream.transpose(0, 1), padding=padding).transpose(0, 1)


@wrong("conv_weight_gradient", diagnosed="stride given to the entry",
       loses=("stride and padding", "oblong kernels, pixels left over"))  # fmt: skip
def entries_a_stride_apart():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        x = F.pad(x, (padding,) * 4)
        rows, columns = upstream.shape[2:]
        g = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        for i in range(kh):
            for j in range(kw):
                met = x[:, :, i * stride : i * stride + rows, j * stride : j * stride + columns]
                g[:, :, i, j] = torch.einsum("bohw,bchw->oc", upstream, met)
        return g


@wrong(
    "conv_weight_gradient",
    diagnosed="shapes that do not fit",
    loses=("stride and padding", "oblong kernels, pixels left over"),
)
def no_padding():
    import torch

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        rows, columns = upstream.shape[2:]
        g = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        for i in range(kh):
            for j in range(kw):
                met = x[:, :, i : i + stride * rows : stride, j : j + stride * columns : stride]
                g[:, :, i, j] = torch.einsum("bohw,bchw->oc", upstream, met)
        return g


@wrong(
    "conv_weight_gradient",
    diagnosed="padding at one side",
    loses=("stride and padding", "oblong kernels, pixels left over"),
)
def padded_on_the_right_only():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        x = F.pad(x, (0, 2 * padding, 0, 2 * padding))
        rows, columns = upstream.shape[2:]
        g = torch.zeros(upstream.shape[1], x.shape[1], kh, kw, dtype=x.dtype)
        for i in range(kh):
            for j in range(kw):
                met = x[:, :, i : i + stride * rows : stride, j : j + stride * columns : stride]
                g[:, :, i, j] = torch.einsum("bohw,bchw->oc", upstream, met)
        return g


@wrong("conv_weight_gradient", diagnosed="kernel too large", loses=("oblong kernels, pixels left over",))
def a_dilated_convolution_not_cropped():
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        full = F.conv2d(x.transpose(0, 1), upstream.transpose(0, 1), padding=padding, dilation=stride)
        return full.transpose(0, 1)


@wrong("conv_weight_gradient", diagnosed="kernel_size of the other kind", loses=("oblong kernels, pixels left over",))
def square_kernels_only():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        x = F.pad(x, (padding,) * 4)
        rows, columns = upstream.shape[2:]
        g = torch.zeros(upstream.shape[1], x.shape[1], kernel_size, kernel_size, dtype=x.dtype)
        for i in range(kernel_size):
            for j in range(kernel_size):
                met = x[:, :, i : i + stride * rows : stride, j : j + stride * columns : stride]
                g[:, :, i, j] = torch.einsum("bohw,bchw->oc", upstream, met)
        return g


@wrong("conv_weight_gradient", diagnosed="kernel flipped")
def as_a_true_convolution():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        g = torch.einsum("bop,bip->oi", upstream.flatten(2), windows)
        return g.reshape(upstream.shape[1], x.shape[1], kh, kw).flip(2, 3)


@wrong("conv_weight_gradient", diagnosed="in and out exchanged")
def input_channels_first():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding).unflatten(1, (x.shape[1], kh, kw))
        return torch.einsum("bop,bihwp->iohw", upstream.flatten(2), windows)


@wrong("conv_weight_gradient", diagnosed="height and width exchanged")
def width_first():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding).unflatten(1, (x.shape[1], kh, kw))
        return torch.einsum("bop,bihwp->oiwh", upstream.flatten(2), windows)


@wrong("conv_weight_gradient", diagnosed="batch averaged")
def mean_over_images():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        g = (upstream.flatten(2) @ windows.mT).mean(0)
        return g.reshape(upstream.shape[1], x.shape[1], kh, kw)


@wrong("conv_weight_gradient", diagnosed="averaged over the places")
def mean_over_places():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        g = (upstream.flatten(2) @ windows.mT).sum(0) / windows.shape[2]
        return g.reshape(upstream.shape[1], x.shape[1], kh, kw)


@wrong("conv_weight_gradient", diagnosed="first image only")
def image_zero():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        g = upstream[0].flatten(1) @ windows[0].T
        return g.reshape(upstream.shape[1], x.shape[1], kh, kw)


@wrong("conv_weight_gradient", diagnosed="upstream gradient ignored")
def pixels_added_up():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x, (kh, kw), stride=stride, padding=padding)
        g = windows.sum((0, 2)).reshape(1, x.shape[1], kh, kw)
        return g.repeat(upstream.shape[1], 1, 1, 1)


@wrong("conv_weight_gradient", diagnosed="channels mixed")
def one_kernel_for_all_inputs():
    import torch
    import torch.nn.functional as F

    def conv_weight_gradient(x, upstream, kernel_size, stride=1, padding=0):
        kh, kw = (kernel_size, kernel_size) if isinstance(kernel_size, int) else kernel_size
        windows = F.unfold(x.sum(1, keepdim=True), (kh, kw), stride=stride, padding=padding)
        g = torch.einsum("bop,bip->oi", upstream.flatten(2), windows)
        return g.reshape(upstream.shape[1], 1, kh, kw).repeat(1, x.shape[1], 1, 1)


# max_pool_gradient


@wrong("max_pool_gradient", diagnosed="not attempted")
def max_pool_gradient_not_attempted():
    def max_pool_gradient(x, upstream, size):
        raise NotImplementedError  # your code here


@wrong("max_pool_gradient", diagnosed="all of the tied", loses=("several largest pixels",))
def compared_with_the_maximum():
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        rows, columns = upstream.shape[2] * size, upstream.shape[3] * size

        def grown(t):
            big = t.repeat_interleave(size, 2).repeat_interleave(size, 3)
            return F.pad(big, (0, x.shape[3] - columns, 0, x.shape[2] - rows))

        return (x == grown(F.max_pool2d(x, size))) * grown(upstream)


@wrong("max_pool_gradient", diagnosed="shared among the tied", loses=("several largest pixels",))
def by_amax():
    import torch

    def max_pool_gradient(x, upstream, size):
        leaf = x.clone().requires_grad_()
        leaf.unfold(2, size, size).unfold(3, size, size).amax((4, 5)).backward(upstream)
        return leaf.grad


@wrong("max_pool_gradient", diagnosed="last of the tied", loses=("several largest pixels",))
def greater_or_equal():
    import torch

    def max_pool_gradient(x, upstream, size):
        out = torch.zeros_like(x)
        for b in range(upstream.shape[0]):
            for c in range(upstream.shape[1]):
                for i in range(upstream.shape[2]):
                    for j in range(upstream.shape[3]):
                        best, at = float("-inf"), None
                        for r in range(i * size, i * size + size):
                            for k in range(j * size, j * size + size):
                                if x[b, c, r, k] >= best:
                                    best, at = x[b, c, r, k], (r, k)
                        out[b, c, at[0], at[1]] = upstream[b, c, i, j]
        return out


@wrong("max_pool_gradient", diagnosed="columns before rows", loses=("several largest pixels",))
def column_by_column():
    import torch

    def max_pool_gradient(x, upstream, size):
        out = torch.zeros_like(x)
        for b in range(upstream.shape[0]):
            for c in range(upstream.shape[1]):
                for i in range(upstream.shape[2]):
                    for j in range(upstream.shape[3]):
                        best, at = float("-inf"), None
                        for k in range(j * size, j * size + size):
                            for r in range(i * size, i * size + size):
                                if x[b, c, r, k] > best:
                                    best, at = x[b, c, r, k], (r, k)
                        out[b, c, at[0], at[1]] = upstream[b, c, i, j]
        return out


@wrong("max_pool_gradient", diagnosed="only above zero")
def best_starts_at_zero():
    import torch

    def max_pool_gradient(x, upstream, size):
        out = torch.zeros_like(x)
        for b in range(upstream.shape[0]):
            for c in range(upstream.shape[1]):
                for i in range(upstream.shape[2]):
                    for j in range(upstream.shape[3]):
                        best, at = 0, None
                        for r in range(i * size, i * size + size):
                            for k in range(j * size, j * size + size):
                                if x[b, c, r, k] > best:
                                    best, at = x[b, c, r, k], (r, k)
                        if at is not None:
                            out[b, c, at[0], at[1]] = upstream[b, c, i, j]
        return out


@wrong("max_pool_gradient", diagnosed="spread evenly")
def average_pooling():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        leaf = x.clone().requires_grad_()
        return torch.autograd.grad(F.avg_pool2d(leaf, size), leaf, upstream)[0]


@wrong("max_pool_gradient", diagnosed="to the whole window")
def blown_up():
    import torch

    def max_pool_gradient(x, upstream, size):
        out = torch.zeros_like(x)
        big = torch.kron(upstream, torch.ones(size, size, dtype=x.dtype))
        out[:, :, : big.shape[2], : big.shape[3]] = big
        return out


@wrong("max_pool_gradient", diagnosed="value for slope")
def times_the_maximum():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        values, places = F.max_pool2d(x, size, return_indices=True)
        out = torch.zeros_like(x).flatten(2)
        out.scatter_(2, places.flatten(2), (values * upstream).flatten(2))
        return out.view_as(x)


@wrong("max_pool_gradient", diagnosed="upstream gradient ignored")
def sum_of_the_pooled():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        leaf = x.clone().requires_grad_()
        F.max_pool2d(leaf, size).sum().backward()
        return leaf.grad


@wrong("max_pool_gradient", diagnosed="one largest for the whole map")
def largest_of_the_map():
    import torch

    def max_pool_gradient(x, upstream, size):
        flat = x.flatten(2)
        out = torch.zeros_like(flat)
        out.scatter_(2, flat.argmax(2, keepdim=True), upstream.sum((2, 3)).unsqueeze(2))
        return out.view_as(x)


@wrong("max_pool_gradient", diagnosed="of the output's size")
def upstream_handed_on():
    def max_pool_gradient(x, upstream, size):
        return upstream.clone()


@wrong("max_pool_gradient", diagnosed="no pixel left over", loses=("pixels left over",))
def a_window_for_the_rest():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        leaf = x.clone().requires_grad_()
        return torch.autograd.grad(F.max_pool2d(leaf, size, ceil_mode=True), leaf, upstream)[0]


@wrong("max_pool_gradient", diagnosed="no pixel left over", loses=("pixels left over",))
def windows_by_reshape():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        b, c, h, w = x.shape
        windows = x.reshape(b, c, h // size, size, w // size, size).transpose(3, 4).flatten(4)
        mask = F.one_hot(windows.argmax(-1), size * size).to(x.dtype)
        back = (mask * upstream[..., None]).unflatten(4, (size, size)).transpose(3, 4)
        return back.reshape(x.shape)


@wrong("max_pool_gradient", diagnosed="argument changed")
def written_into_x():
    import torch
    import torch.nn.functional as F

    def max_pool_gradient(x, upstream, size):
        _, places = F.max_pool2d(x, size, return_indices=True)
        flat = x.view(*x.shape[:2], -1)
        flat.zero_()
        flat.scatter_(2, places.flatten(2), upstream.flatten(2))
        return x


# saliency


@wrong("saliency", diagnosed="not attempted")
def saliency_not_attempted():
    def saliency(model, image, target):
        raise NotImplementedError  # your code here


@wrong("saliency", diagnosed="sign kept")
def signed():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        index = torch.as_tensor(target).expand(len(image)).reshape(-1, 1)
        return torch.autograd.grad(logits.gather(1, index).sum(), leaf)[0]


@wrong("saliency", diagnosed="of the loss")
def of_the_cross_entropy():
    import torch
    import torch.nn.functional as F

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        index = torch.as_tensor(target).expand(len(image))
        F.cross_entropy(model(leaf), index).backward()
        return leaf.grad.abs()


@wrong("saliency", diagnosed="of the probability")
def of_the_softmax():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        p = model(leaf).softmax(dim=1)
        index = torch.as_tensor(target).expand(len(image)).reshape(-1, 1)
        return torch.autograd.grad(p.gather(1, index).sum(), leaf)[0].abs()


@wrong("saliency", diagnosed="all classes")
def of_all_logits():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        return torch.autograd.grad(model(leaf).sum(), leaf)[0].abs()


@wrong("saliency", diagnosed="the predicted class")
def of_the_largest_logit():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        return torch.autograd.grad(model(leaf).max(dim=1).values.sum(), leaf)[0].abs()


@wrong("saliency", diagnosed="every target for every image", loses=("a class for each image",))
def a_column_for_each_target():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        return torch.autograd.grad(model(leaf)[:, target].sum(), leaf)[0].abs()


@wrong("saliency", diagnosed="a vector of logits")
def a_column_as_it_is():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        return torch.autograd.grad(model(leaf)[:, target], leaf)[0].abs()


@wrong("saliency", diagnosed="first image only")
def row_zero():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        c = target if isinstance(target, int) else target[0]
        return torch.autograd.grad(model(leaf)[0, c], leaf)[0].abs()


@wrong("saliency", diagnosed="first image's target", loses=("a class for each image",))
def one_target_for_all():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        c = target if isinstance(target, int) else int(target[0])
        return torch.autograd.grad(model(leaf)[:, c].sum(), leaf)[0].abs()


@wrong("saliency", diagnosed="a sample for a class")
def row_of_the_target():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        return torch.autograd.grad(model(leaf)[target].sum(), leaf)[0].abs()


@wrong("saliency", diagnosed="mean over the batch")
def mean_of_the_chosen():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        return torch.autograd.grad(logits[torch.arange(len(logits)), target].mean(), leaf)[0].abs()


@wrong("saliency", diagnosed="scaled")
def scaled_to_one():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        g = torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), leaf)[0].abs()
        return g / g.max()


@wrong("saliency", diagnosed="channels merged")
def largest_over_channels():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        g = torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), leaf)[0].abs()
        return g.max(dim=1).values


@wrong("saliency", diagnosed="squared")
def energy():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        return torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), leaf)[0] ** 2


@wrong("saliency", diagnosed="gradient times image")
def times_the_image():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        g = torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), leaf)[0]
        return (g * image).abs()


@wrong("saliency", diagnosed="target of the other kind", loses=("one class for all images", AS_IT_WAS))
def tensors_only():
    import torch

    def saliency(model, image, target):
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        return torch.autograd.grad(logits.gather(1, target.view(-1, 1)).sum(), leaf)[0].abs()


@wrong("saliency", diagnosed="nothing to retain yet", loses=(AS_IT_WAS,))
def no_leaf():
    import torch

    def saliency(model, image, target):
        image = image.clone().requires_grad_() if any(p.requires_grad for p in model.parameters()) else image
        logits = model(image)
        return torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), image)[0].abs()


@wrong("saliency", diagnosed="the caller's image marked", loses=(AS_IT_WAS,))
def image_marked_as_leaf():
    import torch

    def saliency(model, image, target):
        image.requires_grad_()
        logits = model(image)
        return torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), image)[0].abs()


@wrong("saliency", diagnosed="mode changed", loses=(AS_IT_WAS,))
def to_evaluation_and_back():
    import torch

    def saliency(model, image, target):
        model.eval()
        leaf = image.clone().requires_grad_()
        logits = model(leaf)
        g = torch.autograd.grad(logits[torch.arange(len(logits)), target].sum(), leaf)[0].abs()
        model.train()
        return g


# grad_cam


@wrong("grad_cam", diagnosed="not attempted")
def grad_cam_not_attempted():
    def grad_cam(features, head, image, target):
        raise NotImplementedError  # your code here


@wrong("grad_cam", diagnosed="relu forgotten")
def no_relu():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return (g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True)


@wrong("grad_cam", diagnosed="absolute value for relu")
def sizes_of_the_sum():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return (g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True).abs()


@wrong("grad_cam", diagnosed="gradients added up")
def summed_weights():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.sum((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="gradients not averaged")
def place_by_place():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="maps and gradients exchanged")
def means_of_the_maps():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((maps.detach().mean((2, 3), keepdim=True) * g).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="maps averaged")
def mean_over_channels():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).mean(1, keepdim=True))


@wrong("grad_cam", diagnosed="relu before the sum")
def each_map_clamped():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu(g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True)


@wrong("grad_cam", diagnosed="relu before the sum")
def positive_weights_only():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        weights = torch.relu(g.mean((2, 3), keepdim=True))
        return torch.relu((weights * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="one weight for the batch")
def weights_of_the_batch():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((0, 2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="weights left out")
def plain_sum():
    import torch

    def grad_cam(features, head, image, target):
        return torch.relu(features(image).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="channel axis lost")
def without_the_channel():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1))


@wrong("grad_cam", diagnosed="maps not added up")
def a_picture_for_each_map():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu(g.mean((2, 3), keepdim=True) * maps.detach())


@wrong("grad_cam", diagnosed="scaled")
def scaled_for_a_picture():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        cam = torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))
        return cam / cam.amax((1, 2, 3), keepdim=True)


@wrong("grad_cam", diagnosed="stretched to the image")
def as_large_as_the_image():
    import torch
    import torch.nn.functional as F

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        cam = torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))
        return F.interpolate(cam, size=image.shape[2:], mode="bilinear", align_corners=False)


@wrong("grad_cam", diagnosed="of the loss")
def of_the_cross_entropy_as_in_training():
    import torch
    import torch.nn.functional as F

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        index = torch.as_tensor(target).expand(len(image))
        g = torch.autograd.grad(F.cross_entropy(head(maps), index), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="of the probability")
def of_the_log_probability():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        out = head(maps).log_softmax(1)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="all classes")
def target_unused():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        g = torch.autograd.grad(head(maps).sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="the predicted class")
def for_the_prediction():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        g = torch.autograd.grad(head(maps).amax(1).sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="every target for every image", loses=("a class for each image",))
def columns_of_logits():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        g = torch.autograd.grad(head(maps)[:, target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="a sample for a class")
def row_of_logits():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        g = torch.autograd.grad(head(maps)[target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="first image only")
def logit_of_the_first_image():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image).detach().requires_grad_()
        c = target if isinstance(target, int) else target[0]
        g = torch.autograd.grad(head(maps)[0, c], maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="maps computed twice")
def features_run_again():
    import torch

    def grad_cam(features, head, image, target):
        x = image.clone().requires_grad_()
        maps = features(x)
        out = head(features(x))
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="nothing to retain yet", loses=(AS_IT_WAS,))
def maps_as_they_come():
    import torch

    def grad_cam(features, head, image, target):
        maps = features(image)
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))


@wrong("grad_cam", diagnosed="the caller's image marked", loses=(AS_IT_WAS,))
def the_image_marked():
    import torch

    def grad_cam(features, head, image, target):
        image.requires_grad = True
        maps = features(image)
        out = head(maps)
        g = torch.autograd.grad(out[torch.arange(len(out)), target].sum(), maps)[0]
        return torch.relu((g.mean((2, 3), keepdim=True) * maps.detach()).sum(1, keepdim=True))
