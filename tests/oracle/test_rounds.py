"""Rounds computed by hand from the rulebook, and random rounds that must add up."""

from typing import Any

import pytest

from chance import dice

from . import GAMES, VARIANTS, settle_box
from .every_order import follow
from .rounds import RoundError, play_round, random_choice, random_situation

Seats = list[dict[str, Any]]


def seat(number: int, base: int, *actions: str, **more: Any) -> dict[str, Any]:
    """A seat with a base wager; side wagers by id with underscores."""
    wagers = {"base": base}
    for name in list(more):
        if name in ("match", "stud_poker", "stud_bonus", "left_side", "tie_17", "tie_18"):
            wagers[name.replace("_", "-")] = more.pop(name)
    return {"seat": number, "wagers": wagers, "actions": list(actions), **more}


def played(game: str, shoe: str, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The result of a round."""
    return play_round({"game": game, "shoe": shoe, "seats": list(seats), **more})


def nets(result: dict[str, Any]) -> list[int]:
    """The nets of the seats, in the order of their numbers."""
    return [entry["net"] for entry in result["seats"].values()]


def outcomes(result: dict[str, Any], number: int = 1) -> list[str]:
    """The outcomes of a seat's hands."""
    return [hand["outcome"] for hand in result["seats"][str(number)]["hands"]]


BANK: dict[str, Any] = {"seat": 7, "amount": 1_000_000}
SPANISH = "pure-spanish-21.5"
CHANCE = "games-of-chance-blackjack"


# --- house blackjack --------------------------------------------------------------------------


def test_a_higher_hand_wins_even_money() -> None:
    result = played("blackjack", "Ks 9h 9d 8c", seat(1, 1000, "stand"))
    assert result == {
        "seats": {
            "1": {
                "net": 1000,
                "fees": 0,
                "hands": [{"cards": ["Ks", "9d"], "total": 19, "outcome": "won"}],
                "wagers": {"base": {"staked": 1000, "returned": 2000}},
                "lights": 0,
                "backline": {},
                "actions": ["stand"],
            }
        },
        "dealer": {"cards": ["9h", "8c"], "total": 17},
        "house": {"net": -1000},
    }


def test_a_natural_is_not_asked_and_the_dealer_does_not_draw_for_it() -> None:
    result = played("blackjack", "As 6h Kd 5c", seat(1, 1000))
    assert nets(result) == [1500]
    assert result["dealer"] == {"cards": ["6h", "5c"], "total": 11}


def test_the_dealer_does_not_draw_when_everybody_is_over() -> None:
    result = played("blackjack", "Ks 6h 6d 5c Td", seat(1, 1000, "hit"))
    assert result["seats"]["1"]["hands"] == [
        {"cards": ["Ks", "6d", "Td"], "total": 26, "outcome": "lost"}
    ]
    assert result["dealer"]["total"] == 11


def test_split_hands_are_finished_one_after_the_other() -> None:
    shoe = "8s Ts 6d 8h 9s Tc" + " 3h Td" + " 2c 5d" + " 9c"
    first = seat(1, 1000, "split", "double", "hit", "stand")
    result = played("blackjack", shoe, first, seat(2, 500, "stand"))
    hands = result["seats"]["1"]["hands"]
    assert [hand["cards"] for hand in hands] == [["8s", "3h", "Td"], ["8h", "2c", "5d"]]
    assert [hand["total"] for hand in hands] == [21, 15]
    assert result["seats"]["1"]["wagers"]["base"] == {"staked": 3000, "returned": 6000}
    assert nets(result) == [3000, 500]
    assert result["dealer"]["total"] == 25


def test_a_natural_may_be_insured() -> None:
    result = played("blackjack", "As Ad Ks Kd", seat(1, 1000, "insure"))
    assert result["seats"]["1"]["wagers"] == {
        "base": {"staked": 1000, "returned": 1000},
        "insurance": {"staked": 500, "returned": 1500},
    }


def test_insurance_for_less_is_lost_without_a_natural() -> None:
    shoe = "Ts 9s Ah Th 8s 5c 4d"
    first = seat(1, 1000, "insure 200", "stand")
    result = played("blackjack", shoe, first, seat(2, 1000, "decline", "stand"))
    assert nets(result) == [-200, -1000]  # 20 against A-5-4


@pytest.mark.parametrize(("takes", "returned"), [("original", 2000), ("all", 0)])
def test_a_natural_that_shows_only_at_the_end(takes: str, returned: int) -> None:
    result = played(
        "blackjack",
        "8s Tc 8h As 3d Kd 2h",
        seat(1, 1000, "split", "double", "stand"),
        set={"peek": "none", "late_natural_takes": takes},
    )
    assert result["seats"]["1"]["wagers"]["base"] == {"staked": 3000, "returned": returned}
    assert outcomes(result) == ["lost", "lost"]


def test_early_surrender_comes_before_the_check() -> None:
    result = played(
        "blackjack", "Ts Kd 6s Ac", seat(1, 1000, "surrender"), set={"surrender": "early"}
    )
    assert nets(result) == [-500]
    assert outcomes(result) == ["surrendered"]


def test_nobody_is_asked_after_a_natural_found_by_the_check() -> None:
    result = played("blackjack", "Ts 9s Kd 6s 9h Ac", seat(1, 1000), seat(2, 700))
    assert nets(result) == [-1000, -700]


def test_irregularities() -> None:
    # 2c is found face up; seat 1 gets its second card last; seat 2 is dead; 7h is burned.
    result = played(
        "blackjack",
        "2c Ks 9s 6d 8s Th 9c 5d 7h",
        seat(1, 1000, "stand", missed=1),
        seat(2, 800, missed=2),
        seat(3, 500, "stand"),
        dealer_errors=["face-up-card", "card-drawn-in-error"],
    )
    assert result["seats"]["1"]["hands"][0]["cards"] == ["Ks", "9c"]
    assert result["seats"]["2"]["hands"] == [{"cards": [], "total": 0, "outcome": "dead"}]
    assert result["dealer"]["cards"] == ["6d", "Th", "5d"]
    assert nets(result) == [-1000, 0, -500]


# --- Ten Sticks 21 ----------------------------------------------------------------------------


def test_the_tenth_light_pays_the_prize_at_once() -> None:
    first = seat(1, 1000, "trade", "hit", lights=9)
    result = played("ten-sticks-21", "Tc 6h 9s Th 5d 7c Kc", first)
    assert result["seats"]["1"]["hands"][0]["cards"] == ["5d", "9s", "7c"]
    assert result["seats"]["1"]["lights"] == 0
    assert nets(result) == [1000 + 5000]
    assert result["house"] == {"net": -6000}


def test_without_trading_a_playable_bonus_card_gives_a_light() -> None:
    first = seat(1, 500, "hit", "stand", lights=2)
    second = seat(2, 500, "hit", lights=2)  # over with the bonus card: no light
    shoe = "5s 9s Th 4h 7d Qh Tc Tc"
    result = played("ten-sticks-21", shoe, first, second, set={"trade": False})
    assert [entry["lights"] for entry in result["seats"].values()] == [3, 2]
    assert nets(result) == [-500, -500]


def test_a_double_card_is_traded_and_its_replacement_kept() -> None:
    first = seat(1, 1000, "double", "trade", "keep")
    result = played("ten-sticks-21", "5s 9h 6h 8d Tc Tc", first)
    assert result["seats"]["1"]["lights"] == 1
    assert result["seats"]["1"]["wagers"]["base"] == {"staked": 2000, "returned": 4000}


def test_a_blackjack_by_trade_and_its_reading() -> None:
    shoe = "Tc 9h As 8d Ks"
    assert nets(played("ten-sticks-21", shoe, seat(1, 1000, "trade"))) == [1500]
    reading = {"traded_natural": "twenty-one"}
    assert nets(played("ten-sticks-21", shoe, seat(1, 1000, "trade"), set=reading)) == [1000]


@pytest.mark.parametrize(("surplus", "lights"), [("carries", 1), ("lost", 0)])
def test_a_light_after_the_prize(surplus: str, lights: int) -> None:
    first = seat(1, 1000, "trade", "trade", "stand", lights=9)
    result = played("ten-sticks-21", "Tc 9h Tc 8d 5s 4h", first, set={"light_surplus": surplus})
    assert result["seats"]["1"]["lights"] == lights
    assert nets(result) == [-1000 + 5000]


def test_doubling_for_less_is_a_matter_of_the_game() -> None:
    shoe = "5s 9h 6h 8d 9c"
    assert nets(played("ten-sticks-21", shoe, seat(1, 1000, "double 300"))) == [1300]
    with pytest.raises(RoundError, match="seat 1, step 1: doubling for less"):
        played("blackjack", shoe, seat(1, 1000, "double 300"))


# --- Blackjack Tie ----------------------------------------------------------------------------


def test_the_bonus_wager_that_matches_wins_and_the_others_lose() -> None:
    first = seat(1, 3000, "stand", left_side=500, tie_18=500, tie_17=500)
    result = played("blackjack-tie", "Ks 9h 8d 9c", first)
    assert nets(result) == [18 * 500 + 55 * 500 - 500]
    assert outcomes(result) == ["push"]


def test_only_the_first_split_hand_counts_for_the_bonus() -> None:
    first = seat(1, 1000, "split", "stand", "stand", tie_18=500)
    result = played("blackjack-tie", "9s 9d 9h 9c 9s Td", first)
    assert result["seats"]["1"]["wagers"] == {
        "base": {"staked": 2000, "returned": 3000},
        "tie-18": {"staked": 500, "returned": 28000},
    }


# --- Games of Chance --------------------------------------------------------------------------


def test_a_tie_costs_a_dollar_for_each_hand_or_for_the_player() -> None:
    shoe = "Ks Kh 9h 8d 8s 9c"
    seats = (seat(1, 400, "stand", player="Ann"), seat(3, 400, "stand", player="Ann"))
    result = played(CHANCE, shoe, *seats)
    assert nets(result) == [-100, -100]
    assert outcomes(result, 3) == ["tied"]
    assert nets(played(CHANCE, shoe, *seats, set={"tie_dollar": "player"})) == [-100, 0]


@pytest.mark.parametrize(
    ("reading", "net", "outcome"),
    [("natural-takes-all", -400, "lost"), ("final", -200, "surrendered")],
)
def test_a_surrender_under_an_unchecked_ten(reading: str, net: int, outcome: str) -> None:
    first = seat(1, 400, "surrender")
    result = played(CHANCE, "Ts Kd 6s Ac", first, set={"unchecked_surrender": reading})
    assert nets(result) == [net]
    assert outcomes(result) == [outcome]


# --- Twisted 21 -------------------------------------------------------------------------------


def test_the_player_picks_a_down_card_and_the_stud_round_follows() -> None:
    shoe = "Ks 5h 2c 6d 9s" + " Kd 7c 3h 4s 8d"
    result = played("twisted-21", shoe, seat(1, 1000, "hit 2", stud_poker=500, stud_bonus=500))
    assert result["seats"]["1"]["hands"][0]["cards"] == ["Ks", "5h", "6d"]
    assert result["dealer"] == {"cards": ["Kd", "7c"], "total": 17}
    assert nets(result) == [1000 + 500 - 500]  # K-9 against K-8, no row of the bonus


def test_empty_positions_get_cards_and_a_bust_stays_in_the_stud_round() -> None:
    shoe = "3s 3h 3d 3c 4s Ts 6h Kc Qd 2d 5s 5h 5d 5c 4h 9s 8s 2c 7c 4c Td Th"
    result = played(
        "twisted-21",
        shoe,
        seat(2, 1000, "hit", stud_bonus=500),
        set={"positions": 3, "stud_bonus": "seven-card", "hit_cards": "in-order"},
    )
    assert nets(result) == [-1000 + 2 * 500]  # three tens pay 3 for 1
    assert result["dealer"]["total"] == 17


def test_a_double_with_a_pick_and_a_dealer_who_draws_the_own_cards() -> None:
    shoe = "6s 5h 2c 9d Ts" + " Td 2h 4s 3h 8d"
    result = played("twisted-21", shoe, seat(1, 1000, "double pick 3"))
    assert result["dealer"] == {"cards": ["Td", "2h", "4s", "3h"], "total": 19}
    assert result["seats"]["1"]["wagers"]["base"] == {"staked": 2000, "returned": 4000}


# --- Pure Spanish 21.5 ------------------------------------------------------------------------


def test_three_eights_push_a_busted_player() -> None:
    result = played(SPANISH, "Ks 8d 6s 8h Qc 8s", seat(1, 1000, "hit"), bank=BANK)
    assert outcomes(result) == ["push"]
    assert result["bank"] == {"net": 0, "fees": 50}
    assert result["next_bank"] == {"seat": 7, "turn": 2}


def test_rescue_takes_back_the_last_double() -> None:
    first = seat(1, 1000, "double", "redouble", "rescue")
    result = played(SPANISH, "5s 9h 4h 8c 2d 2c", first, bank=BANK)
    assert result["seats"]["1"]["wagers"]["base"] == {"staked": 4000, "returned": 2000}
    assert outcomes(result) == ["rescued"]


@pytest.mark.parametrize(
    ("button", "cover", "expected"),
    [
        (1, "net", [1000, 500, -1000]),
        (2, "net", [1000, 1000, -1000]),  # what seat 3 loses pays seat 1
        (2, "each-way", [500, 1000, -1000]),
        (3, "net", [1000, 1000, -1000]),
        (3, "each-way", [1000, 500, -1000]),
    ],
)
def test_the_limited_bank_in_action_order(button: int, cover: str, expected: list[int]) -> None:
    result = played(
        SPANISH,
        "Ks Kh 9s 9d Qs Qh 8s 9c",  # 20 and 20 win, 17 loses against 18
        seat(1, 1000, "stand"),
        seat(2, 1000, "stand"),
        seat(3, 1000, "stand"),
        bank={"seat": 7, "amount": 1500},
        action_button=button,
        set={"bank_cover": cover},
    )
    assert nets(result) == expected
    assert result["bank"]["net"] == -sum(expected)


@pytest.mark.parametrize(
    ("amount", "paid", "expected"),
    [
        (2000, "at-once", [800, 1200]),
        (1900, "at-once", [700, 1200]),
        (2000, "in-order", [2000, 0]),
        (1900, "in-order", [1900, 0]),
    ],
)
def test_a_natural_is_paid_at_once_or_in_its_place(
    amount: int, paid: str, expected: list[int]
) -> None:
    result = played(
        SPANISH,
        "5s As 6d 6h Kd 9c 9h 8c",
        seat(1, 1000, "double", "stand"),
        seat(2, 1000),
        bank={"seat": 7, "amount": amount},
        set={"natural_paid": paid},
    )
    assert nets(result) == expected
    assert outcomes(result, 2) == ["won"]


def test_match_and_backline_bettors_through_a_split_and_a_double() -> None:
    first = seat(1, 1000, "split", "double", "stand", "stand", match=500)
    first["backline"] = [
        {"player": "Bo", "wagers": {"base": 500, "match": 300}},
        {"player": "Cy", "wagers": {"base": 300}, "follows": True},
    ]
    result = played(SPANISH, "8s 8h 8h 9c 3d 9d Qs", first, bank=BANK)
    assert nets(result) == [2000 + 1000 + 13 * 500]
    backline = result["seats"]["1"]["backline"]
    assert backline["Bo"]["wagers"] == {
        "base": {"staked": 500, "returned": 1000},
        "match": {"staked": 300, "returned": 300 + 13 * 300},
    }
    assert backline["Cy"]["wagers"] == {"base": {"staked": 900, "returned": 1800}}
    assert result["bank"] == {"net": -9500 - 4400 - 900, "fees": 100}  # $26 of action


def test_a_rescue_and_a_surrender_behind_which_somebody_bets() -> None:
    back = [
        {"player": "Bo", "wagers": {"base": 600}},
        {"player": "Cy", "wagers": {"base": 600}, "follows": True},
    ]
    first = seat(1, 1000, "double", "rescue", backline=back)
    result = played(SPANISH, "5s 9h 4h 8c 2d", first, bank=BANK)
    backline = result["seats"]["1"]["backline"]
    assert [backline[name]["net"] for name in ("Bo", "Cy")] == [-600, -600]
    first = seat(1, 1000, "surrender", backline=back)
    backline = played(SPANISH, "Ks 9h 6h 8c", first, bank=BANK)["seats"]["1"]["backline"]
    assert [backline[name]["net"] for name in ("Bo", "Cy")] == [-300, -300]


def test_both_pure_spanish_and_the_order_from_the_banks_left() -> None:
    result = played(
        SPANISH,
        "As 9s Kh Qd 9c Ad",  # seat 5 first, then seat 1
        seat(1, 500),
        seat(5, 1000),
        bank={"seat": 3, "amount": 5000, "turn": 2},
    )
    assert nets(result) == [-500, 1200]
    assert result["seats"]["5"]["hands"][0]["total"] == 21.5
    assert result["next_bank"] == {"seat": 5, "turn": 1}


def test_fees_per_spot_and_per_bettor() -> None:
    first = seat(1, 5000, "stand", match=1000)
    first["backline"] = [{"player": "Bo", "wagers": {"base": 2000}}]
    result = played(SPANISH, "Ks 9h Qh 9c", first, bank=BANK, set={"fee_schedule": 42})
    assert result["seats"]["1"]["fees"] == 100
    assert result["seats"]["1"]["backline"]["Bo"]["fees"] == 50
    assert result["bank"]["fees"] == 100


@pytest.mark.parametrize(("rounding", "net"), [("down", 300), ("up", 400), ("nearest", 400)])
def test_payoffs_in_dollar_chips(rounding: str, net: int) -> None:
    settings = {"chip": 100, "rounding": rounding}
    result = played(SPANISH, "As 9d Ks 9c", seat(1, 300), bank=BANK, set=settings)
    assert nets(result) == [net]  # 6 to 5 is $3.60


# --- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shoe", "actions", "message"),
    [
        ("Ks 9h 2d", [], "too few cards"),
        ("Ks 9h 2d 8c", ["hit"], "seat 1, step 1: a card"),
        ("Ks 9h 2d 8c", [], "seat 1, step 1: too few actions"),
        ("Ks 9h 2d 8c", ["stand", "hit"], "seat 1, step 2: too many actions"),
        ("Ks 9h 2d 8c", ["split"], "seat 1, step 1: 'split' is illegal"),
        ("Ks 9h 2d 8c", ["hit 2"], "seat 1, step 1: down card 2"),
        ("Ks 9h 2d 8c", ["hit two"], "seat 1, step 1: 'hit two' is no action"),
        ("Ks Ah 2d 8c", ["insure 600"], "seat 1, step 1: 600 is not whole dollars up to 500"),
    ],
)
def test_refused_rounds(shoe: str, actions: list[str], message: str) -> None:
    with pytest.raises(RoundError, match=message):
        played("blackjack", shoe, seat(1, 1000, *actions))


@pytest.mark.parametrize(
    ("game", "entry", "message"),
    [
        ("blackjack", seat(1, 300), "outside the table's limits"),
        (CHANCE, seat(1, 300), "GC-AMT"),
        ("blackjack-tie", seat(1, 1000, tie_17=600, tie_18=500), "BT-5"),
        ("ten-sticks-21", seat(1, 1050), "whole dollars"),
        ("twisted-21", seat(1, 1000, match=500), "no wager 'match'"),
        ("pure-spanish-21.5", seat(1, 1000), "PS-D1"),
    ],
)
def test_refused_wagers(game: str, entry: dict[str, Any], message: str) -> None:
    with pytest.raises(RoundError, match=message):
        played(game, "", entry)


# --- random rounds ----------------------------------------------------------------------------


@pytest.mark.chance
@pytest.mark.parametrize(
    ("game", "seed"),
    [(game, seed) for game in sorted(GAMES) for seed in range(25 if game in VARIANTS else 100)],
)
def test_random_rounds_add_up_and_replay(game: str, seed: int) -> None:
    rng = dice(f"{game} {seed}")
    situation = random_situation(rng, game, irregular=seed % 5 == 0)
    result = play_round(situation, random_choice(rng))
    for entry in situation["seats"]:
        entry["actions"] = result["seats"][str(entry["seat"])]["actions"]
    assert play_round(situation) == result
    total = result["bank" if game == SPANISH else "house"]["net"]
    for entry in result["seats"].values():
        total = total + entry["net"] + sum(back["net"] for back in entry["backline"].values())
        for money in entry["wagers"].values():
            assert money["staked"] > 0
            assert money["returned"] >= 0
    assert total == 0
    if game == SPANISH:
        assert abs(result["bank"]["net"]) <= situation["bank"]["amount"]


@pytest.mark.chance
@pytest.mark.parametrize("game", VARIANTS)
def test_rounds_of_variants_are_the_same_card_by_card(game: str) -> None:
    """`plain_round` plays one player's round by code of its own."""
    for seed in range(60):
        rng = dice(f"card by card {game} {seed}")
        situation = random_situation(rng, game)
        situation["seats"] = situation["seats"][:1]
        for setting in ("decks", "chip", "rounding"):
            situation["set"].pop(setting, None)
        situation["set"]["insurance"] = False
        result = play_round(situation, random_choice(rng))
        (entry,) = result["seats"].values()
        stake = situation["seats"][0]["wagers"]["base"]
        shoe = tuple(situation["shoe"].split())
        assert follow(game, situation["set"], shoe, entry["actions"]) * stake == entry["net"]


def test_a_switch_at_a_table_of_two() -> None:
    # Seat 1: K-5 and 6-Q, switched to K-Q and 6-5-9; seat 3: 9-8, a push, and A-K; dealer 7-T.
    shoe = "Ks 6s 9s As 7c 5d Qd 8s Kd Tc 9d"
    first = seat(1, 1000, "switch", "stand", "double")
    result = played("blackjack-switch", shoe, first, seat(3, 500, "keep", "stand"))
    assert nets(result) == [3000, 500]
    assert result["seats"]["1"]["wagers"]["base"] == {"staked": 3000, "returned": 6000}
    assert result["seats"]["3"]["hands"][1] == {
        "cards": ["As", "Kd"],
        "total": 21,
        "outcome": "won",
    }


def test_markers_are_not_staked() -> None:
    # 8-8 split free: 8-3 doubled free to 20 against 18, the marker hand 8-2 has lost nothing.
    first = seat(1, 1000, "split", "double", "stand")
    result = played("free-bet", "8s Tc 8d 8c 3d 9d 2d", first)
    assert result["seats"]["1"]["wagers"]["base"] == {"staked": 1000, "returned": 3000}
    assert outcomes(result) == ["won", "lost"]


def test_the_dealer_without_a_hole_card_draws_after_the_players() -> None:
    # 8-8 split; 8-3 doubled to 20, 8-Q stands; the dealer's ace gets a king.
    shoe = "8s Ac 8d 3d 9d Qd Kc"
    first = seat(1, 1000, "split", "double", "stand")
    result = played("pontoon", shoe, first)
    assert result["seats"]["1"]["wagers"]["base"] == {"staked": 3000, "returned": 1000}
    assert nets(played("european-blackjack", shoe, first)) == [-3000]
    assert result["dealer"] == {"cards": ["Ac", "Kc"], "total": 21}


@pytest.mark.chance
@pytest.mark.parametrize("seed", range(100))
def test_boxes_of_games_of_chance_agree_with_settle_box(seed: int) -> None:
    rng = dice(seed)
    situation = random_situation(rng, CHANCE)
    for entry in situation["seats"]:
        entry.pop("player", None)
    result = play_round(situation, lambda _, actions: actions[rng.choice([0, 1, 3]) % len(actions)])
    for entry in result["seats"].values():
        asked = [action.split()[0] for action in entry["actions"]]
        if "double" in asked or "surrender" in asked:
            continue
        base = entry["wagers"]["base"]
        stake = base["staked"] // len(entry["hands"])
        split = len(entry["hands"]) > 1
        hands = [
            {"cards": hand["cards"], "stake": stake, "split": split} for hand in entry["hands"]
        ]
        of_the_round = ("insurance_amount", "added_wagers", "chip", "rounding")
        settings = {k: v for k, v in situation["set"].items() if k not in of_the_round}
        net = settle_box(CHANCE, settings, hands=hands, dealer=result["dealer"]["cards"])
        assert net == base["returned"] - base["staked"]
