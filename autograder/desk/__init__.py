"""The student's commands: progress in the exercises, computed from the notebooks as they were last saved."""
