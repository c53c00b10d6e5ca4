"""Where a request comes from: a page of the house, a page elsewhere, or no page at all."""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers

SAFE = ("GET", "HEAD", "OPTIONS")
PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def is_from_elsewhere(headers: Headers, scheme: str, others: Collection[str] = ()) -> bool:
    """Whether a browser says that a page of another site sent this."""
    origin = headers.get("origin")
    if origin is not None:
        return origin not in others and not _is_same(origin, headers.get("host", ""), scheme)
    return headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")


def is_from_here(headers: Headers, scheme: str, others: Collection[str] = ()) -> bool:
    """Whether it is shown that a page of the house sent this; silence shows nothing."""
    if headers.get("origin") is None and headers.get("sec-fetch-site") is None:
        return False
    return not is_from_elsewhere(headers, scheme, others)


def _is_same(origin: str, host: str, scheme: str) -> bool:
    """Whether an origin is that of the host which is asked, by the same scheme."""
    try:
        asked, page = urlsplit(f"//{host}"), urlsplit(origin)
        ports = [
            page.port or PORTS.get(page.scheme, 0),
            asked.port or PORTS.get(scheme, 0),
        ]
    except ValueError:
        return False
    plain = {"ws": "http", "wss": "https"}
    same_scheme = page.scheme == plain.get(scheme, scheme)
    return same_scheme and page.hostname == asked.hostname and ports[0] == ports[1]


def is_host(host: str, known: Collection[str]) -> bool:
    """Whether a host, with or without a port, is among those known; all are if none is.

    >>> is_host("localhost:8421", ["localhost"]), is_host("evil.example", ["localhost"])
    (True, False)
    """
    if not known:
        return True
    bare = host[: host.rindex("]") + 1] if host.startswith("[") else host.partition(":")[0]
    return bare.lower() in known
