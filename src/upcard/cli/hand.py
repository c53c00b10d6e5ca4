"""`upcard hand`: what every legal action is worth for one hand."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from upcard.cards import CARDS_WORDS, Card, read_cards
from upcard.cli.arguments import Game, Json, Settings, Sides, asked_settings, chosen_settings
from upcard.cli.output import console, print_json
from upcard.cli.solving import (
    Bet,
    SplitMode,
    Splits,
    With,
    identity,
    parse_ratios,
    plain,
    progress,
)
from upcard.compile.shows import OVER, cards_shown, shows_of
from upcard.compile.typed_cards import physical
from upcard.errors import UpcardError
from upcard.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from upcard.compile.tables import GameTables
    from upcard.solve.advice import Advice


BETWEEN = "/"
"""Between the cards of two boxes."""
BOTH = ("first", "second")


def hand(
    game: Game,
    *,
    settings: Settings = None,
    side: Sides = None,
    cards: Annotated[
        str,
        typer.Option(
            "--cards",
            metavar="CARDS",
            help=f"The hand in order: {CARDS_WORDS}; two boxes that may exchange cards with / "
            "between them.",
        ),
    ],
    up: Annotated[
        str,
        typer.Option(
            "--up",
            metavar="CARD",
            help="The dealer's up card, such as 9h or 9; both cards where both lie face up, such "
            'as "T 6"; "9 over 2-6" where it is told what the down card is.',
        ),
    ],
    removed: Annotated[
        str | None,
        typer.Option("--removed", metavar="CARDS", help="Other cards known to be out of the shoe."),
    ] = None,
    doubles: Annotated[
        int, typer.Option("--doubles", metavar="N", help="How often the hand was doubled.")
    ] = 0,
    checked: Annotated[
        bool,
        typer.Option("--checked", help="The dealer has looked for a natural and has none."),
    ] = False,
    bet: Bet = None,
    with_: With = None,
    split_mode: Splits = SplitMode.cdp,
    json: Json = False,
) -> None:
    """Price every legal action of a hand against an up card, the best first.

    Example: upcard hand blackjack --cards "Ts 6d" --up 9h
    """
    from upcard.compile.tables import tables_for
    from upcard.solve.advice import advise
    from upcard.solve.advice_page import show_advice

    tables = tables_for(game, chosen_settings(game, asked_settings(settings, side)))
    if BETWEEN in cards:
        if with_ or doubles:
            raise UpcardError("for two boxes leave --with and --doubles out")
        _two_boxes(tables, cards, up, removed or "", bet, split_mode, json=json)
        return
    face_up, told_of_down = cards_shown(tables, up)
    typed = [read_cards(text) for text in (cards, str(face_up), removed or "")]
    if not typed[0]:
        raise UpcardError('--cards is empty: give the hand, such as --cards "Ts 6d"')
    if not tables.dealer.shown.face_up and len(typed[1]) != 1:
        raise UpcardError(f"--up is one card, not {len(typed[1])}")
    shoe = iter(physical(tables, [card for part in typed for card in part]))
    own, above, gone = (tuple(islice(shoe, len(part))) for part in typed)
    shows_of(tables, above, told_of_down)
    ratios = parse_ratios(with_ or (), tables)
    _check_hand(tables, own, doubles)
    with progress() as told:
        advice = advise(
            tables,
            cards,
            up,
            removed=removed or "",
            ratios=ratios,
            bet=bet,
            doubles=doubles,
            checked=checked,
            mode=split_mode.value,
            progress=told,
        )
    if json:
        print_json(plain(_data(advice, gone)))
    else:
        words = [" ".join(map(str, part)) for part in typed]
        words[1] += f"{OVER}{told_of_down}" if told_of_down else ""
        show_advice(advice, console(), words)


def _two_boxes(
    tables: GameTables,
    cards: str,
    up: str,
    removed: str,
    bet: int | None,
    split_mode: SplitMode,
    *,
    json: bool,
) -> None:
    """Both boxes of a player before their cards are exchanged."""
    from upcard.solve.exchange_advice import advise_exchange

    parts = cards.split(BETWEEN)
    if len(parts) != len(BOTH):
        raise UpcardError(
            f'two boxes are written with one "{BETWEEN}" between them, such as "Ts 6d / 5h Tc"'
        )
    advice = advise_exchange(
        tables, parts[0], parts[1], up, removed=removed, bet=bet, mode=split_mode.value
    )
    if not json:
        advice.show(console())
        return
    print_json(
        plain(
            {
                **identity(tables),
                "boxes": [[str(card) for card in box] for box in advice.dealt],
                "up": str(advice.up),
                "removed": [str(card) for card in advice.removed],
                "actions": {action.text: value for action, value in advice.actions.items()},
                "best": advice.best.text,
                "after": {
                    action.text: [
                        {"cards": [*map(str, box.cards)], "ev": box.ev, "best": box.best.text}
                        for box in boxes
                    ]
                    for action, boxes in advice.boxes.items()
                },
                "natural": advice.natural,
                "split_mode": advice.mode,
                "bet": advice.bet,
            }
        )
    )


def _check_hand(tables: GameTables, cards: Sequence[Card], doubles: int) -> None:
    """Refuse hands that nobody can hold and still play."""
    fewest = tables.round_plan.first_cards + doubles
    if doubles > 0 and len(cards) < fewest:
        least = counted(fewest, "card")
        raise UpcardError(
            f"a hand doubled {counted(doubles, 'time')} has at least {least}, not {len(cards)}"
        )
    hands = tables.hands
    state = hands.start
    for number, card in enumerate(cards, 1):
        symbol = tables.alphabet.symbol(card)
        while hands.next[state, symbol] < 0 <= hands.keep[state]:
            state = int(hands.keep[state])
        if symbol < 0 or hands.next[state, symbol] < 0:
            return
        state = int(hands.next[state, symbol])
        if hands.bust[state]:
            ranks = " ".join(card.rank for card in cards[:number])
            raise UpcardError(f"{ranks} is over: the hand has ended")


def _data(advice: Advice, removed: Sequence[Card]) -> dict[str, Any]:
    return {
        **identity(advice.tables),
        "cards": [str(card) for card in advice.cards],
        "up": str(advice.shows),
        "removed": [str(card) for card in removed],
        "actions": {action.text: value for action, value in advice.actions.items()},
        "best": advice.best.text,
        "before_check": bool(advice.before_check),
        "natural": advice.natural,
        "insurance": advice.insurance,
        "split_mode": advice.mode,
        "bet": advice.bet,
        "doubles": advice.doubles,
        "with": dict(advice.ratios),
        "light": advice.light,
    }
