def path_sum(edges: list[tuple[str, str, float]], start: str, end: str) -> float:
    """Compute the derivative of `end` with respect to `start` as a sum over paths.

    Args:
        edges: (from, to, local derivative) of a graph without cycles, in any order.
        start: the name of the node where the paths begin.
        end: the name of the node where they end.

    Returns:
        The product of the local derivatives along each path, summed over all paths; 0 if there is no path.
    """
    ### BEGIN SOLUTION
    from collections import defaultdict
    from functools import cache

    leaving = defaultdict(list)
    for source, target, local in edges:
        leaving[source].append((target, local))

    @cache  # each node is worked out once, however many paths lead through it
    def from_here(node):
        if node == end:
            return 1.0
        return sum(local * from_here(target) for target, local in leaving[node])

    return float(from_here(start))
    ### END SOLUTION
