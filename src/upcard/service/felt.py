"""What a felt shows that does not change while a table is open, made from the game's own tables.

`table_info` goes to everybody who looks at a table, in the first message on the line; `rules_info`
is the rule sheet arranged so that the rule behind anything on the felt is one tap away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import numpy as np

from upcard.cards import DECK, RANKS
from upcard.compile.action_rows import StakeBase
from upcard.compile.carry import prize_words
from upcard.compile.context import Action
from upcard.compile.deal import Receiver
from upcard.compile.ends import NO_BONUS, EndKind
from upcard.compile.hands import total_name
from upcard.compile.names import pair_name
from upcard.compile.observers import ShowdownObserver
from upcard.money import BASE, INSURANCE, format_cents, format_odds
from upcard.rules.registry import head_of
from upcard.sheet.rules import sections
from upcard.table.action_keys import ACTION_KEYS
from upcard.table.sign import sign_of
from upcard.text import listed, sentence_case

if TYPE_CHECKING:
    from upcard.compile.plan import WagerPlan
    from upcard.compile.tables import GameTables
    from upcard.table.sign import Sign

OTHER_FELT = "#24534a"
"""The felt of a game whose file names no colour."""

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
}
_TOPICS: Mapping[str, tuple[str, ...]] = {
    "shoe": ("shoe",),
    "dealer": ("dealer", "deal.dealer_up", "deal.dealer_down"),
    "lights": ("lights", "bonus_card", "exchange"),
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
_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_LONGEST_SHORT = 13
_FEW = 2


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
        "fees": {"words": sign.fees, "clauses": _clauses(tables, "fees")},
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
        _wager(tables, sign, plan) | {"short": _short(plan.name, names)}
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


def _short(name: str, others: Iterable[str] = ()) -> str:
    """A name for a small spot; what begins several names is left out.

    >>> [_short(name) for name in ("Left side (17, 18, 19)", "Match the Dealer Up Card", "Ante")]
    ['17 18 19', 'Match', 'Ante']
    >>> _short("Tie blackjack", ["Tie 17", "Tie 18", "Tie blackjack"])
    'BJ'
    """
    inside = re.search(r"\(([^)]+)\)", name)
    first, _, rest = name.partition(" ")
    if inside:
        found = inside[1].replace(",", "")
    elif rest and sum(other.startswith(f"{first} ") for other in others) > _FEW:
        found = rest
    else:
        found = name if len(name) <= _LONGEST_SHORT else first
    return re.sub(r"\bblackjack\b", "BJ", found)


def _insurance(tables: GameTables) -> dict[str, Any] | None:
    share = tables.money.insurance_share
    if share is None or INSURANCE not in tables.payoffs:
        return None
    return {
        "share": [share.numerator, share.denominator],
        "pays": " or ".join(map(format_odds, _insurance_odds(tables))),
        "amounts": tables.money.added_amounts,
        "clauses": tables.cites["insurance"],
    }


def _insurance_odds(tables: GameTables) -> list[Fraction]:
    """What insurance wins under the up cards that it is offered under, the most first."""
    payoff = tables.payoffs[INSURANCE]
    mask = tables.legal.mask & tables.effects.wagering
    offered = np.flatnonzero(mask.any(axis=(0, 1))).tolist()
    ups = tables.dealer.shown.up[offered].tolist()
    return sorted({payoff.won_under(up) for up in ups}, reverse=True)


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
        "clauses": _clauses(tables, *_ACTION_RULES[action]),
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
        "natural_with": "".join(
            dict.fromkeys("".join(s.ranks for s in symbols if s.makes_natural))
        ),
    }


_SMALL = "aces twos threes fours fives sixes sevens eights nines tens"
_RANK_NAMES = dict(zip(RANKS, _SMALL.split(), strict=False)) | {
    "J": "jacks",
    "Q": "queens",
    "K": "kings",
}


def marked_cards(tables: GameTables) -> dict[str, str]:
    """Cards that are marked on their face, and with what.

    >>> from upcard import tables_for
    >>> marked_cards(tables_for("ten-sticks-21"))
    {'Tc': 'Ten Sticks 21'}
    """
    alphabet = tables.alphabet
    found = {
        str(card): tables.name
        for card in DECK
        if (number := alphabet.of_card[card.number]) >= 0 and alphabet.symbols[number].marked
    }
    if words := tables.floor.marking:
        ranks = {rank for rank, name in _RANK_NAMES.items() if name in words.lower()}
        label = re.search(r"the word (\w+)", words)
        mark = label[1] if label else tables.name
        found |= {str(card): mark for card in alphabet.cards if card.rank in ranks}
    return found


# ------------------------------------------------------------------ arc lettering


def lettering(tables: GameTables, sign: Sign | None = None) -> list[dict[str, Any]]:
    """The main rules as they stand on the felt, the first one large; each with its clauses.

    >>> from upcard import tables_for
    >>> [line["words"] for line in lettering(tables_for("blackjack"))]
    ['Blackjack pays 3 to 2', 'Dealer stands on all 17s', 'Insurance pays 2 to 1']
    """
    shown = sign or sign_of(tables)
    lines = (
        *_natural_line(tables, shown),
        *_special_lines(tables, shown),
        *_dealer_line(tables),
        *_insurance_line(tables),
    )
    return [
        {"words": words, "topic": topic, "clauses": _clauses(tables, *keys)}
        for words, topic, keys in lines
    ]


Line = tuple[str, str, tuple[str, ...]]


def _natural_line(tables: GameTables, sign: Sign) -> Iterator[Line]:
    base = next(wager for wager in sign.wagers if wager.id == BASE)
    odds = next((odds for event, odds in base.pays if event == tables.natural_name), "")
    pays = f"pays {odds}" if odds else "pays even money"
    name = tables.natural_name
    yield f"{name[0].upper()}{name[1:]} {pays}", "natural", ("natural.pays",)


def _dealer_line(tables: GameTables) -> Iterator[Line]:
    """What the dealer does at the total on which the hand first stands."""
    dealer = tables.dealer
    states = zip(dealer.total.tolist(), dealer.soft.tolist(), dealer.draws.tolist(), strict=True)
    drawn = {(total, soft) for total, soft, draws in states if draws}
    stands = max(total for total, soft in drawn if not soft) + 2
    who = "Dealer" if tables.money.house_banks else "Player-dealer"
    name = total_name(stands)
    if (stands, True) in drawn:
        yield f"{who} hits soft {name}", "dealer", ("dealer.soft17",)
    else:
        yield f"{who} stands on all {name}s", "dealer", ("dealer.soft17", "dealer.stands_on")
    if any(found.name == "22" for found in dealer.classes):
        yield "Dealer's 22 pushes", "ties", ("outcomes.dealer_22", "outcomes.special", "dealer")


def _insurance_line(tables: GameTables) -> Iterator[Line]:
    found = _insurance(tables)
    if found is not None:
        yield f"Insurance pays {found['pays']}", "insurance", ("insurance.pays",)


def _special_lines(tables: GameTables, sign: Sign) -> Iterator[Line]:
    """What sets a game apart from others."""
    money, carry = tables.money, tables.carry
    if tables.dealer.shown.face_up:
        yield "Both dealer cards face up", "dealer", ("deal.dealer_up",)
    elif tables.dealer.shown.told:
        yield "The down card is told", "dealer", ("dealer.tells",)
    if carry is not None:
        count = len(carry.next)
        words = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
        lights = f"{words} lights win" if count > 1 else "a light wins"
        yield f"{sentence_case(lights)} {carry.prize_words}", "lights", ("lights",)
    yield from _tie_lines(tables)
    yield from _bonus_lines(tables)
    if any(found.kind is EndKind.CHARLIE for found in tables.player_classes):
        words = tables.rulebook.about("player.charlie")[0].words
        yield words.split(",")[0].rstrip("."), "natural", ("player.charlie",)
    yield from _house_lines(tables)
    if Action.RESCUE in tables.actions:
        times = max(context.doubles for context in tables.contexts.contexts)
        again = f"Double up to {_NUMBERS[times]} times" if times > 1 else "Double"
        yield f"{again} · rescue a doubled hand", "action:double", ("double",)
    for wager in money.wagers.values():
        if wager.amounts and wager.mandatory:
            amounts = listed(map(format_cents, wager.amounts))
            yield f"{wager.name} is {amounts}", "limits", ("limits.amounts",)
    if tables.round_plan.exchanges:
        words = "Two boxes · second cards may be exchanged"
        yield words, "action:switch", ("exchange.cards",)
    yield from _side_lines(tables, sign)


def _bonus_lines(tables: GameTables) -> Iterator[Line]:
    """The best that a hand can be paid by its cards."""
    payoff = tables.payoffs[BASE]
    paid = [
        (max(payoff.odds[number]), -found.row, tables.bonuses.names[number])
        for number, found in enumerate(tables.player_classes)
        if tables.bonuses is not None and found.row != NO_BONUS
    ]
    if paid:
        best, _, name = max(paid)
        words = f"{name[0].upper()}{name[1:]} pays {format_odds(best)}"
        yield words, "results", ("bonuses.rows",)


def _house_lines(tables: GameTables) -> Iterator[Line]:
    """Doubles and splits that the house stakes."""
    hands, legal = tables.hands, tables.legal.mask[:, tables.contexts.index()]

    def states(action: Action) -> list[int]:
        return [state for state in range(len(hands)) if (legal[state] & action.bit).any()]

    totals = sorted({int(hands.total[state]) for state in states(Action.FREE_DOUBLE)})
    if totals:
        named = listed(map(total_name, totals), "and")
        yield f"The house stakes doubles of {named}", "action:free-double", ("double.free_on",)
    if states(Action.FREE_SPLIT):
        own = [pair_name(tables, state) for state in states(Action.SPLIT)]
        but = (
            f" but {listed((_PLURALS.get(pair, f'{pair}s') for pair in own), 'and')}" if own else ""
        )
        yield f"The house stakes splits of all pairs{but}", "action:free-split", ("split.free",)


_PLURALS = {"A": "aces", "T": "tens", "J": "jacks", "Q": "queens", "K": "kings"}


def _tie_lines(tables: GameTables) -> Iterator[Line]:
    """Ties that do not push."""
    payoff, dealer = tables.payoffs[BASE], tables.dealer
    costs, wins, losses, ties = set(), set(), set(), set()
    for row, player in enumerate(tables.player_classes):
        for column, other in enumerate(dealer.classes):
            if player.name == other.name and player.is_compared and not player.is_natural:
                ties.add(player.name)
                costs.add(payoff.flat[row][column])
                if payoff.odds[row][column] < 0:
                    losses.add(player.name)
                if payoff.odds[row][column] > 0:
                    wins.add(player.name)
    if min(costs, default=0) < 0:
        yield f"A tie loses {format_cents(-min(costs))}", "ties", ("outcomes.tie_costs",)
    if losses:
        which = "Ties lose" if losses == ties else f"A tie at {listed(sorted(losses))} loses"
        yield which, "ties", ("outcomes.ties_at", "outcomes.tie")
    for name in sorted(wins):
        yield (
            f"A player's {name} wins ties",
            "ties",
            (
                f"outcomes.tie_at_{name}",
                "outcomes.ties_at",
                "outcomes.tie",
            ),
        )


def _side_lines(tables: GameTables, sign: Sign) -> Iterator[Line]:
    """The best that side wagers pay: one line for those on ties, one for every other."""
    ties = [
        max(map(max, payoff.odds))
        for wager, payoff in tables.payoffs.items()
        if wager not in (BASE, INSURANCE)
    ]
    if ties:
        yield f"Ties pay up to {format_odds(max(ties))}", "sides", ("ties", "wagers")
    for wager in sign.wagers:
        observer = tables.observers.get(wager.id)
        if observer is None or isinstance(observer, ShowdownObserver):
            continue
        topic = f"wager:{wager.id}"
        yield f"{_short(wager.name)} pays up to {wager.pays[-1][1]}", topic, (f"wagers.{wager.id}",)


# ------------------------------------------------------------------ the rule behind anything


def _clauses(tables: GameTables, *keys: str) -> tuple[str, ...]:
    """The clauses of all sentences about some keys."""
    found = tables.rulebook.about(*keys)
    return tuple(dict.fromkeys(clause for sentence in found for clause in sentence.clauses))


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
