"""The response headers that decide what a document may do."""

_HEADERS = frozenset(
    {
        "cf-mitigated", "content-disposition", "content-length", "content-security-policy", "content-type",
        "cross-origin-embedder-policy", "cross-origin-opener-policy", "etag", "last-modified", "location",
        "origin-agent-cluster", "origin-trial", "permissions-policy", "retry-after",
    }
)  # fmt: skip


def deciding_headers(headers: list[dict[str, str]]) -> dict[str, str]:
    """Those of a response's headers, lower-case names; one that came several times is joined as HTTP has it."""
    joined: dict[str, str] = {}
    for header in headers:
        name = header["name"].lower()
        if name in _HEADERS:
            joined[name] = (f"{joined[name]}, " if name in joined else "") + header["value"][:4000]
    return joined
