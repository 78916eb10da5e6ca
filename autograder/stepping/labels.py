"""What sentences, tables and pictures call a node: no two nodes of a graph have the same label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from autograder.pictures.engines import MISSING, NAME, OPERATION, member, word
from autograder.pictures.parents import Parent
from autograder.pictures.text import clean, number
from autograder.stepping.right_sweep import Right

LONGEST = 14
"""Characters of a formula that serves as a label."""


def labels_of(found: Sequence[tuple[object, list[Parent]]], right: Right, names: Mapping[str, object]) -> list[str]:
    """Label each node: by its name, the label it stores, its formula, its operation, or a leaf's number.

    Args:
        found: the nodes, as `ancestors` gives them.
        right: tells what they compute.
        names: nodes by name.
    """
    named: dict[int, str] = {}
    for name, node in names.items():
        named.setdefault(id(node), clean(name, 24))
    own = [named.get(id(node)) or word(node, NAME) for node, _ in found]
    labels = [
        label or _formula(at, right, own) or _kind(node, parents)
        for at, (label, (node, parents)) in enumerate(zip(own, found, strict=True))
    ]
    return distinct(labels)


def distinct(labels: Sequence[str]) -> list[str]:
    """Number the labels that occur more than once: "+ #1", "+ #2"."""
    total, seen, found = Counter(labels), Counter[str](), []
    for label in labels:
        seen[label] += 1
        found.append(label if total[label] == 1 else f"{label} #{seen[label]}")
    return found


def _formula(at: int, right: Right, own: Sequence[str]) -> str:
    known, places = right.locals[at].known, right.locals[at].places
    if known is None:
        return ""
    parents = [own[place] for place in places]
    if not all(label.isidentifier() for label in parents):
        return ""  # only names: formulas within formulas would need brackets
    text = known.formula(parents)
    return text if len(text) <= LONGEST else ""


def _kind(node: object, parents: Sequence[Parent]) -> str:
    if parents:
        return word(node, OPERATION) or "node"
    value = member(node, "data")
    return "leaf" if value is MISSING else f"leaf {number(value)}"
