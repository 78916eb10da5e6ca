"""What a submission may use. Plain numbers, so that light processes can carry them."""

from __future__ import annotations

import dataclasses

MIB = 1 << 20
CELL_CHARACTERS, CELL_OUTPUTS = 1_000_000, 1_000
"""Of what one cell shows. The sandbox cuts there, and the grader again: a student's process can change the sandbox."""
NOTEBOOK_CHARACTERS, NOTEBOOK_OUTPUTS = 8_000_000, 5_000
"""Of what all cells of a notebook show."""
CUT_OFF = "... and more that was cut off\n"
"""Stands where something was."""


@dataclasses.dataclass(frozen=True)
class Limits:
    """What student code may use: times in seconds, sizes in bytes.

    Attributes:
        cell: wall time of one cell.
        question: wall time of one question of a check.
        notebook: wall time of a whole notebook, runs without guilty cells included.
        cpu: CPU time of one process of a notebook.
        memory: what all processes together may use where the kernel counts it (a control group), else what
            each may use beyond what a warmed interpreter has.
        device_memory: what torch may allocate on a GPU, where a notebook runs on one.
        processes: processes and threads at a time.
        scratch: the scratch folder, in a file system of its own; elsewhere no limit on the sum.
        file: one file.
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
