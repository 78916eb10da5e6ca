"""What every exercise needs, loaded and used once, so that a fork finds it warm.

Everything stays in one thread: a forked process keeps no other.
"""

from __future__ import annotations

import gc
import os
import random

ENVIRONMENT = {
    "AUTOGRADER_SANDBOX": "1",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "CUDA_VISIBLE_DEVICES": "",  # a fork and a CUDA context do not go together
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JOBLIB_MULTIPROCESSING": "0",  # its semaphores need shared memory, and it says so on stderr
    "PYTHONDONTWRITEBYTECODE": "1",
    "TERM": "xterm-color",  # as a kernel has it
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "CLICOLOR": "1",
    "FORCE_COLOR": "1",
    "CLICOLOR_FORCE": "1",
    "LANG": "C.UTF-8",
}
"""The whole environment of a sandbox, apart from PATH and the folder names that a fork sets."""

CELLS = (
    "import matplotlib.pyplot as plt\nplt.figure()\nplt.plot([0, 1], label='x')\nplt.title('$x^2$')\nplt.legend();",
    "import torch\nx = torch.ones(2, requires_grad=True)\nx",
    "1 / 0",
    "%matplotlib inline\nprint(1)",
)


def warm_torch() -> None:
    """Train a step, and differentiate in both modes and over a batch: first uses import for more than a second."""
    import torch

    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(72, 2))
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    torch.nn.functional.cross_entropy(model(torch.ones(2, 1, 8, 8)), torch.zeros(2, dtype=torch.long)).backward()
    optimiser.step()
    torch.func.vmap(torch.func.hessian(torch.sin))(torch.ones(1, 2))


def warm() -> object:
    """Import, compute, plot and raise once.

    Returns:
        The shell that a fork goes on with, as if nothing had run in it.

    Raises:
        RuntimeError: where something started a thread, which a fork would lose.
    """
    warm_torch()
    import sklearn.datasets

    sklearn.datasets.load_digits()
    from autograder.sandbox.shell import make_shell

    shell = make_shell()
    for cell in CELLS:
        shell.run(cell)
    shell.forget()
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        raise RuntimeError(f"warming up left {threads} threads, and a fork keeps one of them")
    gc.collect()
    gc.freeze()
    return shell


def differ() -> None:
    """Give a fork random numbers of its own, as a new process has them."""
    import numpy
    import torch

    random.seed()
    numpy.random.seed()
    torch.default_generator.seed()
