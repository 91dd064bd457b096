"""A model endpoint of the tests' own, which speaks both protocols over real HTTP and misbehaves to order.

It holds requests to what the two vendors document (names, order of turns, pairing of results, the key's header), so
a request that they would refuse is refused here.
"""

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-test-1f6c0d9b2e"
NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass
class Said:
    """What the model says: texts and calls (name, arguments)."""

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    stopped: str = ""
    tokens: tuple[int, int] = (20, 10)


@dataclass
class Behaviour:
    """How one request is answered."""

    status: int = 200
    said: Said = field(default_factory=Said)
    raw: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    hang_up: bool = False
    promise_more: bool = False
    drip: float = 0.0
    """Seconds between the bytes of the body."""


class Endpoint(ThreadingHTTPServer):
    """Answers as planned, request by request; the last behaviour stays."""

    daemon_threads = True
    # More connections at once than the default backlog of 5 takes.
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.plan: list[Behaviour] = [Behaviour()]
        self.requests: list[dict[str, Any]] = []
        self.times: list[float] = []
        self.lock = threading.Lock()
        self.at_once = self.most_at_once = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next_behaviour(self) -> Behaviour:
        with self.lock:
            return self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        return

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.requests.append(body)
            self.server.times.append(time.monotonic())
            self.server.at_once += 1
            self.server.most_at_once = max(self.server.most_at_once, self.server.at_once)
        try:
            self._answer(body, self.server.next_behaviour())
        finally:
            with self.server.lock:
                self.server.at_once -= 1

    def _answer(self, body: dict[str, Any], behaviour: Behaviour) -> None:
        time.sleep(behaviour.delay)
        if behaviour.hang_up:
            self.close_connection = True
            return
        status, content = self._content(body, behaviour)
        self._send(status, content, behaviour)

    def _content(self, body: dict[str, Any], behaviour: Behaviour) -> tuple[int, bytes]:
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            # As one vendor really does: the refused key is repeated in the message.
            given = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
            return 401, _error("authentication_error", f"Incorrect API key provided: {given}")
        if behaviour.raw is not None:
            return behaviour.status, behaviour.raw
        if behaviour.status != 200:
            return behaviour.status, _error("told", f"told to fail, key {KEY}")
        openai = self.path == "/v1/chat/completions"
        wrong = openai_faults(body) if openai else anthropic_faults(body)
        if wrong:
            return 400, _error("invalid_request_error", wrong)
        return 200, json.dumps((openai_answer if openai else anthropic_answer)(behaviour.said)).encode()

    def _send(self, status: int, content: bytes, behaviour: Behaviour) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content) + (1000 if behaviour.promise_more else 0)))
        for name, value in behaviour.headers.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            for byte in content if behaviour.drip else ():
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(behaviour.drip)
        except OSError:
            # Whoever asked has gone, as it should.
            self.close_connection = True
            return
        if not behaviour.drip:
            self.wfile.write(content)
        if behaviour.promise_more:
            self.close_connection = True


def _error(kind: str, message: str) -> bytes:
    return json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()


def openai_answer(said: Said) -> dict[str, Any]:
    calls = [
        {
            "id": f"call_{n}x",
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for n, (name, given) in enumerate(said.calls)
    ]
    stopped = said.stopped or ("tool_calls" if calls else "stop")
    message: dict[str, Any] = {"role": "assistant", "content": said.text or None}
    if calls:
        message["tool_calls"] = calls
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1796047396,
        "model": "test-model",
        "choices": [{"index": 0, "finish_reason": stopped, "message": message}],
        "usage": {
            "prompt_tokens": said.tokens[0],
            "completion_tokens": said.tokens[1],
            "total_tokens": sum(said.tokens),
        },
    }


def anthropic_answer(said: Said) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": said.text}] if said.text else []
    content += [
        {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": given}
        for n, (name, given) in enumerate(said.calls)
    ]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "test-model",
        "content": content,
        "stop_reason": {"length": "max_tokens"}.get(said.stopped, said.stopped)
        or ("tool_use" if said.calls else "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": said.tokens[0], "output_tokens": said.tokens[1]},
    }


def openai_faults(body: dict[str, Any]) -> str:
    """What https://platform.openai.com/docs/api-reference/chat would refuse a request for; empty when nothing."""
    waiting: set[str] = set()
    for message in body["messages"]:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return "tool message without a call before it"
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            return f"tool calls without a result: {sorted(waiting)}"
        for call in message.get("tool_calls") or []:
            waiting.add(call["id"])
            if not isinstance(call["function"]["arguments"], str):
                return "arguments must be a string"
    for tool in body.get("tools", []):
        function = tool["function"]
        if tool["type"] != "function" or not NAME.fullmatch(function["name"]):
            return f"bad tool name {function['name']!r}"
        if function["parameters"].get("type") != "object":
            return "parameters must be an object's schema"
    if "tools" in body and not body["tools"]:
        return "tools must not be empty"
    return "" if isinstance(body["max_completion_tokens"], int) else "max_completion_tokens"


def anthropic_faults(body: dict[str, Any]) -> str:
    """What https://platform.claude.com/docs/en/api/messages would refuse a request for; empty when nothing."""
    allowed = {"model", "max_tokens", "messages", "system", "tools"}
    if set(body) - allowed:
        return f"extra inputs are not permitted: {sorted(set(body) - allowed)}"
    if body["messages"][0]["role"] != "user":
        return "the first message must be a user's"
    waiting: set[str] = set()
    for message in body["messages"]:
        if message["role"] not in ("user", "assistant"):
            return f"bad role {message['role']}"
        if not message["content"]:
            return "empty content"
        results = {block["tool_use_id"] for block in message["content"] if block["type"] == "tool_result"}
        if results != waiting:
            return f"results {sorted(results)} for calls {sorted(waiting)}"
        kinds = [block["type"] for block in message["content"]]
        if "tool_result" in kinds and kinds != sorted(kinds, key=lambda kind: kind != "tool_result"):
            return "results must come first"
        waiting = {block["id"] for block in message["content"] if block["type"] == "tool_use"}
    for tool in body.get("tools", []):
        if not NAME.fullmatch(tool["name"]) or tool["input_schema"].get("type") != "object":
            return f"bad tool {tool['name']!r}"
    return "" if isinstance(body["max_tokens"], int) else "max_tokens"
