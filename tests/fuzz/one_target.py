"""One target under atheris, in a process of its own: `python -m tests.fuzz.one_target NAME [libFuzzer's options]`."""

from __future__ import annotations

import importlib
import random
import sys
import warnings

import atheris

from tests.fuzz import TARGETS

AS_BYTES = 0.25
"""So many of the changes are libFuzzer's own, byte by byte; the others know what the bytes mean."""


def main() -> None:
    """Fuzz until libFuzzer's options say stop; a find ends the process with status 77."""
    name = sys.argv.pop(1)
    if name not in TARGETS:
        sys.exit(f"There is no target {name!r}; there are {', '.join(TARGETS)}.")
    warnings.simplefilter("ignore")
    with atheris.instrument_imports(include=list(TARGETS[name])):
        target = importlib.import_module(f"tests.fuzz.{name}")

    def mutator(data: bytes, longest: int, seed: int) -> bytes:
        chance = random.Random(seed)
        made = None if chance.random() < AS_BYTES else target.mutated(bytes(data), chance)
        return atheris.Mutate(bytes(data), longest) if made is None or len(made) > longest else made

    atheris.Setup(sys.argv, lambda data: target.check(bytes(data)), custom_mutator=mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
