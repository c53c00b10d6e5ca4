"""Phases: the steps of a round in order, what each asks, what it ends and what follows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from upcard.cards import rank_name
from upcard.compile.context import Action, ContextAutomaton, Phase
from upcard.compile.exchanges import exchanges, trades
from upcard.compile.hands import NONE
from upcard.rules.conditions import in_force
from upcard.rules.load import RuleSet
from upcard.rules.schema import GameRules, offered_wagers
from upcard.rules.wagers import ShowdownWager, TableWager
from upcard.text import listed, with_article


class RoundStep(NamedTuple):
    """A step of the round and the clauses behind it.

    It opens for a hand that may take one of the actions it `offers` in its `context`, or in the
    hand's own where that is NONE; with `once`, every box is asked once. With `before_cards` it
    comes before the round's cards, with `in_void` it takes place in a void round too. A step
    that a found `natural_ends` asks nobody then.
    """

    kind: Phase
    words: str
    clauses: tuple[str, ...]
    offers: tuple[Action, ...] = ()
    context: int = NONE
    once: bool = False
    before_cards: bool = False
    in_void: bool = False
    natural_ends: bool = False
    follows: Phase | None = None

    def context_of(self, own: int) -> int:
        """The context in which this step asks a hand that is in its own."""
        return own if self.context == NONE else self.context


class _PhaseRow(NamedTuple):
    """A step, before it is known what follows and which clauses name it."""

    words: str
    present: bool = True
    offers: tuple[Action, ...] = ()
    once: bool = False
    before_cards: bool = False
    in_void: bool = False
    natural_ends: bool = False


def build_steps(rules: RuleSet, contexts: ContextAutomaton) -> tuple[RoundStep, ...]:
    """The steps this game has, with the clauses that name each of them."""
    game = rules.game
    rows = {kind: row for kind, row in _rows(game).items() if row.present}
    kinds = list(rows)
    # A turn asks a hand in whatever context it is by then; each other offer has one of its own.
    own = {c.phase: number for number, c in enumerate(contexts.contexts) if not c.is_turn}
    return tuple(
        RoundStep(
            kind=kind,
            words=row.words,
            clauses=tuple(_named(rules, kind)),
            offers=row.offers,
            context=own.get(kind, NONE),
            once=row.once,
            before_cards=row.before_cards,
            in_void=row.in_void,
            natural_ends=row.natural_ends,
            follows=later,
        )
        for (kind, row), later in zip(rows.items(), [*kinds[1:], None], strict=True)
    )


def _rows(game: GameRules) -> dict[Phase, _PhaseRow]:
    """The steps of any game in order: a new step is a new row."""
    # Otherwise they are decided in each player's own turn.
    trades_first = trades(game) and game.exchange.when == "before-insurance"
    checks = game.dealer.checks != "none"
    players_bank = game.bank.by != "house"
    after = [wager.name for wager in after_game(game)]
    return {
        Phase.BANK: _PhaseRow(
            "A player-dealer is designated and puts up the bank.", players_bank, before_cards=True
        ),
        Phase.WAGERS: _PhaseRow("Wagers are placed.", before_cards=True),
        Phase.FEES: _PhaseRow("Collection fees are taken and dropped.", game.fees is not None),
        Phase.DEAL: _PhaseRow(_deal_words(game)),
        Phase.TRADES: _PhaseRow(
            "Bonus cards among the first two are kept or traded.",
            trades_first,
            offers=(Action.TRADE,),
        ),
        Phase.INSURANCE: _PhaseRow(
            f"With {_named_ranks(game.insurance.up)} up insurance is offered.",
            game.insurance.offered,
            offers=(Action.INSURE,),
            once=True,
        ),
        Phase.EARLY_SURRENDER: _PhaseRow(
            "Hands may be surrendered, before "
            + ("the check." if game.surrender.when == "early" else "anybody draws."),
            surrenders_before_the_check(game),
            offers=(Action.SURRENDER,),
            once=True,
        ),
        Phase.PEEK: _PhaseRow(
            _check_words(game),
            checks or game.deal.dealer_up > 1,
        ),
        Phase.EXCHANGE: _PhaseRow(
            "The second cards of a player's two boxes may be exchanged with each other.",
            exchanges(game),
            offers=(Action.SWITCH,),
            once=True,
            natural_ends=True,
        ),
        Phase.TURNS: _PhaseRow(
            "Players act in turn, one hand finished before the next.",
            offers=tuple(Action),
            natural_ends=True,
        ),
        Phase.REVEAL: _PhaseRow(
            f"{_whose(game)} down {'card is' if game.deal.dealer_down == 1 else 'cards are'} "
            "turned up.",
            game.deal.dealer_down > 0,
        ),
        Phase.DEALER: _PhaseRow(
            f"{_whose(game)} hand is completed"
            + ("." if game.dealer.finishes == "always" else ", if a wager still depends on it.")
        ),
        Phase.SETTLE: _PhaseRow("Wagers are paid and collected, seat by seat.", in_void=True),
        Phase.STUD_ROUND: _PhaseRow(
            f"{listed(after, 'and')} {'is' if len(after) == 1 else 'are'} settled.", bool(after)
        ),
        Phase.ROTATE: _PhaseRow(
            f"After every {game.bank.turns} hands the bank is offered to the next player.",
            players_bank,
            in_void=True,
        ),
    }


def surrenders_before_the_check(game: GameRules) -> bool:
    """Whether hands are asked about surrender in a step of its own, before the turns.

    Where surrender is early alone and no check comes, it is as well asked in the turn.
    """
    when = game.surrender.when
    return when == "both" or (when == "early" and game.dealer.checks != "none")


def _whose(game: GameRules) -> str:
    return "The dealer's" if game.bank.by == "house" else "The player-dealer's"


def _check_words(game: GameRules) -> str:
    one = with_article(game.natural.name)
    if game.deal.dealer_up > 1:
        return f"{_whose(game)} {game.natural.name}, which everybody sees, ends the round."
    tens = tuple(rank for rank in game.natural.with_ if rank not in game.shoe.removed)
    ups = ("A",) if game.dealer.checks == "ace" else ("A", *tens)
    cards = "down card is"
    if game.deal.dealer_down > 1:
        cards = {"first": "first down card is", "any": "down cards are"}[game.dealer.natural_cards]
    return f"With {_named_ranks(ups)} up the {cards} looked at for {one}."


def _deal_words(game: GameRules) -> str:
    if not uses_community(game):
        return "The first cards are dealt."
    rest = "; the rest of the deck is discarded" if game.deal.rest_discarded else ""
    return f"The first cards and the community cards are dealt{rest}."


def uses_community(game: GameRules) -> bool:
    """Whether a wager on offer goes by community cards, so that there are any."""
    offered = (game.wagers.get(wager) for wager in offered_wagers(game))
    tables = (game.paytables.get(w.paytable) for w in offered if isinstance(w, TableWager))
    return any(table is not None and table.cards == "own-and-community" for table in tables)


def _named_ranks(ranks: Iterable[str]) -> str:
    return listed(with_article(rank_name(rank)) for rank in ranks)


_RULED_BY = {Phase.PEEK: "dealer.checks"}
"""Steps that take place as a key says: a clause that does not say so does not name them."""


def _named(rules: RuleSet, kind: Phase) -> Iterator[str]:
    """The clauses that name a step, and still do under the settings."""
    game, named = rules.game, f"step:{kind}"
    seen = kind is Phase.PEEK and game.deal.dealer_up > 1  # nothing is looked for: it is seen
    key = None if seen else rules.provenance.get(_RULED_BY.get(kind, ""))
    return (
        clause_id
        for clause_id, clause in game.clauses.items()
        if named in clause.sets
        and in_force(game, clause)
        and (key is None or clause_id in key.said_by)
    )


def after_game(game: GameRules) -> Iterator[TableWager | ShowdownWager]:
    """Wagers on cards that are settled in a round of their own, after the game."""
    for wager_id in offered_wagers(game):
        wager = game.wagers.get(wager_id)
        if isinstance(wager, TableWager | ShowdownWager) and wager.settled == "after-game":
            yield wager
