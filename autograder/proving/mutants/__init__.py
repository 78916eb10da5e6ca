"""Mutation testing of the published solutions: every small change that matters must lose points.

Cosmic Ray provides most operators and the interface for ours: it works on text in memory, and each operator has its own
examples. Its test runner starts a process for every mutant, so the runner is ours: one warm sandbox per core.

    operators/      the mutation operators, one file per kind of change
    making.py       from a solution's source to its distinct mutants
    bench.py        a warm sandbox that asks one mutant after another the task's questions
    equivalent.py   mutants that are equivalent to the solution, each with the reason
    figures.py      the mutation score of a task, as data
    __main__.py     `make mutants`
"""
