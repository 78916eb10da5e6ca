"""What cells with asserts rely on is put back where a notebook changed it, and told; honest notebooks hear nothing."""

from __future__ import annotations

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from autograder.checks.task import PUBLIC_SEED
from autograder.grader import asserted_cells
from autograder.grader.custody import Custody, NotebookRun
from autograder.notebooks.asserted_cells import asks_for_a_check, imports_of, names_used
from autograder.sandbox.limits import Limits
from tests.own_assignment import marked

TESTS = (
    "import unittest\nimport numpy as np\nfrom numpy.testing import assert_equal\n"
    "assert_equal(answer, 42)\nnp.testing.assert_allclose(answer, 42)\n"
    "unittest.TestCase().assertEqual(answer, 42)\n"
    "open\nassert answer == 42 and round(answer) == 42 and np.isclose(answer, 42)"
)


def run(*cells: str | NotebookNode) -> tuple[Custody, int]:
    """Run a notebook whose last cell holds the asserts; what came back, and the place of that cell."""
    made = [new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    made.append(marked(new_code_cell(TESTS), "tests", 1, grade=True, locked=True))
    return NotebookRun(made, {}, PUBLIC_SEED, Limits()).custody(), len(made) - 1


def failed(custody: Custody, place: int) -> bool:
    """Whether the cell with the asserts ended with an exception."""
    return any(output["output_type"] == "error" for output in custody.outputs[place])


GRADED = {"grade": True, "locked": True}
FORGED = {
    "numpy.testing.assert_equal": "import numpy.testing as t\nt.assert_equal = lambda *a, **k: None",
    "unittest.case.TestCase.assertEqual": "import unittest\nunittest.TestCase.assertEqual = lambda *a, **k: None",
    "numpy.testing._private.utils.assert_equal": (
        "import numpy.testing as t\nt.assert_equal.__code__ = (lambda *a, **k: None).__code__"
    ),
    "get_ipython().custom_exceptions": "get_ipython().set_custom_exc((Exception,), lambda *a, **k: None)",
    "get_ipython().showtraceback": "get_ipython().showtraceback = lambda *a, **k: None",
    "InteractiveShell.showtraceback": (
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "InteractiveShell.showtraceback = lambda *a, **k: None"
    ),
    "get_ipython().ast_transformers": (
        "import ast\n"
        "class Truth(ast.NodeTransformer):\n    def visit_Assert(self, node):\n        return ast.Pass()\n"
        "get_ipython().ast_transformers.append(Truth())"
    ),
    "get_ipython().input_transformers_post": "get_ipython().input_transformers_post.append(lambda lines: ['pass\\n'])",
    "get_ipython().cleanup_transforms": (
        "get_ipython().input_transformer_manager.cleanup_transforms.append(lambda lines: ['pass\\n'])"
    ),
    "get_ipython().events.pre_run_cell": "get_ipython().events.register('pre_run_cell', lambda info: None)",
    "builtins.round": "import builtins\nbuiltins.round = lambda *a: 42",
    "numpy.testing": "import sys, types\nsys.modules['numpy.testing'] = types.ModuleType('numpy.testing')",
    "RecordingShell.showtraceback": "type(get_ipython()).showtraceback = lambda *a, **k: None",
    "get_ipython().compile.ast_parse": (
        "import ast\nget_ipython().compile.ast_parse = lambda *a, **k: ast.parse('pass')"
    ),
    "numpy.isclose": "import numpy as np\nnp.isclose = lambda *a, **k: True",
    "np": "import types\nnp = types.SimpleNamespace(testing=types.SimpleNamespace(assert_allclose=print))",
    "os.chdir": "import os\nos.mkdir('m')\nos.chdir('m')",
    "__builtins__": "__builtins__ = {**vars(__builtins__), 'round': lambda *a: 42}",
    "round": "def round(*a):\n    return 42",
}


@pytest.mark.parametrize("name", FORGED)
def test_what_a_notebook_changed_is_told_and_does_not_help_it(name: str) -> None:
    custody, place = run(FORGED[name], "answer = 41")
    assert name in custody.changed[place]
    assert failed(custody, place)


HONEST = (
    "import numpy as np\nimport matplotlib.pyplot as plt\n%matplotlib inline\nplt.plot([1, 2]);\nplt.show()",
    "import warnings, random\nwarnings.filterwarnings('ignore')\nnp.random.seed(0)\nrandom.seed(0)\n"
    "np.set_printoptions(precision=3)\nnp.seterr(all='ignore')",
    "import torch\ntorch.manual_seed(0)\ntorch.set_default_dtype(torch.float64)\nplt.rcParams['figure.dpi'] = 72",
    "from IPython.display import display\nfrom numpy import *\nfrom math import *",
    "%load_ext autoreload\n%autoreload 2",
    "%%timeit -n 1 -r 1\nsum(range(10))",
    "def total(numbers):\n    return sum(numbers)\nlist_ = [1]\nanswer = 42",
    "from unittest import mock\nwith mock.patch('builtins.print'):\n    print('hidden')",
)


def test_a_long_name_is_cut_before_its_characters_are_spelt_out(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = []
    monkeypatch.setattr(asserted_cells, "visible", lambda text, kept: lengths.append(len(text)) or text)
    assert asserted_cells.names_changed({"changed": ["\x7f" * 1_000_000]}) == ["\x7f" * 100]
    assert lengths == [100]


def test_an_honest_notebook_hears_nothing() -> None:
    custody, place = run(*HONEST)
    assert custody.changed[place] == []
    assert not failed(custody, place)


@pytest.mark.parametrize(
    "forged",
    ["same = lambda *a: None", "import builtins\nbuiltins.same = lambda *a: None\ndel same"],
    ids=["bound anew", "deleted and built in"],
)
def test_a_locked_cells_functions_for_testing_are_brought_back(forged: str) -> None:
    given = marked(new_code_cell("from numpy.testing import assert_equal as same"), "given", locked=True)
    check = marked(new_code_cell("same(answer, 42)"), "check", 1, grade=True, locked=True)
    custody, place = run(given, forged, "answer = 41", check)
    assert custody.changed[place - 1] == ["same"]
    assert failed(custody, place - 1)


def test_a_cell_that_imports_its_own_functions_for_testing_hears_nothing() -> None:
    check = marked(
        new_code_cell("from numpy.testing import assert_equal\nassert_equal(answer, 42)"), "check", 1, grade=True
    )
    custody, place = run("answer = 42", check)
    assert custody.changed[place - 1] == []


def test_a_cells_imports_and_names_are_read_without_running_it() -> None:
    cells = [
        marked(new_code_cell("import numpy as np\nfrom pytest import raises"), "given", locked=True),
        marked(new_code_cell("%matplotlib inline\nimport math, os.path\nnp.testing.x"), "tests", 1, **GRADED),
        marked(new_code_cell("import secrets"), "own", solution=True),
        marked(new_code_cell("from evil.testing import raises"), "by_hand", 1, grade=True, solution=True),
        marked(new_code_cell("import json"), "check_known", 1, **GRADED),
        marked(new_code_cell("def broken(:"), "more", 1, **GRADED),
        marked(new_code_cell("\n" * 300_000 + "plt.close()"), "long", 1, **GRADED),
    ]
    found = imports_of(cells, ["known"])
    assert found.modules == ("math", "os.path", "numpy.testing", "numpy", "matplotlib.pyplot")
    assert found.names == {"raises": ("pytest", "raises"), "np": ("numpy", ""), "math": ("math", "")}
    assert names_used("!ls\nx = f(y)") == ["f", "y"]


@pytest.mark.parametrize(
    ("source", "others", "tasks", "asks"),
    [
        ("check('f')", "from autograder import check", [], True),
        ("check('f')\nassert f", "", ["g"], True),
        ("check('f')", "from tests import check", [], False),
        ("assert f", "from autograder import check", ["g"], False),
    ],
)
def test_a_cell_that_asks_for_a_check_is_no_assert(source: str, others: str, tasks: list[str], asks: bool) -> None:
    assert asks_for_a_check(new_code_cell(source), [marked(new_code_cell(others), "given", locked=True)], tasks) is asks


def test_what_the_instructors_own_cells_change_stays() -> None:
    """A test may answer `input` for the next one, and go to another folder."""
    first = marked(
        new_code_cell("import builtins, os\nbuiltins.input = lambda *a: '5'\nos.chdir('..')"), "one", 1, **GRADED
    )
    second = marked(new_code_cell("assert input() == '5' and os.getcwd() == '/home'"), "two", 1, **GRADED)
    custody, place = run("answer = 42", first, second)
    assert custody.changed[place - 1] == []
    assert not failed(custody, place - 1)


def test_a_folder_to_which_the_code_under_test_goes_is_not_the_instructors() -> None:
    cells = [
        marked(new_code_cell(source), name, 1, **GRADED)
        for name, source in (("one", "go()"), ("two", "import os\nassert os.getcwd() == '/home/student'"))
    ]
    custody, place = run("import os\nos.mkdir('m')\ndef go():\n    os.chdir('m')", "answer = 42", *cells)
    assert custody.changed[place - 2] == ["os.chdir"]
    assert not failed(custody, place - 1)


def test_a_check_that_there_is_not_is_an_error_and_no_points() -> None:
    asks = marked(new_code_cell("check('f')"), "asks", 1, **GRADED)
    custody, place = run("from autograder import check", "answer = 42", asks)
    assert "the course has no such task" in custody.outputs[place - 1][0]["evalue"]
