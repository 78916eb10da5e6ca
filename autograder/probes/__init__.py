"""Probes: small named functions that run beside the student's code and observe it.

A probe returns observations (values, gradients, the inputs after the call, counts), never a judgement. This
package runs inside the sandbox and inside a student's notebook; it imports no reference, comparison or
check, and knows nothing about points.
"""

from autograder.probes.answering import answer
from autograder.probes.question import Question

__all__ = ["Question", "answer"]
