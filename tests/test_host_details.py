"""What a sandbox learns of the machine around it: nothing beyond where Python lies."""

from __future__ import annotations

import os
import sys

import pytest

from tests.depth import one_of_each
from tests.sandboxes import said, sandbox, tier

FOLDER = "/opt/the-instructors-own-folder"
LISTINGS = """
import glob
lines, opened = [], 0
for name in ("mountinfo", "mounts", "mountstats"):
    for process in ("self", "thread-self", "1", "2", "self/task/*"):
        for path in glob.glob(f"/proc/{process}/{name}"):
            try:
                lines, opened = lines + open(path).read().splitlines(), opened + 1
            except OSError:
                pass
print(opened > 5, lines[:3])
"""
CHILD = f"""
import subprocess, sys
print(subprocess.run([sys.executable, "-c", {LISTINGS!r}], capture_output=True, text=True).stdout)
"""


@pytest.mark.parametrize("source", [LISTINGS, CHILD], ids=["itself", "a child"])
def test_no_list_of_mounts_names_the_machines_folders(source: str) -> None:
    with sandbox("a") as process:
        assert said(process, source).strip() == "True []"


@pytest.mark.parametrize("highest", one_of_each(["a", "b"], type))
def test_path_names_only_what_is_there(highest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{FOLDER}/bin:{os.environ['PATH']}:{FOLDER}")
    with tier(highest), sandbox(highest) as process:
        path = said(process, "import os; print(os.environ['PATH'], open('/proc/self/environ').read())")
        assert FOLDER not in path
        assert said(process, "!which ls python").split() == ["/usr/bin/ls", f"{sys.prefix}/bin/python"]


def test_the_sandbox_is_as_usable_as_before() -> None:
    """Its root belongs to no namespace, which changes nothing that a notebook does."""
    with sandbox("a") as process:
        source = """
import os, pathlib, subprocess, tempfile
pathlib.Path("a").write_text("b"); os.rename("a", "c"); os.link("c", "d"); os.symlink("d", "e")
with tempfile.NamedTemporaryFile() as file, tempfile.TemporaryDirectory() as folder:
    file.write(b"x")
print(os.getcwd(), open("/proc/self/cwd/e").read(), os.readlink("/proc/self/root"), os.path.exists("/etc/passwd"))
print(subprocess.run("pwd; cat e; ls /", shell=True, capture_output=True, text=True).stdout.split())
"""
        first, second = said(process, source).splitlines()
        assert first == "/home/student b / True"
        assert second.startswith(("['/home/student', 'b',", "['/home/student', 'bbin',"))  # e ends without a newline
