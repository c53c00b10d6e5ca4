"""All problems at once: none hides another, not those of settings, shapes or extended files."""

from __future__ import annotations

from pathlib import Path

import pytest

from shell import upcard
from upcard import load_game, tables_for
from upcard.errors import UpcardError
from upcard.rules.check import check_game, limits

HEAD = 'id = "{0}"\nversion = 1\nname = "{0}"\nsource = "me"\n'


def write(folder: Path, name: str, body: str, parent: str = "blackjack") -> str:
    file = folder / f"{name}.toml"
    extends = f'extends = "{parent}"\n' if parent else ""
    file.write_text(HEAD.format(name) + extends + body)
    return str(file)


def messages(reference: str, **settings: str) -> list[str]:
    return [str(problem) for problem in check_game(reference, settings)[1]]


# ------------------------------------------------------------------ nothing hides


def test_shapes_options_readings_clauses_and_values_together(tmp_path: Path) -> None:
    body = """
[shoe]
decks = "six"
[dealer]
soft71 = "hit"
stands_on = 25
[limits]
minimum = 60000
[options.pace]
sets = "dealer.pace"
allowed = ["fast"]
[options.split]
allowed = { form = 1 }
[readings.ties]
asks = "Who wins a tie?"
clauses = ["HB-TIES"]
answers = { push = "Nobody.", loses = "The dealer." }
default = "loses"
sets = "outcomes.tie"
[clauses]
X-1 = { kind = "play", says = "x", sets = ["no.such"] }
X-2 = { kind = "plays", says = "x", sets = ["dealer.stands_on"] }
[[forbids]]
when = { "no.key" = 1 }
says = "x"
clauses = ["X-3"]
"""
    found = "\n".join(messages(write(tmp_path, "mine", body)))
    for expected in (
        'shoe.decks: "six" is not allowed here',
        'dealer.soft71: unknown key "soft71"',
        "dealer.stands_on: the dealer would draw until over 21",
        "limits.minimum: the minimum $600 is above the maximum $500",
        'options.pace: it sets "dealer.pace", which the game lacks',
        "options.split.allowed",
        "readings.ties.default: the value in the file is the answer push",
        'unknown clause "HB-TIES"; did you mean "HB-TIE"?',
        'clauses.X-1.sets: no value "no.such" in this game',
        "clauses.X-2.kind",
        'forbids #1.when: no value "no.key" in this game',
        'forbids #1.clauses: unknown clause "X-3"',
    ):
        assert expected in found, expected


def test_what_is_missing_hides_nothing(tmp_path: Path) -> None:
    whole = tmp_path / "whole.toml"
    upcard("new", "whole", "-o", str(whole))
    text = whole.read_text().replace("decks = 6\n", "").replace("stands_on = 17", "stands_on = 25")
    whole.write_text(text.replace('id = "whole"', 'id = "Whole!"'))
    found = "\n".join(messages(str(whole)))
    assert "shoe.decks: missing: a whole number from 1 to 8" in found
    assert 'id: "Whole!" is not allowed here' in found
    assert "dealer.stands_on: the dealer would draw until over 21" in found


def test_consequences_of_a_mistake_are_not_told(tmp_path: Path) -> None:
    body = '[wagers.side]\nsettles = "paytable"\nname = "Side"\npaytabel = "x"\n'
    found = messages(write(tmp_path, "mine", body))
    assert len(found) == 4  # the misspelt key, and the three that are missing
    assert all("wagers.side." in message for message in found)
    clause = '[clauses]\nX-1 = { kind = "floor", says = "Green.", set = ["floor.layout"] }\n'
    found = messages(write(tmp_path, "mine", f'[floor]\nlayout = "Green."\n{clause}'))
    assert len(found) == 2
    assert all("clauses.X-1.set" in message for message in found)


def test_clauses_about_an_unknown_key_are_not_told_beside_it(tmp_path: Path) -> None:
    clause = '[clauses]\nX-1 = { kind = "play", says = "Red.", sets = ["shoe.colour"] }\n'
    (found,) = messages(write(tmp_path, "mine", f'[shoe]\ncolour = "red"\n{clause}'))
    assert 'shoe.colour: unknown key "colour"' in found


def test_settings_do_not_hide_the_file(tmp_path: Path) -> None:
    file = write(tmp_path, "mine", "[limits]\nminimum = 60000\n")
    found = messages(file, decks="9", soft71="hit", natural="3:2")
    assert len(found) == 3
    assert "does not allow decks=9" in found[0]
    assert 'no option or reading "soft71"; did you mean "soft17"?' in found[1]
    assert "the minimum $600" in found[2]
    done = upcard("check", file, "--set", "table_minimum=lots", "--set", "decks=9")
    assert done.status == 1
    assert '"lots" is not an amount' in done.err
    assert "does not allow decks=9" in done.err
    assert "the minimum $600" in done.err


def test_every_refused_setting_is_told_by_every_verb() -> None:
    with pytest.raises(UpcardError) as refused:
        load_game("blackjack", {"decks": "9", "soft17": "draw"})
    assert len(refused.value.sentences) == 2


# ------------------------------------------------------------------ extended files


def test_problems_of_an_extended_file_name_that_file(tmp_path: Path) -> None:
    parent = write(tmp_path, "parent", "[shoe]\ndeck = 2\n[limits]\nminimum = 60000\n")
    child = write(tmp_path, "child", "[dealer]\nstands_on = 25\n", "parent.toml")
    found = messages(child)
    assert f'{parent}: shoe.deck: unknown key "deck"; did you mean "decks"?' in found
    assert any(m.startswith(f"{parent}: limits.minimum: the minimum") for m in found)
    assert any(m.startswith(f"{child}: dealer.stands_on") for m in found)
    assert not any(m.startswith(f"{child}: limits.minimum") for m in found)


def test_a_child_can_be_judged_without_its_parent(tmp_path: Path) -> None:
    child = write(tmp_path, "child", "[dealer]\nsoft71 = 1\nstands_on = 99\n", "nowhere.toml")
    found = "\n".join(messages(child))
    assert "extends: there is no file" in found
    assert 'dealer.soft71: unknown key "soft71"' in found
    assert "dealer.stands_on: 99 is not allowed here" in found
    assert "missing" not in found


def test_a_chain_of_files(tmp_path: Path) -> None:
    write(tmp_path, "one", "[shoe]\ndecks = 2\n")
    write(tmp_path, "two", '[dealer]\nsoft17 = "hit"\n', "one.toml")
    three = write(tmp_path, "three", "[table]\npositions = 5\n", "two.toml")
    tables = tables_for(three)
    assert (tables.id, tables.alphabet.decks, tables.round_plan.positions) == ("three", 2, 5)


def test_files_that_extend_each_other(tmp_path: Path) -> None:
    write(tmp_path, "one", "", "two.toml")
    two = write(tmp_path, "two", "", "./one.toml")
    assert "a game cannot extend itself" in messages(two)[0]


# ------------------------------------------------------------------ options and readings


def allowed(file: str, name: str) -> list[object]:
    options = tables_for(file).rulebook.options
    return list(next(option.allowed for option in options if option.name == name))


@pytest.mark.parametrize(
    ("body", "name", "expected"),
    [
        ("[options]\ndecks = { allowed = { from = 4, to = 6 } }\n", "decks", [4, 5, 6]),
        ("[options]\ndecks = { allowed = [6, 8] }\n", "decks", [6, 8]),
        ('[options]\nnatural = { allowed = ["3:2", "7:5"] }\n', "natural", ["3:2", "7:5"]),
    ],
)
def test_a_child_narrows_and_widens_an_option(
    tmp_path: Path, body: str, name: str, expected: list[object]
) -> None:
    assert allowed(write(tmp_path, "mine", body), name) == expected


def test_a_child_fixes_an_option(tmp_path: Path) -> None:
    clause = '[clauses]\nX-1 = { kind = "play", says = "Two.", sets = ["shoe.decks"] }\n'
    file = write(tmp_path, "mine", f'[shoe]\ndecks = 2\n[fixed]\ndecks = ["X-1"]\n{clause}')
    assert messages(file) == []
    with pytest.raises(UpcardError, match=r"its rules fix it at 2 \[X-1\]"):
        load_game(file, {"decks": "4"})


def test_nothing_is_fixed_that_could_not_be_set(tmp_path: Path) -> None:
    (found,) = messages(write(tmp_path, "mine", '[fixed]\ndekcs = ["HB-DECKS"]\n'))
    assert (
        'fixed.dekcs: there is no option or reading "dekcs" to fix; did you mean "decks"?' in found
    )


TRADES = """
[options.trade]
allowed = [true]
"""


def test_a_child_narrows_an_option_of_several_keys(tmp_path: Path) -> None:
    file = write(tmp_path, "mine", TRADES, "ten-sticks-21")
    assert allowed(file, "trade") == [True]
    with pytest.raises(UpcardError, match="does not allow trade=false: trade may be true"):
        load_game(file, {"trade": "false"})
    wrong = write(tmp_path, "mine", TRADES.replace("true", '"maybe"'), "ten-sticks-21")
    assert (
        "it allows maybe, and `values` does not say what that sets: it has true or false"
        in (messages(wrong)[0])
    )


def test_a_value_that_an_option_does_not_allow_shows_the_line_that_would(tmp_path: Path) -> None:
    value = '[natural]\npays = "9:7"\n'
    (found,) = messages(write(tmp_path, "mine", value))
    assert "9:7 is not allowed: natural may be " in found
    line = found.partition("to allow it here write [options] ")[2].rpartition(" [")[0]
    assert line.startswith("natural = { allowed = [")
    assert line.endswith(', "9:7"] }')
    assert messages(write(tmp_path, "mine", f"{value}[options]\n{line}\n")) == []


def test_a_range_shows_the_line_that_would(tmp_path: Path) -> None:
    body = "[options]\ndecks = { allowed = { from = 2, to = 4 } }\n"
    (found,) = messages(write(tmp_path, "mine", body))
    assert "decks = { allowed = { from = 2, to = 6 } }" in found


def test_an_option_cannot_be_widened_beyond_the_vocabulary(tmp_path: Path) -> None:
    body = "[options]\ndecks = { allowed = { from = 1, to = 9 } }\n"
    (found,) = messages(write(tmp_path, "mine", body))
    assert "it allows 9, which shoe.decks cannot be: a whole number from 1 to 8" in found


def test_a_new_value_of_a_reading_shows_the_line_it_needs(tmp_path: Path) -> None:
    value = '[exchange]\nfirst_two = "one"\n'
    (found,) = messages(write(tmp_path, "mine", value, "ten-sticks-21"))
    assert (
        "the value in the file is the answer one: write [readings.two_bonus_cards] "
        'default = "one", or exchange.first_two = "each" for the answer each'
    ) in found
    line = '[readings.two_bonus_cards]\ndefault = "one"\n'
    assert messages(write(tmp_path, "mine", value + line, "ten-sticks-21")) == []
    (found,) = messages(write(tmp_path, "mine", line, "ten-sticks-21"))
    assert 'or exchange.first_two = "one" for the answer one' in found


def test_a_child_narrows_a_reading(tmp_path: Path) -> None:
    line = '[readings.two_bonus_cards]\nallowed = ["each"]\n'
    file = write(tmp_path, "mine", line, "ten-sticks-21")
    assert messages(file) == []
    readings = {reading.name: reading for reading in tables_for(file).rulebook.readings}
    assert list(readings["two_bonus_cards"].answers) == ["each"]
    with pytest.raises(UpcardError, match="two_bonus_cards may be each"):
        load_game(file, {"two_bonus_cards": "one"})
    wrong = write(tmp_path, "mine", line.replace("each", "none"), "ten-sticks-21")
    assert messages(wrong)


def test_a_child_widens_a_reading(tmp_path: Path) -> None:
    body = """
[readings.trade_again]
answers = { twice = "Twice, says the house." }
values = { twice = { "exchange.again" = true } }
"""
    file = write(tmp_path, "mine", body, "ten-sticks-21")
    assert messages(file) == []
    readings = {reading.name: reading for reading in tables_for(file).rulebook.readings}
    assert list(readings["trade_again"].answers) == ["yes", "no", "twice"]


def test_a_child_fixes_a_reading(tmp_path: Path) -> None:
    fixed = '[fixed]\ntrade_again = ["X-1"]\n[clauses]\n'
    clause = 'X-1 = {{ kind = "play", says = "Once.", sets = ["{0}"] }}\n'
    right = fixed + clause.format("exchange.again")
    value = "[exchange]\nagain = false\n"
    file = write(tmp_path, "mine", value + right, "ten-sticks-21")
    assert messages(file) == []
    with pytest.raises(UpcardError, match=r"does not let trade_again be set: its rules fix it"):
        load_game(file, {"trade_again": "yes"})
    wrong = value + fixed + clause.format("bonus_card.cards")
    found = messages(write(tmp_path, "mine", wrong, "ten-sticks-21"))
    assert 'sets = ["exchange.again"]' in found[0]


def test_an_answer_that_is_none_shows_the_lines_it_needs(tmp_path: Path) -> None:
    body = (
        '[outcomes]\ntie = "wins"\n'
        """
[readings.ties]
asks = "Who wins a tie?"
clauses = ["HB-TIE"]
answers = { push = "Nobody.", loses = "The dealer." }
default = "push"
sets = "outcomes.tie"
"""
    )
    found = "\n".join(messages(write(tmp_path, "mine", body)))
    assert (
        'to have it as an answer write [readings.ties] answers = { wins = "..." }, default = "wins"'
    ) in found


# ------------------------------------------------------------------ what goes together


def test_every_check_says_what_it_is_about() -> None:
    found = list(limits())
    assert len(found) > 15
    for topic, words in found:
        assert topic
        assert words.endswith("."), topic
    assert len({topic for topic, _ in found}) == len(found)
