"""Answers that would cost the judge more than they cost their author; see also tests/test_answer_limits.py."""

from tests.hostile import attack, attack_cell
from tests.hostile.frames import FORGED

EMPTY = '{"t": "tensor", "dtype": "float32", "shape": [0], "device": "cpu", "at": [0, 0]}'
TOO_LARGE = "more data than the task asks for|larger than a frame may be|not a frame|ended the whole process"
REPLIES = {
    "sixty_thousand_empty_tensors": f'{{"seen": {{"t": "dict", "v": [["result", {{"t": "list", "v": [{EMPTY}] * 60_000}}]]}}, '
    '"error": None}',
    "nineteen_thousand_empty_tensors": f'{{"seen": {{"t": "dict", "v": [["result", {{"t": "list", "v": [{EMPTY}] * 19_000}}]]}}, '
    '"error": None}',
    "a_million_values_that_nobody_reads": '{"seen": None, "error": None, "points": [[]] * 1_000_000}',
    "forty_megabytes_of_words": '{"seen": None, "error": {"kind": "raised", "type": "E", "message": "m" * 40_000_000}}',
}
for _name, _reply in REPLIES.items():
    attack_cell("judging", _name, FORGED.format(asked=False, reply=_reply), "partials", says=TOO_LARGE, partials=0)
attack_cell(
    "judging",
    "an_error_longer_than_floats_go",
    FORGED.format(asked=False, reply='{"seen": None, "error": {"kind": "time", "seconds": 10 ** 400}}'),
    "partials",
    says="did not finish",
    partials=0,
)
attack_cell(
    "judging",
    "lists_too_deep_to_be_kept",
    FORGED.format(
        asked=False,
        reply="(lambda f: f(f, 800))(lambda f, n: {'seen': None, 'error': None, 'a': f(f, n - 1)} if n else {})",
    ),
    "partials",
    says="not readable",
    partials=0,
)


@attack("partials", says="more data than the task asks for", partials=0)
def an_honest_looking_flood_of_tensors():
    import torch

    many = [torch.empty(0) for _ in range(60_000)]

    def partials(x, w, b):
        return many


@attack("partials", says="more data than the task asks for", partials=0)
def a_flood_of_words():
    words = ["\x00" * 19_000] * 19_000

    def partials(x, w, b):
        return words
