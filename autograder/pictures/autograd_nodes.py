"""What a picture shows of one autograd node: shape, value, gradient, saved tensors, hooks."""

from __future__ import annotations

import torch

from autograder.pictures.graph import NOT_KEPT, Node
from autograder.pictures.text import count, number

_SAVED = "_saved_"
_CUSTOM = "saved_tensors"  # what a custom Function saved
_ROOM = 18  # characters of a vector that fit into a box
# From torch's messages; a test fails when an upgrade changes them.
_FREED = "second time"
_CHANGED = "inplace operation"


def kind(function: torch.autograd.graph.Node) -> str:
    """Return an autograd node's name, such as MulBackward0, or that of a custom Function."""
    cls = type(function)
    custom = issubclass(cls, torch.autograd.function.BackwardCFunction)
    return cls.__name__ if custom else function.name().rpartition("::")[2]


def show_tensor(node: Node, tensor: torch.Tensor) -> None:
    """Write a tensor's value or shape, its gradient if it keeps one, and its hooks into a node."""
    node.value, node.value_label = _value_or_shape(tensor)
    # Reading any other tensor's gradient makes torch warn.
    if tensor.is_leaf or tensor.retains_grad:
        if tensor.requires_grad:
            node.gradient = "None" if tensor.grad is None else _value_or_shape(tensor.grad)[0]
    else:
        node.gradient = NOT_KEPT
    if tensor.retains_grad:
        node.notes.append("retains its gradient")
    hooks = len(tensor._backward_hooks or ())
    if hooks:
        node.notes.append(count(hooks, "hook"))
    after = len(getattr(tensor, "_post_accumulate_grad_hooks", None) or ())
    if after:
        node.notes.append(count(after, "post-accumulate hook"))


def leaf_details(node: Node, variable: torch.Tensor) -> list[str]:
    """Fill in a leaf that the caller did not name, and return no notes."""
    with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
        if not node.value:
            show_tensor(node, variable)
    return []


def details(node: Node, function: torch.autograd.graph.Node) -> list[str]:
    """Fill in the result's shape, unless its tensor has a name, and return notes on the saved tensors."""
    with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
        custom = isinstance(function, torch.autograd.function.BackwardCFunction)
        metadata = getattr(function, "_input_metadata", [])
        if not node.value and len(metadata) == 1:
            node.value, node.value_label = str(tuple(metadata[0].shape)), "shape"
        if custom:
            return ["custom Function", *_saved(_CUSTOM, function)]
        saved = [name for name in dir(function) if name.startswith(_SAVED)]
        return [note for name in saved for note in _saved(name, function)]


def _saved(attribute: str, function: torch.autograd.graph.Node) -> list[str]:
    """Return a note on the tensors saved under an attribute: "saved self: (2, 3)"; none if there are none."""
    name = attribute.removeprefix(_SAVED).replace("_", " ")
    label = "saved" if attribute == _CUSTOM else f"saved {name}"
    try:
        held = getattr(function, attribute)
    except RuntimeError as error:
        # torch raises it for freed tensors and for those changed in place since.
        reasons = {_FREED: "freed", _CHANGED: "changed in place"}
        reason = next((reasons[text] for text in reasons if text in str(error)), "unreadable")
        return [f"{label}: {reason}"]
    except Exception:  # a saved-tensor hook is the student's code
        return [f"{label}: unreadable"]
    tensors = held if isinstance(held, (tuple, list)) else [held]
    shapes = [str(tuple(tensor.shape)) for tensor in tensors if isinstance(tensor, torch.Tensor)]
    return [f"{label}: {', '.join(shapes)}"] if shapes else []


def _value_or_shape(tensor: torch.Tensor) -> tuple[str, str]:
    """Return a number or short vector and "value", or the shape of anything larger and "shape"."""
    try:
        if tensor.numel() == 1:
            return number(tensor.item()), "value"
        if tensor.dim() == 1 and 0 < tensor.numel() <= 4:
            text = f"[{', '.join(map(number, tensor.tolist()))}]"
            if len(text) <= _ROOM:
                return text, "value"
    except RuntimeError:
        pass  # it has no data: a meta tensor, or one that torch.func has wrapped
    return str(tuple(tensor.shape)), "shape"
