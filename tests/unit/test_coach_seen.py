"""What somebody at a table has seen: every card that lay face up, and no other."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from coach_rounds import CoachedTable
from conftest import compiled
from depth import NOTHING_DOWN
from exhausting import SETTINGS, exhausting_log
from unit.test_coach_kit import scripted
from upcard import GAME_IDS
from upcard.coach import Coach, Seen, review_of
from upcard.table import commands as cm
from upcard.table import events as ev
from upcard.table.engine import NEW_TABLE, Engine
from upcard.table.state import TableState
from upcard.table.state_steps import cards_on_table
from upcard.table.view import PUBLIC, redacted

ROUNDS, MOST_ROUNDS = 40, 200


class Hidden:
    """The cards that are out of the shoe and were never seen, from all secrets of a record."""

    def __init__(self) -> None:
        self.down: Counter[str] = Counter()
        self.discards: Counter[str] = Counter()

    def add(self, event: ev.Event) -> None:
        match event:
            case ev.CardBurned():
                self.discards[event.card] += 1
            case ev.CardDealt(face="down"):
                self.down[event.card] += 1
            case ev.CardTurned():
                self.down[event.card] -= 1
            case ev.CardsShown():
                self.down -= Counter(event.cards)
            case ev.RoundStarted():
                self.discards += self.down
                self.down.clear()
            case ev.DiscardsShuffled():
                self.discards.clear()
            case ev.ShoeOpened() | ev.ShoeCommitted():
                self.down.clear()
                self.discards.clear()
        self.down += Counter()


def out_of_the_shoe(state: TableState) -> Counter[str]:
    here = state.round
    on_table = () if here is None or here.cleared else cards_on_table(here)
    return Counter((*state.discards, *on_table))


def checked(engine: Engine, events: list[ev.Event]) -> Counter[str]:
    """Fold events with and without secrets and compare at each; how often what happened."""
    state, full, seen, hidden = NEW_TABLE, Seen(), Seen(), Hidden()
    happened: Counter[str] = Counter()
    for event in events:
        state = engine.evolve(state, event)
        full, seen = full.after(event), seen.after(redacted(event, PUBLIC))
        hidden.add(event)
        happened[type(event).__name__] += 1
        assert full == seen
        never = hidden.down + hidden.discards
        assert Counter(seen.cards) == out_of_the_shoe(state) - never, event
        assert seen.down == hidden.down.total(), event
    return happened


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_face_up_card_was_seen_and_no_other(game: str) -> None:
    table = CoachedTable(compiled(game), 3, "seen")
    wanted = {"ten-sticks-21": ev.CardTraded, "twisted-21": ev.CardsShown}.get(game, ev.HandSplit)
    for number in range(MOST_ROUNDS):
        list(table.round())
        # Pairs that are worth a split are rare in Pontoon.
        if number + 1 >= ROUNDS and any(isinstance(one, wanted) for one in table.session.events):
            break
    happened = checked(table.session.engine, list(table.session.events))
    assert happened["ShoeShuffled"] > 0
    assert (happened["CardTurned"] > 0) == (game not in NOTHING_DOWN)
    assert happened[wanted.__name__] > 0


@pytest.mark.parametrize("game", ["blackjack", "ten-sticks-21", "pure-spanish-21.5"])
def test_discards_that_are_shuffled_in_are_unknown_again(game: str) -> None:
    log = exhausting_log(game)
    happened = checked(Engine(compiled(game, **SETTINGS[game])), list(log.events))
    assert happened["DiscardsShuffled"] > 0


def test_a_hole_card_that_lay_there_before_a_shuffle_is_none_of_the_discards() -> None:
    """The shoe was empty: it is one of very few cards, however many are unseen now."""
    log = exhausting_log("blackjack")
    engine = Engine(compiled("blackjack", **SETTINGS["blackjack"]))
    coach, state, seen = Coach(engine), NEW_TABLE, Seen()
    may_be: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for entry in log.entries:
        question = engine.question(state) if isinstance(entry.command, cm.DECISION_TYPES) else None
        if question is not None and may_be:
            assert state.round is not None
            assert may_be[state.round.dealer.down[0]]
            assert may_be.total() <= 2 < state.shoe.left
            advice = coach.advise(state, question, seen)
            assert not advice.is_priced
            assert not advice.exact
            assert advice.words.startswith("Discards were shuffled in while a card lay face down")
            asked[question.player] += 1
        for event in entry.events:
            if isinstance(event, ev.DiscardsShuffled) and state.round and state.round.dealer.down:
                may_be = Counter(engine.look.full_shoe) - Counter(seen.cards)
            elif isinstance(event, ev.RoundStarted):
                may_be.clear()
            state, seen = engine.evolve(state, event), seen.after(redacted(event, PUBLIC))
    assert asked.total() > 20
    for player, count in asked.items():
        assert review_of(coach, log.entries, player).unpriced >= count, "nobody's mistakes"


def test_mistakes_of_the_dealer_show_cards() -> None:
    table = scripted(compiled("pure-spanish-21.5"), "9s Kd 7h 8s 2c 3c 4c 5c")
    before = Counter(table.seen.cards)
    table.do(cm.FindFaceUp())
    (new,) = (Counter(table.seen.cards) - before).elements()
    assert new == "2c"


def test_a_fold_is_plain_data_and_goes_on_anywhere() -> None:
    table = CoachedTable(compiled("ten-sticks-21"), 3, "plain")
    for _ in range(4):
        list(table.round())
    events = [redacted(event, PUBLIC) for event in table.session.events]
    for cut in range(0, len(events), 7):
        part = Seen.of(events[:cut])
        again = msgspec.json.decode(msgspec.json.encode(part), type=Seen)
        assert again == part
        assert again.after(*events[cut:]) == table.seen
