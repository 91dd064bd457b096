"""Seconds and memory of `harvest` for a ranked list of ten million rows, of which a tenth is there twice."""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]


def write_list(path: Path, rows: int) -> int:
    """Write the list; every tenth row is one of the rows before it. Returns how many targets it has."""
    with path.open("w") as file:
        for number in range(rows):
            name = number // 20 * 10 if number % 10 == 9 else number
            file.write(f"{number + 1},s{name}.example-{name % 97}.org\n")
    return rows - rows // 10


def main() -> None:
    """Print what it took; exit 1 over 400 MB, or when the counts are not those of the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--sample", type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        listed, out = Path(folder) / "list.csv", Path(folder) / "out.jsonl"
        targets = write_list(listed, given.rows)
        sample = ["--sample", str(given.sample)] if given.sample else []
        command = [sys.executable, "-m", "webmcp_census", "harvest", str(listed), "--out", str(out), "--json", *sample]
        began = time.perf_counter()
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
        )
        seconds = time.perf_counter() - began
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        counts = json.loads(done.stdout)["counts"]
        drawn = counts["skipped"].get("not_drawn", 0)
        megabytes = usage.ru_maxrss / 1024
        print(
            f"{given.rows:,} rows in {seconds:.0f} s ({usage.ru_utime + usage.ru_stime:.0f} CPU seconds,"
            f" {megabytes:.0f} MB at most): {counts['targets'] + drawn:,} targets, {counts['duplicates']:,} duplicates"
        )
        whole = (counts["targets"] + drawn, counts["entries_seen"]) == (targets, given.rows)
        sys.exit(0 if whole and megabytes < 400 else 1)


if __name__ == "__main__":
    main()
