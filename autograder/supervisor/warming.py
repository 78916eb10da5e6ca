"""What every exercise needs, loaded and used once, so that a fork finds it warm.

Everything stays in one thread: a forked process keeps no other.
"""

from __future__ import annotations

import gc
import os
import random
import selectors
from pathlib import Path

from autograder.supervisor.gpu import CUDA, LIBRARY

ENVIRONMENT = {
    "AUTOGRADER_SANDBOX": "1",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
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
"""The environment of every sandbox, apart from PATH and the folder names that a fork sets."""


def environment(device: str = "cpu") -> dict[str, str]:
    """The environment of sandboxes that compute on a device; it hides every GPU where that is another.

    Args:
        device: a type of device.
    """
    if device != CUDA:
        return ENVIRONMENT | {"CUDA_VISIBLE_DEVICES": ""}
    seen = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0]
    return ENVIRONMENT | {
        "CUDA_VISIBLE_DEVICES": seen,  # one card, and the caller's choice of it
        "CUBLAS_WORKSPACE_CONFIG": ":4096:8",  # the same sums in the same order
        "CUDA_CACHE_DISABLE": "1",
        "CUDA_MODULE_LOADING": "LAZY",
        "PYTORCH_NVML_BASED_CUDA_CHECK": "1",  # so that whoever asks for a card before the fork does not touch it
    }


CELLS = (
    "import matplotlib.pyplot as plt\nplt.figure()\nplt.plot([0, 1], label='x')\nplt.title('$x^2$')\nplt.legend();",
    "import torch\nx = torch.ones(2, requires_grad=True)\nx",
    "1 / 0",
    "%matplotlib inline\nprint(1)",
)


def warm_torch(device: str = "cpu") -> None:
    """Train a step, and differentiate in both modes and over a batch: first uses import for more than a second.

    Args:
        device: the type of device that forks compute on. With CUDA nothing is differentiated backwards: the first
            backward pass of a process counts its GPUs and starts a thread for each, and no fork could have others.
    """
    import torch

    from autograder.probes.lazy_modules import load_lazy_modules

    load_lazy_modules()
    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(72, 2))
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = torch.nn.functional.cross_entropy(model(torch.ones(2, 1, 8, 8)), torch.zeros(2, dtype=torch.long))
    if device == CUDA:
        torch.func.vmap(torch.func.jacfwd(torch.sin))(torch.ones(1, 2))
    else:
        loss.backward()
        torch.func.vmap(torch.func.hessian(torch.sin))(torch.ones(1, 2))
    optimiser.step()


def warm(device: str = "cpu") -> object:
    """Import, compute, plot and raise once.

    Args:
        device: the type of device that forks compute on.

    Returns:
        The shell that a fork goes on with, as if nothing had run in it.

    Raises:
        RuntimeError: where something started a thread, which a fork would lose, or began with CUDA.
    """
    warm_torch(device)
    import sklearn.datasets

    sklearn.datasets.load_digits()
    from autograder.sandbox.shell import make_shell

    selectors.DefaultSelector = selectors.PollSelector  # asyncio's choice, epoll, is not among the allowed calls
    shell = make_shell()
    for cell in CELLS:
        shell.run(cell)
    shell.forget()
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        raise RuntimeError(f"warming up left {threads} threads, and a fork keeps one of them")
    if cuda_has_begun():
        raise RuntimeError("warming up began with CUDA, and no fork could use it any more")
    gc.collect()
    gc.freeze()
    return shell


def cuda_has_begun() -> bool:
    """Whether this process has a CUDA context, or has loaded the driver's library, which a fork cannot use again."""
    import torch

    return torch.cuda.is_initialized() or LIBRARY.rpartition(".")[0] in Path("/proc/self/maps").read_text()


def differ() -> None:
    """Give a fork random numbers of its own, as a new process has them."""
    import numpy
    import torch

    random.seed()
    numpy.random.seed()
    torch.default_generator.seed()
