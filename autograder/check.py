"""A placeholder that Python imports only if another project's `autograder` was installed over this one.

Normally the package itself provides `check`, so Python looks for no such file. In another `autograder`,
`from autograder import check` comes here, because pip has put both packages under one name.
"""

from autograder.surroundings import check_package

check_package()
raise ImportError("This is not a module: write `from autograder import check`.", name="autograder")
