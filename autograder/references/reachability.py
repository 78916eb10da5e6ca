"""How many backward nodes a pass runs, from the graph alone: a node runs if it leads to what was asked for."""

from __future__ import annotations

from collections.abc import Iterable

import torch


def nodes_between(output: torch.Tensor, inputs: Iterable[torch.Tensor]) -> int:
    """The nodes that a pass from `output` to `inputs` runs: those from which one of them can be reached.

    The nodes of the inputs themselves run only where another input lies behind them.
    """
    ends = {torch.autograd.graph.get_gradient_edge(one).node for one in inputs}
    leads: dict[object, bool] = {}

    def reaches(node: object) -> bool:
        if node not in leads:
            following = [one for one, _ in node.next_functions if one is not None]
            leads[node] = any([reaches(one) or one in ends for one in following])
        return leads[node]

    reaches(output.grad_fn)
    return sum(leads.values())
