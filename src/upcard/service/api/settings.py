"""How a server is set up; the usual is a machine of one's own."""

from __future__ import annotations

import msgspec

COOKIE = "upcard_session"
LOOPBACK_HOSTS = ("localhost", "127.0.0.1", "[::1]")


class Settings(msgspec.Struct, frozen=True):
    """What the doors of the house need to know.

    `hosts` are the names under which the house may be asked for, any if there are none: a server on
    the loopback address answers to its own names only, so that no page elsewhere can make its name
    point here. Behind a proxy that speaks TLS cookies are `secure`, and addresses are those that
    the proxy tells. `origins` are pages elsewhere that may act for whoever looks at them.
    """

    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    secure: bool = False
    behind_proxy: bool = False
    rates: bool = True
