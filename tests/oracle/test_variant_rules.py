"""Hand-worked examples of every clause of the public variants: the oracle against variants.md."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from . import (
    ACTIONS,
    GAMES,
    VARIANTS,
    common,
    dealer_class,
    dealer_draws,
    facts,
    legal,
    player_class,
    settle_base,
    settle_side,
    spanish_21,
    undecided,
)
from .every_order import follow
from .plain_round import LEAVE, SWITCH, Question

SP = "spanish-21"
DX = "double-exposure"
SWI = "blackjack-switch"
FB = "free-bet"
SF = "super-fun-21"
PO = "pontoon"
EU = "european-blackjack"
ZA = "zappit"
NO_TENS = (SP, PO)
LOOKS = (SP, SWI, FB, SF)
"""Games with a hole card that the dealer looks at."""
TURN = {"hit", "stand", "double"}
HALF = Fraction(1, 2)


def hand(words: str) -> list[str]:
    """Cards from a line such as "As Kd"."""
    return words.split()


def may(game: str, words: str, up: str = "6d", **more: Any) -> set[str]:
    """The legal actions; settings by their names, the rest as `legal` takes it."""
    own = ("hands", "split_from", "doubles", "phase", "traded")
    settings = {name: value for name, value in more.items() if name not in own}
    asked = {name: value for name, value in more.items() if name in own}
    answer = legal(game, settings, hand(words), up, **asked)
    assert set(answer) == {*ACTIONS, *(("replace",) if game == ZA else ())}
    return {action for action, reason in answer.items() if reason is None}


def wins(game: str, words: str, dealer: str, **more: Any) -> Fraction:
    """What a hand wins with a stake of 10 dollars, in units of it."""
    own = ("stake", "added", "split", "traded", "ended", "last_double", "marker", "first_hand")
    settings = {name: value for name, value in more.items() if name not in own}
    money: dict[str, Any] = {"stake": 1000}
    money.update({name: value for name, value in more.items() if name in own})
    cards = words.split()
    return settle_base(game, settings, cards=cards, dealer=dealer.split(), **money) / 1000


def played(game: str, shoe: str, *answers: str, **settings: Any) -> Fraction:
    """What a whole round wins, in base wagers; every answer must be asked for."""
    for number, answer in enumerate(answers):
        asked = follow(game, settings, tuple(shoe.split()), answers[:number])
        assert isinstance(asked, Question), f"{answer} is not asked for"
        assert answer in asked.actions
    result = follow(game, settings, tuple(shoe.split()), answers)
    assert isinstance(result, Fraction), f"{result} is asked"
    return result


# --- common ground ----------------------------------------------------------------------------


def test_the_oracle_knows_the_variants() -> None:
    assert set(VARIANTS) == {SP, DX, SWI, FB, SF, PO, EU, ZA}
    assert set(VARIANTS) <= set(GAMES)


@pytest.mark.parametrize("game", VARIANTS)
def test_unknown_settings_are_refused(game: str) -> None:
    with pytest.raises(ValueError):
        facts(game, {"no_such_thing": "x"}, ["As", "Kd"])
    with pytest.raises(ValueError):
        facts(game, {"soft17": "perhaps"}, ["As", "Kd"])


@pytest.mark.parametrize("game", VARIANTS)
def test_cv_1_totals(game: str) -> None:
    assert facts(game, {}, hand("As Ad 9c")).total == 21
    assert facts(game, {}, hand("As Ad 9c")).soft
    assert facts(game, {}, hand("As 6d Kc")).total == 17
    assert not facts(game, {}, hand("As 6d Kc")).soft
    assert facts(game, {}, hand("Ks Qd 2c")).bust
    assert may(game, "Ks Qd 2c") == set()
    assert wins(game, "Ks Qd 2c", "Ks 6d Jc") == -1  # both over 21: the player has lost before


@pytest.mark.parametrize("game", VARIANTS)
def test_cv_2_the_dealer_draws_to_16(game: str) -> None:
    assert dealer_draws(game, {}, hand("Ks 6d"))
    assert not dealer_draws(game, {}, hand("Ks 7d"))
    assert not dealer_draws(game, {}, hand("As 7d"))
    assert not dealer_draws(game, {"soft17": "stand"}, hand("As 6d"))
    assert dealer_draws(game, {"soft17": "hit"}, hand("As 6d"))
    assert dealer_draws(game, {"soft17": "hit"}, hand("As 2d 4c"))
    assert not dealer_draws(game, {"soft17": "hit"}, hand("As 6d Kc"))
    default = game != EU  # EU-DECK; SP-17, DX-17, SWI-DECK, FB-DECK, SF-DECK, PO-DECK
    assert dealer_draws(game, {}, hand("As 6d")) is default


@pytest.mark.parametrize("game", VARIANTS)
def test_cv_3_a_natural_is_of_the_deal(game: str) -> None:
    assert facts(game, {}, hand("As Kd")).natural
    assert player_class(game, {}, hand("Kd As")) == "natural"
    assert not facts(game, {}, hand("As Kd"), split=True).natural
    assert player_class(game, {}, hand("As Kd"), split=True) == "21"
    assert not facts(game, {}, hand("5s 6d Kd")).natural
    assert may(game, "As Kd", "Ac") == {"stand"}


@pytest.mark.parametrize("game", LOOKS)
def test_cv_4_a_dealers_natural_ends_the_round(game: str) -> None:
    boxes = 2 if game == SWI else 1
    own = "9s 9h" if game == SWI else "9s"
    for dealer in ("As Kd", "Kd As"):
        up, hole = dealer.split()
        assert played(game, f"{own} {up} {own} {hole}") == -boxes
    assert wins(game, "9s 9d", "As Kd") == -1
    asked = follow(game, {}, tuple(hand(f"{own} 9c {own} Kd")), ())
    assert isinstance(asked, Question)
    assert "Kd" not in asked.seen


@pytest.mark.parametrize("game", VARIANTS)
def test_cv_5_21_stands_and_less_may_be_hit(game: str) -> None:
    assert may(game, "As 4d 6c") == {"stand"}
    for hard in ("Ks 7d", "Ks 8d", "Ks 9d", "Ks 5d 3c 2c"):
        assert "hit" in may(game, hard)
        assert "stand" in may(game, hard)


@pytest.mark.parametrize("game", VARIANTS)
def test_cv_6_a_double_adds_as_much_and_brings_one_card(game: str) -> None:
    assert "double" in may(game, "6s 5d")
    assert {"hit", "double", "split"}.isdisjoint(may(game, "6s 5d 2c", doubles=1))
    assert wins(game, "6s 5d 8c", "Ks 8d", added=1000) == 2
    assert wins(game, "6s 5d 2c", "Ks 8d", added=1000) == -2


@pytest.mark.parametrize("game", VARIANTS)
def test_cv_7_pairs_are_of_equal_value(game: str) -> None:
    most = 3 if game in (PO, ZA) else 4  # PO-SPLIT, ZA-SPLIT; all others to four hands
    assert "split" in may(game, "Js Kd")
    assert "split" in may(game, "8s 8d", hands=most - 1, split_from="8")
    assert "split" not in may(game, "8s 8d", hands=most, split_from="8")
    assert "split" not in may(game, "8s 8d", hands=2, split_from="8", max_hands=2)
    assert "split" not in may(game, "8s 7d")
    assert "split" not in may(game, "4s 4d 8c")


def test_cv_7_hands_are_played_from_left_to_right() -> None:
    # 8-8 split, the first hand gets 8 and is split again: 8-K, 8-9, 8-Q in this order; dealer 18.
    shoe = "8s Kc 8h 8c" + " 8d Ks 9d Qs"
    assert played(FB, shoe, "split", "split", "stand", "stand", "stand") == 0
    # 8-2 stands and has lost its own money; 8-K and 8-J are a push and a push of markers.
    assert played(FB, "8s Kc 8h 8c 8d 2s Kd Js", "split", "split", *["stand"] * 3) == -1


@pytest.mark.parametrize("game", VARIANTS)
def test_cv_8_higher_wins_one_to_one(game: str) -> None:
    assert wins(game, "Ks 9d", "Kd 8c") == 1
    assert wins(game, "Ks 7d", "Kd 8c") == -1
    assert wins(game, "Ks 8d", "Kd 8c") == (-1 if game == DX else 0)  # DX-TIE
    assert wins(game, "As Kd", "7d 7c 7h") > 0  # a natural beats every other 21


@pytest.mark.parametrize("game", VARIANTS)
def test_cv_9_the_dealer_draws_only_for_hands_that_are_undecided(game: str) -> None:
    assert undecided(game, {}, hand("Ks 9d"))
    assert not undecided(game, {}, hand("Ks 9d 5c"))
    assert not undecided(game, {}, hand("As Kd"), dealer=["9c"])
    assert undecided(EU, {}, hand("As Kd"), dealer=["Kc"])
    assert not undecided(EU, {}, hand("As Kd"), dealer=["Kc", "9d"])
    if game != SWI:
        # K-6 hits and busts: no card is left, and none is needed.
        hole = "" if game in (PO, EU) else "5c"
        assert played(game, f"Ks 6c 6d {hole} Jd", "hit") == -1


# --- Spanish 21 -------------------------------------------------------------------------------


@pytest.mark.parametrize("game", NO_TENS)
def test_sp_deck_and_po_deck_have_no_tens(game: str) -> None:
    for call in (
        lambda: facts(game, {}, ["Ts", "5d"]),
        lambda: legal(game, {}, ["Ks", "5d"], "Td"),
        lambda: dealer_draws(game, {}, ["Td"]),
        lambda: dealer_class(game, {}, ["Td", "7d"]),
    ):
        with pytest.raises(ValueError, match="no tens"):
            call()


def test_sp_nat() -> None:
    assert wins(SP, "As Kd", "Ks 9c") == Fraction(3, 2)
    assert wins(SP, "As Kd", "Ac Qd") == Fraction(3, 2)
    assert played(SP, "As Ac Kd Qd") == Fraction(3, 2)
    assert not undecided(SP, {}, ["As", "Kd"])


def test_sp_21() -> None:
    assert wins(SP, "Ks 5d 6c", "7d 7c 7h") == 1
    assert wins(SP, "Ks 5d 6c", "Kd 9c") == 1
    assert not undecided(SP, {}, hand("Ks 5d 6c"))
    assert wins(SP, "As Jd", "7d 7c 7h", split=True) == 1  # Decided: A-J after a split
    assert played(SP, "Ks 9c 5d 7c 6c", "hit") == 1  # the dealer with 16 draws no more


def test_sp_peek() -> None:
    assert wins(SP, "9s 9d", "As Kd") == -1
    assert played(SP, "Ks Ac 9d Kd") == -1


def test_sp_dbl() -> None:
    assert "double" in may(SP, "2s 3d 4c 5d")
    assert "double" in may(SP, "Ks 9d")
    assert "double" in may(SP, "5s 6d", hands=2, split_from="5")
    assert "double" in may(SP, "As 6d", hands=2, split_from="A")
    assert "double" in may(SP, "As 6d 2c", hands=2, split_from="A")
    assert "hit" not in may(SP, "2s 3d 4c", doubles=1)  # Decided: never after a double


def test_sp_rescue() -> None:
    assert may(SP, "5s 4d 2c", doubles=1) == {"stand", "rescue"}
    assert may(SP, "5s 4d 2c", "Ac", doubles=1) == {"stand", "rescue"}  # also against an ace
    assert may(SP, "5s 6d Kc", doubles=1) == {"stand"}  # 21
    assert may(SP, "Ks 6d Kc", doubles=1) == set()  # bust
    assert wins(SP, "5s 4d 2c", "Kd 9c", added=1000, last_double=1000, ended="rescue") == -1
    assert played(SP, "5s 9c 4d 8c 2c", "double", "rescue") == -1


def test_sp_rd() -> None:
    again: dict[str, Any] = {"redouble": True}
    assert "redouble" not in may(SP, "5s 4d 2c", doubles=1)
    assert may(SP, "5s 4d 2c", doubles=1, **again) == {"stand", "rescue", "redouble"}
    assert may(SP, "5s 4d 2c 2d", doubles=2, **again) == {"stand", "rescue", "redouble"}
    assert may(SP, "5s 4d 2c 2d 3d", doubles=3, **again) == {"stand", "rescue"}
    assert "redouble" not in may(SP, "5s 4d", **again)
    shoe = "3s 9c 2d 8c 2c 2h 3d"
    three = ["double", "redouble", "redouble"]
    assert played(SP, shoe, "double", "rescue", **again) == -1
    assert played(SP, shoe, *three[:2], "rescue", **again) == -2
    assert played(SP, shoe, *three, "rescue", **again) == -4
    assert played(SP, shoe, *three, "stand", **again) == -8
    assert played(SP, "3s 9c 2d 8c 2c 2h 9d", *three, "stand", **again) == 8  # 18 against 17
    # 3-2-2-2-Q-2: 21 in six cards by three doubles is paid even money on eight units (SP-BX).
    assert played(SP, "3s 9c 2d 8c 2c 2h 2s Qd", "hit", *three, **again) == 8


def test_sp_split() -> None:
    assert may(SP, "As Ad", hands=2, split_from="A") == TURN | {"split"}
    assert may(SP, "As Ad", hands=4, split_from="A") == TURN
    assert may(SP, "As 5d", hands=2, split_from="A") == TURN
    one_card: dict[str, Any] = {"split_aces": "one-card"}
    assert may(SP, "As 5d", hands=2, split_from="A", **one_card) == {"stand"}


def test_sp_sur() -> None:
    assert "surrender" in may(SP, "Ks 6d", "Ac")
    assert "surrender" not in may(SP, "Ks 3d 3c", "Ac")
    assert "surrender" not in may(SP, "8s 7d", "Ac", hands=2, split_from="8")
    assert "surrender" not in may(SP, "Ks 6d", "Ac", surrender="none")
    assert wins(SP, "Ks 6d", "Ac 9d", ended="surrender") == -HALF
    assert played(SP, "Ks Ac 6d 9d", "surrender") == -HALF
    assert played(SP, "Ks Ac 6d Qd") == -1  # not asked: the dealer has looked


@pytest.mark.parametrize(
    ("words", "odds"),
    [
        ("2s 3d 4c 5h 7d", "3:2"),
        ("2s 2d 3c 3h 4d 7c", "2:1"),
        ("2s 2d 2c 3h 3d 4c 5d", "3:1"),
        ("As Ad Ac 2h 2d 3c 3d 8s", "3:1"),
        ("2s 3d 7c 9h", "1:1"),
    ],
)
@pytest.mark.parametrize("game", NO_TENS)
def test_sp_b5(game: str, words: str, odds: str) -> None:
    assert wins(game, words, "7d 7c 7h") == common.odds(odds)
    assert may(game, words) == {"stand"}


@pytest.mark.parametrize(
    ("words", "odds"),
    [
        ("6s 7d 8c", "3:2"),
        ("8d 6d 7d", "2:1"),
        ("7s 8s 6s", "3:1"),
        ("7s 7d 7c", "3:2"),
        ("7h 7h 7h", "2:1"),
        ("7s 7s 7s", "3:1"),
        ("6s 6d 9c", "1:1"),
        ("Ks 4s 7s", "1:1"),
    ],
)
@pytest.mark.parametrize("game", NO_TENS)
def test_sp_b3(game: str, words: str, odds: str) -> None:
    assert wins(game, words, "Kd 8c") == common.odds(odds)
    assert wins(game, words, "Kd 8c", split=True) == common.odds(odds)
    assert wins(game, words, "Kd 8c", split=True, bonus_after_split=False) == 1
    named = "21" if odds == "1:1" else f"21 paid {odds}"
    assert player_class(game, {}, words.split()) == named


@pytest.mark.parametrize("game", NO_TENS)
def test_sp_bx(game: str) -> None:
    assert wins(game, "6s 7s 8s", "Kd 8c", added=1000) == 2
    assert wins(game, "2s 3d 4c 5h 7d", "Kd 8c", added=1000) == 2
    assert player_class(game, {}, hand("6s 7s 8s"), doubled=True) == "21"


def test_sp_sb() -> None:
    on: dict[str, Any] = {"super_bonus": True}
    assert wins(SP, "7d 7d 7d", "7s 9c") == 2
    assert wins(SP, "7d 7d 7d", "7s 9c", **on) == 2 + 100  # $1,000 on $10
    assert wins(SP, "7d 7d 7d", "7s 9c", stake=2500, **on) == Fraction(5000 + 500_000, 1000)
    assert wins(SP, "7d 7d 7d", "7s 9c", stake=2400, **on) == Fraction(4800 + 100_000, 1000)
    assert wins(SP, "7s 7s 7s", "7s 9c", **on) == 3 + 100
    assert wins(SP, "7d 7d 7h", "7s 9c", **on) == Fraction(3, 2)
    assert wins(SP, "7d 7d 7d", "9s 7c", **on) == 2
    assert wins(SP, "7d 7d 7d", "7s 9c", split=True, **on) == 2
    assert wins(SP, "7d 7d 7d", "7s 9c", added=1000, **on) == 2
    assert spanish_21.ENVY == 5000
    assert wins(PO, "7d 7d 7d", "7s 9c", **on) == 2 + 100  # PO-BON


def test_sp_ins() -> None:
    assert may(SP, "Ks 6d", "Ac", phase="insurance") == {"insure", "decline"}
    assert may(SP, "Ks 6d", "Kc", phase="insurance") == set()
    cards, natural, none = ["Ks", "6d"], ["Ac", "Kd"], ["Ac", "9d"]
    assert settle_side(SP, {}, "insurance", cards=cards, dealer=natural) == 2
    assert settle_side(SP, {}, "insurance", cards=cards, dealer=none) == -1


# --- Double Exposure --------------------------------------------------------------------------


def test_dx_up_both_cards_are_seen() -> None:
    asked = follow(DX, {}, ("9s", "Kd", "9d", "6c"), ())
    assert isinstance(asked, Question)
    assert asked.seen == ("9s", "Kd", "9d", "6c")
    assert may(DX, "Ks 6d", "Ac", phase="insurance") == set()
    assert may(DX, "Ks 6d", "Ac") == {"hit", "stand"}
    with pytest.raises(ValueError):
        settle_side(DX, {}, "insurance", cards=["Ks", "6d"], dealer=["Ac", "Kd"])


def test_dx_17_a_dealt_soft_17_is_hit() -> None:
    assert played(DX, "Ks Ac 8d 6c 3d", "stand") == -1  # 18 against A-6-3
    assert played(DX, "Ks Ac 8d 6c 3d", "stand", soft17="stand") == 1


def test_dx_nat() -> None:
    assert wins(DX, "As Kd", "Kc 9d") == 1
    assert wins(DX, "As Kd", "7d 7c 7h") == 1  # a natural against another 21 is no tie
    assert wins(DX, "As Kd", "Kc 9d", split=True) == 1


def test_dx_tie() -> None:
    assert wins(DX, "Ks 8d", "Kd 8c") == -1
    assert wins(DX, "6s 2d Kc", "Kd 8c", added=1000) == -2
    assert wins(DX, "8s Kd", "Kd 8c", split=True) == -1
    assert wins(DX, "Ks 5d 6c", "7d 7c 7h") == -1  # 21 against 21
    assert wins(DX, "As Kd", "7d 7c 7h", split=True) == -1  # no natural after a split


def test_dx_dbl_an_ace_that_counts_one_once_doubled() -> None:
    one = {"double": "9-11-soft", "doubled_ace": "one"}
    # A-8 doubled: with a king 19, or by the reading too; with a deuce 21, or by the reading 11.
    assert played(DX, "As Tc 8d 8c Kd", "double", double="9-11-soft") == 2
    assert played(DX, "As Tc 8d 8c Kd", "double", **one) == 2
    assert played(DX, "As Tc 8d 8c 2d", "double", double="9-11-soft") == 2
    assert played(DX, "As Tc 8d 8c 2d", "double", **one) == -2
    # 6-5 doubled: an ace that comes may count 11 if it can, and 12 it is in any case.
    assert played(DX, "6s Tc 5d 8c Ad", "double", **one) == -2


def test_dx_nn() -> None:
    assert wins(DX, "As Kd", "Ac Qd") == 1
    assert wins(DX, "As Kd", "Ac Qd", both_natural="push") == 0
    assert played(DX, "As Ac Kd Qd") == 1


def test_dx_dn() -> None:
    assert played(DX, "9s Kc 9d Ad") == -1
    assert wins(DX, "7s 7d 7c", "Ac Kd") == -1


def test_dx_dbl() -> None:
    assert "double" in may(DX, "5s 4d")
    assert "double" in may(DX, "6s 5d")
    assert "double" not in may(DX, "5s 3d")
    assert "double" not in may(DX, "As 8d")
    assert "double" not in may(DX, "2s 3d 5c")
    assert "double" in may(DX, "As 8d", double="9-11-soft")
    assert "double" in may(DX, "As 9d", double="9-11-soft")
    assert "double" not in may(DX, "As 7d", double="9-11-soft")
    assert "double" not in may(DX, "Ks 9d", double="9-11-soft")
    assert "double" in may(DX, "5s 4d", double="9-11-soft")
    assert "double" in may(DX, "5s 3d", double="any-two")
    assert "double" in may(DX, "5s 6d", hands=2, split_from="5")
    assert "double" not in may(DX, "5s 6d", hands=2, split_from="5", double_after_split=False)
    # Decided: the ace of a doubled soft 19 stays flexible: A-8-5 is 14, A-8-2 is 21.
    assert wins(DX, "As 8d 2c", "Kd Qc", added=1000, double="9-11-soft") == 2


def test_dx_split() -> None:
    assert may(DX, "As Ad", hands=2, split_from="A") == {"stand"}
    assert may(DX, "As 9d", hands=2, split_from="A") == {"stand"}
    assert "split" not in may(DX, "8s 8d", hands=2, split_from="8", max_hands=2)


def test_dx_tens() -> None:
    assert "split" in may(DX, "Ks Td")
    assert "split" not in may(DX, "Ks Td", split="rank")
    assert "split" in may(DX, "Ks Kd", split="rank")


# --- Blackjack Switch -------------------------------------------------------------------------


def test_swi_box_first_cards_to_both_then_second_cards_to_both() -> None:
    # Box 1: K-9, box 2: Q-8, dealer 7 up, T below: 19 and 18 against 17.
    asked = follow(SWI, {}, tuple(hand("Ks Qs 7c 9d 8d Tc")), ())
    assert asked == Question(("Ks", "Qs", "7c", "9d", "8d", "??"), (SWITCH, LEAVE))
    assert played(SWI, "Ks Qs 7c 9d 8d Tc", LEAVE, "stand", "stand") == 2


def test_swi_peek_before_the_switch() -> None:
    # Box 1 is dealt A-K, box 2 Q-6.
    assert played(SWI, "As Qs Ac Kd 6d Tc") == -1  # 0 and -1
    assert played(SWI, "As Ad Tc Kd Qd Ac") == 0
    assert wins(SWI, "As Kd", "Ac Tc") == 0
    assert wins(SWI, "As Kd", "Ac Tc", traded=True) == -1
    # The house may let a natural win always.
    assert played(SWI, "As Qs Ac Kd 6d Tc", both_natural="win") == 0  # 1 and -1
    assert wins(SWI, "As Kd", "Ac Tc", both_natural="win", split=True) == -1


def test_swi_sw_exchanges_the_second_cards() -> None:
    # K-5 and 6-Q become K-Q and 6-5; 6-5 doubles and gets 9; dealer 7-T.
    shoe = "Ks 6s 7c 5d Qd Tc 9d"
    assert played(SWI, shoe, SWITCH, "stand", "double") == 3
    assert played(SWI, shoe, LEAVE, "stand", "stand") == -2


def test_swi_nat() -> None:
    assert wins(SWI, "As Kd", "Kc 9d") == 1
    assert wins(SWI, "As Kd", "Kc 6d 6c") == 1  # a 22 does not touch it
    assert wins(SWI, "As Kd", "7d 7c 7h") == 1
    # The natural of box 1 stands by itself, box 2 with 9-9 stands; dealer T-7.
    assert played(SWI, "As 9s Tc Kd 9d 7c", LEAVE, "stand") == 2
    # It may be switched away: A-9 and 9-K, both win against 17.
    assert played(SWI, "As 9s Tc Kd 9d 7c", SWITCH, "stand", "stand") == 2


def test_swi_s21() -> None:
    assert wins(SWI, "As Kd", "7d 7c 7h", traded=True) == 0
    assert wins(SWI, "As Kd", "Kc 6d 6c", traded=True) == 0
    assert wins(SWI, "As Kd", "Kc 9d", traded=True) == 1
    assert wins(SWI, "As Kd", "7d 7c 7h", split=True) == 0
    assert wins(SWI, "As Kd", "Kc 6d 6c", traded=True, switched_natural="natural") == 1
    assert wins(SWI, "As Kd", "Kc 6d 6c", split=True, switched_natural="natural") == 0
    # A-6 and 5-K become A-K and 5-6: 21 pushes against the dealer's T-5-7, 5-6-9 too.
    assert played(SWI, "As 5s Tc 6d Kd 5c 9d 7c", SWITCH, "hit", "stand") == 0
    # An A-K whose king is exchanged for the other box's king is brought together by the switch.
    assert played(SWI, "As 5s Tc Kh Kd 6c 6h", SWITCH, "stand") == 0
    assert played(SWI, "As 5s Tc Kh Kd 6c 6h", LEAVE, "stand") == 1


def test_swi_22() -> None:
    assert dealer_class(SWI, {}, hand("Kc 6d 6c")) == "22"
    assert dealer_class(SWI, {}, hand("Kc 6d 7c")) == "bust"
    assert dealer_class(SWI, {}, hand("As 5d 6c")) == "12"  # the ace counts 1
    assert wins(SWI, "Ks 9d", "Kc 6d 6c") == 0
    assert wins(SWI, "6s 5d 9d", "Kc 6d 6c", added=1000) == 0
    assert wins(SWI, "Ks 9d 5c", "Kc 6d 6c") == -1  # bust
    assert wins(SWI, "Ks 2d", "Kc 6d 7c") == 1


def test_swi_play() -> None:
    assert may(SWI, "8s 8d", "Ac") == TURN | {"split"}
    assert may(SWI, "8s 3d", hands=2, split_from="8") == TURN
    assert may(SWI, "8s 3d 2c") == {"hit", "stand"}
    assert may(SWI, "As Ad", hands=2, split_from="A") == {"stand"}
    assert "split" in may(SWI, "As Ad", hands=2, split_from="A", resplit_aces=True)
    # Box 1 splits its eights; box 2 may still split its nines.
    shoe = "8s 9s Tc 8d 9d 8c Ks Kd Qs Qd"
    assert played(SWI, shoe, LEAVE, "split", "stand", "stand", "split", "stand", "stand") == 2


# --- Free Bet ---------------------------------------------------------------------------------


def test_fb_nat() -> None:
    assert wins(FB, "As Kd", "Kc 9d") == Fraction(3, 2)
    assert wins(FB, "As Kd", "Kc 6d 6c") == Fraction(3, 2)
    assert wins(FB, "As Kd", "Ac Qd") == 0
    assert played(FB, "As Ac Kd Qd") == 0
    assert not undecided(FB, {}, ["As", "Kd"])


def test_fb_22() -> None:
    assert wins(FB, "Ks 9d", "Kc 6d 6c") == 0
    assert wins(FB, "As Kd", "Kc 6d 6c", split=True) == 0
    assert wins(FB, "Ks 2d", "Kc 6d 7c") == 1
    assert wins(FB, "Ks 9d 5c", "Kc 6d 6c") == -1


def test_fb_fd() -> None:
    # 5-4 against T-8: the double is free.
    assert played(FB, "5s Tc 4d 8c Kd", "double") == 2  # 19
    assert played(FB, "5s Tc 4d 8c 2d", "double") == -1  # 11
    assert played(FB, "5s Tc 4d 8c 9d", "double") == 0  # 18
    assert played(FB, "5s Tc 4d 6c Kd 6d", "double") == 0  # dealer 22
    for cards in ("5s 4d", "6s 4d", "8s 3d"):
        assert GAMES[FB].double_is_free({}, cards.split())
    for cards in ("As 8d", "As 9d", "5s 3d", "7s 5d", "2s 3d 4c"):
        assert not GAMES[FB].double_is_free({}, cards.split())
    assert "double" not in may(FB, "2s 3d 4c")
    # The trial of 2012: any number of cards, but nothing else of more than two.
    assert "double" in may(FB, "2s 3d 4c", free_double_cards="any")
    for cards in ("2s 3d 3c", "As 6d 2c", "2s 3d 7c"):
        assert "double" not in may(FB, cards, free_double_cards="any")
    shoe = "2s Tc 3d 8c 4c Kd"
    assert played(FB, shoe, "hit", "double", free_double_cards="any") == 2  # 19
    shoe = "2s Tc 3d 8c 4c 2d"
    assert played(FB, shoe, "hit", "double", free_double_cards="any") == -1  # 11
    # Refusing it: a hit on 9.
    assert played(FB, "5s Tc 4d 8c Kd", "hit", "stand") == 1


def test_fb_fs() -> None:
    # 8-8 against T-7, 17. Own hand 8-K wins 1; the marker hand wins 1 or loses nothing.
    assert played(FB, "8s Tc 8d 7c Kd Qd", "split", "stand", "stand") == 2
    assert played(FB, "8s Tc 8d 7c Kd 2d 3d", "split", "stand", "hit", "stand") == 1
    assert played(FB, "8s Tc 8d 7c 2d Qd", "split", "stand", "stand") == 0
    assert played(FB, "8s Tc 8d 7c 2d 3d", "split", "stand", "stand") == -1
    # 4-4 is split free, but not in the trial of 2012.
    assert played(FB, "4s Tc 4d 7c Kd Qd", "split", "stand", "stand") == -1
    assert played(FB, "4s Tc 4d 7c Kd Qd", "split", "stand", "stand", fours="own") == -2
    # Resplit: the new hand beside a marker hand has a marker too.
    shoe = "8s Tc 8d 7c Kd 8h Qd Jd"
    assert played(FB, shoe, "split", "stand", "split", "stand", "stand") == 3
    shoe = "8s Tc 8d 7c 8h 2d 2c 2h"
    assert played(FB, shoe, "split", "split", "stand", "stand", "stand") == -1


def test_fb_fs_one_free_split() -> None:
    one: dict[str, object] = {"free_splits": "one"}
    # 8-8-8 and 20 against T-7, 17: one wager of one's own, a marker, and one more of one's own.
    shoe = "8s Tc 8d 7c 8h Kd Qd Jd"
    assert played(FB, shoe, "split", "split", "stand", "stand", "stand", **one) == 3
    # The hand that the second split made is lost, with its wager; the marker hand with nothing.
    shoe = "8s Tc 8d 7c 8h Kd 2d Jd"
    assert played(FB, shoe, "split", "split", "stand", "stand", "stand", **one) == 1
    shoe = "8s Tc 8d 7c 8h Kd Qd 2d"
    assert played(FB, shoe, "split", "split", "stand", "stand", "stand", **one) == 2
    # The marker hand splits: it keeps the marker, and the new hand has a wager.
    shoe = "8s Tc 8d 7c Kd 8h 2d 3d"
    assert played(FB, shoe, "split", "stand", "split", "stand", "stand", **one) == 0
    assert played(FB, shoe, "split", "stand", "split", "stand", "stand") == 1


def test_fb_own() -> None:
    # 7-5 doubled with own money.
    assert played(FB, "7s Tc 5d 8c 9d", "double") == 2  # 21
    assert played(FB, "7s Tc 5d 8c 2d", "double") == -2
    # A-8 soft 19 doubled with own money.
    assert played(FB, "As Tc 8d 8c 2d", "double") == 2
    # Tens split with own money: both lose.
    assert played(FB, "Ks Tc Qd 8c 7d 6d", "split", "stand", "stand") == -2
    assert played(FB, "Ks Tc Qd 8c 9d 9h", "split", "stand", "stand") == 2
    # A marker hand doubled with own money: 8-4 is no free double.
    shoe = "8s Tc 8d 8c Td 4d"
    assert played(FB, shoe + " 9d", "split", "stand", "double") == 0 + 2
    assert played(FB, shoe + " 2d", "split", "stand", "double") == 0 - 1
    # A marker hand that doubles free wins 2 and loses nothing: 8-3.
    shoe = "8s Tc 8d 8c Td 3d"
    assert played(FB, shoe + " 9d", "split", "stand", "double") == 0 + 2
    assert played(FB, shoe + " 2d", "split", "stand", "double") == 0
    # The first hand keeps the real wager: 8-3 doubled free and lost costs one.
    assert played(FB, "8s Tc 8d 8c 3d 2d Td", "split", "double", "stand") == -1


def test_fb_split() -> None:
    assert may(FB, "As Ad", hands=3, split_from="A") == {"stand", "split"}
    assert may(FB, "As Ad", hands=4, split_from="A") == {"stand"}
    assert may(FB, "As 9d", hands=2, split_from="A") == {"stand"}
    assert played(FB, "As Tc Ad 8c Kd Qd", "split") == 2  # two 21s, paid 1 to 1 each


def test_fb_sur() -> None:
    assert "surrender" not in may(FB, "Ks 6d", "Kc")
    assert "surrender" in may(FB, "Ks 6d", "Kc", surrender="late")
    assert played(FB, "Ks Tc 6d 8c", "surrender", surrender="late") == -HALF


# --- Super Fun 21 -----------------------------------------------------------------------------


def test_sf_nat() -> None:
    assert wins(SF, "As Kd", "Kc 9d") == 1
    assert wins(SF, "Ad Kd", "Kc 9d") == 2
    assert wins(SF, "Ad Td", "Ac Qd") == 2
    assert wins(SF, "As Kd", "Ac Qd") == 1
    assert wins(SF, "Ad Kd", "Kc 9d", split=True) == 1
    assert played(SF, "Ad Ac Kd Qd") == 2


def test_sf_5() -> None:
    assert wins(SF, "2s 3d 4c 5h 7d", "7d 7c 7h") == 2
    assert wins(SF, "As Ad Ac 2h 2d 4c Ts", "Kd 9c") == 2
    assert wins(SF, "2s 3d 4c 5h 7d", "Kd 9c", split=True) == 2
    assert wins(SF, "2s 3d 4c 5h 7d", "Kd 9c", added=1000) == 2  # doubled: 1 to 1
    assert wins(SF, "2s 3d 4c 5h 7d", "7d 7c 7h", added=1000) == 0
    assert wins(SF, "2s 3d 7c 9h", "7d 7c 7h") == 0  # four cards: an ordinary 21
    assert may(SF, "2s 3d 4c 5h 7d") == {"stand"}
    assert not undecided(SF, {}, hand("2s 3d 4c 5h 7d"))


def test_sf_6() -> None:
    assert wins(SF, "2s 2d 3c 3h 4d 5c", "Kd Qc") == 1
    assert wins(SF, "2s 2d 3c 3h 4d 5c", "Kd Qc", split=True) == 1
    assert wins(SF, "2s 2d 3c 3h 4d 5c", "Kd Qc", added=1000) == -2
    assert wins(SF, "As Ad Ac 2s 2d 3c", "Kd Qc") == 1  # soft 20
    assert may(SF, "2s 2d 3c 3h 4d 5c") == {"stand"}
    assert may(SF, "2s 2d 3c 3h 4d 5c", doubles=1) == {"stand", "surrender"}
    assert may(SF, "2s 2d 3c 3h 4d") == TURN | {"surrender"}
    assert undecided(SF, {}, hand("2s 2d 3c 3h 4d 5c"), doubled=True)
    assert not undecided(SF, {}, hand("2s 2d 3c 3h 4d 5c"))


def test_sf_dbl() -> None:
    assert "double" in may(SF, "2s 3d 4c 5d")
    assert "double" in may(SF, "8s 3d", hands=2, split_from="8")
    assert may(SF, "2s 3d 4c", doubles=1) == {"stand", "surrender"}


def test_sf_split() -> None:
    assert may(SF, "As Ad", hands=2, split_from="A") == TURN | {"split", "surrender"}
    assert may(SF, "As Ad", hands=4, split_from="A") == TURN | {"surrender"}
    assert may(SF, "As 5d 2c", hands=2, split_from="A") == TURN | {"surrender"}


def test_sf_sur() -> None:
    assert "surrender" in may(SF, "Ks 6d", "Ac")
    assert "surrender" in may(SF, "Ks 3d 3c", "Ac")
    assert "surrender" in may(SF, "8s 7d", "Ac", hands=2, split_from="8")
    assert may(SF, "6s 5d 2c", "Ac", doubles=1) == {"stand", "surrender"}
    assert may(SF, "6s 5d Kc", "Ac", doubles=1) == {"stand"}
    assert wins(SF, "Ks 3d 3c", "Ac 9d", ended="surrender") == -HALF
    assert wins(SF, "6s 5d 2c", "Ac 9d", added=1000, ended="surrender") == -1
    assert played(SF, "6s 9c 5d 8c 2d", "double", "surrender") == -1
    assert (
        played(SF, "8s 9c 8d 8c 7d 3d 2d", "split", "surrender", "double", "surrender") == -HALF - 1
    )


# --- Pontoon ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [PO, EU])
def test_po_nhc_and_eu_nhc_the_dealer_has_one_card(game: str) -> None:
    asked = follow(game, {}, tuple(hand("9s Kc 9d Ad")), ())
    assert isinstance(asked, Question)
    assert asked.seen == ("9s", "Kc", "9d")
    # The next card is the player's, not the dealer's: 9-3-7 wins against K-8.
    assert played(game, "9s Kc 3d 7d 8d", "hit", "stand") == 1


def test_po_21() -> None:
    assert wins(PO, "As Kd", "Kc 9d") == Fraction(3, 2)
    assert wins(PO, "As Kd", "Ac Qd") == Fraction(3, 2)
    assert wins(PO, "Ks 5d 6c", "Ac Qd") == 1
    assert wins(PO, "5s 6d Kc", "Ac Qd", added=1000) == 2
    assert wins(PO, "As Kd", "Ac Qd", split=True) == 1
    assert played(PO, "As Kc Kd") == Fraction(3, 2)  # at once: no dealer's card is left
    assert played(PO, "Ks Ac 5d 6c", "hit") == 1


def test_po_bon() -> None:
    assert wins(PO, "6s 7s 8s", "Ac Qd") == 3
    assert wins(PO, "2s 3d 4c 5h 7d", "Ac Qd") == Fraction(3, 2)


def test_po_obbo() -> None:
    assert wins(PO, "Ks 9d", "Ac Qd") == -1
    assert wins(PO, "6s 5d 9d", "Ac Qd", added=1000) == -1
    assert wins(PO, "6s 5d 9d", "Ac Qd", added=1000, late_natural_takes="all") == -2
    assert wins(PO, "9s 6d Qd", "Ac Kd", added=1000) == -2  # bust: lost anyway
    assert wins(PO, "8s Kd", "Ac Qd", split=True, first_hand=False) == -1
    # 8-8 split; 8-3 doubled to 20, 8-Q stands: two original wagers are lost, one goes back.
    assert played(PO, "8s Ac 8d 3d 9d Qd Kc", "split", "double", "stand") == -2
    # The same with the doubled hand over 21: 8-6-Q costs two, 8-Q one.
    assert played(PO, "8s Ac 8d 6d Qd Qh Kc", "split", "double", "stand") == -3
    # The first hand 21 wins, the other loses its own.
    assert played(PO, "8s Ac 8d 3d Qd Qh Kc", "split", "double", "stand") == 2 - 1


def test_po_dbl() -> None:
    assert "double" in may(PO, "2s 3d 4c 5d")
    assert may(PO, "2s 3d 4c", doubles=1) == {"stand"}
    # A-6 doubled: the ace counts 1 from then on.
    assert facts(PO, {}, hand("As 6d 3c"), doubled=True).total == 10
    assert facts(PO, {}, hand("As 6d 3c")).total == 20
    assert facts(PO, {}, hand("As 6d Kc"), doubled=True).total == 17
    # A new ace may count 11: 5-4-A is 20, A-5-A is 17.
    assert facts(PO, {}, hand("5s 4d Ac"), doubled=True).total == 20
    assert facts(PO, {}, hand("5s 4d Ac"), doubled=True).soft
    assert facts(PO, {}, hand("As 5d Ac"), doubled=True).total == 17
    assert facts(PO, {}, hand("As 9d Ac"), doubled=True).total == 21
    assert facts(PO, {}, hand("Ks 5d Ac"), doubled=True).total == 16
    assert wins(PO, "As 6d 3c", "Kd 7c", added=1000) == -2
    assert played(PO, "As 9c 6d 4d 8d", "double") == -2  # 11, not 21
    assert "double" in may(PO, "8s 3d", hands=2, split_from="8")


def test_po_split() -> None:
    assert "split" in may(PO, "8s 8d", hands=2, split_from="8")
    assert "split" not in may(PO, "8s 8d", hands=3, split_from="8")
    assert may(PO, "As Ad", hands=2, split_from="A") == {"stand"}
    assert may(PO, "As 5d", hands=2, split_from="A") == {"stand"}


def test_po_sur() -> None:
    assert "surrender" not in may(PO, "Ks 6d", "Ac")
    late: dict[str, Any] = {"surrender": "late"}
    assert "surrender" in may(PO, "Ks 6d", "Ac", **late)
    assert "surrender" in may(PO, "Ks 6d", "Qc", **late)
    assert "surrender" not in may(PO, "Ks 6d", "9c", **late)
    assert played(PO, "Ks Ac 6d 9d", "surrender", **late) == -HALF
    assert played(PO, "Ks Ac 6d Qd", "surrender", **late) == -1
    rescue: dict[str, Any] = {"rescue": True}
    assert may(PO, "5s 4d 2c", doubles=1, **rescue) == {"stand", "rescue"}
    assert wins(PO, "5s 4d 2c", "Ac Kd", added=1000, last_double=1000, ended="rescue") == -1


# --- European blackjack -----------------------------------------------------------------------


def test_eu_deck_the_dealer_stands_on_soft_17() -> None:
    assert played(EU, "Ks Ac 8d 6d", "stand") == 1


def test_eu_all() -> None:
    assert wins(EU, "6s 5d 9d", "Ac Qd", added=1000) == -2
    assert wins(EU, "7s 7d 7c", "Ac Qd") == -1  # Decided: a 21 in three cards loses
    assert wins(EU, "As Kd", "Ac Qd") == 0
    assert wins(EU, "As Kd", "Ac Qd", split=True) == -1
    # 8-8 split, 8-3 doubled to 20, 8-Q: three wagers, or by the option two.
    shoe = "8s Ac 8d 3d 9d Qd Kc"
    assert played(EU, shoe, "split", "double", "stand") == -3
    assert played(EU, shoe, "split", "double", "stand", late_natural_takes="original") == -2
    # By the option a busted doubled hand has lost two all the same.
    shoe = "8s Ac 8d 6d Qd Qh Kc"
    assert played(EU, shoe, "split", "double", "stand", late_natural_takes="original") == -3


def test_eu_nat() -> None:
    assert wins(EU, "As Kd", "Kc 9d") == Fraction(3, 2)
    assert played(EU, "As 9c Kd") == Fraction(3, 2)  # no second card of the dealer is needed
    assert played(EU, "As Kc Kd Ad") == 0
    assert played(EU, "As Kc Kd 5d") == Fraction(3, 2)  # nor a third one here


def test_eu_dbl() -> None:
    assert "double" in may(EU, "As 8d")
    assert "double" not in may(EU, "2s 3d 5c")
    assert "double" in may(EU, "5s 4d", double="9-11")
    assert "double" not in may(EU, "As 8d", double="9-11")
    assert "double" in may(EU, "8s 3d", hands=2, split_from="8")
    assert "double" not in may(EU, "8s 3d", hands=2, split_from="8", double_after_split=False)


def test_eu_split() -> None:
    assert may(EU, "As Ad", hands=2, split_from="A") == {"stand"}
    assert "split" not in may(EU, "8s 8d", hands=2, split_from="8", max_hands=2)


def test_eu_sur() -> None:
    assert "surrender" not in may(EU, "Ks 6d", "Ac")
    with pytest.raises(ValueError):
        may(EU, "Ks 6d", "Ac", surrender="late")


# --- independence -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *(game.replace("-", "_") for game in VARIANTS),
        "variants",
        "plain_round",
        "every_order",
        "exact_play",
    ],
)
def test_nothing_of_the_product_is_imported(name: str) -> None:
    text = Path(__file__).with_name(f"{name}.py").read_text()
    imports = [line for line in text.splitlines() if line.startswith(("import ", "from "))]
    assert imports
    assert not any("upcard" in line for line in imports)
