"""Forged replies on the pipe to the grader, and a search for what is right."""

from tests.hostile import attack, attack_cell
from tests.sample_class import NOTHING


@attack(says="closed its pipe|ended the whole process")
def closing_every_descriptor():
    import os

    os.closerange(0, 1024)


@attack(says="closed its pipe|ended the whole process")
def noise_on_every_descriptor():
    import os

    for fd in range(3, 256):
        try:
            os.write(fd, b"3 of 3 points" * 100)
        except OSError:
            pass


@attack(says="closed its pipe|ended the whole process|OutOfTime")
def a_frame_that_never_ends():
    import os
    import struct

    os.write(4, struct.pack(">4sIQ", b"grad", 10, 1 << 27))
    os.write(4, b"x" * 1000)


@attack(says="closed its pipe|ended the whole process|larger")
def a_frame_larger_than_allowed():
    import os
    import struct

    os.write(4, struct.pack(">4sIQ", b"grad", 1 << 31, 1 << 62))


@attack(says="closed its pipe|ended the whole process")
def a_frame_of_deep_lists():
    import os
    import struct

    text = b"[" * 100_000 + b"]" * 100_000
    os.write(4, struct.pack(">4sIQ", b"grad", len(text), 0) + text)


@attack(says="closed its pipe|ended the whole process")
def a_frame_that_is_no_dict():
    import os
    import struct

    text = b"[1, 2]"
    os.write(4, struct.pack(">4sIQ", b"grad", len(text), 0) + text)


@attack("partials", partials=0)
def an_answer_of_its_own_and_gone():
    import os
    import struct
    import threading

    text = b'{"seen": null, "error": null, "points": 3, "verdict": "passed", "printed": "", "nan_began": null}'

    def partials(x, w, b):
        os.write(4, struct.pack(">4sIQ", b"grad", len(text), 0) + text)
        os._exit(0)


@attack(**NOTHING)
def one_reply_too_many():
    # From here on every reply answers the question before.
    import os
    import struct

    text = b'{"outputs": [], "ok": true, "count": 1}'
    os.write(4, struct.pack(">4sIQ", b"grad", len(text), 0) + text)


@attack(**NOTHING)
def a_child_that_answers_as_well():
    import os
    import struct
    import time

    text = b'{"seen": {"t": "dict", "v": []}, "error": null, "printed": "", "nan_began": null}'
    begun, tell = os.pipe()
    if os.fork() == 0:
        while True:
            os.write(4, struct.pack(">4sIQ", b"grad", len(text), 0) + text)
            os.write(tell, b".")
            time.sleep(10)  # before then it ends with this cell: one answer more, and all later ones a place behind
    os.read(begun, 1)


@attack("partials", says="expected|drawn for this submission", partials=0)
def what_is_right_from_gc_and_frames():
    def partials(x, w, b):
        import gc
        import sys

        found = []
        frame = sys._getframe()
        while frame:
            found += [value for name, value in frame.f_locals.items() if "expect" in name or "reference" in name]
            frame = frame.f_back
        for thing in gc.get_objects():
            if type(thing) is dict and ("expected" in thing or "oracle" in thing) and "x" in thing:
                found.append(thing)
        return found[0] if found else dict.fromkeys("xwbuv", 1.0)


@attack("value_backward", says="", value_backward=0, value_long_chains=0, fit_neuron=0)
def the_questions_own_variables():
    class Value:
        def __init__(self, data, *rest):
            import sys

            self.data, self.grad = data, 1.0
            frame = sys._getframe(1)
            for name in list(frame.f_globals):
                if name in ("a", "b", "c", "y"):
                    frame.f_globals[name] = 1.0

        def __add__(self, other):
            return self

        __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __add__

        def __neg__(self):
            return self

        relu = exp = log = tanh = __neg__

        def backward(self):
            import sys

            sys._getframe(1).f_globals.update(a=self, b=self, y=self)


FORGED = """
from autograder.wire.frames import Channel
original, asked = Channel.send, {asked!r}
def send(self, message, blob=b"", seconds=None):
    global asked
    if asked:
        asked = False
        message, blob = {reply}, b""
    return original(self, message, blob, seconds)
Channel.send = send
def partials(x, w, b):
    global asked
    asked = True
"""
CELLS = {
    "outputs_that_are_a_number": '{"outputs": 5, "ok": True, "count": 3}',
    "outputs_that_are_none": '{"outputs": None}',
    "outputs_of_no_known_kind": '{"outputs": [1, None, {}, {"output_type": "stream"}, {"output_type": ["x"]}]}',
    "a_count_below_zero": '{"outputs": [], "count": -5}',
    "a_count_without_an_end": '{"outputs": [], "count": 10 ** 4000}',
    "an_empty_reply": "{}",
    "outputs_with_half_a_character": '{"outputs": [{"output_type": "stream", "name": "stdout", "text": "\\ud800"}]}',
    "a_verdict_in_outputs": '{"outputs": [{"output_type": "execute_result", "execution_count": 1, "metadata": {}, '
    '"data": {"text/plain": "30"}}], "points": 30, "verdicts": [{"task": "partials", "points": 30}]}',
}
ANSWERS = {
    "an_error_that_is_text": '{"seen": None, "error": "passed"}',
    "an_error_without_a_kind": '{"seen": None, "error": {}}',
    "an_error_of_a_strange_kind": '{"seen": None, "error": {"kind": ["time"]}}',
    "an_error_that_took_for_ever": '{"seen": None, "error": {"kind": "time", "seconds": float("inf")}}',
    "an_error_that_took_nothing": '{"seen": None, "error": {"kind": "time", "seconds": float("nan")}}',
    "an_error_with_half_a_character": '{"seen": None, "error": {"kind": "raised", "type": "\\ud800", "message": "\\udfff"}}',
    "no_answer_at_all": '{"seen": None, "error": None}',
    "a_number_without_an_end": '{"seen": {"t": "dict", "v": [["result", 10 ** 4000], ["again", 1]]}, "error": None}',
    "numbers_without_an_end": '{"seen": {"t": "dict", "v": [["result", {"t": "dict", "v": [[n, 10 ** 4000] for n in '
    '"xwbuv"]}]]}, "error": None}',
    "a_key_that_cannot_be_one": '{"seen": {"t": "dict", "v": [[{"t": "list", "v": []}, 1]]}, "error": None}',
    "pairs_of_three": '{"seen": {"t": "dict", "v": [[1, 2, 3]]}, "error": None}',
    "a_tensor_without_its_bytes": '{"seen": {"t": "dict", "v": [["result", {"t": "tensor", "dtype": "float64", '
    '"shape": [1 << 62, 1 << 62, 0], "at": [0, 0]}]]}, "error": None}',
    "a_tensor_of_no_type": '{"seen": {"t": "dict", "v": [["result", {"t": "tensor", "dtype": "load", "shape": [1], '
    '"at": [0, 8]}]]}, "error": None}',
    "bits_of_quantised_numbers": '{"seen": {"t": "dict", "v": [["result", {"t": "tensor", "dtype": "quint8", '
    '"shape": [0], "at": [0, 0]}]]}, "error": None}',
}
for _name, _reply in CELLS.items():
    _source = FORGED[: FORGED.index("def partials")].format(asked=True, reply=_reply)
    attack_cell("frames", _name, _source)
for _name, _reply in ANSWERS.items():
    attack_cell("frames", _name, FORGED.format(asked=False, reply=_reply), "partials", partials=0)
