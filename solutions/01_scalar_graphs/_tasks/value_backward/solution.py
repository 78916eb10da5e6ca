def backward(self):
    """Fill `.grad` of this node and of every node that it was made from; in leaves it adds up over calls."""
    ### BEGIN SOLUTION
    order, seen = [], set()

    def visit(node):
        if id(node) not in seen:
            seen.add(id(node))
            for source, _ in node.inputs:
                visit(source)
            order.append(node)  # after all that went into it

    visit(self)
    for node in order:
        if node.inputs:
            node.grad = 0.0  # what an earlier pass left here must not be passed on again
    self.grad += 1.0
    for node in reversed(order):
        for source, local in node.inputs:
            source.grad += local * node.grad
    ### END SOLUTION


Value.backward = backward
