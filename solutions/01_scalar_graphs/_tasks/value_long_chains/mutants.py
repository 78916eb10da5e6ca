"""Mutants of the pass."""

from __future__ import annotations

from ..engine_mutants import of_backward as mutants

__all__ = ["mutants"]
