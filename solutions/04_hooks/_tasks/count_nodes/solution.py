import torch


def count_nodes(output: torch.Tensor, run) -> int:
    """Count the executions of backward nodes that a function causes in a tensor's graph.

    Args:
        output: the tensor whose graph is watched.
        run: a function without arguments, called once.

    Returns:
        The number of executions; 0 for a leaf.

    Raises:
        Exception: whatever run raises; no hook stays even then.
    """
    ### BEGIN SOLUTION
    nodes, to_visit = set(), [output.grad_fn]
    while to_visit:
        node = to_visit.pop()
        if node is not None and node not in nodes:  # skip nodes already met on another path
            nodes.add(node)
            to_visit.extend(following for following, _ in node.next_functions)

    executions = 0

    def count(gradients):
        nonlocal executions
        executions += 1

    handles = [node.register_prehook(count) for node in nodes]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return executions
    ### END SOLUTION
