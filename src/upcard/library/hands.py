"""A hand to play with: legal actions, moves that can be taken back, and what each is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, get_args

from upcard.cards import Card, CardsLike
from upcard.compile.context import Action, Phase, meant
from upcard.compile.legal import Reason
from upcard.compile.shows import DealerShows, ShowsLike, cards_shown, shows_of
from upcard.compile.typed_cards import cards_of, check_in_shoe, one_card, suits_said
from upcard.errors import UpcardError
from upcard.library.box_play import BoxHand, BoxPlay
from upcard.library.setting_texts import cents_of, one_of
from upcard.money import INSURANCE
from upcard.pages.figures import grid
from upcard.pages.page import Printer, Shown
from upcard.solve.split import Mode
from upcard.text import cited, counted

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.library.games import Game
    from upcard.solve.advice import Advice


class IllegalActionError(UpcardError):
    """An action that the rules do not allow now; `reason` has the sentence and the clauses."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.refusal + cited(reason.clauses))
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return (IllegalActionError, (self.reason,))


class Legal(tuple[Any, ...]):
    """A tuple of legal actions. Their names are in it too: `"split" in hand.legal`."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Action]:
        return super().__iter__()

    def __contains__(self, action: object) -> bool:
        if isinstance(action, str):
            return action in self.texts
        return super().__contains__(action)

    @property
    def texts(self) -> tuple[str, ...]:
        """The actions' names."""
        return tuple(action.text for action in self)

    def __str__(self) -> str:
        return ", ".join(self.texts)

    def __repr__(self) -> str:
        return f"<Legal: {self or 'nothing'}>"


class _Move(NamedTuple):
    """How the box was before, whether all suits were said then, and what was done."""

    before: BoxPlay
    suits_known: bool
    words: str


class Hand(Shown):
    """The cards of one player against an up card; after a split, several hands.

    >>> import upcard
    >>> hand = upcard.game("blackjack").hand("8s 8h", up="9d")
    >>> hand.legal
    <Legal: hit, stand, double, split, surrender>
    >>> hand.push("split", card="3c").push("double", card="Td")
    <Hand 8s 3c Td (21), 8h against 9d: waits for a card>
    >>> hand.pop().pop()
    <Hand 8s 8h (16) against 9d: hit, stand, double, split, surrender>
    """

    def __init__(
        self,
        game: Game,
        cards: CardsLike,
        up: ShowsLike,
        *,
        seen: CardsLike = (),
        doubles: int = 0,
        checked: bool = False,
    ) -> None:
        tables = game.tables
        face_up, told = cards_shown(tables, up)
        own, shown, others = cards_of(tables, cards, face_up, seen)
        shows = shows_of(tables, shown, told)
        self._game = game
        self._seen = others
        self._suits_known = all(suits_said(cards))
        others_said = (*suits_said(face_up), *suits_said(seen))
        beside = zip((*shown, *others), others_said, strict=True)
        self._unsuited = tuple(card for card, said in beside if not said)
        check_in_shoe(tables, (*own, *shown, *others))
        first = tables.round_plan.first_cards
        _check_counts(len(own), first, doubles)
        self._box = BoxPlay.begin(tables, own[:first], shows)
        self._moves: list[_Move] = []
        later = own[first:]
        for number, card in enumerate(later):
            doubled = number - (len(later) - doubles)
            self._before_turn()
            self.push(_DRAWS[min(doubled, 1) + 1 if doubled >= 0 else 0].text, card)
        if checked:
            self._before_turn()
        self._moves.clear()

    def _before_turn(self) -> None:
        """Past what was asked before: bonus cards were kept, offers declined."""
        while not self.is_over and not self.needs_card:
            answers = [a for a in (Action.KEEP, Action.DECLINE) if a in self._box.asked]
            if not answers:
                return
            self._do(answers[0], None)

    # ------------------------------------------------------------------ what there is

    @property
    def game(self) -> Game:
        """The game that the hand is played by."""
        return self._game

    @property
    def up(self) -> Card:
        """The dealer's up card."""
        return self._box.shows.up

    @property
    def shows(self) -> DealerShows:
        """What the dealer shows: the up card, both cards, or what is told of the other one."""
        return self._box.shows

    @property
    def seen(self) -> tuple[Card, ...]:
        """Other cards that are known to be out of the shoe, those traded away included."""
        return (*self._seen, *self._box.gone)

    @property
    def hands(self) -> tuple[BoxHand, ...]:
        """Every hand of the box, in the order of play: one, or several after a split."""
        return self._box.hands

    @property
    def current(self) -> int:
        """The number of the hand that is played now, from 0 on."""
        return self._box.current

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the hand that is played now."""
        return self._box.hand.cards

    @property
    def total(self) -> int | float:
        """What the hand that is played now counts, such as 16 or 21.5."""
        return self._box.hand.total

    @property
    def soft(self) -> bool:
        """Whether an ace of the hand that is played now counts high."""
        return self._box.hand.soft

    @property
    def phase(self) -> str:
        """What is asked about: trades, insurance, early-surrender or turns; "" at the end."""
        return self._box.asked_about

    @property
    def insured(self) -> bool:
        """Whether insurance was taken."""
        return INSURANCE in self._box.wagers

    @property
    def is_over(self) -> bool:
        """Whether every hand of the box has ended."""
        return self._box.is_over

    @property
    def needs_card(self) -> bool:
        """Whether a card comes next: see `deal`."""
        return self._box.needs_card

    @property
    def legal(self) -> Legal:
        """The actions that the rules allow now; none while a card is due, or at the end."""
        return Legal(self._box.asked)

    @property
    def history(self) -> tuple[str, ...]:
        """What was done, such as `split 3c`, `stand`, `deal 9h`."""
        return tuple(move.words for move in self._moves)

    # ------------------------------------------------------------------ what can be done

    def push(self, action: str | Action, card: str | Card | None = None) -> Hand:
        """Take an action, with the card that it brings if that is known; gives the hand itself.

        An action that is not legal is refused with the rule's sentence and clause.
        """
        wanted = action_of(action)
        if self.is_over:
            raise UpcardError(f"the hand is over: there is nothing to {wanted.text}")
        if self.needs_card:
            raise UpcardError(f"the hand waits for a card: deal it before you {wanted.text}")
        if isinstance(action, str):
            wanted = meant(wanted, self._box.asked)
        if wanted not in self._box.asked:
            raise IllegalActionError(self.why(wanted))
        self._do(wanted, None if card is None else self._known(card))
        self._suits_known &= card is None or all(suits_said(card))
        return self

    def _do(self, action: Action, card: Card | None) -> None:
        before, after, words = self._box, self._box.after(action), action.text
        if card is not None:
            if not after.needs_card:
                raise UpcardError(f"{action.text} brings no card here, so {card} has no place")
            after, words = after.dealt(card), f"{words} {card}"
        self._box = after
        self._moves.append(_Move(before, self._suits_known, words))

    def deal(self, card: str | Card) -> Hand:
        """Give the card that the hand waits for; gives the hand itself."""
        if not self.needs_card:
            state = "over" if self.is_over else f"asked: {self.legal}"
            raise UpcardError(f"no card is due: the hand is {state}")
        known = self._known(card)
        before, self._box = self._box, self._box.dealt(known)
        self._moves.append(_Move(before, self._suits_known, f"deal {known}"))
        self._suits_known &= all(suits_said(card))
        return self

    def pop(self) -> Hand:
        """Take back the last push or deal; gives the hand itself."""
        if not self._moves:
            raise UpcardError("there is nothing to take back")
        self._box, self._suits_known, _ = self._moves.pop()
        return self

    def copy(self) -> Hand:
        """Another hand that is the same, and goes its own way."""
        twin = object.__new__(Hand)
        twin._game, twin._seen, twin._box = self._game, self._seen, self._box
        twin._suits_known, twin._unsuited = self._suits_known, self._unsuited
        twin._moves = list(self._moves)
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Hand:
        return self.copy()

    def _known(self, card: str | Card) -> Card:
        """A card that the shoe still has."""
        tables = self._game.tables
        held = (card for hand in self.hands for card in hand.cards)
        out = (*held, *self.shows.cards, *self.seen)
        _, new = cards_of(tables, out, card)
        found = one_card(new, "what is dealt")
        check_in_shoe(tables, (*out, found))
        return found

    # ------------------------------------------------------------------ what it means

    def why(self, action: str | Action) -> Reason:
        """Why an action is legal or refused now, in words and with its clauses.

        >>> import upcard
        >>> print(upcard.game("blackjack").hand("8s 5h 2d", up="9d").why("double"))
        Only two cards may double. [HB-DOUBLE]
        """
        wanted = action_of(action)
        if self.is_over:
            raise UpcardError(f"the hand is over: there is nothing to {wanted.text}")
        return self._box.why(meant(wanted, self._box.asked) if isinstance(action, str) else wanted)

    def advise(
        self,
        *,
        bet: SupportsIndex | str | None = None,
        wagers: Mapping[str, float | str | Fraction] | None = None,
        split_mode: Mode = "CDP",
    ) -> Advice:
        """What every action is worth, the best first.

        `bet` is the base wager, `wagers` are side wagers in base wagers. What can be declined
        (insurance, early surrender) is priced beside the actions of the turn that follows, as long
        as it is still offered. A hand of a split is priced by itself, the others' cards being
        known; one more split is worth its hands, less what hands that wait lose by it. In games
        with bonus cards such a split is not priced. Where a bonus goes by suits, those of the hand
        count if all were given, in the hands of a split too.
        """
        from upcard.solve.advice import HeldHand, advise_held

        if self.is_over or self.needs_card:
            state = "is over" if self.is_over else "waits for a card"
            raise UpcardError(f"there is nothing to decide: the hand {state}")
        hand, step = self._box.hand, self._box.step
        others = (one for number, one in enumerate(self.hands) if number != self.current)
        found = advise_held(
            self._game.tables,
            HeldHand(
                hand.cards,
                hand.state,
                hand.context,
                traded=self._box.gone,
                others=tuple(card for one in others for card in one.cards),
                place=self.current,
                suits_known=self._suits_known,
                waiting=tuple(card for one in self.hands[self.current + 1 :] for card in one.cards),
                markers=self._box.markers,
            ),
            self.shows,
            removed=self._seen,
            unsuited=self._unsuited,
            ratios=self._game.sizes(wagers),
            bet=cents_of("bet", bet),
            checked=step is not None and step.natural_ends,
            mode=one_of("split_mode", split_mode, get_args(Mode)),
        )
        # After trades all boxes are asked about insurance, and about early surrender after that.
        declined = self.phase == Phase.EARLY_SURRENDER
        return replace(found, insurance=None) if declined else found

    # ------------------------------------------------------------------ how it shows

    @property
    def _status(self) -> str:
        if self.is_over:
            return "over"
        return "waits for a card" if self.needs_card else str(self.legal)

    def show(self, out: Printer) -> None:
        """Print the hands and what is asked on a console or a page."""
        table = grid("", "cards", "total", "at stake", "", left=2)
        table.columns[-1].justify = "left"
        table.add_row("dealer", str(self.shows))
        for number, hand in enumerate(self.hands):
            now = hand.result or (self._status if number == self.current else "comes later")
            name = "hand" if len(self.hands) == 1 else f"hand {number + 1}"
            cards = " ".join(map(str, hand.cards))
            table.add_row(name, cards, f"{hand.total:g}", str(hand.at_stake), now)
        out.print(table)

    def __repr__(self) -> str:
        return f"<Hand {', '.join(map(str, self.hands))} against {self.shows}: {self._status}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        mine, others = (self._game, self._seen, self._box), (other._game, other._seen, other._box)
        return mine == others


_DRAWS = (Action.HIT, Action.DOUBLE, Action.REDOUBLE)
"""How the cards behind the first ones came: by hits, then by a first and by further doubles."""


def action_of(action: object) -> Action:
    """An action, given as one or by its name."""
    if isinstance(action, Action):
        return action
    if isinstance(action, str):
        return Action.parse(action)
    raise UpcardError(f"{action!r} is not an action: give its name, such as hit, or an Action")


def _check_counts(cards: int, first: int, doubles: int) -> None:
    if cards < first:
        raise UpcardError(f"a hand has at least {counted(first, 'card')}, not {cards}")
    if not 0 <= doubles <= cards - first:
        most = counted(cards - first, "double")
        raise UpcardError(f"a hand of {counted(cards, 'card')} has at most {most}, not {doubles}")
