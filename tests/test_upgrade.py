"""The report on an upgrade names what moved, and nothing else."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from autograder.checks.catalogue import exercises, tasks_of
from tests.submissions import COURSE
from tests.upgrade import NEWEST
from tests.upgrade.__main__ import requirements
from tests.upgrade.observations import OPERATIONS, _behaviour, _references
from tests.upgrade.report import failed_tests, table

PINNED = {
    "versions": dict.fromkeys(NEWEST, "1.0"),
    "torch": {"clamp": {"node": "ClampBackward1", "slopes": {"torch.float64": [1.0, 1.0, 0.0]}}},
    "references": {"01/partials": [{"x": 1.0, "w": float("nan")}]},
    "answers": {"01/partials/wrong sign": {"points": 0.0, "mistakes": ["sign"], "said": ["It is -1, expected 1."]}},
}


def _newest() -> dict:
    return copy.deepcopy(PINNED) | {"versions": dict.fromkeys(NEWEST, "2.0")}


def test_nothing_moved() -> None:
    newest = _newest()
    newest["references"]["01/partials"][0]["x"] = 1.0 + 1e-9
    said, anything = table(PINNED, newest, [])
    assert not anything
    assert "0 tests fail. 0 figures, names or messages moved, of 1 answers and 1 references." in said


@pytest.mark.parametrize(
    ("part", "change", "line"),
    [
        ("torch", lambda t: t["clamp"]["slopes"].update({"torch.float64": [0.5, 1.0, 0.0]}), "float64[0] | 1.0 | 0.5"),
        ("torch", lambda t: t["clamp"].update(node="ClampBackward2"), "clamp node | ClampBackward1 | ClampBackward2"),
        ("references", lambda t: t["01/partials"][0].update(x=1.01), "01/partials[0] x | 1.0 | 1.01"),
        ("references", lambda t: t["01/partials"][0].update(w=0.0), "01/partials[0] w | nan | 0.0"),
        ("answers", lambda t: t["01/partials/wrong sign"].update(points=3.0), "wrong sign points | 0.0 | 3.0"),
        ("answers", lambda t: t["01/partials/wrong sign"].update(mistakes=["x"]), "mistakes[0] | sign | x"),
        ("answers", lambda t: t["01/partials/wrong sign"].update(said=[]), "said | ['It is -1, expected 1.'] | []"),
        ("answers", lambda t: t.clear(), "not there"),
    ],
)  # fmt: skip
def test_what_moved_has_its_line(part: str, change: object, line: str) -> None:
    newest = _newest()
    change(newest[part])
    said, anything = table(PINNED, newest, [])
    assert anything
    assert line in said


def test_failed_tests_are_named(tmp_path: Path) -> None:
    report = tmp_path / "tests.xml"
    report.write_text(
        "<testsuites><testsuite><testcase classname='tests.test_a' name='test_x'><failure/></testcase>"
        "<testcase classname='tests.test_a' name='test_y'/></testsuite></testsuites>"
    )
    assert failed_tests(report) == ["tests.test_a.test_x"]
    assert failed_tests(tmp_path / "none.xml")
    assert table(PINNED, _newest(), failed_tests(report))[1]


def test_four_packages_are_free_and_the_others_pinned() -> None:
    wanted = requirements((COURSE / "requirements.txt").read_text()).splitlines()
    assert set(NEWEST) <= {line.split()[0] for line in wanted if line}
    assert not any(line.startswith("-c") for line in wanted)
    assert any(line.startswith("numpy==") for line in wanted)
    assert "torch==" in requirements((COURSE / "requirements.txt").read_text(), ["torch"])


def test_a_behaviour_is_a_node_and_its_slopes() -> None:
    seen = _behaviour(OPERATIONS["clamp to [0, 1]"])
    assert seen["node"].startswith("Clamp")
    assert len(seen["slopes"]["torch.float64"]) == 3


def test_every_task_s_reference_is_looked_at() -> None:
    first = exercises()[0]
    assert {key.split("/")[1] for key in _references(first)} == set(tasks_of(first))
