"""`upcard games`: the games there are."""

from __future__ import annotations

from upcard.cli.arguments import Json
from upcard.cli.output import console, print_json
from upcard.pages.page import indented
from upcard.rules.load import assemble
from upcard.rules.registry import GAME_IDS
from upcard.rules.schema import offered_wagers


def games(json: Json = False) -> None:
    """List the games with their wagers and sources."""
    # The tests check the packaged games; checking them here again would only take time.
    found = [assemble(game_id, {}) for game_id in GAME_IDS]
    if json:
        print_json(
            [
                {
                    "id": rules.game.id,
                    "version": rules.game.version,
                    "name": rules.game.name,
                    "fingerprint": rules.fingerprint,
                    "wagers": offered_wagers(rules.game),
                    "source": rules.game.source,
                }
                for rules in found
            ]
        )
        return
    from rich.text import Text

    out = console()
    for rules in found:
        game = rules.game
        out.print(Text.assemble((game.name, "bold"), f"  {game.id}@{game.version}"))
        out.print(indented(Text(game.source, "dim"), 2))
        wagers = ", ".join(offered_wagers(game))
        out.print(indented(Text(f"wagers: {wagers}"), 2))
    out.print()
    out.print(Text("What to do next", "bold"))
    for command, purpose in (
        ("upcard play twisted-21", "play it, with bots on the other seats"),
        ("upcard rules twisted-21", "read its rules, each with its clause"),
        ("upcard rules blackjack --set decks=2", "the same with an option changed"),
        ("upcard check my-game.toml", "check a game file of your own"),
        ("upcard round examples/eight-eight-eight.toml", "play a scripted round"),
        ("upcard fees lint", "defects in the printed fee schedules"),
        ("upcard --help", "everything else"),
    ):
        out.print(f"  {command:46} {purpose}")
