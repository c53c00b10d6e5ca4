"""`upcard play` from the first wager to the last: the real flow with scripted keys."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec.structs import replace

from conftest import compiled
from unit.test_play_kit import Player, Scene, own_folder, saved_session, sitting
from upcard import GAME_IDS
from upcard.cli.play.betting import WagerDraft
from upcard.cli.play.help import told
from upcard.cli.play.home import table_key
from upcard.cli.play.keys import ENTER, ESCAPE, RESIZED
from upcard.cli.play.seat import PersonsSeat
from upcard.cli.play.start import Sitting, Wishes
from upcard.cli.play.table import PersonsTable
from upcard.money import format_cents
from upcard.table import events as ev
from upcard.table.journal import Journal
from upcard.table.notation import read_log, write_log
from upcard.table.session import Session
from upcard.table.verify import verify

__all__ = ["own_folder"]

ORDERS = ("", "pdt", "ty3d", "ire", "un")


@pytest.mark.parametrize("prefer", ORDERS)
@pytest.mark.parametrize("game", GAME_IDS)
def test_rounds_are_played_to_the_end(game: str, prefer: str) -> None:
    # Pauses only once: with them every single card is drawn.
    rounds, fast = (5, True) if prefer else (2, False)
    wishes = Wishes(seed=f"{game}{prefer}", game=game, chips=500_000, fast=fast)
    sat, scene = sitting(game, lambda s: Player(s, rounds, prefer), wishes=wishes)
    assert "goes on from here" in sat.run()
    session = saved_session(sat)
    assert session.state.rounds == rounds
    assert all(check.holds for check in verify(sat.tables, session.log(), sat.casino))
    assert sat.file.read_text("utf-8") == write_log(session.log(), table_key())
    assert "Round over" in scene.now


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_tally_is_what_the_chips_say(game: str) -> None:
    wishes = Wishes(seed=f"tally {game}", game=game, chips=300_000, fast=True)
    sat, _ = sitting(game, lambda s: Player(s, 12, "pdy"), wishes=wishes)
    sat.run()
    session = saved_session(sat)
    from upcard.cli.play.tally import WinTally

    count = WinTally("Guest")
    for event in session.events:
        count.add(event)
    assert session.state.chips("Guest") == count.bought + count.now.session
    assert count.rounds == 12


@pytest.mark.parametrize("game", GAME_IDS)
def test_cashing_out_closes_the_table_and_opens_the_seeds(game: str) -> None:
    def keys(scene: Scene) -> Player:
        return Player(scene, 2, "n", last="c")

    sat, scene = sitting(game, lambda s: _Leaving(keys(s)))
    words = sat.run()
    assert "upcard verify" in words
    assert "The seeds of the shoes, opened" in scene.now
    assert not sat.file.exists(), "the record is kept under a name of its own"
    (kept,) = sat.file.parent.glob("*.jsonl")
    assert str(kept) in words
    log = read_log(kept)
    assert all(check.holds for check in verify(sat.tables, log))
    assert any(isinstance(event, ev.TableClosed) for event in log.events)
    told_at_the_end = "".join(scene.now.split())
    first = next(event for event in log.events if isinstance(event, ev.ShoeCommitted))
    seed = next(event for event in log.events if isinstance(event, ev.ShoeOpened))
    assert f"promise{first.commitment}seed{seed.seed}" in told_at_the_end


class _Leaving:
    """Presses y when asked whether to cash out, and any key at the end."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def read(self) -> str:
        if "Cash out and close" in self.player.scene.now:
            return "y"
        if "Goodbye" in self.player.scene.now:
            return ENTER
        return self.player.read()

    def wait(self, seconds: float) -> str:
        return self.player.wait(seconds)


# ------------------------------------------------------------------ quit and resume


@pytest.mark.parametrize("game", GAME_IDS)
@pytest.mark.parametrize("stop", [3, 7, 12, 20])
def test_resuming_gives_the_same_table(game: str, stop: int) -> None:
    wishes = Wishes(seed=f"stop {stop}", game=game, fast=True)

    class Stopping(Player):
        def read(self) -> str:
            return "q" if self.pressed >= stop else super().read()

    sat, scene = sitting(game, lambda s: Stopping(s, 99, "n"), wishes=wishes)
    sat.run()
    before = saved_session(sat).state
    again, other = sitting(game, ["r", "q"], wishes=Wishes(game=game, fast=True))
    again.run()
    session = saved_session(again)
    assert session.state == before or not before.in_round
    if before.in_round:
        assert other.now == scene.now


def test_resume_and_new_do_without_a_question() -> None:
    sat, _ = sitting("blackjack", ["enter", "q"])
    sat.run()
    rounds = saved_session(sat).state.rounds
    again, _ = sitting("blackjack", ["q"], wishes=Wishes(resume=True))
    again.run()
    assert saved_session(again).state.rounds == rounds == 1
    fresh, _ = sitting("blackjack", ["q"], wishes=Wishes(new=True))
    fresh.run()
    assert saved_session(fresh).state.rounds == 0
    assert len(list(sat.file.parent.glob("*.jsonl"))) == 2, "the old session is kept aside"


def test_a_saved_session_can_be_left_alone_or_replaced() -> None:
    sat, _ = sitting("blackjack", ["enter", "q"])
    sat.run()
    left, scene = sitting("blackjack", ["q"])
    assert left.run() == "Nothing was played."
    assert "There is a saved session of Blackjack: 1 round played." in scene.now
    new, _ = sitting("blackjack", ["x", "n", "q"])
    new.run()
    assert saved_session(new).state.rounds == 0


def test_the_same_seed_deals_the_same_cards() -> None:
    def cards() -> list[str]:
        wishes = Wishes(seed="again", new=True)
        sat, _ = sitting("blackjack", lambda s: Player(s, 3, "s"), wishes=wishes)
        sat.run()
        return [e.card for e in saved_session(sat).events if isinstance(e, ev.CardDealt)]

    assert cards() == cards()


# ------------------------------------------------------------------ wagers


def test_wagers_are_changed_with_keys() -> None:
    pressed = ["right", "right", "down", "right", "9", "a", "7", ENTER, "up", "+", ENTER, "q"]
    sat, _ = sitting("blackjack-tie", pressed)
    sat.run()
    (placed,) = (
        event.wagers
        for event in saved_session(sat).events
        if isinstance(event, ev.WagersPlaced) and event.player == "Guest"
    )
    assert dict(placed) == {"base": 1500, "left-side": 100, "tie-21": 100, "tie-blackjack": 700}


def test_enter_repeats_the_last_wagers() -> None:
    class Raising(Player):
        def read(self) -> str:
            self.pressed += 1
            return "right" if self.pressed <= 3 else super().read()

    sat, _ = sitting("blackjack", lambda s: Raising(s, 3, "s"))
    sat.run()
    placed = [
        dict(event.wagers)["base"]
        for event in saved_session(sat).events
        if isinstance(event, ev.WagersPlaced) and event.player == "Guest"
    ]
    assert placed == [2000, 2000, 2000]


def test_a_refused_wager_is_explained_with_its_clause_and_nothing_happens() -> None:
    pressed = ["a", "9", "9", "9", ENTER, "q"]
    sat, scene = sitting("pure-spanish-21.5", ["n", *pressed])
    sat.run()
    assert "above the maximum of $200 [PS-D11" in scene.now
    assert saved_session(sat).state.rounds == 0


def placed_by_guest(sat: Sitting) -> list[dict[str, int]]:
    return [
        dict(event.wagers)
        for event in saved_session(sat).events
        if isinstance(event, ev.WagersPlaced) and event.player == "Guest"
    ]


@pytest.mark.parametrize("refused", ["999", "1", "7.50"])
def test_a_refused_amount_is_not_kept_as_the_wager(refused: str) -> None:
    sat, scene = sitting("blackjack", ["right", "a", *refused, ENTER, ENTER, "q"])
    sat.run()
    assert scene.told("A base wager of $")
    assert placed_by_guest(sat) == [{"base": 1000}]


def test_a_step_that_the_table_refuses_is_not_kept() -> None:
    pressed = ["2", "right", "right", "right", "right", "right", "right", ENTER, "q"]
    sat, scene = sitting("blackjack-tie", pressed)
    sat.run()
    assert scene.told("All bonus wagers together are $6 and may not exceed the base wager of $5")
    assert placed_by_guest(sat) == [{"base": 500, "left-side": 500}]


def test_a_box_that_the_table_refuses_is_not_kept() -> None:
    sat, scene = sitting("twisted-21", ["b", ENTER, "q"])
    sat.run()
    assert scene.told("A player has one position in this game")
    assert saved_session(sat).state.rounds == 1


def test_a_clamped_amount_says_so() -> None:
    wishes = Wishes(chips=900_000)
    sat, scene = sitting("blackjack", ["left", *["page up"] * 30, ENTER, "q"], wishes=wishes)
    sat.run()
    assert scene.told("The least is $5.")
    assert scene.told("The most is $500.")
    assert placed_by_guest(sat) == [{"base": 50_000}]


def test_wagers_that_are_too_much_already_can_be_lowered() -> None:
    sat, _ = sitting("blackjack", ["right", "right", ENTER, "q"], wishes=Wishes(seed="1"))
    sat.run()
    session = saved_session(sat)
    journal = Journal.begin(sat.file.with_name("other.jsonl"), session)
    seat = PersonsSeat(session, "Guest", sat.keyboard, sat.screen, journal)
    table = PersonsTable(seat)
    draft = WagerDraft(sat.tables.money, {4: {"base": 9_000_000}})
    session.state = replace(session.state, stage="wagers", bets=())
    assert table.change(draft, "left")
    assert draft.amount == 50_000, "as far as a step goes, though it may still be too much"


def test_a_refused_deal_leaves_no_heap_of_lines() -> None:
    wishes = Wishes(seed="fee", chips=100, fast=True)
    sat, scene = sitting("pure-spanish-21.5", ["y", *[ENTER] * 5, "q"], wishes=wishes)
    sat.run()
    assert scene.told("the collection fee takes")
    words = [told(saved_session(sat), "Guest", event) for event in saved_session(sat).events]
    assert len(words) == len(set(words)), "nothing is said twice"


def test_wagers_that_lie_there_are_not_placed_again() -> None:
    tables = compiled("pure-spanish-21.5", fee_schedule=41)
    wishes = Wishes(seed="gap", chips=100_000, bots=1, fast=True)
    pressed = ["n", "a", "2", "5", "0", ENTER, *[ENTER] * 4, "q"]
    sat, scene = sitting("pure-spanish-21.5", pressed, wishes=wishes, tables=tables)
    sat.run()
    assert scene.told("a total table action of $250")
    assert placed_by_guest(sat) == [{"base": 25_000}]
    assert saved_session(sat).state.rounds == 0


def test_a_stray_key_does_not_wipe_the_result() -> None:
    sat, scene = sitting("blackjack", ["o", "Z", "f", "?", ESCAPE, "$", ESCAPE, "q"])
    sat.run()
    after = [frame for frame in scene.frames if "next round" in frame]
    assert len(after) >= 4
    assert all("Round over: even" in frame for frame in after)
    assert any("Z means nothing here" in frame for frame in after)
    assert any("Cards come at once." in frame for frame in after)


def test_an_amount_that_is_none() -> None:
    sat, scene = sitting("blackjack", ["a", "x", ENTER, "q"])
    sat.run()
    assert '"x" is not an amount: write dollars' in scene.now


def test_only_amounts_that_the_game_allows() -> None:
    sat, _ = sitting("games-of-chance-blackjack", ["right", "right", "right", ENTER, "q"])
    sat.run()
    placed = [e for e in saved_session(sat).events if isinstance(e, ev.WagersPlaced)]
    assert [dict(event.wagers) for event in placed if event.player == "Guest"] == [{"base": 400}]


def test_a_second_box() -> None:
    sat, scene = sitting("blackjack", ["b", "right", "n", "b", "x", ENTER, "q"])
    sat.run()
    here = saved_session(sat).state.round
    assert here is not None
    mine = {
        box.position: box.hands[0].stakes[0].start for box in here.boxes if box.player == "Guest"
    }
    assert mine == {4: 500, 6: 1000}
    assert "6 Guest (you)" in scene.now


def test_walking_to_a_free_seat_takes_the_wagers_along() -> None:
    """SR-23: the draft of two boxes goes along; the old seat is a free box now."""
    sat, scene = sitting("blackjack", ["b", "right", "w", "6", ENTER, ENTER, "q"])
    sat.run()
    session = saved_session(sat)
    here, player = session.state.round, session.state.player("Guest")
    assert here is not None
    assert player is not None
    mine = {
        box.position: box.hands[0].stakes[0].start for box in here.boxes if box.player == "Guest"
    }
    assert (player.seat, mine) == (6, {6: 500, 4: 1000})
    assert scene.told("You sit at seat 6 now.")
    assert ev.PlayerMoved(player="Guest", seat=6, left=4) in session.events


def test_walking_goes_to_free_seats_only() -> None:
    """SR-23: what is no free seat is said, and Escape stays."""
    pressed = ["w", "3", ENTER, "w", "x", ENTER, "w", ESCAPE, ENTER, "q"]
    sat, scene = sitting("blackjack", pressed)
    sat.run()
    session = saved_session(sat)
    player = session.state.player("Guest")
    assert player is not None
    assert player.seat == 4
    assert scene.told("You can walk to seat 1, 6 or 7.")
    assert not any(isinstance(event, ev.PlayerMoved) for event in session.events)


def test_there_is_no_walking_at_a_full_table() -> None:
    """SR-23."""
    sat, scene = sitting("blackjack", ["w", "q"], wishes=Wishes(bots=6))
    sat.run()
    assert scene.told("Every other seat is taken.")
    assert "walk" not in scene.frames[-1]


def test_the_own_seat_is_not_given_up_while_others_have_wagers() -> None:
    """PS-D2, SR-11: nor placed after them; wagers that wait on the layout can be taken back."""
    sat, scene = sitting("pure-spanish-21.5", ["n", "b", "n", "x", ENTER, "q"])
    sat.run()
    assert scene.told("only along with the own seat")
    state = saved_session(sat).state
    assert state.round is not None
    assert len([box for box in state.round.boxes if box.player == "Guest"]) == 2


def test_one_box_only_where_the_game_says_so() -> None:
    sat, scene = sitting("twisted-21", ["b", "q"])
    sat.run()
    assert "a player has one position in this game" in scene.now.lower()


def test_sitting_out() -> None:
    sat, scene = sitting("blackjack", ["o", "q"])
    sat.run()
    state = saved_session(sat).state
    assert state.rounds == 1
    assert state.chips("Guest") == 50_000
    assert "Round over: even" in scene.now


def test_going_broke_offers_chips() -> None:
    wishes = Wishes(seed="1", chips=300)
    sat, scene = sitting("blackjack", [ENTER, "$", ENTER, ENTER, "q"], wishes=wishes)
    sat.run()
    assert scene.told("less than the least wager: $ buys chips")
    bought = [e.amount for e in saved_session(sat).events if isinstance(e, ev.ChipsBought)]
    assert bought[0] == 300
    assert bought[-1] == 50_000


def test_a_word_is_mixed_in_before_the_shuffle_and_not_after() -> None:
    pressed = ["m", "h", "i", ENTER, ENTER]
    sat, scene = sitting("blackjack", [*pressed, "q"])
    sat.run()
    assert scene.told("It is mixed in")
    assert saved_session(sat).state.shoe.clients == ("hi",)
    again, other = sitting("blackjack", lambda s: _Mixing(s), wishes=Wishes(resume=True))
    again.run()
    assert other.told("before the shuffle: wait for the next shoe")


class _Mixing(Player):
    """Plays the round to its end and then tries to mix in a word."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene, 2, "s")
        self.rest = ["m", "x", ENTER, "q"]

    def read(self) -> str:
        return self.rest.pop(0) if "Your wagers at" in self.scene.now else super().read()


def test_strange_keys_do_nothing() -> None:
    pressed = ["Z", "z", ENTER, ENTER, "Z", ESCAPE, RESIZED, "q"]
    sat, scene = sitting("blackjack", pressed)
    sat.run()
    assert scene.told("Z means nothing here")
    assert scene.told("Enter plays nothing here")


# ------------------------------------------------------------------ decisions


def test_an_illegal_action_is_refused_with_reason_and_clause() -> None:
    wishes = Wishes(seed="demo")
    sat, scene = sitting("ten-sticks-21", [ENTER, "p", "e", "q"], wishes=wishes)
    sat.run()
    told = "\n".join(scene.frames)
    assert "Only two cards of equal value can be split" in told or "split" in told
    assert "[TS-0" in told


def test_doubling_for_less_and_insurance_ask_for_the_amount() -> None:
    asked: set[str] = set()

    class Asking(Player):
        def read(self) -> str:
            for words in ("Double for $", "Insure for $"):
                if words in self.scene.now:
                    asked.add(words)
                    return ENTER
            return super().read()

    wishes = Wishes(seed="amounts", chips=900_000, fast=True)
    sat, _ = sitting("ten-sticks-21", lambda s: Asking(s, 40, "id"), wishes=wishes)
    sat.run()
    assert asked == {"Double for $", "Insure for $"}
    events = list(saved_session(sat).events)
    assert any(isinstance(e, ev.InsuranceTaken) and e.player == "Guest" for e in events)


def test_going_back_from_an_amount_does_nothing() -> None:
    sat, scene = sitting(
        "ten-sticks-21", [ENTER, "d", "7", "backspace", ESCAPE, "q"], wishes=Wishes(seed="demo")
    )
    sat.run()
    assert scene.told("Double for $")
    assert not any(isinstance(e, ev.HandDoubled) for e in _mine(saved_session(sat)))


def _mine(session: Session) -> list[ev.Event]:
    return [event for event in session.events if getattr(event, "position", 0) == 4]


def test_down_cards_are_pointed_at() -> None:
    picked: list[int] = []
    for seed in range(12):
        wishes = Wishes(seed=f"pick {seed}", new=True, bots=0, fast=True)
        sat, _ = sitting("twisted-21", [ENTER, "2", "h", "3", "q"], wishes=wishes)
        sat.run()
        picked += [
            e.pick for e in saved_session(sat).events if isinstance(e, ev.HandHit) and e.pick
        ]
    assert {2, 3} <= set(picked)


def test_pointing_can_be_taken_back() -> None:
    sat, scene = sitting("twisted-21", [ENTER, "h", ESCAPE, "q"], wishes=Wishes(seed="pick 1"))
    sat.run()
    if any("Which of your down cards?" in frame for frame in scene.frames):
        assert "Your turn" in scene.now


# ------------------------------------------------------------------ the bank


def test_banking_and_watching() -> None:
    sat, scene = sitting("pure-spanish-21.5", ["right", "y", "q"])
    sat.run()
    events = list(saved_session(sat).events)
    (taken,) = [e for e in events if isinstance(e, ev.BankTaken)]
    assert (taken.player, taken.amount) == ("Guest", 15_300)
    assert "Player-dealer Guest" in scene.now
    assert "turn 1/2" in scene.now
    assert "fees $" in scene.now
    assert "Round over" in scene.now


def test_a_bank_offer_leaves_enough_for_the_fee() -> None:
    wishes = Wishes(seed="fee", chips=2000, fast=True)
    pressed = [*["right"] * 9, "a", "2", "0", ENTER, "a", "2", "1", ENTER, "a", ESCAPE, "y", "q"]
    sat, scene = sitting("pure-spanish-21.5", pressed, wishes=wishes)
    sat.run()
    schedule = sat.tables.money.fees
    assert schedule is not None
    most = 2000 - max(row.fee for row in schedule.schedule.player_dealer)
    assert scene.told(f"The most is {format_cents(most // 100 * 100)}: the rest is kept for")
    assert scene.told("Guest has $20, and that bank takes $21")
    session = saved_session(sat)
    (taken,) = [e for e in session.events if isinstance(e, ev.BankTaken)]
    assert taken.amount == most // 100 * 100
    assert session.state.rounds == 1


def test_a_bank_without_chips_for_the_fee_can_buy_some() -> None:
    wishes = Wishes(seed="fee", chips=100)
    pressed = ["y", "$", ENTER, ENTER, "q"]
    sat, scene = sitting("pure-spanish-21.5", pressed, wishes=wishes)
    sat.run()
    assert scene.told("the collection fee takes")
    assert saved_session(sat).state.rounds == 1


def test_the_bank_amount_is_typed_or_refused() -> None:
    sat, scene = sitting("pure-spanish-21.5", ["a", "2", "5", ENTER, ENTER, "Z", "y", "q"])
    sat.run()
    (taken,) = [e for e in saved_session(sat).events if isinstance(e, ev.BankTaken)]
    assert taken.amount == 2500
    assert scene.told("Enter plays nothing here")


def test_a_schedule_with_a_gap_makes_bots_step_back() -> None:
    tables = compiled("pure-spanish-21.5", fee_schedule=41)
    wishes = Wishes(seed="gap", chips=900_000, bots=6)
    keyboard = partial(_Gap, rounds=3)
    sat, _ = sitting("pure-spanish-21.5", keyboard, wishes=wishes, tables=tables)
    sat.run()
    assert saved_session(sat).state.rounds == 3


class _Gap(Player):
    """Wagers so much that the whole table's action falls into a gap of the schedule."""

    def __init__(self, scene: Scene, rounds: int) -> None:
        super().__init__(scene, rounds, "ns")
        self.typed = ["a", "2", "0", "0", ENTER]

    def read(self) -> str:
        if self.typed and ("Your wagers at" in self.scene.now or len(self.typed) < 5):
            return self.typed.pop(0)
        return super().read()


def test_the_table_cannot_be_closed_while_a_bank_is_up() -> None:
    sat, scene = sitting("pure-spanish-21.5", ["n", "c", "y", "q"])
    sat.run()
    assert scene.told("Prop holds the bank of this round")
    assert scene.told("c cashes out once the round is over")
    assert saved_session(sat).state.stage != "closed"


def test_cashing_out_can_be_declined() -> None:
    sat, _ = sitting("blackjack", ["c", "n", "q"])
    assert "goes on from here" in sat.run()
