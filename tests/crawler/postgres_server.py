"""A PostgreSQL server of the tests' own, from the system's packages, on loopback, run by a user who is not root."""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

PASSWORD = "s3cret-Passw0rd"
USER = "census"


def programs() -> Path | None:
    """The folder of PostgreSQL's server programs; Debian keeps them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


@dataclass
class PostgresServer:
    """A server that asks for a password and loses everything when it ends."""

    folder: Path
    programs: Path
    port: int
    fsync: bool = False
    """Whether what is committed survives a power cut; not needed by a test, whose servers only crash."""

    def url(self, database: str, password: str | None = PASSWORD) -> str:
        """The address of a database, with the password unless told otherwise."""
        secret = f":{password}" if password else ""
        return f"postgresql://{USER}{secret}@127.0.0.1:{self.port}/{database}"

    def database(self) -> str:
        """Make an empty database; returns its name."""
        name = f"census_{secrets.token_hex(4)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return name

    def cut_connections(self, database: str) -> None:
        """End all connections to a database."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (database,))

    def make(self) -> None:
        """Make the cluster and start it."""
        password = self.folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        self._run(
            "initdb", "-D", str(self._data), "-U", USER, "-A", "scram-sha-256", f"--pwfile={password}",
            "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8",
        )  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start the server."""
        options = (
            f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
            f" -c fsync={'on' if self.fsync else 'off'}"
            " -c shared_buffers=64MB -c max_connections=60"
        )
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server; `immediate` is a crash."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", mode, "stop")

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _run(self, program: str, *arguments: str) -> None:
        as_other = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        ended = subprocess.run(
            [*as_other, str(self.programs / program), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT if program == "initdb" else subprocess.DEVNULL,
            text=True, check=False, cwd=self.folder,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stdout


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that the user who runs the server may write to."""
    folder = Path(tempfile.mkdtemp(prefix="census-postgres-"))
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """The server, or a skip that says what is missing."""
    found = programs()
    if found is None:
        pytest.skip("no PostgreSQL server here: install Debian's `postgresql` (deploy/install-postgresql.sh)")
    with temporary_folder() as folder:
        server = PostgresServer(folder, found, free_port())
        server.make()
        yield server
        server.stop()


@pytest.fixture
def database_url(postgres_server: PostgresServer) -> str:
    """The address of an empty database, with its password."""
    return postgres_server.url(postgres_server.database())
