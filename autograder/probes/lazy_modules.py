"""Modules that torch and numpy import on first use, imported before a check's time limit starts.

A first `torch.func` call, optimiser step or upstream gradient imports hundreds of files. On a slow disk that takes
longer than a question's time limit, and an interrupt during the import leaves a half-imported module behind.
"""

from __future__ import annotations

import importlib
import warnings

LAZY_MODULES = (
    "numpy.fft",
    "numpy.random",
    "sympy",  # a first upstream gradient
    "torch._decomp.decompositions_for_jvp",  # forward mode
    "torch._dynamo",  # a first optimiser step, torch.func
    "torch._functorch.apis",
    "torch._subclasses.fake_utils",
    "torch._subclasses.functional_tensor",
    "torch._subclasses.schema_check_mode",  # gradcheck
    "torch.autograd.gradcheck",
    "torch.fx.experimental.symbolic_shapes",
    "torch.nn.utils.prune",
    "torch.profiler._cupti_monitor",
    "torch.utils.checkpoint",
    "torch.utils.data",
)
"""A test puts every task's questions to every right answer and finds that no further module is imported."""


def load_lazy_modules() -> None:
    """Import `LAZY_MODULES`, except those that the installed version of a library does not have."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some are deprecated in torch, which does not concern the student
        for name in LAZY_MODULES:
            try:
                importlib.import_module(name)
            except ModuleNotFoundError as error:
                if not name.startswith(error.name or "?"):
                    raise
