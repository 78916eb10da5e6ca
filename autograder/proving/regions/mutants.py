"""The region mutants of a task: right everywhere but in one region, or right everywhere and damaging an argument."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

from autograder.proving.damage import damaged
from autograder.proving.regions import corruptions, surrounding
from autograder.proving.regions.asking import asked, fails
from autograder.proving.regions.recording import GRADIENT, RESULT, SEEDS, Asked, Record

FORMAL = {one.__name__ for one in corruptions.OF_FORM}
AFTERWARDS = "after answering"
"""What stands for the region of a mutant that damages an argument."""


class Wrong(NamedTuple):
    """Where a mutant is wrong, and how: "x: an entry 0" and "result: sign", or "after answering" and the damage."""

    region: str
    change: str

    def __str__(self) -> str:
        return f"{self.region}, {self.change}"


@dataclasses.dataclass(frozen=True)
class RegionMutant:
    """A published solution that is wrong in one region.

    Attributes:
        wrong: where and how.
        cell: the source of the whole cell.
        concerned: the questions whose answers it changes.
    """

    wrong: Wrong
    cell: str
    concerned: tuple[Asked, ...]


def region_mutants(record: Record) -> Iterator[RegionMutant]:
    """Yield the mutants of all regions that a task promises and always asks.

    Left out is a corruption that changes nothing in any question of the region. One that depends on the form of a
    result must change something in most of them, and `squeezed` in all: else the mutant would be wrong only where two
    regions meet, this one and the corruption's own.
    """
    for region in filter(record.is_always_asked, record.promised):
        within = list(dict.fromkeys(one for one, _ in record.calls(region)))
        changed = {
            one: {change for call in one.calls if region in call.regions for change in call.changes} for one in within
        }
        for place, corruption in sorted(set().union(*changed.values())):
            concerned = tuple(one for one in within if (place, corruption) in changed[one])
            least = {"squeezed": len(within)}.get(corruption, len(within) // 2 + 1 if corruption in FORMAL else 1)
            if len(concerned) < least:
                continue
            if corruption == "detached" and not record.differentiates:
                continue  # nothing says that the result is connected
            change = f"{place}: {corruption.replace('_', ' ')}"
            cell = _cell(record, record.promised[region], place, corruption)
            yield RegionMutant(Wrong(region, change), cell, concerned)


def damaging_mutants(record: Record) -> Iterator[RegionMutant]:
    """Yield the mutants that answer rightly and damage one argument afterwards, in ways that the task forbids."""
    for one in damaged(record.task):
        yield RegionMutant(Wrong(AFTERWARDS, one.name), one.source, tuple(record.asked))


def harmless(record: Record) -> str:
    """Return the cell of the mutant that is wrong nowhere, and so must keep all points."""
    return _cell(record, "True", RESULT, "(lambda value: value)")


def survived(record: Record, cell: str, concerned: tuple[Asked, ...]) -> list[int]:
    """Return the indices of the seeds at which a cell keeps all points, given the questions that it answers otherwise.

    A public case is asked at every seed, so one that fails settles all of them.
    """
    cells = [*record.cells[:-1], cell]

    def loses(these: list[Asked]) -> bool:
        return any(fails(one.check, one.case, asked(one.case.question, cells)) for one in these)

    if loses([one for one in concerned if one.seed is None]):
        return []
    return [seed for seed in range(len(SEEDS)) if not loses([one for one in concerned if one.seed == seed])]


def _cell(record: Record, region: str, place: str, corruption: str) -> str:
    name = record.task.target
    parameters = list(record.signature.parameters)
    index = None if place in (RESULT, GRADIENT) else parameters.index(place.removeprefix(f"{GRADIENT} of "))
    if place == RESULT:
        hook = f"on_result=lambda _token, _value: spoilt({corruption}, _value)"
    else:
        hook = f"on_gradient=lambda _token, _index, _value: {corruption}(_value) if _index == {index} else _value"
    inside = f"lambda _calls, {str(record.signature)[1:-1]}: bool({region})"
    return f"{record.task.solution}\n\n{_embedded()}\n{name} = surrounded({name}, {inside}, {hook})\n"


@functools.cache
def _embedded() -> str:
    """Return the source of the modules that each mutant contains."""

    def text(module: ModuleType) -> str:
        return re.sub(r"^from autograder.*\n", "", inspect.getsource(module), flags=re.MULTILINE)

    return "\n\n".join(map(text, (corruptions, surrounding)))
