"""What the second reading wants of the rule sheet and the sign, point by point.

That no sentence is otherwise under any setting is asked in `tests/arch/test_sheet.py`; here are the
points by name. Those about play have scripted rounds and sessions of their own: the table in
docs/design/second-reading.md names them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import compiled
from upcard import GameTables, tables_for
from upcard.sheet.rules import Rule, sections
from upcard.table.sign import sign_of

SPANISH = "pure-spanish-21.5"
STICKS = "ten-sticks-21"
CHANCE = "games-of-chance-blackjack"
TWISTED = "twisted-21"
TIE = "blackjack-tie"
DOCUMENT = Path(__file__).parents[2] / "docs" / "design" / "second-reading.md"


def rules_with(tables: GameTables, words: str) -> list[Rule]:
    """Sentences of the sheet that match some words."""
    return [
        rule
        for section in sections(tables)
        for rule in section.rules
        if re.search(words, rule.words)
    ]


def rule_with(tables: GameTables, words: str) -> Rule:
    (found,) = rules_with(tables, words)
    return found


def is_assumed(rule: Rule) -> bool:
    return rule.marks == ("assumed",) and not rule.clauses


# ------------------------------------------------------------------ Pure Spanish 21.5


def test_sr_10_ps_mpay_the_pay_table_of_six_decks_is_assumed_for_others() -> None:
    words = "that it serves .* is assumed"
    assert rules_with(compiled(SPANISH), words) == []
    for decks in (4, 5, 7, 8):
        assert rule_with(compiled(SPANISH, decks=decks), words)
        assert not rules_with(compiled(SPANISH, decks=decks, match=False), words)


def test_sr_12_ps_w8_what_is_assumed_of_backline_wagers_is_stated() -> None:
    game = compiled(SPANISH)
    assert is_assumed(rule_with(game, "A backline wager is settled right after the same wager"))
    assert is_assumed(rule_with(game, "The wagers of one kind on a spot"))
    assert is_assumed(rule_with(game, "The seated player decides"))
    assert rules_with(game, "A backline wager pays the fee") == [], "players pay none"
    charged = compiled(SPANISH, fee_schedule=44)
    assert is_assumed(rule_with(charged, "A backline wager pays the fee"))
    assert rule_with(game, "Backline wagers are permitted").clauses == ("PS-W8", "PS-M4")


def test_sr_13_ps_w1_even_money_is_assumed() -> None:
    assert is_assumed(
        rule_with(compiled(SPANISH), "A win without a Pure Spanish 21.5 pays even money")
    )


def test_sr_13_ps_w12_proposition_players_may_play_and_marks_are_the_houses_own() -> None:
    game = compiled(SPANISH)
    assert rule_with(game, "Third-party").words == "Third-party proposition players may play."
    assert rule_with(game, "Third-party").clauses == ("PS-W12",)
    assert is_assumed(rule_with(game, "marked as such"))


def test_sr_13_ps_deck_the_bonus_cards_are_defined() -> None:
    rule = rule_with(compiled(SPANISH), "Bonus cards")
    assert "kings, queens and jacks" in rule.words
    assert "marked with the word Bonus" in rule.words
    assert rule.clauses == ("PS-DECK",)


def test_sr_13_ps_d8_no_maximum_on_the_bank_and_no_duty_to_cover() -> None:
    rule = rule_with(compiled(SPANISH), "need not cover every wager")
    assert "no maximum" in rule.words
    assert rule.clauses == ("PS-D8",)


def test_sr_13_ps_m5_ps_m6_match_may_be_of_any_size_and_stays_with_a_natural() -> None:
    game = compiled(SPANISH)
    assert rule_with(game, "less than, equal to or more than").clauses == ("PS-M5",)
    stays = rules_with(game, "Match the Dealer Up Card stays in action")
    assert [rule.clauses for rule in stays] == [("PS-M6",), ("PS-M6",), ()]
    assert is_assumed(stays[-1]), "surrendered or rescued"
    assert rule_with(game, "stays in action when the hand is a Pure Spanish 21.5")


def test_sr_13_ps_f4_at_most_five_rates() -> None:
    assert rule_with(compiled(SPANISH), "at most five").clauses == ("PS-D11", "PS-F4")


@pytest.mark.parametrize(
    ("schedule", "clause", "players"),
    [
        (1, "PS-F1", "Players pay no fee."),
        (44, "PS-F2", "A player pays for every base wager and for every bonus wager, by the"),
        (47, "PS-F3", "A player pays for every circle, by the base wager on it:"),
    ],
)
def test_sr_13_ps_f1_ps_f2_ps_f3_who_pays_by_which_measure(
    schedule: int, clause: str, players: str
) -> None:
    """Only the words of the group that the schedule is of, with its rows and limits."""
    game = compiled(SPANISH, fee_schedule=schedule)
    said = rules_with(game, "^A player pays|^Players pay|^The player-dealer pays")
    assert len(said) == 2
    assert said[1].words.startswith(players)
    fees = game.money.fees
    assert fees is not None
    printed = [(row.printed_range, row.printed_fee) for row in fees.schedule.player_dealer]
    assert list(said[0].rows) == printed
    others = {"PS-F1", "PS-F2", "PS-F3"} - {clause}
    cited = {c for section in sections(game) for rule in section.rules for c in rule.clauses}
    assert clause in cited
    assert not others & cited
    limits = rule_with(game, "the limits of fee schedule").words
    assert f"the limits of fee schedule {schedule}" in limits


def test_sr_13_match_has_no_rows_where_it_is_not_offered() -> None:
    game = compiled(SPANISH, match=False)
    assert rules_with(game, "suited") == []
    assert [r.words for r in rules_with(game, "Match")] == [
        "Match the Dealer Up Card is not offered."
    ]


def test_sr_13_no_late_natural_where_the_check_finds_every_one() -> None:
    for name in (SPANISH, TWISTED, "blackjack"):
        assert rules_with(compiled(name), "only at the end") == []


def test_sr_13_ps_m9_the_action_button_rules_the_order_also_when_all_is_covered() -> None:
    game = compiled(SPANISH)
    assert rule_with(game, "an action button shows where settlement begins").clauses == ("PS-M9",)
    assert is_assumed(rule_with(game, "also if every wager is covered"))


def test_sr_13_a_natural_is_not_asked_where_a_hand_of_21_is() -> None:
    for name in (SPANISH, CHANCE, TWISTED, "blackjack"):
        words = rule_with(compiled(name, hand_of_21="asks"), "is still asked").words
        assert words.endswith(" stands.")


# ------------------------------------------------------------------ Ten Sticks 21


def test_sr_21_ts_11_the_form_of_the_card_needs_approval() -> None:
    rule = rule_with(compiled(STICKS, players_card=True), "commission")
    assert rule.words == "The form of the player's card needs the commission's prior approval."
    assert rule.clauses == ("TS-11",)
    assert rules_with(compiled(STICKS), "commission") == []


def test_sr_25_ts_11_lights_are_not_both_lost_and_taken_along() -> None:
    words = rule_with(compiled(STICKS, players_card=True), "A player who leaves loses").words
    assert "unless they go along on a player's card" in words
    assert rules_with(compiled(STICKS, players_card=False), "player's card") == []


def test_sr_25_ts_10_nothing_of_trades_where_there_are_none() -> None:
    game = compiled(STICKS, trade=False)
    assert rules_with(game, "[Tt]rade") == []
    cited = {c for section in sections(game) for rule in section.rules for c in rule.clauses}
    assert "TS-4" not in cited
    moot = [r.name for r in game.rulebook.readings if not game.rulebook.matters(*r.sets)]
    assert {"trade_on_double", "trade_again", "two_bonus_cards", "trade_time"} <= set(moot)


def test_sr_25_ts_0_the_paragraph_about_the_game_says_nothing_that_can_be_set() -> None:
    rule = rule_with(compiled(STICKS, surrender="none"), "Dealt and played")
    assert not re.search("surrender|double|split|natural", rule.words)


@pytest.mark.parametrize("name", [STICKS, TIE, "blackjack"])
def test_sr_25_sr_52_a_late_natural_beats_a_drawn_21(name: str) -> None:
    assert rule_with(compiled(name, peek="none"), "A dealer's blackjack beats every other 21")


# ------------------------------------------------------------------ Games of Chance blackjack


def test_sr_33_gc_split_that_it_takes_a_pair_is_assumed() -> None:
    words = "must be equal to be split is how the source is read"
    assert is_assumed(rule_with(compiled(CHANCE), words))
    for name in (SPANISH, TIE, "blackjack"):
        assert rules_with(compiled(name), words) == []


@pytest.mark.parametrize(
    "words",
    [
        "^They lie face up",
        "^Any first two cards may double down",
        "^Split hands may double",
        "^Aces may be split",
        "^Split aces get one card",
        "^If there is one, every hand without one",
    ],
)
def test_sr_34_what_is_the_houses_own_cites_no_clause(words: str) -> None:
    rule = rule_with(compiled(CHANCE), words)
    assert rule.clauses == ()
    assert rule.marks


def test_sr_34_gc_amt_no_multiples_where_the_amounts_are_fixed() -> None:
    assert rules_with(compiled(CHANCE), "multiples|^Wagers are whole dollars") == []


def test_sr_34_gc_surr_the_late_natural_speaks_of_surrendered_hands() -> None:
    assert rule_with(compiled(CHANCE), "takes the whole wager of a surrendered hand")
    assert rule_with(compiled(CHANCE, surrender="early"), "^Surrender comes").clauses == (
        "GC-SURR",
    )


# ------------------------------------------------------------------ Twisted 21


def test_sr_44_tw_3_four_down_cards() -> None:
    game = compiled(TWISTED)
    assert rule_with(game, "The dealer's down cards are turned up")
    assert rule_with(game, "four cards face down")


def test_sr_44_tw_4_empty_positions_once() -> None:
    assert len(rules_with(compiled(TWISTED), "[Ee]mpty positions")) == 1


def test_sr_44_tw_14_twisted_stud_by_name() -> None:
    rule = rule_with(compiled(TWISTED), "Stud Bonus goes by")
    assert ("Twisted Stud, 16 or less", "11 for 1") in rule.rows


def test_sr_44_tw_13_the_showdown_is_named_beside_the_bonus() -> None:
    assert rule_with(compiled(TWISTED), "Stud Poker and Stud Bonus are settled")
    assert rule_with(compiled(TWISTED, stud_bonus="none"), r"^8\. Stud Poker is settled")


def test_sr_44_when_the_stud_bonus_is_paid_is_the_houses_own() -> None:
    assert is_assumed(rule_with(compiled(TWISTED), "Stud Bonus is settled after"))


def test_sr_44_tw_15_pairs_spoil_under_every_ranking() -> None:
    for low in ("deuce-to-seven", "deuce-to-six", "ace-to-six", "ace-to-five"):
        game = compiled(TWISTED, stud_bonus="five-card-low", low_ball=low)
        assert re.search("pairs spoil", rule_with(game, "Stud Bonus goes by").words)


# ------------------------------------------------------------------ Blackjack Tie


def test_sr_52_bt_8_what_21_is_for_the_bonus_wagers() -> None:
    rule = rule_with(compiled(TIE), "21 for a bonus wager")
    assert "three cards or more, or a split ace with a ten-value card" in rule.words
    assert "does not tie a blackjack" in rule.words
    assert rule.clauses == ("BT-8",)
    assert "split" not in rule_with(compiled(TIE, split="none"), "21 for a bonus wager").words
    assert rule_with(compiled(TIE), "An ace dealt to a split ten-value card counts as 21")


def test_sr_52_bt_3_several_bonus_wagers_on_a_hand() -> None:
    assert rule_with(compiled(TIE), "Several bonus wagers on one hand").clauses == ("BT-3",)


def test_sr_51_bt_5_the_limit_is_said_by_box_or_by_player() -> None:
    assert "of a box together" in rule_with(compiled(TIE), "All bonus wagers").words
    by_player = compiled(TIE, bonus_limit="player")
    assert "of a player on all boxes" in rule_with(by_player, "All bonus wagers").words


# ------------------------------------------------------------------ every game


def test_sr_60_hb_22_a_pushing_22_says_what_naturals_get() -> None:
    words = rule_with(compiled("blackjack", dealer_22="push"), "has 22").words
    assert "a blackjack is paid all the same" in words
    both = compiled("blackjack", dealer_22="push", charlie=5)
    assert "a blackjack and a hand of five cards are paid" in rule_with(both, "has 22").words


def test_sr_60_hb_charlie_says_whether_it_counts_after_doubling() -> None:
    plain = rule_with(compiled("blackjack", charlie=5), "five cards not over wins").words
    assert "doubled" not in plain, "three cards at most are doubled"
    any_count = compiled("blackjack", charlie=5, double="any-count")
    assert "also if it was doubled" in rule_with(any_count, "five cards not over wins").words


def test_sr_60_a_parents_clause_is_not_cited_for_what_the_child_changes() -> None:
    assert rule_with(compiled(STICKS), "or less if the player likes").clauses == ("TS-0",)
    assert rule_with(compiled(STICKS), "No number of cards wins").clauses == ("TS-0",)


# ------------------------------------------------------------------ the sign


def test_sr_3_ps_m7_ps_d11_ps_w7_the_sign_has_all_that_is_to_be_posted() -> None:
    sign = sign_of(tables_for(SPANISH, {"fee_schedule": "44"}))
    assert sign.name == "Pure Spanish 21.5"
    assert {wager.limits for wager in sign.wagers} == {"$10 to $3,000"}
    match = next(wager for wager in sign.wagers if wager.id == "match")
    assert {pays for _, pays in match.pays} == {"18 to 1", "13 to 1", "9 to 1", "8 to 1", "4 to 1"}
    fees = " ".join(sign.fees)
    assert "The player-dealer pays by the total of all players' base and bonus wagers" in fees
    assert "A player pays for every base wager and for every bonus wager" in fees
    assert "$205-$300 $3" in fees
    assert "at most five collection rates" in fees
    assert any("fraction or percentage" in notice for notice in sign.notices)


def test_the_sign_says_what_rounding_takes() -> None:
    sign = sign_of(tables_for("blackjack", {"chip": "100"}))
    assert "a surrender at $5 costs $3 instead of $2.50 and brings $2 back" in sign.rounding


# ------------------------------------------------------------------ the table of the document


def test_the_document_names_every_point_and_tests_that_there_are() -> None:
    text = DOCUMENT.read_text("utf-8")
    points = re.findall(r"^\| (SR-\d+) \|", text, re.MULTILINE)
    wanted = [*range(1, 14), *range(20, 26), *range(30, 35), *range(40, 45), 50, 51, 52, 60]
    assert points == [f"SR-{number}" for number in wanted]
    root = DOCUMENT.parents[2]
    for row in re.findall(r"^\| SR-\d+ \|.*$", text, re.MULTILINE):
        tests = re.findall(r"`([\w./-]+\.(?:py|toml))(?:::(\w+))?`", row.rpartition("|")[0])
        named = [(root / "tests" / path, test) for path, test in tests]
        assert named, row
        for path, test in named:
            assert path.is_file(), path
            assert not test or f"def {test}" in path.read_text("utf-8"), test
