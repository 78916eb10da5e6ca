"""The address of the gradebook's database: what COURSE_DB_URL applies to, and which addresses are refused."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

VARIABLE = "COURSE_DB_URL"


def database_address(gradebook: Path, usual: Path) -> str:
    """Return the address of a gradebook folder's database: what COURSE_DB_URL says, or else the file in the folder.

    If the variable is set for another folder than the usual one, print a sentence and exit, because the sample class
    would be graded into the database of a real class, whose students have the same ids.

    Args:
        gradebook: the folder, an absolute path.
        usual: the folder that the variable applies to.
    """
    address = os.environ.get(VARIABLE)
    if not address:
        return f"sqlite:///{gradebook / 'gradebook.db'}"
    if gradebook != usual.resolve():
        _refuse(
            f"{VARIABLE} names the database of {usual.name}/, but COURSE_GRADEBOOK chooses {gradebook}: unset one of "
            "the two; if that folder has a database of its own, name it in its settings.py (docs/postgresql.md)"
        )
    return address


def refuse_password(address: str) -> None:
    """Print a sentence and exit if an address holds a password, or cannot be read and may hold one."""
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):  # ValueError: of a port that is not a number
        _refuse("The database's address cannot be read: docs/postgresql.md shows how one looks")
    if url.password or any("password" in name for name in url.query):
        _refuse(
            "The database's address holds a password, which the formgrader would show: write it to ~/.pgpass instead"
        )


def _refuse(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr)
    sys.exit(2)
