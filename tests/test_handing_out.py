"""Whoever ends the workers of all, or cannot be handed to one, costs only themselves."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from types import SimpleNamespace
from typing import Any

from autograder.classroom.handing_out import AHEAD, Workers
from autograder.classroom.job import JobResult
from autograder.wire.frames import TornFrameError

CULPRIT = b"culprit"


class Pool:
    """Workers whom the culprit ends; an honest job is done only when it runs alone, or when the culprit is gone."""

    def __init__(self, crashes: list[int]) -> None:
        self._running, self._crashes = list[Future[bytes]](), crashes

    def submit(self, _: Any, packed: bytes) -> Future[bytes]:
        future = Future[bytes]()
        self._running.append(future)
        if packed == CULPRIT:
            self._crashes.append(len(self._running))
            for one in self._running:
                if not one.done():
                    one.set_exception(BrokenProcessPool())
        elif len(self._running) == 1 and self._crashes:
            future.set_result(JobResult().pack())
            self._running.clear()
        return future


def pending(name: bytes, pack: Callable[[], bytes] | None = None) -> Any:
    """A submission of which only the job's bytes matter."""
    return SimpleNamespace(name=name, job=SimpleNamespace(pack=pack or (lambda: name)), breaks=0)


def graded(todo: list[Any], crashes: list[int]) -> dict[bytes, str]:
    """The errors of all results, by name."""
    backend = SimpleNamespace(
        capacity=lambda: 2,
        lost=BrokenProcessPool,
        open=lambda: Pool(crashes),
        leave=lambda pool: None,
        why_waiting=lambda: "",
        when_lost="lost",
    )
    workers = Workers(backend)
    said: list[str] = []
    return {one.name: result.error for some in workers.results(iter(todo), said.append) for one, result in some}


def test_who_ends_all_workers_costs_only_themselves() -> None:
    honest = [b"%d" % number for number in range(2 * AHEAD - 1)]
    crashes: list[int] = []
    found = graded([*map(pending, honest), pending(CULPRIT)], crashes)
    assert {name: error for name, error in found.items() if error} == {CULPRIT: "its worker ended again and again"}
    assert set(found) == {*honest, CULPRIT}
    assert crashes[-1] == 1  # alone
    assert len(crashes) <= 4


def test_a_job_that_is_too_large_stops_nobody() -> None:
    def too_large() -> bytes:
        raise TornFrameError("a frame of 68157440 + 32 bytes is too large to send")

    found = graded([pending(b"large", too_large), pending(b"honest")], [1])
    assert found == {b"large": "the notebook is too large to hand to a worker", b"honest": ""}
    assert graded([pending(b"large", too_large)], []) == {b"large": "the notebook is too large to hand to a worker"}
