"""Class grading: many submissions, all cores, three stages that each can be repeated.

1. *Answers*: a worker runs a submission in a sandbox; what came back is a file, named by what it depends on.
2. *Verdicts*: computed from answers alone.
3. *Gradebook*: nbgrader's own conversion, one writer, with the outputs that the first two stages made.
"""
