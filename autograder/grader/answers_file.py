"""What running one notebook brought back, as bytes: kept on disk, sent between machines, judged again later.

JSON and raw bytes, as on the pipe from the sandbox; nothing is unpickled. The seed is not in it.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from autograder.checks.answer import Answer
from autograder.checks.task import Task
from autograder.grader.custody import Custody
from autograder.grader.evidence import Evidence
from autograder.wire.frames import TornFrameError, pack, unpack

FORMAT = 1


def pack_answers(custody: Custody, tasks: Mapping[str, Task]) -> bytes:
    """A compressed frame; with a digest of each check's questions beside its answers."""
    blob = bytearray()
    answers = {}
    custody.asked = {check.id: custody.evidence.questions(check) for task in tasks.values() for check in task.checks}
    for check, given in custody.evidence.answers.items():
        answers[check] = []
        for answer in given:
            answers[check].append({"envelope": answer.envelope, "at": [len(blob), len(answer.blob)]})
            blob += answer.blob
    outputs = {str(index): found for index, found in custody.outputs.items()}
    counts = {str(index): count for index, count in custody.counts.items()}
    message = {"format": FORMAT, "answers": answers, "outputs": outputs, "counts": counts}
    message |= {"ended": custody.ended, "asked": custody.asked}
    return zlib.compress(pack(message, bytes(blob)), 1)


def unpack_answers(raw: bytes, seed: bytes, device: str = "cpu") -> Custody:
    """The same from bytes.

    Args:
        raw: what `pack_answers` made.
        seed: what the submission's further inputs are drawn from.
        device: the type of device where the questions were to be asked.

    Raises:
        TornFrameError: for anything else.
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
    except (zlib.error, KeyError, TypeError, ValueError, AttributeError) as error:
        raise TornFrameError("these are no answers") from error
    return custody


def fits(custody: Custody, tasks: Mapping[str, Task]) -> bool:
    """Whether stored answers hold one to each question that these tasks ask today."""
    checks = [check for task in tasks.values() for check in task.checks]
    return all(custody.asked.get(check.id) == custody.evidence.questions(check) for check in checks)
