"""The command `autograder explain MODULE:FUNCTION`, for a function in a file or an importable module."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.own_gradients.arguments import NotExplainableError
from autograder.own_gradients.explained import explain_gradient


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument("where", metavar="MODULE:FUNCTION", help="layers.py:Cube, or package.layers:Cube")
    parser.add_argument(
        "--inputs",
        metavar="EXPRESSION",
        default="inputs()",
        help="the arguments, as Python in that module's names: 'torch.randn(3, 4)'; by default its `inputs()`",
    )
    parser.set_defaults(run=explain)


def explain(given: argparse.Namespace) -> int:
    """Print the report of a function; return 0 if its gradients are right, 1 if not, 2 if nothing can be said."""
    module, _, name = given.where.rpartition(":")
    try:
        names = vars(_imported(module))
        function = _found(names, name, module)
        inputs = _evaluated(given.inputs, names)
        report = explain_gradient(function, inputs)
    except NotExplainableError as error:
        print(f"autograder: {error}", file=sys.stderr)
        return 2
    except SystemExit as error:  # its status is no answer to the question whether the gradients are right
        print(
            f"autograder: {given.where} ends the program (SystemExit: {error}), so nothing was tried", file=sys.stderr
        )
        return 2
    print(report)
    return 0 if report.is_right else 1


def _imported(module: str) -> ModuleType:
    """Import a module by its name, or by the path of its file.

    Raises:
        NotExplainableError: if there is none, or if importing it raises.
    """
    if not module:
        raise NotExplainableError("name the function after its module: layers.py:Cube")
    try:
        if not module.endswith(".py"):
            sys.path.insert(0, str(Path.cwd()))
            return importlib.import_module(module)
        sys.path.insert(0, str(Path(module).resolve().parent))  # as `python layers.py` finds the modules beside it
        spec = importlib.util.spec_from_file_location(Path(module).stem, module)
        assert spec is not None
        assert spec.loader is not None
        made = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = made
        spec.loader.exec_module(made)
        return made
    except Exception as error:
        raise NotExplainableError(f"{module} cannot be imported: {type(error).__name__}: {error}") from error


def _found(names: dict[str, Any], name: str, module: str) -> Any:
    if name not in names:
        raise NotExplainableError(f"{module} has nothing called {name!r}")
    return names[name]


def _evaluated(expression: str, names: dict[str, Any]) -> Any:
    try:
        return eval(expression, dict(names))
    except Exception as error:
        raise NotExplainableError(
            f"the inputs {expression!r} raise {type(error).__name__}: {error}; give them with --inputs"
        ) from error
