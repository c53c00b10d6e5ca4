"""The rule sheet says what is so, under every setting of every game.

Each option and each reading of each game is set to each of its values. What the sheet then says is
asked of the compiled game: nothing it says is otherwise there, nothing is spoken of that there is
not, every clause of play and money that is in force is cited, and none that is not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from chance import dice
from every_sentence import FOLDER, SIDES, file_of, page, side_page, single_settings
from rulebook import facts
from rulebook.facts import PUSH
from shared import load_once
from upcard import GAME_IDS, GameTables, load_game, tables_for
from upcard.compile.context import Action, Phase
from upcard.compile.deal import Receiver
from upcard.compile.explain import _SECTIONS, sentences
from upcard.compile.observers import ShowdownObserver
from upcard.compile.tables import setting_names
from upcard.errors import UpcardError
from upcard.money import format_cents
from upcard.rules.settings import choices
from upcard.sheet.rules import sections

PAIRS = 40
"""Pairs of settings that are tried in every game beside the single ones."""


by_game = pytest.mark.parametrize("game", GAME_IDS, scope="module")
"""One game after the other: what is compiled for one test of it is there for the next."""


def sheet(tables: GameTables) -> list[str]:
    """The sentences of a sheet without citations."""
    return [rule.words for section in sections(tables) for rule in section.rules]


@cache
def settings_of(game: str) -> tuple[tuple[tuple[str, str], ...], ...]:
    """By default, each single setting, and some pairs of them."""
    single = [tuple(settings.items()) for settings in single_settings(game)]
    pairs = [
        (*one, *other)
        for one, other in combinations(single, 2)
        if not {name for name, _ in one} & {name for name, _ in other}
    ]
    few = dice(f"pairs of settings of {game}").sample(pairs, PAIRS)
    return ((), *single, *few)


def every_table(game: str) -> Iterator[tuple[str, GameTables]]:
    """A game under all these settings, with their words; pairs that exclude each other are none."""
    for settings in settings_of(game):
        words = ", ".join(f"{name}={value}" for name, value in settings) or "by default"
        try:
            yield words, tables_for(game, dict(settings))
        except UpcardError:
            assert len(settings) > 1, f"{game} {words}: give what it needs in COMPANIONS"


@by_game
def test_every_sentence_is_as_it_was_last_reviewed(game: str) -> None:
    assert file_of(game).read_text("utf-8") == page(game), "make docs writes the files"


def test_every_game_has_a_page_and_nothing_else() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == {*GAME_IDS, SIDES}


def test_every_row_of_a_side_wager_is_as_it_was_last_reviewed() -> None:
    assert file_of(SIDES).read_text("utf-8") == side_page(), "make docs writes the files"


@by_game
def test_the_sheet_says_what_is_so_under_every_setting(game: str) -> None:
    wrong = [
        f"{words}: {problem}"
        for words, tables in every_table(game)
        for look in (said_twice, not_there, wagers_not_offered, not_so, wrongly_cited)
        for problem in look(tables)
    ]
    assert wrong == []


def said_twice(tables: GameTables) -> Iterator[str]:
    for text, count in Counter(sheet(tables)).items():
        if count > 1:
            yield f"said twice: {text}"


# ------------------------------------------------------------------ what there is not


def _offers(tables: GameTables, action: Action) -> bool:
    return action in tables.actions


ABSENT: tuple[tuple[str, Callable[[GameTables], bool], str, str], ...] = (
    ("a check", lambda t: Phase.PEEK in t.round_plan.kinds, r"check|looked at", ""),
    ("a late natural", lambda t: bool(late_ups(t)), r"only at the end", ""),
    ("trades", lambda t: _offers(t, Action.TRADE), r"\btrade", ""),
    ("splits", lambda t: _offers(t, Action.SPLIT), r"\bsplit", r"No splitting\."),
    (
        "doubles",
        lambda t: _offers(t, Action.DOUBLE),
        r"\bdoubl(?!e for less)",
        r"No doubling down\.|Doubles and splits pay no further fee\.",
    ),
    ("rescue", lambda t: _offers(t, Action.RESCUE), r"rescue", ""),
    ("surrender", lambda t: _offers(t, Action.SURRENDER), r"surrender", r"No surrender\."),
    ("insurance", lambda t: _offers(t, Action.INSURE), r"[Ii]nsur", r"No insurance\."),
    ("community cards", lambda t: "community" in str(facts.deal_of(t)), r"[Cc]ommunity", ""),
    ("a player's bank", lambda t: not t.money.house_banks, r"player-dealer|[Bb]ackline", ""),
    ("lights", lambda t: t.carry is not None, r"\blights?\b|\bprize", ""),
    (
        "several boxes",
        lambda t: t.round_plan.several_boxes and t.round_plan.positions > 1,
        r"two boxes|further positions",
        "",
    ),
    ("fees of players", lambda t: _pays(t), r"A player pays", ""),
    ("several down cards", lambda t: _down(t) > 1, r"down cards are", ""),
    ("one down card", lambda t: _down(t) == 1, r"(?<!first )down card is", ""),
)
"""What a game may lack, how the sheet would speak of it, and how it says that there is none."""


def _down(tables: GameTables) -> int:
    return tables.round_plan.dealt(Receiver.DEALER, "down")


def _pays(tables: GameTables) -> bool:
    fees = tables.money.fees
    return fees is not None and fees.schedule.charges != "nothing"


def late_ups(tables: GameTables) -> list[str]:
    """Up cards under which a natural is possible that nobody looks for."""
    dealer = tables.dealer
    return [
        symbol.name
        for number, symbol in enumerate(tables.alphabet.symbols)
        if dealer.natural[number].any() and not dealer.checks[number]
    ]


def not_there(tables: GameTables) -> Iterator[str]:
    for what, there, spoken, none in ABSENT:
        if there(tables):
            continue
        for text in sheet(tables):
            if re.search(spoken, text) and not (none and re.fullmatch(none, text)):
                yield f"there is no {what}, but: {text}"


def wagers_not_offered(tables: GameTables) -> Iterator[str]:
    """A wager that is not offered has no rules and no pay table."""
    said = sheet(tables)
    for wager, rule in load_game(tables.id).game.wagers.items():
        about = [text for text in said if rule.name in text]
        none = f"{rule.name} is not offered."
        if wager not in tables.money.wagers:
            yield from (f"not offered, but: {text}" for text in about if text != none)
        elif not about or none in about:
            yield f"{rule.name} is offered"
    sides = next((s.rules for s in sections(tables) if s.title == "Side wagers"), ())
    shown = sum(bool(rule.rows) for rule in sides)
    if shown != sum(not isinstance(o, ShowdownObserver) for o in tables.observers.values()):
        yield f"{shown} pay tables"


# ------------------------------------------------------------------ what is said is so

Probe = Callable[[GameTables, "re.Match[str]"], bool]


def _may(tables: GameTables, story: str, up: str, action: str) -> bool:
    return bool({action, f"free-{action}"} & facts.may(tables, story, up))


def _odds(words: str) -> Fraction:
    if words == "even money":
        return Fraction(1)
    up, down = words.split(" to ")
    return Fraction(int(up), int(down))


def _tied(tables: GameTables) -> tuple[Fraction, int]:
    """What an equal total wins, and what it costs in dollars."""
    return facts.result(tables, "Ks 8d", "Kd 8s"), -facts.dollars_besides(tables, "Ks 8d", "Kd 8s")


def _resplits(tables: GameTables, rank: str) -> bool:
    return _may(tables, f"{rank}s {rank}d split {rank}c", "6s", "split")


SAID: Mapping[str, Probe] = {
    r".* hits below 17 and stands on hard 17 and .*": lambda t, _: (
        [facts.dealer(t, cards) for cards in ("Ks 6s", "Ks 7s", "As 7s")] == ["draws", "17", "18"]
    ),
    r"The (?:player-)?dealer stands on soft 17\.": lambda t, _: facts.dealer(t, "As 6s") == "17",
    r"The (?:player-)?dealer hits soft 17\.": lambda t, _: facts.dealer(t, "As 6s") == "draws",
    r"A hand of 21 stands by itself.*": lambda t, _: (
        facts.may(t, "7s 7d 7c", "6s") == set() or "hit" not in facts.may(t, "7s 7d 7c", "6s")
    ),
    r"A player with a drawn 21 is still asked .* stands\.": lambda t, _: (
        "hit" in facts.may(t, "As 3d 7c", "6s") and "hit" not in facts.may(t, "As Kd", "6s")
    ),
    r"On hard 17 or more a player may not hit\.": lambda t, _: (
        not _may(t, "Ks 7d", "6s", "hit") and _may(t, "Ks 7d", "6s", "double")
    ),
    r"On hard 17 or more a player may not hit or double\.": lambda t, _: (
        not {"hit", "double"} & facts.may(t, "Ks 7d", "6s")
    ),
    r"Any first two cards may double down\.": lambda t, _: (
        _may(t, "Ks 4d", "6s", "double") and "double" not in facts.may(t, "5s 2d 4c", "6s")
    ),
    r"First two cards that total 9 to 11 may double down\.": lambda t, _: (
        [_may(t, hand, "6s", "double") for hand in ("5s 3d", "5s 4d", "6s 5d", "8s 4d")]
        == [False, True, True, False]
    ),
    r"First two cards that total 10 or 11 may double down\.": lambda t, _: (
        [_may(t, hand, "6s", "double") for hand in ("5s 4d", "6s 4d", "6s 5d", "8s 4d")]
        == [False, True, True, False]
    ),
    r"A hand of any number of cards may double down\.": lambda t, _: _may(
        t, "5s 2d 4c", "6s", "double"
    ),
    r"Split hands may double.*": lambda t, _: _may(t, "6s 6d split 5c", "5s", "double"),
    r"Split hands may not double\.": lambda t, _: not _may(t, "6s 6d split 5c", "5s", "double"),
    r"After a double card the total wager may be .*, (\w+) doubles in all.*": lambda t, m: (
        {"two": 2, "three": 3}[m[1]]
        == facts.stake(t, "3s 3d double 2c redouble 2d redouble 2h").bit_length() - 1
    ),
    r"A hand doubles once\.": lambda t, _: not _may(t, "3s 3d double 2c", "6s", "redouble"),
    r"Only two cards of equal value may be split\.": lambda t, _: _may(t, "Ks Qd", "6s", "split"),
    r"Only two cards of equal rank may be split\.": lambda t, _: (
        _may(t, "Ks Kd", "6s", "split") and not _may(t, "Ks Qd", "6s", "split")
    ),
    r"A box may be split again, up to (\w+) hands\.": lambda t, m: (
        max(context.hands for context in t.contexts.contexts) == {"three": 3, "four": 4}[m[1]]
        and _resplits(t, "8")
    ),
    r"A box may be split once, into two hands\.": lambda t, _: not _resplits(t, "8"),
    r"Aces may be split more than once\.": lambda t, _: _resplits(t, "A"),
    r"Aces may be split only once\.": lambda t, _: not _resplits(t, "A"),
    r"Split aces get one card each.*": lambda t, _: not _may(t, "As Ad split 5c", "6s", "hit"),
    r"Split aces may be drawn to\.": lambda t, _: _may(t, "As Ad split 5c", "6s", "hit"),
    r"The first two cards may be surrendered, which costs half the wager\.": lambda t, _: (
        any(
            _may(t, "Ks 6d", up, "surrender")
            and facts.result(t, "Ks 6d surrender", f"{up} Kc") == Fraction(-1, 2)
            for up in ("9d", "Qd")
        )
        or Phase.EARLY_SURRENDER in t.round_plan.kinds
    ),
    r"A hand of any number of cards not over may be surrendered, .*": lambda t, _: (
        _may(t, "5s 4d 6c", "9s", "surrender") and not _may(t, "5s 4d 6c Ks", "9s", "surrender")
    ),
    r"A doubled hand that is not over may be surrendered too, .*": lambda t, _: _may(
        t, "5s 6d double 2c", "9s", "surrender"
    ),
    r"A hand with a bonus is paid by .*, at once, whatever the dealer has\.": lambda t, _: all(
        t.is_settled("base", number)
        for number, name in enumerate(t.bonuses.names if t.bonuses else ())
        if name
    ),
    r".* and .*: the hand is over, and draws no further card\.": lambda t, _: (
        facts.may(t, "2s 2d 3c 3d 4s 4c", "6s") == {"stand"}
    ),
    r"Split hands get bonuses too\.": lambda t, _: (
        facts.result(t, "2s 2d split 3d 4c 5d 7s", "9d 8s") > 1
    ),
    r"Split hands get no bonus\.": lambda t, _: (
        facts.result(t, "2s 2d split 3d 4c 5d 7s", "9d 8s") == 1
    ),
    r"A doubled hand gets no bonus: .*": lambda t, _: (
        facts.result(t, "2s 3d 4c 5d double 7s", "9d 8s") == 1
    ),
    r"Surrender comes at the player's turn.*": lambda t, _: (
        _may(t, "Ks 6d", "As", "surrender") and Phase.EARLY_SURRENDER not in t.round_plan.kinds
    ),
    r"Surrender comes before the check for .* or, where the up card .*": lambda t, _: (
        not _may(t, "Ks 6d", "As", "surrender")
        and "surrender" in facts.may(t, "Ks 6d", "As", Phase.EARLY_SURRENDER)
    ),
    r"Split hands may be surrendered too.*": lambda t, _: _may(
        t, "8s 8d split 7c", "6s", "surrender"
    ),
    r"Split hands may not be surrendered\.": lambda t, _: (
        not _may(t, "8s 8d split 7c", "6s", "surrender")
    ),
    r"With an ace up, insurance against .* is offered\.": lambda t, _: (
        "insure" in facts.may(t, "Ks 6d", "As", Phase.INSURANCE)
        and "insure" not in facts.may(t, "Ks 6d", "Ks", Phase.INSURANCE)
    ),
    r"Insurance may be up to (half|all of) the wager.*": lambda t, m: (
        t.money.insurance_share == {"half": Fraction(1, 2), "all of": Fraction(1)}[m[1]]
    ),
    r"Insurance pays (.*)\.": lambda t, m: (
        facts.result(t, "Ks 6d", "As Ks", "insurance") == _odds(m[1])
    ),
    r"A hand of (\w+) cards not over wins, whatever .*": lambda t, m: (
        facts.result(
            t,
            " ".join(
                ["2s", "2d", "2c", "2h", "3s", "3d", "3c"][
                    : {"five": 5, "six": 6, "seven": 7}[m[1]]
                ]
            ),
            "Kd 9s",
        )
        == 1
    ),
    r"No number of cards wins by itself\.": lambda t, _: "charlie" not in t.class_index,
    r"With an ace, .* or a king up the down card is looked at .*": lambda t, _: (
        late_ups(t) == [] and "A" in facts.checked_under(t)
    ),
    r"With an ace up, and no other card, the down card is looked at .*": lambda t, _: (
        set(facts.checked_under(t)) == {"A"}
    ),
    r"Nobody looks for .*": lambda t, _: facts.checked_under(t) == set(),
    r".* that shows only at the end takes the whole .* wager, with all that .*": lambda t, _: (
        facts.result(t, "Ks 8d", "Ks As", added=True) == -1
    ),
    r".* that shows only at the end takes of a box only the wager that it .*": lambda t, _: (
        facts.result(t, "Ks 8d", "Ks As", added=True) == 0
        and facts.result(t, "Ks 8d", "Ks As") == -1
    ),
    r".* that shows only at the end takes the whole wager of a .*surrendered.*": lambda t, _: (
        t.payoffs["base"].odds[t.class_index["surrendered"]][_natural_class(t)] == -1
    ),
    r".* that shows only at the end takes no more of a .*surrendered .*": lambda t, _: (
        t.payoffs["base"].odds[t.class_index["surrendered"]][_natural_class(t)] == Fraction(-1, 2)
    ),
    r"If the dealer has 22, .* and every other hand pushes\.": lambda t, _: (
        facts.result(t, "Ks 8d", "Kd 6s 6d") == 0
        and facts.result(t, "As Kd", "Kd 6s 6d") > 0
        and facts.result(t, "Ks 6d Qd", "Kd 6s 6d") == -1
    ),
    r"The higher total that is not over wins, .* is over\.": lambda t, _: (
        facts.result(t, "Ks 9d", "Kd 8s") > 0
        and facts.result(t, "Ks 8d", "Kd 9s") == -1
        and facts.result(t, "Ks 8d", "Kd 6s 6d") > 0
    ),
    r"A win without a .* pays (.*)\.": lambda t, m: (
        facts.result(t, "Ks 9d", "Kd 8s") == _odds(m[1])
    ),
    r"(A|Otherwise a) player's hand that is over loses, also when .* is over too\.": lambda t, _: (
        facts.result(t, "Ks 6d Qd", "Kd 6s 7s") == -1 == facts.result(t, "Ks 6d Qd", "Kd 8s")
    ),
    r"(A|Otherwise a) player's hand that is over loses, but pushes .*": lambda t, _: (
        facts.result(t, "Ks 6d Qd", "Kd 6s 7s") == 0 and facts.result(t, "Ks 6d Qd", "Kd 8s") == -1
    ),
    r"If .* hand is 8-8-8, every player's hand that is over pushes\.": lambda t, _: (
        facts.result(t, "Ks 6d Qd", "8d 8s 8c") == 0
    ),
    r"Equal totals( below 21)? push\.": lambda t, _: _tied(t) == (PUSH, 0),
    r"An equal total.* costs the player \$1 .*": lambda t, m: (
        _tied(t) == (PUSH, 1) and t.money.flat_once == ("once a round" in m[0])
    ),
    r"If both have 21 and neither .*, the player wins\.": lambda t, _: (
        facts.result(t, "7s 5d 9c", "7h 6s 8s") == 1
    ),
    r"A player's [\w .]* pays (.*)\.": lambda t, m: (
        facts.result(t, "As Kd", "Kd 9s") == _odds(m[1])
    ),
    r"If .* has one too, it pushes\.": lambda t, _: facts.result(t, "As Kd", "Kd As") == 0,
    r"It is then paid (.*)\.": lambda t, m: facts.result(t, "As Kd", "Kd As") == _odds(m[1]),
    r"A dealer's .* beats every other 21\.": lambda t, _: (
        facts.result(t, "7s 7d 7c", "Ks As") == -1
    ),
    r"A dealer's .* is an equal total with a drawn 21\.": lambda t, _: (
        facts.result(t, "7s 7d 7c", "Ks As") == 0
    ),
    r"After a split an ace with such a card is 21 and no .*": lambda t, _: (
        facts.reads(t, "As Ad split Kc") == "soft 21"
    ),
    r"After a split an ace with such a card is a .* too\.": lambda t, _: facts.reads(
        t, "As Ad split Kc"
    ).startswith("natural"),
    r"(Two|Any number of) cards that make hard 9, 10 or 11 are doubled by the house.*": (
        lambda t, m: (
            "free-double" in facts.may(t, "6s 5d", "9h")
            and facts.stake(t, "6s 5d double Tc") == 1
            and "double" in facts.may(t, "6s 6d", "9h")
            and ("free-double" in facts.may(t, "4s 3d hit 2c", "9h")) == (m[1] != "Two")
        )
    ),
    r"A double with the player's own money adds exactly .*": lambda t, _: (
        facts.stake(t, "As 6d double 2c") == 2
    ),
    r"Pairs of (.*) are split by the house, .*": lambda t, m: (
        "free-split" in facts.may(t, "8s 8d", "9h")
        and ("free-split" in facts.may(t, "4s 4d", "9h")) == ("4s" in m[1])
        and "split" in facts.may(t, "Ts Td", "9h")
    ),
    r"It totals (\d+(?:\.\d)?).*": lambda t, m: facts.reads(t, "As Kd") == f"natural {m[1]}",
    r"A hand with a total above [\d.]+ is over\.": lambda t, _: (
        facts.reads(t, "Ks 6d 6c") == "over"
    ),
    r"(\w+) decks? of (\d+) cards.*": lambda t, m: (
        int(m[2]) * _number(m[1]) == int(t.alphabet.counts.sum())
    ),
    r"(\w+) betting positions?\.": lambda t, m: t.round_plan.positions == _number(m[1]),
    r"The main wager is from (\S+) to (\S+?)(, side wagers .*)?\.": lambda t, m: (
        m[1] == format_cents(t.money.wagers["base"].minimum)
        and m[2] == format_cents(t.money.wagers["base"].maximum)
    ),
    r"Every wager on a spot before .* is from (\S+) to (\S+), the .*": lambda t, m: (
        [m[1], m[2]]
        == [
            format_cents(t.money.wagers["base"].minimum),
            format_cents(t.money.wagers["base"].maximum),
        ]
    ),
}
"""Sentences, and whether the compiled game is as they say."""

LEAST = 15
"""Sentences of a sheet that are asked, at least."""


def _natural_class(tables: GameTables) -> int:
    return next(n for n, found in enumerate(tables.dealer.classes) if found.is_natural)


def _number(word: str) -> int:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words.index(word.lower()) if word.lower() in words else int(word)


@cache
def questions(text: str) -> tuple[tuple[re.Match[str], Probe], ...]:
    """What is asked of a game whose sheet says this."""
    matches = ((re.fullmatch(pattern, text), probe) for pattern, probe in SAID.items())
    return tuple((found, probe) for found, probe in matches if found)


def not_so(tables: GameTables) -> Iterator[str]:
    asked = 0
    for text in sheet(tables):
        for found, probe in questions(text):
            asked += 1
            if not probe(tables, found):
                yield f"not so: {text}"
    if asked < LEAST:
        yield f"only {asked} sentences were asked"


def test_every_kind_of_sentence_is_asked() -> None:
    """No pattern is left behind by a change of wording."""
    said = {
        re.split(r" \[| \(| \| ", text.lstrip("+- "))[0]
        for game in GAME_IDS
        for text in file_of(game).read_text("utf-8").splitlines()
    }
    unused = [p for p in SAID if not any(re.fullmatch(p, text) for text in said)]
    assert unused == []


# ------------------------------------------------------------------ citations


def wrongly_cited(tables: GameTables) -> Iterator[str]:
    """Clauses of play and money that are in force are cited, and none that is not in force."""
    book = tables.rulebook
    said = {c for section in sections(tables) for rule in section.rules for c in rule.clauses}
    read = {c for r in book.readings for c in r.clauses if book.matters(*r.sets)}
    granted = {c for option in book.options for c in option.clauses}
    for clause in book.clauses:
        if not clause.in_force:
            if clause.id in said:
                yield f"{clause.id} is not in force"
            continue
        if {"play", "money"} & set(clause.kinds):
            shown = said | read
        elif book.matters(*clause.sets):
            shown = said | read | granted
        else:
            continue  # A switch that means nothing under these settings.
        if clause.id not in shown:
            yield f"{clause.id} is in force"


@by_game
def test_no_sentence_is_lost_because_the_file_does_not_state_its_keys(game: str) -> None:
    """A draft whose keys the file leaves out is dropped: only what needs no saying may be."""
    for settings in settings_of(game):
        try:
            rules = load_once(game, dict(settings))
        except UpcardError:
            continue
        said = {sentence.words for sentence in sentences(rules)}
        drafts = (draft for writer in _SECTIONS.values() for draft in writer(rules))
        lost = {d.words for d in drafts if d.words not in said and not d.own}
        floor = {text for text in lost if text == rules.game.floor.notice}
        assert lost - floor <= NEEDS_NO_SAYING, settings


NEEDS_NO_SAYING = {
    "A hand doubles once.",
    "An ace of a hand that doubles may go on counting 11.",
    "No cards are burned after a shuffle.",
    "No number of cards wins by itself.",
    "No side bets among the players.",
    "Wagers are settled seat by seat.",
    "The bank need not cover every wager, and there is no maximum on what it puts up.",
}
"""Of games whose files do not speak of it."""


@by_game
def test_what_a_game_changes_is_not_cited_from_the_game_it_extends(game: str) -> None:
    rules = load_game(game)
    for path in rules.changed:
        origin = rules.provenance[path]
        assert all(rules.lineage[clause] == game for clause in origin.said_by), path


@by_game
def test_a_departure_from_the_clause_is_not_cited_to_it(game: str) -> None:
    """What an option or a reading sets otherwise is said by the clauses that let it be set."""
    for settings in settings_of(game)[1:]:
        try:
            rules = load_once(game, dict(settings))
        except UpcardError:
            continue
        for path, origin in rules.provenance.items():
            if origin.kind == "reading" and origin.name in dict(settings):
                assert origin.said_by == (), (settings, path)
            if origin.kind == "option" and origin.name in dict(settings):
                granted = rules.game.options[origin.name].clauses
                assert set(origin.said_by) <= set(granted), path


# ------------------------------------------------------------------ what rounding takes


def test_the_net_of_a_rounded_result_is_said() -> None:
    said = " ".join(sheet(tables_for("blackjack", {"chip": "100"})))
    assert "a blackjack at $5 wins $7 instead of $7.50" in said
    assert "a surrender at $5 costs $3 instead of $2.50 and brings $2 back" in said
    up = " ".join(sheet(tables_for("blackjack", {"chip": "100", "rounding": "up"})))
    assert "a blackjack at $5 wins $8 instead of $7.50" in up
    assert "a surrender at $5 costs $2 instead of $2.50 and brings $3 back" in up


@pytest.mark.parametrize("game", [game for game in GAME_IDS if "chip" in setting_names(game)])
@pytest.mark.parametrize("chip", ["25", "50", "100"])
def test_where_results_come_out_uneven_the_sheet_says_what_the_table_pays(
    game: str, chip: str
) -> None:
    from upcard.compile.chips import in_chips

    if choices(load_game(game).game)["chip"].keys_for(chip) is None:
        return  # half of a whole dollar comes out even in such chips
    for rounding in ("down", "up", "nearest"):
        tables = tables_for(game, {"chip": chip, "rounding": rounding})
        told = tables.rulebook.about("limits.chip")[0].words
        natural = facts.result(tables, "As Kd", "Kd 9s")
        for what, odds in (("natural", natural), ("surrender", Fraction(-1, 2))):
            found = re.search(
                r"a (?!surrender)[\w .]*? at \$(\S+) wins (\S+)"
                if what == "natural"
                else r"a surrender at \$(\S+) costs (\S+)",
                told,
            )
            if found:
                bet = round(100 * float(found[1]))
                due = in_chips(tables, odds * bet, bet)
                assert format_cents(abs(due)) == found[2], (told, rounding)
                assert due != odds * bet
        bet = tables.money.wagers["base"].amounts[0] if tables.money.wagers["base"].amounts else 500
        uneven = in_chips(tables, natural * bet, bet) != natural * bet
        assert uneven <= ("instead of" in told), (game, chip, told)
