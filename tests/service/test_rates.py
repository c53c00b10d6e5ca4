"""How often something may be asked."""

from __future__ import annotations

import pytest

from service.doors import Time
from upcard.service.rates import Rate, Rates, TooOftenError, address_key, is_own


def test_a_bucket_fills_up_again() -> None:
    time = Time()
    rates = Rates({"sign-in": Rate(3, 0.1)}, clock=time.monotonic)
    for _ in range(3):
        rates.need("sign-in", "Ann")
    with pytest.raises(TooOftenError, match="try again in 10 seconds") as error:
        rates.need("sign-in", "Ann")
    assert error.value.code == "limit"
    rates.need("sign-in", "Bo")
    time.pass_by(seconds=9)
    with pytest.raises(TooOftenError, match="in a second"):
        rates.need("sign-in", "Ann")
    time.pass_by(seconds=1)
    rates.need("sign-in", "Ann")
    time.pass_by(hours=5)
    for _ in range(3):
        rates.need("sign-in", "Ann")
    with pytest.raises(TooOftenError):
        rates.need("sign-in", "Ann")


def test_a_refusal_takes_nothing() -> None:
    time = Time()
    rates = Rates({"sign-in": Rate(1, 1)}, clock=time.monotonic)
    rates.need("sign-in", "Ann")
    for _ in range(50):
        assert rates.wait("sign-in", "Ann") == 1.0
    time.pass_by(seconds=1)
    assert rates.wait("sign-in", "Ann") == 0.0


def test_there_are_never_more_buckets_than_so_many() -> None:
    rates = Rates({"guests": Rate(1, 1)}, clock=lambda: 0.0, most=100)
    for number in range(1000):
        rates.need("guests", f"192.0.2.{number}")
        rates.wait("guests", "192.0.2.0")
    assert len(rates) == 100
    assert rates.wait("guests", "192.0.2.0") > 0, "who is active is not forgotten"


def test_nobody_and_what_has_no_rate_are_not_counted() -> None:
    rates = Rates({"guests": Rate(1, 1)}, clock=lambda: 0.0)
    for _ in range(10):
        rates.need("guests", "")
        rates.need("commands", "Ann")
    assert len(rates) == 0


def test_addresses_count_by_machine() -> None:
    assert address_key("2001:db8:1:2:3:4:5:6") == address_key("2001:db8:1:2::1")
    assert address_key("2001:db8:1:3::1") != address_key("2001:db8:1:2::1")
    assert address_key("::ffff:192.0.2.1") == address_key("192.0.2.1") == "192.0.2.1"
    assert address_key("testclient") == "testclient"
    assert [is_own(one) for one in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "192.0.2.1", "")] == [
        True,
        True,
        True,
        False,
        False,
    ]
