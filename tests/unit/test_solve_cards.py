"""Exact odds of wagers on cards, against slow counts and frequencies that are well known."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, combinations_with_replacement
from math import comb, sqrt

import numpy as np
import numpy.typing as npt
import pytest

from chance import dice
from conftest import compiled
from upcard import GameTables
from upcard.cards import DECK, SUITS, Card, parse_cards
from upcard.compile.observers import MatchObserver, PokerObserver, ShowdownObserver
from upcard.compile.pay_rows import NO_ROW, Window
from upcard.compile.poker import ORDER, hand_index
from upcard.errors import UpcardError
from upcard.solve.match import match_rows, match_shoe
from upcard.solve.observers import card_wager
from upcard.solve.poker import by_rank_and_suit, poker_rows, showdown_pairs, showdown_rows
from upcard.solve.result import Counted, WagerOdds

TWISTED_STUD = "Twisted Stud, 16 or less"
Shoe = npt.NDArray[np.int64]

FIVE_CARD = (
    {"stud_bonus": "five-card", "twisted_stud": "higher"},
    {"stud_bonus": "five-card", "twisted_stud": "last"},
    {"stud_bonus": "five-card", "twisted_stud": "both"},
    {"stud_bonus": "five-card-low", "low_ball": "deuce-to-seven"},
    {"stud_bonus": "five-card-low", "low_ball": "deuce-to-six"},
    {"stud_bonus": "five-card-low", "low_ball": "ace-to-six"},
    {"stud_bonus": "five-card-low", "low_ball": "ace-to-five"},
)
SEVEN_CARD = (
    {"stud_bonus": "seven-card"},
    {"stud_bonus": "seven-card-low", "low_ball": "deuce-to-seven"},
    {"stud_bonus": "seven-card-low", "low_ball": "deuce-to-six"},
    {"stud_bonus": "seven-card-low", "low_ball": "ace-to-six"},
    {"stud_bonus": "seven-card-low", "low_ball": "ace-to-five"},
)


def bonus(**settings: str) -> tuple[GameTables, PokerObserver]:
    tables = compiled("twisted-21", **settings)
    observer = tables.observers["stud-bonus"]
    assert isinstance(observer, PokerObserver)
    return tables, observer


def on_seven(observer: PokerObserver) -> PokerObserver:
    return replace(observer, window=Window(5, 0, 2))


def stud(qualifier: str = "king-high") -> ShowdownObserver:
    observer = compiled("twisted-21", qualifier=qualifier).observers["stud-poker"]
    assert isinstance(observer, ShowdownObserver)
    return observer


def matching(decks: int = 6, by: str = "up-card") -> tuple[GameTables, MatchObserver]:
    tables = compiled("pure-spanish-21.5", decks=decks, match_by=by)
    observer = tables.observers["match"]
    assert isinstance(observer, MatchObserver)
    return tables, observer


def shoe_of(cards: Iterable[Card]) -> Shoe:
    shoe = np.zeros((len(ORDER), len(SUITS)), dtype=np.int64)
    for card in cards:
        shoe[ORDER.index(card.rank), SUITS.index(card.suit)] += 1
    return shoe


def numbers(rows: Sequence[Counted]) -> list[int]:
    return [row.combinations for row in rows]


def by_row_of(observer: PokerObserver, cards: Sequence[Card]) -> list[int]:
    """The same numbers from the observer, hand by hand."""
    own, community = observer.window.player, observer.window.community
    found = Counter(
        observer.row_of(hand[:own], hand[own:]) for hand in combinations(cards, own + community)
    )
    return [found[row] for row in (*range(len(observer.rows)), NO_ROW)]


def returned(odds: WagerOdds) -> dict[str, int]:
    return {row.event: row.combinations for row in odds.returns}


# ----------------------------------------------------------------------------------- five cards


def test_five_card_hands_come_as_often_as_every_poker_book_says() -> None:
    tables, _ = bonus(stud_bonus="five-card", twisted_stud="last")
    odds = card_wager(tables, "stud-bonus")
    found = returned(odds)
    assert list(found.values())[:8] == [4, 36, 624, 3744, 5108, 10200, 54912, 123552]
    assert found["pair of J or better"] == 1098240 * 4 // 13
    assert sum(found.values()) == comb(52, 5)
    assert (odds.name, odds.method, odds.error) == ("Stud Bonus", "exact", 0.0)
    assert [row.event for row in odds.returns][-2:] == [TWISTED_STUD, "loses"]
    assert odds.returns[-1].pays == -1


@pytest.mark.parametrize("reading", ["higher", "last", "both"])
def test_hands_of_sixteen_or_less(reading: str) -> None:
    tables, observer = bonus(stud_bonus="five-card", twisted_stud=reading)
    ways = Counter({(0, 0): 1})
    for card in DECK:
        value = 1 if card.rank == "A" else int(card.rank) if card.rank.isdigit() else 10
        for (cards, total), number in list(ways.items()):
            ways[cards + 1, total + value] += number
    low = sum(number for (cards, total), number in ways.items() if cards == 5 and total <= 16)
    found = returned(card_wager(tables, "stud-bonus"))
    if reading == "both":
        assert sum(n for event, n in found.items() if TWISTED_STUD in event) == low
    else:
        assert 0 < found[TWISTED_STUD] < low
    assert [row.event for row in observer.rows] == list(found)[:-1]


def test_five_card_low_hands() -> None:
    # Off suit in 4**5 - 4 ways; one set of ranks under each top card is a straight.
    tables, _ = bonus(stud_bonus="five-card-low", low_ball="deuce-to-seven")
    found = numbers_of(tables)
    assert found[:-1] == [(comb(top, 4) - 1) * (4**5 - 4) for top in range(5, 11)]
    tables, _ = bonus(stud_bonus="five-card-low", low_ball="ace-to-five")
    found = numbers_of(tables)
    assert found[:-1] == [comb(7, 5) * 4**5] + [comb(top, 4) * 4**5 for top in range(7, 12)]
    # SR-42: six ranks from 2 to 7; and seven from the ace on, of which three sets are straights.
    tables, _ = bonus(stud_bonus="five-card-low", low_ball="deuce-to-six")
    found = numbers_of(tables)
    assert found[:-1] == [comb(6, 5) * 4**5] + [comb(top, 4) * 4**5 for top in range(6, 11)]
    tables, _ = bonus(stud_bonus="five-card-low", low_ball="ace-to-six")
    found = numbers_of(tables)
    off_suit = [comb(7, 5) - 3] + [comb(top, 4) - 1 for top in range(7, 12)]
    assert found[:-1] == [sets * (4**5 - 4) for sets in off_suit]


@cache
def choices(cards: int, size: int) -> npt.NDArray[np.int8]:
    """Every hand of so many cards, by their numbers."""
    hands = np.fromiter(chain.from_iterable(combinations(range(cards), size)), dtype=np.int8)
    return hands.reshape(-1, size)


@pytest.mark.parametrize("reading", ["deuce-to-seven", "deuce-to-six", "ace-to-six", "ace-to-five"])
def test_five_card_low_hands_one_by_one(reading: str) -> None:
    """SR-42, TW-15: every five of 52 cards, told apart by arithmetic on ranks and suits alone."""
    hands = choices(52, 5)
    ranks, suits = np.sort(hands // 4, axis=1), hands % 4  # 0 is the deuce, 12 the ace
    unpaired = (np.diff(ranks, axis=1) > 0).all(axis=1)
    is_flush = (suits == suits[:, :1]).all(axis=1)
    is_straight = unpaired & (ranks[:, 4] - ranks[:, 0] == 4)
    is_straight |= (ranks == [0, 1, 2, 3, 12]).all(axis=1)
    low = np.where(ranks == 12, -1, ranks) if reading.startswith("ace") else ranks
    good = unpaired
    if reading in ("deuce-to-seven", "ace-to-six"):
        good = good & ~is_flush & ~is_straight
    top = np.maximum(low.max(axis=1)[good], ORDER.index("7"))
    expected = [int((top == rank).sum()) for rank in range(ORDER.index("7"), ORDER.index("K"))]
    tables, _ = bonus(stud_bonus="five-card-low", low_ball=reading)
    assert numbers_of(tables) == [*expected, comb(52, 5) - sum(expected)]


def numbers_of(tables: GameTables) -> list[int]:
    return list(returned(card_wager(tables, "stud-bonus")).values())


@pytest.mark.chance
@pytest.mark.parametrize("settings", FIVE_CARD)
@pytest.mark.parametrize("ranks", ["A2345", "34679", "TJQKA"])
def test_five_of_a_short_deck_hand_by_hand(settings: dict[str, str], ranks: str) -> None:
    _, observer = bonus(**settings)
    cards = dice(ranks).sample([card for card in DECK if card.rank in ranks], 16)
    assert numbers(poker_rows(observer, shoe_of(cards))) == by_row_of(observer, cards)


@pytest.mark.parametrize("settings", FIVE_CARD)
def test_five_of_a_shoe_of_several_decks(settings: dict[str, str]) -> None:
    _, observer = bonus(**settings)
    cards = parse_cards("2s 2s 2s 3s 3s 4s 5s 7s 2h 2h 3h 7h 7d Jd Js")
    assert numbers(poker_rows(observer, shoe_of(cards))) == by_row_of(observer, cards)


# ---------------------------------------------------------------------------------- seven cards


def test_the_best_five_of_seven_come_as_often_as_every_poker_book_says() -> None:
    tables, _ = bonus(stud_bonus="seven-card")
    found = numbers_of(tables)
    assert found[:-1] == [4324, 37260, 224848, 3473184, 4047644, 6180020, 6461620]
    assert sum(found) == comb(52, 7)


@pytest.mark.parametrize(("reading", "sevens"), [("ace-to-five", 7), ("deuce-to-six", 6)])
def test_seven_card_lows_where_only_ranks_matter(reading: str, sevens: int) -> None:
    """SR-42, TW-17: so many ranks are seven or lower."""

    def with_five_low(ranks: int) -> int:
        """Hands with five different of so many ranks: all that matters is ranks."""
        ways = Counter({(0, 0): 1})
        for _ in range(ranks):
            for (cards, kinds), number in list(ways.items()):
                for copies in range(1, 5):
                    ways[cards + copies, kinds + 1] += number * comb(4, copies)
        return sum(
            number * comb(52 - 4 * ranks, 7 - cards)
            for (cards, kinds), number in ways.items()
            if kinds >= 5 and cards <= 7
        )

    tables, _ = bonus(stud_bonus="seven-card-low", low_ball=reading)
    at_most = [with_five_low(sevens + more) for more in range(4)]
    expected = [at_most[0], *np.diff(at_most).tolist(), comb(52, 7) - at_most[-1]]
    assert numbers_of(tables) == expected


@pytest.mark.parametrize(("reading", "ranks_low"), [("deuce-to-seven", 6), ("ace-to-six", 7)])
def test_seven_card_lows_that_runs_spoil(reading: str, ranks_low: int) -> None:
    """SR-42, TW-17, seven high or lower: five ranks that are no straight, and not all in one suit.

    Five cards of those ranks are one hand, spoilt if suited; with a sixth there is a choice of
    suits. Rank 0 is the deuce where aces are high, and else the ace.
    """
    sets = [
        sum(1 << rank for rank in ranks)
        for ranks in combinations(range(ranks_low), 5)
        if ranks[4] - ranks[0] > 4  # no straight
    ]
    expected = 0
    for size in (5, 6, 7):
        low = choices(4 * ranks_low, size)
        bits, suits = (1 << low // 4).astype(np.uint8), low % 4
        of_suit = [np.bitwise_or.reduce(bits * (suits == suit), axis=1) for suit in range(4)]
        ranks = np.bitwise_or.reduce(of_suit)
        paid = np.zeros(len(low), dtype=np.bool_)
        for wanted in sets:
            there = np.flatnonzero(ranks & wanted == wanted)
            used = ((bits[there] & wanted) > 0).sum(axis=1)
            suited = np.any([suit[there] & wanted == wanted for suit in of_suit], axis=0)
            paid[there[(used > 5) | ~suited]] = True
        expected += int(paid.sum()) * comb(52 - 4 * ranks_low, 7 - size)
    tables, _ = bonus(stud_bonus="seven-card-low", low_ball=reading)
    found = numbers_of(tables)
    assert found[0] == expected
    assert sum(found) == comb(52, 7)


def nine_cards(draw: random.Random, suited: int) -> list[Card]:
    """Nine cards, at least so many of them spades."""
    spades = draw.sample(DECK[:13], suited)
    return spades + draw.sample([card for card in DECK if card not in spades], 9 - suited)


@pytest.mark.chance
@pytest.mark.parametrize("settings", SEVEN_CARD)
def test_random_hands_of_seven(settings: dict[str, str]) -> None:
    """10,080 hands: all the hands of 280 random decks of nine cards, many of them suited."""
    _, observer = bonus(**settings)
    draw = dice(7)
    for number in range(280):
        cards = nine_cards(draw, suited=number % 8)
        assert numbers(poker_rows(observer, shoe_of(cards))) == by_row_of(observer, cards), cards


@pytest.mark.chance
@pytest.mark.parametrize("settings", FIVE_CARD)
def test_any_pay_table_may_be_for_seven_cards(settings: dict[str, str]) -> None:
    observer = on_seven(bonus(**settings)[1])
    draw = dice(8)
    for number in range(48):
        cards = nine_cards(draw, suited=number % 8)
        assert numbers(poker_rows(observer, shoe_of(cards))) == by_row_of(observer, cards), cards


def suited_hand(draw: random.Random, suited: int) -> list[Card]:
    """Seven cards, mostly low, so many of one suit and the rest often of the same ranks."""
    suit = draw.choice(SUITS)
    ranks = draw.sample("23456789TA" if draw.random() < 0.8 else ORDER, suited)
    others = [card for card in DECK if card.suit != suit]
    paired = [card for card in others if card.rank in ranks]
    hand = [Card(rank, suit) for rank in ranks]
    while len(hand) < 7:
        card = draw.choice(paired if draw.random() < 0.6 else others)
        hand += [card] if card not in hand else []
    return hand


@pytest.mark.chance
@pytest.mark.parametrize("settings", SEVEN_CARD)
@pytest.mark.parametrize("suited", [5, 6, 7])
def test_single_hands_with_a_flush(settings: dict[str, str], suited: int) -> None:
    _, observer = bonus(**settings)
    draw = dice(suited)
    for _ in range(80):
        cards = suited_hand(draw, suited)
        assert numbers(poker_rows(observer, shoe_of(cards))) == by_row_of(observer, cards), cards


@pytest.mark.parametrize(
    ("cards", "deuce_to_seven", "ace_to_five"),
    [
        ("2s 3s 4s 5s 7s Kh Kd", "loses", "7 high"),
        ("2s 3s 4s 5s 7s 7h Kd", "7 high", "7 high"),
        ("2s 3s 4s 5s 7s 2h 2d", "7 high", "7 high"),
        ("2s 3s 4s 5s 7s 8h Kd", "8 high", "7 high"),
        ("2s 3s 4s 5s 7s 6h Kd", "7 high", "7 high"),
        ("2s 3s 4s 5s 7s Ks Kd", "loses", "7 high"),
        ("2s 3s 4s 5s 7s 8s 9s", "loses", "7 high"),
        ("2s 3s 4s 5s 7s 8s 9d", "9 high", "7 high"),
        ("2s 3s 4s 5s 7s 8s 8d", "8 high", "7 high"),
        ("2s 3s 4s 5s 6s 6h 6d", "loses", "7 high"),
        ("As 2s 3s 4s 5s Ah Ad", "loses", "7 high"),
        ("2s 3s 4s 5h 6h 7h 8h", "7 high", "7 high"),
    ],
)
def test_a_suited_five_is_no_low_hand_unless_a_pair_offers_another_suit(
    cards: str, deuce_to_seven: str, ace_to_five: str
) -> None:
    for reading, event in (("deuce-to-seven", deuce_to_seven), ("ace-to-five", ace_to_five)):
        _, observer = bonus(stud_bonus="seven-card-low", low_ball=reading)
        rows = poker_rows(observer, shoe_of(parse_cards(cards)))
        assert [row.event for row in rows if row.combinations] == [event]


def test_rows_that_pay_alike_count_for_the_first() -> None:
    _, observer = bonus(stud_bonus="seven-card")
    alike = tuple(row._replace(odds=observer.rows[4].odds) for row in observer.rows)
    hand = shoe_of(parse_cards("9s 8s 7s 6s 5s Ts Js"))
    rows = poker_rows(replace(observer, rows=alike), hand)
    assert [row.event for row in rows if row.combinations] == ["straight flush"]


# ------------------------------------------------------------------------------------- showdown


def slow_showdown(observer: ShowdownObserver, cards: Sequence[Card]) -> list[int]:
    """All pairs of hands, one by one."""
    hands = list(combinations(range(len(cards)), 5))
    masks = np.array([sum(1 << card for card in hand) for hand in hands])
    strength = np.array(
        [observer.strength[hand_index([cards[card] for card in hand])] for hand in hands]
    )
    found = np.zeros(4, dtype=np.int64)
    for mask, own in zip(masks.tolist(), strength.tolist(), strict=True):
        other = strength[masks & mask == 0]
        qualified = other[other >= observer.qualifies]
        wins, ties = (qualified < own).sum(), (qualified == own).sum()
        loses = len(qualified) - wins - ties
        found += np.array([wins, ties, len(other) - len(qualified), loses])
    return [int(number) for number in found]


@pytest.mark.chance
@pytest.mark.parametrize("qualifier", ["king-high", "pair-of-kings"])
@pytest.mark.parametrize(
    "cards",
    [
        [card for card in DECK if card.rank in "23KA"],
        [card for card in DECK if card.rank in "23456"],
        dice(1).sample([card for card in DECK if card.rank in "A2345K"], 17),
        [*DECK[1:9], *dice(2).sample(DECK[9:], 9)],
        parse_cards("2s 2s 3s 3s 4s 5s Ks Ks 2h 2h 3h Kh Kh Kd Qd Ad"),
    ],
    ids=["four-ranks", "five-ranks", "uneven", "suited", "two-decks"],
)
def test_showdown_of_a_short_deck_pair_by_pair(qualifier: str, cards: Sequence[Card]) -> None:
    observer = stud(qualifier)
    found = showdown_pairs(observer, shoe_of(cards))
    assert list(found) == slow_showdown(observer, cards)
    assert sum(found) == comb(len(cards), 5) * comb(len(cards) - 5, 5)


def test_a_dealer_with_just_the_least_hand_qualifies() -> None:
    least = hand_index(parse_cards("Ks Kh 4d 3s 2c"))
    observer = replace(stud(), qualifies=int(stud().strength[least]))
    cards = [card for card in DECK if card.rank in "234K"]
    assert list(showdown_pairs(observer, shoe_of(cards))) == slow_showdown(observer, cards)


@pytest.mark.parametrize("qualifier", ["king-high", "pair-of-kings"])
def test_showdown_of_a_full_deck_against_random_deals(qualifier: str) -> None:
    tables = compiled("twisted-21", qualifier=qualifier)
    observer = stud(qualifier)
    deals = 200_000
    deck = np.tile(np.arange(52, dtype=np.uint8), (deals, 1))
    cards = np.random.default_rng(21).permuted(deck, axis=1)[:, :10].astype(np.int64)
    place = np.array([[comb(rank + p, p + 1) for rank in range(13)] for p in range(5)])

    def strengths(hands: Shoe) -> npt.NDArray[np.int32]:
        flush = (hands % 4 == hands[:, :1] % 4).all(axis=1).astype(int)
        ranks = np.sort(hands // 4, axis=1)
        found: npt.NDArray[np.int32] = observer.strength[
            flush, place[np.arange(5), ranks].sum(axis=1)
        ]
        return found

    own, other = strengths(cards[:, :5]), strengths(cards[:, 5:])
    plays = other >= observer.qualifies
    ends = [plays & (own > other), plays & (own == other), ~plays, plays & (own < other)]
    odds = card_wager(tables, "stud-poker")
    assert sum(row.combinations for row in odds.returns) == 2598960 * 1533939
    for row, end in zip(odds.returns, ends, strict=True):
        error = sqrt(deals * row.probability * (1 - row.probability))
        assert abs(end.sum() - deals * row.probability) < 4 * error, row.event


def test_rows_of_a_showdown() -> None:
    odds = card_wager(compiled("twisted-21"), "stud-poker")
    assert [(row.event, float(row.pays), row.printed) for row in odds.returns] == [
        ("wins", 1, "1 to 1"),
        ("ties", 0, "push"),
        ("dealer does not qualify", 0, "push"),
        ("loses", -1, ""),
    ]
    # Below king high are five of the lowest eleven ranks off suit, save for seven straights.
    below = (comb(11, 5) - 7) * (4**5 - 4)
    assert odds.returns[2].combinations == below * comb(47, 5)


# ---------------------------------------------------------------------------------------- match


@pytest.mark.parametrize("decks", [4, 5, 6, 7, 8])
def test_match_is_counted_given_the_up_card(decks: int) -> None:
    cards = 48 * decks
    tables, _ = matching(decks)
    one = card_wager(tables, "match")
    assert list(returned(one).values())[:2] == [comb(decks - 1, 2), (decks - 1) * 3 * decks]
    assert sum(returned(one).values()) == comb(cards - 1, 2)
    both = card_wager(matching(decks, "both-cards")[0], "match")
    assert sum(returned(both).values()) == comb(cards - 1, 2) * (cards - 3)
    assert both.ev > one.ev


def test_match_with_six_decks() -> None:
    odds = card_wager(matching()[0], "match")
    assert sum(returned(odds).values()) == 41041
    assert round(100 * odds.edge, 4) == 3.0555


def slow_match(observer: MatchObserver, shoe: Counter[Card], up: Card) -> Counter[int]:
    """Combinations given an up card, by kinds of cards and their copies."""
    rest = shoe - Counter([up])
    found: Counter[int] = Counter()
    for first, second in combinations_with_replacement(rest, 2):
        ways = comb(rest[first], 2) if first == second else rest[first] * rest[second]
        left = rest - Counter([first, second])
        if observer.window.dealer == 1:
            found[observer.row_of((first, second), (up,))] += ways
            continue
        for down, copies in left.items():
            found[observer.row_of((first, second), (up, down))] += ways * copies
    return found


@pytest.mark.parametrize("by", ["up-card", "both-cards"])
def test_match_with_four_decks_by_kinds(by: str) -> None:
    tables, observer = matching(4, by)
    shoe = Counter(dict.fromkeys(tables.alphabet.cards, 4))
    found = slow_match(observer, shoe, Card.parse("7h"))
    expected = [found[row] for row in (*range(len(observer.rows)), NO_ROW)]
    assert list(returned(card_wager(tables, "match")).values()) == expected


@pytest.mark.parametrize("by", ["up-card", "both-cards"])
@pytest.mark.parametrize(
    ("text", "alike"),
    [
        ("As As Ah Ks Kh 2d", False),
        ("As As Ah Ah Ad Kc 2c 2c", False),
        ("As Ah Ks Kh", True),
        ("As As Ks Ks Qs Qs", True),
    ],
)
def test_match_card_by_card(by: str, text: str, alike: bool) -> None:
    _, observer = matching(by=by)
    cards = parse_cards(text)
    found: Counter[int] = Counter()
    places = set(range(len(cards)))
    for up in places:
        for pair in combinations(sorted(places - {up}), 2):
            downs = sorted(places - {up, *pair}) if by == "both-cards" else [up]
            for down in downs:
                own = [cards[place] for place in pair]
                found[observer.row_of(own, (cards[up], cards[down]))] += 1
    times = len(cards) if alike else 1
    expected = [found[row] // times for row in (*range(len(observer.rows)), NO_ROW)]
    assert numbers(match_rows(observer, Counter(cards))) == expected


# ------------------------------------------------------------------------- progress and refusals


def test_progress_goes_from_none_to_all() -> None:
    heard: list[tuple[str, float]] = []
    tables, _ = bonus(stud_bonus="seven-card")
    card_wager(tables, "stud-bonus", lambda part, share: heard.append((part, share)))
    shares = [share for _, share in heard]
    assert {part for part, _ in heard} == {"stud-bonus"}
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert shares == sorted(shares)
    assert len(shares) > 10


def test_what_is_not_worked_out_is_refused() -> None:
    tables, seven = bonus(stud_bonus="seven-card")
    with pytest.raises(UpcardError, match=r'no wager "match" on cards; it has .*stud-bonus'):
        card_wager(tables, "match")
    with pytest.raises(UpcardError, match="it has none"):
        card_wager(compiled("blackjack"), "match")
    with pytest.raises(UpcardError, match="for one deck only"):
        poker_rows(seven, 2 * by_rank_and_suit(match_shoe(tables.alphabet)))
    six = replace(seven, window=Window(5, 0, 1))
    with pytest.raises(UpcardError, match="five or seven cards, not for 6"):
        poker_rows(six, by_rank_and_suit(match_shoe(tables.alphabet)))
    uneven = replace(stud(), window=Window(5, 2, 0))
    with pytest.raises(UpcardError, match="not for 5 against 2"):
        showdown_rows(uneven, by_rank_and_suit(match_shoe(tables.alphabet)))
    three = replace(matching()[1], window=Window(2, 3, 0))
    with pytest.raises(UpcardError, match="one or two cards of the dealer, not for 3"):
        match_rows(three, Counter(DECK))
