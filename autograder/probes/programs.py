"""Run a short program with a student's class in it and observe every node that the program names."""

from __future__ import annotations

from autograder.probes.answering import find, probe


@probe
def run_program(namespace: dict, target: str, program: str) -> dict:
    """Run `program`, Python text that uses the class `target`, as a student could run it in a cell.

    Returns:
        `name.data` and `name.grad` of each object that the program names; None where it has no such
        attribute.
    """
    student_class = find(namespace, target)
    scope = {target: student_class}
    exec(compile(program, "<program>", "exec"), scope)
    del scope["__builtins__"], scope[target]
    return {
        f"{name}.{attribute}": getattr(node, attribute, None)
        for name, node in scope.items()
        if not isinstance(node, int)  # a loop's counter
        for attribute in ("data", "grad")
    }
