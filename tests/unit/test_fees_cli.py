"""`upcard fees` as a person and as a script meet it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from shell import upcard
from upcard.cli.fees import app
from upcard.errors import ProblemsError, UpcardError
from upcard.money import TOO_MUCH

ACTION = ["total", "table", "action"]
OWN = """
name = "Own fees"
source = "our sign"
most_rates = 5
groups = [{ from = 1, to = 1, players = "nothing", clauses = [] }]
[[schedules]]
id = 1
limits = "$3 - $200"
player_dealer = [["$3-$25", "$1"], ["$26+", "$2"]]
"""


def run(*args: str) -> Result:
    return CliRunner().invoke(app, args)


def printed(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 0, result.output
    return result.stdout


def read(*args: str) -> Any:
    return json.loads(printed(*args, "--json"))


def refusal(*args: str) -> str:
    result = run(*args)
    assert result.exit_code == 1
    assert isinstance(result.exception, UpcardError)
    return str(result.exception)


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    return str(path)


def test_show_json_of_one_schedule() -> None:
    assert read("show", "42") == {
        "schedules": [
            {
                "id": 42,
                "table_min": 1000,
                "table_max": 100000,
                "charges": "per-spot",
                "clauses": ["PS-F2"],
                "players": [{"from": 1000, "to": 5000, "fee": 50, "printed": "$10-$50 $.50"}],
                "player_dealer": [
                    {"from": 1000, "to": 20000, "fee": 100, "printed": "$10-$200 $1"},
                    {"from": 20100, "to": None, "fee": 200, "printed": "$201+ $2"},
                ],
            }
        ]
    }


def test_show_json_of_all_schedules() -> None:
    assert [schedule["id"] for schedule in read("show")["schedules"]] == list(range(1, 53))


def test_show_as_text_is_plain_and_as_printed() -> None:
    lines = printed("show", "46").splitlines()
    assert lines[0] == "Schedule 46  $10 - $200, players pay for their wager [PS-F3]"
    assert lines[1].split() == ["player's", "wager", "player", *ACTION, "player-dealer"]
    assert lines[3].split() == ["$50-$100", "$1", "$150-400", "$1"]
    assert len(lines) == 7
    assert "\x1b" not in printed("show")


def test_show_leaves_cells_empty_where_a_side_has_fewer_rows() -> None:
    lines = printed("show", "44").splitlines()
    assert lines[-1].split() == ["$205-$300", "$3"]
    assert printed("show", "7").splitlines()[2].split() == ["$5-$100", "$1"]


def test_show_all_fits_the_page() -> None:
    text = printed("show")
    assert text.count("Schedule ") == 52
    assert max(len(line) for line in text.splitlines()) <= 100


def test_unknown_schedule() -> None:
    sentence = "there is no schedule 53: Pure Spanish 21.5 has schedules 1 to 52"
    assert refusal("show", "53") == sentence
    assert refusal("lint", "53") == sentence
    assert refusal("quote", "53", "--seat", "base=5") == sentence


def test_lint_json() -> None:
    assert read("lint", "36") == {
        "findings": [
            {
                "schedule": 36,
                "side": "schedule",
                "rows": [],
                "kind": "repeats-schedule",
                "message": "schedule 36, all rows: "
                "the table limits and the rows are those of schedule 35",
            }
        ]
    }
    assert len(read("lint")["findings"]) == 45


def test_lint_as_text_counts_at_the_end() -> None:
    lines = printed("lint").splitlines()
    assert lines[-1] == "45 findings in 25 of 52 schedules"
    lines = printed("lint", "41").splitlines()
    assert lines[0] == "Schedule 41  $5 - $500, players pay nothing [PS-F1]"
    assert lines[1] == (
        "  gap                   "
        'player-dealer rows 2 "$101 - $200 $3.00" and 3 "$301-$500 $4.00": '
        "a total table action of $201-$300 has no fee"
    )
    assert lines[-1] == "2 findings in schedule 41"
    assert printed("lint", "36").splitlines()[-1] == "1 finding in schedule 36"
    assert printed("lint", "7") == "0 findings in schedule 7\n"


def test_strict_lint_fails_only_on_findings(own: str) -> None:
    result = run("lint", "41", "--strict")
    assert (result.exit_code, "2 findings" in result.stdout) == (1, True)
    assert run("lint", "7", "--strict").exit_code == 0
    assert run("lint", "--strict", "--book", own).exit_code == 0
    assert run("lint", "--strict", "--json").exit_code == 1


def test_own_book(own: str) -> None:
    assert read("show", "--book", own)["schedules"][0]["table_min"] == 300
    assert read("quote", "1", "--seat", "base=26", "--book", own)["total"] == 200
    assert refusal("show", "2", "--book", own) == (
        "there is no schedule 2: Own fees has schedule 1"
    )


def test_a_bad_book_is_refused_with_its_problems(own: str) -> None:
    Path(own).write_text(OWN.replace("$26+", "26+"))
    result = run("lint", "--book", own)
    assert result.exit_code == 1
    assert isinstance(result.exception, ProblemsError)
    assert 'schedule 1, player_dealer row 2: "26+" is not a range' in str(result.exception)


def test_quote_json() -> None:
    assert read("quote", "45", "--seat", "base=105,match=$50", "--seat", "base=40500c") == {
        "schedule": 45,
        "charges": "per-spot",
        "seats": [
            {
                "seat": 1,
                "wagers": {"base": 10500, "match": 5000},
                "fee": 300,
                "rows": [
                    {"from": 10500, "to": 20000, "fee": 200, "printed": "$105-$200 $2"},
                    {"from": 1000, "to": 10000, "fee": 100, "printed": "$10-$100 $1"},
                ],
            },
            {
                "seat": 2,
                "wagers": {"base": 40500},
                "fee": 500,
                "rows": [{"from": 40500, "to": 50000, "fee": 500, "printed": "$405-$500 $5"}],
            },
        ],
        "player_dealer": {
            "action": 56000,
            "fee": 200,
            "row": {"from": 10100, "to": None, "fee": 200, "printed": "$101+ $2"},
        },
        "total": 1000,
        "notes": [],
    }


def test_quote_takes_a_reading_and_a_resolution() -> None:
    seat = ("--seat", "base=50,match=60")
    assert read("quote", "46", *seat)["total"] == 150
    assert read("quote", "46", *seat, "--basis", "base-and-bonus")["total"] == 250
    settled = read("quote", "41", "--seat", "base=250", "--resolution", "lower-fee")
    assert (settled["total"], len(settled["notes"])) == (300, 1)


def test_quote_as_text() -> None:
    lines = printed("quote", "46", "--seat", "base=150").splitlines()
    assert lines[0] == "Schedule 46  $10 - $200, players pay for their wager [PS-F3]"
    assert lines[2].split() == ["seat", "1", "base", "$150", "$2", "$101-$200", "$2"]
    assert lines[3].split() == ["player-dealer", *ACTION, "$150", "$1", "$150-400", "$1"]
    assert lines[4].split() == ["total", "$3"]
    assert len(lines) == 5


def test_a_quote_is_held_to_the_table() -> None:
    assert refusal("quote", "46", "--seat", "base=250") == (
        "seat 1: a base wager of $250 is above the maximum of $200 [PS-D11, PS-M5]"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("base", 'seat 1: "base" is not a wager: '),
        ("base=abc", 'seat 1: base: "abc" is not an amount: '),
        ("base=50.005", 'seat 1: base: "50.005" is not an amount: '),
        ("", 'seat 1: "" is not a wager: '),
        ("base=5,", 'seat 1: "" is not a wager: '),
        ("base=1,000", 'seat 1: "000" is not a wager: '),
        ("base=5,base=3", "seat 1: the base wager is given twice"),
        ("base=-5", "seat 1: base: an amount is $0 or more, not -$5"),
        ("base=0", "seat 1: a base wager of $0 is not a positive multiple of $1"),
        ("base=50c", "seat 1: a base wager of $0.50 is not a positive multiple of $1"),
        ("base=" + "9" * 40, f"seat 1: base: {TOO_MUCH}"),
        ("match=5", "seat 1: a match wager needs a base wager [PS-M3]"),
        ("bass=5", 'seat 1: the wagers are base and match, not "bass"; did you mean "base"?'),
    ],
)
def test_malformed_seats(text: str, sentence: str) -> None:
    assert refusal("quote", "1", "--seat", text).startswith(sentence)


def test_refused_quotes() -> None:
    assert refusal("quote", "1") == (
        "there is nothing to quote: name the wagers of at least one seat"
    )
    assert 'not "all"' in refusal("quote", "1", "--seat", "base=5", "--basis", "all")
    assert 'not "low"' in refusal("quote", "1", "--seat", "base=5", "--resolution", "low")
    assert "between player-dealer rows 2" in refusal("quote", "41", "--seat", "base=250")


@pytest.mark.parametrize("args", [("show", "x"), ("quote",), ("lint", "--what"), ("repair",)])
def test_wrong_usage(args: tuple[str, ...]) -> None:
    assert run(*args).exit_code == 2


def test_help_has_examples() -> None:
    for verb in ("show", "lint", "quote"):
        assert f"upcard fees {verb}" in printed(verb, "--help")
    assert "Collection fees" in run().output


def test_importing_the_module_does_not_import_rich() -> None:
    code = (
        "import sys, typer; before = 'rich' in sys.modules; "
        "import upcard.cli.fees; sys.exit(('rich' in sys.modules) != before)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_fees_by_player_and_without_a_row() -> None:
    """PS-F3, SR-8 and PS-F5, SR-9: schedule 46 has $50-$100 for $1 and $101-$200 for $2."""
    seats = ("--seat", "ann:base=60", "--seat", "ann:base=60", "--seat", "base=60")
    told = upcard("fees", "quote", "46", *seats, "--per", "player", "--json").data
    assert [seat["fee"] for seat in told["seats"]] == [200, 0, 100]
    told = upcard("fees", "quote", "46", *seats, "--json").data
    assert [seat["fee"] for seat in told["seats"]] == [100, 100, 100]
    text = upcard("fees", "quote", "46", *seats, "--per", "player").out
    assert "seat 1 and seat 2 are one player's, who pays once, at seat 1 [PS-F3]" in text
    free = upcard("fees", "quote", "41", "--seat", "base=250", "--resolution", "nothing")
    assert (free.status, "no fee is posted, so none is collected" in free.out) == (0, True)
    assert "there is no player in front of the colon" in (
        upcard("fees", "quote", "46", "--seat", ":base=60").err
    )
