"""What is printed on a game's cloth: the arc lettering, short names of spots, cards with a mark.

Screens and papers draw it, each in its own way, from here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from upcard.cards import DECK, RANKS
from upcard.compile.context import Action
from upcard.compile.ends import NO_BONUS, EndKind
from upcard.compile.hands import total_name
from upcard.compile.names import pair_name
from upcard.money import BASE, INSURANCE, format_cents, format_odds
from upcard.table.sign import sign_of
from upcard.text import listed, sentence_case

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.table.sign import Sign

OTHER_FELT = "#24534a"
"""The felt of a game whose file names no colour."""
_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_LONGEST_SHORT = 13
_FEW = 2
_SMALL = "aces twos threes fours fives sixes sevens eights nines tens"
_RANK_NAMES = dict(zip(RANKS, _SMALL.split(), strict=False)) | {
    "J": "jacks",
    "Q": "queens",
    "K": "kings",
}
_PLURALS = {"A": "aces", "T": "tens", "J": "jacks", "Q": "queens", "K": "kings"}
Line = tuple[str, str, tuple[str, ...]]


def lettering(tables: GameTables, sign: Sign | None = None) -> list[dict[str, Any]]:
    """The main rules as they stand on the felt, the first one large; each with its clauses.

    >>> from upcard import tables_for
    >>> [line["words"] for line in lettering(tables_for("blackjack"))]
    ['Blackjack pays 3 to 2', 'Dealer stands on all 17s', 'Insurance pays 2 to 1']
    """
    shown = sign or sign_of(tables)
    lines = (
        *_natural_line(tables, shown),
        *_special_lines(tables, shown),
        *_dealer_line(tables),
        *_insurance_line(tables),
    )
    return [
        {"words": words, "topic": topic, "clauses": clauses_of(tables, *keys)}
        for words, topic, keys in lines
    ]


def _natural_line(tables: GameTables, sign: Sign) -> Iterator[Line]:
    base = next(wager for wager in sign.wagers if wager.id == BASE)
    odds = next((odds for event, odds in base.pays if event == tables.natural_name), "")
    pays = f"pays {odds}" if odds else "pays even money"
    name = tables.natural_name
    yield f"{name[0].upper()}{name[1:]} {pays}", "natural", ("natural.pays",)


def _dealer_line(tables: GameTables) -> Iterator[Line]:
    """What the dealer does at the total on which the hand first stands."""
    dealer = tables.dealer
    states = zip(dealer.total.tolist(), dealer.soft.tolist(), dealer.draws.tolist(), strict=True)
    drawn = {(total, soft) for total, soft, draws in states if draws}
    stands = max(total for total, soft in drawn if not soft) + 2
    who = "Dealer" if tables.money.house_banks else "Player-dealer"
    name = total_name(stands)
    if (stands, True) in drawn:
        yield f"{who} hits soft {name}", "dealer", ("dealer.soft17",)
    else:
        yield f"{who} stands on all {name}s", "dealer", ("dealer.soft17", "dealer.stands_on")
    if any(found.name == "22" for found in dealer.classes):
        yield "Dealer's 22 pushes", "ties", ("outcomes.dealer_22", "outcomes.special", "dealer")


def _insurance_line(tables: GameTables) -> Iterator[Line]:
    if pays := insurance_pays(tables):
        yield f"Insurance pays {pays}", "insurance", ("insurance.pays",)


def _special_lines(tables: GameTables, sign: Sign) -> Iterator[Line]:
    """What sets a game apart from others."""
    money, carry = tables.money, tables.carry
    if tables.dealer.shown.face_up:
        yield "Both dealer cards face up", "dealer", ("deal.dealer_up",)
    elif tables.dealer.shown.told:
        yield "The down card is told", "dealer", ("dealer.tells",)
    if carry is not None:
        count = len(carry.next)
        words = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
        lights = f"{words} lights win" if count > 1 else "a light wins"
        yield f"{sentence_case(lights)} {carry.prize_words}", "lights", ("lights",)
    yield from _tie_lines(tables)
    yield from _bonus_lines(tables)
    if any(found.kind is EndKind.CHARLIE for found in tables.player_classes):
        words = tables.rulebook.about("player.charlie")[0].words
        yield words.split(",")[0].rstrip("."), "natural", ("player.charlie",)
    yield from _house_lines(tables)
    if Action.RESCUE in tables.actions:
        times = max(context.doubles for context in tables.contexts.contexts)
        again = f"Double up to {_NUMBERS[times]} times" if times > 1 else "Double"
        yield f"{again} · rescue a doubled hand", "action:double", ("double",)
    for wager in money.wagers.values():
        if wager.amounts and wager.mandatory:
            amounts = listed(map(format_cents, wager.amounts))
            yield f"{wager.name} is {amounts}", "limits", ("limits.amounts",)
    if tables.round_plan.exchanges:
        words = "Two boxes · second cards may be exchanged"
        yield words, "action:switch", ("exchange.cards",)
    if Action.REPLACE in tables.actions:
        yield _given_away(tables), "action:replace", ("exchange.cards", "exchange.only")
    yield from _side_lines(tables, sign)


def _given_away(tables: GameTables) -> str:
    """Which first cards may be exchanged as a hand."""
    hands, legal = tables.hands, tables.legal.mask[:, tables.contexts.index()]
    states = np.flatnonzero((legal & Action.REPLACE.bit).any(axis=1))
    hard = "" if hands.soft[states].any() else "hard "
    totals = listed(map(total_name, sorted(set(hands.total[states].tolist()))), "and")
    return sentence_case(f"{hard}{totals} may be exchanged for two new cards")


def _bonus_lines(tables: GameTables) -> Iterator[Line]:
    """The best that a hand can be paid by its cards."""
    payoff = tables.payoffs[BASE]
    paid = [
        (max(payoff.odds[number]), -found.row, tables.bonuses.names[number])
        for number, found in enumerate(tables.player_classes)
        if tables.bonuses is not None and found.row != NO_BONUS
    ]
    if paid:
        best, _, name = max(paid)
        words = f"{name[0].upper()}{name[1:]} pays {format_odds(best)}"
        yield words, "results", ("bonuses.rows",)
    for prize in tables.prizes:
        most = format_cents(max(pays for _, pays in prize.sums))
        yield f"{prize.name} of up to {most}", "prizes", ("prizes",)


def _house_lines(tables: GameTables) -> Iterator[Line]:
    """Doubles and splits that the house stakes."""
    hands, legal = tables.hands, tables.legal.mask[:, tables.contexts.index()]

    def states(action: Action) -> list[int]:
        return [state for state in range(len(hands)) if (legal[state] & action.bit).any()]

    totals = sorted({int(hands.total[state]) for state in states(Action.FREE_DOUBLE)})
    if totals:
        named = listed(map(total_name, totals), "and")
        yield f"The house stakes doubles of {named}", "action:free-double", ("double.free_on",)
    if states(Action.FREE_SPLIT):
        own = [pair_name(tables, state) for state in states(Action.SPLIT)]
        but = (
            f" but {listed((_PLURALS.get(pair, f'{pair}s') for pair in own), 'and')}" if own else ""
        )
        times = _free_times(tables, states(Action.FREE_SPLIT))
        what, keys = f"splits of all pairs{but}", ["split.free"]
        if times:
            often = "first split" if times == 1 else f"first {times} splits"
            what, keys = f"a box's {often} of pairs{but}", [*keys, "split.free_times"]
        yield f"The house stakes {what}", "action:free-split", tuple(keys)


def _free_times(tables: GameTables, pairs: Sequence[int]) -> int:
    """How many splits of a box the house stakes if not all: by the hands that it has until then."""
    legal, contexts = tables.legal.mask, tables.contexts.contexts
    by_house, own = (
        {
            context.hands
            for number, context in enumerate(contexts)
            if (legal[pairs, number] & action.bit).any()
        }
        for action in (Action.FREE_SPLIT, Action.SPLIT)
    )
    return max(by_house) if own else 0


def _tie_lines(tables: GameTables) -> Iterator[Line]:
    """Ties that do not push."""
    payoff, dealer = tables.payoffs[BASE], tables.dealer
    costs, wins, losses, ties = set(), set(), set(), set()
    for row, player in enumerate(tables.player_classes):
        for column, other in enumerate(dealer.classes):
            equal = player.total == other.total and other.kind is EndKind.TOTAL
            if equal and player.is_compared:
                ties.add(total_name(player.total))
                costs.add(payoff.flat[row][column])
                if payoff.odds[row][column] < 0:
                    losses.add(total_name(player.total))
                if payoff.odds[row][column] > 0:
                    wins.add(total_name(player.total))
    if min(costs, default=0) < 0:
        yield f"A tie loses {format_cents(-min(costs))}", "ties", ("outcomes.tie_costs",)
    if losses:
        which = "Ties lose" if losses == ties else f"A tie at {listed(sorted(losses))} loses"
        yield which, "ties", ("outcomes.ties_at", "outcomes.tie")
    for name in sorted(wins):
        yield (
            f"A player's {name} wins ties",
            "ties",
            (
                f"outcomes.tie_at_{name}",
                "outcomes.ties_at",
                "outcomes.tie",
            ),
        )


def _side_lines(tables: GameTables, sign: Sign) -> Iterator[Line]:
    """The best that side wagers pay: one line for those on ties, one for every other."""
    ties = [
        max(map(max, payoff.odds))
        for wager, payoff in tables.payoffs.items()
        if wager not in (BASE, INSURANCE) and not payoff.rows
    ]
    if ties:
        yield f"Ties pay up to {format_odds(max(ties))}", "sides", ("ties", "wagers")
    for wager in sign.wagers:
        if not tables.pay_table(wager.id):
            continue
        topic = f"wager:{wager.id}"
        yield (
            f"{short_name(wager.name)} pays up to {wager.pays[-1][1]}",
            topic,
            (f"wagers.{wager.id}",),
        )


def short_name(name: str, others: Iterable[str] = ()) -> str:
    """A name for a small spot; what begins several names is left out.

    >>> [short_name(name) for name in ("Left side (17, 18)", "Match the Dealer Up Card", "Ante")]
    ['17 18', 'Match', 'Ante']
    >>> short_name("Tie blackjack", ["Tie 17", "Tie 18", "Tie blackjack"])
    'BJ'
    """
    inside = re.search(r"\(([^)]+)\)", name)
    first, _, rest = name.partition(" ")
    if inside:
        found = inside[1].replace(",", "")
    elif rest and sum(other.startswith(f"{first} ") for other in others) > _FEW:
        found = rest
    else:
        found = name if len(name) <= _LONGEST_SHORT else first
    return re.sub(r"\bblackjack\b", "BJ", found)


def insurance_pays(tables: GameTables) -> str:
    """What insurance pays in words; nothing where none is offered."""
    if tables.money.insurance_share is None or INSURANCE not in tables.payoffs:
        return ""
    return " or ".join(map(format_odds, insurance_odds(tables)))


def insurance_odds(tables: GameTables) -> list[Fraction]:
    """What insurance wins under the up cards that it is offered under, the most first."""
    payoff = tables.payoffs[INSURANCE]
    mask = tables.legal.mask & tables.effects.wagering
    offered = np.flatnonzero(mask.any(axis=(0, 1))).tolist()
    ups = tables.dealer.shown.up[offered].tolist()
    return sorted({payoff.won_under(up) for up in ups}, reverse=True)


def marked_cards(tables: GameTables) -> dict[str, str]:
    """Cards that are marked on their face, and with what.

    >>> from upcard import tables_for
    >>> marked_cards(tables_for("ten-sticks-21"))
    {'Tc': 'Ten Sticks 21'}
    """
    alphabet = tables.alphabet
    found = {
        str(card): tables.name
        for card in DECK
        if (number := alphabet.of_card[card.number]) >= 0 and alphabet.symbols[number].marked
    }
    if words := tables.floor.marking:
        ranks = {rank for rank, name in _RANK_NAMES.items() if name in words.lower()}
        label = re.search(r"the word (\w+)", words)
        mark = label[1] if label else tables.name
        found |= {str(card): mark for card in alphabet.cards if card.rank in ranks}
    return found


def clauses_of(tables: GameTables, *keys: str) -> tuple[str, ...]:
    """The clauses of all sentences about some keys."""
    found = tables.rulebook.about(*keys)
    return tuple(dict.fromkeys(clause for sentence in found for clause in sentence.clauses))
