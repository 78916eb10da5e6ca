"""The cost of an SVG covers every way to write it: no spelling paints for less."""

from __future__ import annotations

import base64
import math

import pytest

from autograder.sanitising.allowance import Allowance
from autograder.sanitising.images import MOST_PIXELS, EmbeddedImage, svg_image
from tests.laborious_content import svg

LONG = '<rect width="9000" height="9000" stroke="red"/>' * 10
DASHED = {
    "sheet": f"<style>*{{stroke-dasharray:.001}}</style>{LONG}",
    "inherit": f'<g stroke-dasharray=".001"><g stroke-dasharray="inherit">{LONG}</g></g>',
    "initial-in-style": f'<g stroke-dasharray=".001"><g style="stroke-dasharray:unset">{LONG}</g></g>',
    "percent": '<rect width="100%" height="100%" stroke="red" stroke-dasharray=".001"/>',
    "inches": '<rect width="9000in" height="9" stroke="red" stroke-dasharray=".1"/>',
    "percent-of-little": '<path d="M0 0H10" stroke="red" stroke-dasharray="1e-3%"/>',
    "of-the-screen": '<g transform="scale(1e9)"><path d="M0 0H1" vector-effect="non-scaling-stroke" stroke="red"/></g>',
    "text": '<text font-size="90000" stroke="red" stroke-dasharray=".01">@@@@</text>',
    "text-in-group": '<g style="stroke:red;stroke-dasharray:.01"><text font-size="90000">@<tspan>@</tspan></text></g>',
}


def text_of(image: EmbeddedImage) -> str:
    """The file."""
    return base64.b64decode(image.encoded).decode()


@pytest.mark.parametrize("name", DASHED)
def test_fine_dashes_are_paid_for_or_left_out(name: str) -> None:
    image = svg_image(svg(DASHED[name]))
    if image is not None:
        *_, rest = text_of(image).partition("<text") if "text" in name else ("", text_of(image))
        assert "vector-effect" not in rest
        assert "text" not in name or "stroke-dasharray" in rest
        assert "dasharray:" not in rest
        assert rest.count('stroke-dasharray="') == rest.count('stroke-dasharray="none"')


def test_a_shape_of_unknown_length_takes_no_dashes_from_where_it_is_used() -> None:
    shape = '<rect id="r" width="100%" height="9"/>'
    image = svg_image(svg(f'{shape}<use href="#r" stroke="red" stroke-dasharray=".001"/>'))
    assert '<rect id="r" width="100%" height="9" stroke-dasharray="none" />' in text_of(image)


def test_honest_dashes_stay() -> None:
    for dashes in ("5,2", "5 4", "3.7px 1.6", "none"):
        made = text_of(svg_image(svg(f'<path d="M0 0H99" stroke="red" stroke-dasharray="{dashes}"/>')))
        assert f'stroke-dasharray="{dashes}"' in made


def test_stroked_curves_are_paid_for() -> None:
    path = f'<path d="M0 0C{"1e6 1e6 -1e6 1e6 3 3 " * 5_000}"/>'
    filled, stroked = (svg_image(svg(f"<g {look}>{path}</g>")) for look in ("", 'style="stroke:red"'))
    assert stroked.cost > filled.cost + 5_000 * 2_000
    assert svg_image(svg(f'<g stroke="none">{path}</g>')).cost < filled.cost + 1_000


@pytest.mark.parametrize("digits", ["9" * 400, "1e999", "1" + "0" * 200_000])
def test_a_cost_is_a_number(digits: str) -> None:
    """Not a number is less than no limit, and took the notebook's whole allowance away."""
    source = svg(f'<path d="M0 0H{digits}" stroke="red" stroke-dasharray="{digits[:400]}"/>')
    image = svg_image(source)
    assert image is None or math.isfinite(image.cost)
    allowance = Allowance()
    assert not allowance.admits_pixels(math.nan)
    assert allowance.pixels == Allowance().pixels


def test_attributes_that_a_type_declares_are_refused() -> None:
    """1 MB of one, on 19,000 elements, took 19 GB."""
    declared = f'<!DOCTYPE svg [<!ATTLIST g id CDATA "{"x" * 1_000}">]>{svg("<g/>" * 19_000)}'
    assert svg_image(declared) is None
    assert svg_image(f'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">{svg("<g/>")}').cost < MOST_PIXELS
