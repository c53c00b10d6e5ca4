"""The clauses behind what is refused, by topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from upcard.rules.load import RuleSet

Topic = Literal[
    "positions",
    "boxes",
    "number of boxes",
    "own seat",
    "limits",
    "amounts",
    "unit",
    "added",
    "share",
    "mandatory",
    "backline",
    "proposition",
    "bank",
    "order",
    "turns",
    "insurance",
    "double",
    "for less",
    "picks",
    "starts",
    "irregularities",
    "players card",
    "lights",
    "lost lights",
    "deck",
    "shuffle",
    "step wagers",
]
"""What a refusal can be about; mypy knows no other, so that none cites nothing by a slip."""
WagerTopic = Literal["needs", "offered"]
"""What a refusal of a wager by its name can be about."""
Citations = Mapping[Topic, tuple[str, ...]]
WagerCitations = Mapping[tuple[WagerTopic, str], tuple[str, ...]]

_KEYS: Mapping[Topic, tuple[str, ...]] = {
    "positions": ("table.positions",),
    "boxes": ("table.several_boxes",),
    "number of boxes": ("table.boxes",),
    "own seat": ("table.own_seat_first",),
    "limits": ("limits.minimum", "limits.maximum", "limits.posted"),
    "amounts": ("limits.amounts",),
    "unit": ("limits.unit",),
    "added": ("limits.added", "limits.amounts"),
    "share": ("limits.bonus_share", "limits.bonus_share_of"),
    "mandatory": ("wagers.base.settles",),
    "backline": ("bank.backline",),
    "proposition": ("bank.proposition_players",),
    "bank": ("bank.by",),
    "order": ("bank.order", "bank.action_from"),
    "turns": ("bank.turns", "bank.offered"),
    "insurance": ("insurance.offered", "insurance.at_most"),
    "double": ("double.on", "double.on#one-card"),
    "for less": ("double.for_less",),
    "picks": ("player.hit_cards",),
    "starts": ("deal.starts",),
    "irregularities": ("irregularities.face_up_card",),
    "players card": ("lights.players_card",),
    "lights": ("lights.count",),
    "lost lights": ("lights.on_leaving",),
    "deck": ("shoe.decks", "shoe.removed"),
    "shuffle": ("shoe.shuffle",),
}


def build_citations(rules: RuleSet) -> Citations:
    """Clause ids by topic."""
    clauses = rules.game.clauses.items()
    steps = tuple(clause_id for clause_id, clause in clauses if "step:wagers" in clause.sets)
    return {topic: rules.cites(*keys) for topic, keys in _KEYS.items()} | {"step wagers": steps}


def build_wager_citations(rules: RuleSet) -> WagerCitations:
    """Clause ids of every wager of the game: what it needs, and whether it is offered."""
    found: dict[tuple[WagerTopic, str], tuple[str, ...]] = {}
    ties = rules.cites("ties.needs")
    for wager_id in rules.game.wagers:
        here = f"wagers.{wager_id}"
        found["needs", wager_id] = rules.cites(f"{here}.needs") or ties
        found["offered", wager_id] = rules.cites(f"{here}.offered", f"{here}.name")
    return found
