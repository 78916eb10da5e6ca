"""The supervisor: a separate, warmed process that forks one confined sandbox for each submission.

It never reads a submission: the pipes of a new sandbox are handed to it and passed on. It knows nothing of
tasks, references, seeds or points, and imports of this package only what a sandbox itself needs.
"""
