"""Where a shared frontier is. Its password is kept out of messages, logs and the list of processes."""

import os
import re
import sys
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from census.errors import CensusError

ENVIRONMENT = "WEBMCP_CENSUS_FRONTIER"
"""The environment variable that can hold the address instead of the command line."""
_FORM = "write --frontier postgresql://USER@HOST:PORT/DATABASE, and give the password with PGPASSWORD or ~/.pgpass"
_SECRET = frozenset({"password", "sslpassword"})
_HARMLESS = frozenset({
    "application_name", "channel_binding", "connect_timeout", "gssencmode", "host", "hostaddr", "keepalives",
    "keepalives_count", "keepalives_idle", "keepalives_interval", "load_balance_hosts", "options", "passfile", "port",
    "require_auth", "sslcert", "sslcrl", "sslkey", "sslmode", "sslnegotiation", "sslrootcert", "target_session_attrs",
    "tcp_user_timeout", "user", "dbname",
})  # fmt: skip
_OPTION = "--frontier"
_UNREADABLE = "(unreadable)"


@dataclass(frozen=True, slots=True)
class FrontierAddress:
    """A PostgreSQL database. `str()` of it, and its `repr`, never hold a secret."""

    url: str
    """The address without its secrets."""
    secrets: dict[str, str] = field(repr=False)
    """`password` and `sslpassword`, where the address had them."""

    def __str__(self) -> str:
        return self.url

    @classmethod
    def parse(cls, text: str) -> "FrontierAddress":
        """Read an address. Raises CensusError, which repeats nothing of it: any part may be a badly quoted password."""
        if not re.match(r"postgres(ql)?://", text):
            raise CensusError(f"--frontier is no PostgreSQL address; {_FORM}")
        if re.search(r"%(?![0-9a-fA-F]{2})", text) or re.search(r"[\s\x00-\x1f]", text):
            raise CensusError(f"--frontier is not quoted as a URL: write % as %25 and a space as %20, or {_FORM}")
        parts = urlsplit(text)
        user_info, at, host = parts.netloc.rpartition("@")
        if "@" in user_info or "@" in parts.path + parts.query + parts.fragment or parts.fragment:
            raise CensusError(f"--frontier: write @ / ? and # inside a password as %40 %2F %3F and %23, or {_FORM}")
        if not re.fullmatch(r"(\[[0-9a-fA-F:.]*\]|[^:\[\]]*)(:\d{1,5})?(,.*)?", host):
            raise CensusError(f"--frontier: what should be the port is no number; {_FORM}")
        user, colon, password = user_info.partition(":")
        query = parse_qsl(parts.query, keep_blank_values=True)
        unknown = sorted(name for name, _ in query if name not in _SECRET | _HARMLESS)
        if unknown:
            # Its value may be a password under a misspelt name.
            raise CensusError(f"--frontier: PostgreSQL knows no {', '.join(unknown)}; {_FORM}")
        secrets = {name: value for name, value in query if name in _SECRET}
        if colon:
            secrets["password"] = unquote(password)
        shown = urlencode([(name, value) for name, value in query if name not in _SECRET], quote_via=quote)
        url = f"postgresql://{user}{at}{host}{parts.path}{'?' if shown else ''}{shown}"
        return cls(url, secrets)


def hide_secrets_of_command_line() -> None:
    """Start this program again without the secrets that `--frontier` holds: a process's arguments are for all to read.

    They go into the environment, which is not, and from there into no process that this one starts.
    """
    for index, word in enumerate(sys.argv[1:], 1):
        option, equals, value = word.partition("=")
        if option != _OPTION or (not equals and index + 1 == len(sys.argv)):
            continue
        text = value if equals else sys.argv[index + 1]
        if text == _UNREADABLE:
            continue
        try:
            address = FrontierAddress.parse(text)
        except CensusError:
            # What is no address gets its error from the command; it may hold a secret all the same.
            shown = _UNREADABLE
        else:
            if not address.secrets:
                continue
            shown = address.url
        os.environ[ENVIRONMENT] = text
        arguments = [*sys.argv[:index], f"{_OPTION}={shown}", *sys.argv[index + (1 if equals else 2) :]]
        interpreter = sys.orig_argv[: len(sys.orig_argv) - len(sys.argv) + 1]
        os.execv(sys.executable, [*interpreter, *arguments[1:]])  # noqa: S606 -- this very program


def given_address(option: str | None) -> FrontierAddress | None:
    """The address of the option, with its secrets if the environment has them, or that of the environment alone."""
    of_environment = os.environ.pop(ENVIRONMENT, None)
    if option is None:
        return FrontierAddress.parse(of_environment) if of_environment else None
    address = FrontierAddress.parse((of_environment or option) if option == _UNREADABLE else option)
    if of_environment:
        secret = FrontierAddress.parse(of_environment)
        if secret.url == address.url:
            return secret
    return address
