"""What PyTorch, TensorFlow and JAX really answer to the nine cases of `predict_twins`, and to lesson 12's questions.

`make twins RECORD=1` runs this module and records the answers: for the task, whose check has neither TensorFlow nor
JAX, and for the lesson where they are missing. tests/twins.py compares. PyTorch's cases run everywhere.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import nbclient
import nbformat
import torch

from tests.submissions import COURSE

os.environ.update(TF_ENABLE_ONEDNN_OPTS="0", TF_CPP_MIN_LOG_LEVEL="2", JAX_PLATFORMS="cpu")

TASK_RECORD = COURSE / "solutions" / "12_twins" / "_tasks" / "predict_twins" / "recorded.toml"
LESSON_RECORD = COURSE / "autograder" / "lesson_pictures" / "twins.toml"
HEAD = "# Written by `make twins RECORD=1`; `make twins` compares.\n"
Case = Callable[[], Any]


def answered(case: Case) -> str:
    """What a case's last line gives, in the task's words."""
    try:
        given = case()
    except Exception:  # whatever a system raises
        return "raises"
    return "None" if given is None else f"{float(given):g}"


def pytorch() -> dict[str, Case]:
    """The nine cases in PyTorch."""

    def leaf(value: float = 3.0) -> torch.Tensor:
        return torch.tensor(value, requires_grad=True)

    def slope(function: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> torch.Tensor:
        return torch.autograd.grad(function(x), x)[0]

    def unused() -> torch.Tensor:
        x, z = leaf(), leaf(5.0)
        return torch.autograd.grad(x * x, z)[0]

    def second() -> torch.Tensor:
        x = leaf(2.0)
        return torch.autograd.grad(slope(lambda x: x**3, x), x)[0]

    def twice() -> torch.Tensor:
        x = leaf()
        y = x + 1
        return [torch.autograd.grad(y, x)[0] for _ in range(2)][-1]

    return {
        "A": lambda: slope(lambda x: torch.stack([x * x, 4 * x]), leaf()),
        "B": unused,
        "C": lambda: slope(lambda x: x * x.detach(), leaf()),
        "D": lambda: slope(lambda x: x * x, torch.tensor(3, requires_grad=True)),
        "E": lambda: slope(lambda x: torch.maximum(x, torch.tensor(0.0)), leaf(0.0)),
        "F": second,
        "G": twice,
        "H": lambda: slope(lambda x: x * x, torch.tensor(3.0)),
        "I": lambda: slope(lambda x: x * x.item(), leaf()),
    }


def tensorflow() -> dict[str, Case]:
    """The nine cases in TensorFlow, with a tape."""
    import tensorflow as tf

    def slope(function: Callable[[Any], Any], x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = function(x)
        return tape.gradient(y, x)

    def unused() -> Any:
        x, z = tf.Variable(3.0), tf.Variable(5.0)
        with tf.GradientTape() as tape:
            y = x * x
        return tape.gradient(y, z)

    def second() -> Any:
        x = tf.Variable(2.0)
        with tf.GradientTape(persistent=True) as tape:
            y = x**3
        return tape.gradient(tape.gradient(y, x), x)

    def twice() -> Any:
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x + 1
        return [tape.gradient(y, x) for _ in range(2)][-1]

    return {
        "A": lambda: slope(lambda x: tf.stack([x * x, 4 * x]), tf.Variable(3.0)),
        "B": unused,
        "C": lambda: slope(lambda x: x * tf.stop_gradient(x), tf.Variable(3.0)),
        "D": lambda: slope(lambda x: x * x, tf.Variable(3)),
        "E": lambda: slope(lambda x: tf.maximum(x, 0.0), tf.Variable(0.0)),
        "F": second,
        "G": twice,
        "H": lambda: slope(lambda x: x * x, tf.constant(3.0)),
        "I": lambda: slope(lambda x: x * x.numpy(), tf.Variable(3.0)),
    }


def jax() -> dict[str, Case]:
    """The nine cases in JAX."""
    import jax
    from jax import numpy as jnp

    def twice() -> Any:
        slope = jax.grad(lambda x: x + 1)
        return [slope(3.0) for _ in range(2)][-1]

    return {
        "A": lambda: jax.grad(lambda x: jnp.stack([x * x, 4 * x]))(3.0),
        "B": lambda: jax.grad(lambda x, z: x * x, argnums=1)(3.0, 5.0),
        "C": lambda: jax.grad(lambda x: x * jax.lax.stop_gradient(x))(3.0),
        "D": lambda: jax.grad(lambda x: x * x)(3),
        "E": lambda: jax.grad(lambda x: jnp.maximum(x, 0.0))(0.0),
        "F": lambda: jax.grad(jax.grad(lambda x: x**3))(2.0),
        "G": twice,
        "H": lambda: jax.grad(lambda x: x * x)(3.0),
        "I": lambda: jax.grad(lambda x: x * float(x))(3.0),
    }


def columns() -> dict[str, list[str]]:
    """By case, what PyTorch, TensorFlow and JAX answer."""
    systems = (pytorch(), tensorflow(), jax())
    return {name: [answered(system[name]) for system in systems] for name in systems[0]}


def versions() -> dict[str, str]:
    """Which systems answered; of a build for one kind of processor, the version alone."""
    import jax
    import tensorflow as tf

    return {system.__name__: system.__version__.partition("+")[0] for system in (torch, tf, jax)}


def from_the_lesson() -> dict[str, dict[str, Any]]:
    """What TensorFlow and JAX answer in lesson 12, from its own cells."""
    notebook = nbformat.read(COURSE / "lessons" / "12_twins.ipynb", as_version=4)
    asked = 'import json\nprint(json.dumps({"partials": answers, "corners": corners, "works": works, "runs": runs}))'
    notebook.cells.append(nbformat.v4.new_code_cell(asked))
    resources = {"metadata": {"path": str(COURSE / "lessons")}}
    nbclient.NotebookClient(notebook, timeout=300, resources=resources).execute()
    found: dict[str, dict[str, Any]] = json.loads(notebook.cells[-1].outputs[-1].text)
    return {
        kind: {name: one for name, one in by.items() if not name.startswith(("by", "Py"))} for kind, by in found.items()
    }


def as_toml(tables: dict[str, dict[str, Any]]) -> str:
    """Tables of strings, numbers and lists, and of tables of these."""
    lines = [HEAD.rstrip()]
    for name, table in tables.items():
        inner = {key: value for key, value in table.items() if isinstance(value, dict)}
        if plain := {key: value for key, value in table.items() if key not in inner}:
            lines += ["", f"[{name}]", *(f"{_key(key)} = {json.dumps(value)}" for key, value in plain.items())]
        for key, values in inner.items():
            lines += ["", f"[{name}.{_key(key)}]"]
            lines += [f"{_key(one)} = {json.dumps(value)}" for one, value in values.items()]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def main() -> None:
    """Record both."""
    found = versions()
    TASK_RECORD.write_text(as_toml({"versions": found, "answers": columns()}), encoding="utf-8")
    lesson = from_the_lesson()
    LESSON_RECORD.write_text(as_toml({"versions": found, **lesson}), encoding="utf-8")


if __name__ == "__main__":
    main()
