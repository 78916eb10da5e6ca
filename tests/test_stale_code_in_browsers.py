"""Code that is not there any more, as a student meets it in JupyterLab and in Notebook 7."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import needs_chromium
from tests.depth import proof
from tests.jupyter_lab import Lab
from tests.jupyter_server import TOKEN, Server
from tests.submissions import as_bytes, cell_of, solved

pytestmark = needs_chromium
EXERCISE = "01_scalar_graphs"
KEPT = ("title", "setup", "about_partials", "partials", "check_partials")
RIGHT = """def partials(x, w, b):
    on = 1.0 if x * w + b > 0 else 0.0
    return {"x": w * on, "w": x * on, "b": on, "u": on, "v": on}"""
BROKEN = RIGHT.replace("b):", "b)")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server, which has both front ends, on a folder with the exercise for each of them."""
    folder = tmp_path_factory.mktemp("school") / "course"
    folder.mkdir()
    notebook = solved(EXERCISE, partials=RIGHT)
    notebook.cells = [cell_of(notebook, name) for name in KEPT]
    for front_end in ("lab", "notebooks"):
        (folder / f"{front_end}.ipynb").write_bytes(as_bytes(notebook))
    with Server(folder) as server:
        yield server


class Notebook7(Lab):
    """Notebook 7, whose cells are JupyterLab's."""

    def open(self, path: str = "") -> None:
        """A notebook, once its kernel is ready."""
        self.page.goto(f"http://127.0.0.1:{self.server.port}/notebooks/{path}?token={TOKEN}")
        self.page.get_by_role("menuitem", name="Run", exact=True).wait_for()
        while not any(one["kernel"]["connections"] and one["path"] == path for one in self.server.ask("api/sessions")):
            self.page.wait_for_timeout(100)  # what is run before the page is connected with its kernel is forgotten
        self.page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for()

    def save(self) -> None:
        """Press Ctrl-S and wait until the file is newer."""
        file = Path(self.server.course, "notebooks.ipynb")
        before = file.stat().st_mtime_ns
        self.page.keyboard.press("ControlOrMeta+s")
        while file.stat().st_mtime_ns == before:
            self.page.wait_for_timeout(100)


@proof
@pytest.mark.parametrize(("front_end", "file"), [(Lab, "lab"), (Notebook7, "notebooks")])
def test_a_student_is_told_which_version_is_judged(browser: Any, server: Server, front_end: type, file: str) -> None:
    lab = front_end(browser, server)
    lab.open(f"{file}.ipynb")
    setup, answer = lab.cell("from autograder import check"), lab.cell("def partials(x")
    check = lab.cell('check("partials")')
    card = check.locator(".jp-OutputArea")
    for cell in (setup, answer, check):
        lab.run(cell)
    card.get_by_text("partials: 3 of 3 points, as run in [2]").wait_for()
    assert "All checks passed." in card.inner_text()

    lab.type(answer, BROKEN)
    lab.run(answer)
    lab.run(check)
    before = "the one before it, as run in [2], is judged."
    failed = f"Your last version of this cell did not run (SyntaxError, line 1); {before}"
    card.get_by_text(failed).wait_for()
    assert card.inner_text().strip().startswith(failed)
    assert "All checks passed." not in card.inner_text()
    lab.keep(f"stale_failed_{file}", check)

    lab.type(answer, RIGHT)
    lab.run(answer)
    lab.run(check)
    card.get_by_text("partials: 3 of 3 points, as run in [6]").wait_for()
    assert "Your last version" not in card.inner_text()

    lab.type(answer, f"{RIGHT}\n# one more line")
    lab.save()
    lab.run(check)
    changed = "This cell has changed since it was run; the version that was run, in [6], is judged."
    card.get_by_text(changed).wait_for()
    lab.keep(f"stale_changed_{file}", check)
    lab.page.close()
