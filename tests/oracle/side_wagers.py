"""Side wagers once more, slow and obvious, written from the clauses alone.

`net` is what one unit wins or loses (-1), by cards as texts such as "Qh": the player's first two,
the third if there is one, the dealer's first two, and the dealer's final hand.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

LOSES = Fraction(-1)
ORDER = "A23456789TJQK"
HIGH = "23456789TJQKA"


def rank(card: str) -> str:
    return card[0]


def suit(card: str) -> str:
    return card[1]


def red(card: str) -> bool:
    return card[1] in "hd"


def value(card: str) -> int:
    if card[0] == "A":
        return 1
    return int(card[0]) if card[0].isdigit() else 10


def total(cards: list[str], over: float = 21) -> int:
    """SW-6: the best total."""
    low = sum(value(card) for card in cards)
    if any(rank(card) == "A" for card in cards) and low + 10 <= over:
        return low + 10
    return low


def one_suit(cards: list[str]) -> bool:
    return all(suit(card) == suit(cards[0]) for card in cards)


def one_colour(cards: list[str]) -> bool:
    return all(red(card) == red(cards[0]) for card in cards)


def one_rank(cards: list[str]) -> bool:
    return all(rank(card) == rank(cards[0]) for card in cards)


def identical(cards: list[str]) -> bool:
    return all(card == cards[0] for card in cards)


def is_natural(two: list[str], tens: str = "TJQK") -> bool:
    ranks = {rank(two[0]), rank(two[1])}
    return "A" in ranks and any(ten in ranks for ten in tens)


def is_run(three: list[str]) -> bool:
    """PP3-2: the ace low or high, never in the middle."""
    runs = [f"{ORDER[n : n + 3]}" for n in range(11)] + ["QKA"]
    return any("".join(p) in runs for p in permutations([rank(card) for card in three]))


def net(
    wager: str,
    table: str,
    two: list[str],
    third: str,
    dealer: list[str],
    final: list[str],
    decks: int = 6,
    deck: int = 52,
    tens: str = "TJQK",
    over: float = 21,
) -> Fraction:
    """What one unit comes to."""
    found = _pays(wager, table, two, third, dealer, final, decks, deck, tens, over)
    return LOSES if found is None else Fraction(found)


def _pays(
    wager: str,
    table: str,
    two: list[str],
    third: str,
    dealer: list[str],
    final: list[str],
    decks: int,
    deck: int,
    tens: str,
    over: float,
) -> int | Fraction | None:
    up = dealer[0]
    three = [*two, up]
    bust = total(final, over) > over and not is_natural(final[:2], tens)
    if wager == "21+3":
        if identical(three) and table in ("graded", "100-35-33-10-5"):
            return 100
        if is_run(three) and one_suit(three):
            return {"flat9": 9, "graded": 40, "100-35-33-10-5": 35, "xtreme": 30}[table]
        if one_rank(three):
            return {"flat9": 9, "graded": 30, "100-35-33-10-5": 33, "xtreme": 20}[table]
        if is_run(three):
            return 9 if table == "flat9" else 10
        if one_suit(three):
            return 9 if table == "flat9" else 5
        return None
    if wager == "perfect-pairs":
        if identical(two):
            return 25 if table == "25-12-6" else 30
        if one_rank(two) and one_colour(two):
            return 12 if table == "25-12-6" else 10
        if one_rank(two):
            return 6 if table == "25-12-6" else 5
        return None
    if wager == "pair-square":
        if not one_rank(two):
            return None
        if table == "any-15":
            return 15
        same, other_suit = map(int, table.split("-"))
        return same if identical(two) else other_suit
    if wager == "royal-match":
        royal = {"K", "Q"}
        if one_suit(two) and {rank(card) for card in two} == royal:
            both = one_suit(dealer[:2]) and {rank(card) for card in dealer[:2]} == royal
            if table == "crown-treasure" and both:
                return 1000
            return 10 if table == "10-3" else 25
        if one_suit(two):
            return 3 if table == "10-3" else Fraction(5, 2)
        return None
    if wager in ("over-13", "under-13", "exactly-13"):
        points = value(two[0]) + value(two[1])
        wins = {"over-13": points > 13, "under-13": points < 13, "exactly-13": points == 13}
        return (10 if wager == "exactly-13" else 1) if wins[wager] else None
    if wager == "super-sevens":
        pays = [5000, 500, 100, 50, 3] if table != "crazy-sevens" else [2000, 500, 150, 25, 5]
        if rank(two[0]) != "7":
            return None
        if rank(two[1]) != "7":
            return pays[4]
        if third and rank(third) == "7":
            return pays[0] if one_suit([*two, third]) else pays[1]
        return pays[2] if one_suit(two) else pays[3]
    if wager == "lucky-ladies":
        if total(two, over) != 20:
            return None
        with_natural = is_natural(dealer[:2], tens)
        if table == "C":
            if rank(two[0]) == rank(two[1]) == "Q":
                return 250 if with_natural else 25
            if one_rank(two):
                return 9
            return 6 if one_suit(two) else 3
        pays = {"A": [1000, 125, 19, 9, 4], "B": [1000, 200, 25, 10, 4]}[table]
        if two == ["Qh", "Qh"]:
            return pays[0] if with_natural else pays[1]
        if identical(two):
            return pays[2]
        return pays[3] if one_suit(two) else pays[4]
    if wager == "kings-bounty":
        if total(two, over) != 20:
            return None
        queen, king, top = (20, 30, 100) if table == "100-30-20" else (25, 50, 200)
        if two == ["Ks", "Ks"]:
            return 1000 if is_natural(dealer[:2], tens) else top
        kings = rank(two[0]) == rank(two[1]) == "K"
        if identical(two):
            return king if kings else queen
        if one_suit(two):
            return 9
        return 6 if kings else 4
    if wager in ("lucky-lucky", "hot-3"):
        ranks = sorted(rank(card) for card in three)
        points = total(three, over)
        if wager == "hot-3":
            if ranks == ["7", "7", "7"]:
                return 100
            if points == 21:
                return 20 if one_suit(three) else 4
            return {20: 2, 19: 1}.get(points)
        if ranks == ["7", "7", "7"]:
            return 200 if one_suit(three) else 50
        if ranks == ["6", "7", "8"]:
            return 100 if one_suit(three) else 30
        if points == 21:
            return (10 if table == "pt3" else 15) if one_suit(three) else 3
        return {20: 2, 19: 1 if table == "19-pays-1" else 2}.get(points)
    if wager == "buster":
        if not bust:
            return None
        cards = min(len(final), 8)
        if table == "natural-bonus":
            if is_natural(two, tens) and cards >= 7:
                return 800 if cards == 7 else 2000
            return [2, 2, 4, 18, 50, 250][cards - 3]
        pays = [1, 2, 9, 50, 100, 250] if table == "studio" else list(map(int, table.split("-")))
        return pays[cards - 3]
    if wager == "dealer-bust":
        if not bust:
            return None
        if rank(up) == "A":
            return 15
        return 1 if rank(up) in "23456" else 2 if rank(up) in "789" else 4
    if wager == "bust-it":
        if not bust or len(final) != 3:
            return None
        if all(rank(card) == "8" for card in final):
            if one_suit(final):
                return 200
            if one_colour(final):
                return 50
        return {"6": 15, "7": 9, "8": 7, "9": 5}.get(rank(final[2]), 3)
    if wager == "push-22":
        if not bust or total(final, over) != 22:
            return None
        if table == "11":
            return 11
        by_suit, by_colour, other = map(int, table.split("-"))
        return by_suit if one_suit(final) else by_colour if one_colour(final) else other
    if wager == "blazing-7s":
        sevens = sum(rank(card) == "7" for card in two)
        if sevens == 2 and rank(up) == "7":
            return (777 if one_suit(three) else 350 if one_colour(three) else 77) - 1
        return {2: 34, 1: 4}.get(sevens)
    if wager == "match-the-dealer":
        unsuited, suited = {
            (2, 52): (4, 19),
            (4, 52): (4, 12),
            (6, 52): (4, 11),
            (8, 52): (3, 14),
            (6, 48): (4, 9),
            (8, 48): (3, 12),
        }[decks, deck]
        won = [suited if card == up else unsuited for card in two if rank(card) == rank(up)]
        return sum(won) if won else None
    if wager == "in-between":
        if one_rank(three):
            return 30
        low, high = sorted(HIGH.index(rank(card)) for card in two)
        if not low < HIGH.index(rank(up)) < high:
            return None
        first = 12 if table == "30-12-6-4-1" else 10
        return {1: first, 2: 6, 3: 4}.get(high - low - 1, 1)
    if wager == "sweet-sixteen":
        aces = sum(rank(card) == "A" for card in two)
        if aces:
            return aces
        if 16 <= total(two, over) <= 20:
            return 1
        return 0 if one_rank(two) else None
    if wager == "sweet-sixteen-tcs":
        if total(two, over) != 16:
            return None
        if sorted(two) == ["5h", "Ah"]:
            return 160
        return 16 if one_suit(two) else 12 if one_colour(two) else 6
    assert wager == "pair"
    if one_rank(three):
        return 30
    if one_rank(two):
        return 5
    return 2 if rank(up) in (rank(two[0]), rank(two[1])) else None
