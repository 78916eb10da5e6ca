"""Questions about a student's own program, made from its source and judged by running it: `about("task")`.

All right answers and nearly all wrong choices come from runs of the program on public inputs of its task, in the
student's own process. Nothing here is graded.
"""

from autograder.own_answers.asking import about

__all__ = ["about"]
