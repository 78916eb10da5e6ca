"""One sandbox, seen from the grader: requests with a timeout, an interrupt, an end.

The pipe is the only connection between student code and the grader. Depending on the system, its other end is a fork of
the supervisor, confined as far as the kernel allows, or a plain process.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import sys
from collections.abc import Callable, Iterable
from typing import Any

from autograder.grader.plain_process import PlainProcess
from autograder.grader.supervision import SupervisedProcess, supervisor
from autograder.probes.programs import sources
from autograder.probes.question import Question
from autograder.sandbox.limits import Limits
from autograder.supervisor.tiers import Tier, check_system
from autograder.supervisor.warming import named_in
from autograder.wire.frames import CLOSED, MOST_VALUES, NO_FRAME, WIDEST, Channel, Room, TornFrameError, pack
from autograder.wire.operation import DEVICE_LOST, Operation
from autograder.wire.outcome import Outcome

START_SECONDS = 120.0
GRACE_SECONDS = 2.0
SAID = {
    CLOSED: "it closed its pipe to the grader",
    NO_FRAME: "it wrote to its pipe to the grader what is no reply",
}
"""What a process did that lives, in the student's terms."""


def tier_in_use(device: str = "cpu") -> Tier:
    """Return the tier of protection of this process's sandboxes for a type of device.

    Raises:
        NoSandboxError: if none can be made on this system.
        RuntimeError: if none can be made for another reason.
    """
    check_system()
    return supervisor(device).facts.tier if sys.platform == "linux" else Tier.PROCESS


def compile_ahead(questions: Iterable[Question], device: str = "cpu") -> None:
    """Have the programs of public questions compiled once for all sandboxes that start later, where they are forks."""
    if sys.platform == "linux":
        supervisor(device).compile(itertools.chain.from_iterable(map(sources, questions)))


def warm_ahead(cells: Iterable[dict[str, Any]], device: str = "cpu") -> None:
    """Have the packages that a notebook's cells name imported once for all sandboxes that start later."""
    if sys.platform == "linux" and (packages := named_in(cell["source"] for cell in cells)):
        supervisor(device).warm(packages)


class SandboxEndedError(Exception):
    """Raised when the sandbox's process ended, or had to be ended, before it replied.

    Attributes:
        kind: `TIME` or `KILLED`.
        reason: a few words for the student.
    """

    def __init__(self, kind: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.kind, self.reason = kind, reason


class SandboxProcess:
    """A running sandbox that holds the state of one notebook."""

    def __init__(self, limits: Limits | None = None, device: str = "cpu", files: bytes = b"") -> None:
        """
        Args:
            limits: the limits for its code.
            device: the type of device where it runs.
            files: what lies beside the notebook, as from `pack_files`.

        Raises:
            NoSandboxError: if none can be made on this system.
            RuntimeError: if none can be made for another reason.
        """
        check_system()
        limits = limits or Limits()
        theirs_read, ours_write = os.pipe()
        ours_read, theirs_write = os.pipe()
        for ours in (ours_read, ours_write):  # student code can open both pipes once more, and take what is in them
            os.set_blocking(ours, False)
        self._channel = Channel(ours_read, ours_write, largest=limits.reply)
        self._room, self._values = limits.output, MOST_VALUES
        self._device, self._device_memory = device, limits.device_memory
        self._ready = self._closed = False
        try:
            if sys.platform == "linux":
                self._process = SupervisedProcess(limits, theirs_read, theirs_write, device, files)
            else:
                self._process = PlainProcess(limits, theirs_read, theirs_write, device, files)
        except BaseException:
            self._channel.close()
            raise
        finally:
            os.close(theirs_read)
            os.close(theirs_write)

    def _wait_until_ready(self) -> None:
        try:
            said, _ = self._channel.receive(START_SECONDS)
            if "failed" not in said and self._device != "cpu":
                begin = {"op": Operation.BEGIN, "device": self._device, "memory": self._device_memory}
                self._channel.send(begin, b"", START_SECONDS)
                said, _ = self._channel.receive(START_SECONDS)
        except (TornFrameError, TimeoutError):
            said = {"failed": str((self._process.wait(GRACE_SECONDS) or {}).get("error", "it says nothing"))}
        if "failed" in said:
            self.close()
            raise RuntimeError(f"the sandbox does not start: {said['failed']}")
        self._ready = True

    def request(
        self, message: dict[str, Any], blob: bytes = b"", *, seconds: float, room: Room = WIDEST
    ) -> tuple[dict[str, Any], bytes, bool]:
        """Send one request and wait for its reply.

        Args:
            message: the request.
            blob: its raw bytes.
            seconds: the timeout, after which the sandbox is interrupted.
            room: the largest reply that is accepted.

        Returns:
            The reply, its raw bytes, and whether it came only after an interrupt.

        Raises:
            SandboxEndedError: if no reply came; the process has then been ended.
        """
        return self._exchange(lambda: pack(message, blob), seconds, room)

    def ask(self, question: Question, *, seconds: float, room: Room) -> tuple[dict[str, Any], bytes, bool]:
        """Do what `request` does, for the answer to a question, whose frame is made once for a whole class."""
        return self._exchange(lambda: question.request, seconds, room)

    def _exchange(self, frame: Callable[[], bytes], seconds: float, room: Room) -> tuple[dict[str, Any], bytes, bool]:
        if self._closed:
            raise SandboxEndedError(Outcome.KILLED, "it has ended")
        if not self._ready:
            self._wait_until_ready()
        try:
            self._channel.send_packed(frame(), seconds)
            with contextlib.suppress(TimeoutError):
                return *self._reply(seconds, room), False
            self._process.interrupt()
            return *self._reply(GRACE_SECONDS, room), True
        except TimeoutError:
            self.close()
            raise SandboxEndedError(Outcome.TIME, "it did not stop when its time was over") from None
        except TornFrameError as torn:
            reason = self._how_it_ended(str(torn))
            self.close()
            raise SandboxEndedError(Outcome.KILLED, reason) from None

    def _reply(self, seconds: float, room: Room) -> tuple[dict[str, Any], bytes]:
        reply, blob = self._channel.receive(seconds, room)
        if not isinstance(reply, dict):
            raise TornFrameError(NO_FRAME)
        self._room -= self._channel.last_size
        self._values -= self._channel.last_values
        if self._values < 0:  # as Python objects they take many times their bytes
            self._room = -1
        if self._room < 0:
            raise TornFrameError("its outputs and answers are larger than a notebook's may be")
        return reply, blob

    def _how_it_ended(self, torn: str) -> str:
        end = self._process.wait(GRACE_SECONDS if torn == CLOSED else 0)
        if end is None:
            return SAID.get(torn, torn)
        if "status" not in end:
            return "it was killed from outside"
        code = os.waitstatus_to_exitcode(end["status"])
        if code == -signal.SIGXCPU:
            return "its CPU time was over"
        if code == -signal.SIGKILL:
            return "it was killed by SIGKILL, as happens when memory runs out"
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"it was killed by {signal.Signals(-code).name}"
        if code == DEVICE_LOST and self._device != "cpu":
            return "the GPU refused to go on, as it does after an index that is out of range"
        return f"it exited with status {code}"

    def close(self) -> None:
        """End the process and all that it started, and remove its scratch folder."""
        if not self._closed:
            self._closed = True
            self._process.end()
            self._channel.close()

    def __enter__(self) -> SandboxProcess:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()
