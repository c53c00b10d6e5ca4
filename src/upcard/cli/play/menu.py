"""The menu of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from upcard.cli.play import keys
from upcard.cli.play.home import data_folder
from upcard.cli.play.paint import Block, Paint, fitted
from upcard.cli.play.screen import QUIT_ONLY, is_too_small, show, too_small
from upcard.rules.load import assemble
from upcard.rules.registry import GAME_IDS
from upcard.rules.schema import offered_wagers
from upcard.rules.special import SPECIAL

if TYPE_CHECKING:
    from rich.console import Console

    from upcard.cli.play.keys import Keyboard
    from upcard.rules.load import RuleSet

ROOMY = 24
"""Lines from which every game's wagers are listed."""


def choose_game(console: Console, keyboard: Keyboard) -> str | None:
    """The id of the game that the person chooses, or None."""
    games = [assemble(game_id, {}) for game_id in GAME_IDS]
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


def _lines(paint: Paint, games: list[RuleSet], chosen: int, size: tuple[int, int]) -> Block:
    width, height = size
    colours, glyphs = paint.colours, paint.glyphs
    suits = " ".join(glyphs.suits.values())
    title = fitted(Text(f"  {suits}   Upcard: choose a game"), width)
    title.stylize(colours.bar)
    lines: Block = [title, Text()]
    for number, rules in enumerate(games):
        game = rules.game
        mark = glyphs.turn if number == chosen else " "
        head = Text(f" {mark} ", colours.key).append(f"{number + 1}  ", colours.key)
        head.append(game.name, colours.own if number == chosen else colours.strong)
        tables = data_folder() / "tables"
        if any((tables / f"{game.id}{end}").exists() for end in (".jsonl", ".toml")):
            head.append("   saved session", colours.good)
        side = [w.replace("-", " ") for w in offered_wagers(game) if w != "base"]
        words = f", and {', '.join(side)}" if side else ""
        special = Text(f"      {SPECIAL.get(game.id, game.source)}")
        wagers = Text(f"      wagers: the main wager{words}", colours.quiet)
        lines += [head, special] if height < ROOMY else [head, special, wagers]
    pairs = ((f"1-{len(games)}", "or Enter: sit down"), ("up down", "choose"), ("q", "quit"))
    keys_line = Text(" ").append_text(Text("   ").join(paint.keys(pairs)))
    more = "  Settings: upcard play GAME --set NAME=VALUE; upcard rules GAME lists them."
    return [*lines, Text(), keys_line, fitted(Text(more, colours.quiet), width)]
