"""Class grading: many submissions on all cores or on a cluster, in three stages, each of which can be repeated.

1. *Answers*: a worker runs a submission in a sandbox; its answers are kept in a file, named by what they depend on.
2. *Verdicts*: computed from answers alone, with the graded notebook and its scores.
3. *Gradebook*: the coordinator writes the notebook and records the scores of many submissions in one transaction.
"""
