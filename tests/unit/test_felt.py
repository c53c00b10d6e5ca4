"""What a felt shows that does not change: lettering, wagers, actions, the rules behind things."""

from __future__ import annotations

import json

import pytest

from upcard.compile.context import Action
from upcard.compile.tables import GameTables, tables_for
from upcard.rules.registry import GAME_IDS
from upcard.service.felt import felt_of, rules_info, table_info
from upcard.table.action_keys import ACTION_KEYS
from upcard.table.cloth import lettering, marked_cards
from upcard.table.sign import sign_of

LETTERING = {
    "pontoon": [
        "Pontoon pays 3 to 2",
        "A player's 21 wins ties",
        "6-7-8 of spades pays 3 to 1",
        "Dealer hits soft 17",
    ],
    "european-blackjack": ["Blackjack pays 3 to 2", "Dealer stands on all 17s"],
    "vegas-strip": ["Blackjack pays 3 to 2", "Dealer stands on all 17s", "Insurance pays 2 to 1"],
    "single-deck-6-5": ["Blackjack pays 6 to 5", "Dealer hits soft 17", "Insurance pays 2 to 1"],
    "blackjack": ["Blackjack pays 3 to 2", "Dealer stands on all 17s", "Insurance pays 2 to 1"],
    "blackjack-switch": [
        "Blackjack pays even money",
        "Two boxes · second cards may be exchanged",
        "Dealer hits soft 17",
        "Dealer's 22 pushes",
    ],
    "ten-sticks-21": [
        "Blackjack pays 3 to 2",
        "Ten lights win $50",
        "Dealer stands on all 17s",
        "Insurance pays 2 to 1",
    ],
    "pure-spanish-21.5": [
        "Pure Spanish 21.5 pays 6 to 5",
        "A player's 21 wins ties",
        "Double up to three times · rescue a doubled hand",
        "Match pays up to 18 to 1",
        "Player-dealer hits soft 17",
    ],
    "games-of-chance-blackjack": [
        "Blackjack pays 3 to 2",
        "A tie loses $1",
        "Ante is $2 or $4",
        "Dealer stands on all 17s",
        "Insurance pays 2 to 1",
    ],
    "twisted-21": [
        "Blackjack pays 6 to 5",
        "Stud Bonus pays up to 1000 to 1",
        "Dealer hits soft 17",
    ],
    "double-exposure": [
        "Blackjack pays even money",
        "Both dealer cards face up",
        "Ties lose",
        "Dealer hits soft 17",
    ],
    "blackjack-tie": [
        "Blackjack pays 3 to 2",
        "Ties pay up to 400 to 1",
        "Dealer stands on all 17s",
        "Insurance pays 2 to 1",
    ],
    "spanish-21": [
        "Blackjack pays 3 to 2",
        "A player's 21 wins ties",
        "6-7-8 of spades pays 3 to 1",
        "Double · rescue a doubled hand",
        "Dealer hits soft 17",
        "Insurance pays 2 to 1",
    ],
    "super-fun-21": [
        "Blackjack pays even money",
        "Blackjack of diamonds pays 2 to 1",
        "Dealer hits soft 17",
    ],
    "down-under": [
        "Blackjack pays 3 to 2",
        "The down card is told",
        "Dealer hits soft 17",
        "Dealer's 22 pushes",
    ],
    "free-bet": [
        "Blackjack pays 3 to 2",
        "The house stakes doubles of 9, 10 and 11",
        "The house stakes splits of all pairs but tens",
        "Dealer hits soft 17",
        "Dealer's 22 pushes",
    ],
    "zappit": [
        "Blackjack pays 3 to 2",
        "Hard 15, 16 and 17 may be exchanged for two new cards",
        "Dealer hits soft 17",
        "Dealer's 22 pushes",
        "Insurance pays 2 to 1",
    ],
}


def words(tables: GameTables) -> list[str]:
    return [line["words"] for line in lettering(tables)]


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_lettering_is_the_games_own_rules(game: str) -> None:
    assert words(tables_for(game)) == LETTERING[game]


@pytest.mark.parametrize(
    ("game", "settings", "there", "gone"),
    [
        ("blackjack", {"soft17": "hit"}, "Dealer hits soft 17", "Dealer stands on all 17s"),
        ("blackjack", {"natural": "6:5"}, "Blackjack pays 6 to 5", "Blackjack pays 3 to 2"),
        ("blackjack", {"natural": "1:1"}, "Blackjack pays even money", "Blackjack pays 3 to 2"),
        ("blackjack", {"dealer_22": "push"}, "Dealer's 22 pushes", ""),
        ("blackjack", {"insurance": "false"}, "", "Insurance pays 2 to 1"),
        ("blackjack", {"charlie": "5"}, "A hand of five cards not over wins", ""),
        ("ten-sticks-21", {"prize": "25000"}, "Ten lights win $250", "Ten lights win $50"),
        ("pure-spanish-21.5", {"match": "false"}, "", "Match pays up to 18 to 1"),
        ("pure-spanish-21.5", {"soft17": "stand", "double_double": "false"},
         "Player-dealer stands on all 17s", "Player-dealer hits soft 17"),
        ("twisted-21", {"stud_bonus": "none"}, "", "Stud Bonus pays up to 1000 to 1"),
    ],
)  # fmt: skip
def test_the_lettering_follows_the_settings(
    game: str, settings: dict[str, str], there: str, gone: str
) -> None:
    found = words(tables_for(game, settings))
    assert not there or there in found
    assert gone not in found


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_line_on_the_felt_leads_to_rules(game: str) -> None:
    tables = tables_for(game)
    rules = rules_info(tables)
    known = {clause.id for clause in tables.rulebook.clauses}
    for line in lettering(tables):
        assert rules["topics"][line["topic"]], line
        assert set(line["clauses"]) <= known


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_wager_is_there_with_limits_and_pays(game: str) -> None:
    tables = tables_for(game)
    sign = {wager.id: wager for wager in sign_of(tables).wagers}
    wagers = table_info(tables)["wagers"]
    assert [wager["id"] for wager in wagers] == list(tables.money.wagers)
    for wager in wagers:
        plan = tables.money.wagers[wager["id"]]
        assert wager["pays"] == sign[plan.id].pays
        assert wager["limits"] == sign[plan.id].limits
        assert (wager["minimum"], wager["maximum"]) == (plan.minimum, plan.maximum)
        assert wager["amounts"] == plan.amounts
        assert 0 < len(wager["short"]) <= 14
        assert rules_info(tables)["topics"][f"wager:{plan.id}"]


def test_wagers_cite_the_clauses_that_offer_and_pay_them() -> None:
    wagers = {wager["id"]: wager for wager in table_info(tables_for("twisted-21"))["wagers"]}
    assert "TW-13" in wagers["stud-poker"]["clauses"]
    assert "TW-14" in wagers["stud-bonus"]["clauses"]
    ties = {wager["id"]: wager for wager in table_info(tables_for("blackjack-tie"))["wagers"]}
    assert "BT-PAY" in ties["tie-21"]["clauses"]
    assert [ties[name]["short"] for name in ("left-side", "tie-17", "tie-blackjack")] == [
        "17 18 19",
        "17",
        "BJ",
    ]


def test_actions_have_the_keys_of_the_terminal() -> None:
    rows = table_info(tables_for("blackjack"))["actions"]
    assert {row["key"] for row in rows} >= {"h", "s", "d", "p"}
    assert all(ACTION_KEYS[Action.parse(row["action"])] == row["key"] for row in rows)


def test_actions_say_what_they_add() -> None:
    rows = {row["action"]: row for row in table_info(tables_for("pure-spanish-21.5"))["actions"]}
    assert (rows["double"]["adds"], rows["redouble"]["adds"]) == ("wager", "total")
    assert rows["hit"]["signal"] == "Sweep a hand towards the body."
    charity = {
        row["action"]: row for row in table_info(tables_for("games-of-chance-blackjack"))["actions"]
    }
    assert charity["double"]["for_less"]
    assert charity["insure"]["wager"] == "insurance"


def test_bonus_cards_are_marked_as_the_rulebook_says() -> None:
    assert marked_cards(tables_for("ten-sticks-21")) == {"Tc": "Ten Sticks 21"}
    spanish = marked_cards(tables_for("pure-spanish-21.5"))
    assert len(spanish) == 12
    assert set(spanish.values()) == {"Bonus"}
    assert {card[0] for card in spanish} == set("JQK")
    assert marked_cards(tables_for("blackjack")) == {}


def test_lights_and_the_bank() -> None:
    sticks = table_info(tables_for("ten-sticks-21"))
    assert sticks["lights"]["count"] == 10
    assert sticks["lights"]["prize_words"] == "$50"
    spanish = table_info(tables_for("pure-spanish-21.5"))
    assert spanish["player_banks"]
    assert (spanish["bank_turns"], spanish["backline"]) == (2, "may-stay")
    assert spanish["fees"]["words"]
    assert spanish["count"]["natural"] == "21.5"
    assert table_info(tables_for("blackjack"))["lights"] is None


@pytest.mark.parametrize("game", GAME_IDS)
def test_everything_is_plain_data_with_a_colour(game: str) -> None:
    tables = tables_for(game)
    info = json.loads(json.dumps(table_info(tables)))
    assert info["felt"] == felt_of(game)
    assert info["deal"]["up"] + info["deal"]["down"] >= 2
    rules = json.loads(json.dumps(rules_info(tables)))
    for places in rules["topics"].values():
        for section, line in places:
            assert rules["sections"][section]["rules"][line]["words"]
