"""The menu of games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.play import keys
from upcard.cli.play.home import data_folder
from upcard.cli.play.paint import Block, Paint, fitted
from upcard.cli.play.screen import QUIT_ONLY, is_too_small, show, too_small
from upcard.errors import UpcardError
from upcard.rules.load import assemble, load_game
from upcard.rules.registry import GAME_IDS, known_ids
from upcard.rules.schema import offered_wagers

if TYPE_CHECKING:
    from rich.console import Console

    from upcard.cli.play.keys import Keyboard
    from upcard.rules.load import RuleSet

ROOMY = 24
"""Lines from which every game's wagers are listed."""
OTHER_LINES = 6
"""Lines of the menu that list no game."""


def choose_game(console: Console, keyboard: Keyboard) -> str | None:
    """The id of the game that the person chooses, or None."""
    games = list(_games())
    chosen = 0
    paint = Paint(console)
    while True:
        size = (console.width, console.height)
        hidden = is_too_small(size)
        lines = too_small(paint, size, QUIT_ONLY) if hidden else _lines(paint, games, chosen, size)
        show(console, lines, paint.colours.felt)
        key = keyboard.read()
        if key in ("q", keys.ESCAPE, keys.INTERRUPT):
            return None
        if hidden or is_too_small((console.width, console.height)):
            continue
        if key in (keys.UP, keys.DOWN):
            chosen = (chosen + (1 if key == keys.DOWN else -1)) % len(games)
        elif key.isdecimal() and 1 <= int(key) <= len(games):
            return games[int(key) - 1].game.id
        elif key == keys.ENTER:
            return games[chosen].game.id


def _games() -> Iterator[RuleSet]:
    """The games there are; a file of a folder that cannot be used is for `upcard games` to tell."""
    for game_id in known_ids():
        with suppress(UpcardError):
            yield assemble(game_id, {}) if game_id in GAME_IDS else load_game(game_id)


def _lines(paint: Paint, games: list[RuleSet], chosen: int, size: tuple[int, int]) -> Block:
    width, height = size
    colours, glyphs = paint.colours, paint.glyphs
    suits = " ".join(glyphs.suits.values())
    title = fitted(Text(f"  {suits}   Upcard: choose a game"), width)
    title.stylize(colours.bar)
    lines: Block = [title, Text()]
    each = 2 if height < ROOMY else 3
    room = max(1, (height - OTHER_LINES) // each)
    first = max(0, min(chosen - room // 2, len(games) - room))
    for number, rules in list(enumerate(games))[first : first + room]:
        game = rules.game
        mark = glyphs.turn if number == chosen else " "
        head = Text(f" {mark} ", colours.key).append(f"{number + 1}  ", colours.key)
        name = f"{game.name} (DRAFT)" if game.draft else game.name
        head.append(name, colours.own if number == chosen else colours.strong)
        tables = data_folder() / "tables"
        if any((tables / f"{game.id}{end}").exists() for end in (".jsonl", ".toml")):
            head.append("   saved session", colours.good)
        side = [w.replace("-", " ") for w in offered_wagers(game) if w != "base"]
        words = f", and {', '.join(side)}" if side else ""
        special = Text(f"      {game.summary or game.source}")
        wagers = Text(f"      wagers: the main wager{words}", colours.quiet)
        lines += [head, special, wagers][:each]
    if room < len(games):
        lines.append(Text(f"      {first + 1} to {first + room} of {len(games)}", colours.quiet))
    digits = f"1-{min(len(games), 9)}"
    pairs = ((digits, "or Enter: sit down"), ("up down", "choose"), ("q", "quit"))
    keys_line = Text(" ").append_text(Text("   ").join(paint.keys(pairs)))
    more = "  Settings: upcard play GAME --set NAME=VALUE; upcard rules GAME lists them."
    return [*lines, Text(), keys_line, fitted(Text(more, colours.quiet), width)]
