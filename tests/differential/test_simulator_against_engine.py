"""The simulator's kernel against the live table's engine, card by card.

Both get the same cards and play by the same table of actions; then every number of every round is
the same, or one of them is wrong. Seeds are fixed, so a change passes or fails by itself.
"""

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Literal

import numpy as np
import pytest

import chance
from differential.engine_rounds import CASES, VARIANTS
from differential.simulator_rounds import Cards, Report, Setup, Simulated, compare
from upcard import GAME_IDS
from upcard.money import BASE
from upcard.round.policy import Moves, OpenPlay, by_state

SEED = 1
DEEPER = chance.DEEPER if chance.FUZZ else 1
ROUNDS: dict[Cards, int] = {"stacked": 12 * DEEPER, "cut": 20 * DEEPER, "picked": 20 * DEEPER}
"""Of every table; the more of a shoe that lasts, the more shoes are dealt to their cut card."""
TABLES: dict[Cards, int] = {"stacked": 2, "cut": 1}
"""With every setting, each with other seats and other play; twice as many of a game with few."""
BET = 500
"""Where the odds' own proof, which is of one box, has no wager of a game."""
SEATS = (3, 1, 4, 5, 2)
FEW, SOME, MANY = 10, 30, 60
SEEDS = 5
"""So many times rounds are drawn anew where what a test looks for comes seldom."""

HOUSE = ("blackjack", "blackjack-tie")
STICKS = "ten-sticks-21"
CHANCE = "games-of-chance-blackjack"
EXPOSURE = "double-exposure"
SPANISH = "pure-spanish-21.5"
TWISTED = "twisted-21"
MORE = {
    "pontoon": ({"decks": "1", "rescue": "true"}, {"soft17": "stand", "surrender": "late"}),
    "spanish-21": (
        {"decks": "1", "redouble": "true"},
        {"soft17": "stand", "surrender": "none", "bonus_after_split": "false"},
        {"split_aces": "one-card", "max_hands": "2", "chip": "100", "insurance": "false"},
        {"redouble": "true", "decks": "2", "chip": "100"},
        {"soft17": "stand", "decks": "4"},
    ),
    "super-fun-21": (
        {"decks": "2"},
        {"bonus_after_split": "false", "chip": "100"},
        {"penetration": "1.0"},
        {"burn": "5"},
        {"penetration": "0.5", "rounding": "nearest"},
    ),
    **dict.fromkeys(
        HOUSE,
        (
            {"decks": "1", "max_hands": "2", "double": "any-count"},
            {"soft17": "hit", "peek": "ace", "surrender": "early", "hand_of_21": "asks"},
            {"peek": "none", "split": "rank", "resplit_aces": "true", "split_aces": "draw"},
            {"surrender": "early", "decks": "1", "surrender_after_split": "true"},
            {"chip": "100", "rounding": "nearest", "double_after_split": "false"},
            {"surrender": "both", "peek": "ace", "surrender_after_split": "true", "decks": "1"},
        ),
    ),
    STICKS: (  # TS-0, SR-24: the chapter fixes doubles, pairs and split aces
        {"decks": "1", "max_hands": "2"},
        {"soft17": "hit", "peek": "ace", "surrender": "early", "hand_of_21": "asks"},
        {"peek": "none", "resplit_aces": "true", "max_hands": "3"},
        {"surrender": "early", "decks": "1", "surrender_after_split": "false"},
        {"chip": "100", "rounding": "nearest", "double_for_less": "false"},
    ),
    CHANCE: (
        {"decks": "1", "drawn_21": "equal-sums", "unchecked_surrender": "final"},
        {"tie_dollar": "player", "surrender": "early", "resplit_aces": "true"},
        {"blackjack_bonus": "half-the-bet", "insurance_amount": "whole", "double": "any-count"},
        {"late_natural_takes": "original", "peek": "ace-or-ten", "chip": "100"},
        {"added_wagers": "printed", "max_hands": "2"},
        {"surrender": "both", "decks": "1"},
    ),
    SPANISH: (
        {"double_double": "false", "match_by": "both-cards"},
        {"both_over": "push", "surrender": "early", "decks": "4"},
        {"must_stand": "hit-and-double", "hand_of_21": "asks", "both_naturals": "1:1"},
        {"fee_schedule": "20", "split_natural": "21.5", "surrender_after_split": "true"},
        {"surrender": "until-exposed", "surrender_after_split": "true", "decks": "4"},
    ),
    "european-blackjack": (
        {"decks": "1", "max_hands": "2", "double": "9-11"},
        {"soft17": "hit", "late_natural_takes": "original", "decks": "1"},
        {"double_after_split": "false", "chip": "100", "rounding": "nearest"},
    ),
    "blackjack-switch": (
        {"decks": "1", "soft17": "stand", "switched_natural": "natural"},
        {"decks": "2", "resplit_aces": "false", "chip": "100"},
        {"both_natural": "win", "switched_natural": "natural"},
    ),
    "vegas-strip": ({"split": "rank", "chip": "100"}, {"insurance": "false"}),
    "single-deck-6-5": ({"double": "10-11", "max_hands": "2"}, {"chip": "50", "rounding": "up"}),
    "down-under": ({"natural": "6:5", "chip": "100"}, {"split": "rank", "gold_hands": "tens"}),
    "free-bet": (
        {"decks": "1", "soft17": "stand", "free_double_cards": "any"},
        {"decks": "1", "fours": "own", "surrender": "late"},
        {"decks": "1", "free_splits": "one"},
    ),
    "zappit": (
        {"decks": "1", "exchanged_natural": "wins", "soft17": "stand"},
        {"decks": "1", "exchanged_natural": "natural", "exchanged": "15-18", "chip": "100"},
    ),
    TWISTED: (
        {"qualifier": "pair-of-kings", "five_cards": "wins", "double": "any-count"},
        {"stud_bonus": "seven-card-low", "low_ball": "ace-to-five", "community_cards": "seen"},
        {"twisted_stud": "both", "positions": "9", "hit_cards": "in-order"},
        {"twisted_stud": "last", "positions": "5", "chip": "50", "rounding": "up"},
        {"dealer_natural": "any", "stud_bonus": "seven-card"},
        {"dealer_natural": "any", "five_cards": "wins", "double": "any-count"},
        {"dealer_natural": "at-turn", "stud_bonus": "five-card-low", "low_ball": "ace-to-six"},
        {"stud_bonus": "seven-card-low", "low_ball": "deuce-to-six", "hit_cards": "in-order"},
    ),
    EXPOSURE: (
        {"decks": "1", "soft17": "stand", "max_hands": "2", "double": "any-two"},
        {"both_natural": "push", "double": "9-11-soft", "split": "rank"},
        {"double_after_split": "false", "penetration": "1.0", "decks": "2"},
    ),
}
"""Settings besides those of the odds' own proof."""
OWN = {
    "blackjack": ({"dealer_22": "push", "charlie": "6", "late_natural_takes": "all"},),
    "ten-sticks-21": (
        {"trade_again": "no", "trade_on_double": "no", "light_surplus": "lost", "decks": "1"},
        {"two_bonus_cards": "one", "traded_natural": "twenty-one", "lights_owner": "player"},
        {"trade_time": "own-turn", "surrender": "early", "light_surplus": "lost"},
        {"trade_time": "own-turn", "surrender": "early", "trade_again": "no"},
    ),
    "blackjack-tie": (
        {"busted_bonus": "push", "surrendered_bonus": "push", "split_ten_ace": "none"},
        {"dealer_22": "push", "charlie": "5"},
        {"charlie": "5", "charlie_tie": "none", "peek": "none"},
    ),
}
BANKS = (100, 700, 2000, 6000)
LIMITS = (
    {"bank_cover": "net"},
    {"bank_cover": "each-way"},
    {"bank_cover": "net", "natural_paid": "at-once"},
    {"bank_cover": "each-way", "natural_paid": "at-once", "surrender": "early"},
    {"bank_cover": "net", "natural_paid": "at-once", "split_natural": "21.5"},
    {"bank_cover": "each-way", "natural_paid": "at-once", "split_natural": "21.5"},
    {"bank_cover": "exhausted-ends"},
    {"bank_cover": "by-wagers"},
    {"bank_cover": "by-wagers", "natural_paid": "at-once", "split_natural": "21.5"},
)
"""How a bank is limited."""
HOUSE_BANKS: dict[str, Literal["in-order", "at-once"]] = {
    TWISTED: "in-order",
    "blackjack-tie": "at-once",
}
"""Games of the house as a player would bank them: wagers after the game, naturals paid at once."""

CHARGED = ("2", "42", "46", "50")
"""Fee schedules of different kinds."""


@cache
def setups(game: str) -> tuple[Setup, ...]:
    """Tables of a game, one for every setting."""
    found = [
        Setup(case.game, case.bet, case.sides, case.settings)
        for case in (*CASES, *VARIANTS)
        if case.game == game
    ] or [Setup(game, BET)]
    plain = found[0]
    found += [
        replace(plain, settings=tuple(settings.items()))
        for settings in (*MORE[game], *OWN.get(game, ()))
    ]
    found += [replace(plain, mimics=True), replace(plain, insures=False)]
    if game == SPANISH:
        found += [
            replace(plain, settings=tuple(limit.items()), bank=bank)
            for limit in LIMITS
            for bank in BANKS
        ]
        found += [
            replace(plain, settings=settings, added_fees=True)
            for schedule in CHARGED
            for settings in [(("fee_schedule", schedule), ("fee_resolution", "lower-fee"))]
        ]
    if game in HOUSE_BANKS:
        found += [
            replace(plain, banked=HOUSE_BANKS[game], bank=bank, insures=insures)
            for bank in BANKS
            for insures in (False, True)
        ]
    if game != TWISTED:
        found.append(replace(plain, by_position=True))
    return tuple(map(within_limits, found))


def within_limits(setup: Setup) -> Setup:
    """The same table with wagers that its fee schedule posts."""
    plan = setup.tables.money.wagers
    sides = tuple((wager, max(amount, plan[wager].minimum)) for wager, amount in setup.sides)
    return replace(setup, bet=max(setup.bet, plan[BASE].minimum), sides=sides)


def seats(setup: Setup, number: int) -> int:
    """One to five, and no player without all boxes. For one seat the kernel is compiled apart, so
    only some games have it here.
    """
    alone = setup.tables.carry is None and setup.game != TWISTED and not surrenders_early(setup)
    found = SEATS[number % len(SEATS)] if alone else max(SEATS[number % len(SEATS)], 2)
    return -(-found // setup.boxes) * setup.boxes


def surrenders_early(setup: Setup) -> bool:
    return "early-surrender" in setup.tables.round_plan.kinds


def times(game: str, cards: Cards) -> int:
    """How often all tables of a game are played at."""
    return TABLES[cards] * (4 if len(setups(game)) <= FEW else 1)


@cache
def played(game: str, cards: Cards) -> Report:
    """All tables of a game, with one seat to five in turn."""
    seated = [
        replace(setup, seats=seats(setup, number + again), cards=cards)
        for again in range(times(game, cards))
        for number, setup in enumerate(setups(game))
    ]
    return compare(seated, ROUNDS[cards], SEED)


def shown(report: Report) -> str:
    return "\n".join([f"{len(report.differences)} differences", *report.differences[:12]])


@pytest.mark.chance
@pytest.mark.parametrize("cards", ["stacked", "cut"])
@pytest.mark.parametrize("game", GAME_IDS)
def test_the_kernel_plays_as_the_engine(game: str, cards: Cards) -> None:
    report = played(game, cards)
    assert not report.differences, shown(report)
    counts = report.counts
    number = times(game, cards) * len(setups(game))
    assert counts["rounds"] + counts["apart"] == ROUNDS[cards] * number
    assert counts["apart"] < counts["rounds"] // 20
    if cards == "cut":
        assert counts["shuffles"] > number, "more shoes than one are dealt"


@pytest.mark.chance
@pytest.mark.parametrize("game", [game for game in GAME_IDS if game != TWISTED])
def test_cards_come_back_alike_when_a_shoe_runs_out(game: str) -> None:
    """Of earlier rounds, of settled hands, and traded ones; lights of void rounds stay lit."""
    own_turn = ("trade_time", "own-turn")
    few = [s for s in setups(game) if not s.by_position and own_turn not in s.settings]
    rounds = SOME if len(few) > SOME else MANY
    counts: Counter[str] = Counter()
    for seed in range(SEED, SEED + SEEDS):
        report = compare([runs_out(setup) for setup in few], rounds * DEEPER, seed)
        assert not report.differences, shown(report)
        counts += report.counts
        if min(counts["came back"], counts["void"]) >= FEW:
            return
    pytest.fail(f"too few rounds in which cards ran out: {counts}")


def runs_out(setup: Setup) -> Setup:
    """The same table with shoes that run out.

    What is traded comes back then, and who trades again and again may never end.
    """
    again = [("trade_again", "no")] if setup.tables.carry is not None else []
    settings = dict([*setup.settings, *again])
    return replace(setup, settings=tuple(settings.items()), seats=2, cards="short")


@pytest.mark.chance
def test_the_kernels_own_picks_are_cards_like_any_others() -> None:
    found = [replace(setup, cards="picked") for setup in setups("blackjack")]
    # A shoe that can run out is picked from with other code than one that cannot.
    few = [setup for setup in found if not surrenders_early(setup)]
    report = compare(few, ROUNDS["picked"], SEED)
    assert not report.differences, shown(report)
    assert report.counts["rounds"] == ROUNDS["picked"] * len(few)


PRIZES_OFTEN = json.dumps(
    {
        "prizes.super-bonus.offered": True,
        "prizes.super-bonus.hands": ["6-7-8", "7-7-7", "five-card 21", "six-card 21"],
        "prizes.super-bonus.up": ["2", "4", "7", "8", "J", "A"],
    }
)


@pytest.mark.chance
@pytest.mark.parametrize("bet", [500, 2500])
def test_prizes_of_hands_are_paid_alike(bet: int) -> None:
    """SP-SB, for hands and up cards that come often: to the winner and to all others."""
    plain = Setup("spanish-21", bet, changes=PRIZES_OFTEN, insures=False)
    # Every seed is another play, of which some never draw to such a hand.
    reports = [
        compare([replace(plain, seats=seats)], 2 * MANY, SEED + number)
        for number, seats in enumerate((1, 3, 4, 2, 3, 4))
    ]
    assert not any(report.differences for report in reports), shown(reports[0])
    assert sum(report.counts["prizes"] for report in reports) >= FEW


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_action_is_taken_often(game: str) -> None:
    offered = setups(game)[0].tables.actions
    taken = played(game, "stacked").taken + played(game, "cut").taken
    assert not {action.text: taken[action] for action in offered if taken[action] < FEW}


def test_prizes_and_uncovered_wagers_are_met() -> None:
    won = sum(played(STICKS, cards).counts["prizes"] for cards in TABLES)
    assert won >= FEW
    assert played(SPANISH, "stacked").counts["uncovered"] >= FEW


@pytest.mark.parametrize("game", GAME_IDS)
def test_one_question_at_a_time_is_open_before_the_check(game: str) -> None:
    """Trades come first, then surrender; at random each answer is as likely as any other."""
    for setup in setups(game):
        masks = by_state(setup.tables, OpenPlay()).chance
        assert masks is not None
        exchanging = setup.tables.effects.exchanging
        trades = masks.early_mask[masks.early_mask & exchanging != 0]
        assert not (trades & ~np.uint16(exchanging)).any(), setup.name


# ------------------------------------------------------------------ planted faults


class WrongPay(Simulated):
    """A drawn 20 against 20 pays one unit too much."""

    def __init__(self, setup: Setup, moves: Moves) -> None:
        super().__init__(setup, moves)
        tables = setup.tables
        shape = (-1, len(tables.player_classes), len(tables.dealer.classes))
        stakes = self.machine.stakes
        pays = stakes.pays.copy()
        dealers = [kind.name for kind in tables.dealer.classes].index("20")
        pays.reshape(shape)[:, tables.class_index["20"], dealers] += 1
        self.machine = self.machine._replace(stakes=stakes._replace(pays=pays))


class WrongMove(Simulated):
    """A player's hand takes fives for sixes."""

    def __init__(self, setup: Setup, moves: Moves) -> None:
        super().__init__(setup, moves)
        alphabet = setup.tables.alphabet
        child = moves.play.child.copy()
        moved = child.reshape(-1, len(alphabet))
        moved[:, alphabet.index("5")] = moved[:, alphabet.index("6")]
        self.machine = self.machine._replace(play=moves.play._replace(child=child))


class WrongDealer(Simulated):
    """The dealer stands one card too early on one hand."""

    def __init__(self, setup: Setup, moves: Moves) -> None:
        super().__init__(setup, moves)
        dealer = setup.tables.dealer
        rules, stiff = self.machine.rules, 16
        step = rules.dealer_next.copy()
        hard = np.flatnonzero(dealer.draws & (dealer.total == stiff) & ~dealer.soft)
        step[np.isin(step, hard * rules.symbols)] = -1 - 1
        self.machine = self.machine._replace(rules=rules._replace(dealer_next=step))


class WrongCut(Simulated):
    """The cut card stands some cards too late."""

    def __init__(self, setup: Setup, moves: Moves) -> None:
        super().__init__(setup, moves)
        cut = self.machine.cut
        assert cut is not None
        self.machine = self.machine._replace(cut=cut._replace(at=cut.at + 5))


class WrongBank(Simulated):
    """What the bank collected does not pay winners."""

    def __init__(self, setup: Setup, moves: Moves) -> None:
        super().__init__(setup, moves)
        assert self.banker is not None
        self.banker = self.banker._replace(each_way=not self.banker.each_way)


class WrongDiscards(Simulated):
    """Cards of hands that stand come back too."""

    def __init__(self, setup: Setup, moves: Moves) -> None:
        super().__init__(setup, moves)
        returns = self.machine.returns
        assert returns is not None
        settles = np.ones_like(returns.settles)
        self.machine = self.machine._replace(returns=returns._replace(settles=settles))


class WrongLight(Simulated):
    """Every other light is not lit."""

    def __init__(self, setup: Setup, moves: Moves) -> None:
        super().__init__(setup, moves)
        assert self.carried is not None
        after = self.carried.next.copy()
        after[::2] = np.arange(len(after))[::2]
        self.carried = self.carried._replace(next=after)
        self.machine = self.machine._replace(carried=self.carried)


class WrongSide(Simulated):
    """Wagers beside the base win one unit too much where they win."""

    def __init__(self, setup: Setup, moves: Moves) -> None:
        super().__init__(setup, moves)
        assert self.sides is not None
        changed = {
            name: np.where(pays > 0, pays + 1, pays)
            for name in ("by_class", "match", "five", "showdown")
            for pays in [getattr(self.sides, name)]
        }
        self.sides = self.sides._replace(**changed)


class WrongExchange(Simulated):
    """The first box's cards are looked up for the second's, and the other way round."""

    def __init__(self, setup: Setup, moves: Moves) -> None:
        super().__init__(setup, moves)
        exchange = self.machine.exchange
        assert exchange is not None
        action = exchange.action.reshape((len(setup.tables.alphabet),) * 5)
        turned = np.ascontiguousarray(action.transpose(0, 3, 4, 1, 2)).reshape(-1)
        self.machine = self.machine._replace(exchange=exchange._replace(action=turned))


KERNELS: list[type[Simulated]] = [Simulated, *Simulated.__subclasses__()]


@cache
def found_in(tables: tuple[Setup, ...], kernel: int) -> list[str]:
    return compare(tables, MANY, SEED, KERNELS[kernel]).differences


@pytest.mark.parametrize(
    ("game", "fault", "where"),
    [
        ("blackjack", WrongPay, "base of seat"),
        ("blackjack", WrongMove, "ends: "),
        ("blackjack", WrongDealer, "dealer: "),
        ("blackjack", WrongCut, "used: "),
        (SPANISH, WrongBank, "bank: "),
        ("ten-sticks-21", WrongLight, "lit: "),
        ("ten-sticks-21", WrongLight, "prizes of seat"),
        (SPANISH, WrongSide, "match of seat"),
        (TWISTED, WrongSide, "stud-bonus of seat"),
        (TWISTED, WrongSide, "stud-poker of seat"),
        ("blackjack-tie", WrongSide, "tie-20 of seat"),
        ("blackjack-switch", WrongExchange, "ends: "),
    ],
)
def test_a_fault_is_found(game: str, fault: type[Simulated], where: str) -> None:
    plain = setups(game)[0]
    crowded = replace(plain, seats=5 - 5 % plain.boxes)
    if fault is WrongCut:
        crowded = replace(crowded, cards="cut", seats=1, settings=(("decks", "1"),))
    elif fault is WrongBank:
        crowded = replace(crowded, bank=2000)
    tables = (crowded, replace(crowded, mimics=True))
    found = found_in(tables, KERNELS.index(fault))
    assert any(f": {where}" in difference for difference in found), found[:12]
    assert not found_in(tables, KERNELS.index(Simulated))


def test_cards_that_come_back_too_soon_are_found() -> None:
    """The faulty kernel goes on with cards of hands that stand, where the engine has none left."""
    short = runs_out(setups("ten-sticks-21")[0])
    with pytest.raises(AssertionError, match="the engine's round was void"):
        compare([short], MANY, SEED, WrongDiscards)
