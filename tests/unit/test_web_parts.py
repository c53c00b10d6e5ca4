"""The parts of the pages that need no browser: forms, documents, curves, words, colours."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from upcard import GAME_IDS, tables_for
from upcard.rules.head import contrast
from upcard.service.felt import felt_of
from upcard.service.house_games import choices_of, need_game
from upcard.service.pricing import LIMITED_BANK, Account
from upcard.service.specs import HouseError, ResultInfo, RoundInfo, SeatInfo, TableInfo
from upcard.text import as_text
from upcard.web import words
from upcard.web.curve import balance, nice_step, path, scale, thinned
from upcard.web.document import clause_place, document_of
from upcard.web.making import Draft, about, judge, spec_of
from upcard.web.pages.history import own_net, round_words
from upcard.web.pages.lobby import game_limits, in_order
from upcard.web.pages.me import net_of
from upcard.web.pages.operator import z_words
from upcard.web.pages.sign_in import own_page
from upcard.web.theme import DARK, LIGHT, SAME, stylesheet


def _table(name: str, game: str = "blackjack", *seats: SeatInfo, **changed: object) -> TableInfo:
    plain: dict[str, object] = {
        "id": name,
        "name": name,
        "game": game,
        "game_name": game,
        "fingerprint": "",
        "settings": {},
        "status": "open",
        "demo": False,
        "owner": "",
        "opened": "2026-01-01T00:00:00.000Z",
        "positions": 7,
        "seats": seats,
        "minimum": 500,
        "maximum": 50_000,
        "seconds": 20,
        "wager_seconds": 20,
        "speed": "normal",
        "bots": 0,
        "rounds": 0,
        "listed": True,
    }
    return TableInfo(**{**plain, **changed})  # type: ignore[arg-type]


# ---------------------------------------------------------------------- a table to be made


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_single_choice_is_taken_or_refused_at_its_own_field(game: str) -> None:
    for name, choice in choices_of(game).items():
        values = choice.allowed_values()
        for value in dict.fromkeys((*values[:2], values[-1])):
            text = words.money(int(value)) if choice.money else as_text(value)
            judged = judge(Draft(game, settings={name: text}))
            assert judged.general == [], (name, text)
            assert set(judged.wrong) <= {name, "bots"}, (name, text)
            if not judged.wrong:
                assert spec_of(Draft(game, settings={name: text}), judged).game == game


def test_what_the_rules_forbid_is_said_beside_every_field_that_was_chosen() -> None:
    draft = Draft("pure-spanish-21.5", settings={"soft17": "stand", "double_double": "true"})
    wrong = judge(draft).wrong
    assert set(wrong) == {"soft17", "double_double"}
    assert all(
        "only for tables where the player-dealer hits soft 17" in said[0] for said in wrong.values()
    )
    assert all(said[0].endswith("[PS-O3, PS-O3a]") for said in wrong.values())
    with pytest.raises(HouseError, match="hits soft 17"):
        spec_of(draft, judge(draft))
    draft.set("soft17", "hit")
    assert judge(draft).holds


def test_limits_that_cross_are_refused_at_the_field_that_crossed_them() -> None:
    wrong = judge(Draft("blackjack", settings={"table_minimum": "600"})).wrong
    assert list(wrong) == ["table_minimum"]
    assert "above the maximum $500" in wrong["table_minimum"][0]


@pytest.mark.parametrize("text", ["", "-5", "1e9", "<b>", "99999999999", "\x00"])
def test_what_is_no_amount_is_refused_where_it_was_typed(text: str) -> None:
    assert list(judge(Draft("blackjack", settings={"table_minimum": text})).wrong) == [
        "table_minimum"
    ]


def test_what_was_typed_is_repeated_as_typed_and_an_empty_field_says_what_may_be_there() -> None:
    said = judge(Draft("blackjack", settings={"penetration": "abc"})).wrong["penetration"][0]
    assert said.startswith('"abc" is not allowed: it may be 0.')
    for name, part in (("penetration", "it may be 0."), ("table_minimum", "it may be $")):
        (said,) = judge(Draft("blackjack", settings={name: ""})).wrong[name]
        assert said.startswith("Nothing is written here: ")
        assert part in said


def test_another_game_keeps_what_it_has_as_well() -> None:
    draft = Draft("blackjack", settings={"decks": "4", "dealer_22": "push"})
    draft.choose_game("ten-sticks-21")
    assert (draft.game, draft.settings) == ("ten-sticks-21", {"decks": "4"})
    draft.choose_game("no such game")
    assert draft.game == GAME_IDS[0]


def test_bots_are_as_many_as_there_is_room_for() -> None:
    assert judge(Draft("pure-spanish-21.5", bots=0)).holds, "friends bank it among themselves"
    assert list(judge(Draft("blackjack", bots=7)).wrong) == ["bots"]
    assert about(choices_of("blackjack"), "no.such.key") == ()


# ---------------------------------------------------------------------- rules


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_word_of_the_table_has_one_place_in_the_rules(game: str) -> None:
    tables = tables_for(game)
    document = document_of(tables)
    places = Counter(
        place
        for section in document.sections
        for place in (
            section.place,
            *(p for item in section.rules for p in (item.place, *item.more)),
        )
    )
    places.update(clause_place(clause.id) for clause in document.clauses)
    assert max(places.values()) == 1
    for action in tables.actions:
        assert f"action-{action.name.lower()}" in places
    for wager in tables.money.wagers:
        assert f"wager-{wager}" in places
    assert {"shoe", "bank", "dealer", "round"} <= set(places)
    assert ("lights" in places) == (tables.carry is not None)
    assert ("fees" in places) == ("fee_schedule" in choices_of(game))


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_clause_that_is_cited_can_be_led_to(game: str) -> None:
    document = document_of(need_game(game))
    known = {clause.id for clause in document.clauses}
    assert set(document.cited_by()) <= known
    assert all(set(option.clauses) <= known for option in document.options)


def test_a_wager_leads_to_the_sentence_that_names_it() -> None:
    document = document_of(need_game("blackjack-tie"))
    found = {
        place: item.rule.words
        for section in document.sections
        for item in section.rules
        for place in item.more
    }
    assert found["wager-tie-18"].startswith("Tie 18")
    assert found["wager-base"].startswith("The main wager")
    assert "surrendered" in found["action-surrender"]


def test_choices_of_a_game_are_its_own() -> None:
    assert set(choices_of("twisted-21")) == {
        *(option.name for option in need_game("twisted-21").rulebook.options),
        *(reading.name for reading in need_game("twisted-21").rulebook.readings),
    }
    with pytest.raises(HouseError, match="no game"):
        need_game("../secret")


# ---------------------------------------------------------------------- lists


def test_tables_with_people_come_first_and_closed_or_hidden_ones_do_not_come() -> None:
    bot, person = SeatInfo(1, "Ada", True), SeatInfo(2, "Ann", False)
    tables = [
        _table("b", "twisted-21", bot),
        _table("a", "blackjack", bot),
        _table("c", "twisted-21", bot, person),
        _table("closed", status="closed"),
        _table("hidden", listed=False),
    ]
    assert [info.id for info in in_order(tables)] == ["c", "a", "b"]


def test_limits_of_a_game_span_all_its_tables() -> None:
    tables = [_table("a"), _table("b", minimum=100, maximum=2_000), _table("c", "twisted-21")]
    assert game_limits(tables) == {"blackjack": "$1 to $500", "twisted-21": "$5 to $500"}


def test_who_sits_where_is_told_in_words() -> None:
    info = _table("a", "blackjack", SeatInfo(1, "Ada", True), SeatInfo(2, "Ann <b>", False))
    assert words.people(info.seats) == "Ann <b> and 1 bot"
    assert words.seats_words(info) == "2 of 7 seats taken: Ann <b> and 1 bot"
    assert words.people(()) == "nobody yet"
    assert words.pace(_table("a", seconds=0, speed="fast")) == "Fast, no clock"


def _round(*nets: tuple[str, str, int]) -> RoundInfo:
    results = tuple(ResultInfo("t", 1, 1, who, wager, 500, 500, net) for who, wager, net in nets)
    return RoundInfo("t", 1, 1, 9, "", "", results)


def test_a_round_in_one_line() -> None:
    one = _round(("Ann", "base", 500), ("Ann", "fees", -50), ("Ben", "base", -500))
    assert own_net(one, "Ann") == 450
    assert own_net(one, "Eve") is None
    assert net_of(one) == -50
    names = {"base": "Base game", "fees": "fees"}
    assert round_words(one, names, "Ann") == f"Base game +$5, fees {words.MINUS}$0.50"
    assert round_words(one, names) == f"Ann +$4.50, Ben {words.MINUS}$5"


# ---------------------------------------------------------------------- curves


def test_a_balance_begins_at_nothing_and_ends_with_the_sum() -> None:
    found = balance([100, -250, 50])
    assert (found[0], found[-1]) == (0, -100)


def test_a_thinned_curve_keeps_its_ends_its_peak_and_its_trough() -> None:
    values = [(-1) ** number * number for number in range(3_000)]
    found = thinned(values, 100)
    assert len(found) <= 100
    assert found[0] == (0, 0)
    assert found[-1][0] == 2_999
    assert {max(values), min(values)} <= {value for _, value in found}
    assert [place for place, _ in found] == sorted({place for place, _ in found})


def test_a_scale_of_nothing_is_no_division_by_nothing() -> None:
    up = scale([], 100, 0)
    assert up(0) == 100
    assert path([(0.0, up(0))]) == "M0 100"
    assert nice_step(0) == 1
    assert all(nice_step(span) * 4 >= span for span in (7, 99, 1_000, 123_456_789))


def test_what_has_no_theory_is_not_off_by_anything() -> None:
    unpriced = Account("base", 1, 2_500, 2_500, -500, None)
    assert z_words(unpriced) == "not priced yet"
    assert z_words(unpriced, LIMITED_BANK) == ""
    assert z_words(Account("base", 10, 1_000, 1_000, 50, 20.0, 900.0), "") == "+1.0 sd"


# ---------------------------------------------------------------------- colours and addresses


def test_text_can_be_read_in_both_themes() -> None:
    for theme in (DARK, LIGHT):
        grounds = [theme[name] for name in ("ground", "bar", "surface", "raised")]
        texts = [theme[name] for name in ("text", "soft", "link", "good", "bad", "warn")]
        assert min(contrast(*pair) for pair in product(texts, grounds)) >= 4.5
        for kind in ("good", "bad", "warn"):
            assert contrast(theme["text"], theme[f"{kind}-ground"]) >= 4.5
        assert min(contrast(theme["line-strong"], ground) for ground in grounds) >= 3
        assert min(contrast(theme["focus"], ground) for ground in grounds) >= 3
    assert contrast(SAME["gold"], SAME["on-gold"]) >= 4.5
    assert min(contrast(SAME["on-felt"], felt) for felt in map(felt_of, GAME_IDS)) >= 4.5
    assert min(contrast(SAME["on-felt-soft"], felt) for felt in map(felt_of, GAME_IDS)) >= 4.5


def test_the_tokens_are_variables_of_both_themes() -> None:
    sheet = stylesheet()
    assert set(DARK) == set(LIGHT)
    assert all(f"--{name}:" in sheet for name in (*DARK, *SAME))
    assert all(felt in sheet for felt in map(felt_of, GAME_IDS))


@pytest.mark.parametrize(
    "text", ["//evil.example", "https://evil.example", "javascript:alert(1)", "/\\evil", "", "/\n"]
)
def test_after_signing_in_one_stays_in_the_house(text: str) -> None:
    assert own_page(text) == "/"
    assert own_page("/table/t1/history?x=1#y") == "/table/t1/history?x=1#y"
