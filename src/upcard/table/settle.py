"""What a wager wins or loses, and how far a limited bank can pay and collect it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple, cast

from upcard.compile.card_observer import CardObserver
from upcard.compile.card_sets import FIRST_TWO
from upcard.compile.ends import EndKind
from upcard.compile.observers import Observer
from upcard.compile.pay_rows import LOSES
from upcard.compile.payoff import LooksAt
from upcard.compile.plan import MoneyPlan
from upcard.money import rounded
from upcard.table.events import Result, WagerSettled
from upcard.table.plain_tables import BASE, PlainTables
from upcard.table.state import Bank, Box, PrizeDue, Round, SideBet, Stake, TableHand, TableState


def player_class(look: PlainTables, hand: TableHand) -> int:
    """What a hand ended as: the class that was chosen, or that of its cards."""
    if hand.ended not in look.ended_as:
        return look.by_cards(hand)
    in_turn, early = look.ended_as[hand.ended]
    return in_turn if look.is_turn[hand.context] else early


def dealer_class(look: PlainTables, here: Round) -> int:
    """What the dealer's hand ended as; any class that is possible if nothing depends on it."""
    final = look.final[here.dealer.state]
    return final if final >= 0 else look.any_class[shown_number(look, here)]


def up_symbol(look: PlainTables, here: Round) -> int:
    return look.symbol[here.dealer.cards[0]]


def shown_number(look: PlainTables, here: Round) -> int:
    """The number of what the dealer shows, see `ShownCards`: usually that of the up card."""
    if look.shown_of is None:
        return up_symbol(look, here)
    dealer = here.dealer
    second = look.told_symbol[dealer.told] if look.tells else look.symbol[dealer.cards[1]]
    return look.shown_of[up_symbol(look, here)][second]


def natural_place(look: PlainTables, here: Round) -> int | None:
    """The place of the dealer's down card that makes a natural with the up card, if one does."""
    makes = look.dealer_natural[up_symbol(look, here)]
    looked_at = here.dealer.down[: look.natural_looks]
    places = (place for place, card in enumerate(looked_at, 1) if makes[look.symbol[card]])
    return next(places, None)


class Claim(NamedTuple):
    """A wager of one bettor that is to be settled."""

    position: int
    hand: int
    player: str
    wager: str
    staked: int
    marker: int = 0


class Due(NamedTuple):
    """What a claim is worth before rounding, what of it is at stake, and how it came to that."""

    net: Fraction
    at_stake: int
    result: Result
    why: str = ""
    flat: bool = False


def settle_stake(
    look: PlainTables, state: TableState, box: Box, number: int, stake: Stake
) -> WagerSettled:
    """The base wager of one bettor on one hand."""
    here = state.round
    assert here is not None
    markers = sum(stake.markers)
    claim = Claim(box.position, number, stake.player, BASE, stake.total, markers)
    if here.void or box.dead:
        return _returned(claim, "returned" if here.void else "dead")
    return _settled(look, state, claim, _stake_due(look, here, box.hands[number], number, stake))


def _stake_due(look: PlainTables, here: Round, hand: TableHand, number: int, stake: Stake) -> Due:
    payoff = look.tables.payoffs[BASE]
    own, other = player_class(look, hand), dealer_class(look, here)
    context = look.tables.contexts.contexts[hand.context]
    doubles = context.level
    portions = look.portions[own][doubles]
    # Who did not follow the last double has fewer portions, and all of them at stake.
    start, *added = (stake.start, *stake.added)[:portions]
    often = context.doubles + context.free_doubles
    of_start, of_added = payoff.rates(own, other, first=number == 0, doubles=often)
    net = start * of_start + sum(added) * of_added
    net += sum(stake.markers) * payoff.marker(own, other)
    flat = payoff.flat[own][other]
    # A hand that only the house has staked can be lost too, though nothing goes with it.
    result = _result(net if stake.total else of_start, flat)
    given_back = portions <= doubles or net > -stake.total
    if hand.ended in look.ended_as and given_back:
        result = cast(Result, hand.ended)
    if look.settlement[BASE].flat_once and stake.player in here.flat_paid:
        flat = 0
    why = look.won_by(own) if net > 0 else ""
    return Due(net + flat, start + sum(added), result, why, flat=bool(flat))


def prizes_due(look: PlainTables, here: Round, box: Box) -> Iterator[PrizeDue]:
    """The prizes of a hand that is settled: the player's own, and those of everybody else.

    A player with several boxes gets what others get once.
    """
    hand = box.hands[0]
    context = look.tables.contexts.contexts[hand.context]
    if not look.tables.prizes or box.dead or here.void:
        return
    if len(box.hands) > 1 or context.doubles + context.free_doubles:
        return
    own, shown = player_class(look, hand), shown_number(look, here)
    bet = hand.stakes[0].start
    for prize in look.tables.prizes:
        if not prize.won[shown, own] or not prize.pays(bet):
            continue
        yield PrizeDue(box.player, box.position, prize.pays(bet), prize.name)
        told = {box.player}
        for other in here.boxes:
            if prize.others and other.player not in told and not other.dead:
                told.add(other.player)
                yield PrizeDue(other.player, other.position, prize.others, prize.name, box.player)


def settle_side(look: PlainTables, state: TableState, box: Box, bet: SideBet) -> WagerSettled:
    """Any other wager of one bettor."""
    here = state.round
    assert here is not None
    claim = Claim(box.position, bet.hand, bet.player, bet.wager, bet.amount)
    if here.void or box.dead:
        return _returned(claim, "returned" if here.void else "dead")
    odds, why = side_odds(look, here, box, bet)
    net = bet.amount * odds
    return _settled(look, state, claim, Due(net, bet.amount, _result(net, 0), why))


def side_odds(look: PlainTables, here: Round, box: Box, bet: SideBet) -> tuple[Fraction, str]:
    """The odds that a side wager gets, and the row or reason."""
    row = look.settlement[bet.wager]
    if row.payoff is not None:
        own, other = class_seen(look, box, bet), dealer_class(look, here)
        odds, _ = row.payoff.rates(own, other, first=bet.hand == 0, doubles=0)
        if odds > 0 and row.payoff.wins_under:
            odds = row.payoff.won_under(up_symbol(look, here))
        return odds, row.payoff.event(own, other)
    assert row.observer is not None
    if row.lost_when_over and look.bust[box.hands[0].state]:
        return LOSES, ""
    seen = cards_seen(row.observer, here, box)
    found = row.observer.result(*([look.card[card] for card in cards] for cards in seen))
    return found.odds, found.event


def cards_seen(
    observer: Observer, here: Round, box: Box
) -> tuple[Iterable[str], Iterable[str], Iterable[str]]:
    """The player's, the dealer's and the community cards as a wager on cards looks at them."""
    if not isinstance(observer, CardObserver):
        return box.dealt, dealer_cards(here), here.community
    first = (*box.dealt[:FIRST_TWO], *filter(None, (third_card(observer, box),)))
    dealer = here.dealer.cards if observer.looks_at_dealer else dealer_cards(here)
    return first, dealer, here.community


def third_card(observer: CardObserver, box: Box) -> str:
    """The third card that a wager goes by, "" if there is none.

    A hand that draws its own down cards has it before it, drawn or not.
    """
    if box.third or not observer.guaranteed or given_up(box):
        return box.third
    return next(filter(None, box.down), "")


def given_up(box: Box) -> bool:
    """Whether the first hand was surrendered, and its third card with it."""
    return box.hands[0].ended in (EndKind.SURRENDERED, EndKind.SURRENDERED_EARLY)


def class_seen(look: PlainTables, box: Box, bet: SideBet) -> int:
    """The class by which a side wager on a hand is settled; for one on the box, any is right."""
    if look.settlement[bet.wager].looks_at is LooksAt.BOX:
        return 0
    return player_class(look, box.hands[bet.hand])


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


def _settled(look: PlainTables, state: TableState, claim: Claim, due: Due) -> WagerSettled:
    """A settlement rounded to chips and kept within what a limited bank can move."""
    money = look.money
    whole = cents = max(-claim.staked, rounded(due.net, money.chip, money.rounding))
    covered = 0
    if look.settlement[claim.wager].covered and state.bank is not None:
        if money.covers_by_wagers:
            covered = min(due.at_stake, state.bank.amount - state.bank.covered)
            part = due.net * Fraction(covered, due.at_stake)
            cents = max(-covered, rounded(part, money.chip, money.rounding))
        to_pay, to_collect = room(state.bank, money)
        cents = max(-to_collect, min(cents, to_pay))
    won, collected = max(0, cents), max(0, -cents)
    return WagerSettled(
        **claim._asdict(),
        result=due.result,
        collected=collected,
        won=won,
        uncovered=abs(whole - cents),
        covered=covered,
        why=due.why,
        banked=state.bank is not None,
        flat=due.flat,
    )


def room(bank: Bank, money: MoneyPlan) -> tuple[int, int]:
    """How much a limited bank can still pay, and still collect.

    By its running net, what it has collected pays winners too; each way, it does not.
    """
    if money.covers_each_way:
        return bank.amount - bank.paid, bank.amount - bank.collected
    to_pay, to_collect = bank.amount + bank.net, bank.amount - bank.net
    return (0, 0) if money.exhaustion_ends and not to_pay else (to_pay, to_collect)
