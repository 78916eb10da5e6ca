"""Resource limits of a submission, as plain numbers that even a light process can import."""

from __future__ import annotations

import dataclasses

MIB = 1 << 20
CELL_CHARACTERS, CELL_OUTPUTS = 1_000_000, 1_000
"""The most that one cell may show. The grader cuts again after the sandbox, which student code can modify."""
NOTEBOOK_CHARACTERS, NOTEBOOK_OUTPUTS = 8_000_000, 5_000
"""The most that all cells of a notebook may show."""
CUT_OFF = "... and more that was cut off\n"
"""Replaces output beyond these limits."""
MOST_TOLD = 20
"""The most names that one cell with asserts may report as changed beneath it."""


@dataclasses.dataclass(frozen=True)
class Limits:
    """Resource limits of student code: times in seconds, sizes in bytes.

    Attributes:
        cell: wall time of one cell.
        question: wall time of one question.
        notebook: wall time of a whole notebook, including reruns without cells that had to be killed.
        cpu: CPU time of one process of a notebook.
        memory: memory of all processes together where a control group counts it, else of each process beyond
            that of a warmed interpreter.
        device_memory: memory that torch may allocate on a GPU, if the notebook runs on one.
        processes: processes and threads at one time.
        scratch: total size of the scratch folder where it is a file system of its own; unlimited elsewhere.
        file: size of one file.
        files: open files of one process.
        output: all replies of a notebook: outputs, plots, answers.
        reply: one reply.
    """

    cell: float = 30.0
    question: float = 10.0
    notebook: float = 300.0
    cpu: float = 300.0
    memory: int = 2048 * MIB
    device_memory: int = 2048 * MIB
    processes: int = 64
    scratch: int = 256 * MIB
    file: int = 128 * MIB
    files: int = 256
    output: int = 256 * MIB
    reply: int = 80 * MIB
