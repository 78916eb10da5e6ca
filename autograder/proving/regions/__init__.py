"""Regions: where an answer can be wrong, and mutants that are wrong only there.

A *region* is a named condition on one call of a task's function: an entry of `x` is 0, the result is asked for a second
time, `A` is a batch and `B` is not. Cases and mutants of code find how a line can be wrong, regions find what nobody
asks. Which regions a question asks is measured by running it, never asserted.

    vocabulary.py     the regions that arguments of each kind have
    declared.py       a task's `regions.toml`: own regions, those that the statement excludes, mutants that it allows
    targets.py        the function, or the methods of a class, whose calls have regions
    corruptions.py    the ways to spoil a result or a gradient
    surrounding.py    a published solution, watched or spoilt at some of its calls
    asking.py         a question put to a cell in this process, and whether a check fails the answer
    recording.py      which regions each question of a task asks
    mutants.py        the mutants of a task, and the seeds at which they keep all points
    figures.py        what is not asked every time, and which mutants survive
    __main__.py       `make region-mutants`
"""
