import math


def relu(self):
    """Return a node with the number of self where it is positive, else 0."""
    ### BEGIN SOLUTION
    return Value(max(self.data, 0.0), [(self, 1.0 if self.data > 0 else 0.0)])
    ### END SOLUTION


def exp(self):
    """Return e to the power of self, as a new node."""
    ### BEGIN SOLUTION
    result = math.exp(self.data)
    return Value(result, [(self, result)])
    ### END SOLUTION


def log(self):
    """Return the natural logarithm of self, which is positive, as a new node."""
    ### BEGIN SOLUTION
    return Value(math.log(self.data), [(self, 1 / self.data)])
    ### END SOLUTION


def tanh(self):
    """Return the hyperbolic tangent of self, as a new node."""
    ### BEGIN SOLUTION
    t = math.tanh(self.data)
    return Value(t, [(self, 1 - t * t)])
    ### END SOLUTION


Value.relu, Value.exp, Value.log, Value.tanh = relu, exp, log, tanh
