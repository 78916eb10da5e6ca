"""Coverage-guided fuzzing of what reads students' bytes: the notebook reader, the answer decoder, the sanitiser.

Each target is a module with `check(data)`, which raises where an invariant does not hold, and `mutated(data, ...)`.
`make fuzz SECONDS=60` runs each so long; what it finds is minimised, printed and kept in build/fuzz/.
The seeds under corpora/ also run as ordinary tests, in tests/test_fuzz.py: add there what was found.
"""

from pathlib import Path

TARGETS = {
    "reader": ("autograder.notebooks", "autograder.nbgrader_plugin", "autograder.sanitising", "nbformat.v3"),
    "decoder": ("autograder.wire", "autograder.comparison"),
    "sanitiser": ("autograder.sanitising", "mistune", "nbconvert.filters"),
}
"""Each target with the modules whose coverage guides it."""
CORPORA = Path(__file__).parent / "corpora"
