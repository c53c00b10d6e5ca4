"""A round in a few lines, for people."""

from __future__ import annotations

from collections.abc import Iterable

from upcard.envs.shown import Rounds, ShownCard, ShownHand, ShownRound, shown_dealer
from upcard.money import format_cents
from upcard.text import counted, listed


def cards_text(cards: Iterable[ShownCard]) -> str:
    return " ".join(str(one.card) for one in cards)


def dealer_text(rounds: Rounds, number: int) -> str:
    """The dealer's cards: at the end all of them, before only those that lie face up."""
    cards, hidden = shown_dealer(rounds, number)
    return cards_text(cards) + " ?" * hidden


def round_text(found: ShownRound) -> str:
    """The dealer, the hands, and what is to be decided or what the round came to."""
    lines = [f"{found.name}: dealer {cards_text(found.dealer)}{' ?' * found.hidden}"]
    lines += [_hand_text(hand) for hand in found.hands]
    if found.lights:
        lines.append(f"  {counted(found.lit, 'light')} lit")
    if found.is_over:
        results = [f"{name} {format_cents(net)}" for name, net in found.nets.items()]
        lines.append("over: " + ", ".join(results))
    else:
        lines.append(f"{found.phase.text}: {listed(action.text for action in found.legal)}")
    return "\n".join(lines)


def staked_text(hand: ShownHand) -> str:
    """What is staked on a hand beside a plain wager, empty for nothing."""
    doubled = "doubled" if hand.doubles == 1 else f"doubled {counted(hand.doubles, 'time')}"
    parts = [*(["the house's marker"] if hand.marker else []), *([doubled] if hand.doubles else [])]
    return ", ".join(parts)


def _hand_text(hand: ShownHand) -> str:
    line = f"{'>' if hand.active else ' '} {cards_text(hand.cards)}"
    if hand.active:
        line += f" = {hand.total}"
    staked = staked_text(hand)
    return f"{line}, {staked}" if staked else line
