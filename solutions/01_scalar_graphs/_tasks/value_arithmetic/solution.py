import math


class Value:
    """A number that knows how it was made.

    Attributes:
        data: the number.
        inputs: what it was made from: pairs of a node and the derivative of this node with respect to it.
        grad: the derivative, with respect to this node, of the node on which backward() ran.
    """

    def __init__(self, data, inputs=()):
        """Make a node; a leaf has no inputs."""
        self.data = data
        self.inputs = inputs
        self.grad = 0.0

    def derivative(self, node):
        """Return the derivative of this node with respect to `node`: the products along paths, summed over all."""
        if node is self:
            return 1.0
        return sum(local * source.derivative(node) for source, local in self.inputs)

    def __add__(self, other):
        """Return self + other; `other` is a Value or a number."""
        ### BEGIN SOLUTION
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, [(self, 1.0), (other, 1.0)])
        ### END SOLUTION

    def __mul__(self, other):
        """Return self * other; `other` is a Value or a number."""
        ### BEGIN SOLUTION
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, [(self, other.data), (other, self.data)])
        ### END SOLUTION

    def __neg__(self):
        """Return -self."""
        ### BEGIN SOLUTION
        return Value(-self.data, [(self, -1.0)])
        ### END SOLUTION

    def __sub__(self, other):
        """Return self - other; `other` is a Value or a number."""
        ### BEGIN SOLUTION
        return self + (-other)
        ### END SOLUTION

    def __truediv__(self, other):
        """Return self / other; `other` is a Value or a number."""
        ### BEGIN SOLUTION
        other = other if isinstance(other, Value) else Value(other)
        quotient = self.data / other.data
        return Value(quotient, [(self, 1 / other.data), (other, -quotient / other.data)])
        ### END SOLUTION

    def __pow__(self, exponent):
        """Return self ** exponent; `exponent` is a number, or a Value if self.data is positive."""
        ### BEGIN SOLUTION
        n = exponent.data if isinstance(exponent, Value) else exponent
        power = self.data**n
        inputs = [(self, n * self.data ** (n - 1) if n else 0.0)]
        if isinstance(exponent, Value):
            inputs.append((exponent, power * math.log(self.data)))
        return Value(power, inputs)
        ### END SOLUTION

    def __radd__(self, number):
        """Return number + self."""
        ### BEGIN SOLUTION
        return self + number
        ### END SOLUTION

    def __rmul__(self, number):
        """Return number * self."""
        ### BEGIN SOLUTION
        return self * number
        ### END SOLUTION

    def __rsub__(self, number):
        """Return number - self."""
        ### BEGIN SOLUTION
        return Value(number) - self
        ### END SOLUTION

    def __rtruediv__(self, number):
        """Return number / self."""
        ### BEGIN SOLUTION
        return Value(number) / self
        ### END SOLUTION

    def __rpow__(self, number):
        """Return number ** self; the number is positive."""
        ### BEGIN SOLUTION
        return Value(number) ** self
        ### END SOLUTION
