"""What may cross the border between student code and the grader: plain data in frames.

Nothing here is unpickled, evaluated or imported by name. Both sides use this package; it knows nothing
of tasks, points or references.
"""
