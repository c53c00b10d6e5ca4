"""The felt: a Vue component that is a client of the public WebSocket like any bot."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakSet

from nicegui import Client, app, ui
from nicegui import __version__ as nicegui_version
from nicegui.dependencies import esm_modules
from nicegui.element import Element

FOLDER = Path(__file__).parent
STYLES = ("felt.css", "controls.css", "panel.css")
STATIC = "/static/felt"
MODULES = "upcard-felt"


class Felt(Element, component="felt.js", esm={MODULES: "modules"}):
    """A table, live by its id; or one round of it, replayed from what was told."""

    def __init__(
        self,
        *,
        table: str,
        info: Mapping[str, Any],
        rules: Mapping[str, Any],
        told: Sequence[Mapping[str, Any]] | None = None,
        before: Sequence[Mapping[str, Any]] = (),
        shoe: Mapping[str, Any] | None = None,
        round: int = 0,  # noqa: A002 - the number of the round, as everywhere
        viewer: str = "",
        links: Mapping[str, str] | None = None,
        played: float = 0,
        closed_by: str = "",
    ) -> None:
        """`played` is the viewer's time at play today, in seconds."""
        super().__init__()
        self._props["table"] = table
        self._props["info"] = dict(info)
        self._props["rules"] = dict(rules)
        self._props["links"] = dict(links or {})
        self._props["playedBefore"] = played
        self._props["closedBy"] = closed_by
        if told is not None:
            self._props["told"] = list(told)
            self._props["before"] = list(before)
            self._props["shoe"] = dict(shoe) if shoe else None
            self._props["round"] = round
            self._props["viewer"] = viewer


class FeltPicture(Element, component="felt_picture.js"):
    """A small picture of a game's felt, drawn as the table draws it."""

    def __init__(self, info: Mapping[str, Any]) -> None:
        super().__init__()
        self._props["info"] = dict(info)


class FeltCard(Element, component="felt_card.js"):
    """A card as it lies on the felt."""

    def __init__(self, card: str, mark: str = "") -> None:
        super().__init__()
        self._props["card"] = card
        if mark:
            self._props["mark"] = mark


@cache
def _version() -> str:
    """A name of the styles as they are, so that a browser may keep them for long."""
    text = b"".join((FOLDER / "styles" / name).read_bytes() for name in STYLES)
    return hashlib.sha256(text).hexdigest()[:12]


_headed: WeakSet[Client] = WeakSet()
"""Pages that have it already."""


def felt_head() -> None:
    """What a page with a felt needs in its head: the styles, before the first paint."""
    client = ui.context.client
    if client in _headed:
        return
    _headed.add(client)
    _serve()
    for name in STYLES:
        ui.add_head_html(f'<link rel="stylesheet" href="{STATIC}/{name}?v={_version()}">')
    ui.add_head_html(_preloads())


@cache
def _preloads() -> str:
    """All modules at once: a browser that finds them one behind the other asks five times."""
    key = next((key for key, module in esm_modules.items() if module.name == MODULES), "")
    files = sorted(path.name for path in (FOLDER / "modules").glob("*.js")) if key else []
    folder = f"/_nicegui/{nicegui_version}/esm/{key}"
    return "".join(f'<link rel="modulepreload" href="{folder}/{name}">' for name in files)


@cache
def _serve() -> None:
    app.add_static_files(STATIC, FOLDER / "styles", max_cache_age=31_536_000)
