"""`python -m autograder.sandbox READ_FD WRITE_FD`: serve one notebook over a pair of pipes."""

import os
import sys

# A cell of the notebook may say `check("...")` outside its place; see autograder/notebook.py.
os.environ["AUTOGRADER_SANDBOX"] = "1"
os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")

from autograder.sandbox.server import serve
from autograder.wire.frames import Channel

if __name__ == "__main__":
    serve(Channel(int(sys.argv[1]), int(sys.argv[2])))
