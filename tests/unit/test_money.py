"""Amounts of money as people write them, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.errors import UpcardError
from upcard.money import (
    MOST_CENTS,
    TOO_MUCH,
    AmountError,
    format_cents,
    outside_limits,
    parse_amount,
    plain_dollars,
)


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("25", 2500),
        ("$25", 2500),
        ("25.00", 2500),
        ("25.", 2500),
        ("2.5", 250),
        ("$2.50", 250),
        ("2.500", 250),
        (".5", 50),
        ("$.05", 5),
        ("$1,000", 100_000),
        ("1,234,567.89", 123_456_789),
        ("2500c", 2500),
        ("0C", 0),
        ("0", 0),
        ("-0", 0),
        ("007", 700),
        (" 25 ", 2500),
        ("1000000000", MOST_CENTS),
        (f"{MOST_CENTS}c", MOST_CENTS),
    ],
)
def test_amounts(text: str, cents: int) -> None:
    assert parse_amount(text) == cents


NO_AMOUNTS = (
    *("", " ", "$", "c", ".", "much", "nan", "inf", "1e3", "+5", "5 c", "5$", "$5c", "2.5c", "--5"),
    *("1,00", "1,0000", "10,00,000", ",5", "1,000,00", "0x10", "1_000", "²", "١٢", "$-5", "5%"),
)


@pytest.mark.parametrize("text", NO_AMOUNTS)
def test_what_is_no_amount(text: str) -> None:
    with pytest.raises(AmountError, match=r'^".*" is not an amount: write '):
        parse_amount(text)


def test_a_decimal_comma_is_answered_with_a_point() -> None:
    with pytest.raises(AmountError, match=r'^"2,50" is not an amount: write 2\.50 with a point;'):
        parse_amount("2,50")


@pytest.mark.parametrize("text", ["0.001", "25.005", "$1.999"])
def test_a_cent_is_the_least(text: str) -> None:
    with pytest.raises(AmountError, match="a cent is the least there is"):
        parse_amount(text)


@pytest.mark.parametrize(("text", "shown"), [("-5", r"-\$5"), ("-$2.50", r"-\$2\.50")])
def test_no_amount_is_negative(text: str, shown: str) -> None:
    with pytest.raises(UpcardError, match=f"an amount is .0 or more, not {shown}$"):
        parse_amount(text)


@pytest.mark.parametrize(
    "text",
    ["1000000000.01", "100000000001c", "9" * 20, "9" * 10_000, "$9,999,999,999", "9" * 99 + "c"],
)
def test_what_is_too_much_is_said_in_one_sentence(text: str) -> None:
    with pytest.raises(UpcardError) as caught:
        parse_amount(text)
    assert str(caught.value) == TOO_MUCH
    assert not isinstance(caught.value, AmountError)


amounts = st.integers(0, MOST_CENTS) | st.integers(0, 100_000)


@given(amounts)
def test_every_way_to_write_an_amount_is_read_back(cents: int) -> None:
    for text in (
        format_cents(cents),
        plain_dollars(cents),
        f"{cents}c",
        f"${plain_dollars(cents)}",
    ):
        assert parse_amount(text) == cents


@given(st.text(max_size=12) | st.text("0123456789.,$c- ", max_size=14))
def test_any_text_is_an_amount_or_is_refused(text: str) -> None:
    try:
        cents = parse_amount(text)
    except UpcardError:
        return
    assert 0 <= cents <= MOST_CENTS
    assert parse_amount(format_cents(cents)) == cents


def test_limits_in_words() -> None:
    assert outside_limits("base", 500, 500, 50_000) == ""
    assert outside_limits("base", 10**9, 500, 0) == "", "no maximum"
    assert outside_limits("match", 400, 500, 0) == "a match wager of $4 is below the minimum of $5"
    assert outside_limits("base", 500, 500, 900, others=500) == (
        "a base wager of $5 with $5 of others on the spot is above the maximum of $9"
    )
