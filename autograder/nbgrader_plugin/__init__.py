"""nbgrader's plug-in points as this course fills them. Imports neither torch nor pytest.

Among them are execution (`Grade`), repair of cells from the gradebook (`Repair`), sanitising of active content
(`Sanitise`), saving scores without touching points by hand (`SaveScores`), and a reader that survives unreadable
files (`TolerantExporter`). nbgrader_config.py names each by string.
"""
