"""One sandbox, seen from the grader: requests with a deadline, an interrupt, an end.

This is the border. What stands behind it depends on the machine: a fork of the supervisor, confined as far as
the kernel allows, or a plain process where nothing can be forked.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Any

from autograder.grader.plain_process import PlainProcess
from autograder.grader.supervision import SupervisedProcess, supervisor
from autograder.supervisor.limits import Limits
from autograder.supervisor.tiers import Tier
from autograder.wire.frames import MOST_VALUES, WIDEST, Channel, Room, TornFrameError

START_SECONDS = 120.0
GRACE_SECONDS = 2.0


def tier_in_use(device: str = "cpu") -> Tier:
    """What surrounds the sandboxes of this process that compute on a type of device.

    Raises:
        RuntimeError: where none can be made.
    """
    return supervisor(device).facts.tier if sys.platform == "linux" else Tier.PROCESS


class SandboxEndedError(Exception):
    """The process ended, or had to be ended, while it owed an answer.

    Attributes:
        kind: "time" or "killed".
        reason: in a few words, for the student.
    """

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind, self.reason = kind, reason


class SandboxProcess:
    """A running sandbox with one notebook's state."""

    def __init__(self, limits: Limits | None = None, device: str = "cpu") -> None:
        """
        Args:
            limits: what its code may use.
            device: the type of device where it runs.

        Raises:
            RuntimeError: where no sandbox can be made here.
        """
        limits = limits or Limits()
        theirs_read, ours_write = os.pipe()
        ours_read, theirs_write = os.pipe()
        self._channel = Channel(ours_read, ours_write, largest=limits.reply)
        self._room, self._values = limits.output, MOST_VALUES
        self._device, self._device_memory = device, limits.device_memory
        self._ready = self._closed = False
        try:
            if sys.platform == "linux":
                self._process = SupervisedProcess(limits, theirs_read, theirs_write, device)
            else:
                self._process = PlainProcess(limits, theirs_read, theirs_write, device)
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
                begin = {"op": "begin", "device": self._device, "memory": self._device_memory}
                self._channel.send(begin, b"", START_SECONDS)
                said, _ = self._channel.receive(START_SECONDS)
        except (TornFrameError, TimeoutError):
            said = {"failed": str((self._process.wait(GRACE_SECONDS) or {}).get("error", "it says nothing"))}
        if "failed" in said:
            self.close()
            raise RuntimeError(f"the sandbox does not start: {said['failed']}")
        self._ready = True

    def request(
        self, message: dict, blob: bytes = b"", *, seconds: float, room: Room = WIDEST
    ) -> tuple[dict, bytes, bool]:
        """Send one request and wait for its reply, which may hold as much as there is room for.

        Returns:
            The reply, its raw bytes, and whether it came only after an interrupt.

        Raises:
            SandboxEndedError: where no reply came; the process is gone then.
        """
        if self._closed:
            raise SandboxEndedError("killed", "it has ended")
        if not self._ready:
            self._wait_until_ready()
        try:
            self._channel.send(message, blob, seconds)
            with contextlib.suppress(TimeoutError):
                return *self._reply(seconds, room), False
            self._process.interrupt()
            return *self._reply(GRACE_SECONDS, room), True
        except TimeoutError:
            self.close()
            raise SandboxEndedError("time", "it did not stop when its time was over") from None
        except TornFrameError as torn:
            reason = self._how_it_ended(str(torn))
            self.close()
            raise SandboxEndedError("killed", reason) from None

    def _reply(self, seconds: float, room: Room) -> tuple[dict, bytes]:
        reply, blob = self._channel.receive(seconds, room)
        if not isinstance(reply, dict):
            raise TornFrameError("a reply is a dict")
        self._room -= self._channel.last_size
        self._values -= self._channel.last_values
        if self._values < 0:  # kept as objects, they take many times their bytes
            self._room = -1
        if self._room < 0:
            raise TornFrameError("its outputs and answers are larger than a notebook's may be")
        return reply, blob

    def _how_it_ended(self, torn: str) -> str:
        end = self._process.wait(0 if self._room < 0 else GRACE_SECONDS)
        if end is None:
            return torn if self._room < 0 else "it closed its pipe to the grader"
        if "status" not in end:
            return "it was ended from outside"
        code = os.waitstatus_to_exitcode(end["status"])
        if code == -signal.SIGXCPU:
            return "its CPU time was over"
        if code == -signal.SIGKILL:
            return "it was ended by SIGKILL, as happens where memory runs out"
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"it was ended by {signal.Signals(-code).name}"
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
