"""Mutants of the operators."""

from __future__ import annotations

from ..engine_mutants import of_operations, of_reflected


def mutants(source: str) -> list[tuple[str, str]]:
    """For each what is changed, and the changed cell."""
    return [*of_operations(source, ("__add__", "__mul__", "__neg__", "__truediv__", "__pow__")), *of_reflected(source)]
