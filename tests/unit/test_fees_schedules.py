"""The 52 schedules as printed, and what is said about a file that cannot be used."""

from __future__ import annotations

import hashlib
import tomllib
from collections import Counter
from importlib.resources import files
from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec
import pytest

from upcard.errors import ProblemsError, UpcardError
from upcard.fees.printed import parse_fee, parse_limits, parse_range
from upcard.fees.schedules import (
    FeeBook,
    FeeRow,
    FeeSchedule,
    load_fee_book,
    packaged_books,
    parse_fee_book,
)

if TYPE_CHECKING:
    from pathlib import Path

# Read from the source by eye: schedule, table limits, side, row, from, to, fee, as printed.
SAMPLE = [
    (1, (300, 20000), "player_dealer", 1, 300, 2500, 50, "$3-$25 $0.50"),
    (1, (300, 20000), "player_dealer", 2, 2600, 10000, 100, "$26-$100 $1.00"),
    (1, (300, 20000), "player_dealer", 3, 10100, 20000, 100, "$101-$200 $1"),
    (1, (300, 20000), "player_dealer", 5, 30100, None, 300, "$301+ $3"),
    (5, (300, 50000), "player_dealer", 5, 50100, 50100, 800, "$501 $8"),
    (12, (300, 100000), "player_dealer", 5, 80100, 80100, 1000, "$801 $10"),
    (22, (2500, 100000), "player_dealer", 4, 70100, 120000, 700, "$701-$1,200 $7"),
    (32, (50000, 1000000), "player_dealer", 5, 1500100, None, 10000, "$15,001+ $100"),
    (33, (500, 20000), "player_dealer", 4, 40100, None, 500, "$401+ $5"),
    (37, (500, 50000), "player_dealer", 5, 50100, None, 500, "$501 + $5.00"),
    (40, (500, 50000), "player_dealer", 3, 20100, 30000, 300, "$201-$300 $3.00"),
    (41, (500, 50000), "player_dealer", 3, 30100, 50000, 400, "$301-$500 $4.00"),
    (41, (500, 50000), "player_dealer", 4, 40100, 50000, 500, "$401-$500 $5.00"),
    (42, (1000, 100000), "players", 1, 1000, 5000, 50, "$10-$50 $.50"),
    (42, (1000, 100000), "player_dealer", 2, 20100, None, 200, "$201+ $2"),
    (45, (1000, 500000), "players", 5, 40500, 50000, 500, "$405-$500 $5"),
    (46, (1000, 20000), "player_dealer", 2, 15000, 40000, 100, "$150-400 $1"),
    (46, (1000, 20000), "player_dealer", 3, 40100, 60000, 100, "$401-600 $1"),
    (50, (10000, 50000), "player_dealer", 4, 60100, 100000, 300, "$601-$1,000 $3"),
    (51, (10000, 100000), "players", 1, 1000, 4900, 200, "$10-$49 $2"),
    (51, (10000, 100000), "player_dealer", 2, 30100, 50000, 100, "$301-$500 $1.00"),
    (51, (10000, 100000), "player_dealer", 3, 50100, 100000, 200, "$501-$1000 $2"),
    (52, (10000, 100000), "players", 4, 100000, None, 700, "$1000+ $7"),
    (52, (10000, 100000), "player_dealer", 3, 80100, 100000, 300, "$801-$1,000 $3"),
]

GOOD = """
name = "Own fees"
source = "our sign"
most_rates = 5
[[groups]]
from = 1
to = 2
players = "nothing"
clauses = ["OWN-1"]
[[groups]]
from = 3
to = 3
players = "per-player"
clauses = []
[[schedules]]
id = 1
limits = "$3 - $200"
player_dealer = [["$3-$25", "$1"], ["$26+", "$2"]]
[[schedules]]
id = 3
limits = "$5 - $100"
players = [["$5+", "$.50"]]
player_dealer = [["$5+", "$1"]]
"""


@pytest.fixture(scope="module")
def book() -> FeeBook:
    return load_fee_book("pure-spanish-21.5")


def problems(text: str) -> list[str]:
    with pytest.raises(ProblemsError) as caught:
        parse_fee_book(text.encode(), "own.toml")
    return [str(problem).removeprefix("own.toml: ") for problem in caught.value.problems]


def test_there_are_52_schedules_in_their_printed_order(book: FeeBook) -> None:
    assert [schedule.id for schedule in book.schedules] == list(range(1, 53))
    assert (book.name, book.most_rates) == ("Pure Spanish 21.5", 5)


@pytest.mark.parametrize(
    ("number", "limits", "side", "row", "start", "end", "fee", "printed"), SAMPLE
)
def test_rows_are_as_printed(
    book: FeeBook,
    number: int,
    limits: tuple[int, int],
    side: str,
    row: int,
    start: int,
    end: int | None,
    fee: int,
    printed: str,
) -> None:
    schedule = book.schedule(number)
    assert (schedule.table_min, schedule.table_max) == limits
    assert getattr(schedule, side)[row - 1] == FeeRow(start, end, fee, printed)


@pytest.mark.parametrize(
    ("first", "last", "charges", "clause", "players", "player_dealer"),
    [
        # Rows and the sum of their fees in cents, added up from the source.
        (1, 41, "nothing", "PS-F1", (0, 0), (201, 133450)),
        (42, 45, "per-spot", "PS-F2", (11, 2450), (8, 1200)),
        (46, 52, "per-player", "PS-F3", (31, 7700), (31, 6000)),
    ],
)
def test_groups_charge_and_total_as_printed(
    book: FeeBook,
    first: int,
    last: int,
    charges: str,
    clause: str,
    players: tuple[int, int],
    player_dealer: tuple[int, int],
) -> None:
    group = [book.schedule(number) for number in range(first, last + 1)]
    assert {(schedule.charges, schedule.clauses) for schedule in group} == {(charges, (clause,))}
    for side, expected in (("players", players), ("player_dealer", player_dealer)):
        rows = [row for schedule in group for row in getattr(schedule, side)]
        assert (len(rows), sum(row.fee for row in rows)) == expected


def test_table_limits_by_how_many_schedules_have_them(book: FeeBook) -> None:
    counted = Counter((s.table_min // 100, s.table_max // 100) for s in book.schedules)
    assert counted == {
        (3, 200): 1,
        (3, 500): 5,
        (5, 500): 10,
        (3, 1000): 5,
        (5, 1000): 5,
        (25, 1000): 5,
        (100, 2000): 5,
        (500, 10000): 1,
        (5, 200): 2,
        (25, 500): 2,
        (10, 1000): 1,
        (10, 2000): 1,
        (10, 3000): 1,
        (10, 5000): 1,
        (10, 200): 3,
        (10, 500): 1,
        (100, 500): 1,
        (100, 1000): 2,
    }


def test_fifty_rows_are_open_at_the_top(book: FeeBook) -> None:
    open_tops = [
        row for s in book.schedules for row in (*s.players, *s.player_dealer) if row.to is None
    ]
    assert len(open_tops) == 50
    assert all("+" in row.printed for row in open_tops)


def test_json_of_a_row_has_the_public_names() -> None:
    row = FeeRow(15000, None, 100, "$150+ $1")
    assert msgspec.json.encode(row) == b'{"from":15000,"to":null,"fee":100,"printed":"$150+ $1"}'
    assert msgspec.json.decode(msgspec.json.encode(row), type=FeeRow) == row
    assert (row.printed_range, row.printed_fee) == ("$150+", "$1")


def test_a_schedule_survives_json(book: FeeBook) -> None:
    schedule = book.schedule(52)
    assert msgspec.json.decode(msgspec.json.encode(schedule), type=FeeSchedule) == schedule


def test_unknown_schedule_names_the_known_ones(book: FeeBook) -> None:
    with pytest.raises(UpcardError) as caught:
        book.schedule(53)
    assert str(caught.value) == ("there is no schedule 53: Pure Spanish 21.5 has schedules 1 to 52")


def test_packaged_books_are_read_once() -> None:
    assert packaged_books() == ("pure-spanish-21.5",)
    assert load_fee_book("pure-spanish-21.5") is load_fee_book("pure-spanish-21.5")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$3-$25", (300, 2500)),
        ("$5 - $100", (500, 10000)),
        ("$150-400", (15000, 40000)),
        ("$10,001-$15,000", (1000100, 1500000)),
        ("$301+", (30100, None)),
        ("$501 +", (50100, None)),
        ("$501", (50100, 50100)),
    ],
)
def test_ranges(text: str, expected: tuple[int, int | None]) -> None:
    assert parse_range(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "5-100", "$5-", "$5.50-$10", "$1,00", "$5 to $10", "$5++", "$5-$10+", "$" + "9" * 99],
)
def test_texts_that_are_no_range(text: str) -> None:
    with pytest.raises(UpcardError, match="is not a range: write whole dollars as"):
        parse_range(text)


@pytest.mark.parametrize(
    ("text", "cents"),
    [("$.50", 50), ("$0.50", 50), ("$1", 100), ("$1.00", 100), ("$100", 10000), ("$0", 0)],
)
def test_fees(text: str, cents: int) -> None:
    assert parse_fee(text) == cents


@pytest.mark.parametrize("text", ["", "$", "1", "5%", "$.5", "$1.5", "-$1", "$1.000"])
def test_texts_that_are_no_fee(text: str) -> None:
    with pytest.raises(UpcardError, match="is not a fee: write a flat amount as"):
        parse_fee(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("$3+", "is not a pair of table limits"),
        ("$3", "is not a pair of table limits"),
        ("$0 - $5", "the smallest wager is"),
        ("$9 - $5", "end below their start"),
    ],
)
def test_texts_that_are_no_limits(text: str, message: str) -> None:
    with pytest.raises(UpcardError, match=message):
        parse_limits(text)


def test_own_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(GOOD)
    own = load_fee_book(path)
    assert own == load_fee_book(str(path))
    assert own.schedule(1).clauses == ("OWN-1",)
    assert own.schedule(3).players == (FeeRow(500, None, 50, "$5+ $.50"),)
    with pytest.raises(UpcardError, match="Own fees has schedules 1 and 3"):
        own.schedule(2)


def test_all_problems_are_told_at_once() -> None:
    bad = (
        GOOD.replace("most_rates", "most_rate")
        .replace('"$26+"', '"26 and up"')
        .replace('"$.50"', '"5%"')
        .replace('limits = "$5 - $100"', 'limit = "$5 - $100"')
    )
    assert problems(bad) == [
        'there is no key "most_rate"; did you mean "most_rates"?',
        'the key "most_rates" is missing',
        (
            'schedule 1, player_dealer row 2: "26 and up" is not a range: '
            'write whole dollars as "$26-$100", "$301+" or "$501"'
        ),
        'schedule 3: there is no key "limit"; did you mean "limits"?',
        'schedule 3: the key "limits" is missing',
        (
            'schedule 3, players row 1: "5%" is not a fee: '
            'write a flat amount as "$2" or "$.50", never a percentage'
        ),
    ]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("id = 3", "id = 1", "schedule 1: is written 2 times"),
        (
            "id = 3",
            "id = 4",
            ("schedule 4: is in no group; the groups hold the schedules 1 to 2 and 3 to 3"),
        ),
        ("from = 3", "from = 2", None),
        ("to = 2", "to = 3", "schedule 3: is in 2 groups (1 to 3 and 3 to 3)"),
        ("to = 3", "to = 2", "group 2: ends at schedule 2, before it starts at 3"),
        (
            '"per-player"',
            '"per-hand"',
            (
                "group 2, players: must be nothing, per-spot or per-player, "
                'not "per-hand"; did you mean "per-player"?'
            ),
        ),
        ("clauses = []", "clauses = [1]", "group 2, clauses: must be a list of texts"),
        ("id = 3", 'id = "3"', "entry 2 of schedules, id: must be a whole number"),
        ("id = 3", "id = true", "entry 2 of schedules, id: must be a whole number"),
        ("id = 3", "id = 0", "entry 2 of schedules, id: must be 1 or more, not 0"),
        ("most_rates = 5", "most_rates = 0", "most_rates: must be 1 or more, not 0"),
        ('name = "Own fees"', "name = 1", "name: must be a text"),
        (
            '"$5 - $100"',
            '"$100 - $5"',
            ('schedule 3, limits: the table limits "$100 - $5" end below their start'),
        ),
        (
            '"$3-$25"',
            '"$25-$3"',
            ('schedule 1, player_dealer row 1: the range "$25-$3" ends below its start'),
        ),
        ('[["$5+", "$1"]]', "[]", "schedule 3, player_dealer: has no rows"),
        (
            '[["$5+", "$1"]]',
            '["$5+"]',
            (
                "schedule 3, player_dealer row 1: must be a pair of texts, "
                'such as ["$26-$100", "$1"]'
            ),
        ),
        (
            'players = [["$5+", "$.50"]]',
            "",
            ("schedule 3, players: has no rows, but its group charges per-player"),
        ),
        (
            '"per-player"',
            '"nothing"',
            ("schedule 3, players: has rows, but its group takes nothing from players"),
        ),
    ],
)
def test_one_problem_at_a_time(old: str, new: str, expected: str | None) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    if expected is None:
        assert parse_fee_book(text.encode(), "own.toml")
    else:
        assert expected in problems(text)


def test_sections_must_be_tables() -> None:
    assert problems('name = "a"\nsource = "b"\nmost_rates = 5\ngroups = [1]\nschedules = 2\n') == [
        "groups: must be one or more tables, each under its own [[groups]]",
        "schedules: must be a list",
    ]


@pytest.mark.parametrize("data", [b"name = ", b"\xff\xfe"])
def test_what_is_not_toml(data: bytes) -> None:
    with pytest.raises(ProblemsError, match=r"own\.toml: this is not a TOML file: "):
        parse_fee_book(data, "own.toml")


def test_a_book_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UpcardError) as caught:
        load_fee_book("pure-spanish")
    assert str(caught.value) == (
        'there is no fee book "pure-spanish": name a TOML file or pure-spanish-21.5; '
        'did you mean "pure-spanish-21.5"?'
    )
    for path in (tmp_path, tmp_path / "none.toml", "no\0name.toml"):
        with pytest.raises(UpcardError, match="cannot be read"):
            load_fee_book(path)


def test_every_printed_cell_is_the_one_in_the_source() -> None:
    """The digest was taken from the source: its cells line by line, without the 41 cells "$0"."""
    file = files("upcard").joinpath("games", "fees", "pure-spanish-21.5.toml")
    cells: list[str] = []
    for schedule in tomllib.loads(file.read_text())["schedules"]:
        cells += [str(schedule["id"]), schedule["limits"]]
        sides = zip_longest(schedule.get("players", []), schedule["player_dealer"], fillvalue=())
        cells += [cell for line in sides for row in line for cell in row]
    assert len(cells) == 709 - 41
    digest = hashlib.sha256("".join(f"{cell}\n" for cell in cells).encode()).hexdigest()
    assert digest == "dbb9b0a3d250d43b09323bec57654b22fa54770c65d491ca1f7c91434b63ec50"
