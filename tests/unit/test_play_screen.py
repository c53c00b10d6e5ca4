"""What the table shows: nothing hidden, nothing cut off, and every rule with its clause."""

from __future__ import annotations

import io
import random

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions

from boxes import bots_at
from conftest import compiled
from unit.test_play_kit import Player, Scene, own_folder, saved_session, sitting
from upcard import GAME_IDS
from upcard.cli.play.help import Help, told
from upcard.cli.play.keys import DOWN, ENTER, ESCAPE
from upcard.cli.play.pager import Pager
from upcard.cli.play.paint import FELT, MODEST, PLAIN, PRETTY, Paint
from upcard.cli.play.proof import Proof, proof_line
from upcard.cli.play.screen import Notes, Screen
from upcard.cli.play.start import Sitting, Wishes
from upcard.table import commands as cm
from upcard.table.engine import NEW_TABLE, Engine, Outcome
from upcard.table.events import Lights
from upcard.table.notation import read_record
from upcard.table.session import Session
from upcard.table.shoe import secret_from
from upcard.table.state import TableState
from upcard.table.view import Viewer, view

__all__ = ["own_folder"]

SIZES = [(70, 22), (80, 24), (100, 30), (140, 40)]


def lines_of(screen: Screen, engine: Engine, state: TableState) -> list[str]:
    seen = view(engine, state, Viewer("player", "Guest"))
    return [line.plain for line in screen.frame(seen, Notes())]


# ------------------------------------------------------------------ nothing hidden shows


def other_cards(state: TableState, engine: Engine) -> TableState:
    """The same table with other cards face down and in the shoe."""
    here = state.round
    assert here is not None
    deck = list(engine.look.deck)
    turned = random.Random(5)

    def changed(cards: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(turned.choice(deck) if card else "" for card in cards)

    here = replace(
        here,
        dealer=replace(here.dealer, down=changed(here.dealer.down)),
        boxes=tuple(replace(box, down=changed(box.down)) for box in here.boxes),
        community=changed(here.community),
    )
    shoe = replace(state.shoe, order=tuple(reversed(state.shoe.order)))
    return replace(state, round=here, shoe=shoe, secret=secret_from("other"))


@pytest.mark.parametrize("game", [*GAME_IDS, "seven-card"])
def test_hidden_cards_change_nothing_on_the_screen(game: str) -> None:
    tables = compiled("twisted-21", stud_bonus="seven-card") if game == "seven-card" else None
    game = "twisted-21" if tables else game
    checked = 0
    for seed in range(6):
        wishes = Wishes(seed=f"hidden {seed}", new=True, fast=True)
        pressed = ["n", ENTER, "q"] if "pure" in game else [ENTER, "q"]
        sat, scene = sitting(game, pressed, wishes=wishes, tables=tables)
        sat.run()
        session = saved_session(sat)
        if not session.state.in_round:
            continue
        other = other_cards(session.state, session.engine)
        assert other != session.state
        shown = lines_of(sat.screen, session.engine, session.state)
        assert shown == lines_of(sat.screen, session.engine, other)
        assert [line.rstrip() for line in shown[2:6]] == [
            line.rstrip() for line in scene.now.splitlines()[2:6]
        ]
        before = Help(session, "Guest", sat.screen.paint).now(70)
        session.state = other
        assert Help(session, "Guest", sat.screen.paint).now(70) == before
        checked += 1
    assert checked, "some of the rounds stop at a decision"


def test_history_tells_no_hidden_card() -> None:
    sat, _ = sitting("blackjack", [ENTER, "q"], wishes=Wishes(seed="demo"))
    sat.run()
    session = saved_session(sat)
    here = session.state.round
    assert here is not None
    words = [told(session, "Guest", event) for event in session.events]
    assert "The dealer gets a card face down." in words
    assert session.state.secret not in " ".join(words)


# ------------------------------------------------------------------ it fits


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", GAME_IDS)
def test_every_frame_fits_its_screen(game: str, width: int, height: int) -> None:
    scene = Scene(width, height, colours="yes" if width > 80 else None)
    wishes = Wishes(seed=f"fits {width}", chips=900_000, bots=bots_at(game), fast=True)
    sat, scene = sitting(game, lambda s: Player(s, 5, "pdt"), scene=scene, wishes=wishes)
    sat.run()
    for frame in scene.frames:
        lines = frame.rstrip("\n").split("\n")
        lines[-1] = lines[-1].split("\x1b")[0]
        assert len(lines) == height
        assert all(cell_len(line) <= width for line in lines), frame


def test_wagers_beyond_the_window_are_said() -> None:
    """Blackjack Tie has nine wagers, one more than there is room for in the smallest window."""
    down = [DOWN] * 8
    sat, scene = sitting("blackjack-tie", [*down, "q"], scene=Scene(70, 22))
    sat.run()
    first, *_, last = [frame for frame in scene.frames if "Your wagers at seat" in frame]
    assert "more below" in first
    assert "more above" not in first
    assert "more above" in last
    assert "more below" not in last


def split_table(hands: int) -> tuple[Engine, TableState]:
    """A box that was split as often as the game allows, between three others."""
    tables = compiled("blackjack")
    engine = Engine(tables)
    state = NEW_TABLE
    names = {1: "Ada", 2: "Ben", 3: "Cleo", 4: "Guest"}
    # Dealt from seat 1: eights for the person, and eights again after each split.
    order = ["Ks", "Kh", "Kd", "8s", "9s", "Qs", "Qh", "Qd", "8h", "7d", "8d", "8c", "2s", "3s"]
    commands: list[cm.Command] = [cm.OpenTable(table="t", secret=secret_from("t"), scripted=True)]
    for seat, name in names.items():
        commands += [cm.BuyIn(player=name, amount=10**6), cm.Sit(player=name, seat=seat)]
    commands.append(cm.StackShoe(cards=(*order, *(["2h", "3h", "4h", "5h"] * 3))))
    commands += [
        cm.PlaceWagers(player=name, position=seat, wagers={"base": 2500})
        for seat, name in names.items()
    ]
    commands.append(cm.Deal())
    commands += [cm.Stand(player=names[seat], position=seat) for seat in (1, 2, 3)]
    commands += [cm.Split(player="Guest", position=4)] * (hands - 1)
    for command in commands:
        outcome = engine.act(state, command)
        assert isinstance(outcome, Outcome), (command, outcome)
        state = outcome.state
    return engine, state


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_four_split_hands_fit_between_three_others(width: int, height: int) -> None:
    engine, state = split_table(4)
    scene = Scene(width, height)
    lines = lines_of(Screen(scene.console, engine.tables), engine, state)
    text = "\n".join(lines)
    assert len(lines) == height
    assert text.count("$25") == 7, text
    for name in ("1 Ada", "2 Ben", "3 Cleo", "4 Guest (you)"):
        assert name in text
    assert "…" not in "\n".join(lines[:-2]), "only the promise may be cut short"


# ------------------------------------------------------------------ what can be noted


@pytest.mark.parametrize("round_number", [0, 7, 123, 98_765])
@pytest.mark.parametrize("seeded", [True, False])
@pytest.mark.parametrize("width", [70, 71, 79, 80, 100, 140])
def test_enough_of_the_promise_is_always_shown(width: int, seeded: bool, round_number: int) -> None:
    promise = secret_from("any 64 digits")
    paint = paint_of("utf-8", None)
    line = proof_line(paint, width, promise=promise, round_number=round_number, seeded=seeded).plain
    assert cell_len(line) == width
    shown = max(len(word.rstrip("…")) for word in line.split())
    assert promise[:shown] in line
    assert shown >= 32, line
    if seeded:
        assert "dealt from --seed" in line
    else:
        assert str(round_number) in line or "no round yet" in line
    if width == 140:
        assert promise in line


@pytest.mark.parametrize("game", GAME_IDS)
@pytest.mark.parametrize("size", SIZES)
def test_enough_of_the_head_is_always_shown(size: tuple[int, int], game: str) -> None:
    sat, scene = sitting(game, [ENTER, "q"], scene=Scene(*size), wishes=Wishes(seed="head"))
    sat.run()
    chain = read_record(sat.file).chain
    assert chain is not None
    heads = {seal.head[:32] for seal in chain.seals}
    assert all(any(f"head {head}" in frame for head in heads) for frame in scene.frames)


@pytest.mark.parametrize("size", SIZES)
def test_the_screen_shows_the_promise_of_the_shoe(size: tuple[int, int]) -> None:
    sat, scene = sitting("blackjack", [ENTER, "q"], scene=Scene(*size))
    sat.run()
    promise = saved_session(sat).state.shoe.commitment
    assert all(promise[:32] in frame for frame in scene.frames)


def test_all_digits_of_the_promise_are_a_key_away() -> None:
    sat, scene = sitting("twisted-21", [ENTER, "?", "6", "q", "q"], wishes=Wishes(seed="demo"))
    sat.run()
    state = saved_session(sat).state
    assert scene.told(f"promise {state.shoe.commitment}")
    pages = Help(saved_session(sat), "Guest", sat.screen.paint, Proof("ab" * 32, seeded=True))
    text = "\n".join(line.plain for line in pages.shoe(66))
    assert "ab" * 32 in text
    assert "This table is dealt from --seed" in text


def test_a_table_dealt_from_a_seed_says_so() -> None:
    _, seeded = ran("blackjack", Wishes(seed="demo"))
    _, honest = ran("blackjack", Wishes(new=True))
    assert all("dealt from --seed" in frame for frame in seeded.frames)
    assert not any("dealt from --seed" in frame for frame in honest.frames)


def ran(game: str, wishes: Wishes) -> tuple[Sitting, Scene]:
    sat, scene = sitting(game, [ENTER, "q"], wishes=wishes)
    sat.run()
    return sat, scene


# ------------------------------------------------------------------ what a wager pays


@pytest.mark.parametrize(
    ("game", "pressed", "words"),
    [
        ("blackjack", [], ["$5-$500 pays 1:1, blackjack 3:2"]),
        ("pure-spanish-21.5", ["n"], ["pays 1:1, Pure Spanish 21.5 6:5", "pays 4:1 up to 18:1"]),
        ("pure-spanish-21.5", ["n", "2"], ["pays: two suited 18 to 1; one suited, one not 13"]),
        ("games-of-chance-blackjack", [], ["$2 or $4 pays 1:1, blackjack 3:2"]),
        ("twisted-21", [], ["Stud Poker · $1-$500 pays 1:1", "pays 2:1 up to 1000:1"]),
        ("twisted-21", ["3"], ["Stud Bonus pays: royal flush 1000 to 1;"]),
        ("blackjack-tie", [], ["All bonus wagers of a box together up to the base wager [BT-5]"]),
        (
            "blackjack-tie",
            [],
            ["Left side (17, 18, 19) · $1-$500 pays 18:1", "pays 1:1, blackjack 3:2"],
        ),
    ],
)
def test_what_a_wager_pays_stands_beside_it(
    game: str, pressed: list[str], words: list[str]
) -> None:
    sat, scene = sitting(game, [*pressed, "q"])
    sat.run()
    now = " ".join(scene.now.split())
    for part in words:
        assert part in now, scene.now


# ------------------------------------------------------------------ never unseen

DEEDS = [ENTER, "h", "s", "d", "n", "y", "o", "right", "a", "9", ENTER, "$", ENTER, "c", "y", "Z"]


def untouched(session: Session) -> bool:
    """Whether the person has done nothing but sit down, and nothing was dealt or closed."""
    commands = [entry.command for entry in session.entries]
    mine = [type(command) for command in commands if getattr(command, "player", "") == "Guest"]
    others = {type(command) for command in commands} & {cm.Deal, cm.CloseTable}
    return mine == [cm.BuyIn, cm.Sit] and not others


def test_a_small_terminal_is_told_so_with_the_keys_that_are_left() -> None:
    sat, scene = sitting("blackjack", ["q"], scene=Scene(50, 12))
    sat.run()
    assert scene.told(
        "The table needs 70 by 22 characters; this terminal has 50 by 12. "
        "Until it is larger, only q (save and quit) and ? (help) do anything."
    )


@pytest.mark.parametrize("size", [(30, 4), (16, 3), (8, 2)])
def test_a_tiny_terminal_still_names_the_keys(size: tuple[int, int]) -> None:
    sat, scene = sitting("blackjack", ["q"], scene=Scene(*size))
    sat.run()
    assert scene.now.lstrip().startswith(("70 by 22", "q (save"))


@pytest.mark.parametrize("size", [(69, 24), (80, 21), (50, 12)])
@pytest.mark.parametrize("game", GAME_IDS)
def test_no_key_acts_while_the_table_is_hidden(game: str, size: tuple[int, int]) -> None:
    wishes = Wishes(seed="unseen", bots=2)
    sat, scene = sitting(game, [*DEEDS, "q", ENTER, ENTER], scene=Scene(*size), wishes=wishes)
    assert "goes on from here" in sat.run()
    assert untouched(saved_session(sat))
    assert all("The table needs" in frame for frame in scene.frames)


class _Window:
    """A keyboard of pairs: the size that the window has when the key comes, and the key."""

    def __init__(self, scene: Scene, *script: tuple[tuple[int, int], str]) -> None:
        self.console = scene.console
        self.script = list(script)

    def read(self) -> str:
        size, key = self.script.pop(0)
        self.console.size = ConsoleDimensions(*size)
        return key

    def wait(self, seconds: float) -> str:
        del seconds
        return ""


LARGE, SMALL = (80, 24), (60, 20)


def test_the_size_is_looked_at_anew_when_a_key_comes() -> None:
    script = [(SMALL, ENTER), (SMALL, ENTER), (LARGE, ENTER), (SMALL, ENTER), (SMALL, "q")]
    sat, _ = sitting("blackjack", lambda scene: _Window(scene, *script))
    sat.run()
    assert untouched(saved_session(sat)), "the last picture was hidden, or the next one would be"


def test_a_key_counts_again_once_the_table_is_back() -> None:
    script = [(SMALL, ENTER), (LARGE, "resized"), (LARGE, ENTER), (LARGE, "q")]
    sat, _ = sitting("blackjack", lambda scene: _Window(scene, *script))
    sat.run()
    assert saved_session(sat).state.rounds == 1


def test_nothing_is_typed_or_confirmed_unseen() -> None:
    script = [(LARGE, "$"), (SMALL, "9"), (SMALL, ENTER), (LARGE, ENTER), (LARGE, ESCAPE)]
    script += [(LARGE, "c"), (SMALL, "y"), (LARGE, "y"), (LARGE, "n"), (LARGE, "q")]
    sat, _ = sitting("blackjack", lambda scene: _Window(scene, *script))
    sat.run()
    assert untouched(saved_session(sat))


def test_help_opens_in_a_window_that_hides_the_table() -> None:
    sat, scene = sitting(
        "blackjack", ["?", "5", "end", ESCAPE, "v", ENTER, "q"], scene=Scene(50, 12)
    )
    sat.run()
    assert scene.told("save and quit; Ctrl-C does the")
    assert "The table needs" in scene.now
    assert untouched(saved_session(sat))


def test_a_saved_session_is_not_chosen_unseen() -> None:
    sat, _ = sitting("blackjack", [ENTER, "q"])
    sat.run()
    before = sat.file.read_bytes()
    again, scene = sitting("blackjack", ["n", "r", "q"], scene=Scene(50, 12))
    assert again.run() == "Nothing was played."
    assert scene.told("only q (quit) does anything")
    assert sat.file.read_bytes() == before
    assert len(list(sat.file.parent.glob("*.jsonl"))) == 1


# ------------------------------------------------------------------ how things look


def paint_of(encoding: str, colours: str | None) -> Paint:
    class Named(Console):
        encoding = ""

    Named.encoding = encoding
    console = Named(
        file=io.StringIO(), color_system="truecolor" if colours else None, force_terminal=True
    )
    return Paint(console, frozenset({"Tc"}))


def test_cards_are_boxes_with_suits() -> None:
    paint = paint_of("utf-8", "yes")
    assert (paint.glyphs, paint.colours) == (PRETTY, FELT)
    assert [line.plain for line in paint.fan(["Ks", "Th", "??"])] == [
        "╭──┬───┬──╮",
        "│K♠│10♥│▒▒│",
        "╰──┴───┴──╯",
    ]
    assert [line.plain for line in paint.fan(["Ks", "9h"], tall=True)] == [
        "╭───╭─────╮",
        "│K  │9    │",
        "│♠  │  ♥  │",
        "│   │    9│",
        "╰───╰─────╯",
    ]


def test_ascii_where_the_terminal_has_nothing_else() -> None:
    paint = paint_of("ascii", None)
    assert (paint.glyphs, paint.colours) == (PLAIN, MODEST)
    fan = [line.plain for line in paint.fan(["Ks", "??"], numbers=[0, 2])]
    assert fan == ["+--+--+", "|Ks|#2|", "+--+--+"]
    assert all(line.isascii() for line in fan)
    assert paint.lamps(3, 10).plain == "***......."


def test_the_marked_card_is_marked_with_and_without_colours() -> None:
    paint = paint_of("utf-8", None)
    assert paint.fan(["Tc", "Ts"])[0].plain == "╭★──┬───╮"
    assert paint.words(["Tc", "??"]).plain == "10♣★ ▒▒"
    assert paint.fan(["??", "Tc"], tall=True)[0].plain == "╭───╭★────╮"


def test_lights_are_ten_lamps() -> None:
    tables = compiled("ten-sticks-21")
    session = Session(tables)
    lit = (Lights("Guest", 1, 4),)
    for command in (
        cm.OpenTable(table="t", secret=secret_from("lamps"), lights=lit),
        cm.BuyIn(player="Guest", amount=10_000),
        cm.Sit(player="Guest", seat=1),
        cm.PlaceWagers(player="Guest", position=1, wagers={"base": 500}),
        cm.Deal(),
    ):
        assert isinstance(session.do(command), Outcome)
    text = "\n".join(lines_of(Screen(Scene().console, tables), session.engine, session.state))
    assert "●●●●○○○○○○ 4 of 10 lights" in text


def test_chips_have_their_amount() -> None:
    paint = paint_of("utf-8", "yes")
    assert paint.chips(3000).plain == "●● $30"
    assert paint.chips(50).plain == "$0.50"
    assert paint.change(-250).plain == "-$2.50"


# ------------------------------------------------------------------ help and history


@pytest.mark.parametrize("game", GAME_IDS)
def test_help_explains_every_action_with_its_clause(game: str) -> None:
    for seed in range(8):
        wishes = Wishes(seed=f"help {seed}", new=True, fast=True)
        pressed = ["n", ENTER, "q"] if "pure" in game else [ENTER, "q"]
        sat, _ = sitting(game, pressed, wishes=wishes)
        sat.run()
        session = saved_session(sat)
        question = session.question
        if question is not None and question.player == "Guest":
            break
    else:
        pytest.fail("no decision in eight rounds")
    pages = Help(session, "Guest", sat.screen.paint)
    text = "\n".join(line.plain for line in pages.now(76))
    for action in sat.tables.actions:
        assert action.text in text
    assert " yes" in text
    assert "[" in text, "clauses are cited"


@pytest.mark.parametrize("game", GAME_IDS)
def test_help_has_sign_pays_rules_and_keys(game: str) -> None:
    pressed = ["?", "2", "3", "4", "5", "end", "6", "left", "right", "down", ESCAPE, "q"]
    sat, scene = sitting(game, pressed)
    sat.run()
    for words in ("A round, step by step", "The smallest chip is", "save and quit", "SHA-256"):
        assert scene.told(words), words


def test_the_rules_are_searched() -> None:
    pressed = ["?", "/", *"ps-w6x", "backspace", ENTER, ESCAPE, "?", "/", *"zzz", ESCAPE, "q", "q"]
    sat, scene = sitting("pure-spanish-21.5", pressed)
    sat.run()
    assert scene.told('Rules with "ps-w6"')
    assert scene.told(
        "If the player-dealer's hand is 8-8-8, every player's hand that is over pushes."
    )
    assert scene.told("Nothing of that is in the rules of this game.")


def test_history_is_scrolled() -> None:
    pressed = [ENTER, "v", "3", "page up", "home", "end", " ", "up", ESCAPE, "q"]
    sat, scene = sitting("blackjack", pressed)
    sat.run()
    assert scene.told("The table blackjack-")
    assert scene.told("Round 1 begins.")


def test_a_page_ends_with_ctrl_c_too() -> None:
    sat, _ = sitting("blackjack", ["?", "interrupt"])
    assert "goes on from here" in sat.run()


def test_pages_are_turned_round_and_round() -> None:
    sat, scene = sitting("blackjack", ["q"])
    sat.run()
    session = saved_session(sat)
    pages = Help(session, "Guest", sat.screen.paint).pages()
    pager = Pager(sat.screen, sat.keyboard, pages)
    pager.turn_to(-1)
    assert pages[pager.number].title == "Shoe"
    assert scene.frames
