"""The clauses behind what a live table refuses, by topic."""

from __future__ import annotations

from collections.abc import Mapping

from upcard.rules.load import RuleSet

_KEYS: Mapping[str, tuple[str, ...]] = {
    "positions": ("table.positions",),
    "boxes": ("table.several_boxes",),
    "limits": ("limits.minimum", "limits.maximum", "limits.posted"),
    "amounts": ("limits.amounts",),
    "unit": ("limits.unit",),
    "share": ("limits.bonus_share",),
    "mandatory": ("wagers.base.mandatory", "wagers.base.settles"),
    "backline": ("bank.backline", "bank.players_bets"),
    "proposition": ("bank.proposition_players",),
    "bank": ("bank.by",),
    "cover": ("bank.cover",),
    "order": ("bank.order", "bank.action_from"),
    "turns": ("bank.turns", "bank.offered"),
    "fees": ("fees.book", "fees.schedule"),
    "insurance": ("insurance.offered", "insurance.at_most"),
    "double": ("double.on",),
    "for less": ("double.for_less",),
    "split": ("split.on",),
    "picks": ("player.hit_cards",),
    "starts": ("deal.starts",),
    "irregularities": ("irregularities.face_up_card",),
    "players card": ("lights.players_card",),
    "lights": ("lights.count",),
    "lost lights": ("lights.on_leaving",),
    "deck": ("shoe.decks", "shoe.removed"),
    "shuffle": ("shoe.shuffle",),
    "exhausted": ("shoe.exhausted",),
}


def build_citations(rules: RuleSet) -> Mapping[str, tuple[str, ...]]:
    """Clause ids by topic; wagers that need another one have a topic of their own."""
    found = {topic: rules.cites(*keys) for topic, keys in _KEYS.items()}
    ties = rules.cites("ties.needs")
    for wager_id in rules.game.wagers:
        found[f"needs {wager_id}"] = rules.cites(f"wagers.{wager_id}.needs") or ties
        found[f"offered {wager_id}"] = rules.cites(
            f"wagers.{wager_id}.offered", f"wagers.{wager_id}.name"
        )
    kinds = {part.partition(":")[2] for c in rules.game.clauses.values() for part in c.sets}
    for kind in kinds:
        named = f"step:{kind}"
        found[f"step {kind}"] = tuple(
            clause_id for clause_id, clause in rules.game.clauses.items() if named in clause.sets
        )
    return found
