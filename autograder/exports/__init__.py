"""Exports of scores to learning platforms: Canvas, Moodle, Gradescope.

The classes are plug-ins of `nbgrader export`, named by dotted path; docs/exports.md shows how.
"""
