"""What a felt shows that does not change while a table is open, made from the game's own tables.

`table_info` goes to everybody who looks at a table, in the first message on the line; `rules_info`
is the rule sheet arranged so that the rule behind anything on the felt is one tap away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from upcard.compile.action_rows import StakeBase
from upcard.compile.carry import prize_words
from upcard.compile.context import Action
from upcard.compile.deal import Receiver
from upcard.compile.ends import EndKind
from upcard.compile.hands import NONE, total_name
from upcard.money import BASE, INSURANCE
from upcard.rules.registry import head_of
from upcard.sheet.rules import sections
from upcard.table.action_keys import ACTION_KEYS
from upcard.table.cloth import (
    OTHER_FELT,
    clauses_of,
    insurance_pays,
    lettering,
    marked_cards,
    short_name,
)
from upcard.table.sign import sign_of

if TYPE_CHECKING:
    from upcard.compile.plan import WagerPlan
    from upcard.compile.tables import GameTables
    from upcard.table.sign import Sign


_ACTION_RULES: Mapping[Action, tuple[str, ...]] = {
    Action.HIT: ("player", "count.over"),
    Action.STAND: ("player", "count.over"),
    Action.DOUBLE: ("double",),
    Action.SPLIT: ("split",),
    Action.SURRENDER: ("surrender",),
    Action.INSURE: ("insurance",),
    Action.DECLINE: ("insurance", "surrender", "exchange"),
    Action.REDOUBLE: ("double",),
    Action.RESCUE: ("double",),
    Action.KEEP: ("bonus_card", "exchange"),
    Action.TRADE: ("bonus_card", "exchange", "lights"),
    Action.FREE_DOUBLE: ("double",),
    Action.FREE_SPLIT: ("split",),
    Action.SWITCH: ("exchange",),
    Action.REPLACE: ("exchange",),
}
_TOPICS: Mapping[str, tuple[str, ...]] = {
    "shoe": ("shoe",),
    "dealer": ("dealer", "deal.dealer_up", "deal.dealer_down"),
    "lights": ("lights", "bonus_card", "exchange"),
    "prizes": ("prizes",),
    "fees": ("fees",),
    "bank": ("bank", "fees"),
    "backline": ("bank.backline",),
    "action button": ("bank.action_from", "bank.order"),
    "natural": ("natural",),
    "insurance": ("insurance",),
    "totals": ("count",),
    "ties": ("outcomes",),
    "results": ("outcomes", "count.over", "natural.pays", "natural.against_natural", "bonuses"),
    "over": ("count.over", "outcomes.special", "outcomes.both_over"),
    "deal": ("deal",),
    "community": ("deal.community", "deal.community_after", "deal.community_seen"),
    "discards": ("shoe", "deal.rest_discarded", "floor.next_round"),
    "cards": ("bonus_card.cards", "floor.marking", "count"),
    "mistakes": ("irregularities",),
    "seats": ("table",),
    "limits": ("limits",),
}
"""Things on the felt, and the keys of the rules behind them."""


class TableLike(Protocol):
    """What is asked of a table as the lobby knows it (`upcard.service.specs.TableInfo`)."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


def felt_of(game: str) -> str:
    """The colour of a game's felt, so that people know where they are.

    >>> felt_of("twisted-21"), felt_of("a game of my own") == OTHER_FELT
    ('#2f3b45', True)
    """
    head = head_of(game)
    return head.felt if head and head.felt else OTHER_FELT


def table_info(tables: GameTables, info: TableLike | None = None) -> dict[str, Any]:
    """Everything static about a table that a felt needs; without a table, what its game needs."""
    sign = sign_of(tables)
    plan, money = tables.round_plan, tables.money
    carry = tables.carry
    return {
        "id": info.id if info else "",
        "name": info.name if info else "",
        "game": tables.id,
        "ref": tables.ref,
        "title": tables.title,
        "draft": tables.head.draft,
        "fingerprint": tables.fingerprint,
        "settings": dict(tables.settings),
        "felt": tables.head.felt or OTHER_FELT,
        "lettering": lettering(tables, sign),
        "positions": plan.positions,
        "several_boxes": plan.several_boxes,
        "boxes": plan.boxes,
        "wagers": _wagers(tables, sign),
        "together": {"words": sign.together, "clauses": sign.together_clauses},
        "unit": money.unit,
        "chip": money.chip,
        "insurance": _insurance(tables),
        "lights": carry
        and {
            "count": len(carry.next),
            "prize": int(carry.prize.sum()),
            "prize_words": prize_words(carry.prize_name, int(carry.prize.sum())),
            "by_trade": carry.by_trade,
            "bound": carry.bound_to_position,
            "clauses": tables.cites["lights"],
        },
        "players_card": bool(carry and carry.players_card),
        "player_banks": not money.house_banks,
        "bank_turns": money.turns,
        "bank_limited": money.bank_is_limited,
        "action_button": money.has_action_button,
        "backline": str(money.backline) if money.takes_backline else "",
        "actions": [_action(tables, sign, action) for action in tables.actions],
        "picks": plan.players_pick,
        "steps": {step.kind.value: step.words for step in plan.steps},
        "deal": {
            "up": plan.dealt(Receiver.POSITION, "up"),
            "down": plan.dealt(Receiver.POSITION, "down"),
            "dealer_up": plan.dealt(Receiver.DEALER, "up"),
            "dealer_down": plan.dealt(Receiver.DEALER, "down"),
            "community": plan.dealt(Receiver.COMMUNITY),
        },
        "count": _count(tables),
        "marked": marked_cards(tables),
        "shoe": {
            "decks": tables.alphabet.decks,
            "cards": int(tables.alphabet.counts.sum()),
            "every_round": plan.shoe.shuffles_every_round,
        },
        "fees": {"words": sign.fees, "clauses": clauses_of(tables, "fees")},
        "sign": msgspec.to_builtins(sign),
        **_of_the_house(info),
    }


def _of_the_house(info: TableLike | None) -> dict[str, Any]:
    """What the house chose beside the rules, where it is known."""
    names = ("seconds", "wager_seconds", "speed", "demo", "owner", "opened")
    found = {name: getattr(info, name) for name in names if hasattr(info, name)}
    bots = [seat.player for seat in getattr(info, "seats", ()) if seat.bot]
    return found | {"bots": bots}


# ------------------------------------------------------------------ parts of it


def _wagers(tables: GameTables, sign: Sign) -> list[dict[str, Any]]:
    names = [plan.name for plan in tables.money.wagers.values()]
    return [
        _wager(tables, sign, plan) | {"short": short_name(plan.name, names)}
        for plan in tables.money.wagers.values()
    ]


def _wager(tables: GameTables, sign: Sign, plan: WagerPlan) -> dict[str, Any]:
    shown = next(wager for wager in sign.wagers if wager.id == plan.id)
    clauses = dict.fromkeys(tables.wager_cites["offered", plan.id])
    for sentence in _wager_sentences(tables, plan):
        clauses |= dict.fromkeys(sentence.clauses)
    return {
        "id": plan.id,
        "name": plan.name,
        "mandatory": plan.mandatory,
        "needs": plan.needs or "",
        "minimum": plan.minimum,
        "maximum": plan.maximum,
        "amounts": plan.amounts,
        "step": tables.money.unit,
        "limits": shown.limits,
        "pays": shown.pays,
        "clauses": tuple(clauses),
    }


def _insurance(tables: GameTables) -> dict[str, Any] | None:
    share = tables.money.insurance_share
    if share is None or INSURANCE not in tables.payoffs:
        return None
    return {
        "share": [share.numerator, share.denominator],
        "pays": insurance_pays(tables),
        "amounts": tables.money.added_amounts,
        "clauses": tables.cites["insurance"],
    }


def _action(tables: GameTables, sign: Sign, action: Action) -> dict[str, Any]:
    stake = tables.effects.stake[action]
    return {
        "action": action.text,
        "name": action.text.replace("-", " ").capitalize(),
        "key": ACTION_KEYS[action],
        "signal": sign.signals.get(action.text, ""),
        "adds": "" if stake.of is StakeBase.NOTHING else str(stake.of),
        "for_less": stake.for_less,
        "by_house": stake.by_house,
        "wager": tables.effects.wager[action],
        "draws": bool(tables.effects.draws[action]),
        "clauses": clauses_of(tables, *_ACTION_RULES[action]),
    }


def _count(tables: GameTables) -> dict[str, Any]:
    """How cards count: low and high values by rank in half points, so that screens can add up."""
    symbols = [tables.alphabet.symbols[number] for number in tables.alphabet.of_card if number >= 0]
    values = {rank: [s.low, s.high] for s in symbols for rank in s.ranks}
    naturals = [found for found in tables.player_classes if found.is_natural]
    totals = [found.total for found in tables.player_classes if found.kind is EndKind.TOTAL]
    highest = max((found.total for found in naturals), default=0)
    return {
        "values": values,
        "most": max(totals),
        "natural": total_name(highest),
        "natural_name": tables.natural_name,
        "low_once_doubled": bool((tables.hands.aces_low != NONE).any()),
        "natural_with": "".join(
            dict.fromkeys("".join(s.ranks for s in symbols if s.makes_natural))
        ),
    }


# ------------------------------------------------------------------ arc lettering


# ------------------------------------------------------------------ the rule behind anything


def _wager_sentences(tables: GameTables, plan: WagerPlan) -> list[Any]:
    """The sentences that speak of a wager by its key or by its name."""
    about = set(tables.rulebook.about(f"wagers.{plan.id}"))
    if plan.mandatory:
        about |= set(tables.rulebook.about("limits", "outcomes.win_pays", "natural.pays"))
    return [
        sentence
        for sentence in tables.rulebook.sentences
        if sentence in about
        or (not plan.mandatory and re.search(rf"\b{re.escape(plan.name)}(?!\w)", sentence.words))
    ]


def rules_info(tables: GameTables) -> dict[str, Any]:
    """The rule sheet by sections, which of its rules stand behind what, and clauses in words.

    A topic is a list of places: the number of a section and of a rule in it.
    """
    sheet = sections(tables)
    places: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for number, section in enumerate(sheet):
        for line, rule in enumerate(section.rules):
            places.setdefault((section.title, rule.words), []).append((number, line))

    def where(found: Iterable[Any]) -> list[tuple[int, int]]:
        return [
            place
            for sentence in found
            for place in places.get((sentence.section, sentence.words), ())
        ]

    topics = {topic: where(tables.rulebook.about(*keys)) for topic, keys in _TOPICS.items()}
    for action in tables.actions:
        topics[f"action:{action.text}"] = where(tables.rulebook.about(*_ACTION_RULES[action]))
    for plan in tables.money.wagers.values():
        topics[f"wager:{plan.id}"] = where(_wager_sentences(tables, plan))
    sides = [topics[f"wager:{wager}"] for wager in tables.money.wagers if wager != BASE]
    topics["sides"] = list(dict.fromkeys(place for places in sides for place in places))
    return {
        "source": tables.source,
        "sections": [
            {
                "title": section.title,
                "rules": [
                    {
                        "words": rule.words,
                        "clauses": rule.clauses,
                        "marks": rule.marks,
                        "rows": rule.rows,
                    }
                    for rule in section.rules
                ],
            }
            for section in sheet
        ],
        "topics": {topic: found for topic, found in topics.items() if found},
        "clauses": {c.id: c.summary for c in tables.rulebook.clauses if c.in_force},
    }
