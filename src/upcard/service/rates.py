"""How often something may be asked: a bucket for everybody, which fills up as time goes by.

Buckets are in memory, and there are never more than `most`: the one that was not used for longest
makes room. Addresses of IPv6 count by their network, for one machine has very many.
"""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from upcard.service.specs import HouseError

What = Literal[
    "requests",
    "sign-in",
    "guests",
    "accounts",
    "sockets",
    "commands",
    "tables",
    "work",
    "steps",
    "refill",
]


class Rate(NamedTuple):
    """So many at once, and then so many in a second."""

    burst: float
    each_second: float


RATES: Mapping[What, Rate] = {
    "requests": Rate(200, 30),
    "sign-in": Rate(15, 0.1),
    "guests": Rate(40, 0.2),
    "accounts": Rate(10, 0.02),
    "sockets": Rate(60, 2),
    "commands": Rate(60, 20),
    "tables": Rate(12, 1 / 60),
    "work": Rate(12, 0.2),
    "steps": Rate(60, 2),
    "refill": Rate(3, 1 / 600),
}
"""`work` is what takes seconds of a core, or reads a whole record, such as checking one; `steps`
take a moment, as do a hand of a drill or another choice for a new table.
"""

REPLAY = 0.25
"""Of `work`, to see a round again: somebody may look through many of them."""

WORDS: Mapping[What, str] = {
    "requests": "too many requests",
    "sign-in": "too many tries to sign in",
    "guests": "too many new guests from this address",
    "accounts": "too many new accounts from this address",
    "sockets": "too many lines opened",
    "commands": "too many commands",
    "tables": "too many new tables",
    "work": "too many checks",
    "steps": "too much at once",
    "refill": "your purse was filled up a moment ago",
}
MOST = 50_000


class Rates:
    """The buckets of one server.

    >>> now = 0.0
    >>> rates = Rates({"sign-in": Rate(1, 0.5)}, clock=lambda: now)
    >>> rates.wait("sign-in", "Ann"), rates.wait("sign-in", "Ann"), rates.wait("sign-in", "Bo")
    (0.0, 2.0, 0.0)
    """

    def __init__(
        self,
        rates: Mapping[What, Rate] = RATES,
        *,
        clock: Callable[[], float] = time.monotonic,
        most: int = MOST,
    ) -> None:
        self.rates = rates
        self.clock = clock
        self.most = most
        self._buckets: OrderedDict[tuple[What, str], tuple[float, float]] = OrderedDict()

    def wait(self, what: What, who: str, cost: float = 1.0) -> float:
        """Take from a bucket; 0 if there was enough in it, else the seconds until there is."""
        rate = self.rates.get(what)
        if rate is None:
            return 0.0
        now, key = self.clock(), (what, who)
        left, then = self._buckets.pop(key, (rate.burst, now))
        left = min(rate.burst, left + (now - then) * rate.each_second)
        enough = left >= cost
        self._buckets[key] = (left - cost if enough else left, now)
        while len(self._buckets) > self.most:
            self._buckets.popitem(last=False)
        return 0.0 if enough else (cost - left) / rate.each_second

    def need(self, what: What, *whose: str, cost: float = 1.0) -> None:
        """Take from everybody's bucket who is named, or refuse; an empty name counts for nobody."""
        for who in whose:
            if who and (seconds := self.wait(what, who, cost)):
                raise TooOftenError(f"{WORDS[what]}: try again in {_shown(seconds)}", seconds)

    def __len__(self) -> int:
        return len(self._buckets)


class TooOftenError(HouseError):
    """Somebody asks too often; `seconds` says when to come back."""

    def __init__(self, words: str, seconds: float) -> None:
        super().__init__(words, "limit")
        self.seconds = seconds


def _shown(seconds: float) -> str:
    whole = max(1, int(seconds + 0.999))
    if whole < 100:
        return "a second" if whole == 1 else f"{whole} seconds"
    return f"{-(-whole // 60)} minutes"


def address_key(address: str) -> str:
    """Whom an address counts for.

    >>> address_key("192.0.2.7"), address_key("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '2001:db8:1:2::/64')
    """
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is not None:
            return str(known.ipv4_mapped)
        return str(ipaddress.ip_network((known, 64), strict=False))
    return address


def is_own(address: str) -> bool:
    """Whether an address is this machine's own."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = known.ipv4_mapped if isinstance(known, ipaddress.IPv6Address) else None
    return (mapped or known).is_loopback
