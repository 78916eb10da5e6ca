"""`python -m tests.upgrade`: what moves with the newest torch, nbgrader, JupyterLab and pytest.

Installs them into .venv-upgrade, beside everything else as pinned; looks at all answers and references there and
here, runs the tests that speak about them there, and prints what differs. PIP_EXTRA_INDEX_URL may name PyTorch's
index of CPU builds; on Linux, PyPI's own torch brings gigabytes of CUDA along.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import venv
from collections.abc import Collection
from pathlib import Path

from tests.submissions import COURSE
from tests.upgrade import NEWEST
from tests.upgrade.report import failed_tests, table

PLACE = COURSE / "build" / "upgrade"
OTHER = COURSE / ".venv-upgrade"
TESTS = (
    "diagnosis comparison programs predictions counters pictures reading wire sanitising class_grading exchange "
    "sample_class custody tasks/mistakes tasks/references tasks/defined_gradients tasks/exercises tasks/lessons"
)
"""The tests, by their files, that speak about diagnoses, references, notebooks and nbgrader."""


def main() -> int:
    """Run it; 1 where a test fails or anything moved."""
    parser = argparse.ArgumentParser(prog="python -m tests.upgrade", description=__doc__)
    parser.add_argument("exercises", nargs="*", help="whose answers and references are looked at; all where left out")
    parser.add_argument("--installed", action="store_true", help="install nothing; .venv-upgrade is as it should be")
    parser.add_argument("--keep", action="append", choices=NEWEST, default=[], help="leave this one pinned")
    parser.add_argument("--dump", metavar="FILE", help="only write what this environment says, as JSON")
    given = parser.parse_args()
    if given.dump:
        from tests.upgrade.observations import observations

        Path(given.dump).write_text(json.dumps(observations(given.exercises), indent=1, sort_keys=True))
        return 0
    PLACE.mkdir(parents=True, exist_ok=True)
    if not given.installed:
        _install(given.keep)
    pinned = _dumped(Path(sys.executable), "pinned", given.exercises)
    newest = _dumped(OTHER / "bin" / "python", "newest", given.exercises)
    said, anything = table(pinned, newest, _failed())
    (PLACE / "report.md").write_text(said + "\n")
    print(said)
    return int(anything)


def requirements(text: str, keep: Collection[str] = ()) -> str:
    """requirements.txt with the four as new as they are, and without the constraints that hold what they need.

    Args:
        text: of requirements.txt.
        keep: those of the four that stay pinned.
    """
    names = "|".join(name for name in NEWEST if name not in keep) or "(?!)"
    text = re.sub(rf"^({names})==\S+", r"\1", text, flags=re.MULTILINE)
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("-c "))


def _install(keep: Collection[str]) -> None:
    wanted = PLACE / "requirements.txt"
    wanted.write_text(
        requirements((COURSE / "requirements.txt").read_text(), keep).replace("-e .", f"-e {COURSE}[test]")
    )
    if not (OTHER / "bin" / "python").exists():
        venv.create(OTHER, with_pip=True)
    install = [OTHER / "bin" / "python", "-m", "pip", "install", "--quiet", "--upgrade"]
    subprocess.run([*install, "-r", wanted], check=True, cwd=COURSE)
    if free := [name for name in NEWEST if name not in keep]:
        # Once more by name alone: the project's own bounds, which this is to question, held the first back.
        subprocess.run([*install, *free], check=True, cwd=COURSE)


def _dumped(python: Path, name: str, exercises: list[str]) -> dict:
    """What the environment of that interpreter says."""
    path = PLACE / f"{name}.json"
    subprocess.run(
        [python, "-m", "tests.upgrade", "--dump", path, *exercises], check=True, cwd=COURSE, env=_environment(python)
    )
    return json.loads(path.read_text())


def _failed() -> list[str]:
    """The tests that fail in the new environment."""
    python, report = OTHER / "bin" / "python", PLACE / "tests.xml"
    report.unlink(missing_ok=True)
    files = [str(Path("tests", name).with_name(f"test_{Path(name).name}.py")) for name in TESTS.split()]
    command = [python, "-m", "pytest", *files, "-q", "-n", "auto", "--dist", "loadfile", f"--junitxml={report}"]
    done = subprocess.run(command, cwd=COURSE, env=_environment(python), capture_output=True, text=True)
    failed = failed_tests(report)
    (PLACE / "tests.txt").write_text(done.stdout + done.stderr)
    return failed or ([] if done.returncode == 0 else [f"pytest ended with status {done.returncode}"])


def _environment(python: Path) -> dict[str, str]:
    """With that environment's commands first on the path: nbgrader is one of them."""
    return os.environ | {"PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}", "OMP_NUM_THREADS": "1"}


if __name__ == "__main__":
    sys.exit(main())
