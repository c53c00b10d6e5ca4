"""What rounds cost, worked out by hand from the printed rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chance import examples
from upcard.errors import UpcardError
from upcard.fees.quote import Quote, Wagers, quote
from upcard.fees.schedules import FeeRow, FeeSchedule, load_fee_book
from upcard.money import TOO_MUCH

if TYPE_CHECKING:
    from collections.abc import Sequence

BOOK = load_fee_book("pure-spanish-21.5")


def seat(base: int, match: int | None = None) -> dict[str, int]:
    """Wagers in dollars."""
    return {"base": base * 100} | ({} if match is None else {"match": match * 100})


def fees(costs: Quote) -> tuple[list[int], int, int]:
    return [seat.fee for seat in costs.seats], costs.player_dealer.fee, costs.total


def refusal(
    schedule: int,
    seats: Sequence[Wagers],
    *,
    basis: str = "base",
    resolution: str | None = None,
    limits: bool = True,
) -> str:
    with pytest.raises(UpcardError) as caught:
        quote(BOOK.schedule(schedule), seats, basis=basis, resolution=resolution, limits=limits)
    return str(caught.value)


@pytest.mark.parametrize(
    ("number", "seats", "players", "player_dealer", "total"),
    [
        # 1-41: players pay nothing; all wagers together give the action.
        (1, [seat(3)], [0], 50, 50),
        (1, [seat(20), seat(5)], [0, 0], 50, 50),
        (1, [seat(20), seat(6)], [0, 0], 100, 100),
        (41, [seat(50, 50), seat(100)], [0, 0], 300, 300),
        (41, [seat(300), seat(201)], [0, 0], 1000, 1000),
        (5, [seat(300), seat(201)], [0, 0], 800, 800),
        (32, [seat(10000), seat(5001)], [0, 0], 10000, 10000),
        # 42-45: every wager by its own row: $1 + $1 on $100 and $50, not $2 on $150.
        (45, [seat(100, 50)], [200], 200, 400),
        (45, [seat(105, 50), seat(405)], [300, 500], 200, 1000),
        (43, [seat(10), seat(90)], [100, 100], 100, 300),
        (42, [seat(10, 50)], [100], 100, 200),
        # 46-52: the base wager alone; the action counts the bonus wager.
        (46, [seat(50, 60)], [100], 50, 150),
        (46, [seat(49, 150)], [50], 100, 150),
        (50, [seat(500), seat(100)], [400, 100], 200, 700),
        (52, [seat(1000)], [700], 300, 1000),
    ],
)
def test_fees_by_hand(
    number: int, seats: list[Wagers], players: list[int], player_dealer: int, total: int
) -> None:
    assert fees(quote(BOOK.schedule(number), seats)) == (players, player_dealer, total)


def test_a_quote_shows_its_working() -> None:
    costs = quote(BOOK.schedule(45), [{"match": 5000, "base": 10500}, seat(405)])
    assert (costs.schedule, costs.charges, costs.notes) == (45, "per-spot", ())
    first = costs.seats[0]
    assert (first.seat, list(first.wagers.items())) == (1, [("base", 10500), ("match", 5000)])
    assert [row.printed for row in first.rows] == ["$105-$200 $2", "$10-$100 $1"]
    assert costs.player_dealer.action == 10500 + 5000 + 40500
    assert costs.player_dealer.row == FeeRow(10100, None, 200, "$101+ $2")
    assert msgspec.json.decode(msgspec.json.encode(costs), type=Quote) == costs


def test_players_who_pay_nothing_use_no_rows() -> None:
    assert quote(BOOK.schedule(7), [seat(5)]).seats[0].rows == ()


def test_the_reading_fee_basis_adds_the_bonus_wager() -> None:
    # Schedule 46: $50 is in $50-$100 for $1; $50 and $60 together are in $101-$200 for $2.
    seats = [seat(50, 60)]
    assert fees(quote(BOOK.schedule(46), seats, basis="base")) == ([100], 50, 150)
    assert fees(quote(BOOK.schedule(46), seats, basis="base-and-bonus")) == ([200], 50, 250)


def test_the_reading_changes_nothing_per_spot() -> None:
    schedule, seats = BOOK.schedule(45), [seat(105, 50)]
    assert quote(schedule, seats, basis="base-and-bonus") == quote(schedule, seats)


def by_player(
    number: int, seats: Sequence[Wagers], players: list[str], basis: str = "base"
) -> tuple[list[int], int, int]:
    return fees(quote(BOOK.schedule(number), seats, per="player", players=players, basis=basis))


def test_the_reading_fee_per_adds_the_circles_of_a_player() -> None:
    """PS-F3, SR-8: schedule 46 has $10-$49 for 50 cents, $50-$100 for $1, $101-$200 for $2."""
    seats = [seat(30, 30), seat(30, 30), seat(30)]
    assert by_player(46, seats, ["a", "b", "c"]) == ([50, 50, 50], 100, 250)
    assert by_player(46, seats, ["a", "a", "c"]) == ([100, 0, 50], 100, 250)
    assert by_player(46, seats, ["a", "b", "a"]) == ([100, 50, 0], 100, 250)
    assert by_player(46, seats, ["a", "a", "a"], "base-and-bonus") == ([200, 0, 0], 100, 300)
    alone = quote(BOOK.schedule(46), seats, per="player")
    assert alone == quote(BOOK.schedule(46), seats)
    assert quote(BOOK.schedule(46), seats, players=["a"] * 3) == alone
    together = quote(BOOK.schedule(46), seats, per="player", players=["a", "a", "c"])
    assert together.notes == (
        "seat 1 and seat 2 are one player's, who pays once, at seat 1 [PS-F3]",
    )
    with pytest.raises(UpcardError, match=r'the per is circle or player, not "seat"'):
        quote(BOOK.schedule(46), seats, per="seat")


@pytest.mark.parametrize("number", [1, 41, 42, 45])
def test_fee_per_changes_nothing_per_spot_and_where_players_pay_nothing(number: int) -> None:
    """PS-F1, PS-F2, SR-8"""
    seats = [seat(50), seat(50)]
    schedule = BOOK.schedule(number)
    assert quote(schedule, seats, per="player", players=["a", "a"]) == quote(schedule, seats)


def test_nothing_is_collected_where_no_row_is_posted() -> None:
    """PS-F5, SR-9: $250 lies between rows of schedule 41, $51 above those of schedule 42."""
    costs = quote(BOOK.schedule(41), [seat(250)], resolution="nothing")
    assert (fees(costs), costs.player_dealer.row) == (([0], 0, 0), None)
    (note,) = costs.notes
    assert note.endswith("; no fee is posted, so none is collected [PS-F1]")
    assert msgspec.json.decode(msgspec.json.encode(costs), type=Quote) == costs
    costs = quote(BOOK.schedule(42), [seat(51, 20)], resolution="nothing")
    assert fees(costs) == ([50], 100, 150)
    assert [row.printed for row in costs.seats[0].rows] == ["$10-$50 $.50"]
    # What the rows settle is as ever.
    assert quote(BOOK.schedule(1), [seat(5)], resolution="nothing") == quote(
        BOOK.schedule(1), [seat(5)]
    )


def test_two_rows_for_one_amount_stay_refused() -> None:
    """PS-F5, SR-9: both are posted, so nothing is no answer."""
    words = refusal(41, [seat(450)], resolution="nothing")
    assert words.endswith("choose the resolution lower-fee or higher-fee to go on [PS-F1]")
    assert 'in each of player-dealer rows 3 "$301-$500 $4.00" and 4 "$401-$500 $5.00"' in words


UNSETTLED = [
    (
        41,
        [seat(250)],
        (
            "schedule 41 does not settle the player-dealer fee for a total table action of $250, "
            'which is between player-dealer rows 2 "$101 - $200 $3.00" and 3 "$301-$500 $4.00"; '
            "choose the resolution lower-fee, higher-fee or nothing to go on [PS-F1]"
        ),
    ),
    (
        41,
        [seat(400), seat(50)],
        (
            "schedule 41 does not settle the player-dealer fee for a total table action of $450, "
            'which is in each of player-dealer rows 3 "$301-$500 $4.00" and 4 "$401-$500 $5.00"; '
            "choose the resolution lower-fee or higher-fee to go on [PS-F1]"
        ),
    ),
    (
        5,
        [seat(300), seat(202)],
        (
            "schedule 5 does not settle the player-dealer fee for a total table action of $502, "
            'which is above player-dealer row 5 "$501 $8"; '
            "choose the resolution lower-fee, higher-fee or nothing to go on [PS-F1]"
        ),
    ),
    (
        2,
        [seat(4)],
        (
            "schedule 2 does not settle the player-dealer fee for a total table action of $4, "
            'which is below player-dealer row 1 "$5-$100 $0.50"; '
            "choose the resolution lower-fee, higher-fee or nothing to go on [PS-F1]"
        ),
    ),
    (
        43,
        [seat(50), seat(50, 104)],
        (
            "schedule 43 does not settle the player fee for seat 2's match wager of $104, "
            'which is between player rows 1 "$10-$100 $1" and 2 "$105-$200 $2"; '
            "choose the resolution lower-fee, higher-fee or nothing to go on [PS-F2]"
        ),
    ),
    (
        42,
        [seat(51)],
        (
            "schedule 42 does not settle the player fee for seat 1's base wager of $51, "
            'which is above player row 1 "$10-$50 $.50"; '
            "choose the resolution lower-fee, higher-fee or nothing to go on [PS-F2]"
        ),
    ),
]


@pytest.mark.parametrize(("number", "seats", "sentence"), UNSETTLED)
def test_what_the_print_does_not_settle_is_refused(
    number: int, seats: list[Wagers], sentence: str
) -> None:
    assert refusal(number, seats) == sentence


def test_base_and_bonus_are_named_together_in_a_refusal() -> None:
    assert "seat 1's base and bonus wagers together of $700" in refusal(
        52, [seat(600, 100)], basis="base-and-bonus"
    )


@pytest.mark.parametrize(
    ("number", "seats", "lower", "higher"),
    [
        (41, [seat(250)], ([0], 300, 300), ([0], 400, 400)),
        (41, [seat(450)], ([0], 400, 400), ([0], 500, 500)),
        (5, [seat(300), seat(202)], ([0, 0], 800, 800), ([0, 0], 800, 800)),
        (2, [seat(4)], ([0], 50, 50), ([0], 50, 50)),
        (52, [seat(700)], ([500], 200, 700), ([700], 200, 900)),
        (45, [seat(104, 204)], ([300], 200, 500), ([500], 200, 700)),
        (50, [seat(500), seat(500), seat(100)], ([400, 400, 100], 300, 1200), None),
        (51, [seat(400)], ([500], 100, 600), None),
    ],
)
def test_resolutions(
    number: int,
    seats: list[Wagers],
    lower: tuple[list[int], int, int],
    higher: tuple[list[int], int, int] | None,
) -> None:
    schedule = BOOK.schedule(number)
    assert refusal(number, seats)
    assert fees(quote(schedule, seats, resolution="lower-fee")) == lower
    assert fees(quote(schedule, seats, resolution="higher-fee")) == (higher or lower)


def test_a_resolution_is_noted() -> None:
    assert quote(BOOK.schedule(41), [seat(250)], resolution="higher-fee").notes == (
        (
            "schedule 41 does not settle the player-dealer fee for a total table action of $250, "
            'which is between player-dealer rows 2 "$101 - $200 $3.00" and 3 "$301-$500 $4.00"; '
            'by the resolution higher-fee it is player-dealer row 3 "$301-$500 $4.00" [PS-F1]'
        ),
    )


def test_all_rows_beside_a_gap_are_candidates() -> None:
    rows = tuple(
        FeeRow(low * 100, high * 100, fee, f"{low}-{high} {fee}")
        for low, high, fee in ((5, 50, 300), (10, 50, 100), (60, 90, 400), (60, 70, 600))
    )
    schedule = FeeSchedule(1, 500, 10000, "nothing", (), (), rows)
    assert quote(schedule, [seat(55)], resolution="lower-fee").total == 100
    assert quote(schedule, [seat(55)], resolution="higher-fee").total == 600


@pytest.mark.parametrize(
    ("number", "seats", "sentence"),
    [
        (46, [seat(250)], "seat 1: a base wager of $250 is above the maximum of $200"),
        (51, [seat(50), seat(100)], "seat 1: a base wager of $50 is below the minimum of $100"),
        (49, [seat(10), seat(100, 5)], "seat 2: a match wager of $5 is below the minimum of $10"),
    ],
)
def test_wagers_outside_the_limits_are_refused_as_at_the_table(
    number: int, seats: list[Wagers], sentence: str
) -> None:
    assert refusal(number, seats) == f"{sentence} [PS-D11, PS-M5]"


def test_what_is_added_to_a_wager_has_no_limits() -> None:
    costs = quote(BOOK.schedule(51), [seat(50), seat(100)], limits=False)
    assert fees(costs) == ([300, 300], 50, 650)


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        ([], "there is nothing to quote: name the wagers of at least one seat"),
        ([seat(5), {}], "seat 2: there is no base wager"),
        ([{"match": 500}], "seat 1: a match wager needs a base wager [PS-M3]"),
        (
            [{"base": 500, "mach": 500}],
            'seat 1: the wagers are base and match, not "mach"; did you mean "match"?',
        ),
        (
            [{"base": 5050}],
            "seat 1: a base wager of $50.50 is not a positive multiple of $1",
        ),
    ],
)
def test_refused_seats(seats: list[Wagers], sentence: str) -> None:
    assert refusal(1, seats) == sentence


@pytest.mark.parametrize("amount", [0, -500, 50])
def test_amounts_are_positive_whole_dollars(amount: int) -> None:
    assert "is not a positive multiple of $1" in refusal(1, [{"base": amount}])


@pytest.mark.parametrize("amount", [True, 500.0, "500"])
def test_amounts_are_whole_numbers(amount: int) -> None:
    assert "a base wager is a number of cents, not" in refusal(1, [{"base": amount}])


def test_no_amount_is_too_large_to_be_refused_in_words() -> None:
    assert refusal(1, [{"base": 10**30}]) == f"seat 1: {TOO_MUCH}"


def test_refused_settings() -> None:
    assert refusal(1, [seat(5)], basis="bonus") == (
        'the basis is base or base-and-bonus, not "bonus"; did you mean "base-and-bonus"?'
    )
    assert refusal(1, [seat(5)], resolution="low-fee") == (
        'the resolution is lower-fee, higher-fee or nothing, not "low-fee"; did you mean '
        '"lower-fee"?'
    )


def lookups(schedule: FeeSchedule, seats: list[Wagers], basis: str) -> list[tuple[str, int]]:
    """Which amount is looked up on which side, said a second time."""
    found: list[tuple[str, int]] = []
    for wagers in seats:
        if schedule.charges == "per-spot":
            found += [("players", amount) for amount in wagers.values()]
        elif schedule.charges == "per-player":
            amount = wagers["base"] if basis == "base" else sum(wagers.values())
            found.append(("players", amount))
    action = sum(amount for wagers in seats for amount in wagers.values())
    return [*found, ("player-dealer", action)]


def holding(schedule: FeeSchedule, side: str, amount: int) -> list[FeeRow]:
    rows = schedule.players if side == "players" else schedule.player_dealer
    return [row for row in rows if row.from_ <= amount <= (row.to or amount)]


dollars = st.one_of(st.integers(1, 120), st.integers(1, 600), st.integers(1, 12000))
seatings = st.lists(st.builds(seat, dollars, st.none() | dollars), min_size=1, max_size=7)


@pytest.mark.chance
@examples(100)
@given(st.sampled_from(BOOK.schedules), seatings, st.sampled_from(["base", "base-and-bonus"]))
def test_a_quote_succeeds_exactly_when_one_row_holds_every_amount(
    schedule: FeeSchedule, seats: list[Wagers], basis: str
) -> None:
    candidates = [
        holding(schedule, side, amount) for side, amount in lookups(schedule, seats, basis)
    ]
    lower = quote(schedule, seats, basis=basis, resolution="lower-fee", limits=False)
    higher = quote(schedule, seats, basis=basis, resolution="higher-fee", limits=False)
    assert lower.total <= higher.total
    if all(len(rows) == 1 for rows in candidates):
        plain = quote(schedule, seats, basis=basis, limits=False)
        assert plain == lower == higher
        used = [row for seat in plain.seats for row in seat.rows] + [plain.player_dealer.row]
        assert used == [rows[0] for rows in candidates]
        assert plain.total == sum(row.fee for row in used if row)
    else:
        assert "does not settle" in refusal(schedule.id, seats, basis=basis, limits=False)
        assert any("by the resolution lower-fee" in note for note in lower.notes)
