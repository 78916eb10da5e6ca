"""Notebook files: parse untrusted ones defensively, write ours normalised. Imports neither torch nor pytest."""
