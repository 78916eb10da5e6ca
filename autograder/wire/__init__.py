"""The wire format between sandbox and grader: plain data in frames.

Nothing here is unpickled, evaluated or imported by name. Both sides use this package; it knows nothing
about tasks, points or references.
"""
