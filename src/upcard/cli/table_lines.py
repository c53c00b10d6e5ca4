"""A compact picture of a table in plain lines, from what its viewer may see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from upcard.money import format_cents
from upcard.text import listed

if TYPE_CHECKING:
    from upcard.table.state import SideBet, Stake
    from upcard.table.view import BoxSeen, HandSeen, View

ENDED_WORDS = {"bust": "over", "dead": "dead hand"}
"""How a hand ended, where the id of it is not the word that people use."""


def table_lines(seen: View) -> Iterator[str]:
    """The dealer, everybody's hands and wagers, and who has what."""
    yield from _dealer(seen)
    if seen.boxes:
        for box in seen.boxes:
            yield from _box(seen, box)
    else:
        yield from _wagers(seen)
    yield from _bank(seen)
    yield from _people(seen)
    shoe = seen.shoe
    if shoe.left:
        cut = ", cut card out" if shoe.cut_reached else ""
        yield f"Shoe {shoe.number}: cards left: {shoe.left}{cut}"
    if seen.question is not None:
        asked = seen.question
        answers = listed(answer.action for answer in asked.answers)
        yield f"{asked.player} at seat {asked.position} is asked: {answers}"


def _dealer(seen: View) -> Iterator[str]:
    dealer = seen.dealer
    if dealer.cards or dealer.down:
        total = f"  {dealer.total}" if dealer.total else ""
        yield f"Dealer    {_cards((*dealer.cards, *dealer.down))}{total}"
    if seen.community:
        yield f"Middle    {_cards(seen.community)}"


def _box(seen: View, box: BoxSeen) -> Iterator[str]:
    asked = seen.question
    for number, hand in enumerate(box.hands):
        is_asked = asked is not None and (asked.position, asked.hand) == (box.position, number)
        label = f"Seat {box.position}" if number == 0 else ""
        mark = ">" if is_asked else " "
        name = box.player if number == 0 and box.player != f"seat {box.position}" else ""
        yield f"{label:8}{mark} {name:10} {_hand(hand)}"
    if any(box.down):
        yield f"{'':21}face down {_cards(box.down)}"
    for side in box.sides:
        yield f"{'':21}{side.player}'s {side.wager} {format_cents(side.amount)}{_result(side)}"


def _hand(hand: HandSeen) -> str:
    total = f"{'soft ' if hand.soft else ''}{hand.total}"
    if hand.natural:
        total += " natural"
    stakes = ", ".join(
        f"{'' if place == 0 else f'{stake.player} '}{format_cents(stake.total)}{_result(stake)}"
        for place, stake in enumerate(hand.stakes)
    )
    ended = f"  {ENDED_WORDS.get(hand.ended, hand.ended)}" if hand.ended else ""
    return f"{_cards(hand.cards)}  {total}  {stakes}{ended}"


def _result(bet: Stake | SideBet) -> str:
    settled = bet.settled
    if settled is None:
        return ""
    change = settled.won - settled.collected
    sign = "+" if change > 0 else ""
    return f" {settled.result} {sign}{format_cents(change)}" if change else f" {settled.result}"


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(filter(None, cards)) or "no cards"


def _wagers(seen: View) -> Iterator[str]:
    for bet in seen.bets:
        wagers = ", ".join(f"{name} {format_cents(cents)}" for name, cents in bet.wagers.items())
        yield f"Seat {bet.position}    {bet.player}: {wagers}"


def _bank(seen: View) -> Iterator[str]:
    if seen.bank is not None:
        bank = seen.bank
        yield (
            f"Bank      {bank.player} at seat {bank.seat}, turn {bank.turn} of {bank.turns}: "
            f"{format_cents(bank.amount)}, net {format_cents(bank.net)}"
        )
    if seen.offer is not None:
        yield f"Bank      offered to {seen.offer.player} at seat {seen.offer.seat}"


def _people(seen: View) -> Iterator[str]:
    people = ", ".join(
        player.name + (f" {format_cents(player.chips)}" if player.chips is not None else "")
        for player in seen.players
    )
    if people:
        yield f"Players   {people}"
    lights = ", ".join(f"{lights.player} {lights.lit} of {lights.of}" for lights in seen.lights)
    if lights:
        yield f"Lights    {lights}"
