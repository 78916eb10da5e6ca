"""Judging: an open pytest session runs the checks on evidence, within limits of time and memory.

It touches plain data only. Nothing here runs student code or depends on where the evidence came from.
"""
