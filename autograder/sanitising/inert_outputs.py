"""Cell outputs, rebuilt from what a page may show; every other field and MIME type is left out and named."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from html import escape
from typing import Any

from nbconvert.filters.ansi import ansi2html, strip_ansi
from nbformat import NotebookNode, from_dict

from autograder.notebooks.combining_marks import limit_marks
from autograder.sanitising.allowance import Allowance
from autograder.sanitising.html import ACTIVE, NOTE, inert_html, inert_tex, is_laborious
from autograder.sanitising.images import BITMAPS, embedded_image, svg_image
from autograder.sanitising.markdown import inert_markdown
from autograder.verdicts.verdict import VERDICT, Verdict
from autograder.verdicts.verdict_outputs import display_of

SVG = "image/svg+xml"
IMAGES = {f"image/{kind}": kind for kind in BITMAPS}
MOST_HTML = 1_000_000
"""Characters in one HTML output; a longer output is left out."""
MOST_NAMED = 5
MOST_COLOURING = 100_000_000
"""Characters times escape sequences in one text: nbconvert copies the rest of the text at each sequence."""
UNKNOWN = "Left out here, because a browser could run it or does not know it"
TOO_MUCH = "Left out here, because it is damaged or too much for a browser"
Reader = Callable[[str, str, Allowance], str | None]


def inert_outputs(
    outputs: Any, reserved: Collection[str] = (), allowance: Allowance | None = None, *, graded: bool = False
) -> list[NotebookNode]:
    """Return a cell's outputs, in nbformat's form, without active content.

    Args:
        outputs: whatever the student's process reported as outputs, of any shape.
        reserved: element ids that belong to the page.
        allowance: the notebook's, from which the cost of these outputs is subtracted.
        graded: whether this is a grade cell, where a verdict's display stays unchanged.
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


def _is_verdict(output: dict[str, Any]) -> bool:
    """Return whether an output equals what this package renders from its verdict, where everything is escaped."""
    data = output.get("data")
    if output.get("output_type") != "display_data" or not isinstance(data, dict) or output.get("metadata"):
        return False
    try:
        made = display_of(Verdict.from_data(data[VERDICT]))["data"]
        return json.dumps(data, sort_keys=True) == json.dumps(made, sort_keys=True)
    except Exception:  # a forged verdict may have any shape
        return False


def _reduced(
    output: dict[str, Any], reserved: Collection[str], allowance: Allowance, left_out: dict[str, list[str]]
) -> dict[str, Any] | None:
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return {"output_type": "stream", "name": name, "text": _text(output.get("text"))}
    if kind == "error":
        traceback = output.get("traceback")
        lines = [_text(line) for line in traceback] if isinstance(traceback, list) else []
        if sum(map(len, lines)) * sum(line.count("\x1b") for line in lines) > MOST_COLOURING:
            lines = [_colourless(line) for line in lines]  # nbconvert joins them
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
    data: dict[str, Any], reserved: Collection[str], allowance: Allowance, left_out: dict[str, list[str]]
) -> dict[str, str]:
    shown: dict[str, str] = {}
    for mime, value in data.items():
        text = _text(value)
        if mime == "text/html" and SVG in data and "<svg" in text:
            mime, text = SVG, _text(data[SVG])  # the same picture, which is shown as an image
        elif mime == SVG and {"text/html", *IMAGES} & data.keys():
            continue  # they show the same content
        if mime == "text/plain":
            shown[mime] = text
        elif mime == "text/markdown":
            shown[mime] = inert_markdown(text, None, reserved, allowance)
        elif mime in READERS:
            if (made := READERS[mime](text, _text(data.get("text/plain", "")), allowance)) is None:
                left_out.setdefault(TOO_MUCH, []).append(mime)
            else:
                shown["text/html" if mime == SVG else mime] = made
        else:
            left_out.setdefault(UNKNOWN, []).append(str(mime))
    return shown


def _html(text: str, alt: str, allowance: Allowance) -> str | None:
    if len(text) > MOST_HTML or is_laborious(text):
        return None
    html = inert_html(text)
    html = f"<p><em>{NOTE}</em></p>{html}" if ACTIVE.search(text) and NOTE not in text else html
    return html if allowance.admits(html) else None


def _latex(text: str, alt: str, allowance: Allowance) -> str | None:
    text = inert_tex(text)
    return text if allowance.admits(text) else None


def _svg(text: str, alt: str, allowance: Allowance) -> str | None:
    """Return an `<img>` with the SVG inside, which runs no script."""
    if (image := svg_image(text)) is None:
        return None
    return _html(f'<img src="{image.url}" alt="{escape(alt)}">', "", allowance)


def _bitmap(kind: str) -> Reader:
    def read(text: str, alt: str, allowance: Allowance) -> str | None:
        image = embedded_image(kind, text)
        return image.encoded if image is not None and allowance.admits_pixels(image.cost) else None

    return read


READERS: dict[str, Reader] = {"text/html": _html, "text/latex": _latex, SVG: _svg}
READERS |= {mime: _bitmap(kind) for mime, kind in IMAGES.items()}
"""Each MIME type's sanitiser, called with the data, its text alternative and the allowance; None means too much."""


def _sizes(metadata: Any, shown: Collection[str]) -> dict[str, dict[str, int]]:
    """Return the width and height of images, if they are integers."""
    sizes: dict[str, dict[str, int]] = {}
    for mime in IMAGES:
        own = metadata.get(mime) if isinstance(metadata, dict) and mime in shown else None
        if isinstance(own, dict):
            numbers = {key: own[key] for key in ("width", "height") if type(own.get(key)) is int}
            sizes |= {mime: numbers} if numbers else {}
    return sizes


def _text(value: Any) -> str:
    """Return text that can be encoded and shown: lines joined, lone surrogates and bad escape sequences replaced."""
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    if not isinstance(value, str):
        return ""
    text = limit_marks(value.encode("utf-8", errors="replace").decode("utf-8"))
    if "\x1b" in text:
        try:
            if len(text) * text.count("\x1b") > MOST_COLOURING:
                return _colourless(text)
            ansi2html(text)
        except Exception:  # colours that nbconvert cannot convert
            return _colourless(text)
    return text


def _colourless(text: str) -> str:
    return str(strip_ansi(text)).replace("\x1b", "")
