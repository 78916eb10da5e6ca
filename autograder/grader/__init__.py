"""The grader: asks a sandbox, has the answers judged by the checks, and writes verdicts.

It runs no student code in its own process; only `live` does, in the student's own kernel.
"""
