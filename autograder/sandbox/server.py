"""The sandbox's loop: run a cell or answer a question, one frame in and one frame out.

Requests are dicts with an `Operation` as `op`, such as `{"op": "run", "source": ...}`.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from autograder.probes import Question, answer, devices
from autograder.probes.interrupts import interrupt
from autograder.sandbox.leftovers import Leftovers
from autograder.sandbox.shell import RecordingShell
from autograder.wire.frames import Channel, TornFrameError
from autograder.wire.operation import DEVICE_LOST, Operation


class Interruptible:
    """A block in which SIGINT interrupts student code, after the import under way; outside it SIGINT is ignored."""

    def __init__(self) -> None:
        # Kept here, because a cell may replace handler, signal mask and functions; each block restores them.
        self._install, self._unblock, self._handler = signal.signal, signal.pthread_sigmask, interrupt

    def __enter__(self) -> None:
        self._install(signal.SIGINT, self._handler)
        self._unblock(signal.SIG_UNBLOCK, {signal.SIGINT})

    def __exit__(self, *exception: Any) -> None:
        self._install(signal.SIGINT, signal.SIG_IGN)


def serve(channel: Channel, shell: RecordingShell, *, own_namespace: bool = False) -> None:
    """Answer requests until the grader closes its end of the channel.

    Args:
        channel: the channel to the grader.
        shell: the shell that runs cells.
        own_namespace: whether this process and its children have a PID namespace of their own.
    """
    interruptible, leftovers = Interruptible(), Leftovers(own_namespace)
    shell.catch_low_level()
    sys.path.insert(0, "")  # as in a kernel: modules beside the notebook can be imported
    channel.send({"ready": True})
    while True:
        try:
            request, blob = channel.receive()
            reply = _serve_one(request, blob, shell, interruptible)
            leftovers.end()
            channel.send(*reply)
        except TornFrameError:
            return


Reply = tuple[dict[str, Any], bytes]


def _serve_one(request: Any, blob: bytes, shell: RecordingShell, interruptible: Interruptible) -> Reply:
    reply: Reply = {"interrupted": True}, b""
    try:
        with interruptible:
            if request["op"] == Operation.RUN:
                reply = shell.run_released(request) if "stores" in request else shell.run(request["source"]), b""
            elif request["op"] == Operation.ASSERTS:
                shell.keep(request["modules"], request["names"])
                reply = {"kept": True}, b""
            elif request["op"] == Operation.BEGIN:
                reply = _begin(request["device"], request["memory"]), b""
            else:
                reply = answer(Question.unpack(request["question"], blob), shell.user_ns)
    except RuntimeError as error:
        if not str(error).startswith(devices.LOST):
            raise
        os._exit(DEVICE_LOST)  # what follows in this process would fail for the same reason
    except KeyboardInterrupt:  # it arrived after the student's code and before the end of the block
        pass
    return reply


def _begin(device: str, memory: int) -> dict[str, Any]:
    try:
        devices.begin(device, memory)
    except (RuntimeError, ValueError) as error:
        return {"failed": str(error)}
    return {"begun": device}
