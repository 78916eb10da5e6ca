"""Attacks cost their authors what they must; honest submissions among them get exactly their points."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from autograder.grader.supervision import supervisor
from autograder.supervisor.tiers import Tier
from tests import hostile
from tests.depth import one_of_each, proof
from tests.hostile import ATTACKS, Attack
from tests.hostile.class_run import HONEST, ClassOfAttackers
from tests.hostile.scene import Scene

hostile.load()
KINDS = sorted({attack.kind for attack in ATTACKS})
BOTH = [*KINDS, *(pytest.param(kind, id=f"{kind}-in-full", marks=proof) for kind in KINDS)]
"""With one attack of each kind, and with the others."""
SLIPS = re.compile(r"\b(SyntaxError|IndentationError|NameError|ModuleNotFoundError|UnboundLocalError)\b")
"""An attack that stops with one of these has proved nothing."""
SETTLING_SECONDS = 30.0
"""How long the machine may take to forget the last sandbox."""


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """What lies outside."""
    if supervisor().facts.tier is not Tier.NAMESPACES:
        pytest.skip("some attacks would succeed here: `autograder doctor` says what is missing")
    scene = Scene(tmp_path_factory.mktemp("outside"))
    yield scene
    scene.close()


@pytest.fixture(scope="module")
def attackers(scene: Scene, request: pytest.FixtureRequest) -> Iterator[ClassOfAttackers]:
    """The workers, and the attacks that this run is about."""
    chosen = [item.callspec.params.get("attack") for item in request.session.items if hasattr(item, "callspec")]
    attackers = ClassOfAttackers(scene, attacks=[attack for attack in ATTACKS if attack in chosen])
    yield attackers
    attackers.close()


def _id(attack: Attack) -> str:
    return f"{attack.kind}-{attack.name}"


def test_there_are_sixty() -> None:
    assert len({(attack.kind, attack.name) for attack in ATTACKS}) == len(ATTACKS) >= 60


@pytest.mark.parametrize("attack", one_of_each(ATTACKS, lambda attack: attack.kind), ids=_id)
def test_an_attack_gets_what_it_deserves(attack: Attack, attackers: ClassOfAttackers) -> None:
    returned = attackers.returned(attack.kind)[attack.name]
    assert not returned.error
    assert returned.points == attack.points, (returned.reasons, returned.outputs[:3000])
    assert "BREACH" not in returned.outputs
    assert not any("defect" in kinds for kinds in returned.results.values()), returned.reasons
    for secret in (*attackers.scene.secrets, returned.seed):
        assert secret not in returned.everything
    told = returned.outputs + returned.reasons.get(attack.task, "")
    assert not SLIPS.search(told.replace(attack.says, "")), told[:3000]
    assert re.search(attack.says, told), told[:3000]


CONTROLLED = [attack for attack in ATTACKS if attack.control]


@pytest.mark.parametrize("attack", one_of_each(CONTROLLED, lambda attack: attack.kind), ids=_id)
def test_the_same_works_outside(attack: Attack, scene: Scene, attackers: ClassOfAttackers) -> None:
    attackers.returned(attack.kind)
    visits = set(scene.visits)
    told = scene.outside(attack.source)
    assert "BREACH" in told, told[-3000:]
    if attack.kind == "network":
        assert scene.is_visited(since=visits)
    scene.visits &= visits
    scene.restore()


@pytest.mark.parametrize("kind", BOTH)
def test_honest_submissions_among_them_get_their_points(kind: str, attackers: ClassOfAttackers) -> None:
    returned = attackers.returned(kind)
    for name, (_, points) in HONEST.items():
        assert not returned[name].error
        assert returned[name].points == points, (name, returned[name].reasons)


@pytest.mark.parametrize("kind", BOTH)
def test_nothing_is_left(kind: str, attackers: ClassOfAttackers, scene: Scene) -> None:
    attackers.returned(kind)
    deadline = time.monotonic() + SETTLING_SECONDS
    while (traces := scene.traces() + attackers.processes_left()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert traces == []
