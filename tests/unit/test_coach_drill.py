"""Drills: hands of one kind, as plain data, judged like any others."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from msgspec.structs import replace

import upcard
from conftest import compiled
from upcard import GAME_IDS
from upcard.coach import Drill, DrillAnswer, DrillHand, drill_kinds
from upcard.errors import UpcardError

KINDS = [(game, kind) for game in GAME_IDS for kind in drill_kinds(compiled(game))]


def test_kinds_are_those_of_the_game() -> None:
    found = {game: drill_kinds(compiled(game)) for game in GAME_IDS}
    assert found["blackjack"] == ("hard", "soft", "pairs", "insurance", "surrender")
    assert found["ten-sticks-21"] == (
        *("hard", "soft", "pairs", "trades", "insurance"),
        *(("surrender",) if "surrender" in found["ten-sticks-21"] else ()),
    )
    assert found["pure-spanish-21.5"] == ("hard", "soft", "pairs", "rescue", "surrender")
    assert found["twisted-21"] == ("hard", "soft")
    assert drill_kinds(compiled("blackjack", insurance=False, surrender="none")) == (
        *("hard", "soft", "pairs"),
    )
    with pytest.raises(UpcardError, match='no drill of "trades": it has hard, soft'):
        Drill(compiled("blackjack"), "trades")


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_only_hands_of_the_kind_are_dealt(game: str, kind: str) -> None:
    tables = compiled(game)
    drill = Drill(tables, kind, seed=f"{game} {kind}")
    for _ in range(12):
        hand = drill.next()
        assert hand.kind == kind
        assert len(hand.actions) > 1
        again = msgspec.json.decode(msgspec.json.encode(hand), type=DrillHand)
        found = drill.answer(again, hand.actions[0])
        assert {value.action for value in found.advice.actions} == {*hand.actions}
        assert (found.mistake is None) is found.right
        assert drill.answer(hand, found.advice.best).right
        assert msgspec.json.decode(msgspec.json.encode(found), type=DrillAnswer) == found
        shown = upcard.game(tables).hand(
            " ".join(hand.cards), up=hand.up, doubles=hand.doubles, checked=hand.checked
        )
        match kind:
            case "pairs":
                assert {"split", "free-split"} & set(hand.actions)
            case "soft" | "hard":
                assert shown.soft is (kind == "soft")
                assert "split" not in hand.actions
            case "rescue":
                assert "rescue" in hand.actions
                assert hand.doubles
            case "trades":
                assert hand.actions == ("keep", "trade")
            case "insurance":
                assert hand.actions == ("insure", "decline")
            case "surrender":
                assert "surrender" in hand.actions
        if kind not in ("insurance", "surrender"):
            expected = {a.text: v for a, v in shown.advise(bet=hand.wager).actions.items()}
            values = {one.action: one.percent / 100 for one in found.advice.actions}
            assert values == pytest.approx(expected)


@pytest.mark.parametrize(
    ("game", "settings", "wager", "insured"),
    [
        ("blackjack", {"chip": 100, "table_minimum": 100}, 200, 100),
        ("games-of-chance-blackjack", {"added_wagers": "printed"}, 400, 200),
    ],
)
def test_insurance_is_drilled_with_a_wager_that_can_be_insured(
    game: str, settings: dict[str, object], wager: int, insured: int
) -> None:
    """Half of the smallest wager is no amount that the table takes."""
    tables = compiled(game, **settings)
    drill = Drill(tables, "insurance", seed=1)
    hand = drill.next()
    assert hand.wager == wager
    found = drill.answer(hand, "insure").advice
    assert found.wager == insured
    left = Counter(str(card)[0] for card in drill.deck)
    left.subtract(card[0] for card in (*hand.cards, hand.up))
    tens = sum(left[rank] for rank in "TJQK")
    worth = found.value_of("insure")
    assert worth is not None
    assert worth.percent == pytest.approx(100 * (3 * tens / left.total() - 1))


def test_where_no_wager_can_be_insured_there_is_no_such_drill() -> None:
    tables = compiled("blackjack", chip=100, table_minimum=100, table_maximum=100)
    assert "insurance" not in drill_kinds(tables)


def test_early_surrender_is_drilled_before_the_check() -> None:
    drill = Drill(compiled("blackjack", surrender="early"), "surrender", seed=1)
    hand = next(hand for hand in iter(drill.next, None) if hand.up[0] in "TJQK")
    assert hand.actions == ("surrender", "decline")
    assert (hand.phase, hand.checked) == ("early-surrender", False)
    advice = drill.answer(hand, "decline").advice
    assert advice.before_check
    assert advice.natural is not None


def test_an_illegal_action_is_answered_with_its_rule() -> None:
    drill = Drill(compiled("ten-sticks-21"), "trades", seed=2)
    found = drill.answer(drill.next(), "hit")
    assert found.why is not None
    assert not found.right
    assert found.mistake is None
    assert found.why.clauses
    assert "keep it or trade it" in str(found.why)
    assert found.advice.is_priced
    with pytest.raises(UpcardError, match="not an action"):
        drill.answer(drill.next(), "fly")


def test_the_same_seed_deals_the_same_hands_and_none_deals_any() -> None:
    tables = compiled("blackjack")
    one, two = (Drill(tables, "soft", seed=5) for _ in range(2))
    assert [one.next() for _ in range(5)] == [two.next() for _ in range(5)]
    first, second = ([Drill(tables, "soft").next() for _ in range(6)] for _ in range(2))
    assert first != second


def test_hands_that_were_never_dealt_are_refused() -> None:
    drill = Drill(compiled("blackjack"), "pairs", seed=3)
    hand = drill.next()
    other = Drill(compiled("blackjack", decks=2), "pairs").next()
    for wrong in (
        other,
        replace(hand, kind="soft"),
        replace(hand, actions=("hit", "stand")),
        replace(hand, cards=("2s", "3s")),
        replace(hand, cards=("2s",) * 400),
        replace(hand, wager=10**6),
        replace(hand, total="20 and a half"),
        replace(hand, doubles=1),
        replace(hand, up="Xx"),
    ):
        with pytest.raises(UpcardError):
            drill.answer(wrong, "hit")
