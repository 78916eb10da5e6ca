"""Two environments side by side: what moved from one to the other."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

RELATIVE = 1e-6
"""Numbers that are closer have not moved: another order of additions is no news."""
WIDEST = 100


def failed_tests(junit: Path) -> list[str]:
    """The names of the tests that failed or could not run, from pytest's report."""
    if not junit.exists():
        return ["pytest itself: it wrote no report"]
    cases = ET.parse(junit).getroot().iter("testcase")
    return [
        f"{case.get('classname')}.{case.get('name')}"
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]


def moved(pinned: dict, newest: dict) -> list[tuple[str, str, str, str]]:
    """What differs, as (part, what, in the pinned environment, in the new one)."""
    found = []
    for part in ("torch", "references", "answers"):
        for name in sorted(pinned[part].keys() | newest[part].keys()):
            before, after = pinned[part].get(name, "not there"), newest[part].get(name, "not there")
            found += [(part, f"{name}{place}", one, other) for place, one, other in differences(before, after)]
    return found


def differences(before: Any, after: Any, place: str = "") -> list[tuple[str, str, str]]:
    """The places where two trees of JSON differ, with what stands there."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        return [one for key in before for one in differences(before[key], after[key], f"{place} {key}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [found for n, (one, other) in pairs for found in differences(one, other, f"{place}[{n}]")]
    if type(before) is type(after) is float:
        both_nan = math.isnan(before) and math.isnan(after)
        if both_nan or math.isclose(before, after, rel_tol=RELATIVE, abs_tol=RELATIVE):
            return []
    return [] if before == after else [(place, str(before), str(after))]


def table(pinned: dict, newest: dict, failed: list[str]) -> tuple[str, bool]:
    """The report as Markdown, and whether anything moved."""
    lines = ["| package | pinned | newest |", "|:--|:--|:--|"]
    lines += [f"| {name} | {version} | {newest['versions'][name]} |" for name, version in pinned["versions"].items()]
    same = [name for name, version in pinned["versions"].items() if newest["versions"][name] == version]
    if same:
        lines += ["", f"No newer version was found, or could be installed, of {', '.join(same)}."]
    changes = moved(pinned, newest)
    lines += ["", f"{len(failed)} tests fail. {len(changes)} figures, names or messages moved, of"]
    lines[-1] += f" {len(pinned['answers'])} answers and {len(pinned['references'])} references."
    if failed:
        lines += ["", "Tests that fail:", "", *(f"- `{name}`" for name in failed)]
    if changes:
        lines += ["", "| part | what | pinned | newest |", "|:--|:--|:--|:--|"]
        lines += [f"| {' | '.join(map(_cell, change))} |" for change in changes]
    return "\n".join(lines), bool(failed or changes)


def _cell(text: str) -> str:
    text = text.replace("|", "\\|").replace("\n", " ")
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
