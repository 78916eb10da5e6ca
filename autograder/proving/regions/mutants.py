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
from autograder.proving.regions.recording import GRADIENT, RESULT, SEEDS, Asked, Record, room_of
from autograder.proving.regions.targets import Target
from autograder.proving.regions.vocabulary import ENDS, LARGE, SMALL, UPSTREAM

UPSTREAM_NAME = "_upstream"
FORMAL, AT_ENDS = ({one.__name__ for one in these} for these in (corruptions.OF_FORM, corruptions.AT_ENDS))
ENDS_FELT = {"clipped": LARGE, "capped": LARGE, "rounded": SMALL, "shifted": SMALL}
"""The ends that such a corruption is about: a result that feels it in some submissions must be asked in all."""
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
        anywhere: the same change in every call.
    """

    wrong: Wrong
    cell: str
    concerned: tuple[Asked, ...]
    anywhere: Wrong


def region_mutants(record: Record) -> Iterator[RegionMutant]:
    """Yield the mutants of all regions that a task promises and always asks.

    Left out is a corruption that changes nothing in any question of the region. One that depends on the form of a
    result must change something in most of them, and `squeezed` in all: else the mutant would be wrong only where two
    regions meet, this one and the corruption's own. One that only numbers at an end feel belongs to the regions of the
    ends: it is a mutant where right results have such a size, so that the statement forbids the change.
    """
    for region in filter(record.is_always_asked, record.promised):
        target = next(call.target for _, call in record.calls(region))
        within = list(dict.fromkeys(one for one, _ in record.calls(region)))
        changed = {one: {change for call in one.calls for change in call.changes_in(region)} for one in within}
        for place, corruption in sorted(set().union(*changed.values())):
            if UPSTREAM in region and not place.startswith(GRADIENT):
                continue  # the result is there before any gradient arrives
            concerned = tuple(one for one in within if (place, corruption) in changed[one])
            least = {"squeezed": len(within)}.get(corruption, len(within) // 2 + 1 if corruption in FORMAL else 1)
            if len(concerned) < least:
                continue
            if corruption in AT_ENDS and not region.endswith(ENDS):
                continue  # the region has nothing to do with size
            is_by_chance = corruption in FORMAL and not region.endswith(ENDS_FELT.get(corruption, ()))
            if region.endswith(ENDS) and is_by_chance and not record.is_in_every_submission(concerned):
                continue  # some submissions have this size and a result of this form, only not in one question
            if corruption == "detached" and not record.differentiates:
                continue  # nothing says that the result is connected
            change = f"{place}: {corruption.replace('_', ' ')}"
            cell = _cell(record, target, record.promised[region], place, corruption)
            yield RegionMutant(Wrong(region, change), cell, concerned, Wrong(target.any_call, change))


def damaging_mutants(record: Record) -> Iterator[RegionMutant]:
    """Yield the mutants that answer rightly and damage one argument afterwards, in ways that the task forbids."""
    for one in damaged(record.task):
        wrong = Wrong(AFTERWARDS, one.name)
        yield RegionMutant(wrong, one.source, tuple(record.asked), wrong)


def harmless(record: Record) -> str:
    """Return the cell of the mutant that is wrong nowhere, and so must keep all points."""
    return _cell(record, record.targets[0], "True", RESULT, "(lambda value: value)")


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


def _cell(record: Record, target: Target, region: str, place: str, corruption: str) -> str:
    """Return the solution with its function, or one of its methods, surrounded.

    Inside the region the token is what statements of `regions.toml` may use: the arguments, by name and in a row.
    """
    of_class, room = record.declared.of_class, room_of(record.task.tolerance)
    if of_class and place in of_class.spoilt:
        here = f"{{**globals(), **_token, 'result': _value, 'spoil': lambda one: spoilt({corruption}, one, _room)}}"
        hook = f"on_result=lambda _token, _value: (exec({of_class.spoilt[place]!r}, {here}), _value)[1]"
    elif place == RESULT:
        hook = f"on_result=lambda _token, _value: spoilt({corruption}, _value, _room)"
    else:
        index = None if place == GRADIENT else target.parameters.index(place.removeprefix(f"{GRADIENT} of "))
        here = f"_index == {index}" + (f" and ({region})" if UPSTREAM_NAME in region else "")
        given = f"spoilt({corruption}, _value, _room) if {here} else _value"
        hook = f"on_gradient=lambda _token, _index, _value, _upstream: {given}"
    parameters = ", ".join(["_calls", *map(str, target.signature.parameters.values())])
    row = "".join(f"{name}, " for name in target.parameters)
    token = f"dict({''.join(f'{name}={name}, ' for name in target.parameters)}arguments=({row}))"
    inside = f"lambda {parameters}: {token} if ({'True' if UPSTREAM_NAME in region else region}) else None"
    helpers = of_class.helpers if of_class else ""
    surround = f"_room = {room}\n\n{target.name} = surrounded({target.name}, {inside}, {hook})\n"
    return "\n\n".join((record.task.solution, _embedded(), helpers, surround))


@functools.cache
def _embedded() -> str:
    """Return the source of the modules that each mutant contains."""

    def text(module: ModuleType) -> str:
        return re.sub(r"^from autograder.*\n", "", inspect.getsource(module), flags=re.MULTILINE)

    return "\n\n".join(map(text, (corruptions, surrounding)))
