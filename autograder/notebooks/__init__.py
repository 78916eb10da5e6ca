"""Notebook files: read with suspicion, written clean. Imports neither torch nor pytest."""
