"""Serialise values as plain data: a JSON tree and one string of raw tensor bytes.

`encode` meets objects that a student made, so it never calls their methods: it looks at exact types and uses
those of the base classes, because an overridden `__iter__`, `__eq__` or `__repr__` may lie, loop or raise.
`decode` builds numbers, strings, lists, tuples, dicts, tensors and the dataclasses below, and nothing else.
"""

from __future__ import annotations

import dataclasses
import math
import sys
from collections.abc import Callable
from typing import Any

DEEPEST = 16
MOST_ITEMS = 200_000
MOST_BYTES = 64 << 20
LONGEST_TEXT = 20_000
ANSWER_ITEMS = 20_000
"""Items in one answer; the course's own answers have 650 at most."""
ANSWER_TEXT = 4 << 20
"""Bytes of JSON for all strings of one answer."""
DTYPES = frozenset(
    {"bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"}
    | {"float16", "bfloat16", "float32", "float64", "complex64", "complex128"}
)
"""The dtypes of tensors that can be encoded: torch cannot compare, print or even index its other dtypes."""


class TooLargeError(ValueError):
    """An answer has more items, levels or bytes than any task needs."""


@dataclasses.dataclass(frozen=True)
class Foreign:
    """A placeholder for an object that cannot be encoded: a module, a function, an instance of a student's class."""

    type_name: str


@dataclasses.dataclass(frozen=True)
class Absent:
    """An observed expression that raised an exception and so has no value.

    Attributes:
        because: what was None in it, "`result` is None", or the exception's class name.
    """

    because: str


@dataclasses.dataclass(frozen=True)
class SeenTensor:
    """A tensor as the other side observed it.

    Attributes:
        data: the numbers, on the CPU, detached.
        device: the device it was on: "cpu", "cuda:0", ...
        requires_grad: its flag when it was observed.
        is_leaf: whether it was a leaf when it was observed.
        asked: the type of device that the question was asked on, where the tensor should have been.
    """

    data: Any
    device: str
    requires_grad: bool
    is_leaf: bool
    asked: str = "cpu"


@dataclasses.dataclass(frozen=True)
class Specimen:
    """A function or model as data: a family that both sides know and the coefficients of one member."""

    family: str
    coefficients: dict[str, Any] = dataclasses.field(default_factory=dict)


class Encoder:
    """Encodes one value and collects the bytes of its tensors."""

    def __init__(self, most_items: int = MOST_ITEMS, most_text: int = MOST_BYTES) -> None:
        self.blob = bytearray()
        self.items = self.text = 0
        self._most_items, self._most_text = most_items, most_text

    def encode(self, value: Any, depth: int = 0) -> Any:
        """Return the JSON tree for `value`.

        Raises:
            TooLargeError: if it exceeds a limit at the top of this file.
        """
        self.items += 1
        if depth > DEEPEST or self.items > self._most_items:
            raise TooLargeError("more than any task asks for")
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is int:
            return value if -(2**63) <= value < 2**63 else {"t": "foreign", "type": "int beyond 64 bits"}
        if kind is str:
            return self._string(value[:LONGEST_TEXT])
        if kind is Absent:
            return {"t": "absent", "because": value.because}
        if kind is Specimen:
            return {"t": "specimen", "family": value.family, "v": self._pairs(value.coefficients, depth)}
        if issubclass(kind, list):
            return {"t": "list", "v": [self.encode(item, depth + 1) for item in list.__iter__(value)]}
        if issubclass(kind, tuple):
            return {"t": "tuple", "v": [self.encode(item, depth + 1) for item in tuple.__iter__(value)]}
        if issubclass(kind, dict):
            return {"t": "dict", "v": self._pairs(value, depth)}
        return self._number_or_foreign(value, kind, depth)

    def _string(self, value: str) -> str:
        self.text += len(value) if value.isascii() and value.isprintable() else 12 * len(value)  # as \\u escapes
        if self.text > self._most_text:
            raise TooLargeError("more text than any task asks for")
        return value

    def _pairs(self, value: dict[Any, Any], depth: int) -> list[Any]:
        pairs = list(dict.items(value))
        return [[self.encode(key, depth + 1), self.encode(item, depth + 1)] for key, item in pairs]

    def _number_or_foreign(self, value: Any, kind: type, depth: int) -> Any:
        torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
        if torch is not None and kind in (torch.Tensor, torch.nn.Parameter):
            return self._tensor(value, torch)
        if numpy is not None and issubclass(kind, numpy.generic) and kind.__module__ == "numpy":
            return self.encode(value.item(), depth + 1)
        if torch is not None and numpy is not None and kind is numpy.ndarray and value.dtype.kind in "fiub":
            return self._tensor(torch.from_numpy(value.copy()), torch)
        return {"t": "foreign", "type": _type_name(kind)}

    def _tensor(self, value: Any, torch: Any) -> dict[str, Any]:
        with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
            if value.layout is not torch.strided or value.is_quantized or value.device.type == "meta":
                return {"t": "foreign", "type": f"tensor with layout {value.layout} on {value.device}"}
            if (dtype := str(value.dtype).removeprefix("torch.")) not in DTYPES:
                return {"t": "foreign", "type": f"tensor of dtype {dtype}"}
            self.items += value.dim()
            if value.numel() * value.element_size() + len(self.blob) > MOST_BYTES or self.items > self._most_items:
                raise TooLargeError("more bytes than any task asks for")
            # `contiguous` would keep the stride 0 that an expanded gradient has on axes of length 1.
            plain = value.detach().cpu().resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format)
            raw = bytes(plain.reshape(-1).view(torch.uint8).numpy()) if plain.numel() else b""
        start = len(self.blob)
        self.blob += raw
        return {
            "t": "tensor",
            "dtype": dtype,
            "shape": list(value.shape),
            "device": str(value.device),
            "requires_grad": bool(value.requires_grad),
            "leaf": bool(value.is_leaf),
            "at": [start, len(raw)],
        }


def encode(value: Any) -> tuple[Any, bytes]:
    """Return the JSON tree and the raw bytes of `value`.

    Raises:
        TooLargeError: if it exceeds a limit at the top of this file.
    """
    encoder = Encoder()
    return encoder.encode(value), bytes(encoder.blob)


def encode_answer(value: Any) -> tuple[Any, bytes]:
    """Return the JSON tree and the raw bytes of an answer, which has tighter limits than a question.

    Raises:
        TooLargeError: if the answer exceeds them.
    """
    encoder = Encoder(ANSWER_ITEMS, ANSWER_TEXT)
    return encoder.encode(value), bytes(encoder.blob)


def has_nan(value: Any, depth: int = 0) -> bool:
    """Return whether a float or a plain tensor in a nested structure is or contains nan."""
    torch, kind = sys.modules.get("torch"), type(value)
    if kind is float:
        return math.isnan(value)
    if depth <= DEEPEST and kind in (list, tuple):
        return any(has_nan(item, depth + 1) for item in value)
    if depth <= DEEPEST and kind is dict:
        return any(has_nan(item, depth + 1) for item in value.values())
    if torch is not None and kind in (torch.Tensor, torch.nn.Parameter) and value.layout is torch.strided:
        return bool(torch.isnan(value.detach()).any())
    return False


def decode(
    tree: Any,
    blob: bytes,
    *,
    most_items: int = MOST_ITEMS,
    tensor: Callable[[SeenTensor], Any] = lambda seen: seen,
    specimen: Callable[[Specimen], Any] = lambda specimen: specimen,
) -> Any:
    """Rebuild the value that `encode` was given, in no more memory than the tree and the bytes take.

    Args:
        tree: the JSON tree.
        blob: the raw bytes of its tensors.
        most_items: the most values and tensor axes that it may have.
        tensor: makes the result for a tensor (the sandbox makes a real one on the right device).
        specimen: makes the result for a specimen (the sandbox builds the function or model).

    Raises:
        TooLargeError: if the tree has more items.
        ValueError: if `encode` cannot have made the tree, for instance where two tensors share bytes.
    """
    items = taken = 0

    def build(node: Any, depth: int) -> Any:
        nonlocal items, taken
        items += 1
        if items > most_items:
            raise TooLargeError("more than the task asks for")
        if depth > DEEPEST + 1:
            raise ValueError("not plain data")
        if node is None or type(node) in (bool, float):
            return node
        if type(node) is str:
            return _text(node)
        if type(node) is int:
            return _int(node)
        if type(node) is not dict:
            raise ValueError("not plain data")
        kind = node.get("t")
        if kind in ("list", "tuple"):
            entries = [build(item, depth + 1) for item in _list(node.get("v"))]
            return entries if kind == "list" else tuple(entries)
        if kind in ("dict", "specimen"):
            pairs = [_list(pair) for pair in _list(node.get("v"))]
            try:
                made = {build(key, depth + 1): build(item, depth + 1) for key, item in pairs}
            except TypeError as error:
                raise ValueError("not plain data") from error
            return made if kind == "dict" else specimen(Specimen(_text(node.get("family")), made))
        if kind == "foreign":
            return Foreign(_text(node.get("type"))[:200])
        if kind == "absent":
            return Absent(_text(node.get("because"))[:100])
        if kind == "tensor":
            seen = _seen_tensor(node, blob)
            items += seen.data.dim()
            taken += seen.data.numel() * seen.data.element_size()
            if taken > len(blob):
                raise ValueError("not plain data")
            return tensor(seen)
        raise ValueError("not plain data")

    return build(tree, 0)


def _seen_tensor(node: dict[str, Any], blob: bytes) -> SeenTensor:
    import torch  # here, because a process that handles no tensors should not load it

    if (name := _text(node.get("dtype"))) not in DTYPES:
        raise ValueError("not plain data")
    dtype, device = getattr(torch, name), _text(node.get("device"))
    try:
        torch.device(device)
    except RuntimeError as error:
        raise ValueError("not plain data") from error
    shape = _list(node.get("shape"))
    at = _list(node.get("at"))
    if len(at) != 2 or any(type(n) is not int or n < 0 for n in [*shape, *at]) or len(shape) > 32:
        raise ValueError("not plain data")
    _int(math.prod(n or 1 for n in shape))  # torch's product overflows even where another axis is empty
    start, size = at
    count = math.prod(shape)
    if count * dtype.itemsize != size or start + size > len(blob):
        raise ValueError("not plain data")
    if size:
        flat = torch.frombuffer(bytearray(blob[start : start + size]), dtype=torch.uint8).view(dtype)
    else:
        flat = torch.empty(0, dtype=dtype)
    return SeenTensor(
        flat.reshape(shape),
        device,
        node.get("requires_grad") is True,
        node.get("leaf") is True,
    )


def _int(value: int) -> int:
    """Return the number if it fits in 64 bits: `encode` sends no others, and no others fit into a tensor."""
    if not -(2**63) <= value < 2**63:
        raise ValueError("not plain data")
    return value


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise ValueError("not plain data")
    return value


def _text(value: Any) -> str:
    if type(value) is not str or len(value) > LONGEST_TEXT:
        raise ValueError("not plain data")
    return value


def _type_name(kind: type) -> str:
    """Return the class's name as `type` stores it, which a metaclass cannot override."""
    return str(type.__dict__["__name__"].__get__(kind))[:100]
