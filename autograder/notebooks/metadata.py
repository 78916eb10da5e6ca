"""Drop the metadata fields and attachments that nbformat's schema forbids; keep all others."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_kernelspec(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_text, map(value.get, ("name", "display_name"))))


def _is_language(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("codemirror_mode", ""), str | dict):
        return False
    return _is_text(value.get("name")) and all(
        _is_text(value.get(key, "")) for key in ("file_extension", "mimetype", "pygments_lexer")
    )


def _are_tags(value: Any) -> bool:
    if not isinstance(value, list) or not all(map(_is_text, value)):
        return False
    return len(set(value)) == len(value) and all(tag and "," not in tag for tag in value)


NOTEBOOK: dict[str, Callable[[Any], bool]] = {
    "kernelspec": _is_kernelspec,
    "language_info": _is_language,
    "orig_nbformat": lambda value: type(value) is int and value >= 1,
    "title": _is_text,
    "authors": lambda value: isinstance(value, list),
}
# The same for cells of every type, because repairing a cell may change its type.
CELL: dict[str, Callable[[Any], bool]] = {
    "jupyter": lambda value: isinstance(value, dict),
    "execution": lambda value: isinstance(value, dict) and all(map(_is_text, value.values())),
    "collapsed": lambda value: isinstance(value, bool),
    "scrolled": lambda value: isinstance(value, bool) or value == "auto",
    "format": _is_text,
    "name": lambda value: _is_text(value) and re.search(r"^.+$", value) is not None,
    "tags": _are_tags,
}


def notebook_metadata(metadata: Any) -> dict[str, Any]:
    """Return the fields of a notebook's metadata that are valid under nbformat's schema."""
    return _allowed(metadata, NOTEBOOK)


def cell_metadata(metadata: Any) -> dict[str, Any]:
    """Return the fields of a cell's metadata that are valid under nbformat's schema."""
    return _allowed(metadata, CELL)


def _allowed(metadata: Any, known: dict[str, Callable[[Any], bool]]) -> dict[str, Any]:
    if not isinstance(metadata, dict):
        return {}
    return {key: value for key, value in metadata.items() if key not in known or known[key](value)}


def attachments(attached: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return a cell's valid attachments: for each file name, text by MIME type."""
    bundles = {name: bundle for name, bundle in attached.items() if isinstance(bundle, dict)}
    return {
        name: {mime: data for mime, data in bundle.items() if _is_text(data) or _is_lines(data)}
        for name, bundle in bundles.items()
    }


def _is_lines(data: Any) -> bool:
    return isinstance(data, list) and all(map(_is_text, data))
