"""What each viewer may see of a table, and of an event.

Cards that lie face down, cards that are not dealt and seeds that are not opened are in no view at
all, not even the dealer's or the auditor's. Own chips are one's own business; dealer and auditor
see everybody's, and the auditor sees the ledger.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from upcard.compile.context import Action
from upcard.compile.hands import total_name
from upcard.compile.poker import HAND_SIZE, hand_name
from upcard.table import events as ev
from upcard.table.clerk import Question
from upcard.table.engine import Engine
from upcard.table.settle import dealer_cards, shown_number
from upcard.table.sign import Sign
from upcard.table.state import Bet, Box, Round, SideBet, Stake, TableHand, TableState

HIDDEN = "??"
"""A card whose face nobody may see."""


class Viewer(msgspec.Struct, frozen=True):
    """Who looks. A player is anybody at the table; `name` is empty for the other kinds."""

    kind: Literal["player", "dealer", "auditor", "public"]
    name: str = ""

    @property
    def is_staff(self) -> bool:
        return self.kind in ("dealer", "auditor")


PUBLIC = Viewer("public")
DEALER = Viewer("dealer")
AUDITOR = Viewer("auditor")


class ViewPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """The base of everything in a view."""


class PlayerSeen(ViewPart, frozen=True):
    """`chips` is None where it is none of the viewer's business."""

    name: str
    kind: str
    seat: int
    chips: int | None = None


class LightsSeen(ViewPart, frozen=True):
    player: str
    position: int
    lit: int
    of: int


class ShoeSeen(ViewPart, frozen=True):
    number: int
    commitment: str
    clients: tuple[str, ...]
    left: int
    cut_reached: bool
    stacked: bool
    shuffled: bool
    """A shoe with no card left is used up if it is, and else still to come."""


class BankSeen(ViewPart, frozen=True):
    """The button shows who banks and which turn it is."""

    player: str
    seat: int
    amount: int
    turn: int
    turns: int
    net: int


class OfferSeen(ViewPart, frozen=True):
    player: str
    seat: int
    turn: int


class HandSeen(ViewPart, frozen=True):
    cards: tuple[str, ...]
    total: str
    soft: bool
    natural: bool
    ended: str
    outcome: str
    stakes: tuple[Stake, ...]


class BoxSeen(ViewPart, frozen=True):
    """`down` has one entry for every card still face down, and "" where one was turned up.

    `poker` is the name of the first cards as a poker hand, once they are shown for that.
    """

    position: int
    player: str
    hands: tuple[HandSeen, ...]
    sides: tuple[SideBet, ...]
    down: tuple[str, ...]
    dead: bool
    poker: str = ""


class DealerSeen(ViewPart, frozen=True):
    """`told` is the group that the down card is told to belong to, such as `2-6`."""

    cards: tuple[str, ...]
    down: tuple[str, ...]
    total: str
    checked: bool
    result: str
    poker: str = ""
    told: str = ""


class AnswerSeen(ViewPart, frozen=True):
    """A legal answer and the rule behind it."""

    action: str
    words: str
    clauses: tuple[str, ...]


class QuestionSeen(ViewPart, frozen=True):
    phase: str
    position: int
    hand: int
    player: str
    answers: tuple[AnswerSeen, ...]


class View(ViewPart, frozen=True):
    """A table as one viewer sees it.

    `seeded`: the cards come from a text that somebody gave, and who knows it knows them all.
    """

    viewer: Viewer
    table: str
    game: str
    name: str
    fingerprint: str
    stage: str
    round: int
    step: str
    step_words: str
    sign: Sign
    shoe: ShoeSeen
    positions: tuple[int, ...]
    players: tuple[PlayerSeen, ...]
    lights: tuple[LightsSeen, ...]
    bets: tuple[Bet, ...]
    boxes: tuple[BoxSeen, ...]
    dealer: DealerSeen
    community: tuple[str, ...]
    action_button: int
    seeded: bool = False
    scripted: bool = False
    bank: BankSeen | None = None
    offer: OfferSeen | None = None
    question: QuestionSeen | None = None
    ledger: dict[str, int] | None = None


def view(engine: Engine, state: TableState, viewer: Viewer) -> View:
    """The table as a viewer may see it."""
    here = state.round
    step = engine.look.plan.steps[here.step] if here is not None and not here.over else None
    question = engine.question(state) if state.in_round else None
    return View(
        viewer=viewer,
        table=state.table,
        game=state.game,
        name=engine.tables.title,
        fingerprint=state.fingerprint,
        stage=state.stage,
        round=state.rounds,
        step=step.kind.value if step else "",
        step_words=step.words if step else "",
        sign=engine.look.sign,
        shoe=_shoe(state),
        positions=state.positions,
        players=tuple(
            PlayerSeen(
                name=player.name,
                kind=player.kind,
                seat=player.seat,
                chips=state.chips(player.name) if _may_count(viewer, player.name) else None,
            )
            for player in state.players
        ),
        lights=_lights(engine, state),
        bets=state.bets,
        boxes=tuple(_box(engine, box) for box in here.boxes) if here else (),
        dealer=_dealer(engine, here),
        community=_community(engine, here),
        action_button=state.action_button,
        seeded=bool(state.dealt_from),
        scripted=state.scripted,
        bank=_bank(engine, state),
        offer=_offer(state),
        question=_question(engine, here, question) if here and question else None,
        ledger=dict(state.ledger.balances) if viewer.kind == "auditor" else None,
    )


def _may_count(viewer: Viewer, player: str) -> bool:
    """Whether a viewer may know a player's chips."""
    return viewer.is_staff or viewer == Viewer("player", player)


def _shoe(state: TableState) -> ShoeSeen:
    shoe = state.shoe
    return ShoeSeen(
        shoe.number,
        shoe.commitment,
        shoe.clients,
        shoe.left,
        shoe.cut_reached,
        shoe.stacked,
        shuffled=bool(shoe.order),
    )


def _lights(engine: Engine, state: TableState) -> tuple[LightsSeen, ...]:
    carry = engine.tables.carry
    if carry is None:
        return ()
    return tuple(
        LightsSeen(lights.player, lights.position, lights.lit, len(carry.next))
        for lights in state.lights
    )


def _box(engine: Engine, box: Box) -> BoxSeen:
    down = tuple(HIDDEN if card and not box.shown else card for card in box.down)
    hands = tuple(_hand(engine, hand) for hand in box.hands)
    poker = poker_name(engine, box.dealt) if box.shown else ""
    return BoxSeen(box.position, box.player, hands, box.sides, down, box.dead, poker)


def _hand(engine: Engine, hand: TableHand) -> HandSeen:
    look = engine.look
    settled = hand.stakes[0].settled
    return HandSeen(
        cards=tuple(filter(None, hand.cards)),
        total=total_name(look.total[hand.state]) if hand.cards else "",
        soft=look.soft[hand.state],
        natural=look.natural[hand.state],
        ended=hand.ended,
        outcome=settled.result if settled else "",
        stakes=hand.stakes,
    )


def _dealer(engine: Engine, here: Round | None) -> DealerSeen:
    if here is None:
        return DealerSeen((), (), "", checked=False, result="")
    dealer = here.dealer
    down = tuple(HIDDEN if card and not dealer.shown else card for card in dealer.down)
    total = total_name(engine.look.dealer_total[dealer.state]) if dealer.cards else ""
    poker = poker_name(engine, tuple(dealer_cards(here))) if dealer.shown else ""
    return DealerSeen(dealer.cards, down, total, dealer.checked, dealer.result, poker, dealer.told)


def poker_name(engine: Engine, cards: Sequence[str]) -> str:
    """The poker hand that shown cards make; "" for cards that are none."""
    known = [engine.look.card[card] for card in cards if card in engine.look.card]
    return hand_name(known) if len(known) == len(cards) == HAND_SIZE else ""


def _community(engine: Engine, here: Round | None) -> tuple[str, ...]:
    if here is None:
        return ()
    seen = engine.look.plan.community_seen or here.community_shown
    return tuple(card if seen else HIDDEN for card in here.community)


def _bank(engine: Engine, state: TableState) -> BankSeen | None:
    bank = state.bank
    if bank is None:
        return None
    turns = engine.look.money.turns
    return BankSeen(bank.player, bank.seat, bank.amount, bank.turn, turns, bank.net)


def _offer(state: TableState) -> OfferSeen | None:
    offer = state.offer
    if offer is None or not offer.player:
        return None
    return OfferSeen(offer.player, offer.seat, offer.turn)


def _question(engine: Engine, here: Round, question: Question) -> QuestionSeen:
    return QuestionSeen(
        phase=question.phase,
        position=question.position,
        hand=question.hand,
        player=question.player,
        answers=tuple(_answer(engine, here, question, action) for action in question.actions),
    )


def _answer(engine: Engine, here: Round, question: Question, action: Action) -> AnswerSeen:
    box = here.box(question.position)
    assert box is not None
    hand = box.hands[question.hand]
    context = engine.look.plan.context_of(question.phase, hand.context)
    up = shown_number(engine.look, here)
    reason = engine.tables.legal.why(hand.state, context, up, action)
    return AnswerSeen(action.text, reason.words, reason.clauses)


# ------------------------------------------------------------------ events


def redacted(event: ev.Event, viewer: Viewer) -> ev.Event:
    """An event without what its viewer may not see."""
    match event:
        case ev.TableOpened():
            return replace(event, secret="", dealt_from=HIDDEN if event.dealt_from else "")
        case ev.ShoeShuffled() | ev.DiscardsShuffled():
            return replace(event, order=(HIDDEN,) * len(event.order))
        case ev.ShoeStacked():
            hidden = (HIDDEN,) * len(event.cards)
            return replace(event, cards=hidden, discards=(HIDDEN,) * len(event.discards))
        case ev.CardBurned():
            return replace(event, card=HIDDEN)
        case ev.CardDealt(face="down"):
            return replace(event, card=HIDDEN)
        case ev.ChipsBought() | ev.ChipsCashed() if not _may_count(viewer, event.player):
            return replace(event, amount=0)
    return event
