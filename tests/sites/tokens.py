"""Origin-trial tokens: made here, with a key of our own or with a signature that is none, and real ones.

A token is base64 of a version byte, an Ed25519 signature of 64 bytes, a length of four and JSON; signed are the
version, the length and the JSON (measured: a browser that is told the key takes such a token).
"""

import base64
import json

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_KEY = Ed25519PrivateKey.from_private_bytes(b"webmcp-census, a key of no worth")
OWN_KEY = (
    "--origin-trial-public-key="
    + base64.b64encode(_KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()
)
"""The switch of a browser that takes our key for the one which signs trial tokens, instead of its vendor's."""

FAR = 2_000_000_000
PAST = 1_700_000_000


def token(origin: str = "https://example.org:443", feature: str = "WebMCP", *, version: int = 3) -> str:
    """A token in the right format with a signature that is none."""
    payload = json.dumps({"origin": origin, "feature": feature, "expiry": FAR}).encode()
    return _packed(version, b"\x01" * 64, payload)


def signed(origin: str, feature: str = "WebMCP", *, expiry: int = FAR, **flags: bool) -> str:
    """A token that is right for a browser with `OWN_KEY`; `flags` are `isSubdomain` and `isThirdParty`."""
    payload = json.dumps({"origin": origin, "feature": feature, "expiry": expiry, **flags}).encode()
    return _packed(3, _KEY.sign(bytes([3]) + len(payload).to_bytes(4, "big") + payload), payload)


def altered(text: str) -> str:
    """The token with a later expiry and the signature that it had."""
    whole = base64.b64decode(text)
    payload = json.dumps(json.loads(whole[69:]) | {"expiry": FAR + 1}).encode()
    return _packed(whole[0], whole[1:65], payload)


def _packed(version: int, signature: bytes, payload: bytes) -> str:
    return base64.b64encode(bytes([version]) + signature + len(payload).to_bytes(4, "big") + payload).decode()
