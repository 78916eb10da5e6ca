"""Mutation testing of the published solutions: every small change that matters must lose points.

The operators are Cosmic Ray's where it has them, for its operator interface works on text in memory and each
operator brings its own examples; ours stand beside them in the same form. Its test runner starts a process
for every mutant, so the runner is ours: one warm sandbox per core.

    operators/      what is changed: one file per kind of change
    making.py       from a solution's source to its mutants, each once
    engine.py       the scalar engine's own mutants
    bench.py        a warm sandbox in which one mutant after another is asked the task's questions
    equivalent*     mutants that behave as the solution does, each with the reason
    scores.py       the figures of a task, as data
    __main__.py     `make mutants`
"""
