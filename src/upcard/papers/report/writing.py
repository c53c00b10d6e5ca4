"""A report as a document, from its figures."""

from __future__ import annotations

from upcard import __version__
from upcard.papers import document as doc
from upcard.papers.report import change_parts, first_parts, play_parts, price_parts, proof_parts
from upcard.papers.report.gathering import Figures


def report_paper(found: Figures) -> doc.Paper:
    """The whole report; what a game does not have is left out."""
    tables = found.tables
    parts = (
        first_parts.summary(found),
        first_parts.rules(found),
        first_parts.shoe(found),
        price_parts.wagers(found),
        play_parts.strategy(found),
        price_parts.first_hands(found),
        price_parts.dealer(found),
        price_parts.distributions(found),
        change_parts.options(found),
        change_parts.readings(found),
        change_parts.exposure(found),
        proof_parts.simulation(found),
        proof_parts.bank(found),
        proof_parts.method(found),
        proof_parts.repeat(found),
        proof_parts.statement(found),
    )
    return doc.Paper(
        title=tables.title,
        subtitle=f"Mathematical report · {tables.ref} · Upcard {__version__}",
        parts=tuple(part for part in parts if part is not None),
        footer=f"{tables.title}, {tables.ref}, fingerprint {tables.fingerprint[:16]}",
        accent=tables.head.felt or doc.Paper.accent,
        cover=True,
    )
