"""Bad game files and settings: every problem at once, each a sentence with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from upcard import GAME_IDS, load_game, tables_for
from upcard.errors import ProblemsError, UpcardError
from upcard.rules.check import check_game


def write(folder: Path, text: str) -> str:
    file = folder / "game.toml"
    file.write_text(text)
    return str(file)


def child(folder: Path, parent: str, body: str) -> str:
    """A game file that extends another with some differences."""
    header = f'id = "mine"\nversion = 1\nname = "Mine"\nsource = "me"\nextends = "{parent}"\n'
    return write(folder, header + body)


def messages(reference: str, **settings: str) -> list[str]:
    _, problems = check_game(reference, settings)
    return [str(problem) for problem in problems]


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_packaged_games_have_no_problems(game: str) -> None:
    assert messages(game) == []


def test_an_unknown_key_names_file_path_and_the_nearest_known_key(tmp_path: Path) -> None:
    file = child(tmp_path, "blackjack", '[dealer]\nsoft71 = "hit"\n')
    assert messages(file) == [
        f'{file}: dealer.soft71: unknown key "soft71"; did you mean "soft17"?'
    ]


def test_a_wrong_value_says_what_is_allowed(tmp_path: Path) -> None:
    file = child(tmp_path, "blackjack", '[dealer]\nsoft17 = "draw"\n')
    assert messages(file) == [
        f'{file}: dealer.soft17: "draw" is not allowed here: one of "hit" or "stand"'
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("[shoe]\ndecks = 9", "shoe.decks: 9 is not allowed here: a whole number from 1 to 8"),
        ("[shoe]\ndecks = true", "true is not allowed here: a whole number from 1 to 8"),
        ('[natural]\npays = "3/2"', '"3/2" is not allowed here: odds such as "3:2"'),
        ("[split]\nmax_hands = 2.5", "2.5 is not allowed here: a whole number from 1 to 4"),
        ('dealer = "hard"', '"hard" is not allowed here: a table'),
        ('[wagers.x]\nsettles = "luck"', 'wagers.x.settles: "luck" is not allowed here: one of'),
        ('[wagers.x]\nsettles = "tie"\nname = "X"\nties = [17]', "wagers.x.pays: missing: odds"),
        ('[shoe]\nremoved = ["1"]', 'shoe.removed[1]: "1" is not allowed here: one of'),
    ],
)
def test_wrong_shapes(tmp_path: Path, body: str, expected: str) -> None:
    found = messages(child(tmp_path, "blackjack", body))
    assert len(found) == 1
    assert expected in found[0]


def test_all_problems_come_at_once(tmp_path: Path) -> None:
    body = '[dealer]\nsoft71 = "hit"\nstands_on = "17"\n[shoe]\ndeck = 2\n[splitt]\non = "rank"\n'
    found = messages(child(tmp_path, "blackjack", body))
    assert len(found) == 4


def test_a_missing_section_is_named(tmp_path: Path) -> None:
    found = messages(write(tmp_path, 'id = "x"\nversion = 1\nname = "X"\nsource = "me"\n'))
    assert any("dealer: missing: a table (how the dealer's hand is played)" in m for m in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = [", "is not valid TOML"),
        ('extends = "blackjak"', 'extends: no game "blackjak"; did you mean "blackjack"?'),
        ("extends = 5", "extends: a game id is needed"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, text: str, expected: str) -> None:
    assert expected in messages(write(tmp_path, text))[0]


def test_a_game_cannot_extend_itself(tmp_path: Path) -> None:
    file = write(tmp_path, 'id = "x"\nextends = "game.toml"\n')
    assert "a game cannot extend itself" in messages(file)[0]


def test_there_is_no_such_file() -> None:
    assert messages("nowhere/my.toml") == ["there is no file nowhere/my.toml"]


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    file.write_bytes(b"\xff\xfe\x00")
    assert "is not a text file in UTF-8" in messages(str(file))[0]


TIES = """
[ties]
needs = "base"
hands = "first"
over = "push"
surrendered = "push"
split_ten_ace = "21"
"""
FORBIDS = """
[[forbids]]
when = {{ "{key}" = {{ over = 1 }} }}
says = "too much"
clauses = ["HB-TIE"]
"""
CONTRADICTIONS = [
    ("pure-spanish-21.5", '[dealer]\nsoft17 = "stand"', "PS-O3a"),
    ("pure-spanish-21.5", "[double]\nfor_less = true", "PS-O3a"),
    ("pure-spanish-21.5", "[shoe]\ndecks = 3", "PS-DECK"),
    ("twisted-21", "[table]\npositions = 10", "TW-1"),
    ("blackjack-tie", '[limits]\nbonus_share = "2"', "BT-5"),
    ("blackjack-tie", "[wagers.tie-17]\nmaximum = 60000", "BT-5"),
    ("ten-sticks-21", '[natural]\npays = "6:5"', "TS-0"),
]


@pytest.mark.parametrize(("parent", "body", "clause"), CONTRADICTIONS)
def test_contradictions_cite_the_clause(
    tmp_path: Path, parent: str, body: str, clause: str
) -> None:
    found = messages(child(tmp_path, parent, body))
    assert any(clause in message for message in found), found


def test_more_positions_than_the_deck_can_serve(tmp_path: Path) -> None:
    body = "[table]\npositions = 10\n[options.positions]\nallowed = { from = 1, to = 12 }\n"
    found = messages(child(tmp_path, "twisted-21", body))
    assert len(found) == 1
    assert "10 positions need 57 cards and the shoe has 52: at most 9 positions" in found[0]
    assert "TW-1" in found[0]


def test_more_than_five_collection_rates(tmp_path: Path) -> None:
    rows = ", ".join(f'["${n}01-${n + 1}00", "${n}"]' for n in range(1, 7))
    book = f"""
name = "Six rates"
source = "a test"
most_rates = 5
[[groups]]
from = 1
to = 1
players = "nothing"
clauses = ["PS-F1"]
[[schedules]]
id = 1
limits = "$101 - $700"
players = []
player_dealer = [{rows}]
"""
    (tmp_path / "six.toml").write_text(book)
    file = child(
        tmp_path,
        "pure-spanish-21.5",
        '[fees]\nbook = "six.toml"\n[options.fee_schedule]\nallowed = [1]\n'
        '[clauses]\nX-1 = { kind = "money", says = "Our own book.", sets = ["fees.book"] }\n',
    )
    found = messages(file)
    assert len(found) == 1
    assert "PS-F4" in found[0]


@pytest.mark.parametrize(
    ("parent", "body", "expected"),
    [
        ("blackjack", "[limits]\nminimum = 60000", "the minimum $600 is above the maximum $500"),
        ("blackjack", "[limits]\nminimum = 550", "$5.50 is not a multiple of $1"),
        ("twisted-21", "[table]\nown_seat_first = true", "a player has one position in this game"),
        (
            "blackjack",
            '[limits]\nbonus_share_of = "player"',
            "there is no bonus_share in this game",
        ),
        (
            "blackjack-tie",
            '[limits]\nbonus_share_of = "player"\n[table]\nseveral_boxes = false',
            "there is no several_boxes in this game",
        ),
        ("blackjack", '[deal]\nstarts = "banks-left"', "the house has no seat to start from"),
        ("blackjack", "[deal]\nplayer_down = 1", "down cards of a player are only for games"),
        ("blackjack", "[deal]\nplayer_up = 3", "so a player gets 2 face up, not 3; further cards"),
        ("blackjack", "[deal]\ndealer_down = 2", "gets one card face down; more are only for a"),
        ("blackjack", "[deal]\ncommunity = 2", "no wager uses community cards"),
        ("blackjack", "[deal]\ncommunity_seen = true", "no community cards are dealt"),
        ("twisted-21", "[deal]\nplayer_down = 4", "gives the player 6 and the dealer 5"),
        ("twisted-21", "[deal]\ndealer_down = 5", "gives the player 5 and the dealer 6"),
        ("twisted-21", '[dealer]\ndraws_from = "shoe"', "gets one card face down; more are only"),
        (
            "twisted-21",
            '[split]\non = "rank"\nmax_hands = 2',
            "which cannot be split",
        ),
        ("blackjack", "[natural]\ntotal = 21.3", "21.3 is neither a whole number nor a half"),
        ("blackjack", "[natural]\ntotal = 22", "a natural would be over by itself"),
        ("blackjack", '[shoe]\nremoved = ["T"]', "every ten is taken out of the deck"),
        ("blackjack", '[outcomes]\ntie = "costs"', 'needs tie = "costs" and an amount'),
        ("blackjack", '[bank]\norder = ["bases"]', 'no wager "bases"; did you mean "base"?'),
        ("blackjack", "[insurance]\nup = []", "insurance is offered under no up card"),
        ("blackjack", "[shoe]\ncut_margin = 200", "no cut card fits 200 cards from both ends"),
        ("ten-sticks-21", '[bonus_card]\ncards = ["1c"]', '"1c" is not a card'),
        (
            "twisted-21",
            '[paytables.five-card]\nrows = [["royal flash", 5]]',
            'unknown event "royal flash"; did you mean "royal flush"?',
        ),
        (
            "twisted-21",
            '[wagers.stud-bonus]\npaytable = "six-card"',
            'no pay table "six-card"; did you mean "five-card"?',
        ),
        ("twisted-21", "[paytables.five-card]\nrows = []", "it pays for nothing: a pay table has"),
        ("twisted-21", "[player]\nstands_at_cards = 7", "must stand at 5 cards or fewer"),
        ("twisted-21", "[dealer]\nstands_at_cards = 0", "must stand at 5 cards or fewer"),
        ("pure-spanish-21.5", "[fees]\nschedule = 53", "53 is not allowed: fee_schedule may be"),
        ("pure-spanish-21.5", '[double]\non = "none"', "rescue needs doubling down"),
        ("blackjack-tie", "[wagers.tie-17]\nties = []", "it wins at no total"),
        ("free-bet", '[double]\non = "none"', "only where players double"),
        ("free-bet", "[double]\ntimes = 2", "a hand doubles once: times = 1"),
        ("free-bet", "[double]\nrescue = true", "there is no rescue where the house stakes"),
        ("free-bet", "[double]\nfree_on = [22]", "a hand of 22 is over"),
        ("free-bet", "[double]\nfree_on = [9, 9]", "a total stands there twice"),
        ("free-bet", "[double]\nfree_on = []\nfree_cards = 'any'", "the house stakes no doubles"),
        ("free-bet", '[split]\non = "none"', "only where pairs are split"),
        ("free-bet", '[split]\nfree = ["T"]', "T, J, Q and K stand there all or none"),
        ("free-bet", '[split]\nfree = ["8", "8"]', "a rank stands there twice"),
        ("free-bet", '[shoe]\nremoved = ["8"]', "every eight is taken out of the deck"),
        ("free-bet", '[bank]\nbackline = "may-stay"', "nobody follows what the house stakes"),
        ("zappit", "[exchange]\nagain = true", "a hand is exchanged once: again would have to be"),
        ("zappit", '[exchange]\nwhen = "after-check"', 'hands are exchanged "own-turn"'),
        ("zappit", '[exchange]\nnatural_pays = "1:1"', "makes_natural would have to be true"),
        ("zappit", "[exchange]\nonly = [{ total = 22 }]", "no such hand has totals of 22 to 22"),
        ("zappit", "[exchange]\nonly = [{ cards = 3 }]", "no such hand has cards of 3 to 3"),
        ("zappit", "[exchange]\nonly = [{}]", "a condition states nothing"),
        ("zappit", '[exchange]\ncards = "none"', 'cards would have to be "hand"'),
        ("zappit", "[table]\nboxes = 2", "a fixed number of boxes is not combined"),
        ("zappit", '[bank]\nbackline = "may-stay"', "backed hands are not combined"),
        ("zappit", '[dealer]\ntells = [["A"], ["2"]]', "telling of the down card is not combined"),
        ("zappit", '[bonus_card]\ncards = ["Tc"]', "bonus cards are not combined"),
        ("zappit", "[deal]\nplayer_down = 1", "own cards of players are not combined"),
        ("blackjack", "[exchange]\nonly = [{ total = 16 }]", 'cards would have to be "hand"'),
        ("blackjack", '[surrender]\nforfeits = "3/2"', "at most the whole wager"),
        ("blackjack", '[insurance]\nat_most = "0"', "at most the whole wager"),
        ("blackjack", '[insurance]\nup = ["9"]', "with 9 up there is no natural to insure"),
        ("blackjack", "[dealer]\nstands_on = 25", "the dealer would draw until over 21"),
        ("blackjack", "[count]\nace = [1, 100]", "an ace of 100 would be over by itself"),
        ("blackjack", '[shoe]\nremoved = ["A"]', "a natural needs an ace"),
        ("blackjack", '[natural]\nwith = ["A"]', "a natural needs an ace"),
        ("blackjack", '[shoe]\nexhausted = "cannot-happen"', "cards can run out in the middle"),
        (
            "blackjack",
            '[shoe]\nexhausted = "cannot-happen"\nshuffle = "every-round"',
            "and all of a round are dealt at its start",
        ),
        ("twisted-21", '[shoe]\nexhausted = "shuffle-discards"', 'full shoe: "cannot-happen"'),
        # SR-40, SR-43: what goes with community cards
        ("blackjack", "[deal]\nrest_discarded = true", "no community cards are dealt"),
        ("blackjack", '[deal]\ncommunity_after = "players"', "no community cards are dealt"),
        (
            "twisted-21",
            '[shoe]\nexhausted = "shuffle-discards"\nshuffle = "cut-card"',
            "does without the rest",
        ),
        # SR-41
        ("blackjack", '[dealer]\nnatural_cards = "any"', 'draws_from = "own-cards"'),
        (
            "twisted-21",
            '[dealer]\nnatural_cards = "any"\nchecks = "none"',
            'checks = "ace-or-ten", or natural_cards = "first" [TW-5',
        ),
        # SR-44: names of rows
        (
            "twisted-21",
            '[paytables.five-card]\nnames = [["sum at most 61", "Twisted Stud"]]',
            'no row "sum at most 61"; did you mean "sum at most 16"?',
        ),
        (
            "twisted-21",
            '[paytables.five-card]\nnames = [["flush", "straight"]]',
            'two rows have the name "straight"',
        ),
        ("pure-spanish-21.5", '[bank]\noffered = "never"', 'table: offered = "clockwise" [PS-T'),
        ("pure-spanish-21.5", "[bank]\nbutton = false", "button = true [PS-T2, PS-D1"),
        ("blackjack", '[bank]\noffered = "clockwise"', "clockwise is for a player-dealer"),
        ("blackjack", "[bank]\nturns = 2", "bank.turns: 2 is for a player-dealer, and the house"),
        ("blackjack", '[bank]\ncover = "limited"', "limited is for a player-dealer, and the"),
        ("blackjack", '[bank]\nnatural_paid = "at-once"', "bank.natural_paid: a bank that covers"),
        ("blackjack", '[bank]\ncover_measure = "each-way"', "cover_measure: a bank that covers"),
        ("ten-sticks-21", '[lights]\non_leaving = "stay-with-position"', '"stay-with-position" is'),
        ("blackjack", "[wagers.base]\nmandatory = false", 'unknown key "mandatory"'),
        ("blackjack", "[bank]\nplayers_bets = true", 'unknown key "players_bets"'),
        ("blackjack", '[wagers.two]\nsettles = "hand"\nname = "Two"', "only the wager base"),
        (
            "blackjack",
            '[[outcomes.special]]\ndealer = ["7"]\nplayer = "over"\nresult = "push"',
            "a dealer's hand has two cards or more",
        ),
        (
            "blackjack",
            '[[outcomes.special]]\ndealer = ["K", "A"]\nplayer = "over"\nresult = "push"',
            "a natural has rules of its own",
        ),
        ("ten-sticks-21", '[bonus_card]\ncards = ["Tc", "9h"]', "bonus cards are of one rank"),
        (
            "ten-sticks-21",
            '[bonus_card]\ncards = ["Tc", "Th", "Ts", "Td"]',
            "at least one card of that rank has no mark",
        ),
        (
            "blackjack",
            '[exchange]\ncards = "bonus-cards"\nwhen = "own-turn"',
            "no card of this game is a bonus card",
        ),
        ("blackjack", "[exchange]\nmakes_natural = true", "nothing is exchanged in this game"),
        ("blackjack", "[exchange]\nagain = false", "that is about bonus cards, and no card of"),
        (
            "ten-sticks-21",
            '[exchange]\nwhen = "after-check"',
            'bonus cards are exchanged "before-insurance" or "own-turn", not "after-check"',
        ),
        (
            "blackjack-switch",
            '[exchange]\nwhen = "own-turn"',
            'second cards are exchanged "after-check", not "own-turn"',
        ),
        ("pure-spanish-21.5", '[fees]\nbook = "mine"', 'fees.book: there is no fee book "mine"'),
        (
            "blackjack",
            TIES,
            "there is no wager on a tie",
        ),
        (
            "blackjack",
            FORBIDS.format(key="dealer.soft17"),
            "forbids #1.when: dealer.soft17 = stand is not a number and has no bounds",
        ),
        (
            "blackjack",
            FORBIDS.format(key="natural.pays"),
            "natural.pays = 3:2: too much [HB-TIE]",
        ),
    ],
)
def test_other_contradictions(tmp_path: Path, parent: str, body: str, expected: str) -> None:
    found = messages(child(tmp_path, parent, body))
    assert any(expected in message for message in found), found


@pytest.mark.parametrize("name", [" ", "a\\nweekend", "a weekend\\u001b[31m", "a weekend "])
def test_a_prize_that_cannot_be_named(tmp_path: Path, name: str) -> None:
    prize = f'[lights]\nprize_name = "{name}"\n{OWN_PRIZE}'
    (found,) = messages(child(tmp_path, "ten-sticks-21", prize))
    assert "lights.prize_name: what the prize is stands in one line" in found
    assert "[X-1]" in found


@pytest.mark.parametrize("name", ["", "a weekend for two", "ein Wochenende für zwei"])
def test_a_prize_in_kind_and_one_of_money(tmp_path: Path, name: str) -> None:
    prize = f'[lights]\nprize_name = "{name}"\n'
    assert messages(child(tmp_path, "ten-sticks-21", prize + (OWN_PRIZE if name else ""))) == []


OWN_PRIZE = """
[clauses]
X-1 = { kind = "money", says = "Our own prize.", sets = ["lights.prize_name"] }
"""


def test_a_value_without_provenance(tmp_path: Path) -> None:
    found = messages(child(tmp_path, "blackjack", '[floor]\nlayout = "Green."\n'))
    assert len(found) == 1
    assert "floor.layout: no provenance" in found[0]


def test_a_value_with_two_provenances(tmp_path: Path) -> None:
    found = messages(child(tmp_path, "blackjack", '[assumed]\n"dealer.soft17" = "why not"\n'))
    assert found == [
        f"{tmp_path}/game.toml: dealer.soft17: both assumed and set by option [HB-SOFT17]"
    ]


def test_index_entries_that_point_at_nothing(tmp_path: Path) -> None:
    body = """
[clauses]
X-1 = { kind = "play", says = "Something.", sets = ["dealer.soft71", "step:dance"] }
[assumed]
"shoe.color" = "Red."
[options.pace]
sets = "dealer.pace"
allowed = ["fast"]
clauses = ["X-2"]
"""
    found = "\n".join(messages(child(tmp_path, "blackjack", body)))
    assert 'clauses.X-1.sets: no value "dealer.soft71" in this game; did you mean' in found
    assert 'no value "step:dance" in this game' in found
    assert 'assumed.shoe.color: no value "shoe.color"' in found
    assert 'options.pace: it sets "dealer.pace", which the game lacks' in found
    assert 'options.pace.clauses: unknown clause "X-2"; did you mean "X-1"?' in found


def test_a_changed_value_needs_a_clause_of_its_own(tmp_path: Path) -> None:
    body = '[outcomes]\nwin_pays = "2:1"\n'
    found = messages(child(tmp_path, "blackjack", body))
    assert len(found) == 1
    assert "outcomes.win_pays: changed here, and only clauses of the extended game" in found[0]
    clause = '[clauses]\nM-1 = { kind = "money", says = "2 to 1.", sets = ["outcomes.win_pays"] }\n'
    assert messages(child(tmp_path, "blackjack", body + clause)) == []


def test_a_clause_must_do_something(tmp_path: Path) -> None:
    body = '[clauses]\nM-1 = { kind = "play", says = "Be kind.", sets = [] }\n'
    found = messages(child(tmp_path, "blackjack", body))
    assert found == [
        f"{tmp_path}/game.toml: clauses.M-1.sets: a clause that sets nothing has no effect"
    ]


@pytest.mark.parametrize(
    ("allowed", "expected"),
    [
        ('["stand", "banana"]', "it allows banana, which dealer.soft17 cannot be"),
        ("[]", "it allows no value at all"),
        ("{ from = 2, to = 1 }", "it allows no value at all"),
    ],
)
def test_options_allow_what_the_vocabulary_allows(
    tmp_path: Path, allowed: str, expected: str
) -> None:
    body = f'[options.soft17]\nsets = "dealer.soft17"\nallowed = {allowed}\n'
    assert expected in messages(child(tmp_path, "blackjack", body))[0]


def test_a_readings_default_is_the_value_in_the_file(tmp_path: Path) -> None:
    body = """
[readings.ties]
asks = "Who wins a tie?"
clauses = ["HB-TIE"]
answers = { push = "Nobody.", loses = "The dealer." }
default = "loses"
sets = "outcomes.tie"
"""
    found = messages(child(tmp_path, "blackjack", body))
    assert len(found) == 1
    assert "readings.ties.default: the value in the file is the answer push" in found[0]


def test_shape_problems_do_not_hide_the_others(tmp_path: Path) -> None:
    body = '[dealer]\nsoft71 = "hit"\n[floor]\nlayout = "Green."\n'
    found = "\n".join(messages(child(tmp_path, "blackjack", body)))
    assert 'unknown key "soft71"' in found
    assert "floor.layout: no provenance" in found


def test_a_special_hand_that_is_not_over_is_compared(tmp_path: Path) -> None:
    body = """
[outcomes]
special = [{ dealer = ["7", "7", "7"], player = "over", result = "push" }]
[clauses]
M-1 = { kind = "money", says = "Three sevens.", sets = ["outcomes.special"] }
"""
    tables = tables_for(child(tmp_path, "blackjack", body))
    sevens = [found.name for found in tables.dealer.classes].index("7-7-7")
    odds = tables.payoffs["base"].odds
    results = {name: odds[tables.class_index[name]][sevens] for name in ("bust", "20", "21")}
    assert results == {"bust": 0, "20": -1, "21": 0}


def test_readings_that_do_not_fit(tmp_path: Path) -> None:
    body = """
[readings.pace]
asks = "How fast?"
clauses = []
answers = { hit = "a", stand = "b" }
default = "fast"
sets = "dealer.soft17"
[readings.decks]
asks = "How many?"
clauses = []
answers = { 6 = "six" }
default = "6"
"""
    found = "\n".join(messages(child(tmp_path, "blackjack", body)))
    assert "readings.pace.default: not one of the answers" in found
    assert "readings.decks: an option has the same name" in found


def test_a_forbidden_combination_over_an_unknown_key(tmp_path: Path) -> None:
    body = '[[forbids]]\nwhen = { "dealer.pace" = 1 }\nsays = "x"\nclauses = ["HB-TIE"]\n'
    found = messages(child(tmp_path, "blackjack", body))
    assert 'forbids #1.when: no value "dealer.pace" in this game' in found[0]


def test_a_child_states_only_differences(tmp_path: Path) -> None:
    file = child(tmp_path, "blackjack", "[shoe]\ndecks = 2\n")
    mine, house = load_game(file), load_game("blackjack")
    assert mine.game.shoe.decks == 2
    assert mine.game.dealer == house.game.dealer
    assert mine.fingerprint != house.fingerprint


def test_the_fingerprint_is_of_the_rules_not_of_the_words(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "src/upcard/games/twisted-21.toml").read_text()
    same = write(tmp_path, text.replace("Doubling down is permitted.", "You may double."))
    assert load_game(same).fingerprint == load_game("twisted-21").fingerprint
    other = write(tmp_path, text.replace("version = 2", "version = 3"))
    assert load_game(other).fingerprint != load_game("twisted-21").fingerprint


def test_load_refuses_what_check_reports() -> None:
    with pytest.raises(ProblemsError, match="PS-O3a"):
        load_game("pure-spanish-21.5", {"soft17": "stand"})


def test_a_version_that_is_not_here() -> None:
    assert load_game("twisted-21@2").game.id == "twisted-21"
    with pytest.raises(UpcardError, match="at version 2 here, not 1"):
        load_game("twisted-21@1")
