"""Questions of the second kind: which calls give something else when a line goes, and what they give then."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.choices import Code
from autograder.own_answers.calls import Call, Outcome, effect
from autograder.own_answers.cuts import Cut
from autograder.own_answers.draft import FEWEST_CHOICES, MOST_CHOICES, Draft, clear, codes_at, shuffled
from autograder.own_answers.program import OwnProgram
from autograder.own_answers.tracing import OWN
from autograder.own_answers.values import Fact, fact

MOST_CUTS, MOST_LATE = 16, 3
LONGEST, MOST_TEXT = 12, 600
"""Lines and characters of a call that stands among the choices."""


def cut_questions(program: OwnProgram) -> Iterator[Draft]:
    """Yield questions about which call changes; if a cut changes all of them alike, about the result."""
    source = program.random("cut")
    cuts = program.cuts[:]
    source.shuffle(cuts)
    effects: list[tuple[Cut, list[tuple[Call, Outcome, Outcome]]]] = []
    late = 0
    for cut in cuts[:MOST_CUTS]:
        runs = []
        for call, before in program.calls:
            if (after := program.without(cut, call)) is None:
                late += 1
                break
            runs.append((call, before, after))
        if program.is_late or late > MOST_LATE:
            break
        if len(runs) == len(program.calls):
            effects.append((cut, runs))
            if (draft := _which_call(program, cut, runs)) is not None:
                yield draft
    for cut, runs in effects:
        yield from _results(program, cut, runs, effects)


def _which_call(program: OwnProgram, cut: Cut, runs: list[tuple[Call, Outcome, Outcome]]) -> Draft | None:
    runs = [one for one in runs if one[0].text.count("\n") < LONGEST and len(one[0].text) <= MOST_TEXT]
    same = [call for call, before, after in runs if effect(before, after) == "same"]
    changed = [(call, before, after) for call, before, after in runs if effect(before, after) == "different"]
    if not changed or len(same) + 1 < FEWEST_CHOICES:
        return None
    call, before, after = changed[0]
    wrong = [one.text for one in same[: MOST_CHOICES - 1]]
    choices, place = shuffled(call.text, wrong, program.random(cut.what))
    codes = (Code("your program", program.source.shown(cut.line)),)
    prompt = f"Suppose {cut.what} {_goes(cut)}. Which of these calls then has another result?"
    because = f"Without it, {_difference(before, after)}; the results of the other calls stay what they are."
    return Draft("cut", (OWN, cut.line), codes, prompt, choices, place, because)


def _results(
    program: OwnProgram,
    cut: Cut,
    runs: list[tuple[Call, Outcome, Outcome]],
    effects: list[tuple[Cut, list[tuple[Call, Outcome, Outcome]]]],
) -> Iterator[Draft]:
    """Yield questions about what a call gives after a cut; wrong choices are what it gives now or after other cuts."""
    for place, (call, before, after) in enumerate(runs):
        if effect(before, after) != "different":
            continue
        for expression in call.shown:
            now = _seen(before, expression)
            right = _seen(after, expression)
            if now is None or right is None or not right.is_clear_beside(now):
                continue
            others = [_seen(other[place][2], expression) for _, other in effects]
            others += [_seen(one, key) for _, one, _ in runs for key in one.values]
            wrong = clear(right, [now, *(one for one in others if one is not None)])
            if len(wrong) + 1 < FEWEST_CHOICES or _is_plain_name(right):
                continue
            choices, index = shuffled(right.text, wrong, program.random(f"{cut.what} {expression}"))
            codes = codes_at(program.source, call, OWN, cut.line)
            asked = f"What is `{expression}` at the end then?" if call.program else "What does the call return then?"
            prompt = f"Suppose {cut.what} {_goes(cut)}. {asked}"
            because = f"Without it, {_difference(before, after, expression)}."
            yield Draft("result", (OWN, cut.line), codes, prompt, choices, index, because, call)
            break


def _seen(outcome: Outcome, expression: str) -> Fact | None:
    if outcome.raised:
        return Fact(f"an error: {outcome.raised}", "error")
    return fact(outcome.values.get(expression, outcome))


def _is_plain_name(right: Fact) -> bool:
    """Whether a name is missing that the line had defined, which says nothing about the program."""
    return right.text in ("an error: NameError", "an error: UnboundLocalError")


def _goes(cut: Cut) -> str:
    if not cut.what.startswith("line"):
        return "goes"
    return "go (`pass` stands in their place)" if cut.what.startswith("lines") else "goes (`pass` stands in its place)"


def _difference(before: Outcome, after: Outcome, expression: str | None = None) -> str:
    if after.raised:
        return f"this call ends with {after.raised}"
    for key in before.values if expression is None else [expression]:
        old, new = _seen(before, key), _seen(after, key)
        if old is not None and new is not None and old.text != new.text:
            return f"`{key}` is {new.text}, and with it {old.text}"
    return "the result is another one"
