"""What belongs to a question, so that kept answers are answers to it, and what may be reworded at any time."""

from __future__ import annotations

import dataclasses
import socket
from pathlib import Path

import pytest

import autograder
from autograder.checks import task as declarations
from autograder.checks.catalogue import exercises, find_task, tasks_of
from autograder.grader.answers_file import fits
from autograder.grader.custody import Custody
from autograder.grader.provenance import code_digest
from autograder.judging.evidence import Evidence
from autograder.supervisor.control_groups import ControlGroups
from autograder.supervisor.service import Choice, Supervisor
from autograder.supervisor.tiers import Tier

PROGRAM = """
'''Counts passes.'''

def passes(found):
    '''How many there are.'''
    return len(found)
"""


def test_a_title_is_no_part_of_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declarations, "_drawn", {})
    for check in find_task("partials").checks:
        asked = Evidence(b"seed").questions(check)
        declarations._drawn.clear()
        reworded = dataclasses.replace(check, title="Other words")
        assert Evidence(b"seed").questions(reworded) == asked
        assert reworded.id == check.id


def test_each_check_has_a_name_of_its_own() -> None:
    checks = [check for name in exercises() for task in tasks_of(name).values() for check in task.checks]
    assert len({check.id for check in checks}) == len(checks)


def test_a_check_that_is_gone_needs_no_new_answers() -> None:
    task = find_task("partials")
    custody = Custody(Evidence())
    custody.asked = {check.id: custody.evidence.questions(check) for check in task.checks} | {"partials/gone": "x"}
    assert fits(custody, {"partials": task})
    del custody.asked[task.checks[0].id]
    assert not fits(custody, {"partials": task})


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        (PROGRAM.replace("Counts", "Adds up").replace("How many", "The number that"), True),
        (PROGRAM.replace("    return", "    # why\n\n    return"), True),
        (PROGRAM.replace("len(found)", "len(found) + 1"), False),
    ],
    ids=["words", "comment", "code"],
)
def test_answers_depend_on_what_probes_do_and_not_on_their_words(
    changed: str, same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autograder, "__file__", str(tmp_path / "__init__.py"))
    (tmp_path / "probes").mkdir()
    digests = []
    for text in (PROGRAM, changed):
        (tmp_path / "probes" / "counting.py").write_text(text)
        digests.append(code_digest.__wrapped__(("probes",)))
    assert (digests[0] == digests[1]) is same


def test_a_supervisor_whose_owner_left_without_a_word_ends_quietly() -> None:
    """A worker that only judges never reads what its supervisor found."""
    owner, end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with owner:
        owner.send(b"facts")
        end.close()
        Supervisor(Choice(Tier.PROCESS, None, b""), lambda *_: None, ControlGroups()).serve(owner)


def test_a_supervisor_whose_owner_left_before_its_answer_ends_quietly() -> None:
    owner, end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with owner:
        end.send(b"no request")
        end.close()
        Supervisor(Choice(Tier.PROCESS, None, b""), lambda *_: None, ControlGroups()).serve(owner)
