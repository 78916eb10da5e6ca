"""What students can do to their folder in the exchange, before and while it is collected."""

from __future__ import annotations

import logging
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.nbgrader_plugin.collecting import Collect
from tests.swapping import swapped_when_opened

EXERCISE = "01_scalar_graphs"
SECRET = "the instructor's own words"
WHEN = "2026-01-01 00:00:00 UTC"
NOBODY = 65534


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty one; making it takes longer than a test."""
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    with Gradebook(f"sqlite:///{path}"):
        return path


class Exchange:
    """A course beside an exchange folder with submissions of several students."""

    def __init__(self, folder: Path, gradebook: Path) -> None:
        self.folder = folder
        shutil.copy(gradebook, folder / "gradebook.db")
        self.inbound = folder / "exchange" / "gradients" / "inbound"
        self.inbound.mkdir(parents=True)
        self.secret = folder / "secret.txt"
        self.secret.write_text(SECRET)
        self.secret.chmod(0o600)
        for student in ("alice", "mallory", "zoe"):
            self.submission(student)

    def submission(self, student: str, when: str = WHEN) -> Path:
        """A new folder in the exchange, with an honest notebook and notes."""
        made = self.inbound / f"{student}+{EXERCISE}+{when}+random"
        made.mkdir()
        (made / f"{EXERCISE}.ipynb").write_text(f"{student}'s notebook")
        (made / "notes.txt").write_text("notes")
        return made

    @property
    def hostile(self) -> Path:
        """The submission of the student who attacks."""
        return self.inbound / f"mallory+{EXERCISE}+{WHEN}+random"

    def collect(self, **options: object) -> None:
        """As `nbgrader collect`."""
        self.step(**options).start()

    def step(self, **options: object) -> Collect:
        """The step, before it starts."""
        course = CourseDirectory(
            root=str(self.folder),
            course_id="gradients",
            assignment_id=EXERCISE,
            db_url=f"sqlite:///{self.folder}/gradebook.db",
            max_dir_size=options.pop("max_dir_size", 1000),
        )
        step = Collect(coursedir=course, root=str(self.folder / "exchange"), **options)
        step.log = logging.getLogger("collecting")
        return step

    def collected(self, student: str) -> dict[str, str]:
        """Names and contents of what arrived; of links, where they lead."""
        folder = self.folder / "submitted" / student / EXERCISE
        paths = [path for path in folder.rglob("*") if path.is_symlink() or path.is_file()]
        return {
            str(path.relative_to(folder)): f"-> {os.readlink(path)}" if path.is_symlink() else path.read_text()
            for path in paths
        }


@pytest.fixture
def exchange(tmp_path: Path, gradebook: Path) -> Exchange:
    """Three students have handed in."""
    return Exchange(tmp_path, gradebook)


def honest(student: str) -> dict[str, str]:
    """What arrives of an honest submission."""
    return {f"{EXERCISE}.ipynb": f"{student}'s notebook", "notes.txt": "notes"}


def link_to_secret(exchange: Exchange) -> Path:
    """A link to the instructor's file."""
    made = exchange.folder / "swapped in"
    made.symlink_to(exchange.secret)
    return made


def second_name_of_secret(exchange: Exchange) -> Path:
    """A hard link to it."""
    os.link(exchange.secret, exchange.folder / "swapped in")
    return exchange.folder / "swapped in"


def pipe(exchange: Exchange) -> Path:
    """A pipe into which nobody writes."""
    os.mkfifo(exchange.folder / "swapped in")
    return exchange.folder / "swapped in"


@pytest.mark.parametrize("swapped_in", [link_to_secret, second_name_of_secret, pipe])
def test_a_file_swapped_while_it_is_collected_brings_nothing_else(
    exchange: Exchange, swapped_in: Callable[[Exchange], Path]
) -> None:
    (exchange.hostile / "data.csv").write_text("1,2")
    with swapped_when_opened(exchange.hostile / "data.csv", swapped_in(exchange)):
        exchange.collect()
    assert exchange.collected("mallory") == honest("mallory")
    assert exchange.collected("zoe") == honest("zoe")


def test_a_folder_swapped_while_it_is_collected_brings_nothing_else(exchange: Exchange) -> None:
    (exchange.hostile / "data").mkdir()
    (exchange.hostile / "data" / "secret.txt").write_text("mine")
    link = exchange.folder / "swapped in"
    link.symlink_to(exchange.folder)
    with swapped_when_opened(exchange.hostile / "data", link, at="secret.txt"):
        exchange.collect()
    assert SECRET not in "".join(exchange.collected("mallory").values())
    assert exchange.collected("zoe") == honest("zoe")


def test_a_folder_that_is_replaced_by_a_link_before_it_is_copied(exchange: Exchange, monkeypatch: Any) -> None:
    link = exchange.folder / "swapped in"
    link.symlink_to(exchange.inbound / f"alice+{EXERCISE}+{WHEN}+random")
    copy = Collect.do_copy

    def swap_first(step: Collect, src: str, dest: str, log: Any = None) -> None:
        if src == str(exchange.hostile):
            exchange.hostile.rename(exchange.folder / "moved")
            link.rename(exchange.hostile)
        copy(step, src, dest, log)

    monkeypatch.setattr(Collect, "do_copy", swap_first)
    exchange.collect()
    assert exchange.collected("mallory") == {}
    assert exchange.collected("zoe") == honest("zoe")


def test_links_arrive_as_links_that_lead_nowhere(exchange: Exchange) -> None:
    for name, target in {"data.csv": str(exchange.secret), "near.csv": "notes.txt", "up": "../.."}.items():
        (exchange.hostile / name).symlink_to(target)
    exchange.collect()
    links = {name: to for name, to in exchange.collected("mallory").items() if to.startswith("-> ")}
    assert set(links) == {"data.csv", "near.csv", "up"}
    folder = exchange.folder / "submitted" / "mallory" / EXERCISE
    assert not any((folder / name).exists() for name in links)


def test_a_file_of_another_user_is_not_collected(exchange: Exchange) -> None:
    if os.getuid():
        pytest.skip("needs root, to own a folder as somebody else")
    exchange.secret.rename(exchange.hostile / "found.txt")  # as where a folder may be written by all
    for path in (exchange.hostile, *exchange.hostile.glob("*[!d].txt"), *exchange.hostile.glob("*.ipynb")):
        os.chown(path, NOBODY, NOBODY)
    exchange.collect(check_owner=False)
    assert exchange.collected("mallory") == honest("mallory")


def test_nobody_hands_in_for_a_student_with_an_account(exchange: Exchange) -> None:
    if os.getuid():
        pytest.skip("needs root, to own a folder as somebody else")
    account = pwd.getpwuid(NOBODY).pw_name
    own = exchange.submission(account)
    for path in (own, *own.iterdir()):
        os.chown(path, NOBODY, NOBODY)
    forged = exchange.submission(account, "2027-01-01 00:00:00 UTC")
    (forged / f"{EXERCISE}.ipynb").write_text("forged")
    exchange.collect()
    assert exchange.collected(account) == honest(account)


def deep_folders(folder: Path) -> None:
    """More folders inside each other than Python calls functions inside each other."""
    made = os.open(folder, os.O_RDONLY)
    for _ in range(1_200):
        os.mkdir("d", dir_fd=made)
        made, above = os.open("d", os.O_RDONLY, dir_fd=made), made
        os.close(above)
    os.close(os.open("bottom.txt", os.O_CREAT | os.O_WRONLY, dir_fd=made))
    os.close(made)


def many_files(folder: Path) -> None:
    """More names than anything looks at."""
    (folder / "many").mkdir()
    for number in range(1_200):
        os.mknod(folder / "many" / f"{number}.txt")


def huge_file(folder: Path) -> None:
    """A terabyte that takes no room where it lies."""
    with open(folder / "huge.csv", "wb") as file:
        file.truncate(1 << 40)


def special_files(folder: Path) -> None:
    """A pipe and a socket."""
    os.mkfifo(folder / "pipe.csv")
    with socket.socket(socket.AF_UNIX) as server:
        short = folder.parents[4] / "s"  # a socket's path may only be short
        server.bind(str(short))
        short.rename(folder / "socket.csv")


def strange_names(folder: Path) -> None:
    """Names that no text has, or that act in a terminal."""
    for name in (
        b"\xff\xfe.csv",
        b"\x1b]52;c;ZXZpbA==\x07.csv",
        "\u202etxt.csv".encode(),
        b"a\nb.csv",
        b"x" * 251 + b".csv",
    ):
        os.mknod(os.fsencode(folder) + b"/" + name)


def closed_folder(folder: Path) -> None:
    """One that cannot be listed, where we are not root."""
    (folder / "closed").mkdir(mode=0)


ATTACKS = [deep_folders, many_files, huge_file, special_files, strange_names, closed_folder]


@pytest.mark.parametrize("attack", ATTACKS)
def test_whatever_a_submission_holds_it_arrives_and_the_others_too(
    exchange: Exchange, attack: Callable[[Path], None], monkeypatch: Any
) -> None:
    monkeypatch.setattr("autograder.notebooks.walking.MOST_ENTRIES", 1_000, raising=False)
    attack(exchange.hostile)
    try:
        exchange.collect()
        assert honest("mallory").items() <= exchange.collected("mallory").items()
        assert exchange.collected("alice") == honest("alice")
        assert exchange.collected("zoe") == honest("zoe")
    finally:
        subprocess.run(["rm", "-rf", str(exchange.hostile)], check=True)  # pytest cannot remove all of it


def test_a_submission_that_is_too_large_or_vanishes_stops_nobody(exchange: Exchange, monkeypatch: Any) -> None:
    (exchange.hostile / "large.csv").write_bytes(bytes(200_000))
    owner = Collect._path_to_record

    def remove_alice(step: Collect, path: str) -> dict:
        record = owner(step, path)
        if "alice" in path:
            shutil.rmtree(path)
        return record

    monkeypatch.setattr(Collect, "_path_to_record", remove_alice)
    exchange.collect(max_dir_size=100)
    assert exchange.collected("alice") == exchange.collected("mallory") == {}
    assert exchange.collected("zoe") == honest("zoe")
    assert not list((exchange.folder / "submitted").glob("*/.collecting*"))


@pytest.mark.parametrize(
    "when", ["2026-01-01 02:00:00.123456 +0200", "2026-01-01T02:00+02:00", "2025-12-31 22:00 -0200"]
)
@pytest.mark.parametrize("end", ["", "+x", "+al-4Xu6ALoCy"])
def test_the_name_of_a_submission_may_hold_an_offset(exchange: Exchange, when: str, end: str) -> None:
    step = exchange.step()
    record = step._path_to_record(str(exchange.inbound / f"a+b+{EXERCISE}+{when}{end}"))
    assert record["username"] == "a+b"
    assert record["timestamp"].replace(microsecond=0) == datetime(2026, 1, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="the page is about Linux, with GNU's find")
def test_the_documented_command_names_what_was_changed_later(exchange: Exchange) -> None:
    page = (Path(__file__).parents[1] / "docs" / "jupyterhub.md").read_text()
    (command,) = re.findall(r"^    (find .* -newerct .*)$", page, re.MULTILINE)
    time.sleep(0.05)
    due = f"@{time.time()}"
    time.sleep(0.05)
    with (exchange.hostile / f"{EXERCISE}.ipynb").open("r+") as file:
        file.write("solved")
    command = re.sub(r'(?<=-newerct )"[^"]*"', due, command)
    found = subprocess.run(command, shell=True, cwd=exchange.inbound, capture_output=True, text=True, check=True)
    assert re.findall(r"\d\d  (.*)$", found.stdout, re.MULTILINE) == [f"{exchange.hostile.name}/{EXERCISE}.ipynb"]


LATER = "2026-01-02 00:00:00 UTC"


def test_a_newer_submission_replaces_the_earlier_one(exchange: Exchange) -> None:
    (exchange.hostile / "timestamp.txt").write_text(WHEN)
    exchange.collect()
    (exchange.submission("zoe", LATER) / "notes.txt").write_text("later")
    (exchange.hostile / "notes.txt").write_text("of the same time")
    exchange.collect(update=True)
    assert exchange.collected("zoe") == honest("zoe") | {"notes.txt": "later"}
    assert exchange.collected("mallory") == honest("mallory") | {"timestamp.txt": WHEN}
    assert not list((exchange.folder / "submitted").glob("*/.collecting*"))


@pytest.mark.parametrize("option", ["update", "before_duedate"])
def test_the_earlier_submission_stays_if_the_newer_one_is_refused(
    exchange: Exchange, option: str, caplog: pytest.LogCaptureFixture
) -> None:
    (exchange.hostile / "timestamp.txt").write_text(WHEN)
    exchange.collect()
    (exchange.submission("mallory", LATER) / "large.csv").write_bytes(bytes(200_000))
    exchange.collect(max_dir_size=100, **{option: True})
    assert exchange.collected("mallory") == honest("mallory") | {"timestamp.txt": WHEN}
    assert "is larger than 100 kB; the one that was collected before stays" in caplog.text
