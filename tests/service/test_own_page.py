"""The page of one's own play, when it stays open for long."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import Request
from nicegui.client import Client
from nicegui.page import page

from upcard.service.accounts import Known
from upcard.service.api.who import Caller
from upcard.service.specs import HouseError, RoundInfo
from upcard.web.pages import me
from upcard.web.views import Views
from web.serving import Serving


def test_older_rounds_are_not_shown_after_signing_out(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = serving.house
    opened = serving.call(house.accounts.guest())
    known = Known(opened.account, opened.session, "cookie", opened.expires)
    scope: dict[str, Any] = {"type": "http", "app": serving.app}
    scope["state"] = {"caller": Caller(known, "192.0.2.1", by_cookie=True)}
    shown: list[me.Own] = []
    monkeypatch.setattr(me, "me_page", shown.append)

    async def look() -> None:
        with Client(page(""), request=None):
            await Views(serving.app.state.desk).me(Request(scope))

    async def results(*_: object, **__: object) -> list[RoundInfo]:
        return []

    serving.call(look())
    (own,) = shown

    async def older() -> me.Rounds:
        return await own.older(RoundInfo("t", 1, 1, 1, "", ""))

    monkeypatch.setattr(house, "results_of", results)
    assert serving.call(older()) == me.Rounds([], {})
    serving.call(house.accounts.sign_out(opened.session))
    with pytest.raises(HouseError, match="you have signed out"):
        serving.call(older())
