"""`upcard games`: the games there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from upcard.cli.arguments import Json
from upcard.cli.output import console, print_json
from upcard.errors import UpcardError
from upcard.pages.page import indented
from upcard.rules.draft import draft_words
from upcard.rules.head import when_and_where
from upcard.rules.load import RuleSet, assemble, load_game
from upcard.rules.registry import GAME_IDS, known_ids, own_games
from upcard.rules.schema import offered_wagers


def games(json: Json = False) -> None:
    """List the games with their wagers and sources, and what is wrong with files of folders.

    Example: upcard games --games examples
    """
    found = list(_listed())
    if json:
        print_json([_data(one) if isinstance(one, RuleSet) else one for one in found])
        return
    from rich.text import Text

    out = console()
    for one in found:
        if isinstance(one, RuleSet):
            _show(one, out)
        else:
            out.print(Text.assemble((one["file"], "bold"), ("  cannot be used", "red")))
            for problem in one["problems"]:
                out.print(indented(Text(problem, "red"), 2))
    out.print()
    out.print(Text("What to do next", "bold"))
    for command, purpose in (
        ("upcard play twisted-21", "play it, with bots on the other seats"),
        ("upcard rules twisted-21", "read its rules, each with its clause"),
        ("upcard rules blackjack --set decks=2", "the same with an option changed"),
        ("upcard new my-game", "write a game file of your own to begin with"),
        ("upcard check my-game.toml", "check a game file of your own"),
        ("upcard round examples/eight-eight-eight.toml", "play a scripted round"),
        ("upcard fees lint", "defects in the printed fee schedules"),
        ("upcard --help", "everything else"),
    ):
        out.print(f"  {command:46} {purpose}")


def _listed() -> Iterator[RuleSet | dict[str, Any]]:
    """The games, then the files of folders that cannot be used."""
    broken = [_broken(str(game.file), (game.problem,)) for game in own_games() if game.problem]
    for game_id in known_ids():
        if game_id in GAME_IDS:
            # The tests check the packaged games; checking them here again would only take time.
            yield assemble(game_id, {})
            continue
        try:
            yield load_game(game_id)
        except UpcardError as error:
            broken.append(_broken(_file(game_id), error.sentences))
    yield from broken


def _file(game_id: str) -> str:
    return next(str(game.file) for game in own_games() if game.id == game_id)


def _broken(file: str, problems: tuple[str, ...]) -> dict[str, Any]:
    return {"file": file, "problems": problems}


def _data(rules: RuleSet) -> dict[str, Any]:
    game = rules.game
    return {
        "id": game.id,
        "version": game.version,
        "name": game.name,
        "summary": game.summary,
        "fingerprint": rules.fingerprint,
        "wagers": offered_wagers(game),
        "source": game.source,
        "jurisdiction": game.jurisdiction,
        "effective": game.effective,
        "until": game.until,
        "draft": draft_words(rules.unsourced) if game.draft else "",
        "file": None if game.id in GAME_IDS else rules.file,
    }


def _show(rules: RuleSet, out: Any) -> None:
    from rich.text import Text

    game = rules.game
    out.print(Text.assemble((game.name, "bold"), f"  {game.ref}"))
    if game.draft:
        out.print(indented(Text(draft_words(rules.unsourced), "yellow"), 2))
    out.print(indented(Text(game.source, "dim"), 2))
    if when_and_where(game):
        out.print(indented(Text(when_and_where(game), "dim"), 2))
    out.print(indented(Text(f"wagers: {', '.join(offered_wagers(game))}"), 2))
