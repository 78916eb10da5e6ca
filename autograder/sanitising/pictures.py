"""Pictures inside a page: what they are by their bytes, not by their name, and what showing them costs."""

from __future__ import annotations

import base64
import binascii
import contextlib
import dataclasses
import functools
import io
import re
import warnings
from pathlib import Path

from PIL import Image

from autograder.sanitising.svg import inert_svg

SVG = "svg+xml"
BITMAPS = ("png", "jpeg", "gif", "webp")
PICTURES = (*BITMAPS, SVG)
"""Image types that may be embedded. As an image, an SVG runs no script and loads nothing."""
MOST_PIXELS = 50_000_000
"""Of one picture, all its frames together; 7,000 times 7,000. An SVG's cost is counted in the same."""
MOST_FRAMES = 1_000
LARGEST = 4_000_000
"""Characters of one picture."""
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
"""Nothing else may stand in an address: the pages write it between quotes."""
_DATA_IMAGE = re.compile(rf"data:image/({'|'.join(map(re.escape, PICTURES))});base64,({_BASE64.pattern})")


@dataclasses.dataclass(frozen=True)
class Picture:
    """One picture that a page may show.

    Attributes:
        kind: of `PICTURES`.
        encoded: its file in base64.
        cost: of showing it, in pixels.
    """

    kind: str
    encoded: str
    cost: float

    @property
    def address(self) -> str:
        """As the source of an `<img>`."""
        return f"data:image/{self.kind};base64,{self.encoded}"


def picture(kind: str, encoded: str) -> Picture | None:
    """A picture as a page may show it; as it was where nothing in it is wrong.

    Args:
        kind: what it is said to be: "png".
        encoded: its file in base64.

    Returns:
        None where it is not of that kind, or would cost a browser too much.
    """
    if not isinstance(encoded, str) or len(encoded) > LARGEST or not _BASE64.fullmatch(encoded):
        return None
    return _picture(kind, encoded)


def picture_in(address: str) -> Picture | None:
    """The same of a `data:` address."""
    found = _DATA_IMAGE.fullmatch(address) if len(address) <= LARGEST else None
    return picture(found[1], found[2]) if found else None


def laborious_files(folder: Path) -> list[Path]:
    """Files below a folder that end as pictures do and are none, or would cost a browser too much."""
    found = []
    for path in sorted(folder.rglob("*")):
        kind = path.suffix[1:].lower().replace("jpg", "jpeg")
        if kind in BITMAPS and path.is_file() and not path.is_symlink():
            pixels = _pixels(path.read_bytes(), kind)
            if pixels is None or pixels > MOST_PIXELS:
                found.append(path)
    return found


def svg_picture(source: str) -> Picture | None:
    """The same of an SVG's text."""
    return picture(SVG, base64.b64encode(source.encode("utf-8", errors="replace")).decode("ascii"))


@functools.lru_cache(maxsize=32)
def _picture(kind: str, encoded: str) -> Picture | None:
    try:
        data = base64.b64decode(encoded)
    except (binascii.Error, ValueError):
        return None
    if kind in BITMAPS:
        cost = _pixels(data, kind)
        return Picture(kind, encoded, cost) if cost is not None and cost <= MOST_PIXELS else None
    source = data.decode("utf-8", errors="replace")
    svg = inert_svg(source, _cost_inside) if kind == SVG else None
    if svg is None or not svg.cost <= MOST_PIXELS:
        return None
    if svg.text != source:
        encoded = base64.b64encode(svg.text.encode()).decode("ascii")
    return Picture(kind, encoded, svg.cost)


def _cost_inside(address: str) -> float | None:
    """Of a bitmap inside an SVG."""
    inside = None if f"/{SVG};" in address[:40] else picture_in(address)
    return None if inside is None else inside.cost


def _pixels(data: bytes, kind: str) -> float | None:
    """Width times height times frames, by the file's headers; None for a file of another kind."""
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=(kind.upper(),)) as image:
            warnings.simplefilter("ignore")  # of many pixels: they are counted here
            return float(image.width * image.height * max(_frames(image, data, kind), 1))
    except Exception:  # Pillow raises many kinds for what is none of its files
        return None


def _frames(image: Image.Image, data: bytes, kind: str) -> int:
    """How often a browser fills the picture: frames of an animation, scans of a progressive JPEG."""
    if kind == "jpeg":
        return data.count(b"\xff\xda")
    if kind == "png":
        return data.count(b"fcTL")
    if kind == "webp":
        return getattr(image, "n_frames", 1)
    with contextlib.suppress(EOFError):
        image.seek(MOST_FRAMES)  # counting all of them takes Pillow seconds
        return MOST_PIXELS
    return image.n_frames
