"""The student's side of the border: runs a notebook's cells and answers questions, and decides nothing.

It imports probes and the wire and nothing else of this package, and knows nothing of points.
"""
