"""Forms: the papers of a table, each made from the game's compiled tables alone."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from upcard.compile.tables import GameTables
    from upcard.papers.document import Paper


class Form(StrEnum):
    """A paper that a cardroom asks for."""

    full = "full"
    player = "player"
    procedure = "procedure"
    placard = "placard"
    pay_card = "pay-card"
    layout = "layout"


def form_of(tables: GameTables, form: Form) -> Paper:
    """A form of a game.

    >>> from upcard import tables_for
    >>> form_of(tables_for("blackjack"), Form.placard).title
    'Blackjack'
    """
    from upcard.papers.forms import layout, pay_card, placard, player_card, procedure, rule_sheet

    makers = {
        Form.full: rule_sheet.rule_sheet,
        Form.player: player_card.player_card,
        Form.procedure: procedure.procedure_form,
        Form.placard: placard.placard,
        Form.pay_card: pay_card.pay_card,
        Form.layout: layout.layout_sheet,
    }
    return makers[form](tables)
