"""The supervisor: a separate, warmed process that forks one confined sandbox per submission.

It never reads a submission: it receives the pipes of a new sandbox and passes them on. It knows nothing about
tasks, references, seeds or points, and imports only those parts of this package that a sandbox needs itself.
"""
