"""An instructor's own settings, `gradebook/settings.py`, read after nbgrader_config.py, which git tracks.

An error in them ends the command with one sentence that names the line, because traitlets would silently ignore a
misspelt penalty.
"""

from __future__ import annotations

import difflib
import importlib
import re
import sys
import traceback
from pathlib import Path

from traitlets import TraitError
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

NAME = "settings.py"
OURS = {
    "Grade": "autograder.nbgrader_plugin.execution",
    "LateWork": "autograder.nbgrader_plugin.late_work",
    "Canvas": "autograder.exports.canvas",
    "Moodle": "autograder.exports.moodle",
    "Gradescope": "autograder.exports.gradescope",
}
"""The classes of this course that have settings, with their modules, which are loaded only if a setting needs them."""
OFTEN = ("AssignLatePenalties", "CourseDirectory", "Exchange", "FileNameCollectorPlugin", "LateSubmissionPlugin")
"""Classes of nbgrader's that instructors often configure, offered as suggestions for a misspelt name."""
NEAR = 0.8


class SettingsError(Exception):
    """Unusable settings; the message says where and why."""


def local_settings(gradebook: Path) -> Config:
    """Read `settings.py` in the gradebook's folder; print the error and exit if it cannot be used.

    Returns:
        The settings; empty if there is no such file.
    """
    try:
        return read_settings(gradebook / NAME)
    except SettingsError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def read_settings(path: Path) -> Config:
    """Read a file of settings in the form of nbgrader_config.py.

    Raises:
        SettingsError: if it does not run, or sets an unknown name, or a value of the wrong type.
    """
    if not path.exists():
        return Config()
    try:
        source = path.read_text(encoding="utf-8")
        settings: Config = PyFileConfigLoader(path.name, path=str(path.parent)).load_config()
    except SyntaxError as error:
        raise SettingsError(f"{path}, line {error.lineno}: this is not Python ({error.msg}): correct it") from None
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        where = f"{path}, line {lines[-1]}" if lines else str(path)
        raise SettingsError(f"{where}: {type(error).__name__}: {error}: correct it") from None
    for section in settings:
        _check(section, settings, path, source)
    return settings


def _check(section: str, settings: Config, path: Path, source: str) -> None:
    """Refuse a misspelt section or name, or a value of the wrong type."""
    if section not in OURS:
        near = difflib.get_close_matches(section, [*OURS, *OFTEN], n=1, cutoff=NEAR)
        if near and near[0] != section:
            raise SettingsError(f"{_place(path, source, section)}: there is no {section}; did you mean {near[0]}?")
        return
    kind = getattr(importlib.import_module(OURS[section]), section)
    known = kind.class_trait_names(config=True)
    for name in settings[section]:
        where = _place(path, source, f"{section}.{name}")
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            raise SettingsError(
                f"{where}: {section} has no setting {name!r}; "
                + (f"did you mean {near[0]!r}?" if near else f"it has {', '.join(sorted(known))}")
            )
        try:
            kind(config=Config({section: {name: settings[section][name]}}))
        except TraitError as error:
            raise SettingsError(f"{where}: {error}") from None


def _place(path: Path, source: str, what: str) -> str:
    """Return the file, and the number of the last line that contains `what`."""
    found = [number for number, line in enumerate(source.splitlines(), 1) if re.search(rf"\b{re.escape(what)}\b", line)]
    return f"{path}, line {found[-1]}" if found else str(path)
