"""Forms of a table: one page where one is promised, and no figure that the engine does not give."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from shell import refusal, upcard
from upcard import GAME_IDS, GameTables, tables_for
from upcard.fees.schedules import load_fee_book
from upcard.money import format_cents
from upcard.papers import document as doc
from upcard.papers.forms import Form, form_of
from upcard.papers.forms.layout import layout_svg
from upcard.papers.forms.pay_card import wager_payments
from upcard.papers.typesetting import typeset
from upcard.papers.web_page import web_page
from upcard.table.cloth import lettering
from upcard.table.situation import parse_situation, play_situation

ONE_PAGE = (Form.player, Form.placard, Form.pay_card, Form.layout)


def texts(part: object) -> list[str]:
    """All text of a part, cell by cell."""
    match part:
        case str():
            return [part]
        case tuple():
            return [text for inner in part for text in texts(inner)]
        case doc.PaperCell():
            return [part.text]
        case doc.PaperTable():
            return [column.title for column in part.columns] + texts(part.rows)
        case doc.Paragraph() | doc.Callout() | doc.Banner():
            return [part.text]
        case doc.Bullets():
            return texts(part.items)
        case doc.Facts():
            return texts(part.rows)
        case doc.PaperSection() | doc.SideBySide() | doc.Stacked():
            return texts(part.parts)
    return []


def words(paper: doc.Paper) -> list[str]:
    return texts(paper.parts)


@pytest.mark.parametrize("game", GAME_IDS)
def test_one_page_is_one_page(game: str) -> None:
    for form in ONE_PAGE:
        assert len(typeset(form_of(tables_for(game), form), ".svg")) == 1, form


@pytest.mark.parametrize("game", GAME_IDS)
def test_every_form_of_every_game_is_a_page_for_browsers_too(game: str) -> None:
    tables = tables_for(game)
    for form in Form:
        page = web_page(form_of(tables, form))
        assert tables.fingerprint[:16] in page
        if tables.head.holds:
            assert tables.head.holds in page


@pytest.mark.parametrize("game", GAME_IDS)
def test_sheet_and_procedures_leave_no_rule_out_and_say_none_twice(game: str) -> None:
    book = tables_for(game).rulebook
    for form in (Form.full, Form.procedure):
        said = words(form_of(tables_for(game), form))
        for sentence in book.sentences:
            found = [text for text in said if text.startswith(sentence.words)]
            assert found, sentence.words
            same = [other for other in book.sentences if other.words.startswith(sentence.words)]
            assert len(found) <= len(same) + (form is Form.full), sentence.words


def test_procedures_have_the_order_of_the_licence() -> None:
    paper = form_of(tables_for("games-of-chance-blackjack"), Form.procedure)
    titles = [part.title for part in paper.parts if isinstance(part, doc.PaperSection)]
    asked = ["name", "object", "rules", "equipment", "method", "types", "wager", "payouts"]
    assert [title.split()[1] for title in titles] == asked
    assert isinstance(paper.parts[-1], doc.Blanks)
    page = web_page(paper)
    numbers = [page.index(f'<span class="number">{number}</span>') for number in range(1, 9)]
    assert numbers == sorted(numbers)


# ------------------------------------------------------------------------------------ the pay card


def paid(tables: GameTables, wager: str, event: str, amount: int) -> int:
    """What the card says a dealer pays or takes."""
    payments = next(one for one in wager_payments(tables) if one.wager == wager)
    line = next(one for one in payments.lines if one.event == event)
    return line.cents[payments.amounts.index(amount)]


ROUNDS: tuple[tuple[str, dict[str, str], str, str, str, str, int], ...] = (
    ("blackjack", {}, "base", "blackjack", "As 9d Kh 8h", "", 1500),
    ("blackjack", {"chip": "100"}, "base", "blackjack", "As 9d Kh 8h", "", 500),
    ("blackjack", {"natural": "6:5", "chip": "100"}, "base", "blackjack", "As 9d Kh 8h", "", 2500),
    ("blackjack", {}, "base", "win", "Ks 9d Kh 8h", '"stand"', 2500),
    ("blackjack", {"surrender": "late"}, "base", "surrender", "Ks Td 6h 8h", '"surrender"', 500),
    ("games-of-chance-blackjack", {}, "base", "tie", "Ks Td 7h 7c", '"stand"', 400),
    ("games-of-chance-blackjack", {}, "base", "blackjack", "As Td Kh 7c", "", 200),
    ("blackjack", {"sides": "21+3"}, "21+3", "flush", "2h 9h Kh 8c", '"stand"', 500),
)


@pytest.mark.parametrize(("game", "chosen", "wager", "event", "shoe", "actions", "amount"), ROUNDS)
def test_the_pay_card_is_what_the_live_table_pays(
    game: str, chosen: dict[str, str], wager: str, event: str, shoe: str, actions: str, amount: int
) -> None:
    side = f", {wager!r} = {amount}".replace("'", '"') if wager != "base" else ""
    sides = [chosen["sides"]] if "sides" in chosen else []
    own = {name: value for name, value in chosen.items() if name != "sides"}
    lines = "\n".join(f'{name} = "{value}"' for name, value in own.items())
    text = (
        f'title = "t"\ngame = "{game}"\nshoe = "{shoe}"\nsides = {sides}\n[set]\n{lines}\n'
        f"[[seats]]\nseat = 1\nwagers = {{ base = {amount}{side} }}\nactions = [{actions}]\n"
    )
    played = play_situation(parse_situation(text))
    settled = played.report()["seats"]["1"]["wagers"][wager]
    tables = tables_for(game, own, sides=sides)
    assert settled["returned"] - settled["staked"] == paid(tables, wager, event, amount)


def test_what_is_rounded_is_marked() -> None:
    tables = tables_for("blackjack", {"chip": "100"})
    said = words(form_of(tables, Form.pay_card))
    assert "$7*" in said
    assert any("* is rounded" in text for text in said)
    assert not any("*" in text for text in words(form_of(tables_for("blackjack"), Form.pay_card)))


# -------------------------------------------------------------------------------------- the placard


def test_the_placard_has_the_rows_that_fees_shows_of_every_schedule() -> None:
    book = load_fee_book("pure-spanish-21.5")
    shown = upcard("fees", "show", "--json").data["schedules"]
    assert len(shown) == len(book.schedules) == 52
    for schedule in shown:
        tables = tables_for("pure-spanish-21.5", {"fee_schedule": str(schedule["id"])})
        paper = form_of(tables, Form.placard)
        said = words(paper)
        pairs = set(pairwise(said))
        low, high = format_cents(schedule["table_min"]), format_cents(schedule["table_max"])
        assert f"{low} to {high}" in said
        for side in ("players", "player_dealer"):
            rows = [row["printed"].rpartition(" ") for row in schedule[side]]
            for amount, _, fee in rows:
                assert (amount, fee) in pairs
            assert rows or "no fee" in said


def test_a_table_without_fees_has_a_placard_of_limits() -> None:
    paper = form_of(tables_for("twisted-21"), Form.placard)
    assert paper.subtitle == "Limits"
    assert "1001 for 1" in words(paper)


# --------------------------------------------------------------------------------------- the layout


@pytest.mark.parametrize("game", GAME_IDS)
def test_the_layout_has_every_position_and_no_font(game: str) -> None:
    tables = tables_for(game)
    root = ElementTree.fromstring(layout_svg(tables))
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{space}use")) == tables.round_plan.positions
    assert root.find(f".//{space}text") is None
    spots = root.findall(f"{space}defs/{space}g/{space}circle")
    lamps = 1 + len(tables.carry.next) if tables.carry else 0
    assert len(spots) == len(tables.money.wagers) + lamps
    letters = root.findall(f"{space}path")
    assert len(letters) == 2 + 1 + len(lettering(tables))


# ------------------------------------------------------------------------------------------ drafts


def draft(folder: Path) -> Path:
    file = folder / "mine.toml"
    assert upcard("new", "mine", "--like", "twisted-21", "-o", str(file)).status == 0
    return file


def test_drafts_say_so_on_every_paper(tmp_path: Path) -> None:
    file = draft(tmp_path)
    tables = tables_for(str(file))
    assert tables.head.draft
    for form in Form:
        paper = form_of(tables, form)
        assert "DRAFT" in paper.title
        assert "DRAFT" in paper.footer
        assert isinstance(paper.parts[0], doc.Callout)
    assert "DRAFT" in layout_svg(tables)


# -------------------------------------------------------------------------------- the command line


def test_papers_are_written_as_the_ending_says(tmp_path: Path) -> None:
    begins = {".pdf": b"%PDF-", ".html": b"<!doctype html>", ".svg": b"<svg", ".png": b"\x89PNG"}
    for ending, start in begins.items():
        file = tmp_path / f"card{ending}"
        done = upcard("rules", "blackjack", "--form", "player", "-o", str(file))
        assert (done.status, done.out) == (0, f"{file}: written.\n")
        assert file.read_bytes().startswith(start)
    done = upcard("rules", "blackjack", "-o", str(tmp_path / "sheet.png"))
    pages = sorted(path.name for path in tmp_path.glob("sheet-*.png"))
    assert pages == [f"sheet-{number}.png" for number in range(1, len(pages) + 1)]
    assert len(pages) > 1
    assert upcard("rules", "blackjack", "-o", str(tmp_path / "sheet.md")).status == 0
    assert (tmp_path / "sheet.md").read_text() == upcard("rules", "blackjack", "--markdown").out


def test_what_cannot_be_written_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = str(tmp_path / "card.pdf")
    asked = ("rules", "blackjack", "--form", "player")
    assert "name its file" in refusal(*asked)
    assert ".pdf, .html, .png or .svg" in refusal(*asked, "-o", str(tmp_path / "card.md"))
    assert "leave out --json" in refusal(*asked, "--json", "-o", file)
    assert "there is no folder" in refusal(*asked, "-o", str(tmp_path / "no" / "card.pdf"))
    assert not list(tmp_path.iterdir())
    too_much = doc.Paper("A", "b", (doc.Paragraph("word " * 9000),), one_page=True)
    with pytest.raises(Exception, match="too much for one page"):
        typeset(too_much, ".pdf")
