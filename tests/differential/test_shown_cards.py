# ruff: noqa: ARG002 (a policy is asked about more than the plain one looks at)
"""Games whose dealer shows more than one card: exact values against every order of tiny decks.

The engine deals, shows and pays; the player of `search` sees what a viewer may see and nothing
else. So these hold only if table, tables and solver agree about what is shown.
"""

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from depth import deep
from differential.simulator_rounds import Cards, Setup, compare
from oracle import engine_search
from upcard import tables_for
from upcard.cards import Card
from upcard.compile.context import Action, Context
from upcard.compile.tables import GameTables
from upcard.solve.base_game import BaseGame
from upcard.solve.basic import price_play
from upcard.solve.one_hand import OneHand
from upcard.solve.solution import Aim
from upcard.table import events as ev
from upcard.table.engine import Engine
from upcard.table.view import HIDDEN, PUBLIC, Viewer, redacted, view
from upcard.trial.exact import _as_scores

EXPOSURE = "double-exposure"
UNDER = str(Path(__file__).with_name("down_under.toml"))
"""House blackjack with groups of its own, so that all options of the house can be set."""
PUBLIC_UNDER = "down-under"
CLOSE = 1e-12
BET = 1000

ACES = "As Ad Ts Td 9s 9d 6s 5s"
SIXES = "As Ad 6s 6d Ts Td 5s 9s"
GOLD = "As Ad Ts Td 6s 6d 9s 5s"
TENS = "As Ts Td Th 9s 8s 5s 5d"
EIGHTS = "8s 8d 8h Ts Td Th Tc 9s 9d 9h"


@cache
def compiled(game: str, settings: tuple[tuple[str, str], ...] = ()) -> GameTables:
    return tables_for(game, dict(settings))


def counts(tables: GameTables, deck: str) -> list[int]:
    found = [0] * len(tables.alphabet)
    for card in deck.split():
        found[tables.alphabet.symbol(Card.parse(card))] += 1
    return found


@pytest.mark.parametrize(
    ("game", "settings", "deck"),
    [
        (EXPOSURE, (), ACES),
        pytest.param(EXPOSURE, (("soft17", "stand"), ("double", "any-two")), SIXES, marks=deep),
        (EXPOSURE, (("both_natural", "push"), ("double", "9-11-soft")), TENS),
        pytest.param(EXPOSURE, (("split", "rank"),), "As Ts Jd Qh 9s 8s 5s 5d", marks=deep),
        pytest.param(UNDER, (("surrender", "none"),), ACES, marks=deep),
        pytest.param(UNDER, (("surrender", "early"), ("soft17", "hit")), SIXES, marks=deep),
        (UNDER, (("surrender", "late"), ("peek", "none")), TENS),
        (PUBLIC_UNDER, (), GOLD),
        pytest.param(PUBLIC_UNDER, (("gold_hands", "tens"), ("natural", "6:5")), TENS, marks=deep),
        pytest.param(UNDER, (("surrender", "both"), ("peek", "ace")), TENS, marks=deep),
    ],
)
def test_best_play_of_every_order(
    game: str, settings: tuple[tuple[str, str], ...], deck: str
) -> None:
    """DX-UP, DX-DN, DX-TIE, DX-NN, DU-TELL, DU-22, DU-GOLD: never splitting, never insured."""
    tables = compiled(game, settings)
    exact = engine_search.search(tables, deck.split(), BET)
    found = BaseGame(tables, counts=counts(tables, deck)).solve(Aim(bet=BET), mode="none")
    assert found.ev == pytest.approx(float(exact), abs=CLOSE)
    assert sum(up.chance for up in found.ups.values()) == pytest.approx(1.0, abs=CLOSE)


class Plain:
    """A play of states that looks at no card of the dealer's."""

    name = "plain"

    def __init__(self, tables: GameTables) -> None:
        self.tables = tables

    def choose(self, total: int, legal: tuple[Action, ...]) -> Action:
        wanted = {
            Action.DECLINE: True,
            Action.SPLIT: True,
            Action.DOUBLE: total >= 10,
            Action.HIT: total < 15,
            Action.STAND: True,
        }
        return next(action for action, wants in wanted.items() if wants and action in legal)

    def act(self, state: int, context: Context, up: int, legal: int) -> int:
        actions = tuple(action for action in Action if legal & action.bit)
        return self.choose(int(self.tables.hands.total[state]) // 2, actions)

    def early(self, state: int, up: int, legal: int) -> int:
        return Action.DECLINE

    def policy(
        self, cards: tuple[int, ...], up: int, hands: int | None, legal: tuple[Action, ...]
    ) -> Action:
        return self.choose(int(self.tables.hands.total[self._state(cards)]) // 2, legal)

    def _state(self, cards: tuple[int, ...]) -> int:
        state = self.tables.hands.start
        for card in cards:
            state = int(self.tables.hands.next[state, card])
        return state


@pytest.mark.parametrize(
    ("game", "settings", "deck"),
    [
        (EXPOSURE, (), f"{EIGHTS} 7s"),
        (UNDER, (("surrender", "none"), ("double", "none")), f"{EIGHTS} As"),
        pytest.param(PUBLIC_UNDER, (), "Ts Td 6s 6d 9s 8s 7s Ah 8d 5d", marks=deep),
        pytest.param(
            EXPOSURE,
            (("double", "any-two"), ("max_hands", "2")),
            "8s 8d 8h Ts Td Th 9s 9d 7s 7d",
            marks=deep,
        ),
        pytest.param(
            UNDER,
            (("surrender", "none"), ("max_hands", "2"), ("peek", "none")),
            "8s 8d Ts Td Th 9s 9d 9h 7s As Ad",
            marks=deep,
        ),
    ],
)
def test_splits_of_every_order(game: str, settings: tuple[tuple[str, str], ...], deck: str) -> None:
    """DX-SPLIT, DX-TIE, DU-GOLD: a play that splits whatever it may, dealt and worked out."""
    tables = compiled(game, settings)
    plain = Plain(tables)
    exact = engine_search.play_out(tables, deck.split(), plain.policy, BET)
    solver = BaseGame(tables, counts=counts(tables, deck))
    best = solver.solve(Aim(bet=BET), mode="CDZ-")
    found = price_play(solver, best, _as_scores(solver, plain))
    assert found.ev == pytest.approx(float(exact), abs=CLOSE)


@pytest.mark.parametrize("game", [EXPOSURE, UNDER])
def test_one_hand_has_the_values_of_the_whole_game(game: str) -> None:
    """Parted shoes and whole ones: the second card is out of the shoe, or one of its group."""
    tables = compiled(game, (("decks", "2"),))
    whole = BaseGame(tables)
    best = whole.solve(Aim(bet=BET), mode="CDP")
    for one, two, node in whole.deals[::7]:
        for up in list(best.ups)[:: len(best.ups) // 6]:
            if not tables.dealer.ends[up].any() or whole.graph.state[node] < 0:
                continue
            state = int(whole.graph.state[node])
            if tables.legal.mask[state, whole.contexts[0], up].bit_count() < 2:
                continue
            hand = OneHand(tables, [one, two], state, up, mode="CDP")
            found = hand.values(Aim(bet=BET), checked=True).actions
            for action, worth in found.items():
                assert worth == pytest.approx(float(best.ups[up].worth[0, node, action]), abs=1e-10)


def first_lines(game: str, deck: str) -> list[engine_search.Line]:
    table = engine_search.Table(compiled(game), deck.split(), BET)
    return list(table.deal())


def test_nobody_sees_more_than_is_shown() -> None:
    """Both cards in Double Exposure, the group of the down card in Down Under, else nothing."""
    for game in (EXPOSURE, UNDER, "blackjack"):
        engine = Engine(compiled(game))
        for line in first_lines(game, "7s 8d Ts 9s 6d 6h"):
            here = line.state.round
            assert here is not None
            shown = engine.look.tables.dealer.shown
            for viewer in (PUBLIC, Viewer("dealer"), Viewer("auditor"), Viewer("player", "Ann")):
                seen = view(engine, line.state, viewer).dealer
                events = [redacted(event, viewer) for event in line.seen]
                told = [event for event in events if isinstance(event, ev.DownCardTold)]
                down = [e for e in events if isinstance(e, ev.CardDealt) and e.face == "down"]
                assert all(event.card == HIDDEN for event in down)
                if shown.face_up:
                    assert (len(seen.cards), seen.down, told) == (2, (), [])
                    continue
                assert (len(seen.cards), seen.down) == (1, (HIDDEN,))
                if shown.told:
                    group = next(name for name in ("2-6", "7-9", "T-A") if name == seen.told)
                    assert [event.ranks for event in told] == [group]
                    ranks = {"2-6": "23456", "7-9": "789", "T-A": "TJQKA"}[group]
                    assert here.dealer.down[0][0] in ranks
                else:
                    assert (seen.told, told) == ("", [])


def test_chances_of_what_is_shown() -> None:
    tables = compiled(EXPOSURE, (("decks", "1"),))
    shown = tables.dealer.shown
    chances = shown.chances(tables.alphabet.counts)
    assert len(shown) == 55
    assert chances[shown.index("A T")] == pytest.approx(2 * 4 * 16 / (52 * 51))
    assert chances[shown.index("T T")] == pytest.approx(16 * 15 / (52 * 51))
    endless = shown.chances(tables.alphabet.counts, step=0.0)
    assert endless[shown.index("7 7")] == pytest.approx(float(Fraction(1, 169)))
    assert chances.sum() == pytest.approx(endless.sum()) == pytest.approx(1.0)


@pytest.mark.parametrize("cards", ["stacked", "cut"])
def test_the_kernel_plays_what_is_told_as_the_engine(cards: Cards) -> None:
    """Double Exposure is played so with every other game; here it is the group of a down card."""
    setups = [
        Setup(UNDER, 500, (), (("decks", "1"),), cards=cards),
        Setup(UNDER, 500, (), (("peek", "none"), ("surrender", "both")), cards=cards),
    ]
    report = compare(setups, 60, 7)
    assert not report.differences, report.differences[:12]
    assert report.counts["rounds"] > 0
