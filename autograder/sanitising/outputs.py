"""Outputs of cells, rebuilt from what a page may show; every other field and type is left out and named."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection
from typing import Any

from nbconvert.filters.ansi import ansi2html, strip_ansi
from nbformat import NotebookNode, from_dict

from autograder.grader.verdict import VERDICT, Verdict
from autograder.report.html import verdict_as_html
from autograder.report.text import verdict_as_text
from autograder.sanitising.html import ACTIVE, NOTE, inert_html, inert_tex, is_base64, svg_image
from autograder.sanitising.markdown import inert_markdown

IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
MOST_HTML = 1_000_000
"""Characters of one HTML output; a longer one is left out."""
MOST_NAMED = 5


def inert_outputs(
    outputs: Any, reserved: Collection[str] = (), deadline: float = math.inf, *, graded: bool = False
) -> list[NotebookNode]:
    """A cell's outputs, in nbformat's form, with nothing that could run.

    Args:
        outputs: whatever the student's process gave as such.
        reserved: element ids that belong to the page.
        deadline: until when Markdown is rendered, by `time.monotonic`.
        graded: whether this is a grade cell, where a verdict's display stays as it is.
    """
    made: list[dict[str, Any]] = []
    for output in outputs if isinstance(outputs, list) else []:
        if not isinstance(output, dict):
            continue
        if graded and _is_verdict(output):
            made.append(output)
            continue
        left_out: list[str] = []
        if (reduced := _reduced(output, reserved, deadline, left_out)) is not None:
            made.append(reduced)
        if left_out:
            named = ", ".join(re.sub(r"[^\w.+/ -]", "?", name)[:60] for name in left_out[:MOST_NAMED])
            text = f"Left out here, because a browser could run it or does not know it: {named}."
            made.append({"output_type": "display_data", "metadata": {}, "data": {"text/plain": text}})
    return [from_dict(output) for output in made]


def _is_verdict(output: dict) -> bool:
    """Whether an output is what this package makes of its verdict, to the letter: then it is all escaped."""
    data = output.get("data")
    if output.get("output_type") != "display_data" or not isinstance(data, dict) or output.get("metadata"):
        return False
    try:
        verdict = Verdict.from_data(data[VERDICT])
        shown = {"text/html": verdict_as_html(verdict), "text/plain": verdict_as_text(verdict, drawn=True)}
        return json.dumps(data, sort_keys=True) == json.dumps(
            {**shown, VERDICT: verdict.as_data(picture=True)}, sort_keys=True
        )
    except Exception:  # a forged one may have any shape
        return False


def _reduced(output: dict, reserved: Collection[str], deadline: float, left_out: list[str]) -> dict[str, Any] | None:
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return {"output_type": "stream", "name": name, "text": _text(output.get("text"))}
    if kind == "error":
        traceback = output.get("traceback")
        lines = [_text(line) for line in traceback] if isinstance(traceback, list) else []
        fields = {name: _text(output.get(name)) for name in ("ename", "evalue")}
        return {"output_type": "error", **fields, "traceback": lines}
    if kind not in ("display_data", "execute_result"):
        return None
    data = output.get("data")
    shown = _data(data if isinstance(data, dict) else {}, reserved, deadline, left_out)
    if not shown and left_out:
        return None
    made = {"output_type": kind, "metadata": _sizes(output.get("metadata"), shown), "data": shown}
    if kind == "execute_result":
        count = output.get("execution_count")
        made["execution_count"] = count if type(count) is int else None
    return made


def _data(data: dict, reserved: Collection[str], deadline: float, left_out: list[str]) -> dict[str, str]:
    shown: dict[str, str] = {}
    for mime, value in data.items():
        text = _text(value)
        if mime == "text/plain":
            shown[mime] = text
        elif mime == "text/html" and len(text) <= MOST_HTML:
            html = inert_html(text)
            shown[mime] = f"<p><em>{NOTE}</em></p>{html}" if ACTIVE.search(text) and NOTE not in text else html
        elif mime == "text/markdown":
            shown[mime] = inert_markdown(text, None, reserved, deadline)
        elif mime == "text/latex":
            shown[mime] = inert_tex(text)
        elif mime in IMAGES and is_base64(text):
            shown[mime] = text
        elif mime == "image/svg+xml" and len(text) <= MOST_HTML:
            alt = _text(data.get("text/plain", ""))
            if not {"text/html", *IMAGES} & data.keys():
                shown["text/html"] = svg_image(text, alt)
        else:
            left_out.append(str(mime))
    return shown


def _sizes(metadata: Any, shown: Collection[str]) -> dict[str, dict[str, int]]:
    """Width and height of images, where they are numbers."""
    sizes: dict[str, dict[str, int]] = {}
    for mime in IMAGES:
        own = metadata.get(mime) if isinstance(metadata, dict) and mime in shown else None
        if isinstance(own, dict):
            numbers = {key: own[key] for key in ("width", "height") if type(own.get(key)) is int}
            sizes |= {mime: numbers} if numbers else {}
    return sizes


def _text(value: Any) -> str:
    """Text that can be written and shown: nbformat's lines joined, lone surrogates and bad escapes replaced."""
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    if not isinstance(value, str):
        return ""
    value = value.encode("utf-8", errors="replace").decode("utf-8")
    if "\x1b" in value:
        try:
            ansi2html(value)
        except Exception:  # colours that the pages' own converter trips over
            return strip_ansi(value).replace("\x1b", "")
    return value
