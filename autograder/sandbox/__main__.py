"""`python -m autograder.sandbox READ_FD WRITE_FD LIMITS`: serve one notebook on systems where no supervisor can fork.

LIMITS is a JSON object from names of the `resource` module, without RLIMIT_, to numbers.
"""

import json
import os
import sys

# A cell may call `check("...")` outside a grade cell; see autograder/notebook.py.
os.environ["AUTOGRADER_SANDBOX"] = "1"
os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")

import torch

from autograder.probes.lazy_modules import load_lazy_modules
from autograder.sandbox.server import serve
from autograder.sandbox.shell import make_shell
from autograder.wire.frames import Channel


def silence_standard_streams() -> None:
    """Discard what C code prints; the pipes to the grader are neither stdin nor stdout."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)


def limit_resources(limits: dict[str, int]) -> None:
    """Set resource limits where the system has them; Windows has none."""
    try:
        import resource
    except ImportError:
        return
    for name, most in limits.items():
        which = getattr(resource, f"RLIMIT_{name}")
        _, ceiling = resource.getrlimit(which)
        most = most if ceiling == resource.RLIM_INFINITY else min(most, ceiling)
        resource.setrlimit(which, (most, most))


if __name__ == "__main__":
    load_lazy_modules()
    torch.set_num_threads(1)
    torch.ones(1, requires_grad=True).backward(torch.ones(1))
    shell = make_shell()
    silence_standard_streams()
    limit_resources(json.loads(sys.argv[3]))
    serve(Channel(int(sys.argv[1]), int(sys.argv[2])), shell)
