"""Who plays by itself: the solver's basic strategy of a game, for bots at a live table.

>>> from upcard import tables_for
>>> from upcard.players import basic_strategy
>>> tables = tables_for("blackjack")
>>> ten, six = tables.alphabet.index("T"), tables.alphabet.index("6")
>>> sixteen, turn = tables.hands.after(ten, six), tables.contexts.index()
>>> legal = Action.HIT.bit | Action.STAND.bit
>>> [basic_strategy(tables).choose(Spot(sixteen, turn, up, legal)).text for up in (ten, six)]
['hit', 'stand']
"""

from upcard.compile.context import Action as Action
from upcard.players.ranked import RankedStrategy as RankedStrategy
from upcard.players.ranked import basic_strategy as basic_strategy
from upcard.players.ranked import is_at_hand as is_at_hand
from upcard.table.bots import Spot as Spot
