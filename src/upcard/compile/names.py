"""The names of hands, as charts, files and sentences use them."""

from __future__ import annotations

from upcard.compile.alphabet import Alphabet
from upcard.compile.hands import NONE, HandAutomaton, total_name
from upcard.compile.tables import GameTables
from upcard.text import counted


def hand_name(total: int, alphabet: Alphabet, *, soft: bool, pair: str, pending: int) -> str:
    """A hand as a chart names it; `pair` names a pair's cards, the total is in half points.

    >>> from upcard import tables_for
    >>> cards = tables_for("blackjack").alphabet
    >>> hand_name(32, cards, soft=False, pair="", pending=0)
    '16'
    >>> hand_name(36, cards, soft=True, pair="", pending=0)
    'A,7'
    >>> hand_name(32, cards, soft=False, pair="8", pending=0)
    '8,8'
    """
    if pair:
        return f"{pair},{pair}"
    if pending:
        name = f"soft {total_name(total)}" if soft else total_name(total)
        return name if pending == 1 else f"{name} ({pending} bonus cards)"
    if soft:
        ace = next(symbol for symbol in alphabet.symbols if symbol.is_ace)
        beside = {symbol.low: symbol.name for symbol in reversed(alphabet.symbols)}
        rest = total - ace.high
        return f"{ace.name},{beside.get(rest) or total_name(rest)}"
    return total_name(total)


def pair_name(tables: GameTables, state: int) -> str:
    """The name of the cards of a pair that may be split; empty for any other hand."""
    symbol = int(tables.hands.pair_symbol[state])
    masks = tables.legal.mask[state, tables.contexts.index()]
    if symbol == NONE or not (masks & tables.effects.splitting).any():
        return ""
    return tables.alphabet.symbols[symbol].name


def state_name(tables: GameTables, state: int) -> str:
    """A state of the hand automaton as a chart names it."""
    hands = tables.hands
    return hand_name(
        int(hands.total[state]),
        tables.alphabet,
        soft=bool(hands.soft[state]),
        pair=pair_name(tables, state),
        pending=int(hands.pending[state]),
    )


def total_words(tables: GameTables, state: int) -> str:
    """A state's total.

    >>> from upcard import tables_for
    >>> game = tables_for("blackjack")
    >>> total_words(game, game.hands.after(7, 7)), total_words(game, game.hands.after(0, 5))
    ('hard 16', 'soft 17')
    """
    kind = "soft" if tables.hands.soft[state] else "hard"
    return f"{kind} {total_name(int(tables.hands.total[state]))}"


def hand_words(tables: GameTables, state: int) -> str:
    """A state in words that a sentence can use.

    >>> from upcard import tables_for
    >>> game = tables_for("blackjack")
    >>> [hand_words(game, game.hands.after(*cards)) for cards in ((7, 7), (0, 5), (7, 3, 3))]
    ['8,8', 'soft 17 of 2 cards', 'hard 16 of 3 or more cards']
    """
    hands = tables.hands
    pending, cards = int(hands.pending[state]), int(hands.cards[state])
    if pair_name(tables, state):
        return state_name(tables, state)
    more = " or more" if cards - pending == _counts_no_further_than(hands) else ""
    bonus = ""
    if pending:
        bonus = " with a bonus card" if pending == 1 else f" with {counted(pending, 'bonus card')}"
    return f"{total_words(tables, state)} of {cards}{more} cards{bonus}"


def _counts_no_further_than(hands: HandAutomaton) -> int:
    """The number of cards that stands for all more, 0 if there is none."""
    most = int((hands.cards - hands.pending).max())
    for state in range(len(hands)):
        if hands.cards[state] == most and not hands.pending[state] and not hands.owed[state]:
            after = [int(to) for to in hands.next[state] if to != NONE and not hands.bust[to]]
            if any(hands.cards[to] == most for to in after):
                return most
    return 0
