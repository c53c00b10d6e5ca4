"""The shuffle: the documented recipe, written again; and that it is a fair one."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import pairwise, permutations

import pytest

from unit.test_table_play import ALL_GAMES, CHANCE, Table, busy, greedy, steps_of
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import NEW_TABLE
from upcard.table.shoe import (
    commitment,
    is_secret,
    new_secret,
    reshuffle,
    secret_from,
    shoe_seed,
    shuffled,
)
from upcard.table.state_steps import cards_put_away

DECK = tuple(rank + suit for suit in "shdc" for rank in "A23456789TJQK")


def recipe_seed(secret: str, number: int) -> bytes:
    message = f"upcard/1/shoe/{number}".encode()
    return hmac.new(bytes.fromhex(secret), message, hashlib.sha256).digest()


def recipe_order(
    cards: tuple[str, ...],
    seed: bytes,
    clients: tuple[str, ...],
    purpose: str,
    *,
    drops: bool = True,
) -> tuple[str, ...]:
    """Fisher-Yates from the last card down, with 32-bit words of HMAC-SHA256 in counter mode."""
    order = list(cards)
    head = "".join(f"{line}\n" for line in (purpose, *clients))
    words: list[int] = []
    counter = 0
    for last in range(len(order) - 1, 0, -1):
        while True:
            if not words:
                block = hmac.new(seed, f"{head}{counter}".encode(), hashlib.sha256).digest()
                words = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4)]
                counter += 1
            word = words.pop(0)
            if not drops or word < 2**32 // (last + 1) * (last + 1):
                break
        other = word % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


@pytest.mark.parametrize("clients", [(), ("luck",), ("luck", "ä€", "")])
@pytest.mark.parametrize("purpose", ["shuffle", "discards/1"])
def test_the_order_is_the_documented_recipe(clients: tuple[str, ...], purpose: str) -> None:
    secret = secret_from("recipe")
    for number in (1, 2, 77):
        seed = shoe_seed(secret, number)
        assert bytes.fromhex(seed) == recipe_seed(secret, number)
        for cards in (DECK, DECK * 8, DECK[:1], ()):
            expected = recipe_order(cards, bytes.fromhex(seed), clients, purpose)
            assert shuffled(cards, seed, clients, purpose) == expected


def test_words_that_would_tip_the_balance_are_dropped() -> None:
    """So rare that it takes a very long list to see one."""
    cards = tuple(map(str, range(200_000)))
    seed = shoe_seed(secret_from("long"), 1)
    order = shuffled(cards, seed)
    assert order == recipe_order(cards, bytes.fromhex(seed), (), "shuffle")
    assert order != recipe_order(cards, bytes.fromhex(seed), (), "shuffle", drops=False)


@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_third_party_deals_every_shoe_of_a_session_again(game: str) -> None:
    table = busy(game)
    cards = table.engine.look.full_shoe
    opened = {e.shoe: e for e in table.events if isinstance(e, ev.ShoeOpened)}
    shuffles = [e for e in table.events if isinstance(e, ev.ShoeShuffled)]
    assert shuffles
    for event in shuffles:
        seed = bytes.fromhex(opened[event.shoe].seed)
        assert event.order == recipe_order(cards, seed, opened[event.shoe].clients, "shuffle")


def test_discards_are_shuffled_by_the_recipe_with_a_purpose_of_their_own() -> None:
    table = Table(CHANCE, decks=1, penetration=1.0)
    table.sit("Ann", 1)
    seen = 0
    for number in range(12):
        if table.accepts(cm.MixSeed(player="Ann", seed=f"luck {number}")):
            table.do(cm.MixSeed(player="Ann", seed=f"luck {number}"))
        for position in range(1, 8):
            table.bet("Ann", position, 200)
        table.deal()
        table.finish(greedy)
    before = NEW_TABLE
    for event, state in steps_of(table):
        if isinstance(event, ev.DiscardsShuffled):
            assert before.round is not None
            cards = (*before.discards, *cards_put_away(before.round))
            seed = recipe_seed(state.secret, state.shoe.number)
            purpose = f"discards/{before.shoe.shuffles + 1}"
            assert event.order == recipe_order(cards, seed, state.shoe.clients, purpose)
            seen += 1
        before = state
    assert seen > 2


def test_the_discards_order_depends_on_seed_clients_and_number() -> None:
    seed = shoe_seed(secret_from("a"), 1)
    orders = {
        shuffled(DECK, seed),
        shuffled(DECK, seed, ("a",)),
        shuffled(DECK, seed, (), reshuffle(1)),
        shuffled(DECK, seed, (), reshuffle(2)),
        shuffled(DECK, seed, ("a",), reshuffle(1)),
        shuffled(DECK, shoe_seed(secret_from("a"), 2)),
        shuffled(DECK, shoe_seed(secret_from("b"), 1)),
    }
    assert len(orders) == 7


def test_the_promise_is_the_hash_of_the_seed() -> None:
    seed = shoe_seed(secret_from("a"), 1)
    assert commitment(seed) == hashlib.sha256(bytes.fromhex(seed)).hexdigest()
    assert commitment(seed) != commitment(shoe_seed(secret_from("a"), 2))


def test_new_secrets_are_secrets_and_differ() -> None:
    fresh = {new_secret() for _ in range(50)}
    assert len(fresh) == 50
    assert all(is_secret(text) for text in fresh)


@pytest.mark.parametrize("text", ["", "00", "g" * 64, "A" * 64, "0" * 63, "0" * 66, " " + "0" * 64])
def test_what_is_no_secret(text: str) -> None:
    assert not is_secret(text)


def test_a_secret_has_no_blanks_inside() -> None:
    assert not is_secret("00 " * 31 + "00")


# ------------------------------------------------------------------ fairness


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def test_every_card_is_as_likely_in_every_place() -> None:
    """52 x 52 cells with 51 x 51 degrees of freedom: six standard deviations either way."""
    rounds = 3000
    places = {card: [0] * 52 for card in DECK}
    for number in range(rounds):
        for place, card in enumerate(shuffled(DECK, shoe_seed("00" * 32, number))):
            places[card][place] += 1
    found = sum(chi_square(counts) for counts in places.values())
    freedom = 51 * 51
    assert abs(found - freedom) < 6 * (2 * freedom) ** 0.5


def test_every_order_of_four_cards_is_as_likely() -> None:
    """24 orders, 23 degrees of freedom: 70 is beyond one in a million."""
    cards = DECK[:4]
    counts = Counter(shuffled(cards, shoe_seed("11" * 32, number)) for number in range(12_000))
    assert set(counts) == set(permutations(cards))
    assert chi_square(list(counts.values())) < 70


def test_neighbours_do_not_stay_together() -> None:
    """The next card of the deck follows at chance: once in a shuffle of 52 on average."""
    follows = 0
    for number in range(3000):
        order = shuffled(DECK, shoe_seed("22" * 32, number))
        place = {card: index for index, card in enumerate(order)}
        follows += sum(place[b] == place[a] + 1 for a, b in pairwise(DECK))
    assert abs(follows / 3000 - 51 / 52) < 0.1


def test_purposes_and_clients_give_streams_of_their_own() -> None:
    """Two streams agree in about one place of 52, as two strangers would."""
    same = 0
    for number in range(1000):
        seed = shoe_seed("33" * 32, number)
        first, second = shuffled(DECK, seed), shuffled(DECK, seed, (), reshuffle(1))
        same += sum(a == b for a, b in zip(first, second, strict=True))
    assert abs(same / 1000 - 1) < 0.2
