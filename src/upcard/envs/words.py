"""A round in a few lines, for people."""

from __future__ import annotations

from collections.abc import Iterable

from upcard.cards import DECK
from upcard.compile.context import Action
from upcard.compile.hands import total_name
from upcard.envs.bundles import DOUBLES, DREW, HAND, HANDS, MASK, NODE, STAGE, Envs, Phase, Told
from upcard.envs.setup import Setup
from upcard.money import format_cents
from upcard.text import counted, listed


def cards_text(setup: Setup, codes: Iterable[int]) -> str:
    """
    >>> from upcard.envs.setup import set_up
    >>> setup = set_up("blackjack", None, None, None, fees=False, shoe="fresh", penalty=1)
    >>> cards_text(setup, setup.deck[:3])
    'As 2s 3s'
    """
    return " ".join(str(DECK[setup.card(code)]) for code in codes)


def dealer_text(setup: Setup, envs: Envs, number: int) -> str:
    """The dealer's cards: at the end all of them, before only those that lie face up."""
    row, layout = envs.rows[number], setup.layout
    begins = number * layout.room + layout.most
    is_over = row[STAGE] == Phase.OVER
    at_end = min(layout.dealer, 2) if layout.dealer_own_cards else layout.dealer
    shown = at_end if is_over else layout.dealer_up
    codes = [*envs.cards[begins : begins + shown], *envs.drawn[number, : row[DREW]]]
    return cards_text(setup, codes) + ("" if is_over else " ?" * (layout.dealer - shown))


def drawn(setup: Setup, envs: Envs, told: Told, number: int) -> str:
    """The dealer, the hands, and what is to be decided or what the round came to."""
    tables, row = setup.tables, envs.rows[number]
    lines = [f"{tables.name}: dealer {dealer_text(setup, envs, number)}"]
    is_over = row[STAGE] == Phase.OVER
    for hand in range(row[HANDS]):
        codes = envs.held[number, hand, : envs.holds[number, hand]]
        here = hand == row[HAND] and not is_over
        line = f"{'>' if here else ' '} {cards_text(setup, codes)}"
        if here:
            soft = "soft " if tables.hands.soft[row[NODE]] else ""
            line += f" = {soft}{total_name(int(tables.hands.total[row[NODE]]))}"
        doubles = int(row[DOUBLES] if here else envs.doubled[number, hand])
        if doubles and hand <= row[HAND]:
            line += ", doubled" if doubles == 1 else f", doubled {counted(doubles, 'time')}"
        lines.append(line)
    if tables.carry is not None:
        lines.append(f"  {counted(int(envs.lit[number]), 'light')} lit")
    if is_over:
        nets = zip(setup.columns, told.net[:, number].tolist(), strict=True)
        results = [f"{name} {format_cents(net)}" for name, net in nets]
        lines.append("over: " + ", ".join(results))
    else:
        legal = [action.text for action in Action if row[MASK] & action.bit]
        lines.append(f"{Phase(int(row[STAGE])).text}: {listed(legal)}")
    return "\n".join(lines)
