"""The ancestors of a scalar engine's output, found by guessing which attributes hold parents."""

from __future__ import annotations

from autograder.pictures.parents import DIRECT, Parent, candidates, family, stored

MOST = 50_000  # nodes that are read; far more than a picture can tell apart
Found = dict[str, list[Parent]]  # by attribute, the nodes in it
_USERS = ("users", "consumers", "used_by", "uses", "outputs", "outs", "successors")
_LOCAL = ("local", "grad", "deriv", "partial", "slope")


def ancestors(output: object) -> list[tuple[object, list[Parent]]]:
    """Return `output` and the nodes it was computed from, each with its parents.

    Reading stops after `MOST` nodes; a parent may then be missing from the list.
    """
    found = _walk(output, leave_out=set())
    backwards = _backwards(found)
    if backwards:
        found = _walk(output, leave_out=backwards)
    return [(node, _parents(node, attributes)) for node, attributes in found]


def _walk(output: object, leave_out: set[str]) -> list[tuple[object, Found]]:
    classes = family(output)
    nodes, seen = [output], {id(output)}  # the list keeps all nodes alive, so that no id is reused
    result = []
    for node in nodes:  # the list grows in the loop
        found = {name: held for name, held in candidates(node, classes).items() if name not in leave_out}
        result.append((node, found))
        # The last operand first: `read_engine` reverses the whole order.
        for parent, _ in reversed([pair for held in found.values() for pair in held]):
            if id(parent) not in seen and len(nodes) < MOST:
                seen.add(id(parent))
                nodes.append(parent)
    return result


def _backwards(found: list[tuple[object, Found]]) -> set[str]:
    """Return the attributes that lead from a node to its users: their edges reverse those to the parents."""
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
    """Return which of two mutually inverse attributes holds the users."""
    for name in (one, other):
        if name.strip("_") in _USERS:
            return name
    # Nothing uses the output yet; and parents, known when a node is made, are mostly stored first.
    return one if other in at_output and one not in at_output else other


def _parents(node: object, attributes: Found) -> list[Parent]:
    """Join the parents from all attributes, without repetitions; lists with local derivatives come first."""
    ranked = sorted(attributes.values(), key=lambda held: all(local is None for _, local in held))
    parents: list[Parent] = []
    known: set[int] = set()
    for held in ranked:
        if not {id(parent) for parent, _ in held} <= known:
            parents += [pair for pair in held if id(pair[0]) not in known]
            known.update(id(parent) for parent, _ in held)
    return _with_locals(node, parents, attributes)


def _with_locals(node: object, parents: list[Parent], attributes: Found) -> list[Parent]:
    """Add the local derivatives from a second list that runs parallel to the parents', if there is one."""
    if len(attributes) != 1 or DIRECT in attributes or any(local is not None for _, local in parents):
        return parents
    for name, content in stored(node).items():
        if not (type(content) is tuple or type(content) is list) or len(content) != len(parents):
            continue
        if any(word in name.lower() for word in _LOCAL) and all(type(local) in (int, float) for local in content):
            return [(parent, local) for (parent, _), local in zip(parents, content, strict=True)]
    return parents
