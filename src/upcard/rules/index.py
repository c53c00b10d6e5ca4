"""The vocabulary of provenance: clauses, options, readings and what clauses rule out."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from upcard.rules.section import RuleSection, Scalar

StepKind = Literal[
    "bank",
    "wagers",
    "fees",
    "deal",
    "trades",
    "insurance",
    "early-surrender",
    "peek",
    "exchange",
    "turns",
    "reveal",
    "dealer",
    "settle",
    "stud-round",
    "rotate",
]
"""Procedures of a round that a clause may name as `step:NAME`."""

ClauseKind = Literal["play", "money", "option", "floor"]


class Bounds(RuleSection, frozen=True, kw_only=True):
    """A condition on a number."""

    over: Annotated[int | float | None, Meta(description="Larger than this.")] = None
    under: Annotated[int | float | None, Meta(description="Smaller than this.")] = None


Condition = Scalar | tuple[Scalar, ...] | Bounds
"""The values a key may have: one, several, or those between bounds."""


Given = Scalar | tuple[Scalar | dict[str, Scalar | dict[str, Scalar]], ...]
"""What an answer may set a key to: one value, or a list, of conditions too."""


class Clause(RuleSection, frozen=True, kw_only=True):
    """A clause of the source, in our own words."""

    kind: Annotated[
        ClauseKind | tuple[ClauseKind, ...], Meta(description="play, money, option or floor.")
    ]
    says: Annotated[str, Meta(min_length=1, description="The clause in our own words.")]
    sets: Annotated[
        tuple[str, ...],
        Meta(
            description="Keys it rules, procedures as `step:NAME`, and a point of a key as "
            "`KEY#POINT`."
        ),
    ]
    when: Annotated[
        dict[str, Condition],
        Meta(description="Keys and values under which it is in force; empty: always."),
    ] = {}


class Range(RuleSection, frozen=True, kw_only=True):
    """Allowed numbers, both ends included."""

    from_: Annotated[int | float, Meta(description="Smallest.")] = msgspec.field(name="from")
    to: Annotated[int | float, Meta(description="Largest.")]


class Option(RuleSection, frozen=True, kw_only=True):
    """A switch that the operator sets. Its default is the value in the file."""

    sets: Annotated[str | None, Meta(description="The key it sets.")] = None
    allowed: Annotated[
        tuple[Scalar, ...] | Range | None,
        Meta(description="Allowed values of that key, or those of `values` that are allowed."),
    ] = None
    values: Annotated[
        dict[str, dict[str, Given]],
        Meta(description="Instead of `sets`: for every allowed value the keys it sets."),
    ] = {}
    clauses: Annotated[
        tuple[str, ...], Meta(description="Clauses that grant it; empty: the house's own.")
    ] = ()


class Reading(RuleSection, frozen=True, kw_only=True):
    """An open question of the source, its possible answers and the one decided."""

    asks: Annotated[str, Meta(min_length=1, description="The question.")]
    clauses: Annotated[tuple[str, ...], Meta(description="Clauses that leave it open.")]
    answers: Annotated[dict[str, str], Meta(description="Answer and what it means, in words.")]
    allowed: Annotated[
        tuple[str, ...], Meta(description="The answers that are still open; empty: all of them.")
    ] = ()
    default: Annotated[str, Meta(description="The answer decided.")]
    sets: Annotated[str | None, Meta(description="The key it sets, if answers are its values.")] = (
        None
    )
    values: Annotated[
        dict[str, dict[str, Given]],
        Meta(description="Instead of `sets`: for every answer the keys it sets."),
    ] = {}


class Forbids(RuleSection, frozen=True, kw_only=True):
    """A combination of values that a clause rules out."""

    when: Annotated[
        dict[str, Condition],
        Meta(description="Keys and the values (one, a list, or bounds) that must all hold."),
    ]
    says: Annotated[str, Meta(min_length=1, description="What is wrong then, and what is right.")]
    clauses: Annotated[tuple[str, ...], Meta(min_length=1, description="Clauses that say so.")]
