"""Every seed of the fuzzers, and every input that they ever found wanting, keeps its target's invariants."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.fuzz import CORPORA, TARGETS

SEEDS = sorted(path for name in TARGETS for path in (CORPORA / name).iterdir())


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_a_seed_keeps_the_invariants(seed: Path) -> None:
    importlib.import_module(f"tests.fuzz.{seed.parent.name}").check(seed.read_bytes())
