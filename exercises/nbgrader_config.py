"""JupyterLab's Assignment List reads the configuration beside the exercises: it is the course's."""

load_subconfig("../nbgrader_config.py")  # noqa: F821  (traitlets defines it)
