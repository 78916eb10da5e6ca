"""pytest's side of the course: `pytest exercises/NN_topic/NN_topic.ipynb` checks a notebook.

Loaded in every pytest run of the environment, so it imports nothing heavy until a notebook of the course
is collected. The checks themselves are in `autograder/checks`; this file gives them their answers and
reports their points.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.foreign_configuration import objection

if TYPE_CHECKING:
    from autograder.checks.answers import Answers
    from autograder.checks.task import Check
    from autograder.grader.evidence import Evidence

EVIDENCE: pytest.StashKey[Any] = pytest.StashKey()
"""On a node (a notebook, or the whole session): the answers that its checks judge."""
WEIGHTS: pytest.StashKey[dict[str, float]] = pytest.StashKey()
"""On a notebook: what each task is worth in it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Announce the option."""
    group = parser.getgroup("autograder", "checks of the course")
    group.addoption("--device", default="cpu", help="where notebooks run: cpu, cuda, mps, or auto for the best here")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """A `conftest.py` beside a notebook is its author's, and would run here and not in the sandbox.

    Raises:
        pytest.UsageError: where other files of an author would be followed or run.
    """
    start = early_config.invocation_params.dir
    named = [
        start / name for argument in args if (name := argument.partition("::")[0]) and os.path.exists(start / name)
    ]
    given = early_config.known_args_namespace.inifilename
    why = objection([path.resolve() for path in named], None if given else early_config.inipath, start.resolve())
    if why is not None:
        raise pytest.UsageError(why)
    if _names_notebook(args):
        early_config.known_args_namespace.noconftest = True


@pytest.hookimpl(tryfirst=True)
def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """So would an `__init__.py`, which pytest imports where it takes a folder for a package."""
    return pytest.Dir.from_parent(parent, path=path) if _names_notebook(parent.config.args) else None


def _names_notebook(arguments: list[str]) -> bool:
    return any(argument.partition("::")[0].endswith(".ipynb") for argument in arguments)


def pytest_configure(config: pytest.Config) -> None:
    """Announce the marker; refuse a device that is not here."""
    config.addinivalue_line("markers", "check(check): a check of a task, worth points")
    _device(config)


def _device(config: pytest.Config) -> str:
    """The type of device that was asked for; nothing is loaded where it is the CPU.

    Raises:
        pytest.UsageError: where it is not here.
    """
    name = config.getoption("--device")
    if name == "cpu":
        return name
    from autograder.probes.devices import DeviceError, resolve

    try:
        return resolve(name)
    except DeviceError as error:
        raise pytest.UsageError(f"--device: {error}") from error


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A notebook named on the command line, or found beside the course's exercises, is collected."""
    if file_path.suffix == ".ipynb" and _exercise_of(file_path) is not None:
        return NotebookFile.from_parent(parent, path=file_path)
    return None


def _exercise_of(path: Path) -> str | None:
    """The exercise that a notebook is an answer to, by its name."""
    checks = Path(__file__).parent / "checks" / f"test_{path.stem}.py"
    return path.stem if checks.is_file() else None


class NotebookFile(pytest.File):
    """One notebook; its children are the checks of its exercise."""

    def collect(self) -> Iterator[pytest.Module]:
        """The exercise's check file, whose tests then ask this notebook."""
        checks = Path(__file__).parent / "checks" / f"test_{_exercise_of(self.path)}.py"
        yield pytest.Module.from_parent(self, path=checks)

    def evidence(self) -> Evidence:
        """The notebook is run once, in a process of its own, when its first check needs an answer."""
        if EVIDENCE not in self.stash:
            from autograder.grader.custody import evidence_of_file

            self.stash[EVIDENCE] = evidence_of_file(self.path, device=_device(self.config))
        return self.stash[EVIDENCE]

    def worth(self, check: Check) -> float:
        """The check's share of what its task is worth in this notebook."""
        if WEIGHTS not in self.stash:
            from autograder.grader.weights import weights
            from autograder.notebooks.reading import UnreadableNotebookError, read_submission

            try:
                self.stash[WEIGHTS] = weights(read_submission(self.path.read_bytes()).cells)
            except (UnreadableNotebookError, OSError):
                self.stash[WEIGHTS] = {}
        task = check.task
        return check.points * self.stash[WEIGHTS].get(task.name, task.points) / task.points


def check_of(test: pytest.Item) -> Check:
    """The check that a test belongs to."""
    return test.get_closest_marker("check").args[0]


@pytest.fixture
def answers(request: pytest.FixtureRequest) -> Answers:
    """The answers to the questions of the check that asks for this fixture."""
    notebook = request.node.getparent(NotebookFile)
    evidence = notebook.evidence() if notebook else request.session.stash[EVIDENCE]
    return evidence.answers_to(check_of(request.node))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Judging a notebook's answers has a limit of time; a judge's own session sees to its tests itself."""
    if item.getparent(NotebookFile) is None:
        return (yield)
    from autograder.diagnosis import Finding
    from autograder.grader.alarm import Alarm
    from autograder.grader.judging_limits import OUT_OF_TIME, PATIENCE, SECONDS

    with Alarm(PATIENCE * SECONDS) as alarm:
        try:
            return (yield)
        except KeyboardInterrupt:
            if not alarm.rang:
                raise
            raise Finding("limit", OUT_OF_TIME) from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
    """Points go into the report, and so into the summary and into JUnit XML; a finding is its own text."""
    report = yield
    mark = item.get_closest_marker("check")
    if mark is None or call.when != "call":
        return report
    check = mark.args[0]
    notebook = item.getparent(NotebookFile)
    worth = notebook.worth(check) if notebook is not None else check.points
    # On the item too: JUnit XML is written from the report of the teardown.
    item.user_properties[:] = report.user_properties = [
        ("task", check.task.name),
        ("check", check.title),
        ("points", f"{worth if report.passed else 0:g}"),
        ("maximum", f"{worth:g}"),
    ]
    if call.excinfo is not None:
        from autograder.diagnosis import Finding
        from autograder.report.text import finding_as_text

        if isinstance(call.excinfo.value, Finding):
            report.longrepr = finding_as_text(call.excinfo.value, check.task)
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Points by task, where checks of the course ran."""
    points: dict[str, list[float]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            properties = dict(getattr(report, "user_properties", ()))
            if "maximum" in properties and report.when == "call":
                total = points.setdefault(properties["task"], [0.0, 0.0])
                total[0] += float(properties["points"])
                total[1] += float(properties["maximum"])
    if not points:
        return
    terminalreporter.section("points")
    for task, (got, most) in points.items():
        terminalreporter.write_line(f"{task:<24} {got:5g} of {most:g}")
    got, most = (sum(column) for column in zip(*points.values(), strict=True))
    terminalreporter.write_line(f"{'together':<24} {got:5g} of {most:g}")
