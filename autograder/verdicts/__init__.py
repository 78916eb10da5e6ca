"""Verdicts: what a task earned and why, as data, as text and as HTML."""
