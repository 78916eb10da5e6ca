"""Small outputs and cells over which a browser, or nbconvert before it, labours for minutes; nothing in them runs.

`ATTACKS` holds what a cell shows, by MIME type; `CELLS` holds cells of other kinds.
"""

from __future__ import annotations

import base64
import functools
import io
import json
import struct
import zlib

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from PIL import Image

MARK = "\u0301"
"""An accent on the letter before it."""
LONG = 900_000
"""Characters, fewer than a cell may show."""


def svg(body: str, size: str = 'width="600" height="400"') -> str:
    """A picture."""
    namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<svg {namespaces} {size}>{body}</svg>"


def _times(unit: str, characters: int = LONG) -> str:
    return unit * (characters // len(unit))


def png(width: int, height: int) -> str:
    """One white picture, of one bit for each pixel, in base64."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes((width // 8 + 2) * height), 9)
    file = chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + file).decode()


@functools.cache
def gif(side: int, frames: int) -> str:
    """An animation whose frames differ, in base64."""
    file = io.BytesIO()
    first, *rest = [Image.new("P", (side, side), color) for color in range(frames)]
    first.save(file, "GIF", save_all=True, append_images=rest, duration=20)
    return base64.b64encode(file.getvalue()).decode()


def jpeg(side: int, scans: int) -> str:
    """A progressive picture whose last scan comes again and again, in base64."""
    file = io.BytesIO()
    Image.new("L", (side, side), 7).save(file, "JPEG", progressive=True)
    data = file.getvalue()
    last = data.rindex(b"\xff\xda")
    return base64.b64encode(data[:-2] + data[last:-2] * scans + b"\xff\xd9").decode()


def _nested_use() -> str:
    levels = (f'<g id="a{n}">' + f'<use xlink:href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 9))
    return svg(f'<defs><rect id="a0" width="9" height="9"/>{"".join(levels)}</defs><use xlink:href="#a8"/>')


def _nested(kind: str, reference: str) -> str:
    """Patterns, masks or clips inside each other."""
    shape = '<rect width="600" height="400" {}="url(#b{})"/>'
    levels = (
        f'<{kind} id="b{n}" width="1" height="1">{shape.format(reference, n - 1) * 10}</{kind}>' for n in range(1, 9)
    )
    return svg("".join(levels) + shape.format(reference, 8))


def _as_image(picture: str) -> str:
    return f'<img src="data:image/svg+xml;base64,{base64.b64encode(picture.encode()).decode()}">'


NESTED_USE = _nested_use()
_LONG_PATH = "M0 0" + " L600 400 L0 0" * 3_000
_FILTERED = (
    '<filter id="f">' + '<feTurbulence baseFrequency="9" numOctaves="9"/><feGaussianBlur stdDeviation="99"/>' * 300
)
ATTACKS: dict[str, dict[str, str]] = {
    "svg-use": {"image/svg+xml": NESTED_USE},
    "svg-use-in-html": {"text/html": _as_image(NESTED_USE)},
    "svg-use-in-markdown": {"text/markdown": f"![x]({_as_image(NESTED_USE)[10:-2]})"},
    "svg-use-long": {
        "image/svg+xml": svg(f'<path id="p" d="{_LONG_PATH}"/>' + '<use xlink:href="#p"/>' * 9_000),
    },
    "svg-filter": {
        "image/svg+xml": svg(f'{_FILTERED}</filter><rect width="600" height="400" filter="url(#f)"/>'),
    },
    "svg-pattern": {"image/svg+xml": _nested("pattern", "fill")},
    "svg-mask": {"image/svg+xml": _nested("mask", "mask")},
    "svg-clip": {"image/svg+xml": _nested("clipPath", "clip-path")},
    "svg-animation": {
        "image/svg+xml": svg('<rect width="600" height="400"><animate attributeName="x" dur="1ms"/></rect>' * 5_000),
    },
    "svg-dashes": {
        "image/svg+xml": svg('<g stroke="red" stroke-dasharray=".01">' + '<path d="M0 0H9000"/>' * 9_000 + "</g>"),
    },
    "svg-entities": {
        "image/svg+xml": '<!DOCTYPE svg [<!ENTITY a "xxxxxxxxxx">'
        + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
        + "]>"
        + svg("<text>&j;</text>"),
    },
    "svg-deep": {"image/svg+xml": svg("<g>" * 90_000 + "</g>" * 90_000)},
    "svg-many": {"image/svg+xml": svg('<rect width="600" height="400" opacity=".01"/>' * 18_000)},
    "svg-foreign": {"image/svg+xml": svg('<foreignObject><q xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>')},
    "svg-style": {"image/svg+xml": svg("<style>:has(:has(*)) ~ * { filter: blur(99px) }</style><rect/>")},
    "png-large": {"image/png": png(16_000, 16_000)},
    "png-large-in-html": {"text/html": f'<img src="data:image/png;base64,{png(16_000, 16_000)}">'},
    "gif-animation": {"image/gif": gif(2_000, 30)},
    "jpeg-scans": {"image/jpeg": jpeg(2_000, 200)},
    "png-that-is-a-gif": {"image/png": gif(2_000, 30)},
    "html-quotes": {"text/html": _times("<q>")},
    "html-ruby": {"text/html": _times("<ruby>x<rt>y</rt></ruby>")},
    "html-rowspan": {"text/html": "<table>" + _times("<tr><td rowspan=9999><td rowspan=9999>") + "</table>"},
    "html-deep": {"text/html": _times("<b><i>")},
    "html-many": {"text/html": _times("<p>a</p>")},
    "html-accents": {"text/html": f"x{_times('&#769;')}"},
    "accents": {"text/plain": f"x{MARK * 300_000}"},
    "latex-many": {"text/latex": _times("$x_1$ ")},
    "colours": {"text/plain": _times("\x1b[31mx\x1b[0m")},
}


def output(name: str) -> NotebookNode:
    """What the cell of an attack shows."""
    return new_output("display_data", data=ATTACKS[name])


def cell(name: str) -> NotebookNode:
    """A code cell that shows it, and is itself short."""
    packed = base64.b64encode(zlib.compress(json.dumps(ATTACKS[name]).encode(), 9)).decode()
    source = "import base64, json, zlib\nfrom IPython.display import publish_display_data\n"
    lines = "\n".join(repr(packed[at : at + 100]) for at in range(0, len(packed), 100))
    source += f"publish_display_data(json.loads(zlib.decompress(base64.b64decode(\n{lines}\n))))"
    return new_code_cell(source, id=name)


def _attached() -> NotebookNode:
    data = base64.b64encode(NESTED_USE.encode()).decode()
    return new_markdown_cell("![x](attachment:a)", attachments={"a": {"image/svg+xml": data}})


def _attached_often() -> NotebookNode:
    large = png(600, 600) + "A" * 4_000_000
    return new_markdown_cell("![x](attachment:a)" * 500, attachments={"a": {"image/png": large}})


CELLS: dict[str, NotebookNode] = {
    "attachment": _attached(),
    "attachment-often": _attached_often(),
    "mermaid": new_markdown_cell("```mermaid\ngraph TD\n" + "".join(f"A{n}-->B{n % 60}\n" for n in range(480)) + "```"),
    "lexer": new_markdown_cell(f"```mcfunction\n{'1' * 300}x\n```"),
    "tex-definition": new_markdown_cell(r"$\def\frac#1#2{REWRITTEN}$ $\newcommand{\alpha}{REWRITTEN}$"),
    "tex-place": new_markdown_cell(r"$\smash{\raise 20em \hbox{\rule{99em}{99em}}}$ and $x \\[-99em] y$"),
    "tex-many": new_markdown_cell("\n\n".join(["$x_1$"] * 1_400)),
    "code-dots": new_code_cell("# " + "a." * 150_000),
    "code-dots-live": new_code_cell("0 and a" + ".a" * 900),
    "code-long": new_code_cell("x+\\\n" * 80_000 + "0 if 0 else 0"),
    "code-blank": new_code_cell("0\n" + " \n" * 40_000 + "0"),
    "code-accents": new_code_cell(f"'x{MARK * 200_000}'"),
    "printed-accents": new_code_cell(f"print('x' + {MARK!r} * 300_000)"),
    "traceback-accents": new_code_cell(f"raise ValueError('x' + {MARK!r} * 300_000)"),
}
for _name, _cell in CELLS.items():
    _cell["id"] = _name


def attacking(notebook: NotebookNode) -> NotebookNode:
    """A notebook with all of them at its end, in place; and a formula after them."""
    notebook.cells += [cell(name) for name in ATTACKS]
    notebook.cells += [NotebookNode(one) for one in CELLS.values()]
    notebook.cells.append(new_markdown_cell(r"The end: $\frac{1}{2} \alpha$", id="the-end"))
    return notebook
