"""The defects of the printed schedules, each found by reading the source."""

from __future__ import annotations

import pytest

from upcard.fees.lint import Finding, Kind, lint
from upcard.fees.schedules import load_fee_book, parse_fee_book

PD, PL = "player-dealer", "players"

# Every defect of the 52 schedules by kind: schedule, side, rows.
EXPECTED: dict[Kind, list[tuple[int, str, tuple[int, ...]]]] = {
    # Table minimum $3, first row from $5.
    "starts-above-minimum": [(n, PD, (1,)) for n in (2, 3, 4, 5, 6, 12, 13, 14, 15, 16)],
    "outside-limits": [
        # Limit $200, rows $201-$300 and $301+.
        (46, PL, (4,)),
        (46, PL, (5,)),
        (47, PL, (4,)),
        (47, PL, (5,)),
        (48, PL, (4,)),
        (48, PL, (5,)),
        # Limit $500, row $501+.
        (49, PL, (5,)),
        # Limit from $100, rows $10-$49 and $50-$100.
        (51, PL, (1,)),
        (51, PL, (2,)),
        # Limit $1,000, row $1000+: only $1,000 itself can be wagered.
        (52, PL, (4,)),
    ],
    "gap": [
        (41, PD, (2, 3)),
        (43, PL, (1, 2)),
        (44, PL, (1, 2)),
        (44, PL, (2, 3)),
        (45, PL, (1, 2)),
        (45, PL, (2, 3)),
        (45, PL, (3, 4)),
        (45, PL, (4, 5)),
        (52, PL, (3, 4)),
    ],
    "overlap": [(41, PD, (3, 4))],
    "no-open-top": [
        # $501, $501, $801, $701 and $501 without a plus sign.
        (5, PD, (5,)),
        (10, PD, (5,)),
        (12, PD, (5,)),
        (14, PD, (5,)),
        (15, PD, (5,)),
        # Player rows end at $50, $200, $300, $500; limits $1,000, $2,000, $3,000, $5,000.
        (42, PL, (1,)),
        (43, PL, (2,)),
        (44, PL, (3,)),
        (45, PL, (5,)),
        # The player-dealer's rows end at $1,000; 51's player rows at $300 of $1,000.
        (50, PD, (4,)),
        (51, PL, (3,)),
        (51, PD, (3,)),
    ],
    "repeats-schedule": [(36, "schedule", ())],
    # $1.00 then $1; $1 then $1.
    "repeated-rate": [(1, PD, (2, 3)), (46, PD, (2, 3))],
    "falling-rate": [],
    "too-many-rates": [],
}

# Sentences written by hand from the source.
SENTENCES = [
    (
        'schedule 41, player-dealer rows 2 "$101 - $200 $3.00" and 3 "$301-$500 $4.00": '
        "a total table action of $201-$300 has no fee"
    ),
    (
        'schedule 41, player-dealer rows 3 "$301-$500 $4.00" and 4 "$401-$500 $5.00": '
        "a total table action of $401-$500 has two fees"
    ),
    "schedule 36, all rows: the table limits and the rows are those of schedule 35",
    (
        'schedule 50, player-dealer row 4 "$601-$1,000 $3": '
        "a total table action of $1,001 or more has no fee"
    ),
    'schedule 51, player row 1 "$10-$49 $2": it lies below the table minimum of $100',
    'schedule 51, player row 2 "$50-$100 $3": it starts below the table minimum of $100',
    (
        'schedule 5, player-dealer row 5 "$501 $8": '
        "there is no plus sign, so a total table action of $502 or more has no fee"
    ),
    (
        'schedule 14, player-dealer row 5 "$701 $10": '
        "there is no plus sign, so a total table action of $702 or more has no fee"
    ),
    (
        'schedule 1, player-dealer rows 2 "$26-$100 $1.00" and 3 "$101-$200 $1": '
        "the fee is $1 in both, so they are one rate"
    ),
    (
        'schedule 2, player-dealer row 1 "$5-$100 $0.50": '
        "the table minimum is $3, and a total table action of $3-$4 has no fee"
    ),
    'schedule 42, player row 1 "$10-$50 $.50": a wager of $51-$1,000 has no fee',
    (
        'schedule 43, player rows 1 "$10-$100 $1" and 2 "$105-$200 $2": '
        "a wager of $101-$104 has no fee"
    ),
    (
        'schedule 45, player rows 4 "$305-$400 $4" and 5 "$405-$500 $5": '
        "a wager of $401-$404 has no fee"
    ),
    'schedule 46, player row 5 "$301+ $4": it lies above the table maximum of $200',
    'schedule 51, player row 3 "$101-$300 $5": a wager of $301-$1,000 has no fee',
    'schedule 52, player rows 3 "$401-$600 $5" and 4 "$1000+ $7": a wager of $601-$999 has no fee',
    'schedule 52, player row 4 "$1000+ $7": it reaches above the table maximum of $1,000',
]


@pytest.fixture(scope="module")
def findings() -> tuple[Finding, ...]:
    return lint(load_fee_book("pure-spanish-21.5"))


def own(player_dealer: str, *, players: str = "", limits: str = "$5 - $100") -> list[str]:
    """Kind, rows and sentence of what is found in a file with one schedule."""
    text = f"""
name = "own"
source = "own"
most_rates = 5
groups = [{{ from = 1, to = 9, players = "{"per-spot" if players else "nothing"}", clauses = [] }}]
[[schedules]]
id = 1
limits = "{limits}"
players = [{players}]
player_dealer = [{player_dealer}]
"""
    return [
        f"{found.kind} {found.rows} {found.message.partition(': ')[2]}"
        for found in lint(parse_fee_book(text.encode(), "own.toml"))
    ]


@pytest.mark.parametrize("kind", EXPECTED)
def test_all_findings_of_a_kind(findings: tuple[Finding, ...], kind: Kind) -> None:
    found = [(f.schedule, f.side, f.rows) for f in findings if f.kind == kind]
    assert found == EXPECTED[kind]


def test_nothing_else_is_found(findings: tuple[Finding, ...]) -> None:
    assert {found.kind for found in findings} <= set(EXPECTED)
    assert len(findings) == 45
    numbers = [found.schedule for found in findings]
    assert numbers == sorted(numbers)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences(findings: tuple[Finding, ...], sentence: str) -> None:
    assert sentence in [found.message for found in findings]


def test_every_finding_names_its_rows_as_printed(findings: tuple[Finding, ...]) -> None:
    book = load_fee_book("pure-spanish-21.5")
    for found in findings:
        assert found.message.startswith(f"schedule {found.schedule}, ")
        schedule = book.schedule(found.schedule)
        rows = schedule.players if found.side == "players" else schedule.player_dealer
        for number in found.rows:
            assert f'{number} "{rows[number - 1].printed}"' in found.message


def test_neighbouring_dollars_leave_no_gap() -> None:
    assert own('["$5-$25", "$1"], ["$26+", "$2"]') == []


def test_one_missing_dollar_is_a_gap() -> None:
    assert own('["$5-$25", "$1"], ["$27+", "$2"]') == [
        "gap (1, 2) a total table action of $26 has no fee"
    ]


def test_players_may_end_at_the_table_maximum() -> None:
    assert own('["$5+", "$1"]', players='["$5-$100", "$1"]') == []
    assert own('["$5+", "$1"]', players='["$5-$99", "$1"]') == [
        "no-open-top (1,) a wager of $100 has no fee"
    ]


def test_players_may_not_reach_past_the_table_maximum() -> None:
    assert own('["$5+", "$1"]', players='["$5-$101", "$1"]') == [
        "outside-limits (1,) it reaches above the table maximum of $100"
    ]


def test_the_player_dealer_may_pass_the_table_maximum_but_not_start_below_the_minimum() -> None:
    assert own('["$3-$500", "$1"], ["$501+", "$2"]') == [
        "outside-limits (1,) it starts below the table minimum of $5"
    ]


def test_a_gap_that_nobody_can_wager_is_none() -> None:
    above = '["$5-$100", "$1"], ["$200+", "$2"]'
    assert own('["$5+", "$1"]', players=above) == [
        "outside-limits (2,) it lies above the table maximum of $100"
    ]
    below = '["$1", "$1"], ["$4-$100", "$2"]'
    assert own('["$5+", "$1"]', players=below) == [
        "outside-limits (1,) it lies below the table minimum of $5",
        "outside-limits (2,) it starts below the table minimum of $5",
    ]


def test_falling_and_repeated_rates() -> None:
    assert own('["$5-$10", "$3"], ["$11-$20", "$2"], ["$21+", "$2.00"]') == [
        "falling-rate (1, 2) the fee falls from $3 to $2 as the amount grows",
        "repeated-rate (2, 3) the fee is $2 in both, so they are one rate",
    ]


def test_rows_are_judged_by_amount_and_named_by_printed_number() -> None:
    assert own('["$26+", "$2"], ["$5-$25", "$1"]') == []
    assert own('["$27+", "$2"], ["$5-$25", "$1"]') == [
        "gap (1, 2) a total table action of $26 has no fee"
    ]


def test_a_row_inside_another_hides_no_gap() -> None:
    assert own('["$5-$50", "$1"], ["$10-$20", "$2"], ["$60+", "$3"]') == [
        "gap (1, 3) a total table action of $51-$59 has no fee",
        "overlap (1, 2) a total table action of $10-$20 has two fees",
    ]


def test_nothing_follows_an_open_top() -> None:
    assert own('["$5+", "$1"], ["$100-$200", "$2"], ["$300+", "$3"]') == [
        "overlap (1, 2) a total table action of $100-$200 has two fees",
        "overlap (1, 3) a total table action of $300 or more has two fees",
    ]


def test_six_rows_are_too_many_rates() -> None:
    rows = ", ".join(f'["${10 * n + 5}-${10 * n + 14}", "${n + 1}"]' for n in range(5))
    assert own(f'{rows}, ["$55+", "$6"]') == [
        "too-many-rates (6,) there are 6 rates, and at most 5 are allowed"
    ]


def test_rows_that_all_lie_above_the_limits() -> None:
    assert own('["$5+", "$1"]', players='["$200+", "$1"]') == [
        "starts-above-minimum (1,) the table minimum is $5, and a wager of $5-$100 has no fee",
        "outside-limits (1,) it lies above the table maximum of $100",
    ]
