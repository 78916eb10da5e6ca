"""Prove a task: its two sources agree, its inputs separate its mistakes, its answers get the right verdicts.

Each problem is reported as a sentence; a task without problems is proved. `autograder check-task` prints the sentences,
and the course's tests assert that there are none.
"""
