"""The weights of split hands."""

from itertools import permutations

import numpy as np
import pytest

from upcard.solve.split import (
    PAIR_CARD,
    Kind,
    Pairing,
    Resplits,
    SequenceChance,
    Stock,
    removable,
    sequence_chance,
    split_weights,
)

NO_CARDS = Stock(0, outside=True)


def next_chance(chance: SequenceChance, pairs: int) -> float:
    """The chance that the next card is a pair card, so many of them being gone."""
    whole = chance(pairs, 0)
    return chance(pairs + 1, 0) / whole if whole else 0.0


def deal_out(most: int, resplits: Resplits, pairs: int, others: int) -> dict[int, float]:
    """Chances of so many hands, by dealing second cards one by one from a small shoe."""
    found: dict[int, float] = {}

    def deal(hand: int, hands: int, pairs: int, others: int, chance: float) -> None:
        if hand == hands or hands == most:
            found[hands] = found.get(hands, 0.0) + chance
            return
        cards = pairs + others
        wanted = (resplits.others if hand else resplits.first)[hands - 2]
        if pairs:
            to = (hand, hands + 1) if wanted else (hand + 1, hands)
            deal(*to, pairs - 1, others, chance * pairs / cards)
        if others:
            deal(hand + 1, hands, pairs, others - 1, chance * others / cards)

    deal(0, 2, pairs, others, 1.0)
    return found


@pytest.mark.parametrize("consistent", [True, False])
@pytest.mark.parametrize("most", [2, 3, 4, 5])
def test_weights_count_hands(most: int, consistent: bool) -> None:
    """A hand that is always worth 1 makes the split worth its expected number of hands."""
    chance = sequence_chance(Stock(5, outside=False), NO_CARDS, 30, 0, step=1.0)
    found = split_weights(most, chance, consistent=consistent)
    paired = [next_chance(chance, kind.pairs) for kind in found.kinds]
    likely = [[1 - chance for chance in paired], paired]
    for number, resplits in enumerate(found.resplits):
        first, others = (found.weights[number] * np.array(likely)).sum(axis=(1, 2))
        hands = deal_out(most, resplits, 5, 25)
        assert sum(hands.values()) == pytest.approx(1, abs=1e-14)
        assert first == pytest.approx(1, abs=1e-12)
        expected = sum(many * chance for many, chance in hands.items())
        assert first + others == pytest.approx(expected, abs=1e-12)
    assert max(kind.pairs for kind in found.kinds) <= removable(most)


def test_weights_count_hands_that_trades_make() -> None:
    """By dealing second cards one by one: a bonus card is traded, the second one in a hand kept."""
    traded = Pairing(pairs=1, marked=1, lights=1)
    ways = frozenset((PAIR_CARD, traded))
    chance = sequence_chance(Stock(5, outside=False), Stock(3, outside=False), 30, 0, step=1.0)
    found = split_weights(4, chance, consistent=True, pairings=(ways, ways), most_marked=9)

    def single(kind: Kind) -> float:
        """The chance that a hand makes no pair, these cards being gone."""
        gone = chance(kind.pairs, kind.marked)
        made = sum(chance(kind.pairs + w.pairs, kind.marked + w.marked) for w in ways)
        return 1 - made / gone

    likely = np.array([single(kind) for kind in found.kinds])
    worth = np.array([likely, 1 - likely])
    for number, resplits in enumerate(found.resplits):
        hands, lights = deal_with_trades(resplits, {"pair": 5, "marked": 3, "other": 22})
        first, others = (found.weights[number] * worth).sum(axis=(1, 2))
        assert first == pytest.approx(1, abs=1e-12)
        assert first + others == pytest.approx(hands, abs=1e-12)
        assert found.again[number].sum() == pytest.approx(lights, abs=1e-12)


def deal_with_trades(resplits: Resplits, shoe: dict[str, int]) -> tuple[float, float]:
    """The mean number of hands, at most four, and that of pairs split again after a trade."""

    def deal(
        hand: int, hands: int, left: dict[str, int], *, traded: bool = False
    ) -> tuple[float, float]:
        if hand == hands or hands == 4:
            return hands, 0.0
        wanted = (resplits.others if hand else resplits.first)[hands - 2]
        total = lights = 0.0
        for card, number in left.items():
            rest = {**left, card: number - 1}
            if card == "marked" and not traded:
                many, lit = deal(hand, hands, rest, traded=True)
            elif card == "pair" and wanted:
                many, lit = deal(hand, hands + 1, rest)
                lit += traded
            else:
                many, lit = deal(hand + 1, hands, rest)
            chance = number / sum(left.values())
            total += chance * many
            lights += chance * lit
        return total, lights

    return deal(0, 2, shoe)


@pytest.mark.parametrize("outside", ["", "p", "m", "x", "pm"])
def test_chances_know_the_hole_card(outside: str) -> None:
    """The next cards by listing all shoes: the hole card is none of those that were ruled out."""
    shoe = "pp" + "mm" + "x" * 2 + "n" * 2
    pairs, marked = (Stock(2, outside=card in outside) for card in "pm")
    ruled_out = sum(card in outside for card in shoe)
    chance = sequence_chance(pairs, marked, len(shoe), ruled_out, step=1.0)
    allowed = [order for order in permutations(shoe, 4) if order[0] not in outside]
    for cards in ("", "p", "m", "pp", "pm", "mm", "ppm", "mmp", "ppp"):
        coming = sum("".join(order[1:]).startswith(cards) for order in allowed) / len(allowed)
        assert chance(cards.count("p"), cards.count("m")) == pytest.approx(coming, abs=1e-14)


def test_endless_shoe_forgets() -> None:
    chance = sequence_chance(Stock(24, outside=False), Stock(6, outside=True), 312, 96, step=0.0)
    assert chance(1, 0) == pytest.approx(1 / 13, abs=1e-15)
    assert chance(3, 0) == pytest.approx(1 / 13**3, abs=1e-15)
    assert chance(1, 2) == pytest.approx(1 / 13 / 52**2, abs=1e-15)
