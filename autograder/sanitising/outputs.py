"""Outputs of cells, rebuilt from what a page may show; every other field and type is left out and named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from html import escape
from typing import Any

from nbconvert.filters.ansi import ansi2html, strip_ansi
from nbformat import NotebookNode, from_dict

from autograder.grader.verdict import VERDICT, Verdict
from autograder.notebooks.piled_marks import without_piles
from autograder.report.html import verdict_as_html
from autograder.report.text import verdict_as_text
from autograder.sanitising.allowance import Allowance
from autograder.sanitising.html import ACTIVE, NOTE, inert_html, inert_tex
from autograder.sanitising.markdown import inert_markdown
from autograder.sanitising.pictures import BITMAPS, picture, svg_picture

IMAGES = {f"image/{kind}": kind for kind in BITMAPS}
MOST_HTML = 1_000_000
"""Characters of one HTML output; a longer one is left out."""
MOST_NAMED = 5
MOST_COLOURING = 100_000_000
"""Characters times escape sequences of a text: nbconvert copies the rest of it at each of them."""
UNKNOWN = "Left out here, because a browser could run it or does not know it"
TOO_MUCH = "Left out here, because it is damaged or too much for a browser"


def inert_outputs(
    outputs: Any, reserved: Collection[str] = (), allowance: Allowance | None = None, *, graded: bool = False
) -> list[NotebookNode]:
    """A cell's outputs, in nbformat's form, with nothing that could run.

    Args:
        outputs: whatever the student's process gave as such.
        reserved: element ids that belong to the page.
        allowance: of the notebook, from which what is shown is taken off.
        graded: whether this is a grade cell, where a verdict's display stays as it is.
    """
    allowance = Allowance() if allowance is None else allowance
    made: list[dict[str, Any]] = []
    for output in outputs if isinstance(outputs, list) else []:
        if not isinstance(output, dict):
            continue
        if graded and _is_verdict(output):
            made.append(output)
            continue
        left_out: dict[str, list[str]] = {}
        if (reduced := _reduced(output, reserved, allowance, left_out)) is not None:
            made.append(reduced)
        for reason, names in left_out.items():
            named = ", ".join(re.sub(r"[^\w.+/ -]", "?", name)[:60] for name in names[:MOST_NAMED])
            text = {"text/plain": f"{reason}: {named}."}
            made.append({"output_type": "display_data", "metadata": {}, "data": text})
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


def _reduced(
    output: dict, reserved: Collection[str], allowance: Allowance, left_out: dict[str, list[str]]
) -> dict[str, Any] | None:
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return {"output_type": "stream", "name": name, "text": _text(output.get("text"))}
    if kind == "error":
        traceback = output.get("traceback")
        lines = [_text(line) for line in traceback] if isinstance(traceback, list) else []
        if sum(map(len, lines)) * sum(line.count("\x1b") for line in lines) > MOST_COLOURING:
            lines = [_colourless(line) for line in lines]  # the pages join them
        fields = {name: _text(output.get(name)) for name in ("ename", "evalue")}
        return {"output_type": "error", **fields, "traceback": lines}
    if kind not in ("display_data", "execute_result"):
        return None
    data = output.get("data")
    shown = _data(data if isinstance(data, dict) else {}, reserved, allowance, left_out)
    if not shown and left_out:
        return None
    made = {"output_type": kind, "metadata": _sizes(output.get("metadata"), shown), "data": shown}
    if kind == "execute_result":
        count = output.get("execution_count")
        made["execution_count"] = count if type(count) is int else None
    return made


def _data(
    data: dict, reserved: Collection[str], allowance: Allowance, left_out: dict[str, list[str]]
) -> dict[str, str]:
    shown: dict[str, str] = {}
    for mime, value in data.items():
        text = _text(value)
        if mime == "text/plain":
            shown[mime] = text
        elif mime == "text/markdown":
            shown[mime] = inert_markdown(text, None, reserved, allowance)
        elif mime == "image/svg+xml" and {"text/html", *IMAGES} & data.keys():
            continue  # they show the same
        elif mime in READERS:
            if (made := READERS[mime](text, _text(data.get("text/plain", "")), allowance)) is None:
                left_out.setdefault(TOO_MUCH, []).append(mime)
            else:
                shown["text/html" if mime == "image/svg+xml" else mime] = made
        else:
            left_out.setdefault(UNKNOWN, []).append(str(mime))
    return shown


def _html(text: str, alt: str, allowance: Allowance) -> str | None:
    if len(text) > MOST_HTML:
        return None
    html = inert_html(text)
    html = f"<p><em>{NOTE}</em></p>{html}" if ACTIVE.search(text) and NOTE not in text else html
    return html if allowance.admits(html) else None


def _latex(text: str, alt: str, allowance: Allowance) -> str | None:
    text = inert_tex(text)
    return text if allowance.admits(text) else None


def _svg(text: str, alt: str, allowance: Allowance) -> str | None:
    """As an image."""
    if (image := svg_picture(text)) is None:
        return None
    return _html(f'<img src="{image.address}" alt="{escape(alt)}">', "", allowance)


def _bitmap(kind: str) -> Callable[[str, str, Allowance], str | None]:
    def read(text: str, alt: str, allowance: Allowance) -> str | None:
        image = picture(kind, text)
        return image.encoded if image is not None and allowance.admits_pixels(image.cost) else None

    return read


READERS = {"text/html": _html, "text/latex": _latex, "image/svg+xml": _svg}
READERS |= {mime: _bitmap(kind) for mime, kind in IMAGES.items()}
"""How an output of each type is reduced: its text, what stands for it in words, and the allowance; None: too much."""


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
    value = without_piles(value.encode("utf-8", errors="replace").decode("utf-8"))
    if "\x1b" in value:
        try:
            if len(value) * value.count("\x1b") > MOST_COLOURING:
                return _colourless(value)
            ansi2html(value)
        except Exception:  # colours that the pages' own converter trips over
            return _colourless(value)
    return value


def _colourless(text: str) -> str:
    return strip_ansi(text).replace("\x1b", "")
