"""The grader: asks a sandbox, judges the answers with the checks, and writes verdicts.

Runs no student code. Only its custody of sandbox processes and the notebook's own door reach any.
"""
