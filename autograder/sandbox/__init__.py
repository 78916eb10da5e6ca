"""The sandbox: runs a notebook's cells and answers questions about them, and judges nothing.

It imports only `probes` and `wire` of this package, and knows nothing about points.
"""
