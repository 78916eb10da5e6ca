"""Values as plain data: a JSON tree beside one string of raw tensor bytes.

`encode` meets objects that a student made, so it asks nothing of them: it looks at exact types and uses
the base classes' own methods, never an `__iter__`, `__eq__` or `__repr__` that may lie, loop or raise.
`decode` builds numbers, strings, lists, tuples, dicts, tensors and `Foreign` objects, and nothing else.
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
"""In one answer; those of the course have 650 at most."""
ANSWER_TEXT = 4 << 20
"""Bytes of JSON that the strings of one answer may take."""
DTYPES = frozenset(
    {"bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"}
    | {"float16", "bfloat16", "float32", "float64", "complex64", "complex128"}
)
"""Of tensors that travel: torch cannot compare, print or even read single numbers of its other dtypes."""


class TooLargeError(ValueError):
    """An answer with more items, levels or bytes than any task asks for."""


@dataclasses.dataclass(frozen=True)
class Foreign:
    """An object of a type that does not travel: a module, a function, a student's class."""

    type_name: str


@dataclasses.dataclass(frozen=True)
class Absent:
    """The observation that there was nothing to see.

    Attributes:
        because: the exception's class that looking ended in.
    """

    because: str


@dataclasses.dataclass(frozen=True)
class SeenTensor:
    """A tensor as it was on the other side.

    Attributes:
        data: the numbers, on the CPU, detached.
        device: "cpu", "cuda:0", ... where it was.
        requires_grad: as found.
        is_leaf: as found.
        asked: the type of device where the question was asked, which is where it should have been.
    """

    data: Any
    device: str
    requires_grad: bool
    is_leaf: bool
    asked: str = "cpu"


@dataclasses.dataclass(frozen=True)
class Specimen:
    """A function or model as data: a family known to both sides and the numbers that make a member of it."""

    family: str
    coefficients: dict[str, Any] = dataclasses.field(default_factory=dict)


class Encoder:
    """Collects one tree and its bytes."""

    def __init__(self, most_items: int = MOST_ITEMS, most_text: int = MOST_BYTES) -> None:
        self.blob = bytearray()
        self.items = self.text = 0
        self._most_items, self._most_text = most_items, most_text

    def encode(self, value: Any, depth: int = 0) -> Any:
        """The JSON tree for `value`.

        Raises:
            TooLargeError: beyond the limits at the head of this file.
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

    def _pairs(self, value: dict, depth: int) -> list:
        pairs = list(dict.items(value))
        return [[self.encode(key, depth + 1), self.encode(item, depth + 1)] for key, item in pairs]

    def _number_or_foreign(self, value: Any, kind: type, depth: int) -> Any:
        torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
        if torch is not None and kind in (torch.Tensor, torch.nn.Parameter):
            return self._tensor(value, torch)
        if numpy is not None and issubclass(kind, numpy.generic) and kind.__module__ == "numpy":
            return self.encode(value.item(), depth + 1)
        if torch is not None and kind is numpy.ndarray and value.dtype.kind in "fiub":
            return self._tensor(torch.from_numpy(value.copy()), torch)
        return {"t": "foreign", "type": _type_name(kind)}

    def _tensor(self, value: Any, torch: Any) -> dict:
        with torch._C.DisableTorchFunctionSubclass(), torch.no_grad():
            if value.layout is not torch.strided or value.is_quantized or value.device.type == "meta":
                return {"t": "foreign", "type": f"tensor with layout {value.layout} on {value.device}"}
            if (dtype := str(value.dtype).removeprefix("torch.")) not in DTYPES:
                return {"t": "foreign", "type": f"tensor of dtype {dtype}"}
            self.items += value.dim()
            if value.numel() * value.element_size() + len(self.blob) > MOST_BYTES or self.items > self._most_items:
                raise TooLargeError("more bytes than any task asks for")
            # `contiguous` would keep the odd strides of axes with one entry, as an expanded gradient has them.
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
    """`value` as (JSON tree, raw bytes)."""
    encoder = Encoder()
    return encoder.encode(value), bytes(encoder.blob)


def encode_answer(value: Any) -> tuple[Any, bytes]:
    """The same for an answer, which has less room than a question.

    Raises:
        TooLargeError: where it needs more.
    """
    encoder = Encoder(ANSWER_ITEMS, ANSWER_TEXT)
    return encoder.encode(value), bytes(encoder.blob)


def has_nan(value: Any, depth: int = 0) -> bool:
    """Whether nan is among the floats and plain tensors of a structure."""
    torch, kind = sys.modules.get("torch"), type(value)
    if kind is float:
        return value != value
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
    """The value that `encode` was given.

    Args:
        tree: the JSON tree.
        blob: the raw bytes beside it.
        most_items: how many values, and axes of tensors, it may have.
        tensor: what to make of a tensor (the sandbox makes a real one on the right device).
        specimen: what to make of a specimen (the sandbox builds the function or model).

    Raises:
        TooLargeError: for a tree with more items.
        ValueError: for a tree that `encode` cannot have made. What is built takes no more memory than the tree and
            the bytes: no byte belongs to two tensors.
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


def _seen_tensor(node: dict, blob: bytes) -> SeenTensor:
    import torch

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
    _int(math.prod(n or 1 for n in shape))  # torch multiplies them, zeros or not
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
    """The number, if it has 64 bits: only these are sent, and only these fit into a float or a tensor."""
    if not -(2**63) <= value < 2**63:
        raise ValueError("not plain data")
    return value


def _list(value: Any) -> list:
    if type(value) is not list:
        raise ValueError("not plain data")
    return value


def _text(value: Any) -> str:
    if type(value) is not str or len(value) > LONGEST_TEXT:
        raise ValueError("not plain data")
    return value


def _type_name(kind: type) -> str:
    """The class's name as `type` itself knows it: a metaclass may not answer for it."""
    return str(type.__dict__["__name__"].__get__(kind))[:100]
