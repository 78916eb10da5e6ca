"""From an engine's last node to all nodes behind it, choosing the attributes that mean "parents"."""

from __future__ import annotations

from autograder.pictures.parents import DIRECT, Parent, candidates, family, stored

MOST = 50_000  # nodes that are read at all; far more than a picture can tell apart
Found = dict[str, list[Parent]]  # attribute -> nodes in it
_USERS = ("users", "consumers", "used_by", "uses", "outputs", "outs", "successors")
_LOCAL = ("local", "grad", "deriv", "partial")


def lineage(output: object) -> list[tuple[object, list[Parent]]]:
    """Return the nodes that `output` is made from, itself first, each with its parents.

    Reading stops after `MOST` nodes; a parent may then be missing from the list.
    """
    found = _walk(output, leave_out=set())
    backwards = _backwards(found)
    if backwards:
        found = _walk(output, leave_out=backwards)
    return [(node, _parents(node, attributes)) for node, attributes in found]


def _walk(output: object, leave_out: set[str]) -> list[tuple[object, Found]]:
    classes = family(output)
    nodes, seen = [output], {id(output)}  # the list keeps all nodes alive, so ids stay theirs
    result = []
    for node in nodes:  # grows while it is read
        found = {name: held for name, held in candidates(node, classes).items() if name not in leave_out}
        result.append((node, found))
        # The last operand first: the reader of this list turns the whole order round.
        for parent, _ in reversed([pair for held in found.values() for pair in held]):
            if id(parent) not in seen and len(nodes) < MOST:
                seen.add(id(parent))
                nodes.append(parent)
    return result


def _backwards(found: list[tuple[object, Found]]) -> set[str]:
    """Return the attributes that lead from a node to its users: they mirror those of the parents."""
    arrows: dict[str, set[tuple[int, int]]] = {}
    for node, attributes in found:
        for name, held in attributes.items():
            arrows.setdefault(name, set()).update((id(node), id(parent)) for parent, _ in held)
    backwards = set()
    names = list(arrows)
    for position, one in enumerate(names):
        for other in names[position + 1 :]:
            if any((target, source) in arrows[other] for source, target in arrows[one]):
                backwards.add(_users(one, other, found[0][1]))
    return backwards


def _users(one: str, other: str, at_output: Found) -> str:
    """Of two attributes that mirror each other, tell which holds the users."""
    for name in (one, other):
        if name.strip("_") in _USERS:
            return name
    # Nothing uses the output yet; and what is known when a node is made is mostly stored first.
    return one if other in at_output and one not in at_output else other


def _parents(node: object, attributes: Found) -> list[Parent]:
    """Join what the attributes hold, without what is stored twice; lists with derivatives come first."""
    ranked = sorted(attributes.values(), key=lambda held: all(local is None for _, local in held))
    parents: list[Parent] = []
    known: set[int] = set()
    for held in ranked:
        if not {id(parent) for parent, _ in held} <= known:
            parents += [pair for pair in held if id(pair[0]) not in known]
            known.update(id(parent) for parent, _ in held)
    return _with_locals(node, parents, attributes)


def _with_locals(node: object, parents: list[Parent], attributes: Found) -> list[Parent]:
    """Add local derivatives that are kept in a second list beside the parents'."""
    if len(attributes) != 1 or DIRECT in attributes or any(local is not None for _, local in parents):
        return parents
    for name, content in stored(node).items():
        beside = type(content) in (tuple, list) and len(content) == len(parents)  # type: ignore[arg-type]
        if beside and any(word in name.lower() for word in _LOCAL):
            locals_ = list(content)  # type: ignore[call-overload]
            if all(type(local) in (int, float) for local in locals_):
                return [(parent, local) for (parent, _), local in zip(parents, locals_, strict=True)]
    return parents
