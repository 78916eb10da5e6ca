"""Mutants of the functions."""

from __future__ import annotations

from ..engine_mutants import of_operations


def mutants(source: str) -> list[tuple[str, str]]:
    """For each what is changed, and the changed cell."""
    return of_operations(source, ("relu", "exp", "log", "tanh"))
