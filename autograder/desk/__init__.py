"""The student's desk: how far one has come, computed from the notebooks as they were last saved."""
