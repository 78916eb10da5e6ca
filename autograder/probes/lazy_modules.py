"""What torch and numpy load only when it is first used: loaded before a check's clock starts.

A first `torch.func` call, optimiser's step or upstream gradient imports hundreds of files. On a slow disk that takes
longer than a question may, and a limit on time that comes in the middle leaves a module behind that is half there.
"""

from __future__ import annotations

import importlib
import warnings

LAZY_MODULES = (
    "numpy.fft",
    "numpy.random",
    "sympy",  # a first upstream gradient
    "torch._decomp.decompositions_for_jvp",  # forward mode
    "torch._dynamo",  # an optimiser's first step, torch.func
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
"""A test asks every task with every right answer, and finds that nothing else is loaded meanwhile."""


def load_lazy_modules() -> None:
    """Import them; those that this version of a library does not have are not needed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some are on their way out of torch, which is not the student's affair
        for name in LAZY_MODULES:
            try:
                importlib.import_module(name)
            except ModuleNotFoundError as error:
                if not name.startswith(error.name or "?"):
                    raise
