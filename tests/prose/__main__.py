"""`python -m tests.prose NN`: what the prose of lesson NN and its exercise lacks; without a number, the English of all.

`--english` leaves out what needs the lesson to be run.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.lessons import executed
from tests.prose import english, figures, given_away, sittings
from tests.prose.lesson import path_of, read


def main() -> None:
    """Print every finding, and the minutes of each sitting."""
    parser = argparse.ArgumentParser(prog="python -m tests.prose", description=__doc__.partition("\n")[0])
    parser.add_argument("number", nargs="?", default="", help="a lesson's number, such as 04")
    parser.add_argument("--english", action="store_true", help="its English only")
    asked = parser.parse_args()
    for finding in english.findings(english.files(asked.number)):
        print(finding)
    if not asked.number or asked.english:
        return
    print("minutes by sitting:", ", ".join(f"{part:.0f}" for part in sittings.estimated(read(asked.number))))
    words, where = sittings.longest_stretch(read(asked.number))
    print(f"most words in a row without a picture: {words}, up to “{where}”")
    for finding in (*sittings.findings(asked.number), *given_away.findings(asked.number)):
        print(finding)
    with tempfile.TemporaryDirectory() as folder:
        for finding in figures.findings(asked.number, executed(path_of(asked.number).stem, Path(folder))):
            print(finding)


if __name__ == "__main__":
    main()
