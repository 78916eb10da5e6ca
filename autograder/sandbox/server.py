"""The sandbox's loop: run this cell, answer these questions, one frame in and one frame out.

Requests are `{"op": "run", "source": ..., "store_history": ...}` and `{"op": "ask", "question": ...}`.
"""

from __future__ import annotations

import os
import signal
from types import FrameType
from typing import Any

import torch

from autograder.probes import Question, answer
from autograder.sandbox.shell import RecordingShell, make_shell
from autograder.wire.frames import Channel, TornFrameError


class Interruptible:
    """SIGINT stops the student's code while it runs, and nothing at any other time."""

    def __init__(self) -> None:
        self.running = False
        signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.running:
            raise KeyboardInterrupt

    def __enter__(self) -> None:
        self.running = True

    def __exit__(self, *exception: Any) -> None:
        self.running = False


def serve(channel: Channel) -> None:
    """Answer requests until the grader closes its end."""
    _silence_standard_streams()
    torch.set_num_threads(1)
    (torch.ones(2, requires_grad=True) * 2).sum().backward()  # the first backward pass starts its threads
    shell = make_shell()
    interruptible = Interruptible()
    channel.send({"ready": True})
    while True:
        try:
            request, blob = channel.receive()
            channel.send(*_serve_one(request, blob, shell, interruptible))
        except TornFrameError:
            return


def _serve_one(request: Any, blob: bytes, shell: RecordingShell, interruptible: Interruptible) -> tuple[dict, bytes]:
    reply: tuple[dict, bytes] = {"interrupted": True}, b""
    try:
        with interruptible:
            if request["op"] == "run":
                reply = shell.run(request["source"]), b""
            else:
                reply = answer(Question.unpack(request["question"], blob), shell.user_ns)
    except KeyboardInterrupt:  # it came between the student's code and the end of the block
        pass
    return reply


def _silence_standard_streams() -> None:
    """What C code prints goes nowhere; the pipe to the grader is neither stdin nor stdout."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)
