"""What a report says of prices: return tables, first hands, the dealer's hands, distributions."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.money import BASE, format_cents
from upcard.pages.figures import percent, symbol_words
from upcard.papers import document as doc
from upcard.papers.report.cells import boxes, heat, money, net, number, share, short_share, table
from upcard.papers.report.gathering import SESSION, Figures
from upcard.papers.report.pictures import (
    hands_picture,
    round_picture,
    session_picture,
    up_card_picture,
)
from upcard.solve.odds_page import OUTCOME_WORDS
from upcard.solve.result import WagerOdds

MANY_UPS = 14
"""With more of what the dealer can show, first hands are a picture and not a table."""
MANY_RESULTS = 60
FEW_CLASSES = 9
"""Final hands of the dealer that stand beside each other with all their digits."""


def wagers(found: Figures) -> doc.PaperSection:
    """The return table of every wager."""
    parts: list[doc.Part] = [_base(found)]
    parts += [
        doc.PaperSection(priced.name, tuple(_returns(priced)))
        for priced in found.odds.wagers.values()
        if priced.returns
    ]
    return doc.PaperSection("Return tables", tuple(parts))


def _base(found: Figures) -> doc.PaperSection:
    priced, base = found.odds.wagers[BASE], found.odds.base
    results = base.ends.results
    per = "one of the two boxes" if found.odds.exchange is not None else "a round"
    parts: list[doc.Part] = [
        doc.Facts(
            (
                ("Expected value", f"{percent(priced.ev)} of the base wager"),
                ("Average stake", f"{number(priced.stake)} base wagers, doubles and splits in it"),
                ("Element of risk", percent(priced.element_of_risk)),
                ("Deviation", _with_error(priced)),
                ("Skewness", number(priced.skewness)),
                ("Method", priced.method),
            )
        ),
    ]
    if len(results) <= MANY_RESULTS:
        rows = [
            (net(result), share(chance), percent(result * chance))
            for result, chance in sorted(results.items(), reverse=True)
        ]
        whole = sum(result * chance for result, chance in results.items())
        rows.append(("all", share(sum(results.values())), percent(whole)))
        parts.append(
            table(
                ("net result", "probability", "return"),
                rows,
                f"Net results of {per} in base wagers.",
                totals=1,
            )
        )
    parts += _bonuses(found)
    parts += _charges(found)
    outcomes = [
        (OUTCOME_WORDS.get(name, name), share(chance)) for name, chance in base.outcomes.items()
    ]
    parts.append(
        table(("the first hand ends", "probability"), outcomes, "How the first hand ends.")
    )
    if base.split_chance:
        of = "rounds" if found.odds.exchange is None else "boxes"
        parts.append(doc.Paragraph(f"A pair is split in {share(base.split_chance)} of the {of}."))
    ups = dict(sorted(base.by_up.items(), key=lambda item: item[0] == "A"))
    if len(ups) <= MANY_UPS:
        parts.append(
            doc.Picture(
                up_card_picture(ups),
                "What a round is worth to the player by up card, in per cent of the base wager.",
            )
        )
        parts.append(
            table(tuple(ups), [[percent(ev) for ev in ups.values()]], left=0, size=8.0)
            if len(ups) <= 11
            else table(("up card", "EV"), [(up, percent(ev)) for up, ev in ups.items()])
        )
    return doc.PaperSection(priced.name, tuple(parts))


def _with_error(priced: WagerOdds) -> str:
    if not priced.error:
        return number(priced.sd)
    return f"{number(priced.sd)}, with a standard error of {priced.error:.1e}"


def _bonuses(found: Figures) -> Iterator[doc.Part]:
    """How often every bonus is paid, and what it returns."""
    bonuses = found.odds.bonuses
    if not bonuses:
        return
    rows: list[tuple[str, ...]] = [
        (row.name, row.printed, share(row.hands), percent(row.contribution), percent(row.more))
        for row in bonuses
    ]
    whole = sum(row.contribution for row in bonuses), sum(row.more for row in bonuses)
    rows.append(("all", "", share(sum(row.hands for row in bonuses)), *map(percent, whole)))
    split = share(sum(row.split for row in bonuses))
    yield table(
        ("bonus", "pays", "hands a round", "return", "over a win"),
        rows,
        f"Hands that are paid a bonus, split hands ({split} a round) among them; what they bring, "
        "and what that is more than if each had won in the ordinary way.",
        totals=1,
    )


def _charges(found: Figures) -> Iterator[doc.Part]:
    """What else the value of the base wager is made of: lights, and amounts that are fixed."""
    lights, odds = found.odds.lights, found.odds
    if lights is not None:
        yield doc.Facts(
            (
                ("Lights in a round", f"{lights.per_round:.6f}"),
                ("Rounds to a prize", f"{lights.rounds_to_prize:,.1f} on average"),
                ("Prize", f"{format_cents(round(lights.prize))} {lights.prize_name}".strip()),
                ("EV with prizes", percent(lights.ev)),
                ("EV of this play, prizes left out", percent(lights.base_ev)),
            )
        )
        yield doc.Paragraph(
            "Prizes are in the expected value, and in neither the table of results above nor "
            "deviation, skewness and hit frequency.",
            quiet=True,
        )
    if odds.by_bet:
        rows = [
            (format_cents(amount), percent(-ev), percent(ev)) for amount, ev in odds.by_bet.items()
        ]
        yield table(
            ("wager", "edge", "EV"),
            rows,
            "Amounts are fixed in this game, so the edge depends on the wager.",
        )
    if odds.exchange is not None:
        exchange = odds.exchange
        yield doc.Facts(
            (
                ("Cards are exchanged in", f"{share(exchange.chance)} of the rounds"),
                ("EV without any exchange", percent(exchange.never_ev)),
                ("Deviation of both boxes", number(exchange.together_sd)),
                ("What is exact", exchange.looks_at),
            )
        )


def _returns(priced: WagerOdds) -> Iterator[doc.Part]:
    counted = any(row.combinations for row in priced.returns)
    rows: list[tuple[str, ...]] = []
    for row in priced.returns:
        ways = (f"{row.combinations:,}",) if counted else ()
        rows.append(
            (row.event, row.printed, *ways, share(row.probability), percent(row.contribution))
        )
    ways = (f"{sum(row.combinations for row in priced.returns):,}",) if counted else ()
    whole = sum(row.probability for row in priced.returns)
    rows.append(("all", "", *ways, share(whole), percent(priced.ev)))
    heads = ("event", "pays", *(("combinations",) if counted else ()), "probability", "return")
    yield table(heads, rows, f"{priced.name}: what it pays, and what that returns.", totals=1)
    yield doc.Paragraph(
        f"Edge {percent(priced.edge)}, hit frequency {share(priced.hit_frequency)}, deviation "
        f"{number(priced.sd)}, skewness {number(priced.skewness)}. Method: {priced.method}; "
        f"strategy: {priced.strategy}."
    )


# ------------------------------------------------------------------------------------- first hands


def first_hands(found: Figures) -> doc.PaperSection:
    """Results by first cards and what the dealer shows, as a heat map."""
    hands = found.odds.base.by_first_hand
    ups = [up for up in found.chart.ups if any(hand.up == up for hand in hands)]
    ups += [up for up in dict.fromkeys(hand.up for hand in hands) if up not in ups]
    evs = {(hand.cards, hand.up): hand.ev for hand in hands}
    cards = sorted(dict.fromkeys(hand.cards for hand in hands), key=_kind_of_hand)
    note = symbol_words(found.tables)
    intro = doc.Paragraph(
        "The expected result of the best play, in base wagers, by the first cards of the player "
        "(down) and what the dealer shows (across), before the dealer looks for a natural. Green "
        f"grounds are won in the long run, red ones lost. {note}".strip()
    )
    if len(ups) > MANY_UPS:
        values = [[evs.get((hand, up), float("nan")) for up in ups] for hand in cards]
        picture = doc.Picture(
            hands_picture(cards, ups, values),
            "What first hands are worth against everything that the dealer can show.",
        )
        return doc.PaperSection("Results by first cards", (intro, picture))
    rows = [
        (
            doc.PaperCell(hand.replace(" ", ",")),
            *(
                doc.PaperCell(f"{evs[hand, up]:+.4f}", shade=heat(evs[hand, up]))
                if (hand, up) in evs
                else ""
                for up in ups
            ),
        )
        for hand in cards
    ]
    caption = "What first hands are worth, in base wagers."
    return doc.PaperSection(
        "Results by first cards", (intro, boxes(("cards", *ups), rows, caption, size=7.0))
    )


def _kind_of_hand(hand: str) -> tuple[int, ...]:
    """Hands without an ace first, then soft ones, then pairs."""
    one, two = hand.split(" ", 1)
    return (2 if one == two else 1 if "A" in (one, two) else 0,)


# ---------------------------------------------------------------------------------- dealer's hands


def dealer(found: Figures) -> doc.PaperSection:
    """What the dealer ends with."""
    base = found.odds.base
    classes = sorted(base.dealer_hands, key=_in_order)
    few = len(classes) <= FEW_CLASSES
    as_share = share if few else short_share
    rows: list[tuple[str, ...]] = []
    if len(base.dealer) <= MANY_UPS:
        ordered = sorted(base.dealer.items(), key=lambda item: item[0] == "A")
        rows = [
            (up, *(as_share(hands[name]) if name in hands else "" for name in classes))
            for up, hands in ordered
        ]
    rows.append(("all", *(as_share(base.dealer_hands[name]) for name in classes)))
    return doc.PaperSection(
        "The dealer's final hands",
        (
            doc.Paragraph(
                "How likely every final hand of the dealer is when it is played out, from a full "
                "shoe without the cards that the dealer shows."
            ),
            table(
                ("shown", *classes),
                rows,
                "The dealer's final hands, by what is shown.",
                totals=1 if len(rows) > 1 else 0,
                size=8.5 if few else 7.5,
            ),
        ),
    )


def _in_order(name: str) -> tuple[int, float]:
    """Totals first, then a natural and a bust."""
    total = name.partition(",")[0]
    number_ = total.replace(".", "", 1)
    return (0, float(total)) if number_.isdigit() else (1 + (name == "bust"), 0.0)


# ----------------------------------------------------------------------------------- distributions


def distributions(found: Figures) -> doc.PaperSection:
    """A round and a session."""
    results = found.odds.base.ends.results
    parts: list[doc.Part] = [
        doc.Picture(
            round_picture(results),
            "How a round of the base wager ends, on a logarithmic scale.",
        )
    ]
    session = found.sessions.figures.sessions()
    if session is not None:
        rows = [
            (f"{number_:,}", *(money(quantile.value) for quantile in quantiles.values()))
            for number_, quantiles in session.path
        ]
        heads = ("after round", *(f"{q:.0%}" for q in session.quantiles))
        parts += [
            doc.Paragraph(
                f"{session.sessions:,} random sessions of {SESSION} rounds, each round with a base "
                f"wager of {format_cents(found.odds.bet)} and basic play. A session brings "
                f"{money(session.mean.value)} on average (standard error "
                f"{money(session.mean.stderr)}), with a deviation of {money(session.sd.value)}; "
                f"{share(session.ahead.value)} of them end ahead."
            ),
            doc.Picture(
                session_picture(session),
                "The course of a session: half of all sessions lie in the dark band, nine in ten "
                "in the whole fan.",
            ),
            table(heads, rows, "Net results in the course of a session, by quantile."),
        ]
        if session.prize_in_kind:
            parts.append(
                doc.Paragraph(f"Prizes in kind are left out: {session.prize_in_kind}.", quiet=True)
            )
    return doc.PaperSection("A round and a session", tuple(parts))
