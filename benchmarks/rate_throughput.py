"""How long a run of 480 trials takes with a judge that needs two seconds, asked eight at a time.

The judge is an OpenAI-compatible endpoint of the benchmark's own, on loopback, that answers after two seconds with a
call. The judge alone would need 480 x 2 s / 8 = 120 s; pages that are not ready when it is free cost the rest. The
trials are of 40 utterances on a served page of four tools, each in a context of its own; nothing is executed. Start-up
of process and browser counts, as a user waits for it too. Exit 1 when it takes 1.3 times as long as the judge alone, or
more.

Example: python benchmarks/rate_throughput.py
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from measure.rates.rate_run import read_rate_run
from measure.utterances.digest import frozen
from measure.utterances.utterance_set import Author, Tag, Utterance, UtteranceSet, write_set

ROOT = Path(__file__).parents[1]
LIMIT = 1.3
UTTERANCES = 40
PAGE = """<!doctype html><title>Shop</title><h1>Shop</h1><script>
for (const name of ["search", "add", "remove", "pay"])
  document.modelContext.registerTool({ name, description: `Does what ${name} says.`, execute: () => "done",
    inputSchema: { type: "object", properties: { what: { type: "string" } } } });
</script>"""


class SlowJudge(ThreadingHTTPServer):
    """Answers every request after so many seconds, and counts how many it had at once."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, seconds: float) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.seconds = seconds
        self.lock = threading.Lock()
        self.asked = self.at_once = self.most_at_once = 0


class _Answer(BaseHTTPRequestHandler):
    server: SlowJudge
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.asked += 1
            self.server.at_once += 1
            self.server.most_at_once = max(self.server.most_at_once, self.server.at_once)
        time.sleep(self.server.seconds)
        with self.server.lock:
            self.server.at_once -= 1
        content = json.dumps(_completion(body)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def _completion(body: dict[str, Any]) -> dict[str, Any]:
    name = body["tools"][0]["function"]["name"]
    call = {"id": "call_0", "type": "function", "function": {"name": name, "arguments": "{}"}}
    return {
        "id": "chatcmpl-0", "object": "chat.completion", "created": 0, "model": body["model"],
        "choices": [{"index": 0, "finish_reason": "tool_calls",
                     "message": {"role": "assistant", "content": None, "tool_calls": [call]}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }  # fmt: skip


def a_set(folder: Path) -> Path:
    """A frozen set of as many utterances as are asked, without controls."""
    author = Author(kind="person", name="the benchmark")
    utterances = tuple(
        Utterance(id=f"u{number}", text=f"Request {number}", tag=Tag.DIRECT, author=author, tool="add")
        for number in range(UTTERANCES)
    )
    path = folder / "set.json"
    write_set(
        path,
        frozen(
            UtteranceSet(format=1, name="bench", version="1.0.0", page="index.html", utterances=utterances, controls=())
        ),
    )
    return path


def main() -> int:
    """Run it and print the ratio."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--trials", type=int, default=480, help="a multiple of 40")
    options.add_argument("--seconds", type=float, default=2.0, help="that the judge takes")
    options.add_argument("--at-once", type=int, default=8)
    options.add_argument("--pages-ahead", type=int, default=12)
    given = options.parse_args()
    judge = SlowJudge(given.seconds)
    threading.Thread(target=judge.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "pages").mkdir()
        (folder / "pages" / "index.html").write_text(PAGE)
        command = [
            sys.executable, "-m", "webmcp_census", "rate", "--serve", folder / "pages", "--set", a_set(folder),
            "--judge", "openai:slow", "--judge-url", f"http://127.0.0.1:{judge.server_address[1]}/v1", "--no-execute",
            "--sessions", "1", "--repeats", str(given.trials // UTTERANCES), "--concurrency", str(given.at_once),
            "--pages-ahead", str(given.pages_ahead), "--out", folder / "run", "--json",
        ]  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        began = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False)
        took = time.monotonic() - began
        run = read_rate_run(folder / "run")
    judge.shutdown()
    alone = given.trials * given.seconds / given.at_once
    print(f"{len(run.trials)} trials, {judge.asked} requests, at most {judge.most_at_once} at once")
    print(f"{took:.1f} s; the judge alone {alone:.1f} s; ratio {took / alone:.3f} (limit {LIMIT})")
    prepared = sorted(trial.ms - (trial.judge_ms or 0) for trial in run.trials)
    print(f"a page is ready after {prepared[len(prepared) // 2]} ms (median)")
    return 0 if done.returncode == 0 and run.complete and took < LIMIT * alone else 1


if __name__ == "__main__":
    sys.exit(main())
