"""Hand-worked examples from the sources and clauses: the oracle checked against the documents."""

from fractions import Fraction
from itertools import combinations

import pytest

from chance import dice

from . import (
    ACTIONS,
    GAMES,
    VARIANTS,
    dealer_class,
    dealer_draws,
    facts,
    legal,
    player_class,
    poker_rank,
    settle_base,
    settle_box,
    settle_side,
)

BJ = "blackjack"
TS = "ten-sticks-21"
PS = "pure-spanish-21.5"
GC = "games-of-chance-blackjack"
TW = "twisted-21"
BT = "blackjack-tie"
ALL = (BJ, TS, PS, GC, TW, BT)


def hand(words: str) -> list[str]:
    """Cards from a line such as "As Kd"."""
    return words.split()


def allowed(
    game: str,
    settings: dict[str, object],
    words: str,
    up: str,
    *,
    hands: int = 1,
    split_from: str | None = None,
    doubles: int = 0,
    phase: str = "turn",
) -> set[str]:
    """The legal actions as a set."""
    answer = legal(
        game,
        settings,
        hand(words),
        up,
        hands=hands,
        split_from=split_from,
        doubles=doubles,
        phase=phase,
    )
    assert set(answer) == set(ACTIONS)
    return {action for action, reason in answer.items() if reason is None}


def base(
    game: str,
    settings: dict[str, object],
    words: str,
    dealer: str,
    *,
    stake: int = 1000,
    added: int = 0,
    split: bool = False,
    traded: bool = False,
    ended: str | None = None,
    last_double: int = 0,
    first_hand: bool = True,
) -> Fraction:
    """The base wager's result from two lines of cards."""
    return settle_base(
        game,
        settings,
        cards=hand(words),
        dealer=hand(dealer),
        stake=stake,
        added=added,
        split=split,
        traded=traded,
        ended=ended,
        last_double=last_double,
        first_hand=first_hand,
    )


def side(
    game: str,
    settings: dict[str, object],
    wager: str,
    words: str,
    dealer: str,
    *,
    community: str = "",
    split: bool = False,
    ended: str | None = None,
) -> Fraction:
    """A side wager's result from lines of cards."""
    return settle_side(
        game,
        settings,
        wager,
        cards=hand(words),
        dealer=hand(dealer),
        community=hand(community),
        split=split,
        ended=ended,
    )


# --- every game -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ALL)
def test_totals(game: str) -> None:
    assert facts(game, {}, hand("As Ad 9c")).total == 21
    assert facts(game, {}, hand("As Ad 9c")).soft
    assert facts(game, {}, hand("As Ad")).total == 12
    assert facts(game, {}, hand("As 6d Kc")).total == 17
    assert not facts(game, {}, hand("As 6d Kc")).soft
    assert facts(game, {}, hand("Ks Kd 2c")).bust
    assert facts(game, {}, hand("As Kd")).natural
    assert not facts(game, {}, hand("5s 6d Kd")).natural


@pytest.mark.parametrize("game", ALL)
def test_a_hand_of_21_stands_or_asks(game: str) -> None:
    assert allowed(game, {}, "As 4d 6c", "6d") == {"stand"}
    assert allowed(game, {"hand_of_21": "asks"}, "As 4d 6c", "6d") == {"hit", "stand"}
    assert allowed(game, {"hand_of_21": "asks"}, "As Kd", "6d") == {"stand"}


@pytest.mark.parametrize("game", ALL)
def test_nothing_for_a_bust_or_a_single_card(game: str) -> None:
    for phase in ("turn", "insurance", "early-surrender"):
        assert allowed(game, {}, "Ks Qd 2c", "Ah", phase=phase) == set()
        assert allowed(game, {}, "Ks", "Ah", phase=phase) == set()


@pytest.mark.parametrize("game", ALL)
def test_unknown_settings_are_refused(game: str) -> None:
    with pytest.raises(ValueError):
        facts(game, {"no_such_thing": "x"}, hand("As Kd"))
    with pytest.raises(ValueError):
        facts(game, {"hand_of_21": "perhaps"}, hand("As Kd"))


def test_games_are_these_and_the_public_variants() -> None:
    assert set(GAMES) == {*ALL, *VARIANTS, "vegas-strip", "single-deck-6-5", "down-under"}


# --- house blackjack --------------------------------------------------------------------------


def test_house_pair_by_value_rank_and_none() -> None:
    assert facts(BJ, {}, hand("Ks Td")).pair
    assert not facts(BJ, {"split": "rank"}, hand("Ks Td")).pair
    assert facts(BJ, {"split": "rank"}, hand("Ks Kd")).pair
    assert not facts(BJ, {"split": "none"}, hand("Ks Kd")).pair
    assert facts(TW, {}, hand("Ks Kd")).pair is False


def test_house_first_decision() -> None:
    assert allowed(BJ, {}, "8s 8d", "Tc") == {"hit", "stand", "double", "split", "surrender"}
    assert allowed(BJ, {}, "8s 7d", "Tc") == {"hit", "stand", "double", "surrender"}
    assert allowed(BJ, {}, "8s 3d 2c", "Tc") == {"hit", "stand"}
    assert allowed(BJ, {}, "8s 3d 2c", "Tc", doubles=1) == {"stand"}


def test_house_double_options() -> None:
    assert "double" in allowed(BJ, {"double": "9-11"}, "5s 4d", "Tc")
    assert "double" not in allowed(BJ, {"double": "10-11"}, "5s 4d", "Tc")
    assert "double" in allowed(BJ, {"double": "10-11"}, "6s 4d", "Tc")
    assert "double" not in allowed(BJ, {"double": "9-11"}, "As 8d", "Tc")
    assert "double" not in allowed(BJ, {"double": "none"}, "6s 5d", "Tc")
    assert "double" in allowed(BJ, {"double": "any-count"}, "6s 2d 3d", "Tc")
    assert "double" not in allowed(
        BJ, {"double_after_split": False}, "6s 5d", "Tc", hands=2, split_from="6"
    )


def test_house_split_hands() -> None:
    eights = allowed(BJ, {}, "8s 8d", "Tc", hands=2, split_from="8")
    assert eights == {"hit", "stand", "double", "split"}
    assert "split" not in allowed(BJ, {}, "8s 8d", "Tc", hands=4, split_from="8")
    assert allowed(BJ, {}, "As Ad", "Tc", hands=2, split_from="A") == {"stand"}
    again: dict[str, object] = {"resplit_aces": True}
    assert allowed(BJ, again, "As Ad", "Tc", hands=2, split_from="A") == {"stand", "split"}
    assert allowed(BJ, again, "As Ad", "Tc", hands=4, split_from="A") == {"stand"}
    assert allowed(BJ, again, "As 5d", "Tc", hands=2, split_from="A") == {"stand"}
    drawn: dict[str, object] = {"split_aces": "draw"}
    assert allowed(BJ, drawn, "As 5d", "Tc", hands=2, split_from="A") == {
        "hit",
        "stand",
        "double",
    }


def test_house_surrender_after_split() -> None:
    more: dict[str, object] = {"surrender_after_split": True, "split_aces": "draw"}
    assert "surrender" in allowed(BJ, more, "8s 7d", "Tc", hands=2, split_from="8")
    assert "surrender" not in allowed(BJ, more, "As 5d", "Tc", hands=2, split_from="A")


def test_house_insurance_phase() -> None:
    assert allowed(BJ, {}, "8s 7d", "Ac", phase="insurance") == {"insure", "decline"}
    assert allowed(BJ, {}, "As Kd", "Ac", phase="insurance") == {"insure", "decline"}
    assert allowed(BJ, {}, "8s 7d", "Tc", phase="insurance") == set()
    assert allowed(BJ, {"insurance": False}, "8s 7d", "Ac", phase="insurance") == set()


def test_house_early_surrender_phase() -> None:
    early: dict[str, object] = {"surrender": "early"}
    both = {"surrender", "decline"}
    assert allowed(BJ, early, "8s 7d", "Ac", phase="early-surrender") == both
    assert allowed(BJ, early, "8s 7d", "Tc", phase="early-surrender") == both
    assert allowed(BJ, early, "As Kd", "Tc", phase="early-surrender") == {"decline"}
    assert allowed(BJ, early, "8s 7d", "9c", phase="early-surrender") == set()
    assert allowed(BJ, {}, "8s 7d", "Ac", phase="early-surrender") == set()
    assert "surrender" not in allowed(BJ, early, "8s 7d", "Ac")
    assert "surrender" in allowed(BJ, early, "8s 7d", "9c")
    assert "surrender" not in allowed(BJ, {"surrender": "none"}, "8s 7d", "9c")


def test_house_dealer() -> None:
    assert dealer_draws(BJ, {}, hand("Ts 6d"))
    assert not dealer_draws(BJ, {}, hand("As 6d"))
    assert dealer_draws(BJ, {"soft17": "hit"}, hand("As 6d"))
    assert not dealer_draws(BJ, {"soft17": "hit"}, hand("As 6d Tc"))
    assert not dealer_draws(BJ, {"soft17": "hit"}, hand("As 7d"))
    assert dealer_class(BJ, {}, hand("Ts 6d 6c")) == "bust"
    assert dealer_class(BJ, {"dealer_22": "push"}, hand("Ts 6d 6c")) == "22"
    assert dealer_class(BJ, {}, hand("As Td")) == "natural"
    assert dealer_class(BJ, {}, hand("5s 6d Td")) == "21"


def test_house_money() -> None:
    assert base(BJ, {}, "As Kd", "Ts 9d") == 1500
    assert base(BJ, {"natural": "6:5"}, "As Kd", "Ts 9d") == 1200
    assert base(BJ, {}, "As Kd", "As Td") == 0
    assert base(BJ, {}, "As Kd", "5s 6d Td") == 1500
    assert base(BJ, {}, "Ts 9d", "Ts 9d") == 0
    assert base(BJ, {}, "5s 6d Td", "Ts 9d", added=1000) == 2000
    assert base(BJ, {}, "5s 6d 2d", "Ts 9d", added=500) == -1500
    assert base(BJ, {}, "Ts 6d Td", "Ts 6d Td") == -1000
    assert base(BJ, {}, "As Kd", "Ts 9d", split=True) == 1000
    assert base(BJ, {}, "Ts 6d", "Ts 9d", ended="surrender") == -500


def test_house_late_natural() -> None:
    assert base(BJ, {}, "5s 6d Td", "Ts Ad", added=1000) == -1000
    assert base(BJ, {}, "5s 6d Td", "Ts Ad", added=1000, first_hand=False, split=True) == 0
    assert base(BJ, {}, "8s 6d Td", "Ts Ad", first_hand=False, split=True) == 0
    everything: dict[str, object] = {"late_natural_takes": "all"}
    assert base(BJ, everything, "5s 6d Td", "Ts Ad", added=1000) == -2000
    assert base(BJ, everything, "5s 6d Td", "Ts Ad", added=1000, first_hand=False) == -2000
    assert base(BJ, {"peek": "none"}, "Ts 6d", "Ts Ad", ended="surrender") == -1000
    assert base(BJ, {"surrender": "early"}, "Ts 6d", "Ts Ad", ended="surrender") == -500


def test_house_charlie_and_22() -> None:
    charlie: dict[str, object] = {"charlie": 5}
    assert player_class(BJ, charlie, hand("2s 2d 3c 3d 4d")) == "charlie"
    assert player_class(BJ, charlie, hand("2s 2d 3c 3d")) == "10"
    assert allowed(BJ, charlie, "2s 2d 3c 3d 4d", "Tc") == {"stand"}
    assert base(BJ, charlie, "2s 2d 3c 3d 4d", "Ts Ad") == 1000
    push: dict[str, object] = {"dealer_22": "push"}
    assert base(BJ, push, "Ts 9d", "Ts 6d 6c") == 0
    assert base(BJ, push, "As Kd", "Ts 6d 6c") == 1500
    assert base(BJ, push, "Ts 6d 6c", "Ts 6d 6c") == -1000


def test_insurance() -> None:
    for game in (BJ, TS, GC, BT):
        assert side(game, {}, "insurance", "Ts 9d", "As Kd") == 2
        assert side(game, {}, "insurance", "Ts 9d", "As 9d") == -1
        assert side(game, {}, "insurance", "Ts 9d", "As 9d Ac") == -1
    for game in (PS, TW):
        with pytest.raises(ValueError):
            side(game, {}, "insurance", "Ks 9d", "As Kd")


# --- Ten Sticks 21 ----------------------------------------------------------------------------


def test_ts_bonus_card_is_a_ten() -> None:
    assert facts(TS, {}, hand("Tc As")).natural  # TS-2
    assert facts(TS, {}, hand("Tc 9s 5d")).bust  # TS-3
    assert dealer_class(TS, {}, hand("Tc 9s")) == "19"  # TS-9


def test_ts_traded_natural() -> None:
    assert facts(TS, {}, hand("As Kd"), traded=True).natural
    twenty_one: dict[str, object] = {"traded_natural": "twenty-one"}
    assert not facts(TS, twenty_one, hand("As Kd"), traded=True).natural
    assert facts(TS, twenty_one, hand("As Kd")).natural
    assert player_class(TS, twenty_one, hand("As Kd"), traded=True) == "21"
    assert base(TS, {}, "As Kd", "Ts 9d", traded=True) == 1500
    assert base(TS, twenty_one, "As Kd", "Ts 9d", traded=True) == 1000


def test_ts_deadwood_surrenders_split_hands_but_not_aces() -> None:
    assert "surrender" in allowed(TS, {}, "8s 7d", "Ts", hands=2, split_from="8")
    again: dict[str, object] = {"resplit_aces": True}
    assert allowed(TS, again, "As Ad", "Ts", hands=2, split_from="A") == {"stand", "split"}


def test_ts_no_bonus_card_is_waiting() -> None:
    assert allowed(TS, {}, "Tc 6d", "9s") == {"hit", "stand", "double", "surrender"}


# --- Pure Spanish 21.5 ------------------------------------------------------------------------


def test_ps_totals() -> None:
    assert facts(PS, {}, hand("As Kd")).total == Fraction(43, 2)  # PS-V1, PS-V4
    assert facts(PS, {}, hand("As Kd"), split=True).total == 21
    assert not facts(PS, {}, hand("As Kd"), split=True).natural
    assert facts(PS, {"split_natural": "21.5"}, hand("As Kd"), split=True).natural
    assert facts(PS, {}, hand("Ks Kd Ac")).total == 21  # PS-V2
    assert facts(PS, {}, hand("Ks Kd 2c")).bust
    assert facts(PS, {}, hand("Ks Jd")).pair  # PS-O4
    with pytest.raises(ValueError):
        facts(PS, {}, hand("Ts Ad"))  # PS-DECK


def test_ps_chart_1a() -> None:
    assert allowed(PS, {}, "Ks 7d", "6c") == {"stand", "double", "surrender"}
    assert allowed(PS, {}, "Ks Jd", "6c") == {"stand", "double", "split", "surrender"}
    assert allowed(PS, {}, "9s 5d 3c", "6c") == {"stand"}
    assert allowed(PS, {}, "As 6d", "6c") == {"hit", "stand", "double", "surrender"}
    assert allowed(PS, {}, "Ks 6d", "6c") == {"hit", "stand", "double", "surrender"}
    strict: dict[str, object] = {"must_stand": "hit-and-double"}
    assert allowed(PS, strict, "Ks 7d", "6c") == {"stand", "surrender"}
    assert allowed(PS, strict, "As 6d", "6c") == {"hit", "stand", "double", "surrender"}
    asks: dict[str, object] = {"hand_of_21": "asks"}
    assert allowed(PS, asks, "Ks 6d 5c", "6c") == {"stand"}
    assert allowed(PS, asks, "As 4d 6c", "6c") == {"hit", "stand"}


def test_ps_double_double_and_rescue() -> None:
    assert allowed(PS, {}, "6s 5d 4c", "6c", doubles=1) == {"stand", "rescue", "redouble"}
    assert allowed(PS, {}, "6s 5d 4c 2d", "6c", doubles=2) == {"stand", "rescue", "redouble"}
    assert allowed(PS, {}, "6s 5d 2c 2d 2s", "6c", doubles=3) == {"stand", "rescue"}
    assert allowed(PS, {}, "6s 5d Kc", "6c", doubles=1) == {"stand"}
    assert allowed(PS, {"hand_of_21": "asks"}, "6s 5d Kc", "6c", doubles=1) == {
        "stand",
        "rescue",
        "redouble",
    }
    plain = {"stand", "rescue"}
    assert allowed(PS, {"double_double": False}, "6s 5d 4c", "6c", doubles=1) == plain
    assert allowed(PS, {"soft17": "stand"}, "6s 5d 4c", "6c", doubles=1) == plain  # PS-O3a
    strict: dict[str, object] = {"must_stand": "hit-and-double"}
    assert allowed(PS, strict, "6s 5d 7c", "6c", doubles=1) == plain
    assert allowed(PS, strict, "6s 5d 4c", "6c", doubles=1) == plain | {"redouble"}
    assert allowed(PS, {}, "6s 5d Kc 2c", "6c", doubles=2) == set()


def test_ps_splits() -> None:
    assert allowed(PS, {}, "As Ad", "6c", hands=3, split_from="A") == {
        "hit",
        "stand",
        "double",
        "split",
    }
    assert "split" not in allowed(PS, {}, "As Ad", "6c", hands=4, split_from="A")  # PS-O5
    assert allowed(PS, {}, "As 5d", "6c", hands=2, split_from="A") == {"hit", "stand", "double"}
    assert allowed(PS, {}, "As Kd", "6c", hands=2, split_from="A") == {"stand"}
    assert "surrender" not in allowed(PS, {}, "8s 5d", "6c", hands=2, split_from="8")
    for true in (True, "true"):
        after: dict[str, object] = {"surrender_after_split": true}
        assert "surrender" in allowed(PS, after, "8s 5d", "6c", hands=2, split_from="8")


def test_ps_chart_1b() -> None:
    assert dealer_draws(PS, {}, hand("As 6d"))
    assert not dealer_draws(PS, {}, hand("As 7d"))
    assert not dealer_draws(PS, {}, hand("Ks 7d"))
    assert not dealer_draws(PS, {}, hand("As Kd"))
    assert not dealer_draws(PS, {"soft17": "stand"}, hand("As 6d"))


def test_ps_dealer_classes() -> None:
    assert dealer_class(PS, {}, hand("8s 8d 8c")) == "8-8-8"
    assert dealer_class(PS, {}, hand("8s 7d 9c")) == "bust"
    assert dealer_class(PS, {}, hand("As Jc")) == "natural"
    assert dealer_class(PS, {}, hand("Js 7c")) == "17"


def test_ps_who_wins() -> None:
    assert base(PS, {}, "Ks 8d", "Ks 6d 9c") == 1000  # PS-W1
    assert base(PS, {}, "Ks 6d 9c", "Ks 8d") == -1000  # PS-W2
    assert base(PS, {}, "Ks 8d", "9s 9d") == 0  # PS-W3
    assert base(PS, {}, "Ks 9d", "9s 9d") == 1000  # PS-W4
    assert base(PS, {}, "Ks 7d", "9s 9d") == -1000  # PS-W4
    assert base(PS, {}, "Ks 6d 5c", "Ks 5d 6c", added=1000) == 2000  # PS-W5
    assert base(PS, {}, "Ks 6d 9c", "8s 8d 8c") == 0  # PS-W6
    assert base(PS, {}, "Ks 6d 4c", "8s 8d 8c") == 1000  # PS-W1
    assert base(PS, {}, "Ks 6d 9c", "8s 7d 9c") == -1000  # Decided: both over
    assert base(PS, {"both_over": "push"}, "Ks 6d 9c", "8s 7d 9c") == 0


def test_ps_naturals() -> None:
    assert base(PS, {}, "Ks Ad", "Ks 5d 6c") == 1200  # PS-V1
    assert base(PS, {}, "Ks Ad", "Jc Ac") == 1200  # PS-D12
    assert base(PS, {"both_naturals": "1:1"}, "Ks Ad", "Jc Ac") == 1000
    assert base(PS, {}, "Ks 9d", "Jc Ac") == -1000  # PS-D13
    assert base(PS, {}, "As Kd", "Ks 9d", split=True) == 1000
    assert base(PS, {}, "As Kd", "Ks 5d 6c", split=True) == 1000  # PS-W5
    assert base(PS, {"split_natural": "21.5"}, "As Kd", "Ks 9d", split=True) == 1200


def test_ps_rescue_and_surrender() -> None:
    first = base(PS, {}, "6s 5d 2c", "9s 9d", added=1000, last_double=1000, ended="rescue")
    second = base(PS, {}, "6s 5d 2c", "9s 9d", added=3000, last_double=2000, ended="rescue")
    third = base(PS, {}, "6s 5d 2c", "9s 9d", added=7000, last_double=4000, ended="rescue")
    assert [first, second, third] == [Fraction(-1000), Fraction(-2000), Fraction(-4000)]
    for_less = base(PS, {}, "6s 5d 2c", "9s 9d", added=400, last_double=400, ended="rescue")
    assert for_less == -1000
    assert base(PS, {}, "Ks 6d", "9s 9d", ended="surrender", stake=500) == -250
    with pytest.raises(ValueError):
        base(BJ, {}, "6s 5d 2c", "9s 9d", added=1000, last_double=1000, ended="rescue")


def test_ps_match() -> None:
    assert side(PS, {}, "match", "Ks Ks", "Ks 5d") == 18
    assert side(PS, {}, "match", "Ks Kd", "Ks 5d") == 13
    assert side(PS, {}, "match", "Ks 9d", "Ks 5d") == 9
    assert side(PS, {}, "match", "Kh Kd", "Ks 5d") == 8
    assert side(PS, {}, "match", "9h Kd", "Ks 5d") == 4
    assert side(PS, {}, "match", "Qs 5d", "Ks 5d") == -1  # PS-M2: a king is no queen
    both: dict[str, object] = {"match_by": "both-cards"}
    assert side(PS, both, "match", "Qs 5d", "Ks 5d") == 9
    assert side(PS, both, "match", "Kd 5d", "Ks 5d") == 13
    assert side(PS, both, "match", "Kd 9d", "Ks Kd") == 9
    assert side(PS, both, "match", "Kd Kh", "Ks Kd") == 13
    swapped = settle_side(
        PS, {}, "match", cards=hand("5d 9d"), dealer=hand("Ks 5d"), up_first=False
    )
    assert swapped == 9


# --- Games of Chance --------------------------------------------------------------------------


def test_gc_tie_costs_a_dollar() -> None:
    assert base(GC, {}, "Ts 8d", "9s 9d", stake=200) == -100
    assert base(GC, {}, "Ts 8d", "9s 9d", stake=400) == -100
    assert base(GC, {}, "5s 3d Tc", "9s 9d", stake=400, added=400) == -100
    assert base(GC, {}, "As Kd", "Ac Td", stake=400) == 0  # GC-BJ
    assert base(GC, {}, "As Kd", "5c 6d Td", stake=400) == 600
    assert base(GC, {"blackjack_bonus": "half-the-bet"}, "As Kd", "9s 9d", stake=400) == 200


def test_gc_one_dollar_for_each_hand_or_for_the_player() -> None:
    hands: list[dict[str, object]] = [
        {"cards": hand("8s Td"), "stake": 200, "split": True},
        {"cards": hand("8d Kd"), "stake": 200, "split": True},
        {"cards": hand("8c Jd"), "stake": 200, "split": True},
        {"cards": hand("8h 9d"), "stake": 200, "split": True},
    ]
    dealer = hand("9s 9d")
    assert settle_box(GC, {}, hands=hands, dealer=dealer) == -300 - 200
    assert settle_box(GC, {"tie_dollar": "player"}, hands=hands, dealer=dealer) == -100 - 200
    assert settle_box(BJ, {}, hands=hands, dealer=dealer) == -200


def test_gc_natural_under_a_ten() -> None:
    assert base(GC, {}, "5s 6d Td", "Ts Ad", stake=400, added=400) == -800
    equal: dict[str, object] = {"drawn_21": "equal-sums"}
    assert base(GC, equal, "5s 6d Td", "Ts Ad", stake=400, added=400) == -100
    assert base(GC, equal, "5s 6d 9d", "Ts Ad", stake=400, added=400) == -800
    assert base(GC, equal, "As Kd", "5c 6d Td", stake=400) == 600
    original: dict[str, object] = {"late_natural_takes": "original"}
    assert base(GC, original, "5s 6d 9d", "Ts Ad", stake=400, added=400) == -400
    assert base(GC, original, "5s 6d 9d", "Ts Ad", stake=400, first_hand=False) == 0


def test_gc_surrender() -> None:
    assert "surrender" in allowed(GC, {}, "9s 7d", "Ts")
    assert base(GC, {}, "9s 7d", "Ts 9d", stake=400, ended="surrender") == -200
    assert base(GC, {}, "9s 7d", "Ts Ad", stake=400, ended="surrender") == -400
    final: dict[str, object] = {"unchecked_surrender": "final"}
    assert base(GC, final, "9s 7d", "Ts Ad", stake=400, ended="surrender") == -200
    early: dict[str, object] = {"surrender": "early"}
    assert base(GC, early, "9s 7d", "Ts Ad", stake=400, ended="surrender") == -200
    # GC-ACE: the dealer checks under an ace only.
    assert allowed(GC, early, "9s 7d", "As", phase="early-surrender") == {"surrender", "decline"}
    assert allowed(GC, early, "9s 7d", "Ts", phase="early-surrender") == set()
    assert "surrender" in allowed(GC, early, "9s 7d", "Ts")
    assert "surrender" not in allowed(GC, early, "9s 7d", "As")


def test_gc_dealer_stands_on_soft_17() -> None:
    assert not dealer_draws(GC, {}, hand("As 6d"))
    assert dealer_draws(GC, {}, hand("Ts 6d"))


# --- Twisted 21 -------------------------------------------------------------------------------


def test_tw_play() -> None:
    assert allowed(TW, {}, "8s 8d", "Tc") == {"hit", "stand", "double"}
    assert allowed(TW, {}, "8s 2d 2c", "Tc") == {"hit", "stand"}
    assert allowed(TW, {"double": "any-count"}, "8s 2d 2c", "Tc") == {"hit", "stand", "double"}
    assert allowed(TW, {"double": "any-count"}, "8s 2d 2c 2h 3d", "Tc") == {"stand"}  # TW-10
    assert allowed(TW, {}, "8s 8d", "Ac", phase="insurance") == set()
    assert allowed(TW, {}, "8s 3d 2c", "Ac", doubles=1) == {"stand"}


def test_tw_dealer() -> None:
    assert dealer_draws(TW, {}, hand("As 6d"))  # TW-6
    assert dealer_draws(TW, {}, hand("2s 3d 4c 2d"))
    assert not dealer_draws(TW, {}, hand("2s 3d 4c 2d 4d"))  # TW-10
    assert dealer_class(TW, {}, hand("2s 3d 4c 2d 4d")) == "15"


def test_tw_money() -> None:
    assert base(TW, {}, "As Kd", "Tc 9d") == 1200  # TW-7
    assert base(TW, {}, "As Kd", "Tc Ad") == 0  # TW-5
    assert base(TW, {}, "Ts Kd", "Tc Ad") == -1000  # TW-5
    assert base(TW, {}, "Ts 6d", "2s 3d 4c 2d 4d") == 1000
    five = "2s 3d 4c 2d 4h"
    assert base(TW, {}, five, "Tc 9d") == -1000
    assert base(TW, {"five_cards": "wins"}, five, "Tc 9d") == 1000
    assert player_class(TW, {"five_cards": "wins"}, hand(five)) == "charlie"
    assert player_class(TW, {}, hand(five)) == "15"


def test_tw_stud_poker() -> None:
    assert side(TW, {}, "stud-poker", "2s 2d 5c 7d 9h", "Ks Qd 5h 7c 9d") == 1
    assert side(TW, {}, "stud-poker", "2s 4d 5c 7d 9h", "Ks Qd 5h 7c 9d") == -1
    assert side(TW, {}, "stud-poker", "2s 2d 5c 7d 9h", "Qs Jd 5h 7c 9d") == 0
    assert side(TW, {}, "stud-poker", "Kh Qc 5c 7d 9h", "Ks Qd 5h 7c 9d") == 0
    kings: dict[str, object] = {"qualifier": "pair-of-kings"}
    assert side(TW, kings, "stud-poker", "2s 2d 5c 7d 9h", "Ks Qd 5h 7c 9d") == 0
    assert side(TW, kings, "stud-poker", "2s 2d 5c 7d 9h", "Ks Kd 5h 7c 9d") == -1
    assert side(TW, kings, "stud-poker", "2s 2d 5c 7d 9h", "Qs Qd 5h 7c 9d") == 0


def test_tw_stud_bonus_rows() -> None:
    rows = {
        "Ts Js Qs Ks As": 1001,
        "9s Ts Js Qs Ks": 501,
        "As 2s 3s 4s 5s": 501,
        "9s 9d 9c 9h 2s": 251,
        "9s 9d 9c 2h 2s": 101,
        "2s 9s Js Qs Ks": 16,
        "9s Ts Js Qs Kd": 7,
        "9s 9d 9c 3h 2s": 5,
        "9s 9d 3c 3h 2s": 4,
        "Js Jd 9c 3h 2s": 3,
        "As 2d 3c 4h 6s": 11,
        "As 2d 3c 4h 5s": 11,
        "2s 2d 3c 4h 5s": 11,
        "2s 2d 3c 4h 6s": 0,
        "Ts Td 9c 3h 2s": 0,
    }
    for words, pay in rows.items():
        assert side(TW, {}, "stud-bonus", words, "2s") == pay - 1, words


def test_tw_twisted_stud_readings() -> None:
    straight = "As 2d 3c 4h 5s"
    assert side(TW, {"twisted_stud": "last"}, "stud-bonus", straight, "2s") == 6
    assert side(TW, {"twisted_stud": "both"}, "stud-bonus", straight, "2s") == 16
    assert side(TW, {"twisted_stud": "last"}, "stud-bonus", "As 2d 3c 4h 6s", "2s") == 10
    assert side(TW, {"twisted_stud": "both"}, "stud-bonus", "As 2d 3c 4h 6s", "2s") == 10
    assert side(TW, {"twisted_stud": "both"}, "stud-bonus", "Ks 2d 3c 4h 6s", "2s") == -1
    flush = "As 2s 3s 4s 6s"
    assert side(TW, {}, "stud-bonus", flush, "2s") == 15


def test_tw_low_ball() -> None:
    low: dict[str, object] = {"stud_bonus": "five-card-low"}
    assert side(TW, low, "stud-bonus", "2s 3d 4c 5h 7s", "2s") == 40
    assert side(TW, low, "stud-bonus", "2s 3d 4c 5h 8s", "2s") == 25
    assert side(TW, low, "stud-bonus", "2s 3d 4c 5h Qs", "2s") == 2
    assert side(TW, low, "stud-bonus", "2s 3d 4c 5h Ks", "2s") == -1
    assert side(TW, low, "stud-bonus", "2s 3d 4c 5h 6s", "2s") == -1  # a straight
    assert side(TW, low, "stud-bonus", "2s 3s 4s 5s 7s", "2s") == -1  # a flush
    assert side(TW, low, "stud-bonus", "2s 2d 4c 5h 7s", "2s") == -1  # a pair
    assert side(TW, low, "stud-bonus", "As 3d 4c 5h 7s", "2s") == -1  # aces are high
    five: dict[str, object] = {"stud_bonus": "five-card-low", "low_ball": "ace-to-five"}
    assert side(TW, five, "stud-bonus", "As 3s 4s 5s 7s", "2s") == 40
    assert side(TW, five, "stud-bonus", "As 2d 3d 4d 5d", "2s") == 40
    assert side(TW, five, "stud-bonus", "As Ad 3d 4d 5d", "2s") == -1


def test_tw_seven_cards() -> None:
    seven: dict[str, object] = {"stud_bonus": "seven-card"}
    assert side(TW, seven, "stud-bonus", "Ts Js Qs 2d 3d", "2s", community="Ks As") == 250
    assert side(TW, seven, "stud-bonus", "9s 9d 9c 2d 3d", "2s", community="Ks As") == 2
    assert side(TW, seven, "stud-bonus", "9s 9d 8c 8d 3d", "2s", community="Ks As") == -1
    low: dict[str, object] = {"stud_bonus": "seven-card-low"}
    assert side(TW, low, "stud-bonus", "2s 3d 4c Kd Qd", "2s", community="5h 7s") == 15
    # 2-3-4-5-6 is a straight: the 8 takes the place of a card of it.
    assert side(TW, low, "stud-bonus", "2s 3d 4c 5d 6d", "2s", community="8h Ks") == 6
    assert side(TW, low, "stud-bonus", "2s 3d 4c 5d Jd", "2s", community="Jh Ks") == -1
    with pytest.raises(ValueError):
        side(TW, seven, "stud-bonus", "9s 9d 9c 2d 3d", "2s")
    with pytest.raises(ValueError):
        side(TW, {"stud_bonus": "none"}, "stud-bonus", "9s 9d 9c 2d 3d", "2s")


# --- Blackjack Tie ----------------------------------------------------------------------------


def test_bt_example_of_rule_3() -> None:
    player, dealer = "Ts 8d", "9s 9d"
    assert side(BT, {}, "tie-17", player, dealer) == -1
    assert side(BT, {}, "tie-18", player, dealer) == 55
    assert side(BT, {}, "tie-21", player, dealer) == -1
    assert base(BT, {}, player, dealer) == 0  # BT-2


def test_bt_example_of_rule_4() -> None:
    assert side(BT, {}, "left-side", "Ts 8d", "Ts 7d") == -1


def test_bt_pay_table() -> None:
    ties = {
        "17": ("Ts 7d", "tie-17", 50, "left-side"),
        "18": ("Ts 8d", "tie-18", 55, "left-side"),
        "19": ("Ts 9d", "tie-19", 55, "left-side"),
        "20": ("Ts Kd", "tie-20", 25, "right-side"),
        "21": ("Ts 5d 6d", "tie-21", 250, "right-side"),
        "natural": ("Ts Ad", "tie-blackjack", 400, "right-side"),
    }
    sides = {"left-side": 18, "right-side": 24}
    names = [name for _, name, _, _ in ties.values()]
    for words, winner, pay, winning_side in ties.values():
        for name in names:
            expected = pay if name == winner else -1
            assert side(BT, {}, name, words, words) == expected
        for name, side_pay in sides.items():
            expected = side_pay if name == winning_side else -1
            assert side(BT, {}, name, words, words) == expected


def test_bt_21_does_not_tie_blackjack() -> None:
    for wager in ("tie-21", "tie-blackjack", "right-side"):
        assert side(BT, {}, wager, "Ts 5d 6d", "As Kd") == -1  # BT-8
        assert side(BT, {}, wager, "As Kd", "Ts 5d 6d") == -1
        assert side(BT, {}, wager, "As Kd", "Jc Ac", split=True) == -1  # BT-6
    assert side(BT, {}, "tie-21", "As Kd", "Ts 5d 6d", split=True) == 250  # BT-8


def test_bt_split_ten_and_ace() -> None:
    assert player_class(BT, {}, hand("Ks Ad"), split=True) == "21"
    none: dict[str, object] = {"split_ten_ace": "none"}
    assert player_class(BT, none, hand("Ks Ad"), split=True) == "split-ten-ace"
    assert player_class(BT, none, hand("As Kd"), split=True) == "21"
    assert player_class(BT, none, hand("Ks Ad")) == "natural"
    assert side(BT, {}, "tie-21", "Ks Ad", "Ts 5d 6d", split=True) == 250
    assert side(BT, none, "tie-21", "Ks Ad", "Ts 5d 6d", split=True) == -1
    assert base(BT, none, "Ks Ad", "Ts 5d 6d", split=True) == 0
    assert base(BT, none, "Ks Ad", "Ts 9d", split=True) == 1000


def test_bt_busted_and_surrendered() -> None:
    bust = "Ts 6d Kd"
    assert side(BT, {}, "tie-18", bust, bust) == -1
    assert side(BT, {"busted_bonus": "push"}, "tie-18", bust, "9s 9d") == 0
    assert side(BT, {}, "tie-18", "Ts 8d", bust) == -1
    assert side(BT, {}, "tie-18", "Ts 8d", "9s 9d", ended="surrender") == -1
    push: dict[str, object] = {"surrendered_bonus": "push"}
    assert side(BT, push, "tie-18", "Ts 8d", "9s 9d", ended="surrender") == 0


# --- poker ------------------------------------------------------------------------------------


def test_poker_order() -> None:
    ladder = [
        "2s 3d 4c 5h 7s",
        "2s 3d 4c 6h 7s",
        "Ks Qd 4c 6h 7s",
        "As 2d 4c 6h 7s",
        "2s 2d 4c 6h 7s",
        "2s 2d 4c 6h 8s",
        "As Ad 4c 6h 8s",
        "3s 3d 2c 2h 8s",
        "As Ad 2c 2h 3s",
        "As Ad 3c 3h 2s",
        "2s 2d 2c 3h 4s",
        "As 2d 3c 4h 5s",
        "2d 3c 4h 5s 6s",
        "Td Jc Qh Ks As",
        "2s 3s 4s 5s 7s",
        "2s 2d 2c 3h 3s",
        "3s 3d 3c 2h 2s",
        "2s 2d 2c 2h 3s",
        "2s 2d 2c 2h 4s",
        "As 2s 3s 4s 5s",
        "2s 3s 4s 5s 6s",
        "Ts Js Qs Ks As",
    ]
    ranks = [poker_rank(hand(words)) for words in ladder]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(ranks)
    assert poker_rank(hand("Ks Ad 2c 3h 4s"))[0] == 0  # no straight around the corner


def test_poker_counts_in_a_small_deck() -> None:
    """Nines to aces in four suits: 24 cards, 42,504 hands, counted by hand below."""
    deck = [rank + suit for rank in "9TJQKA" for suit in "shdc"]
    counts = [0] * 9
    for five in combinations(deck, 5):
        counts[poker_rank(five)[0]] += 1
    straight_flushes = 2 * 4  # 9-K, T-A
    fours = 6 * 20
    full_houses = 6 * 4 * 5 * 6
    flushes = 4 * 6 - straight_flushes
    straights = 2 * 4**5 - straight_flushes
    threes = 6 * 4 * 10 * 16
    two_pairs = 15 * 36 * 16
    pairs = 6 * 6 * 10 * 64
    highs = 6 * 4**5 - straights - flushes - straight_flushes
    assert counts == [
        highs,
        pairs,
        two_pairs,
        threes,
        straights,
        flushes,
        full_houses,
        fours,
        straight_flushes,
    ]
    assert sum(counts) == 42504


@pytest.mark.chance
def test_poker_rank_ignores_order() -> None:
    chance = dice(21)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "shdc"]
    for _ in range(300):
        five = chance.sample(deck, 5)
        turned = chance.sample(five, 5)
        assert poker_rank(five) == poker_rank(turned)
