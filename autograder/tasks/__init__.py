"""Task folders: read a course from its folders.

The engine knows no task by name. It is given a course folder, `solutions/` of this repository or an instructor's own.
Each exercise there has a folder `_tasks`, which holds one folder per task with everything about that task.
"""
