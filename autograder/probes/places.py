"""The place where an exception arose: the frame, the line, and the expression whose evaluation raised."""

from __future__ import annotations

import ast
import functools
import linecache
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple

import torch
from torch import nn

from autograder.probes.registry import PROGRAM_FILE

UNKNOWN = object()
"""The value of an expression that can only be found by running code again."""
PLAIN = (list, tuple, dict, nn.Sequential, nn.ModuleList, nn.ModuleDict)
"""Types whose entries are looked up by code that is not the student's."""
LONGEST_SOURCE = 200


class Place(NamedTuple):
    """One frame of a traceback.

    Attributes:
        frame: with its variables as they were when the exception arose.
        instruction: the offset of the instruction that raised.
        line: its line.
        text: the source of the whole cell or program; empty if it is unknown.
    """

    frame: FrameType
    instruction: int
    line: int
    text: str

    @property
    def code(self) -> CodeType:
        """The code that the frame runs."""
        return self.frame.f_code

    @property
    def source(self) -> str:
        """The line, without its indentation."""
        lines = self.text.splitlines()
        return lines[self.line - 1].strip()[:LONGEST_SOURCE] if 0 < self.line <= len(lines) else ""

    @property
    def node(self) -> ast.AST | None:
        """The expression or statement whose instruction raised; None if it cannot be found."""
        at = list(self.code.co_positions())[self.instruction // 2]
        return _nodes(self.text).get(at)

    def value(self, node: ast.AST) -> Any:
        """Return the value of an expression if that can be looked up without running any code, else UNKNOWN."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.frame.f_locals.get(node.id, self.frame.f_globals.get(node.id, UNKNOWN))
        if isinstance(node, ast.Attribute):
            return _attribute(self.value(node.value), node.attr)
        if isinstance(node, ast.Subscript):
            of, key = self.value(node.value), self.value(node.slice)
            if type(of) in PLAIN and type(key) in (int, str):
                try:
                    return of[key]
                except LookupError:
                    return UNKNOWN
        return UNKNOWN


def places(trace: TracebackType | None, namespace: dict[str, Any], program: str) -> tuple[list[Place], list[Place]]:
    """Return the frames of the student's code and those of the question's program, the last ones last.

    Args:
        trace: the exception's traceback.
        namespace: the notebook's global names; frames with these globals are the student's.
        program: the program's text; empty if the question has none.
    """
    own: list[Place] = []
    asked: list[Place] = []
    while trace is not None:
        frame, line = trace.tb_frame, trace.tb_lineno
        file = frame.f_code.co_filename
        if line is not None:  # an interrupt can leave a frame without a line
            if frame.f_globals is namespace:
                own.append(Place(frame, trace.tb_lasti, line, "".join(linecache.getlines(file))))
            elif file == PROGRAM_FILE:
                asked.append(Place(frame, trace.tb_lasti, line, program))
        trace = trace.tb_next
    return own, asked


def parents(text: str) -> dict[ast.AST, ast.AST]:
    """Return the parent of each node of a source text."""
    return {child: node for node in ast.walk(_tree(text)) for child in ast.iter_child_nodes(node)}


@functools.lru_cache(32)
def _tree(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


@functools.lru_cache(32)
def _nodes(text: str) -> dict[Any, ast.AST]:
    """Return the nodes of a source text by their positions; of those at one position the innermost."""
    return {
        (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset): node
        for node in ast.walk(_tree(text))
        if isinstance(node, ast.expr | ast.stmt)
    }


def _attribute(of: Any, name: str) -> Any:
    if isinstance(of, torch.Tensor | nn.Module):
        return getattr(of, name, UNKNOWN)  # torch's own code, not the student's
    return getattr(of, "__dict__", {}).get(name, UNKNOWN) if of is not UNKNOWN else UNKNOWN
