"""The sanitiser: it removes active content from a student's notebook before anybody else's browser shows it.

`html` is the policy, `markdown` and `inert_outputs` apply it to what nbconvert renders, `inert_notebook` walks the
cells. Nothing here imports torch or pytest, because it runs inside nbgrader and the Jupyter server.
"""
