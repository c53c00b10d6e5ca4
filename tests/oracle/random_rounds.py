"""Random tables that can always be played."""

import random
from collections.abc import Callable
from typing import Any

from upcard.fees.schedules import load_fee_book

from . import GAMES, VARIANTS
from .common import RANKS, SUITS
from .round_money import fees_of
from .round_setup import (
    BLACKJACK,
    CHANCE,
    DOLLAR,
    NO_TENS,
    PURE_SPANISH,
    SINGLE,
    SWITCH,
    TEN_STICKS,
    TIE,
    TIE_WAGERS,
    TWISTED,
    UNDER,
    VEGAS,
    RoundError,
)

BOTH = (True, False)
STANDARD: dict[str, tuple[object, ...]] = {
    "soft17": ("stand", "hit"),
    "peek": ("ace-or-ten", "ace", "none"),
    "double": ("any-two", "9-11", "10-11", "none", "any-count"),
    "double_after_split": BOTH,
    "double_for_less": BOTH,
    "split": ("value", "rank", "none"),
    "max_hands": (1, 2, 3, 4),
    "resplit_aces": BOTH,
    "split_aces": ("one-card", "draw"),
    "surrender": ("none", "late", "early", "both"),
    "surrender_after_split": BOTH,
    "insurance": BOTH,
    "hand_of_21": ("stands", "asks"),
}
HOUSE: dict[str, tuple[object, ...]] = {
    **STANDARD,
    "natural": ("3:2", "6:5", "7:5", "1:1", "2:1"),
    "late_natural_takes": ("all", "original"),
    "dealer_22": ("bust", "push"),
    "charlie": (0, 5, 6, 7),
}
FIXED_IN_THE_CHAPTER = ("double", "double_after_split", "split", "split_aces")  # TS-0, SR-24
CHOICES: dict[str, dict[str, tuple[object, ...]]] = {
    BLACKJACK: HOUSE,
    TIE: {
        **HOUSE,
        "bonus_limit": ("box", "player"),
        "busted_bonus": ("lose", "push"),
        "surrendered_bonus": ("lose", "push"),
        "split_ten_ace": ("21", "none"),
        "charlie_tie": ("tie", "none"),
    },
    TEN_STICKS: {
        **{name: given for name, given in STANDARD.items() if name not in FIXED_IN_THE_CHAPTER},
        "max_hands": (2, 3, 4),
        "natural": ("3:2", "2:1"),
        "trade": BOTH,
        "prize": (5000, 10000, 77700),
        "trade_on_double": ("yes", "no"),
        "trade_again": ("yes", "no"),
        "light_surplus": ("carries", "lost"),
        "traded_natural": ("blackjack", "twenty-one"),
        "trade_time": ("before-insurance", "own-turn"),
        "two_bonus_cards": ("each", "one"),
        "lights_owner": ("player-at-position", "player"),
    },
    CHANCE: {
        "peek": ("ace", "ace-or-ten"),
        "double": ("any-two", "9-11", "10-11", "any-count"),
        "double_after_split": BOTH,
        "split": ("value", "rank"),
        "max_hands": (2, 3, 4),
        "resplit_aces": BOTH,
        "split_aces": ("one-card", "draw"),
        "surrender": ("none", "late", "early", "both"),
        "insurance": BOTH,
        "blackjack_bonus": ("three-to-two", "half-the-bet"),
        "tie_dollar": ("hand", "player"),
        "late_natural_takes": ("all", "original"),
        "drawn_21": ("natural-wins", "equal-sums"),
        "unchecked_surrender": ("natural-takes-all", "final"),
        "insurance_amount": ("half", "whole"),
        "added_wagers": ("any", "printed"),
        "hand_of_21": ("stands", "asks"),
    },
    TWISTED: {
        "stud_bonus": ("five-card", "five-card-low", "seven-card", "seven-card-low", "none"),
        "stud_poker": BOTH,
        "hit_cards": ("pick", "in-order"),
        "twisted_stud": ("higher", "last", "both"),
        "community_cards": ("hidden", "seen"),
        "low_ball": ("deuce-to-seven", "deuce-to-six", "ace-to-six", "ace-to-five"),
        "dealer_natural": ("first", "any", "at-turn"),
        "several_positions": BOTH,
        "double": ("any-two", "any-count"),
        "double_for_less": BOTH,
        "five_cards": ("compared", "wins"),
        "qualifier": ("king-high", "pair-of-kings"),
        "hand_of_21": ("stands", "asks"),
    },
    VEGAS: {"split": ("value", "rank"), "insurance": BOTH},
    UNDER: {
        "split": ("value", "rank"),
        "natural": ("3:2", "6:5"),
        "gold_hands": ("high", "tens"),
    },
    SINGLE: {
        "double": ("any-two", "9-11", "10-11"),
        "max_hands": (2, 3, 4),
        "insurance": BOTH,
    },
    PURE_SPANISH: {
        "match_by": ("up-card", "both-cards"),
        "both_over": ("loses", "push"),
        "must_stand": ("hit", "hit-and-double"),
        "split_natural": ("21", "21.5"),
        "both_naturals": ("6:5", "1:1"),
        "surrender_after_split": BOTH,
        "surrender": ("late", "early", "until-exposed"),
        "fee_basis": ("base", "base-and-bonus"),
        "fee_per": ("circle", "player"),
        "bank_cover": ("net", "each-way", "exhausted-ends", "by-wagers"),
        "natural_paid": ("in-order", "at-once"),
        "backline": ("may-stay", "must-match"),
        "hand_of_21": ("stands", "asks"),
    },
    "spanish-21": {
        "soft17": ("stand", "hit"),
        "redouble": BOTH,
        "bonus_after_split": BOTH,
        "surrender": ("none", "late"),
        "split_aces": ("one-card", "draw"),
        "insurance": BOTH,
    },
    "double-exposure": {
        "soft17": ("stand", "hit"),
        "both_natural": ("win", "push"),
        "doubled_ace": ("flexible", "one"),
        "double": ("9-11", "any-two", "9-11-soft"),
        "double_after_split": BOTH,
        "max_hands": (2, 4),
        "split": ("value", "rank"),
    },
    SWITCH: {
        "soft17": ("stand", "hit"),
        "switched_natural": ("21", "natural"),
        "both_natural": ("push", "win"),
        "resplit_aces": BOTH,
    },
    "free-bet": {
        "soft17": ("stand", "hit"),
        "surrender": ("none", "late"),
        "free_splits": ("every", "one"),
        "free_double_cards": ("two", "any"),
        "fours": ("free", "own"),
    },
    "super-fun-21": {"bonus_after_split": BOTH},
    "zappit": {
        "soft17": ("stand", "hit"),
        "surrender": ("none", "late"),
        "insurance": BOTH,
        "exchanged": ("15-17", "15-18"),
        "exchanged_natural": ("21", "wins", "natural"),
    },
    "pontoon": {
        "soft17": ("stand", "hit"),
        "surrender": ("none", "late"),
        "rescue": BOTH,
        "bonus_after_split": BOTH,
    },
    "european-blackjack": {
        "soft17": ("stand", "hit"),
        "late_natural_takes": ("all", "original"),
        "double": ("any-two", "9-11"),
        "double_after_split": BOTH,
        "max_hands": (2, 4),
    },
}
CHIPS = (25, 50, 100)
OWN_CHIPS = {
    "double-exposure": (),  # DX-NAT, CV-6, CV-8: everything is paid even money, in any chips
    "super-fun-21": (100,),  # SF-SUR: half of whole dollars is the smallest amount
}
"""Chips other than cents, of games in which not all of CHIPS make a difference."""
WITHOUT_REMEDIES = (TWISTED, VEGAS, SINGLE, *VARIANTS)
"""Games that no clause gives what HB-IRREGULAR says of mistakes of the deal."""
POINTS_OF_A_HAND = 31  # a hit on 21
MOST_POINTS_OF_A_BOX = 4 * POINTS_OF_A_HAND


def random_situation(rng: random.Random, game: str, *, irregular: bool = False) -> dict[str, Any]:
    """A random table; with `irregular` also the irregularities of HB-IRREGULAR."""
    settings = random_settings(rng, game)
    decks = random_decks(rng, game, settings)
    situation: dict[str, Any] = {"title": "A random round.", "game": game, "clauses": []}
    situation["set"] = settings
    situation["shoe"] = random_shoe(rng, game, decks)
    seats = random_seats(rng, game, settings, decks)
    situation["seats"] = seats
    if game == PURE_SPANISH:
        add_backline(rng, settings, seats)
        add_bank(rng, settings, situation)
        settle_unclear_fees(rng, settings, seats)
    if irregular and game not in WITHOUT_REMEDIES:
        situation["dealer_errors"] = [
            error for error in ("face-up-card", "card-drawn-in-error") if rng.random() < 0.4
        ]
        for seat in seats:
            if rng.random() < 0.2:
                seat["missed"] = rng.choice([1, 2])
    return situation


def random_settings(rng: random.Random, game: str) -> dict[str, Any]:
    """Mostly the defaults, some options and readings changed."""
    share = rng.choice([0.0, 0.2, 0.5])
    settings: dict[str, Any] = {}
    for name, values in CHOICES[game].items():
        if rng.random() < share:
            settings[name] = rng.choice(values)
    if game == PURE_SPANISH:
        if rng.random() < 0.3:
            settings["double_double"] = False
            settings["soft17"] = rng.choice(["stand", "hit"])
        if rng.random() < 0.5:
            settings["fee_schedule"] = rng.randint(1, 52)
        if rng.random() < 0.2:
            settings["match"] = False
    elif (chips := OWN_CHIPS.get(game, CHIPS)) and rng.random() < 0.15:
        # Not with odd dollars: half of them may be no whole chips.
        settings["chip"] = rng.choice(chips)
        settings["rounding"] = rng.choice(["down", "up", "nearest"])
    if settings.get("traded_natural") == "twenty-one":
        settings.pop("hand_of_21", None)  # `legal` of the oracle does not know of the trade
    if settings.get("trade") is False:
        settings.pop("trade_time", None)
    return settings


def random_decks(rng: random.Random, game: str, settings: dict[str, Any]) -> int:
    """The number of decks, named in the settings if it is not the default."""
    if game == TWISTED:
        return 1
    decks = rng.choice([4, 5, 6, 8]) if game == PURE_SPANISH else rng.choice([1, 2, 4, 6, 8])
    if game == "super-fun-21":
        decks = rng.choice([1, 2])  # SF-DECK
    if game == UNDER:
        decks = rng.choice([4, 5, 6])  # DU-DECK
    if game in (VEGAS, SINGLE):  # VS-DECK, SD-DECK: nobody chooses
        fixed: int = GAMES[game].DEFAULTS["decks"]
        return fixed
    if decks != GAMES[game].DEFAULTS["decks"] or rng.random() < 0.2:
        settings["decks"] = decks
    if game == TEN_STICKS and decks == 1 and rng.random() < 0.3:
        settings["natural"] = "6:5"
    return decks


def random_shoe(rng: random.Random, game: str, decks: int) -> str:
    """All cards of the decks; sometimes more aces, eights, tens or bonus cards at the front."""
    ranks = RANKS.replace("T", "") if game in NO_TENS else RANKS
    cards = [rank + suit for rank in ranks for suit in SUITS] * decks
    rng.shuffle(cards)
    wanted = rng.choice(["", "", "A", "8", "TJQK", "ATJQK", "A8TJQK"])
    if game in VARIANTS:  # bonuses of many cards and of 6-7-8
        wanted = rng.choice([wanted, wanted, "A23", "678", "7"])
    for place in range(len(cards) // 3):  # swaps keep the shoe a full one
        if wanted and rng.random() < 0.2:
            other = rng.randrange(len(cards) // 3, len(cards))
            if cards[other][0] in wanted:
                cards[place], cards[other] = cards[other], cards[place]
    if game == TEN_STICKS and rng.random() < 0.6:
        for place in [place for place, card in enumerate(cards) if card == "Tc"]:
            other = rng.randrange(20)
            cards[place], cards[other] = cards[other], cards[place]
    return " ".join(cards)


def random_seats(
    rng: random.Random, game: str, settings: dict[str, Any], decks: int
) -> list[dict[str, Any]]:
    """One to six seats, no more than the cards suffice for however they are played."""
    points = (decks - 1 if decks > 1 else 1) * 300
    most = min(6, (points - 40) // MOST_POINTS_OF_A_BOX) if game != TWISTED else 6
    if game == SWITCH:
        most = max(1, most // 2)  # two boxes each
    count = rng.randint(1, most)
    places = list(range(1, int(str(GAMES[game].DEFAULTS["positions"])) + 1))
    if game == SWITCH:
        places = [1, 2, 3, 4]  # two of eight positions each
    if game == TWISTED and rng.random() < 0.5:
        settings["positions"] = rng.randint(count, 9)
        places = list(range(1, settings["positions"] + 1))
    seats: list[dict[str, Any]] = []
    for number in sorted(rng.sample(places, count)):
        wagers = random_wagers(rng, game, settings)
        seat: dict[str, Any] = {"seat": number, "wagers": wagers}
        if game == TEN_STICKS:
            seat["lights"] = rng.choice([0, 3, 7, 8, 9, 9])
        if game == PURE_SPANISH and rng.random() < 0.2:
            seat["kind"] = "proposition"
        seats.append(seat)
    several = game != SWITCH  # SWI-BOX: every player has two boxes
    if game == TWISTED:
        several = settings.get("several_positions", False)
    if several and len(seats) > 1 and rng.random() < 0.4:
        for seat in rng.sample(seats, 2):
            seat["player"] = "Ann"
            if settings.get("lights_owner") == "player":
                seat["lights"] = 8
        if settings.get("bonus_limit") == "player":
            lean_on_the_other_box([seat for seat in seats if "player" in seat])
    return seats


def lean_on_the_other_box(boxes: list[dict[str, Any]]) -> None:
    """What the first box leaves free of its limit goes on a wager of the second (SR-51)."""
    first, second = (box["wagers"] for box in boxes)
    free = 2 * first["base"] - sum(first.values())
    if free >= DOLLAR:
        second["tie-20"] = second.get("tie-20", 0) + free


def dollars(rng: random.Random, low: int, high: int) -> int:
    """Whole dollars within the limits, often near their lower end."""
    top = rng.choice([low, min(high, 4 * low), min(high, 20 * low), high])
    return rng.randint(low // DOLLAR, top // DOLLAR) * DOLLAR


def spot_limits(settings: dict[str, Any]) -> tuple[int, int]:
    """The smallest and largest wager of the fee schedule."""
    schedule = load_fee_book(PURE_SPANISH).schedule(settings.get("fee_schedule", 1))
    return schedule.table_min, schedule.table_max


def fits_on_the_spot(settings: dict[str, Any], bettors_there: list[dict[str, int]]) -> bool:
    """Whether all bettors of a spot together stay within the largest wager, if that counts."""
    _, high = spot_limits(settings)
    for wager in ("base", "match"):
        if sum(wagers.get(wager, 0) for wagers in bettors_there) > high:
            return False
    return True


def random_wagers(rng: random.Random, game: str, settings: dict[str, Any]) -> dict[str, int]:
    """Legal wagers of one bettor."""
    if game == CHANCE:
        return {"base": rng.choice([200, 400])}
    if game == PURE_SPANISH:
        low, high = spot_limits(settings)
        wagers = {"base": dollars(rng, low, high)}
        if settings.get("match", True) and rng.random() < 0.5:
            wagers["match"] = dollars(rng, low, high)
        return wagers
    base = dollars(rng, 500, 50000)
    if game != TWISTED:
        # Even dollars: half of it, the most that can be insured, is whole dollars too.
        base = min(50000, base + base % (2 * DOLLAR))
    wagers = {"base": base}
    if game == TIE:
        left = base
        for wager in rng.sample(TIE_WAGERS, rng.randint(0, len(TIE_WAGERS))):
            if left >= 500:
                wagers[wager] = dollars(rng, 500, left)
                left = left - wagers[wager]
    if game == TWISTED:
        if settings.get("stud_poker", True) and rng.random() < 0.6:
            wagers["stud-poker"] = dollars(rng, 500, 50000)
        if settings.get("stud_bonus", "five-card") != "none" and rng.random() < 0.6:
            wagers["stud-bonus"] = dollars(rng, 500, 50000)
    return wagers


def add_backline(rng: random.Random, settings: dict[str, Any], seats: list[dict[str, Any]]) -> None:
    """Bettors behind some seats. Where doubles for less are possible nobody follows."""
    for_less = settings.get("double_double") is False
    if for_less:
        settings.pop("backline", None)
    names = ["Bo", "Cy", "Di", "Ed", "Flo", "Gus"]
    rng.shuffle(names)
    for seat in seats:
        behind: list[dict[str, Any]] = []
        # One who has circles of her own backs another's hand as well.
        if rng.random() < 0.1 and any(s.get("player") == "Ann" for s in seats):
            wagers = random_wagers(rng, PURE_SPANISH, settings)
            if seat.get("player") != "Ann" and fits_on_the_spot(settings, [seat["wagers"], wagers]):
                follows = settings.get("backline") == "must-match"
                behind.append({"player": "Ann", "wagers": wagers, "follows": follows})
        while names and rng.random() < 0.25:
            follows = rng.random() < 0.5 and not for_less
            if settings.get("backline") == "must-match":
                follows = True
            wagers = random_wagers(rng, PURE_SPANISH, settings)
            there = [seat["wagers"], *[back["wagers"] for back in behind], wagers]
            if fits_on_the_spot(settings, there):
                behind.append({"player": names.pop(), "wagers": wagers, "follows": follows})
        if behind:
            seat["backline"] = behind


def bettors(seats: list[dict[str, Any]]) -> list[tuple[str, dict[str, int]]]:
    """The name and the wagers of every bettor."""
    answer = []
    for seat in seats:
        answer.append((seat.get("player", f"the player of {seat['seat']}"), seat["wagers"]))
        answer.extend((back["player"], back["wagers"]) for back in seat.get("backline", []))
    return answer


def add_bank(rng: random.Random, settings: dict[str, Any], situation: dict[str, Any]) -> None:
    """A player-dealer on a free seat with much or little money, sometimes an action button."""
    taken = [seat["seat"] for seat in situation["seats"]]
    free = [number for number in range(1, 8) if number not in taken]
    action = sum(sum(wagers.values()) for _, wagers in bettors(situation["seats"]))
    percent = rng.choice([5, 30, 70, 100, 130, 300, 5000])
    amount = max(DOLLAR, action * percent // 100 // DOLLAR * DOLLAR)
    situation["bank"] = {"seat": rng.choice(free), "amount": amount}
    if rng.random() < 0.5:
        situation["bank"]["turn"] = rng.choice([1, 2])
    if rng.random() < 0.5:
        situation["action_button"] = rng.choice(taken)


def settle_unclear_fees(
    rng: random.Random, settings: dict[str, Any], seats: list[dict[str, Any]]
) -> None:
    """A resolution where the printed schedule does not determine a fee."""
    schedule = load_fee_book(PURE_SPANISH).schedule(settings.get("fee_schedule", 1))
    try:
        resolution = rng.choice(["refuse", "refuse", "nothing"])
        basis, per = settings.get("fee_basis", "base"), settings.get("fee_per", "circle")
        fees_of(schedule, bettors(seats), basis=basis, per=per, resolution=resolution)
    except RoundError:
        resolution = rng.choice(["lower-fee", "higher-fee"])
    if resolution != "refuse":
        settings["fee_resolution"] = resolution


def random_choice(rng: random.Random) -> Callable[[int, list[str]], str]:
    """A chooser for `play_round` that prefers what keeps a hand in play."""
    weights = {"split": 12, "redouble": 6, "hit": 6, "trade": 3, "decline": 2, "surrender": 1}

    def choose(_seat: int, actions: list[str]) -> str:
        likely = [weights.get(action.split()[0], 3) for action in actions]
        return rng.choices(actions, likely)[0]

    return choose
