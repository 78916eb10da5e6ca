"""The pytest plug-in: `pytest exercises/NN_topic/NN_topic.ipynb` checks a notebook.

Every pytest run of the environment loads it, so it imports nothing heavy until a notebook of the course is collected.
The checks themselves are in the course's task folders; the plug-in gives them their answers and reports their points.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from autograder.foreign_configuration import objection
from autograder.judging.items import EVIDENCE, items_of
from autograder.tasks.folders import exercise_folder, exercise_of
from autograder.wire.outcome import Outcome

if TYPE_CHECKING:
    from autograder.checks.task import Check
    from autograder.judging.evidence import Evidence

pytest_plugins = ["autograder.judging.items"]
WEIGHTS: pytest.StashKey[dict[str, float]] = pytest.StashKey()
"""On a notebook: the points of each task in it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option `--device`."""
    group = parser.getgroup("autograder", "checks of the course")
    group.addoption("--device", default="cpu", help="where notebooks run: cpu, cuda, mps, or auto for the best here")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Keep pytest from running a student's `conftest.py` beside a notebook, which would run outside the sandbox.

    Raises:
        pytest.UsageError: if pytest would obey or run other files of a student.
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
    """Treat folders of notebooks as plain directories: pytest would import an `__init__.py` outside the sandbox."""
    return pytest.Dir.from_parent(parent, path=path) if _names_notebook(parent.config.args) else None


def _names_notebook(arguments: list[str]) -> bool:
    return any(argument.partition("::")[0].endswith(".ipynb") for argument in arguments)


def pytest_configure(config: pytest.Config) -> None:
    """Reject a device that is not available."""
    _device(config)


def _device(config: pytest.Config) -> str:
    """Return the type of the device of `--device`, without loading torch if it is the CPU.

    Raises:
        pytest.UsageError: if the device is not available.
    """
    name: str = config.getoption("--device")
    if name == "cpu":
        return name
    from autograder.probes.devices import DeviceError, resolve

    try:
        return resolve(name)
    except DeviceError as error:
        raise pytest.UsageError(f"--device: {error}") from error


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a notebook that has the name of an exercise of the course, or of a student's copy of one."""
    if file_path.suffix == ".ipynb" and exercise_folder(exercise_of(file_path.stem)) is not None:
        return NotebookFile.from_parent(parent, path=file_path)
    return None


class NotebookFile(pytest.File):
    """A collected notebook, whose children are the checks of its exercise."""

    def collect(self) -> Iterator[pytest.Function]:
        """Yield the checks as tests of this file; the notebook runs once, when the first of them needs an answer.

        Raises:
            CollectError: if no notebook can be run on this system.
        """
        from autograder.supervisor.tiers import NoSandboxError, check_system

        try:
            check_system()
        except NoSandboxError as error:
            raise self.CollectError(str(error)) from None
        evidence: Callable[[], Evidence] = functools.cache(self._evidence)
        self.stash[EVIDENCE] = evidence
        from autograder.checks.catalogue import tasks_in
        from autograder.tasks.dealing import versions_in

        exercise = exercise_of(self.path.stem)
        versions = versions_in(self._notebook.get("cells", []), exercise)
        tasks = tasks_in(self._notebook, exercise, versions)
        yield from items_of(self, tasks.values())

    def _evidence(self) -> Evidence:
        """Run the notebook in a sandbox and return its answers."""
        from autograder.grader.custody import evidence_of_file

        return evidence_of_file(self.path, device=_device(self.config))

    @functools.cached_property
    def _notebook(self) -> dict[str, Any]:
        """The notebook as it is read for grading; empty if it cannot be read."""
        from autograder.notebooks.reading import UnreadableNotebookError, read_submission

        try:
            return read_submission(self.path.read_bytes())
        except (UnreadableNotebookError, OSError):
            return {}

    def worth(self, check: Check) -> float:
        """Return the points of a check, scaled to what its task is worth in this notebook."""
        if WEIGHTS not in self.stash:
            from autograder.notebooks.weights import weights

            self.stash[WEIGHTS] = weights(self._notebook.get("cells", []))
        task = check.task
        return check.points * self.stash[WEIGHTS].get(task.name, task.points) / task.points


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Limit the time for judging a notebook's answers; the judge's own session limits its tests itself."""
    if item.getparent(NotebookFile) is None:
        return (yield)
    from autograder.diagnosis import Finding
    from autograder.judging.alarm import Alarm
    from autograder.judging.time_and_memory import OUT_OF_TIME, PATIENCE, SECONDS

    with Alarm(PATIENCE * SECONDS) as alarm:
        try:
            return (yield)
        except KeyboardInterrupt:
            if not alarm.rang:
                raise
            raise Finding(Outcome.LIMIT, OUT_OF_TIME) from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Put points into the report, from where the summary and JUnit XML take them; show a finding as its own text."""
    report = yield
    mark = item.get_closest_marker("check")
    if mark is None or call.when != "call":
        return report
    check = mark.args[0]
    notebook = item.getparent(NotebookFile)
    worth = notebook.worth(check) if notebook is not None else check.points
    # On the item too, because JUnit XML is written from the report of the teardown.
    item.user_properties[:] = report.user_properties = [
        ("task", check.task.name),
        ("check", check.title),
        ("points", f"{worth if report.passed else 0:g}"),
        ("maximum", f"{worth:g}"),
    ]
    if call.excinfo is not None:
        from autograder.diagnosis import Finding
        from autograder.verdicts.plain_text import finding_as_text

        if isinstance(call.excinfo.value, Finding):
            report.longrepr = finding_as_text(call.excinfo.value, check.task)
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print the points by task if checks of the course ran."""
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
