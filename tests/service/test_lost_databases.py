"""A PostgreSQL whose machine vanishes without a word is given up after seconds, not minutes."""

from __future__ import annotations

import threading
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from upcard.service.specs import HouseError
from upcard.service.store import Store

URL = "postgresql+psycopg://somebody@192.0.2.1/house"
LONGEST = 60
"""Seconds until a connection that is dead is known to be."""


class NobodyError(psycopg.OperationalError):
    """There is no database in this test."""


def _need_given_up(options: dict[str, Any]) -> None:
    known: dict[str, Any] = conninfo_to_dict(make_conninfo("", **options))  # it knows them all
    assert int(known["connect_timeout"]) <= LONGEST
    assert known["keepalives"] == "1"
    silent = int(known["keepalives_interval"]) * int(known["keepalives_count"])
    assert 0 < int(known["keepalives_idle"]) + silent <= LONGEST
    assert 0 < int(known["tcp_user_timeout"]) <= 1000 * LONGEST


def test_connections_of_the_pool() -> None:
    store = Store(URL)
    used: list[dict[str, Any]] = []

    def connect(_dialect: Any, _record: Any, _args: Any, options: dict[str, Any]) -> None:
        used.append({name: value for name, value in options.items() if name != "context"})
        raise NobodyError

    sa.event.listen(store.engine, "do_connect", connect)
    with pytest.raises(HouseError, match="does not answer"):
        store.read_now(lambda connection: connection.execute(sa.text("SELECT 1")))
    store.close()
    (options,) = used
    assert (options["host"], options["dbname"]) == ("192.0.2.1", "house")
    _need_given_up(options)


def test_the_connection_that_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[dict[str, Any]] = []
    asked = threading.Event()

    def connect(_address: str, *, autocommit: bool, **options: Any) -> None:
        assert autocommit
        used.append(options)
        asked.set()
        raise NobodyError

    monkeypatch.setattr(psycopg, "connect", connect)
    store = Store(URL)
    store.listen(lambda _: None, lambda: None)
    assert asked.wait(60)
    store.close()
    _need_given_up(used[0])
