"""Class grading: many submissions on all cores or on a cluster, in three stages, each of which can be repeated.

1. *Answers*: a worker runs a submission in a sandbox and keeps its answers in a file, named by what they depend on.
2. *Verdicts*: computed from answers alone.
3. *Gradebook*: a single writer runs nbgrader's own conversion on the outputs of the first two stages.
"""
