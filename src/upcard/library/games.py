"""A game as one object: its rules, its prices, its charts, its hands and its tables."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, get_args

from upcard.cards import CardsLike
from upcard.compile.bets import ratios_of
from upcard.compile.shows import ShowsLike
from upcard.compile.tables import GameTables, tables_for
from upcard.errors import UpcardError
from upcard.library.hands import Hand
from upcard.library.live_tables import LiveTable
from upcard.library.setting_texts import cents_of, one_of, setting_texts, whole_number
from upcard.pages.figures import heading, shoe_words
from upcard.pages.page import Printer, Shown
from upcard.sheet.rules_page import RuleSheet, show_choices
from upcard.solve.split import Mode

if TYPE_CHECKING:
    from pathlib import Path

    from upcard.envs import RoundEnv
    from upcard.solve.chart import Chart
    from upcard.solve.odds import Odds
    from upcard.solve.readings import Readings
    from upcard.trial.trials import Result

    Cents = SupportsIndex | str
    Sizes = Mapping[str, float | str | Fraction]

PLAYS: tuple[Literal["optimal", "basic"], ...] = ("optimal", "basic")


def game(reference: str | Path | GameTables, /, **settings: object) -> Game:
    """A game by its id, its name or the path of a game file, with settings as keywords.

    Amounts of money are cents, as everywhere in Python. A name with dashes takes underscores.

    >>> import upcard
    >>> upcard.game("blackjack", decks=8, soft17="hit")
    upcard.game('blackjack', decks=8, soft17='hit')
    """
    if isinstance(reference, GameTables):
        return Game(reference).replace(**settings) if settings else Game(reference)
    if not isinstance(reference, str | os.PathLike):
        raise UpcardError(f"{reference!r} is no game: give an id, a path, or compiled tables")
    name = os.fspath(reference)
    return Game(tables_for(name, setting_texts(name, settings)), reference=name)


class Game(Shown):
    """A game with all its settings. It never changes; games of equal rules are equal.

    >>> import upcard
    >>> game = upcard.game("blackjack", decks=8)
    >>> game.id, game.name, game.settings["decks"], game == upcard.game("Blackjack", decks="8")
    ('blackjack', 'Blackjack', '8', True)
    """

    def __init__(self, tables: GameTables, *, reference: str = "") -> None:
        self._tables = tables
        self._reference = reference or tables.id

    # ------------------------------------------------------------------ what it is

    @property
    def tables(self) -> GameTables:
        """The compiled game, for whoever needs more than this object gives."""
        return self._tables

    @property
    def id(self) -> str:
        """The game's id, such as `twisted-21`."""
        return self._tables.id

    @property
    def name(self) -> str:
        """The game's name, such as `Twisted 21`."""
        return self._tables.name

    @property
    def version(self) -> int:
        """The version of its rules."""
        return self._tables.version

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its rules with all settings applied."""
        return self._tables.fingerprint

    @property
    def settings(self) -> Mapping[str, str]:
        """What was set, by name; whatever is not here is as the game file has it."""
        return MappingProxyType(dict(self._tables.settings))

    @cached_property
    def choices(self) -> Mapping[str, tuple[object, ...]]:
        """Everything that can be set, options and readings, with the values that are allowed.

        Of a wide range there are the two ends.
        """
        book = self._tables.rulebook
        found: dict[str, tuple[object, ...]] = {o.name: tuple(o.allowed) for o in book.options}
        found |= {reading.name: tuple(reading.answers) for reading in book.readings}
        return MappingProxyType(found)

    @property
    def wagers(self) -> tuple[str, ...]:
        """The ids of the wagers on offer, the base first."""
        return tuple(self._tables.money.wagers)

    def replace(self, **settings: object) -> Game:
        """The same game with some settings changed.

        >>> import upcard
        >>> upcard.game("blackjack", decks=8).replace(soft17="hit")
        upcard.game('blackjack', decks=8, soft17='hit')
        """
        texts = {**self._tables.settings, **setting_texts(self._reference, settings)}
        return Game(tables_for(self._reference, texts), reference=self._reference)

    # ------------------------------------------------------------------ its papers and prices

    def rules(self) -> RuleSheet:
        """The rule sheet: every rule a sentence with its clause."""
        return RuleSheet(self._tables)

    def odds(
        self,
        *,
        bet: Cents | None = None,
        wagers: Sizes | None = None,
        strategy: Literal["optimal", "basic"] = "optimal",
        split_mode: Mode = "CDP",
        endless: bool = False,
        stay: float | None = None,
    ) -> Odds:
        """The exact price of every wager, off the top of a fresh shoe.

        `bet` is the base wager, `wagers` are side wagers in base wagers that are made with it, and
        `stay` is for games with lights: how many rounds a player stays on average.
        """
        from upcard.solve.lights import check_stay
        from upcard.solve.odds import odds

        check_stay(self._tables, stay)
        return odds(
            self._tables,
            bet=cents_of("bet", bet),
            ratios=self.sizes(wagers),
            strategy=one_of("strategy", strategy, PLAYS),
            mode=one_of("split_mode", split_mode, get_args(Mode)),
            endless=endless,
            rounds=stay,
        )

    def strategy(
        self,
        *,
        bet: Cents | None = None,
        wagers: Sizes | None = None,
        split_mode: Mode = "CDP",
        stay: float | None = None,
        changes: Iterable[str] = (),
        deviations: bool = False,
    ) -> Chart:
        """The chart of basic play, and where the cards of a hand say otherwise.

        `changes` such as `"hard 16 vs T: stand"` make it a chart of your own, each of them priced;
        with `deviations` it has all hands that are better played by their cards. docs/charts.md
        has it on paper.
        """
        from upcard.solve.chart import draw_chart
        from upcard.solve.lights import check_stay

        check_stay(self._tables, stay)
        return draw_chart(
            self._tables,
            bet=cents_of("bet", bet),
            ratios=self.sizes(wagers),
            mode=one_of("split_mode", split_mode, get_args(Mode)),
            rounds=stay,
            changes=(changes,) if isinstance(changes, str) else tuple(changes),
            deviations=deviations,
        )

    def readings(self, *, bet: Cents | None = None) -> Readings:
        """What each answer to an open question of the source is worth."""
        from upcard.trial.bank_readings import price_all_readings

        return price_all_readings(
            lambda settings: tables_for(self._reference, settings),
            dict(self._tables.settings),
            bet=cents_of("bet", bet),
        )

    def simulate(
        self,
        rounds: float | SupportsIndex | str | None = None,
        *,
        until: float | None = None,
        seed: SupportsIndex = 1,
        policy: str = "basic",
        seats: SupportsIndex = 1,
        bet: Cents | None = None,
        wagers: Sizes | None = None,
        shoe: Literal["fresh", "cut"] = "fresh",
        count: str | None = None,
        bank: Cents | None = None,
        session: SupportsIndex | None = None,
        bankroll: Cents | None = None,
        follow: Literal["player", "bank"] = "player",
        threads: SupportsIndex | None = None,
    ) -> Result:
        """Play random rounds (`1e8` is fine) and compare every wager with its exact value.

        The totals depend on the seed alone, however many threads there are. `until` is half the
        width of the base wager's 95 % interval at which to stop; then `rounds` is the most that is
        played. docs/simulate.md explains the rest.
        """
        from upcard.simulate.run import Goal, Threads, run
        from upcard.trial.trials import MOST_ROUNDS, USUAL_ROUNDS, Request, Result, prepare

        whole = None if rounds is None else whole_number("rounds", rounds)
        if whole is not None and whole > MOST_ROUNDS:
            raise UpcardError(f"rounds={rounds}: at most {MOST_ROUNDS:.0e} rounds can be asked for")
        if count is not None and shoe == "fresh":
            raise UpcardError('a fresh shoe leaves nothing to count: say shoe="cut"')
        goal = Goal(USUAL_ROUNDS if whole is None and until is None else whole, until)
        request = Request(
            game=self._reference,
            settings=dict(self._tables.settings),
            policy=policy,
            seed=whole_number("seed", seed),
            seats=whole_number("seats", seats),
            bet=cents_of("bet", bet),
            ratios=self.sizes(wagers),
            shoe=shoe,
            bank=cents_of("bank", bank),
            count=count,
            session=None if session is None else whole_number("session", session),
            bankroll=cents_of("bankroll", bankroll),
            follow=follow,
        )
        workers = os.cpu_count() or 1 if threads is None else whole_number("threads", threads)
        trial = prepare(request, tables=self._tables)
        job = trial.job.for_rounds(goal.rounds)
        job.play(0, 1, 1)  # has the kernel compiled, so that the time is that of the rounds
        with Threads([job], workers) as crew:
            (outcome,) = run([job], goal, crew)
        return Result(trial, outcome)

    # ------------------------------------------------------------------ playing it

    def hand(
        self,
        cards: CardsLike,
        up: ShowsLike,
        *,
        seen: CardsLike = (),
        doubles: SupportsIndex = 0,
        checked: bool = False,
    ) -> Hand:
        """A hand against an up card; cards are text ("8s 8h", "10♠") or objects.

        Where both of the dealer's cards lie face up, `up` is both ("Ts 6d"); where it is told what
        the down card is, `up` says it ("9d over 2-6").

        `seen` are other cards known to be out of the shoe. More cards than the first ones came by
        hits, the last of them by so many `doubles`. `checked` is after the dealer's check: offers
        before it were declined, and bonus cards kept.
        """
        return Hand(
            self,
            cards,
            up,
            seen=seen,
            doubles=whole_number("doubles", doubles),
            checked=checked,
        )

    def table(
        self,
        players: str | Iterable[str] = "Ann",
        *,
        chips: Cents = 100_000,
        seed: str | None = None,
        cards: CardsLike | None = None,
    ) -> LiveTable:
        """A live table in memory, with players sitting at it.

        The shoe is shuffled from a fresh secret, from the text `seed`, or it is stacked with
        `cards`.
        """
        names = (players,) if isinstance(players, str) else tuple(players)
        money = cents_of("chips", chips)
        assert money is not None
        return LiveTable(
            self._tables, names, chips=money, seed=seed, cards=cards, reference=self._reference
        )

    def env(self, **options: Any) -> RoundEnv:
        """The game as a gymnasium environment, which needs `upcard[rl]`; options: docs/envs.md."""
        from upcard.envs import RoundEnv

        return RoundEnv(self._tables, **options)

    # ------------------------------------------------------------------ how it shows and compares

    def sizes(self, wagers: Sizes | None) -> dict[str, float]:
        """Side wagers in base wagers, by id; in names underscores may stand for dashes."""
        known = self._tables.money.wagers
        return {
            wager if wager in known else wager.replace("_", "-"): size
            for wager, size in ratios_of(wagers).items()
        }

    def show(self, out: Printer) -> None:
        """Print the game, its wagers and what can be set on a console or a page."""
        wagers = (f"{plan.name} ({wager})" for wager, plan in self._tables.money.wagers.items())
        out.print(heading(self._tables, shoe_words(self._tables)))
        out.print(f"wagers: {', '.join(wagers)}")
        show_choices(self._tables.rulebook, out)

    def __repr__(self) -> str:
        first = self._tables.id if self._reference == self._tables.ref else self._reference
        words = [repr(first)]
        for name, text in self._tables.settings.items():
            words.append(f"{name.replace('-', '_')}={_value(text)}")
        return f"upcard.game({', '.join(words)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __getstate__(self) -> dict[str, object]:
        return {"_tables": self._tables, "_reference": self._reference}

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self


def _value(text: str) -> str:
    """A setting as Python writes it."""
    if text in ("true", "false"):
        return text.capitalize()
    return text if text.isdecimal() and str(int(text)) == text else repr(text)
