"""What every action does, one row each: a new action is a new row.

Contexts and effects are made of these rows, and nothing else says what an action does.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from upcard.compile.context import Action
from upcard.compile.ends import EndKind
from upcard.money import INSURANCE
from upcard.rules.schema import GameRules


class Then(StrEnum):
    """The context in which a hand goes on after an action."""

    NOWHERE = "nowhere"
    """The hand is over."""
    SAME = "same"
    DOUBLED = "doubled"
    """Once more doubled."""
    FREE_DOUBLED = "free-doubled"
    """Doubled by the house."""
    SPLIT = "split"
    """Two hands go on, each one of so many more."""
    LATER = "later"
    """The next offer, or the turn."""


class Leads(StrEnum):
    """The state of the cards from which a hand goes on."""

    NOWHERE = "nowhere"
    SAME = "same"
    SPLIT = "split"
    KEEP = "keep"
    TRADE = "trade"
    EXCHANGED = "exchanged"
    """That of the cards as they lie now, one of them from another box."""
    REPLACED = "replaced"
    """That of no cards, the first two of a hand still to come."""
    ACES_LOW = "aces-low"
    """Every ace that is there counts its lower value, and a card is still to come."""


class StakeBase(StrEnum):
    """What an action adds as much as, to the stake of a hand."""

    NOTHING = "nothing"
    WAGER = "wager"
    """The wager that the hand began with."""
    TOTAL = "total"
    """All that it has by now."""


class AddedStake(NamedTuple):
    """What an action adds to a hand's stake; with `for_less` the player may choose to add less.

    The player pays it. With `by_house` the house puts a marker of that amount there: it wins like
    money, and there is nothing in it to lose.
    """

    of: StakeBase = StakeBase.NOTHING
    for_less: bool = False
    by_house: bool = False

    def whole(self, wager: int, total: int) -> int:
        """What is added to a stake of so much by now that began as a wager.

        >>> AddedStake(StakeBase.TOTAL).whole(5, 10)
        10
        """
        return {StakeBase.NOTHING: 0, StakeBase.WAGER: wager, StakeBase.TOTAL: total}[self.of]


BY_ITS_CARDS = "by its cards"
"""In the place of an end: the hand ends as what its cards are."""


WHOLE_HAND = 2
"""In the place of cards that are put away: both of a hand."""


class ActionRow(NamedTuple):
    """What an action does: it draws cards and adds to the stake, and the hand goes on or `ends`.

    With `ends_early` it ends a hand otherwise before the check than in its turn.
    With `again` it doubles a hand that is doubled already, and no other. `discards` is 1 if a
    marked card is put away and WHOLE_HAND if all cards are, and one light comes on with `lights`.
    `wager` is another wager that it makes.
    """

    then: Then = Then.NOWHERE
    leads: Leads = Leads.NOWHERE
    draws: int = 0
    again: bool = False
    ends: EndKind | str = ""
    ends_early: EndKind | str = ""
    stake: AddedStake = AddedStake()
    discards: int = 0
    lights: bool = False
    wager: str = ""


ActionRows = Mapping[Action, ActionRow]


def action_rows(game: GameRules) -> ActionRows:
    """What the actions of any game do."""
    less = AddedStake(StakeBase.WAGER, game.double.for_less)
    marker = AddedStake(StakeBase.WAGER, by_house=True)
    twice = game.surrender.when == "both"
    doubled = Leads.SAME if game.double.aces == "either" else Leads.ACES_LOW
    rows = {
        Action.HIT: ActionRow(Then.SAME, Leads.SAME, draws=1),
        Action.STAND: ActionRow(ends=BY_ITS_CARDS),
        Action.DOUBLE: ActionRow(Then.DOUBLED, doubled, draws=1, stake=less),
        Action.REDOUBLE: ActionRow(
            Then.DOUBLED, doubled, draws=1, again=True, stake=AddedStake(StakeBase.TOTAL)
        ),
        Action.SPLIT: ActionRow(Then.SPLIT, Leads.SPLIT, stake=AddedStake(StakeBase.WAGER)),
        Action.SURRENDER: ActionRow(
            ends=EndKind.SURRENDERED, ends_early=EndKind.SURRENDERED_EARLY if twice else ""
        ),
        Action.RESCUE: ActionRow(ends=EndKind.RESCUED),
        Action.INSURE: ActionRow(Then.LATER, Leads.SAME, wager=INSURANCE),
        Action.DECLINE: ActionRow(Then.LATER, Leads.SAME),
        Action.KEEP: ActionRow(Then.SAME, Leads.KEEP),
        Action.TRADE: ActionRow(Then.SAME, Leads.TRADE, discards=1, lights=game.lights is not None),
        Action.FREE_DOUBLE: ActionRow(Then.FREE_DOUBLED, Leads.SAME, draws=1, stake=marker),
        Action.FREE_SPLIT: ActionRow(Then.SPLIT, Leads.SPLIT, stake=marker),
        Action.SWITCH: ActionRow(Then.LATER, Leads.EXCHANGED),
        Action.REPLACE: ActionRow(Then.SAME, Leads.REPLACED, discards=WHOLE_HAND),
    }
    for action, row in rows.items():
        _check(action, row)
    return rows


def _check(action: Action, row: ActionRow) -> None:
    """What readers rely on: a row that none of them can follow is no row."""
    goes_on = row.then is not Then.NOWHERE
    for holds, words in (
        (row.draws in (0, 1), "draws one card or none: cards come one by one"),
        (goes_on != bool(row.ends), "either ends a hand or says in which context it goes on"),
        (bool(row.ends) or not row.ends_early, "ends a hand before the check and in its turn"),
        (goes_on == (row.leads is not Leads.NOWHERE), "says from which cards a hand goes on"),
        (row.discards in (0, 1, WHOLE_HAND), "puts one card away, the two of a hand, or none"),
        (
            (row.discards == WHOLE_HAND) == (row.leads is Leads.REPLACED),
            "puts a whole hand away if it leads to one that is still to come, and only then",
        ),
        (
            (row.then in (Then.DOUBLED, Then.FREE_DOUBLED, Then.SPLIT))
            == (row.stake.of is not StakeBase.NOTHING),
            "adds to the stake if it doubles or splits, and only then",
        ),
    ):
        if not holds:
            raise ValueError(f"the row of {action.text}: an action {words}")


def portion_units(rows: ActionRows, doubles: int) -> list[int]:
    """The portions of a stake in wagers: the wager itself, then what each double adds.

    >>> from upcard.rules.load import load_game
    >>> portion_units(action_rows(load_game("pure-spanish-21.5").game), 3)
    [1, 1, 2, 4]
    """
    units = [1]
    for number in range(doubles):
        (row,) = (r for r in rows.values() if r.then is Then.DOUBLED and r.again == (number > 0))
        units.append(row.stake.whole(units[0], sum(units)))
    return units
