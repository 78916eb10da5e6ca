"""`python -m autograder.sandbox READ_FD WRITE_FD`: serve one notebook, where no supervisor can fork."""

import os
import sys

# A cell of the notebook may say `check("...")` outside its place; see autograder/notebook.py.
os.environ["AUTOGRADER_SANDBOX"] = "1"
os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")

import torch

from autograder.sandbox.server import serve
from autograder.sandbox.shell import make_shell
from autograder.wire.frames import Channel


def silence_standard_streams() -> None:
    """What C code prints goes nowhere; the pipe to the grader is neither stdin nor stdout."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)


if __name__ == "__main__":
    torch.set_num_threads(1)
    shell = make_shell()
    silence_standard_streams()
    serve(Channel(int(sys.argv[1]), int(sys.argv[2])), shell)
