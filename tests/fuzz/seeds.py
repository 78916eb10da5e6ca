"""`python -m tests.fuzz.seeds` writes the seeds that the repository's own notebooks and attacks make."""

from __future__ import annotations

import importlib

from tests.fuzz import CORPORA, TARGETS


def main() -> None:
    """Write them into corpora/; files that were found by fuzzing, found-*, stay."""
    for name in TARGETS:
        folder = CORPORA / name
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("seed-*"):
            old.unlink()
        for seed, data in importlib.import_module(f"tests.fuzz.{name}").seeds().items():
            (folder / f"seed-{seed}").write_bytes(data)


if __name__ == "__main__":
    main()
