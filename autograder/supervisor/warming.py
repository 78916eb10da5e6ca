"""Import and use once what every exercise needs, so that a fork starts warm.

No other thread may be started, because a forked process keeps only the thread that forked.
"""

from __future__ import annotations

import gc
import importlib
import os
import random
import selectors
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.supervisor import gpu
from autograder.supervisor.gpu import CUDA

if TYPE_CHECKING:
    from autograder.sandbox.shell import RecordingShell

ENVIRONMENT = {
    "AUTOGRADER_SANDBOX": "1",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",  # pyarrow, which pandas imports, would start one
    "JOBLIB_MULTIPROCESSING": "0",  # its semaphores need shared memory; without it, it warns on stderr
    "PYTHONDONTWRITEBYTECODE": "1",
    "TERM": "xterm-color",  # like a kernel
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "CLICOLOR": "1",
    "FORCE_COLOR": "1",
    "CLICOLOR_FORCE": "1",
    "LANG": "C.UTF-8",
}
"""The environment of every sandbox, except PATH and the folders that a fork sets."""


def environment(device: str = "cpu") -> dict[str, str]:
    """Return the environment of sandboxes on a type of device; it hides all GPUs unless that is CUDA."""
    if device != CUDA:
        return ENVIRONMENT | {"CUDA_VISIBLE_DEVICES": ""}
    seen = os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0]
    return ENVIRONMENT | {
        "CUDA_VISIBLE_DEVICES": seen,  # one card, the first of the caller's choice
        "CUBLAS_WORKSPACE_CONFIG": ":4096:8",  # for deterministic results
        "CUDA_CACHE_DISABLE": "1",
        "CUDA_MODULE_LOADING": "LAZY",
        "PYTORCH_NVML_BASED_CUDA_CHECK": "1",  # so that asking for a card before the fork does not initialise CUDA
    }


FIRST_CELL = ("autograder.notebook", "autograder.pictures")
"""Where `check`, `hint` and `draw` are: every exercise begins by importing them."""
CELLS = ("import torch\nx = torch.ones(2, requires_grad=True)\nx", "1 / 0", "print(1)")
ON_DEMAND = {
    "matplotlib": (
        "%matplotlib inline\n"
        "import matplotlib.pyplot as plt\nplt.figure()\nplt.plot([0, 1], label='x')\nplt.title('$x^2$')\nplt.legend();"
    ),
    "sklearn": "from sklearn.datasets import load_digits\nload_digits();",
}
"""Packages whose first use takes a second, each with a cell that uses it; warmed once a notebook names them."""
NAMED_BY = {"matplotlib": ("matplotlib", "pylab", "seaborn"), "sklearn": ("sklearn", "digits")}
"""The words that name them in a notebook."""


def warm_torch(device: str = "cpu") -> None:
    """Train one step and differentiate in both modes and over a batch, whose first uses import for over a second.

    Args:
        device: the type of device that forks compute on. With CUDA no backward pass runs, because a process's
            first one counts its GPUs and starts a thread for each, which a fork would lack.
    """
    import torch  # here, because a supervisor tries its tiers before it loads torch

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


def warm(device: str = "cpu") -> RecordingShell:
    """Import, compute, plot and raise once.

    Args:
        device: the type of device that forks compute on.

    Returns:
        A shell for forks to use, reset as if nothing had run in it.

    Raises:
        RuntimeError: if warming up started a thread, which a fork would lack, or initialised CUDA.
    """
    gc.disable()  # imports make hardly any garbage, and looking for it takes a quarter of the time
    warm_torch(device)
    for module in FIRST_CELL:
        importlib.import_module(module)
    from autograder.sandbox.shell import make_shell

    gc.freeze()
    gc.enable()
    # asyncio's default, epoll, is not among the allowed system calls.
    selectors.DefaultSelector = selectors.PollSelector  # type: ignore[misc, assignment]  # a class as a variable
    shell = make_shell()
    for cell in CELLS:
        shell.run(cell)
    _settle(shell, device)
    return shell


def named_in(sources: Iterable[str]) -> set[str]:
    """Return the packages of `ON_DEMAND` that cells name."""
    text = "\n".join(sources)
    return {package for package, words in NAMED_BY.items() if any(word in text for word in words)}


def warm_package(package: str, shell: RecordingShell, device: str = "cpu") -> None:
    """Import a package of `ON_DEMAND` and use it once, so that later forks have it warm.

    Raises:
        RuntimeError: as `warm`.
    """
    gc.disable()
    shell.run(ON_DEMAND[package])  # where it is not installed, the notebooks that import it say so
    gc.enable()
    if "matplotlib.mathtext" in sys.modules:
        _close_fonts()
    _settle(shell, device)


def _settle(shell: RecordingShell, device: str) -> None:
    """Reset the shell, make sure that nothing started which a fork would lack, and keep what is there from changing."""
    shell.forget()
    refuse_threads(device)
    if device == CUDA and gpu.is_in_use():
        raise RuntimeError("warming up began with CUDA, and no fork could use it any more")
    gc.collect()
    gc.freeze()


def _close_fonts() -> None:
    """Close the files of the fonts that were drawn with.

    matplotlib forgets its fonts in a fork, but not formulas that were drawn with them. A guard closes all files, and
    when matplotlib later drops such a formula, it would close whatever file has got that number by then.
    """
    from matplotlib.font_manager import _get_font  # type: ignore[attr-defined]
    from matplotlib.mathtext import MathTextParser

    _get_font.cache_clear()
    MathTextParser._parse_cached.cache_clear()  # type: ignore[attr-defined]


def refuse_threads(device: str = "cpu") -> None:
    """Raise if this process has another thread, which a fork would lack.

    On the CPU the driver may have one: torch's CUDA build asks it for cards in the first backward pass, and no fork
    asks again.

    Args:
        device: the type of device that forks compute on.

    Raises:
        RuntimeError: if it has; the message names each.
    """
    own = str(os.getpid())
    names = [path.read_text().strip() for path in Path("/proc/self/task").glob("*/comm") if path.parent.name != own]
    others = sorted(name for name in names if device == CUDA or not name.startswith(gpu.THREADS))
    if others:
        raise RuntimeError(f"a package started threads, and a fork would lack them: {', '.join(others)}")


def reseed() -> None:
    """Seed all random generators of a fork anew, as in a new process."""
    import numpy
    import torch

    random.seed()
    numpy.random.seed()
    torch.default_generator.seed()
