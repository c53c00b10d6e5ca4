"""A drill: hands of one kind after the other, answered by buttons and keys, then priced exactly."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from upcard.compile.context import Action
from upcard.errors import UpcardError
from upcard.service.house_games import game_ids, need_game
from upcard.service.rates import TooOftenError
from upcard.table.action_keys import ACTION_KEYS
from upcard.table.cloth import marked_cards
from upcard.text import sentence_case
from upcard.web import words
from upcard.web.cards import draw_back, draw_card, draw_shown
from upcard.web.dom import change_text, link, press, tag
from upcard.web.pictures import felt_picture
from upcard.web.shell import crumbs, heading

if TYPE_CHECKING:
    from nicegui.element import Element

    from upcard.coach import Drill, DrillAnswer, DrillHand
    from upcard.compile.tables import GameTables
    from upcard.web.doing import Doing

KIND_WORDS = {
    "hard": "Hard hands",
    "soft": "Soft hands",
    "pairs": "Pairs",
    "doubled": "After a double",
    "rescue": "Rescue",
    "trades": "Trades",
    "insurance": "Insurance",
    "surrender": "Surrender",
}


@dataclass
class Score:
    """How a drill has gone so far; `cost` is in percent of a wager."""

    right: int = 0
    answered: int = 0
    row: int = 0
    best_row: int = 0
    cost: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def add(self, *, right: bool, cost: float) -> None:
        """
        >>> score = Score()
        >>> score.add(right=True, cost=0.0); score.add(right=False, cost=12.5)
        >>> score.right, score.answered, score.row, score.best_row, score.cost
        (1, 2, 0, 1, 12.5)
        """
        self.answered += 1
        self.right += right
        self.row = self.row + 1 if right else 0
        self.best_row = max(self.best_row, self.row)
        self.cost += cost


class DrillPage:
    """One person's drill; the hands are dealt and judged by the coach."""

    def __init__(
        self, tables: GameTables, drill: Drill, kinds: tuple[str, ...], doing: Doing
    ) -> None:
        self.tables = tables
        self.drill = drill
        self.doing = doing
        self.score = Score()
        self.hand: DrillHand | None = None
        self.marked = marked_cards(tables)
        at = quote(tables.id)
        with tag("div", None, "page"):
            crumbs(("Lobby", "/"), ("All drills", "/drill"))
            with heading(f"Drill: {tables.title}"):
                with tag("nav", None, "tabs", aria_label="Kind of hands", testid="kinds"):
                    for kind in kinds:
                        link(
                            KIND_WORDS.get(kind, kind),
                            f"/drill/{at}?kind={kind}",
                            aria_current="page" if kind == drill.kind else None,
                            testid=f"kind-{kind}",
                        )
            with tag(
                "section", None, "drill", data_game=tables.id, testid="drill", aria_label="Drill"
            ):
                with tag("div", None, "score", testid="score"):
                    self.figures = {name: _figure(name) for name in ("Right", "In a row", "Lost")}
                self.hands = tag("div", None, "hands")
                with tag("div"):
                    self.verdict = tag("p", "", "verdict", role="status", testid="verdict")
                    self.answers = tag("div", None, "answers", testid="answers")
            self.values = tag("div", testid="values")

    async def next(self) -> None:
        """The next hand."""
        try:
            self.hand = await self.doing(self.drill.next)
        except TooOftenError as error:
            self._later(error)
            return
        self.values.clear()
        change_text(self.verdict, "")
        self._draw(self.hand)
        self._buttons(self.hand)
        self._tell_score()

    def _draw(self, hand: DrillHand) -> None:
        self.hands.clear()
        with self.hands:
            with tag("div"):
                tag("p", "Dealer", "hand-label")
                with tag("div", None, "hand"):
                    draw_shown(hand.up, self.marked)
                    if not self.tables.dealer.shown.face_up:
                        draw_back()
            with tag("div", None, "own"):
                doubled = f", doubled {hand.doubles} times" if hand.doubles > 1 else ", doubled"
                total = f"Your hand: {hand.total}{doubled if hand.doubles else ''}"
                tag("p", total, "hand-label", testid="total")
                with tag("div", None, "hand"):
                    for card in hand.cards:
                        draw_card(card, self.marked.get(card, ""))

    def _buttons(self, hand: DrillHand) -> None:
        self.answers.clear()
        with self.answers:
            for number, action in enumerate(hand.actions):
                key = ACTION_KEYS[Action.parse(action)]
                with press(
                    action.capitalize(),
                    partial(self.answer, action),
                    testid=f"answer-{action}",
                    data_key=key,
                ) as button:
                    tag("kbd", key.upper(), aria_hidden="true")
                if not number and self.score.answered:
                    _focus(button)

    async def answer(self, action: str) -> None:
        hand, self.hand = self.hand, None
        if hand is None:
            return
        try:
            found = await self.doing(self.drill.answer, hand, action)
        except TooOftenError as error:
            self.hand = hand
            change_text(self.verdict, f"{sentence_case(str(error))}.")
            return
        except UpcardError as error:
            change_text(self.verdict, str(error))
            return
        cost = found.mistake.cost_percent if found.mistake else 0.0
        self.score.add(right=found.right, cost=cost)
        change_text(self.verdict, verdict(found))
        self._tell_score()
        self._onward()
        with self.values:
            _table(found)

    def _onward(self) -> None:
        self.answers.clear()
        with self.answers:
            onward = press("Next hand", self.next, "button main", testid="next", data_key="enter")
            with onward:
                tag("kbd", "Enter", aria_hidden="true")
        _focus(onward)

    def _later(self, error: TooOftenError) -> None:
        """No hand now: say why, and how to go on."""
        change_text(self.verdict, f"{sentence_case(str(error))}.")
        self._onward()

    def _tell_score(self) -> None:
        score = self.score
        change_text(self.figures["Right"], f"{score.right} of {score.answered}")
        change_text(self.figures["In a row"], str(score.row))
        each = score.cost / score.answered if score.answered else 0.0
        change_text(self.figures["Lost"], f"{each:.2f}% a hand")


def _figure(label: str) -> Element:
    with tag("div"):
        shown = tag("strong", "0")
        tag("span", label)
    return shown


def _focus(button: Element) -> None:
    """Go on from here by keyboard: the button that had the focus is gone."""
    button.run_method("focus", {"preventScroll": True})


def verdict(found: DrillAnswer) -> str:
    """What an answer was, in a sentence."""
    if found.right:
        return f"Right: {found.taken}."
    if found.mistake is None:
        return str(found.why) if found.why else "That is not possible."
    mistake = found.mistake
    best = mistake.best.capitalize()
    return f"{best} is better: {mistake.taken} costs {mistake.cost_percent:.2f}% of the wager."


def _table(found: DrillAnswer) -> None:
    advice = found.advice
    with tag("div", None, "panel below"):
        tag("h2", "What every action is worth")
        with tag("table", None, "rows", testid="worth"):
            with tag("thead"), tag("tr"):
                tag("th", "Action", scope="col")
                for title in ("Percent of the wager", "Dollars", "Costs"):
                    tag("th", title, "number", scope="col")
            with tag("tbody"):
                for one in advice.actions:
                    mine = one.action == found.taken
                    with tag("tr", None, "best" if one.best else ""):
                        with tag("td"):
                            tag("strong" if one.best else "span", one.action)
                            tag("span", " (best)" if one.best else "", "good small")
                            tag("span", " (yours)" if mine else "", "soft small")
                        tag("td", words.percent(one.percent / 100, sign=True), "number")
                        tag("td", words.signed(one.cents), "number")
                        tag(
                            "td",
                            words.percent(one.cost_percent / 100) if one.cost_percent else "",
                            "number",
                        )
        how = advice.method[:1].upper() + advice.method[1:]
        tag("p", f"For a wager of {words.money(advice.wager)}. {how}.", "small soft below")


def all_drills() -> None:
    """Every game, to be drilled."""
    with tag("div", None, "page"):
        heading(
            "Drill", "Hands of one kind, one after the other, with the exact value of every answer."
        )
        with tag("ul", None, "games"):
            for game in game_ids():
                with (
                    tag("li", None, "game", data_game=game),
                    tag("a", None, "plain", href=f"/drill/{game}"),
                ):
                    with tag("div", None, "picture", aria_hidden="true"):
                        felt_picture(game)
                    with tag("div", None, "words"):
                        tag("h2", need_game(game).title)
