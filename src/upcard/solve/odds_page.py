"""What `upcard odds` and `print(odds)` show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.compile.shows import OVER, told_names
from upcard.money import BASE, format_cents
from upcard.pages.figures import (
    FAVOURS,
    dollars,
    grid,
    heading,
    percent,
    ratio_words,
    shoe_words,
    split_words,
    symbol_words,
)
from upcard.pages.page import Printer, indented
from upcard.solve.observers import depends_on_play
from upcard.solve.result import REAL_SHOE
from upcard.text import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.table import Table
    from rich.text import Text

    from upcard.solve.lights import LongRun, Stay
    from upcard.solve.odds import Exchange, Odds
    from upcard.solve.prizes import PrizesReport
    from upcard.solve.result import WagerOdds

UP_CARDS_A_LINE = 5
OUTCOME_WORDS = {"busted": "over"}
"""How a hand ends, where the id of it is not the word that people use."""


def show_odds(found: Odds, out: Printer) -> None:
    """Every wager, and the base game in detail."""
    tables = found.tables
    by_hand = "optimal play" if found.strategy == "optimal" else "basic play"
    out.print(
        heading(
            tables,
            shoe_words(tables, endless=found.endless),
            f"wager {format_cents(found.bet)}",
            by_hand,
            split_words(tables, found.mode),
        )
    )
    out.print()
    out.print(_wagers(found))
    _footnotes(found, out)
    for priced in found.wagers.values():
        if priced.returns:
            _pays(priced, out)
    _base(found, out)
    if found.bonuses:
        _bonuses(found, out)
    elif found.tables.bonuses is not None:
        _no_bonuses(out)
    if found.by_bet:
        _by_bet(found, out)
    if found.combined is not None:
        _combined(found, out)
    if found.lights is not None:
        _lights(found.lights, found.bet, out)
    if found.prizes is not None:
        _prizes(found.prizes, out)
    if found.stay is not None:
        _stay(found.stay, out)


def _title(words: str, out: Printer, rest: str = "") -> None:
    from rich.text import Text

    out.print()
    out.print(Text.assemble((words, "bold"), rest))


def _wagers(found: Odds) -> Table:
    from rich.text import Text

    table = grid("wager", "edge", "EV", "sd", "wins", "method")
    for priced in found.wagers.values():
        name = Text(priced.name)
        if priced.favours_player:
            name.append(f"\n{FAVOURS}", "bold green")
        table.add_row(
            name,
            Text(percent(priced.edge), "bold green" if priced.favours_player else "bold"),
            percent(priced.ev),
            f"{priced.sd:.4f}",
            percent(priced.hit_frequency, signed=False),
            _method(priced),
        )
    table.columns[-1].justify = "left"
    return table


def _method(priced: WagerOdds) -> str:
    if priced.method.endswith(REAL_SHOE):
        return "exact, real shoe"
    return "exact*" if priced.error else "exact"


def _footnotes(found: Odds, out: Printer) -> None:
    from rich.text import Text

    for wager, priced in found.wagers.items():
        if priced.error:
            note = f"* {priced.method}. Standard error of the sd {priced.error:.1e}."
            out.print(indented(Text(note, "dim"), 2))
        if wager in found.third_cards_given_up:
            note = (
                f"{priced.name} is priced for a third card in every case: the best play of the "
                "main wager surrenders some hands and gives it up with them."
            )
            out.print(indented(Text(note, "dim"), 2))
        if depends_on_play(found.tables, wager):
            note = (
                f"{priced.name} is priced for one play: {priced.strategy}. Another has other odds."
            )
            out.print(indented(Text(note, "dim"), 2))


def _pays(priced: WagerOdds, out: Printer) -> None:
    from rich.text import Text

    rest = f"  edge {percent(priced.edge)}"
    _title(priced.name, out, rest + (f", {FAVOURS}" if priced.favours_player else ""))
    table = grid("event", "pays", "combinations", "probability", "return")
    table.columns[0].overflow = "fold"
    table.show_footer = True
    table.footer_style = "bold"
    combinations = sum(row.combinations for row in priced.returns)
    feet = (
        "all",
        "",
        f"{combinations:,}" if combinations else "",
        percent(sum(row.probability for row in priced.returns), signed=False),
        percent(priced.ev),
    )
    for column, foot in zip(table.columns, feet, strict=True):
        column.footer = foot
    for row in priced.returns:
        table.add_row(
            row.event,
            row.printed,
            f"{row.combinations:,}" if row.combinations else "",
            Text(percent(row.probability, signed=False)),
            percent(row.contribution),
        )
    out.print(table)


def _base(found: Odds, out: Printer) -> None:
    from rich.text import Text

    base = found.base
    lit = "lights counted, " if found.lights is not None else ""
    per = "a box" if found.exchange is not None else "a round"
    _title(found.wagers[BASE].name, out, f"  {lit}in base wagers {per}")
    groups = told_names(found.tables)
    also = ", and by what is told of the down card" if groups else ""
    out.print(indented(Text(f"EV by up card{also}", "dim"), 2))
    out.print(_by_told(base.by_up, groups) if groups else _by_up(base.by_up))
    if letters := symbol_words(found.tables):
        out.print(indented(Text(letters, "dim"), 2))
    words = (
        f"Basic (total-dependent) play has an EV of {percent(base.basic_ev)}: "
        f"it gives up {percent(base.basic_cost, signed=False)} against the best play, "
        f"which has {percent(base.ev)}."
    )
    if base.suits_gain:
        words += (
            f" Both go by ranks; looking at the suits of the first cards too adds "
            f"{percent(base.suits_gain, signed=False)}."
        )
    out.print(indented(Text(words), 2))
    out.print(indented(Text("How the first hand ends", "dim"), 2))
    ends = grid("", "", "", "", "", "", left=0)
    ends.show_header = False
    names = list(base.outcomes.items())
    for start in range(0, len(names), 3):
        row = []
        for name, chance in names[start : start + 3]:
            row += [Text(OUTCOME_WORDS.get(name, name), "bold")]
            row += [Text(percent(chance, signed=False))]
        ends.add_row(*row)
    out.print(ends)
    if base.split_chance:
        share = percent(base.split_chance, signed=False)
        of = "rounds" if found.exchange is None else "boxes"
        words = f"A pair is split in {share} of the {of}."
        out.print(indented(Text(words), 2))
    if found.exchange is not None:
        _exchange(found.exchange, found.wagers[BASE].ev, out)


def _by_up(evs: Mapping[str, float]) -> Table:
    from rich.text import Text

    table = grid(*("" for _ in range(2 * UP_CARDS_A_LINE)), left=0)
    table.show_header = False
    cells: list[Text] = []
    # In the usual order: the ace last.
    for up, ev in sorted(evs.items(), key=lambda item: item[0] == "A"):
        cells += [Text(up, "bold"), _gain(ev)]
    for start in range(0, len(cells), 2 * UP_CARDS_A_LINE):
        table.add_row(*cells[start : start + 2 * UP_CARDS_A_LINE])
    return table


def _by_told(evs: Mapping[str, float], groups: tuple[str, ...]) -> Table:
    """A line for every up card, a column for everything that may be told."""
    from rich.text import Text

    table = grid("", *groups)
    ups = dict.fromkeys(shown.partition(OVER)[0] for shown in evs)
    for up in sorted(ups, key=lambda up: up == "A"):
        both = (f"{up}{OVER}{group}" for group in groups)
        cells = (_gain(evs[shown]) if shown in evs else Text("") for shown in both)
        table.add_row(Text(up, "bold"), *cells)
    return table


def _gain(ev: float) -> Text:
    from rich.text import Text

    return Text(percent(ev), "green" if ev > 0 else "")


def _exchange(exchange: Exchange, ev: float, out: Printer) -> None:
    from rich.text import Text

    _title("Exchange", out, "  of the second cards of both boxes")
    words = (
        f"Cards are exchanged in {percent(exchange.chance, signed=False)} of the rounds. Without "
        f"it a box would have an EV of {percent(exchange.never_ev)}: it is worth "
        f"{percent(ev - exchange.never_ev, signed=False)}."
    )
    out.print(indented(Text(words), 2))
    words = (
        f"Both boxes together have an EV of {percent(2 * ev)} of one wager and a deviation of "
        f"{exchange.together_sd:.4f} (standard error {exchange.together_error:.1e})."
    )
    out.print(indented(Text(words), 2))
    words = f"What is exact here: {exchange.looks_at}."
    out.print(indented(Text(words, "dim"), 2))


def _bonuses(found: Odds, out: Printer) -> None:
    from rich.text import Text

    _title("Bonuses", out, f"  of {found.wagers[BASE].name}, in base wagers a round")
    table = grid("hand", "pays", "a round", "rounds to one", "return", "over a win")
    table.columns[0].overflow = "fold"
    table.show_footer = True
    table.footer_style = "bold"
    feet = (
        "all",
        "",
        percent(sum(row.hands for row in found.bonuses), signed=False),
        "",
        percent(sum(row.contribution for row in found.bonuses)),
        percent(sum(row.more for row in found.bonuses)),
    )
    for column, foot in zip(table.columns, feet, strict=True):
        column.footer = foot
    for row in found.bonuses:
        table.add_row(
            row.name,
            row.printed,
            percent(row.hands, signed=False),
            _rounds_to(row.hands),
            percent(row.contribution),
            percent(row.more),
        )
    out.print(table)
    split = percent(sum(row.split for row in found.bonuses), signed=False)
    words = (
        f"Hands of a round that are paid so, split hands ({split} a round) among them. The last "
        "column is what they bring more than if each had won in the ordinary way."
    )
    out.print(indented(Text(words, "dim"), 2))


def _no_bonuses(out: Printer) -> None:
    from rich.text import Text

    words = "What each bonus is worth is not told where two boxes exchange cards."
    out.print(indented(Text(words, "dim"), 2))


def _by_bet(found: Odds, out: Printer) -> None:
    by_hand = "the best play" if found.strategy == "optimal" else "basic play"
    _title("By wager", out, f"  {by_hand} for each")
    table = grid("wager", "edge", "EV", "")
    for amount, ev in found.by_bet.items():
        mark = FAVOURS if ev > 0 else ""
        table.add_row(format_cents(amount), _edge_cell(-ev), percent(ev), mark)
    out.print(table)


def _combined(found: Odds, out: Printer) -> None:
    from rich.text import Text

    assert found.combined is not None
    both = (
        ("adapted play", found.combined.adapted),
        ("ordinary play", found.combined.ordinary),
    )
    _title("Together", out, f"  the base and {ratio_words(found.combined.ratios)}")
    table = grid("edge", *(words for words, _ in both))
    for wager in both[0][1].wagers:
        staked = wager == BASE or wager in found.combined.ratios
        name = found.wagers[wager].name
        cells = (_edge_cell(-stake.wagers[wager]) for _, stake in both)
        table.add_row(name if staked else f"{name}, not staked", *cells)
    table.add_row("all that is staked", *(_edge_cell(stake.edge, "bold") for _, stake in both))
    out.print(table)
    for words, stake in both:
        ahead = [found.wagers[wager].name for wager, ev in stake.wagers.items() if ev > 0]
        if stake.ev > 0:
            ahead.append("all that is staked together")
        if ahead:
            line = f"With {words} {listed(ahead, 'and')} {_FAVOUR[len(ahead) > 1]} the player."
            out.print(indented(Text(line, "bold green"), 2))


_FAVOUR = {False: "favours", True: "favour"}


def _edge_cell(edge: float, style: str = "") -> Text:
    from rich.text import Text

    return Text(percent(edge), f"{style} green" if edge < 0 else style)


def _lights(lights: LongRun, bet: int, out: Printer) -> None:
    from rich.text import Text

    _title("Lights", out, "  in endless play")
    table = grid("", "")
    table.show_header = False
    worth = dollars(lights.prize)
    for name, figure in (
        ("lights in a round", f"{lights.per_round:.6f}"),
        ("rounds to a prize, on average", f"{lights.rounds_to_prize:,.1f}"),
        (f"prize: {lights.prize_name}, worth" if lights.prize_name else "prize", worth),
        ("a light is worth", dollars(lights.light * bet)),
        ("a light in base wagers", f"{lights.light:g}"),
        ("EV with prizes", percent(lights.ev)),
        ("EV of this play, prizes left out", percent(lights.base_ev)),
    ):
        table.add_row(name, figure)
    out.print(table)
    if lights.break_even_prize < 0:
        assert lights.alone_ev is not None
        ev = percent(lights.alone_ev)
        words = f"Played for the wager alone, EV {ev}, the game {FAVOURS} without any prize."
        style = "bold green"
    elif lights.break_even_prize < float("inf"):
        words, style = f"A prize of {dollars(lights.break_even_prize)} makes the game even.", ""
    else:
        words, style = "No prize makes the game even.", ""
    out.print(indented(Text(words, style), 2))


def _prizes(found: PrizesReport, out: Printer) -> None:
    from rich.text import Text

    for prize in found.prizes:
        _title(prize.name, out, f"  {prize.words}")
        table = grid("", "by this play", "wherever it can be won")
        for name, *figures in (
            ("rounds to one, on average", *map(_rounds_to, (prize.chance, prize.most_chance))),
            (
                f"worth a round: {dollars(prize.pays)} at this wager",
                percent(prize.ev),
                percent(prize.most_ev),
            ),
            *(
                [
                    (
                        f"every other player's: {dollars(prize.others)}",
                        percent(prize.each_other),
                        percent(prize.most_each_other),
                    )
                ]
                if prize.others
                else []
            ),
        ):
            table.add_row(name, *figures)
        out.print(table)
    best, alone = found.ev + found.suits_gain, found.alone_ev + found.alone_suits_gain
    words = (
        f"With prizes the EV is {percent(found.ev)}, of this play without them "
        f"{percent(found.base_ev)}. Played for the wager alone it is {percent(found.alone_ev)}."
    )
    lines = [words]
    if found.suits_gain or found.alone_suits_gain:
        lines.append(
            f"Play that looks at the suits of the first cards too has {percent(best)} with "
            f"prizes, and {percent(alone)} for the wager alone: prizes add "
            f"{percent(best - alone, signed=False)}."
        )
    lines += [
        f"{one.cards} against {one.up} is played for the prize, in all suits: {one.action.text}, "
        f"not {one.instead_of.text}."
        for one in found.played_for
    ] or ["By ranks alone no first hand is played otherwise for a prize."]
    for line in lines:
        out.print(indented(Text(line), 2))


def _rounds_to(chance: float) -> str:
    return f"{1 / chance:,.0f}" if chance else "never"


def _stay(stay: Stay, out: Printer) -> None:
    from rich.text import Text

    _title(f"A player who stays {stay.rounds:g} rounds on average", out)
    words = (
        f"EV {percent(stay.ev)} of a base wager a round, {percent(stay.base_ev)} without prizes, "
        f"{stay.per_round:.6f} lights a round."
    )
    out.print(indented(Text(words), 2))
    if stay.ev > 0:
        out.print(indented(Text(f"With its prizes the game {FAVOURS}.", "bold green"), 2))
    table = grid("lights lit", "base wagers that the next is worth", left=0)
    for lit, worth in enumerate(stay.light_by_lit):
        table.add_row(f"{lit}", f"{worth:.4f}")
    out.print(table)
