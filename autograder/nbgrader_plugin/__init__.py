"""nbgrader's documented traits, filled by this course. Imports neither torch nor pytest.

Execution (`Grade`), repair of cells from the gradebook (`Repair`), active content (`Sanitise`), scores that leave
points by hand alone (`SaveScores`), and a reader that survives unreadable files (`TolerantExporter`);
nbgrader_config.py names each by string.
"""
