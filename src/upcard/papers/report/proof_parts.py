"""What a report ends with: simulation, the bank's side, method and errors, how to repeat it."""

from __future__ import annotations

from collections.abc import Iterator

from upcard import __version__
from upcard.money import BASE, INSURANCE, format_cents
from upcard.pages.figures import percent, wager_name
from upcard.papers import document as doc
from upcard.papers.report.cells import money, number, share, table
from upcard.papers.report.gathering import POLICY, SEED, Figures
from upcard.solve.rounds import SPLIT_ROUNDS
from upcard.trial.bank import NOBODY_INSURES
from upcard.trial.trials import WagerResult

COMMAND_WORDS = {
    "rules": "the rules by clause, options, readings, assumptions",
    "odds": "return tables, first cards, the dealer's hands, the distribution of a round",
    "strategy": "the chart, and where the best play differs",
    "simplified": "what simpler play costs",
    "options": "effects of options",
    "readings": "effects of readings",
    "removal": "effects of removal and counts",
    "sessions": "sessions, and the independent simulation",
    "simulate": "the independent simulation without sessions",
    "bank": "the bank's side and the fees",
}


def simulation(found: Figures) -> doc.PaperSection:
    """Random rounds beside the exact values."""
    result = found.simulated
    rows = [_compared(found, wager, one) for wager, one in result.wagers.items()]
    mean, deviation = result.figures.round()
    facts = (
        ("Rounds", f"{result.outcome.rounds:,}, each from a fresh shoe"),
        ("Play", f"{POLICY}: the chart of this report"),
        ("Seed", str(SEED)),
        ("Play's digest", result.trial.job.policy_digest),
        ("A round", f"{money(mean.value)} on average, deviation {money(deviation.value)}"),
    )
    return doc.PaperSection(
        "Independent simulation",
        (
            doc.Paragraph(
                "A second program plays whole rounds with shuffled cards. It shares the game's "
                "compiled rules with the solver and nothing of its arithmetic. Exact values here "
                "are of the play that is simulated, basic play, so they lie a little below those "
                "of the best play. z is the distance of the simulated from the exact value in "
                "standard errors: of a hundred right figures, about five are beyond two."
            ),
            doc.Facts(facts),
            table(
                ("wager", "exact", "simulated", "95 % interval", "wins", "deviation", "z"),
                rows,
                "Simulated wagers beside their exact values.",
                size=8.2,
            ),
        ),
    )


def _compared(found: Figures, wager: str, one: WagerResult) -> tuple[str, ...]:
    figures, exact = one.figures, one.exact
    name = wager_name(found.tables, wager)
    if not figures.made:
        return name, "" if exact is None else percent(exact.ev), "not made", "", "", "", ""
    return (
        name,
        "" if exact is None else percent(exact.ev),
        percent(figures.ev),
        f"{percent(figures.mean.low)} to {percent(figures.mean.high)}",
        share(figures.hits.value),
        number(figures.sd),
        "" if one.z is None else f"{one.z:+.2f}",
    )


# ------------------------------------------------------------------------------------ bank's side


def bank(found: Figures) -> doc.PaperSection | None:
    """The side of the player who banks, and what fees leave."""
    title = "The bank's side and the fees"
    if found.no_bank:
        return doc.PaperSection(title, (doc.Paragraph(f"{found.no_bank}."),))
    grid = found.bank
    if grid is None:
        return None
    rows = []
    before = 0
    for cell in grid.cells:
        fee = gross = ""
        if cell.fees is not None:
            fee = "" if cell.fees.fee is None else format_cents(cell.fees.fee)
            gross = "" if cell.fees.net_ev is None else money(cell.fees.net_ev)
            if cell.fees.problem:
                gross = {"limits": "outside limits", "unsettled": "not settled"}[cell.fees.problem]
        rows.append(
            (
                "" if cell.wager == before else format_cents(cell.wager),
                str(cell.players),
                format_cents(cell.action),
                money(cell.gross.ev),
                fee,
                gross,
                money(cell.gross.sd),
            )
        )
        before = cell.wager
    schedule = "no fee schedule"
    if grid.schedule is not None:
        low, high = format_cents(grid.schedule.table_min), format_cents(grid.schedule.table_max)
        schedule = f"fee schedule {grid.schedule.id}, for tables of {low} to {high}"
    insuring = f", {NOBODY_INSURES}" if INSURANCE in found.tables.payoffs else ""
    return doc.PaperSection(
        title,
        (
            doc.Paragraph(
                f"A player banks this game. One hand against players on the best play{insuring}, "
                f"all with the same base wager, by {schedule}. Gross is what the bank wins on "
                "average, net what its own fee leaves; players' fees go to the house and are in "
                "neither."
            ),
            table(
                ("wager", "players", "action", "gross", "fee", "net", "deviation"),
                rows,
                "The bank's result of one hand, before and after its fee.",
                size=8.5,
            ),
            doc.Paragraph(f"Method: {grid.cells[0].gross.method}.", quiet=True),
        ),
    )


# ------------------------------------------------------------------------------------------ method


def method(found: Figures) -> doc.PaperSection:
    """How figures are made, and how far they can be trusted."""
    return doc.PaperSection(
        "Method and sources of error", (doc.Bullets(tuple(("", w) for w in _methods(found))),)
    )


def _methods(found: Figures) -> Iterator[str]:
    odds, tables = found.odds, found.tables
    yield (
        "Rules are data: solver, simulator, live table and rule sheet read the same compiled "
        "tables, whose fingerprint stands on every page. A rule that is wrong there is wrong in "
        "all of them; the clauses in this report are what to check it by."
    )
    yield (
        "Expected values are worked out over all hands and all shoes that they leave, in double "
        "precision; rounding is far below the digits printed."
    )
    if odds.base.split_chance:
        yield (
            f"Splits are priced in the mode {odds.mode}: hands of a split are played by their own "
            "cards and the pair cards of the others, not by all that these have drawn. Play that "
            "looked at everything could gain a little more, typically below 0.001%."
        )
    if odds.wagers[BASE].error:
        yield (
            "The distribution of rounds with a split, and with it deviation, skewness and hit "
            f"frequency, comes from up to {SPLIT_ROUNDS:,} random rounds, with a standard error of "
            f"{odds.wagers[BASE].error:.1e} of the deviation. Expected values do not depend on it."
        )
    if odds.exchange is not None:
        yield f"Boxes are solved together; {odds.exchange.looks_at}."
    if tables.observers:
        yield "Wagers on cards are counted in combinations or exact fractions of the full shoe."
    yield (
        "Every figure is for the first round of a fresh shoe. Dealing to a cut card changes "
        "averages slightly; upcard simulate with --shoe cut measures it."
    )
    yield (
        "Effects of removal, of options and of readings are differences of two such exact values, "
        "each with the play that is then best."
    )
    yield (
        "Simulated figures have the standard errors printed beside them. Sessions are simulated "
        "with basic play and a constant wager."
    )


# ------------------------------------------------------------------------------------------ repeat


def repeat(found: Figures) -> doc.PaperSection:
    """The commands that give every figure again."""
    commands = found.commands
    parts: list[doc.Part] = [
        doc.Paragraph(
            f"With Upcard {__version__}, each command prints its part of this report; --json has "
            "it in full precision. Random rounds depend on their seed alone, not on the machine."
        )
    ]
    listing = "\n".join(f"# {COMMAND_WORDS[name]}\n{text}" for name, text in commands.items())
    parts += [
        doc.Listing(listing),
        doc.Paragraph(
            "A game with another fingerprint is another game: compare it before the figures."
        ),
    ]
    return doc.PaperSection("How to repeat every figure", tuple(parts))


def statement(found: Figures) -> doc.PaperSection:
    """A place to sign."""
    line = "_" * 40
    return doc.PaperSection(
        "Statement",
        (
            doc.Paragraph(
                f"The figures of this report were worked out for {found.tables.ref}, fingerprint "
                f"{found.tables.fingerprint}, by the commands listed above."
            ),
            doc.Facts((("", ""), ("Examined by", line), ("", ""))),
            doc.Facts((("Date", line), ("", ""), ("Signature", line))),
        ),
        numbered=False,
        whole=True,
    )
