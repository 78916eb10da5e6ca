"""The sandbox's loop: run this cell, answer these questions, one frame in and one frame out.

Requests are `{"op": "run", "source": ...}` and `{"op": "ask", "question": ...}`; before the first of them may come
`{"op": "begin", "device": ..., "memory": ...}`, for a notebook that runs elsewhere than on the CPU.
"""

from __future__ import annotations

import signal
from typing import Any

from autograder.probes import Question, answer, devices
from autograder.probes.interrupts import interrupt
from autograder.sandbox.leftovers import Leftovers
from autograder.sandbox.shell import RecordingShell
from autograder.wire.frames import Channel, TornFrameError


class Interruptible:
    """SIGINT stops the student's code while it runs, after an import that is under way; nothing at any other time."""

    def __init__(self) -> None:
        # A cell may put its own handler, mask or function in their place; the next one starts from these.
        self._install, self._unblock, self._handler = signal.signal, signal.pthread_sigmask, interrupt

    def __enter__(self) -> None:
        self._install(signal.SIGINT, self._handler)
        self._unblock(signal.SIG_UNBLOCK, {signal.SIGINT})

    def __exit__(self, *exception: Any) -> None:
        self._install(signal.SIGINT, signal.SIG_IGN)


def serve(channel: Channel, shell: RecordingShell, *, own_namespace: bool = False) -> None:
    """Answer requests until the grader closes its end.

    Args:
        channel: to the grader.
        shell: what runs cells.
        own_namespace: whether this process and what it starts are alone in a namespace of processes.
    """
    interruptible, leftovers = Interruptible(), Leftovers(own_namespace)
    shell.catch_low_level()
    channel.send({"ready": True})
    while True:
        try:
            request, blob = channel.receive()
            reply = _serve_one(request, blob, shell, interruptible)
            leftovers.end()
            channel.send(*reply)
        except TornFrameError:
            return


def _serve_one(request: Any, blob: bytes, shell: RecordingShell, interruptible: Interruptible) -> tuple[dict, bytes]:
    reply: tuple[dict, bytes] = {"interrupted": True}, b""
    try:
        with interruptible:
            if request["op"] == "run":
                reply = shell.run(request["source"]), b""
            elif request["op"] == "begin":
                reply = _begin(request["device"], request["memory"]), b""
            else:
                reply = answer(Question.unpack(request["question"], blob), shell.user_ns)
    except KeyboardInterrupt:  # it came between the student's code and the end of the block
        pass
    return reply


def _begin(device: str, memory: int) -> dict:
    try:
        devices.begin(device, memory)
    except (RuntimeError, ValueError) as error:
        return {"failed": str(error)}
    return {"begun": device}
