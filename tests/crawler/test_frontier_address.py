"""The frontier's password is said nowhere: no message, no log, no list of processes."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from census.errors import CensusError
from crawler.postgres.address import ENVIRONMENT, FrontierAddress, given_address
from crawler.postgres.database import Database
from tests.crawler.postgres_server import PASSWORD

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("text", "shown", "secrets"),
    [
        ("postgresql://u:sesame@h:5/d", "postgresql://u@h:5/d", {"password": "sesame"}),
        ("postgres://u@h/d?password=ses%40&sslmode=allow", "postgresql://u@h/d?sslmode=allow", {"password": "ses@"}),
        ("postgresql://u:a%3Ab%40c%2F%23@[::1]:5432/d", "postgresql://u@[::1]:5432/d", {"password": "a:b@c/#"}),
        ("postgresql://h/d?sslpassword=sesame", "postgresql://h/d", {"sslpassword": "sesame"}),
        ("postgresql:///d", "postgresql:///d", {}),
        ("postgresql://u@one:1,two:2/d", "postgresql://u@one:1,two:2/d", {}),
    ],
)  # fmt: skip
def test_an_address_is_shown_without_its_secrets(text, shown, secrets):
    address = FrontierAddress.parse(text)
    assert (str(address), address.secrets) == (shown, secrets)
    assert "ses" not in repr(address)


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://u:sesame@rest@h/d",
        "postgresql://u:sesame/rest@h/d",
        "postgresql://u:sesame?rest@h/d",
        "postgresql://u:sesame#rest@h/d",
        "postgresql://u:sesame%rest@h/d",
        "postgresql://u:sesame rest@h/d",
        "postgresql://u:sesame",
        "postgresql://u@h/d?passwort=sesame",
        "mysql://u:sesame@h/d",
        "host=h password=sesame",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_without_repeating_any_of_it(text):
    with pytest.raises(CensusError) as refused:
        FrontierAddress.parse(text)
    assert "sesame" not in str(refused.value)
    assert "rest" not in str(refused.value)
    assert "--frontier" in str(refused.value)


def test_the_address_of_the_environment_is_taken_out_of_it(monkeypatch):
    monkeypatch.setenv(ENVIRONMENT, "postgresql://u:sesame@h/d")
    found = given_address(None)
    assert found is not None
    assert found.secrets == {"password": "sesame"}
    assert ENVIRONMENT not in os.environ


def test_the_option_wins_over_another_address_in_the_environment(monkeypatch):
    monkeypatch.setenv(ENVIRONMENT, "postgresql://u:sesame@h/d")
    found = given_address("postgresql://u@h/other")
    assert found is not None
    assert (found.url, found.secrets) == ("postgresql://u@h/other", {})


def test_a_connection_that_is_refused_says_where_and_not_with_what(postgres_server, caplog):
    with pytest.raises(CensusError) as refused:
        Database(FrontierAddress.parse(postgres_server.url("postgres", "wr0ng-sesame"))).once("SELECT 1")
    assert "password authentication failed" in str(refused.value)
    assert "sesame" not in str(refused.value) + caplog.text


def test_a_server_that_is_not_there_is_asked_again_for_a_while_and_then_named(caplog):
    database = Database(FrontierAddress.parse("postgresql://u:sesame@127.0.0.1:1/d"))
    database.patience = 1.0
    with pytest.raises(CensusError, match=r"postgresql://u@127\.0\.0\.1:1/d cannot be used: .*refused"):
        database.once("SELECT 1")
    assert "asking again" in caplog.text
    assert "sesame" not in caplog.text


def _waiting_command(address: str) -> subprocess.Popen[str]:
    # Nothing listens there, so the command asks again for seconds, in which its arguments can be looked at.
    return subprocess.Popen(
        [sys.executable, "-m", "webmcp_census", "crawl", "status", "--frontier", address],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def test_a_password_on_the_command_line_is_in_no_list_of_processes_and_in_nothing_that_is_said():
    command = _waiting_command("postgresql://u:sesame@127.0.0.1:1/d")
    try:
        assert command.stderr is not None
        first = command.stderr.readline()
        assert "asking again" in first, "it was not asking when its arguments were looked at"
        arguments = Path(f"/proc/{command.pid}/cmdline").read_text().split("\0")
        assert "--frontier=postgresql://u@127.0.0.1:1/d" in arguments
        assert not any("sesame" in each for each in arguments)
    finally:
        command.kill()
        out, err = command.communicate()
    assert "sesame" not in out + first + err


def test_an_address_that_cannot_be_read_gets_one_answer():
    started = time.monotonic()
    command = _waiting_command("postgresql://u:sesame@rest@h/d")
    out, err = command.communicate(timeout=30)
    assert command.returncode == 2
    assert "write @ / ? and # inside a password as %40" in err
    assert "sesame" not in out + err
    assert time.monotonic() - started < 30


def test_a_password_on_the_command_line_opens_the_database(database_url):
    command = _waiting_command(database_url)
    out, err = command.communicate(timeout=60)
    assert command.returncode == 2
    assert "the frontier has no crawl yet" in err
    assert PASSWORD not in out + err
