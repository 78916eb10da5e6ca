def backward(self):
    """Fill the gradients as before, in graphs with any number of paths and in chains of 10,000 nodes."""
    ### BEGIN SOLUTION
    # A list of what is still to be done stands in for recursion, which would end at a depth of 1,000.
    # A node comes up twice: once to put its inputs before it, once to take its own place.
    order, seen, waiting = [], set(), [(self, False)]
    while waiting:
        node, inputs_done = waiting.pop()
        if inputs_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            waiting.append((node, True))
            waiting.extend((source, False) for source, _ in node.inputs)

    for node in order:
        if node.inputs:
            node.grad = 0.0  # what an earlier pass left here must not be passed on again
    self.grad += 1.0
    for node in reversed(order):
        for source, local in node.inputs:
            source.grad += local * node.grad
    ### END SOLUTION


try:
    backward(Value(1.0))
except NotImplementedError:
    pass  # until it is written, the backward of the task before stays
else:
    Value.backward = backward
