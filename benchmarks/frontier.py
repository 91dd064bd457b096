"""Claims and acknowledgements a second: the frontier in a file, the one in PostgreSQL, and pgbench with the same calls.

PostgreSQL's figures are taken by as many processes as there are clients, ours and pgbench's in turn, over one table.
"""

import argparse
import json
import operator
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from census.target import Target
from census.vocabulary import Outcome
from crawler.frontier import Frontier, Report
from crawler.postgres.address import FrontierAddress
from crawler.postgres.database import Database
from crawler.postgres.frontier import PostgresFrontier
from crawler.postgres.schema import migrate
from crawler.sqlite_frontier import SqliteFrontier
from tests.crawler.postgres_server import PostgresServer, free_port, programs, temporary_folder

PAGES_OF_A_SITE = 4
# The same two calls, each a transaction of its own, as our frontier makes them.
SCRIPT = """
SELECT (c).target_id AS target, (c).attempt AS attempt, (c).fence AS fence,
    (SELECT site FROM targets WHERE id = (c).target_id) AS site
FROM (SELECT claim('bench-' || :client_id::text, '', false, 60) AS c OFFSET 0) AS claimed \\gset
SELECT acknowledge('bench-' || :client_id::text, :site::text, :target::bigint, :attempt::integer, :fence::bigint,
    :target::text || '-' || :attempt::text, 'captured',
    repeat('0', 64), NULL, ARRAY[]::text[], 0, NULL);
"""


def turns(frontier: Frontier, seconds: float) -> float:
    """Claims with their acknowledgements a second, by one client."""
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        lease = frontier.claim()
        assert lease is not None, "the frontier is empty: give more --targets"
        report = Report(f"{lease.target_id}-{lease.attempt}", Outcome.CAPTURED, "0" * 64, None)
        frontier.acknowledge(lease, report, delay=0.0)
        done += 1
    return done / (time.perf_counter() - began)


def some_targets(number: int) -> Iterator[Target]:
    """Targets on a quarter as many sites."""
    return (Target(url=f"https://s{n // PAGES_OF_A_SITE}.org/{n % PAGES_OF_A_SITE}") for n in range(number))


def in_a_file(targets: int, blocks: int, seconds: float) -> list[float]:
    """The frontier in a file, several blocks over the same one."""
    with tempfile.TemporaryDirectory() as folder:
        frontier = SqliteFrontier(Path(folder) / "frontier.sqlite")
        frontier.add(some_targets(targets))
        try:
            return [turns(frontier, seconds) for _ in range(blocks)]
        finally:
            frontier.close()


@contextmanager
def server() -> Iterator[PostgresServer]:
    """A server with fsync on, as one that keeps a crawl has it."""
    found = programs()
    if found is None:
        sys.exit("no PostgreSQL server here: deploy/install-postgresql.sh installs one")
    with temporary_folder() as folder:
        postgres = PostgresServer(folder, found, free_port(), fsync=True)
        postgres.make()
        try:
            yield postgres
        finally:
            postgres.stop()


def ours(url: str, clients: int, seconds: float) -> float:
    """As many processes of ours."""
    command = [sys.executable, __file__, "--client", url, "--seconds", str(seconds)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(clients)]
    return sum(float(each.communicate()[0]) for each in started)


def pgbench(postgres: PostgresServer, url: str, clients: int, seconds: float, script: Path) -> float:
    """The same two calls by pgbench."""
    ended = subprocess.run(
        [postgres.programs / "pgbench", "--no-vacuum", f"--client={clients}", f"--jobs={clients}",
         f"--time={seconds:.0f}", f"--file={script}", "--protocol=prepared",
         f"{url}?options=-csearch_path%3Dwebmcp_census"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return next(float(line.split()[2]) for line in ended.stdout.splitlines() if line.startswith("tps ="))


def main() -> None:
    """Print the medians and their ratio; exit 1 when under half of pgbench, or the file under 5,000 a second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--targets", type=int, default=1_000_000)
    parser.add_argument("--blocks", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--clients", type=int, default=2)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--client", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.client:
        print(
            turns(PostgresFrontier(Database(FrontierAddress.parse(given.client)), f"c{time.time_ns()}"), given.seconds)
        )
        return
    blocks: dict[str, list[float]] = {"postgresql": [], "pgbench": []}
    blocks["file"] = in_a_file(given.targets, given.blocks, given.seconds)
    with server() as postgres, tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(SCRIPT)
        script.flush()
        url = postgres.url(postgres.database())
        database = Database(FrontierAddress.parse(url))
        migrate(database)
        database.once("INSERT INTO crawl (run_settings, optout, evidence) VALUES ('{}', '', '')")
        began = time.perf_counter()
        PostgresFrontier(database, "list").add(some_targets(given.targets))
        adding = time.perf_counter() - began
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
            (size,) = connection.execute("SELECT pg_database_size(current_database())").fetchone() or (0,)
        for _ in range(given.blocks):
            blocks["postgresql"].append(ours(url, given.clients, given.seconds))
            blocks["pgbench"].append(pgbench(postgres, url, given.clients, given.seconds, Path(script.name)))
        database.close()
    medians = {name: statistics.median(values) for name, values in blocks.items()}
    ratio = statistics.median(map(operator.truediv, blocks["postgresql"], blocks["pgbench"]))
    print(f"{given.targets:,} targets added in {adding:.0f} s, {size / 1e6:.0f} MB")
    for name, value in medians.items():
        print(f"{name:>10}  {value:8,.0f} claims with acknowledgements a second (median of {given.blocks} blocks)")
    print(f"postgresql over pgbench: {ratio:.2f} (median of pairs of blocks), load {os.getloadavg()[0]:.1f}")
    if given.json:
        given.json.write_text(json.dumps({"blocks": blocks, "adding_s": adding, "bytes": size}, indent=1) + "\n")
    sys.exit(0 if ratio >= 0.5 and medians["file"] >= 5_000 else 1)


if __name__ == "__main__":
    main()
