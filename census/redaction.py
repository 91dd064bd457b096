"""What no release may hold: addresses of persons, credentials in URLs, tokens. Found, replaced and counted here.

Kinds and their shapes (the vendors' own prefixes; a general measure of randomness would take ids for secrets):

- `user_info`: what stands before `@` in a URL's authority (RFC 3986, 3.2.1). It is taken out.
- `e_mail`: an address whose domain ends in a known public suffix, also with `%40`; `logo@2x.png` is none.
- `secret`: a private key's block, a JSON Web Token, a token with a known prefix, and the value (of 8 characters or
  more) of a URL parameter that is named as a credential.
"""

import json
import re
from collections import Counter
from collections.abc import Callable

from pydantic import JsonValue

from census.canonical_json import canonical_json
from census.site import registrable_domain

USER_INFO, E_MAIL, SECRET = "user_info", "e_mail", "secret"
KINDS = (USER_INFO, E_MAIL, SECRET)

_USER_INFO = re.compile(r"(\b[a-z][a-z0-9+.-]*://)[^\s/?#\"'<>\\]*@", re.IGNORECASE)
_E_MAIL = re.compile(r"(?<![\w.%+-])[\w.%+-]*[\w+-](?:@|%40)((?:[\w-]+\.)+[\w-]*\w)", re.IGNORECASE)
_PREFIXED = (
    r"(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[0-9A-Z]{16}",
    r"AIza[0-9A-Za-z_-]{35}",
    r"(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9_]{36,}",
    r"github_pat_[A-Za-z0-9_]{60,}",
    r"(?:glpat|gldt|glft|glsoat|glrt)-[A-Za-z0-9_-]{20,}",
    r"xox[abeoprs]-(?:\d+-)+[A-Za-z0-9-]+",
    r"(?:sk|rk)_live_[0-9A-Za-z]{24,}",
    r"sk-(?:ant-|proj-|svcacct-)[A-Za-z0-9_-]{20,}",
    r"sk-[A-Za-z0-9_-]*[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}",
    r"hf_[A-Za-z0-9]{30,}",
    r"npm_[A-Za-z0-9]{36}",
    r"pypi-Ag[A-Za-z0-9_-]{70,}",
    r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
    r"eyJ[A-Za-z0-9_=-]{8,}\.eyJ[A-Za-z0-9_=-]{8,}(?:\.[A-Za-z0-9_=.+/-]*)?",
)
_SECRET = re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(_PREFIXED)})")
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
_PARAMETER = re.compile(
    r"([?&#;](?:(?:access|auth|id|refresh|csrf|session|x-amz-security)[_-]?token|token|api[_-]?key|key|client[_-]?secret"
    r"|secret|sig|signature|x-(?:amz|goog)-(?:signature|credential)|password|passwd|pwd|session(?:[_-]?id)?|sid|auth|jwt)=)"
    r"(?!\[secret\])[^&#;\s\"'<>\\]{8,}",
    re.IGNORECASE,
)

SIGNS: list[str] = [
    "@", "%40", "private key", "eyj", "akia", "asia", "abia", "acca", "a3t", "aiza", "ghp_", "gho_", "ghu_", "ghs_",
    "ghr_", "github_pat_", "glpat-", "gldt-", "glft-", "glsoat-", "glrt-", "xox", "_live_", "sk-", "hf_", "npm_",
    "pypi-ag", "sg.", "token=", "key=", "secret=", "sig=", "signature=", "credential=", "password=", "passwd=", "pwd=",
    "session=", "sessionid=", "session_id=", "session-id=", "sid=", "auth=", "jwt=",
]  # fmt: skip
"""In lower case: a text without any of these has nothing to redact, so only the others are looked at closely."""


def redact_text(text: str, found: Counter[str]) -> str:
    """Return the text without what no release may hold, and count in `found` what was replaced, by kind.

    Redacting a redacted text changes nothing: what is taken out may have stood before something else.
    """
    while (redacted := _redact_once(text, found)) != text:
        text = redacted
    return text


def _redact_once(text: str, found: Counter[str]) -> str:
    text = _counted(_USER_INFO, r"\1", USER_INFO, text, found)
    text = _E_MAIL.sub(lambda match: _address(match, found), text)
    text = _counted(_PRIVATE_KEY, "[secret]", SECRET, text, found)
    text = _counted(_PARAMETER, r"\1[secret]", SECRET, text, found)
    return _counted(_SECRET, "[secret]", SECRET, text, found)


def redact_json(text: str, found: Counter[str]) -> str:
    """Do the same to each key and string of a JSON text, and return it in canonical form."""
    redacted = canonical_json(_each(json.loads(text), lambda part: redact_text(part, found)))
    return "null" if redacted is None else redacted


def redact_value(value: JsonValue, found: Counter[str]) -> JsonValue:
    """Do the same to each key and string inside a value."""
    return _each(value, lambda part: redact_text(part, found))


def _each(value: JsonValue, change: Callable[[str], str]) -> JsonValue:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_each(part, change) for part in value]
    if isinstance(value, dict):
        return {change(key): _each(part, change) for key, part in value.items()}
    return value


def _counted(pattern: re.Pattern[str], replacement: str, kind: str, text: str, found: Counter[str]) -> str:
    redacted, times = pattern.subn(replacement, text)
    if times:
        found[kind] += times
    return redacted


def _address(match: re.Match[str], found: Counter[str]) -> str:
    if not registrable_domain(match[1]):
        return match[0]
    found[E_MAIL] += 1
    return "[e-mail]"
