"""Arguments that several verbs share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.money import AMOUNT_WORDS, AmountError, parse_amount, plain_dollars
from upcard.rules import settings as rules_settings
from upcard.rules.load import assemble
from upcard.rules.sides import SIDES, sides_text

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables

Game = Annotated[
    str,
    typer.Argument(
        help="A game's id or name (see `upcard games`), in any case, or the path of a game file."
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set an option or a reading of the game; as often as needed. "
        f"Money in {AMOUNT_WORDS}.",
    ),
]
Sides = Annotated[
    list[str] | None,
    typer.Option(
        "--side",
        metavar="ID[=TABLE]",
        help="Offer a side wager that any game can have, such as 21+3 or 21+3=graded, or a file "
        "of your own; as often as needed.",
    ),
]
OnCluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Work on a dask cluster: tcp://HOST:PORT, or local:N to start N processes.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def amount_option(name: str, words: str) -> Any:
    """An option that is an amount of money."""
    return typer.Option(name, metavar="AMOUNT", parser=_amount, help=f"{words} In {AMOUNT_WORDS}.")


def _amount(text: str) -> int:
    """Cents. What is no amount at all is wrong usage; what is too much of one is refused."""
    try:
        return parse_amount(text)
    except AmountError as error:
        raise typer.BadParameter(str(error)) from None


def asked_settings(settings: Iterable[str] | None, sides: Iterable[str] | None) -> list[str]:
    """All --set and --side as settings."""
    found = list(settings or ())
    return [*found, f"{SIDES}={sides_text(sides)}"] if sides else found


def chosen_settings(game: str, texts: Iterable[str] | None) -> dict[str, str]:
    """The settings of all --set, in the form that the game takes."""
    return settings_in_cents(game, rules_settings.parse_settings(texts or ()))


def settings_in_cents(game: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Settings as people type them, with amounts of money in cents as games have them."""
    if not settings:
        return {}
    return rules_settings.settings_in_cents(assemble(game, {}).game, settings)


def typed_settings(tables: GameTables) -> Iterator[str]:
    """The settings of a game as they are typed behind --set."""
    for name, value in tables.settings.items():
        money = tables.rulebook.is_money(name)
        yield f"{name}={plain_dollars(int(value)) if money else value}"
