"""`make rooms`: draw docs/pictures/rooms.svg, the rooms of the engine and their imports, from the code itself.

An arrow is left out where a longer way leads from one room to the other. What each room is for, its docstring says.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import grimp
import networkx
import pygraphviz

COURSE = Path(__file__).parent.parent
PICTURE = COURSE / "docs" / "pictures" / "rooms.svg"
DOORS = ("command_line", "notebook", "pytest_plugin")
SANDBOXED = ("probes", "sandbox", "wire")
FOUNDATIONS = 2
"""The lowest layers serve all others, and are not drawn."""


def layers() -> list[list[str]]:
    """Read the rooms from the rule that holds their order, the highest first."""
    settings = tomllib.loads((COURSE / "pyproject.toml").read_text(encoding="utf-8"))
    rule = next(one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    return [layer.split(" | ") for layer in rule["layers"]]


def imports() -> networkx.DiGraph:
    """Make the graph of which room imports from which."""
    modules = grimp.build_graph("autograder", cache_dir=None)
    rooms = [name for layer in layers()[:-FOUNDATIONS] for name in layer]
    graph = networkx.DiGraph()
    graph.add_nodes_from(rooms)
    for one in rooms:
        for other in rooms:
            if one != other and modules.direct_import_exists(
                importer=f"autograder.{one}", imported=f"autograder.{other}", as_packages=True
            ):
                graph.add_edge(one, other)
    return networkx.transitive_reduction(graph)


def draw(path: Path = PICTURE) -> None:
    """Draw the rooms with Graphviz, the doors at the top."""
    drawn = pygraphviz.AGraph(directed=True, strict=True)
    drawn.graph_attr.update(rankdir="TB", nodesep="0.25", ranksep="0.35", bgcolor="white")
    drawn.node_attr.update(shape="box", style="rounded", fontname="sans-serif", fontsize="12")
    drawn.edge_attr.update(color="#555555", arrowsize="0.7")
    for room in sorted(imports().nodes):
        filled = {"style": "rounded,filled", "fillcolor": "#fde9d0" if room in SANDBOXED else "#dcebf7"}
        drawn.add_node(room, **(filled if room in (*DOORS, *SANDBOXED) else {}))
    drawn.add_edges_from(sorted(imports().edges))
    drawn.draw(path, format="svg", prog="dot")


if __name__ == "__main__":
    draw()
