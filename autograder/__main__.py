"""`python -m autograder`: the same as the command `autograder`."""

import sys

from autograder.command_line import main

sys.exit(main())
