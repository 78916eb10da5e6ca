"""A PostgreSQL server of one's own on the loopback interface, with its files in a temporary folder."""

from __future__ import annotations

import glob
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import psycopg

USER = "course"
SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 40
"""
FORGETFUL = "fsync = off\n"
"""No machine loses its power in a test, and a server that is stopped at once keeps what the system has."""


def binaries() -> Path | None:
    """The folder of the newest server that is installed; Debian keeps it off the PATH."""
    found = glob.glob("/usr/lib/postgresql/*/bin/initdb") + [path for path in [shutil.which("initdb")] if path]
    return Path(found[-1]).resolve().parent if found else None


class PostgreSQL:
    """A server, and the databases in it."""

    def __init__(self, durable: bool = False) -> None:
        """
        Args:
            durable: commit to the disk, as one that is measured must.
        """
        self.folder = Path(tempfile.mkdtemp(prefix="postgresql-"))
        self.password = secrets.token_hex(16)
        self.passwords = self.folder / "pgpass"
        self.data = self.folder / "data"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        # initdb refuses to run as root.
        self.account = {}
        if os.getuid() == 0:
            one = pwd.getpwnam("nobody")
            self.account = {"user": one.pw_uid, "group": one.pw_gid, "extra_groups": []}
            os.chown(self.folder, one.pw_uid, one.pw_gid)
        self._end = self._executor()
        self.write_password(self.password)
        secret = self.folder / "first-password"
        secret.write_text(self.password)
        options = ["--auth=scram-sha-256", f"--username={USER}", f"--pwfile={secret}", "--encoding=UTF8", "--no-sync"]
        self._run("initdb", *options, "--locale=C.UTF-8")
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(SETTINGS + f"port = {self.port}\n" + ("" if durable else FORGETFUL))

    def _run(self, name: str, *arguments: str) -> None:
        command = [binaries() / name, "-D", self.data, *arguments]
        said = {"stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
        subprocess.run(command, check=True, cwd=self.folder, timeout=120, **said, **self.account)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._run("pg_ctl", "-w", "-l", self.folder / "log", "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: "fast" ends its connections in order, "immediate" is as if it had crashed."""
        self._run("pg_ctl", "-w", "-m", mode, "stop")

    def _executor(self) -> subprocess.Popen:
        """Ends the server and removes its files when this process closes a pipe or dies."""
        script = 'cat; "$0" -D "$1" -m immediate stop; rm -rf "$2"'
        command = ["sh", "-c", script, binaries() / "pg_ctl", self.data, self.folder]
        null = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(command, stdin=subprocess.PIPE, cwd="/", start_new_session=True, **null, **self.account)

    def close(self) -> None:
        """Stop it if it runs, and remove its files."""
        self._end.stdin.close()
        self._end.wait(60)

    def write_password(self, password: str) -> None:
        """What libpq finds in the file that PGPASSFILE names."""
        self.passwords.touch(mode=0o600)
        self.passwords.write_text(f"127.0.0.1:{self.port}:*:{USER}:{password}\n")

    def url(self, database: str) -> str:
        """The address of a database, without the password."""
        return f"postgresql+psycopg://{USER}@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str) -> list[tuple]:
        """Have the server do something outside of all gradebooks."""
        address = f"host=127.0.0.1 port={self.port} user={USER} dbname=postgres password={self.password}"
        with psycopg.connect(address, autocommit=True) as connection:
            done = connection.execute(statement)
            return done.fetchall() if done.description else []

    def create(self, database: str, like: str = "template1") -> str:
        """A new database, empty or a copy; returns its address."""
        self.execute(f'create database "{database}" template "{like}"')
        return self.url(database)

    def cut(self, database: str) -> None:
        """End all connections to a database from the server's side, and wait until they are gone."""
        self.execute(f"select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '{database}'")
