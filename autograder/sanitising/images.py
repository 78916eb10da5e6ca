"""Images embedded in a page: their type by their bytes, not their name, and the cost of showing them."""

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

from autograder.sanitising.inert_svg import inert_svg

SVG = "svg+xml"
BITMAPS = ("png", "jpeg", "gif", "webp")
IMAGE_KINDS = (*BITMAPS, SVG)
"""Image types that may be embedded. As an image, an SVG runs no script and loads nothing."""
MOST_PIXELS = 50_000_000
"""Pixels of one image in all its frames; 7,000 times 7,000. The cost of an SVG has the same unit."""
MOST_FRAMES = 1_000
LARGEST = 4_000_000
"""Characters of one image in base64."""
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
"""Base64 and nothing else: the pages write it between quotes."""
_DATA_IMAGE = re.compile(rf"data:image/({'|'.join(map(re.escape, IMAGE_KINDS))});base64,({_BASE64.pattern})")


@dataclasses.dataclass(frozen=True)
class EmbeddedImage:
    """An image that a page may show.

    Attributes:
        kind: one of `IMAGE_KINDS`.
        encoded: the file in base64.
        cost: what showing it costs a browser, in pixels.
    """

    kind: str
    encoded: str
    cost: float

    @property
    def url(self) -> str:
        """The `data:` URL, for an `<img>`."""
        return f"data:image/{self.kind};base64,{self.encoded}"


def embedded_image(kind: str, encoded: str) -> EmbeddedImage | None:
    """Return an image that a page may show; an SVG is sanitised, a bitmap unchanged.

    Args:
        kind: what it claims to be, one of `IMAGE_KINDS`.
        encoded: the file in base64.

    Returns:
        None if it is not of that kind or would cost a browser too much.
    """
    if not isinstance(encoded, str) or len(encoded) > LARGEST or not _BASE64.fullmatch(encoded):
        return None
    return _embedded_image(kind, encoded)


def image_in_url(url: str) -> EmbeddedImage | None:
    """Return the image of a `data:` URL, if a page may show it."""
    found = _DATA_IMAGE.fullmatch(url) if len(url) <= LARGEST else None
    return embedded_image(found[1], found[2]) if found else None


def unsafe_images(folder: Path) -> list[Path]:
    """Return the files below a folder with an image's suffix that are no image or would cost a browser too much."""
    found = []
    for path in sorted(folder.rglob("*")):
        kind = path.suffix[1:].lower().replace("jpg", "jpeg")
        if kind in BITMAPS and path.is_file() and not path.is_symlink():
            pixels = _pixels(path.read_bytes(), kind)
            if pixels is None or pixels > MOST_PIXELS:
                found.append(path)
    return found


def svg_image(source: str) -> EmbeddedImage | None:
    """Return the sanitised image of an SVG's text, if a page may show it."""
    return embedded_image(SVG, base64.b64encode(source.encode("utf-8", errors="replace")).decode("ascii"))


@functools.lru_cache(maxsize=32)
def _embedded_image(kind: str, encoded: str) -> EmbeddedImage | None:
    try:
        data = base64.b64decode(encoded)
    except (binascii.Error, ValueError):
        return None
    if kind in BITMAPS:
        cost = _pixels(data, kind)
        return EmbeddedImage(kind, encoded, cost) if cost is not None and cost <= MOST_PIXELS else None
    source = data.decode("utf-8", errors="replace")
    svg = inert_svg(source, _cost_inside) if kind == SVG else None
    if svg is None or not svg.cost <= MOST_PIXELS:
        return None
    if svg.text != source:
        encoded = base64.b64encode(svg.text.encode()).decode("ascii")
    return EmbeddedImage(kind, encoded, svg.cost)


def _cost_inside(url: str) -> float | None:
    """Return the cost of a bitmap inside an SVG; None if it may not be shown."""
    inside = None if f"/{SVG};" in url[:40] else image_in_url(url)
    return None if inside is None else inside.cost


def _pixels(data: bytes, kind: str) -> float | None:
    """Return width times height times frames, by the file's headers; None for a file of another kind."""
    try:
        with warnings.catch_warnings(), Image.open(io.BytesIO(data), formats=(kind.upper(),)) as image:
            warnings.simplefilter("ignore")  # Pillow warns of many pixels; this function counts them
            return float(image.width * image.height * max(_frames(image, data, kind), 1))
    except Exception:  # Pillow raises many kinds for damaged files
        return None


def _frames(image: Image.Image, data: bytes, kind: str) -> int:
    """Count how often a browser paints the image: an animation's frames, a progressive JPEG's scans."""
    if kind == "jpeg":
        return data.count(b"\xff\xda")
    if kind == "png":
        return data.count(b"fcTL")
    if kind == "gif":
        with contextlib.suppress(EOFError):
            image.seek(MOST_FRAMES)  # counting all of them takes Pillow seconds
            return MOST_PIXELS
    return int(getattr(image, "n_frames", 1))
