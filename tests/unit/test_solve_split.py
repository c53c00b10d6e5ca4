"""The weights of split hands."""

from itertools import product

import pytest

from upcard.solve.split import pair_chance, removable, split_weights


def deal_out(most: int, pairs: int, others: int) -> dict[int, float]:
    """Chances of so many hands, by dealing second cards one by one from a small shoe."""
    found: dict[int, float] = {}

    def deal(waiting: int, hands: int, pairs: int, others: int, chance: float) -> None:
        if waiting == 0 or hands == most:
            found[hands] = found.get(hands, 0.0) + chance
            return
        cards = pairs + others
        if pairs:
            deal(waiting + 1, hands + 1, pairs - 1, others, chance * pairs / cards)
        if others:
            deal(waiting - 1, hands, pairs, others - 1, chance * others / cards)

    deal(2, 2, pairs, others, 1.0)
    return found


@pytest.mark.parametrize("most", [2, 3, 4, 5])
def test_numbers_of_hands(most: int) -> None:
    chance = pair_chance(5, 30, 0, paired_outside=False, step=1.0)
    weights = split_weights(most, chance, consistent=True)
    assert weights.hands == pytest.approx(deal_out(most, 5, 25), abs=1e-14)
    assert sum(weights.hands.values()) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("consistent", [True, False])
@pytest.mark.parametrize("most", [2, 3, 4])
def test_weights_count_hands(most: int, consistent: bool) -> None:
    """A hand that is always worth 1 makes the split worth its expected number of hands."""
    chance = pair_chance(4, 40, 12, paired_outside=False, step=1.0)
    weights = split_weights(most, chance, consistent=consistent)

    def likely(removed: int, *, paired: bool) -> float:
        return chance(removed, 0) if paired else 1 - chance(removed, 0)

    shares = [(term, likely(term.removed, paired=term.paired)) for term in weights.terms]
    first = sum(term.first * share for term, share in shares)
    others = sum(term.others * share for term, share in shares)
    expected = sum(hands * chance for hands, chance in weights.hands.items())
    assert first == pytest.approx(1, abs=1e-12)
    assert first + others == pytest.approx(expected, abs=1e-12)
    assert max(term.removed for term in weights.terms) <= removable(most)


@pytest.mark.parametrize(("pairs", "paired_outside"), [(3, False), (2, True)])
def test_chances_know_the_hole_card(pairs: int, paired_outside: bool) -> None:
    """The next card by listing all shoes: the hole card is none of those that were ruled out."""
    shoe = "p" * pairs + "x" * 3 + "n" * 4
    outside = "p" if paired_outside else "x"
    ruled_out = shoe.count(outside)
    chance = pair_chance(pairs, len(shoe), ruled_out, paired_outside=paired_outside, step=1.0)
    cards = range(len(shoe))
    allowed = [(h, a, b) for h, a, b in product(cards, repeat=3) if len({h, a, b}) == 3]
    allowed = [(h, a, b) for h, a, b in allowed if shoe[h] != outside]
    first = sum(shoe[a] == "p" for _, a, _ in allowed) / len(allowed)
    assert chance(0, 0) == pytest.approx(first, abs=1e-14)
    after_other = [(a, b) for _, a, b in allowed if shoe[a] != "p"]
    again = sum(shoe[b] == "p" for _, b in after_other) / len(after_other)
    assert chance(0, 1) == pytest.approx(again, abs=1e-14)
    after_pair = [(a, b) for _, a, b in allowed if shoe[a] == "p"]
    once_more = sum(shoe[b] == "p" for _, b in after_pair) / len(after_pair)
    assert chance(1, 0) == pytest.approx(once_more, abs=1e-14)


def test_endless_shoe_forgets() -> None:
    chance = pair_chance(24, 312, 96, paired_outside=False, step=0.0)
    assert chance(0, 0) == pytest.approx(1 / 13, abs=1e-15)
    assert chance(3, 2) == pytest.approx(1 / 13, abs=1e-15)
