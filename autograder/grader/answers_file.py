"""Serialisation of what running a notebook brought back: to keep, to send to another machine, to judge again later.

The format is JSON and raw bytes, as on the pipe from the sandbox; nothing is unpickled. It does not contain the seed.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from autograder.checks.answer import Answer
from autograder.checks.task import Task
from autograder.grader.custody import Custody
from autograder.judging.evidence import Evidence
from autograder.wire.frames import TornFrameError, pack, unpack

FORMAT = 2


def pack_answers(custody: Custody, tasks: Mapping[str, Task]) -> bytes:
    """Serialise to a compressed frame, with a digest of each check's questions beside its answers."""
    blob = bytearray()
    answers: dict[str, list[dict[str, Any]]] = {}
    custody.asked = {check.id: custody.evidence.questions(check) for task in tasks.values() for check in task.checks}
    for check, given in custody.evidence.answers.items():
        answers[check] = []
        for answer in given:
            answers[check].append({"envelope": answer.envelope, "at": [len(blob), len(answer.blob)]})
            blob += answer.blob
    outputs = {str(index): found for index, found in custody.outputs.items()}
    counts = {str(index): count for index, count in custody.counts.items()}
    changed = {str(index): names for index, names in custody.changed.items()}
    message = {"format": FORMAT, "answers": answers, "outputs": outputs, "counts": counts, "changed": changed}
    message |= {"ended": custody.ended, "asked": custody.asked}
    return zlib.compress(pack(message, bytes(blob)), 1)


def unpack_answers(raw: bytes, seed: bytes, device: str = "cpu") -> Custody:
    """Read what `pack_answers` wrote.

    Args:
        raw: the bytes.
        seed: the seed of the submission's further inputs.
        device: the type of device where the questions were to be asked.

    Raises:
        TornFrameError: if the bytes are anything else.
    """
    try:
        message, blob = unpack(zlib.decompress(raw))
        if message["format"] != FORMAT:
            raise TornFrameError(f"these answers have format {message['format']}, and this program reads {FORMAT}")
        custody = Custody(Evidence(seed, device))
        for check, given in message["answers"].items():
            custody.evidence.answers[check] = [
                Answer(one["envelope"], blob[one["at"][0] : one["at"][0] + one["at"][1]]) for one in given
            ]
        custody.outputs = {int(index): found for index, found in message["outputs"].items()}
        custody.ended, custody.asked = dict(message["ended"]), dict(message["asked"])
        custody.counts = {int(index): count for index, count in message["counts"].items()}
        custody.changed = {int(index): names for index, names in message["changed"].items()}
    except (zlib.error, KeyError, TypeError, ValueError, AttributeError) as error:
        raise TornFrameError("these are no answers") from error
    return custody


def fits(custody: Custody, tasks: Mapping[str, Task]) -> bool:
    """Return whether stored answers belong to exactly the questions that these tasks ask now."""
    checks = [check for task in tasks.values() for check in task.checks]
    return all(custody.asked.get(check.id) == custody.evidence.questions(check) for check in checks)
