"""How often `explain_gradient` says why: right Functions, thousands of mutants of their `backward`, what each is told.

    functions/      the right ones, with typical inputs
    kinds.py        the kinds of mutations
    changing.py     from a Function to its mutants
    judging.py      what a mutant is told, and whether another draw tells it the same
    table.py        the figures as Markdown
    __main__.py     `make explained`

A relation is believed only if explaining the mutant with another draw says the same relation.
"""
