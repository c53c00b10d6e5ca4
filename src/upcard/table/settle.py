"""What a wager wins or loses, and how far a limited bank can pay and collect it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from upcard.compile.observers import (
    LOSES,
    NO_ROW,
    MatchObserver,
    PokerObserver,
    ShowdownObserver,
)
from upcard.money import rounded
from upcard.table.events import Result, WagerSettled
from upcard.table.lookup import BASE, Lookup
from upcard.table.state import Bank, Box, Hand, Round, SideBet, Stake, TableState


def player_class(look: Lookup, hand: Hand) -> int:
    """What a hand ended as."""
    if hand.ended in ("surrendered", "rescued"):
        return look.tables.class_index[hand.ended]
    return look.player_class[hand.state]


def dealer_class(look: Lookup, here: Round) -> int:
    """What the dealer's hand ended as; any class that is possible if nothing depends on it."""
    final = look.final[here.dealer.state]
    return final if final >= 0 else look.any_class[up_symbol(look, here)]


def up_symbol(look: Lookup, here: Round) -> int:
    return look.symbol[here.dealer.cards[0]]


class Claim(NamedTuple):
    """A wager of one bettor that is to be settled."""

    position: int
    hand: int
    player: str
    wager: str
    staked: int


class Due(NamedTuple):
    """What a claim is worth before rounding, and how it came to that."""

    net: Fraction
    result: Result
    why: str = ""
    flat: bool = False


def settle_stake(
    look: Lookup, state: TableState, box: Box, number: int, stake: Stake
) -> WagerSettled:
    """The base wager of one bettor on one hand."""
    here = state.round
    assert here is not None
    claim = Claim(box.position, number, stake.player, BASE, stake.total)
    if here.void or box.dead:
        return _returned(claim, "returned" if here.void else "dead")
    return _settled(look, state, claim, _stake_due(look, here, box.hands[number], number, stake))


def _stake_due(look: Lookup, here: Round, hand: Hand, number: int, stake: Stake) -> Due:
    payoff = look.tables.payoffs[BASE]
    own, other = player_class(look, hand), dealer_class(look, here)
    # Who did not follow the last double has no part of it to take back.
    followed = len(stake.added) == look.tables.contexts.contexts[hand.context].doubles
    kept = stake.added[-1] if hand.ended == "rescued" and followed else 0
    first = payoff.odds[own][other] if number == 0 else payoff.added[own][other]
    net = stake.start * first + (sum(stake.added) - kept) * payoff.added[own][other]
    flat = payoff.flat[own][other]
    result = _result(net, flat)
    if hand.ended == "rescued":
        result = "rescued"
    elif hand.ended == "surrendered" and net > -stake.total:
        result = "surrendered"
    if look.money.flat_per == "player" and stake.player in here.flat_paid:
        flat = 0
    is_natural = look.tables.player_classes[own].kind == "natural"
    why = look.tables.natural_name if is_natural and net > 0 else ""
    return Due(net + flat, result, why, flat=bool(flat))


def settle_side(look: Lookup, state: TableState, box: Box, bet: SideBet) -> WagerSettled:
    """Any other wager of one bettor."""
    here = state.round
    assert here is not None
    claim = Claim(box.position, 0, bet.player, bet.wager, bet.amount)
    if here.void or box.dead:
        return _returned(claim, "returned" if here.void else "dead")
    odds, why = side_odds(look, here, box, bet.wager)
    net = bet.amount * odds
    return _settled(look, state, claim, Due(net, _result(net, 0), why))


def side_odds(look: Lookup, here: Round, box: Box, wager: str) -> tuple[Fraction, str]:
    """The odds that a side wager gets, and the row or reason."""
    if wager in look.tables.payoffs:
        payoff = look.tables.payoffs[wager]
        own = 0 if payoff.per == "box" else player_class(look, box.hands[0])
        return payoff.odds[own][dealer_class(look, here)], ""
    observer = look.observer(wager)
    if not observer.stays_after_bust and box.hands[0].ended == "bust":
        return LOSES, ""
    player = [look.card[card] for card in box.dealt]
    dealer = [look.card[card] for card in dealer_cards(here)]
    match observer:
        case ShowdownObserver():
            return observer.odds(player, dealer), ""
        case MatchObserver():
            row = observer.row_of(player, dealer)
        case PokerObserver():
            row = observer.row_of(player, [look.card[card] for card in here.community])
    if row == NO_ROW:
        return LOSES, ""
    return observer.rows[row].odds, observer.rows[row].event


def dealer_cards(here: Round) -> Iterator[str]:
    """The dealer's cards, those still face down last."""
    yield from here.dealer.cards
    yield from filter(None, here.dealer.down)


def _result(net: Fraction, flat: int) -> Result:
    if flat:
        return "tied"
    return "won" if net > 0 else "lost" if net < 0 else "push"


def _returned(claim: Claim, result: Result) -> WagerSettled:
    return WagerSettled(**claim._asdict(), result=result)


def _settled(look: Lookup, state: TableState, claim: Claim, due: Due) -> WagerSettled:
    """A settlement rounded to chips and kept within what a limited bank can move."""
    money = look.money
    cents = max(-claim.staked, rounded(due.net, money.chip, money.rounding))
    won, collected = max(0, cents), max(0, -cents)
    uncovered = 0
    if state.bank is not None and money.cover == "limited":
        to_pay, to_collect = room(state.bank, money.cover_measure)
        uncovered = max(0, won - to_pay) + max(0, collected - to_collect)
        won, collected = min(won, to_pay), min(collected, to_collect)
    return WagerSettled(
        **claim._asdict(),
        result=due.result,
        collected=collected,
        won=won,
        uncovered=uncovered,
        why=due.why,
        banked=state.bank is not None,
        flat=due.flat,
    )


def room(bank: Bank, measure: str) -> tuple[int, int]:
    """How much a limited bank can still pay, and still collect.

    By its running net, what it has collected pays winners too; each way, it does not.
    """
    if measure == "net":
        return bank.amount + bank.net, bank.amount - bank.net
    return bank.amount - bank.paid, bank.amount - bank.collected
