"""What would move with the newest torch, nbgrader, JupyterLab and pytest: `make upgrade`."""

NEWEST = ("torch", "nbgrader", "jupyterlab", "pytest")
"""The packages that are taken as new as they are; all others of requirements.txt stay pinned."""
