"""What a student's notebook may show on the pages of others: reduced to what cannot run.

`html` is the policy, `markdown` and `outputs` apply it to what nbconvert renders, `notebook` walks the cells.
Imports neither torch nor pytest, for it runs inside nbgrader and the Jupyter server.
"""
