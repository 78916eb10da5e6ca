"""The sandbox's loop: run this cell, answer these questions, one frame in and one frame out.

Requests are `{"op": "run", "source": ..., "store_history": ...}` and `{"op": "ask", "question": ...}`.
"""

from __future__ import annotations

import signal
from types import FrameType
from typing import Any

from autograder.probes import Question, answer
from autograder.sandbox.shell import RecordingShell
from autograder.wire.frames import Channel, TornFrameError


class Interruptible:
    """SIGINT stops the student's code while it runs, and nothing at any other time."""

    def __init__(self) -> None:
        self.running = False
        self._install, self._unblock = signal.signal, signal.pthread_sigmask

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.running:
            raise KeyboardInterrupt

    def __enter__(self) -> None:
        self._install(signal.SIGINT, self._interrupt)  # a cell before may have put its own in its place
        self._unblock(signal.SIG_UNBLOCK, {signal.SIGINT})
        self.running = True

    def __exit__(self, *exception: Any) -> None:
        self.running = False


def serve(channel: Channel, shell: RecordingShell) -> None:
    """Answer requests until the grader closes its end."""
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
