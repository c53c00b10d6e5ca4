"""Rules of a finer grain than any packaged game may use: what they allow, pay and say.

Every value is put into house blackjack as if somebody had written a file of their own.
"""

from __future__ import annotations

from typing import Any

import pytest

from changed_games import changed_rules, problems
from rulebook import facts
from upcard import GameTables, compile_game
from upcard.cards import Card
from upcard.round.card_tables import second_matters
from upcard.round.no_hole import waiting_classes
from upcard.solve.base_game import BaseGame
from upcard.solve.odds import insurance
from upcard.table.cloth import lettering


def changed(changes: dict[str, Any], **settings: str) -> GameTables:
    """House blackjack with other values, which must be sound."""
    rules = changed_rules("blackjack", changes, settings)
    assert problems(rules) == []
    return compile_game(rules)


def says(tables: GameTables) -> list[str]:
    """The sentences of the rule sheet."""
    return [rule.words for rule in tables.rulebook.sentences]


# ------------------------------------------------------------------ doubling


@pytest.mark.parametrize(
    ("hand", "may"),
    [
        ("5s 3d", False),
        ("5s 4d", True),
        ("6s 5d", True),
        ("7s 5d", False),
        ("Ks 9d", False),
        ("As 7d", False),
        ("As 8d", True),
        ("9s Ad", True),
        ("As Ad", False),
        ("5s 2d 4c", False),
    ],
)
def test_hard_nine_to_eleven_and_soft_nineteen_and_twenty_double(hand: str, may: bool) -> None:
    tables = changed({"double.on": "9-11-soft"})
    assert ("double" in facts.may(tables, hand, "6s")) is may
    assert "First two cards that total hard 9 to 11, or soft 19 or 20, may double down." in says(
        tables
    )


# ------------------------------------------------------------------ ties


def test_ties_at_some_totals_have_another_result() -> None:
    tables = changed({"outcomes.ties_at": {"17": "loses", "18": "loses", "20": "wins"}})
    for total, won in {"7": -1, "8": -1, "9": 0, "Q": 1}.items():
        assert facts.result(tables, f"Ks {total}d", f"Kd {total}s") == won, total
    assert facts.result(tables, "As 2d 8c", "Kd 6s 5d") == 0
    said = says(tables)
    assert "Equal totals, but for 17, 18 and 20, push." in said
    assert "An equal total of 17 or 18 loses." in said
    assert "An equal total of 20 wins." in said
    lines = [line["words"] for line in lettering(tables)]
    assert {"A tie at 17 or 18 loses", "A player's 20 wins ties"} <= set(lines)


def test_all_ties_lose_and_naturals_have_a_result_of_their_own() -> None:
    lose = {"outcomes.tie": "loses", "natural.against_natural": "loses"}
    tables = changed(lose)
    assert facts.result(tables, "Ks 9d", "Kd 9s") == -1
    assert facts.result(tables, "As Kd", "Kd As") == -1
    assert "If the dealer has one too, it loses." in says(tables)
    assert "Ties lose" in [line["words"] for line in lettering(tables)]
    for against, won in (("push", 0), ("1:1", 1)):
        other = changed({**lose, "natural.against_natural": against})
        assert facts.result(other, "As Kd", "Kd As") == won
        assert facts.result(other, "7s 7d 7c", "7h 6s 8s") == -1


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"outcomes.ties_at": {"16": "loses"}}, "no tie is at 16: the dealer stands on 17 to 21"),
        (
            {"outcomes.ties_at": {"17": "push"}},
            'that is what tie = "push" says of every total: leave it out',
        ),
        (
            {"outcomes.ties_at": {"21": "loses"}, "outcomes.tie_at_21": "wins"},
            'tie_at_21 = "wins" says what a tie at 21 comes to: leave one of them out',
        ),
    ],
)
def test_ties_that_cannot_be_are_refused(changes: dict[str, Any], problem: str) -> None:
    (found,) = problems(changed_rules("blackjack", changes))
    assert problem in found


# ------------------------------------------------------------------ the dealer's 22

TWENTY_TWO = "Kd 6s 6d"


@pytest.mark.parametrize(
    ("paid", "natural", "best", "doubled", "plain"),
    [
        (["natural", "charlie"], 1.5, 0, 0, 0),
        ([], 0, 0, 0, 0),
        (["natural", "21"], 1.5, 1, 0, 0),
        (["doubled"], 0, 0, 1, 0),
        (["natural", "doubled"], 1.5, 0, 1, 0),
    ],
)
def test_a_dealers_22_spares_some_hands(
    paid: list[str], natural: Any, best: Any, doubled: Any, plain: Any
) -> None:
    tables = changed({"dealer.on_22": "push", "dealer.paid_on_22": paid})
    assert facts.rates(tables, "As Kd", TWENTY_TWO)[0] == natural
    assert facts.rates(tables, "7s 7d 7c", TWENTY_TWO)[0] == best
    assert facts.rates(tables, "5s 6d double 8c", TWENTY_TWO, doubles=1) == (doubled, doubled)
    assert facts.rates(tables, "Ks 9d", TWENTY_TWO)[0] == plain
    assert facts.rates(tables, "Ks 6d 6c", TWENTY_TWO)[0] == -1
    assert facts.rates(tables, "Ks 9d", "Kd 6s 7d")[0] == 1


def test_a_dealers_22_spares_first_cards_of_one_kind() -> None:
    spared = {"dealer.on_22": "push", "dealer.paid_on_22": ["natural", "two-tens"]}
    tables = changed(spared)
    for hand, wins in (
        ("Ks Qd", 1),
        ("Ks Qd split Kc", 0),
        ("As 9d", 0),
        ("Ks 5d 5c", 0),
        ("As Ad", 0),
        ("As Ad split Kc", 0),
    ):
        assert facts.rates(tables, hand, TWENTY_TWO)[0] == wins, hand
    assert facts.reads(tables, "Ks Qd") == facts.reads(tables, "Ks 5d 5c") == "hard 20"
    assert tables.player_classes[tables.class_index["two-tens"]].word == "20"
    aces = changed({**spared, "dealer.paid_on_22": ["two-aces"]})
    assert facts.rates(aces, "As Ad", TWENTY_TWO)[0] == 1
    assert facts.rates(aces, "As Kd", TWENTY_TWO)[0] == 0
    never = changed({"dealer.on_22": "push"})
    assert not {"two-tens", "two-aces"} & set(never.class_index)


def test_first_cards_that_22_spares_tie_as_their_total_does() -> None:
    """A wager on a tie at 20 does not ask which cards make it."""
    changes = {"dealer.on_22": "push", "dealer.paid_on_22": ["natural", "two-tens"]}
    tables = compile_game(changed_rules("blackjack-tie", changes))
    twenty = facts.result(tables, "Ks 5d 5c", "Kd Qs", "tie-20")
    assert facts.result(tables, "Ks Qd", "Kd Qs", "tie-20") == twenty > 0


def test_what_is_said_of_hands_that_22_spares() -> None:
    end = "hands over or surrendered get nothing back for it, and every other hand pushes."
    tables = changed({"dealer.on_22": "push", "dealer.paid_on_22": ["natural", "doubled"]})
    start = "If the dealer has 22, a blackjack and a doubled hand are paid all the same, "
    assert f"{start}{end}" in says(tables)
    none = changed({"dealer.on_22": "push", "dealer.paid_on_22": []})
    assert f"If the dealer has 22, {end}" in says(none)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"dealer.paid_on_22": ["natural"]},
            'a 22 pushes with no hand: on_22 = "push", or leave it out',
        ),
        (
            {"dealer.on_22": "push", "dealer.paid_on_22": ["doubled"], "double.on": "none"},
            "no hand is doubled in this game",
        ),
        (
            {"dealer.on_22": "push", "dealer.paid_on_22": ["charlie"]},
            "no hand wins by its number of cards in this game",
        ),
        ({"dealer.on_22": "push", "dealer.paid_on_22": ["21", "21"]}, "a hand stands there twice"),
        (
            {
                "dealer.on_22": "push",
                "dealer.paid_on_22": ["two-tens"],
                "bonuses": {
                    "paid": "if-it-wins",
                    "rows": [{"name": "a long 21", "total": 21, "cards": 7, "pays": "2:1"}],
                },
            },
            "first cards that 22 spares are not combined with bonuses",
        ),
    ],
)
def test_hands_that_22_cannot_spare_are_refused(changes: dict[str, Any], problem: str) -> None:
    (found,) = problems(changed_rules("blackjack", changes))
    assert problem in found


# ------------------------------------------------------------------ what a late natural takes

LATE = {"dealer.checks": "none", "surrender.when": "none"}


@pytest.mark.parametrize(
    ("takes", "first", "other", "bust", "other_bust"),
    [
        ("all", (-1, -1), (-1, -1), (-1, -1), (-1, -1)),
        ("original", (-1, 0), (0, 0), (-1, 0), (0, 0)),
        ("original-and-busted", (-1, 0), (0, 0), (-1, -1), (-1, -1)),
        ("each-original", (-1, 0), (-1, 0), (-1, -1), (-1, -1)),
    ],
)
def test_what_a_late_natural_takes(
    takes: str,
    first: Any,
    other: Any,
    bust: Any,
    other_bust: Any,
) -> None:
    """Of a hand's own wager and of what a double added: the first hand and another, also over."""
    tables = changed({**LATE, "dealer.late_natural_takes": takes})
    found = [
        facts.rates(tables, hand, "Ks As", first=is_first, doubles=1)
        for hand in ("5s 6d double 8c", "Ks 6d 6c")
        for is_first in (True, False)
    ]
    assert found == [first, other, bust, other_bust]
    assert all(rate == 1 for rate in facts.rates(tables, "Ks 9d", "Ks 6s 7d", first=False))


def test_what_is_said_of_a_late_natural() -> None:
    start = "A blackjack of the dealer's that shows only at the end takes of"
    for takes, words in {
        "original-and-busted": f"{start} a box the wager that it began with, if it beats the first "
        "hand, and all that is wagered on hands over; whatever else was added comes back.",
        "each-original": f"{start} every hand it beats the wager that this hand began with; what "
        "doubles added comes back, unless the hand is over.",
    }.items():
        assert words in says(changed({**LATE, "dealer.late_natural_takes": takes}))


# ------------------------------------------------------------------ no card face down

NO_HOLE = {"dealer.checks": "none", "deal.dealer_down": 0}


def test_a_dealer_without_a_hole_card() -> None:
    tables = changed(NO_HOLE)
    assert facts.deal_of(tables) == ["position up", "dealer up", "position up"]
    assert "reveal" not in tables.round_plan.kinds
    words = "The dealer gets one card face up, and the second only when all players are done."
    assert words in says(tables)


def test_the_second_card_is_drawn_only_for_who_waits_for_it() -> None:
    """Of every class and up card: what is not settled by the up card waits for the second card."""
    tables = changed(NO_HOLE, late_natural_takes="all")
    bust, natural, nine, ace = (
        tables.class_of("bust"),
        tables.class_of("natural"),
        tables.alphabet.index("9"),
        tables.alphabet.index("A"),
    )
    waits = waiting_classes(tables)
    assert not waits[0, bust].any()
    assert not waits[0, natural, nine]
    assert waits[0, natural, ace]
    assert waits[:, tables.class_of("18")].all()


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"deal.dealer_down": 0},
            'no card lies face down that could be looked at: checks = "none", or dealer_down = 1',
        ),
        (
            {**NO_HOLE, "dealer.draws_from": "own-cards", "dealer.stands_at_cards": 1},
            "a dealer who draws own cards gets them face down at the start",
        ),
    ],
)
def test_a_second_card_that_cannot_wait_is_refused(changes: dict[str, Any], problem: str) -> None:
    assert problem in " ".join(problems(changed_rules("blackjack", changes)))


def test_side_wagers_wait_for_the_second_card() -> None:
    """Lucky Ladies: only a pair of queens of hearts has a better row with the dealer's natural."""
    rules = changed_rules("blackjack", NO_HOLE, {"sides": "lucky-ladies"})
    assert problems(rules) == []
    tables = compile_game(rules)
    asks = second_matters(tables, {"lucky-ladies"}).reshape(52, 52, 52)
    queen, king, ace, nine = (Card.parse(card).number for card in ("Qh", "Ks", "As", "9s"))
    assert asks[queen, queen, ace]
    assert not asks[queen, king, ace]
    assert not asks[queen, queen, nine]
    assert len(second_matters(tables, ())) == 0


# ------------------------------------------------------------------ hands by conditions


def test_doubling_by_total_softness_cards_and_up_card() -> None:
    only = [
        {"total": {"from": 10, "to": 11}, "soft": False},
        {"total": 18, "soft": True, "up": ["3", "4", "5", "6"]},
        {"total": 9, "cards": {"from": 3}},
    ]
    tables = changed({"double.on": "any-count", "double.only": only})
    found = {
        (hand, up): "double" in facts.may(tables, hand, up)
        for hand, up in (
            ("6s 4d", "Ts"),
            ("4s 2d 4c", "Ts"),
            ("5s 4d", "6s"),
            ("4s 2d 3c", "6s"),
            ("As 7d", "6s"),
            ("As 7d", "2s"),
            ("As 2d 5c", "3s"),
            ("As 6d", "6s"),
        )
    }
    assert list(found.values()) == [True, True, False, True, True, False, True, False]
    assert (
        "Of these, only hard totals of 10 to 11, soft totals of 18 against a three, a four, a five "
        "or a six and totals of 9 of 3 or more cards may double down." in says(tables)
    )


def test_surrender_by_total_and_up_card() -> None:
    only = [{"total": {"from": 15, "to": 16}, "soft": False, "up": ["A", "T", "J", "Q", "K"]}]
    tables = changed({"surrender.only": only}, surrender="late")
    hands = [("Ks 6d", "As"), ("Ks 6d", "Js"), ("Ks 6d", "9s"), ("Ks 4d", "As"), ("As 5d", "Ts")]
    assert ["surrender" in facts.may(tables, *hand) for hand in hands] == [1, 1, 0, 0, 0]
    words = "hard totals of 15 to 16 against an ace, a ten, a jack, a queen or a king"
    assert f"Only {words} may be surrendered." in says(tables)
    early = changed({"surrender.only": only}, surrender="early")
    for hand, up in hands:
        may = "surrender" in facts.may(early, hand, up, "early-surrender")
        assert may is ("surrender" in facts.may(tables, hand, up))


def test_pairs_that_are_never_split() -> None:
    never = ["4", "5", "T", "J", "Q", "K"]
    tables = changed({"split.never": never})
    pairs = {rank: "split" in facts.may(tables, f"{rank}s {rank}d", "6s") for rank in "A2456789TK"}
    assert [rank for rank, may in pairs.items() if not may] == ["4", "5", "T", "K"]
    assert "Pairs of fours, fives, tens, jacks, queens or kings may not be split." in says(tables)
    assert "split" not in facts.may(tables, "8s 8d split 4c", "6s")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"double.only": [{}]}, "a condition states nothing"),
        ({"double.only": [{"total": 30}]}, "no such hand has totals of 30 to 30"),
        ({"double.only": [{"cards": 3}]}, "no such hand has cards of 3 to 3: they are 2 to 2"),
        ({"surrender.only": [{"cards": 3}]}, 'need surrender.on = "any-count"'),
        (
            {"surrender.only": [{"up": ["A", "T"]}]},
            "T, J, Q and K play alike: name all of them or none",
        ),
        ({"split.never": ["K"]}, "T, J, Q and K play alike: name all of them or none"),
    ],
)
def test_conditions_that_cannot_be_met_are_refused(changes: dict[str, Any], problem: str) -> None:
    assert problem in " ".join(problems(changed_rules("blackjack", changes)))


# ------------------------------------------------------------------ aces of a doubled hand


def test_aces_of_a_hand_that_doubles_count_one_from_then_on() -> None:
    tables = changed({"double.aces": "one"})
    hands = {
        "As 7d double 9c": "hard 17",
        "As 7d double Ac": "soft 19",
        "As 5d double Kc": "hard 16",
        "As Ad double 9c": "hard 11",
        "As Ad double Ac": "soft 13",
        "5s 6d double Ac": "hard 12",
        "4s 5d double Ac": "soft 20",
        "Ks 6d double 9c": "over",
        "8s 8d split Ac double 5c": "hard 14",
    }
    assert {hand: facts.reads(tables, hand) for hand in hands} == hands
    assert facts.reads(tables, "As 7d 9c") == "hard 17"
    assert facts.reads(tables, "As 7d 2c") == "soft 20"
    assert (
        "Every ace of a hand that doubles counts 1 from then on; an ace that comes then may count "
        "11." in says(tables)
    )
    usual = changed({})
    assert facts.reads(usual, "As Ad double 9c") == "soft 21"


def test_aces_are_not_taken_low_where_a_double_may_bring_a_bonus_card() -> None:
    found = " ".join(problems(changed_rules("ten-sticks-21", {"double.aces": "one"})))
    assert "it is not for games with bonus cards" in found


def test_what_limits_an_action_that_there_is_not_says_nothing() -> None:
    tables = changed(
        {"double.on": "none", "double.only": [{"total": 9}], "double.aces": "one"}, surrender="none"
    )
    assert "No doubling down." in says(tables)
    assert not [text for text in says(tables) if "doubl" in text and text != "No doubling down."]


# ------------------------------------------------------------------ a drawn 21 that always wins


def test_a_drawn_21_wins_against_a_late_natural() -> None:
    always = {
        "natural.against_natural": "3:2",
        "outcomes.tie_at_21": "wins",
        "outcomes.dealer_natural_against_21": "loses",
    }
    tables = changed({**NO_HOLE, **always})
    assert facts.result(tables, "7s 7d 7c", "Ks As") == 1
    assert facts.result(tables, "7s 7d 7c", "7h 6s 8s") == 1
    assert facts.result(tables, "Ks Qd", "Ks As") == -1
    assert facts.is_settled(tables, "7s 7d 7c", up="As")
    assert "A dealer's blackjack loses to a drawn 21." in says(tables)


# ------------------------------------------------------------------ insurance by up card

ANY_UP = ["A", "T", "J", "Q", "K"]
EVEN_MONEY = {"insurance.up": ANY_UP, "insurance.pays_under": dict.fromkeys("TJQK", "10:1")}


def test_insurance_has_odds_by_up_card() -> None:
    tables = changed(EVEN_MONEY)
    payoff, index = tables.payoffs["insurance"], tables.alphabet.index
    assert payoff.won_under(index("A")) == 2
    assert payoff.won_under(index("T")) == 10
    said = says(tables)
    assert "Insurance pays 2 to 1, but for a ten, a jack, a queen or a king up." in said
    assert "With a ten, a jack, a queen or a king up insurance pays 10 to 1." in said
    assert "Insurance pays 10 to 1 or 2 to 1" in [line["words"] for line in lettering(tables)]


def test_the_price_of_insurance_by_up_card() -> None:
    """Six decks: under an ace 96 of 311 cards win 2, under a ten 24 of 311 win 10."""
    found = insurance(BaseGame(changed(EVEN_MONEY)))
    rows = [(int(row.pays), row.combinations) for row in found.returns]
    assert rows == [(10, 96 * 24), (2, 24 * 96), (-1, 24 * 215 + 96 * 287)]
    worth = (24 * (2 * 96 - 215) + 96 * (10 * 24 - 287)) / (120 * 311)
    assert found.ev == pytest.approx(worth, abs=1e-12)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"insurance.pays_under": {"K": "1:1"}}, "no insurance is offered with a king up"),
        ({"insurance.pays_under": {"A": "2:1"}}, "that is what pays = 2:1 says of every up card"),
        (
            {"insurance.up": ANY_UP, "insurance.pays_under": {"K": "1:1"}},
            "ten-value cards play alike: name the same odds for all of them",
        ),
    ],
)
def test_insurance_that_cannot_be_priced_is_refused(changes: dict[str, Any], problem: str) -> None:
    assert problem in " ".join(problems(changed_rules("blackjack", changes)))


# ------------------------------------------------------------------ exchanges


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"dealer.tells": [["2", "3"], ["4"]]}, "an exchange between boxes goes by one up card"),
        ({"table.boxes": 3}, "table.boxes would have to be 2, not 3"),
        ({"exchange.when": "own-turn"}, 'second cards are exchanged "after-check"'),
        ({"exchange.again": False}, "that is about bonus cards"),
    ],
)
def test_exchanges_between_boxes_that_cannot_be(changes: dict[str, Any], problem: str) -> None:
    assert problem in " ".join(problems(changed_rules("blackjack-switch", changes)))
