"""`input()`, `exit()` and their like in an answer: an error that says so, at every door, and nothing waits or ends."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path

import pytest

from autograder.grader.live import judge_namespace
from autograder.probes import Question
from autograder.verdicts.plain_text import verdict_as_text
from tests.kernel_cells import Kernel
from tests.sandboxes import said, sandbox

KEYBOARD = "waits for input from the keyboard, and during a check there is none"
ENDING = "ends Python and the whole notebook with it, so a check does not let it through"
CALLS = {
    "input('x? ')": f"input() {KEYBOARD}",
    "__import__('getpass').getpass()": f"getpass() {KEYBOARD}",
    "breakpoint()": f"breakpoint() {KEYBOARD}",
    "import pdb; pdb.Pdb().set_trace()": f"the debugger, pdb, {KEYBOARD}",
    "__import__('sys').stdin.readline()": f"sys.stdin {KEYBOARD}",
    "exit()": f"exit() {ENDING}",
    "quit()": f"quit() {ENDING}",
}
ADVICE = {KEYBOARD: "A function that is checked works with its arguments alone", ENDING: "To leave a function, use"}


def answering(call: str) -> str:
    """An answer whose first line is this call."""
    return f"def partials(x, w, b):\n    {call}\n    return {{}}\n"


@pytest.mark.parametrize("call", CALLS)
def test_a_call_that_needs_a_person_is_refused_in_words(call: str) -> None:
    names = {"__name__": "__main__"}
    exec(answering(call), names)
    text = " ".join(verdict_as_text(judge_namespace("partials", names)[0]).split())
    assert f"`partials(3.0, 2.0, 1.0)` raised InteractionError: {CALLS[call]}" in text
    assert next(advice for why, advice in ADVICE.items() if why in CALLS[call]) in text
    assert "loop" not in text


def test_sys_exit_is_told_what_to_use_instead() -> None:
    names = {"__name__": "__main__"}
    exec(answering("__import__('sys').exit(3)"), names)
    text = " ".join(verdict_as_text(judge_namespace("partials", names)[0]).split())
    assert "raised SystemExit: 3" in text
    assert "To leave a function, use `return`." in text


def test_afterwards_all_is_as_it_was() -> None:
    def state() -> tuple:
        return builtins.input, getattr(builtins, "exit", None), sys.stdin, sys.breakpointhook

    before = state()
    judge_namespace("partials", {})
    assert state() == before


def test_a_name_of_the_students_own_stays_theirs() -> None:
    names = {"__name__": "__main__"}
    exec("def exit(v):\n    return float(v > 0)\n" + answering("print('gate', exit(x * w + b))"), names)
    assert "gate 1.0" in judge_namespace("partials", names)[1]


def test_in_a_kernel_nothing_waits_and_the_kernel_stays(tmp_path: Path) -> None:
    """The front end allows input; without the refusal the check would wait for it, and `exit` end the kernel."""
    with Kernel(tmp_path) as kernel:
        kernel.run("from autograder import check")
        for call in ("input('x? ')", "exit()", "quit()"):
            kernel.run(answering(call))
            assert f"InteractionError: {CALLS[call]}" in kernel.card("check('partials')")
        assert kernel.run("print(type(exit).__name__)")[-1]["text"] == "ZMQExitAutocall\n"  # IPython's own again


def test_in_a_sandbox_the_same_is_said() -> None:
    tree, blob = Question("call", {"target": "partials", "arguments": [3.0, 2.0, 1.0]}).pack()
    with sandbox() as process:
        for call in ("input('x? ')", "exit()"):
            said(process, answering(call))
            reply, _, late = process.request({"op": "ask", "question": tree}, blob, seconds=20)
            assert not late
            assert reply["error"]["type"] == "InteractionError"
            assert reply["error"]["message"] == CALLS[call]
