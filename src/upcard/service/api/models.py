"""What goes in and out as JSON. Answers are structs, and their models are made of them."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from fastapi import Path, Response
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    create_model,
)
from pydantic_core import PydanticCustomError

from upcard.money import MOST_CENTS, format_cents
from upcard.service.specs import Code, Role, Speed

STATUS: Mapping[Code, int] = {
    "missing": 404,
    "forbidden": 403,
    "refused": 409,
    "limit": 429,
    "unavailable": 503,
}


class Fault(BaseModel):
    """What was refused or went wrong, in one sentence, with the clauses behind it."""

    error: str
    clauses: list[str]


_MEANS = {
    400: "The request makes no sense.",
    401: "Nobody has shown who asks, or the token is not good any more.",
    403: "This caller may not do that, or a page elsewhere sent it.",
    404: "There is no such thing.",
    409: "Refused, and nothing was changed; `error` says why.",
    413: "The body is too long.",
    415: "The body is no JSON.",
    422: "The request does not have the right form.",
    429: "Too often; `Retry-After` says when to come back.",
    503: "The store takes nothing now, and nothing was changed.",
}


def faults(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The ways in which a request can fail, for the description of the API."""
    known = {403, 413, 422, 429, 503, *statuses}
    return {status: {"model": Fault, "description": _MEANS[status]} for status in sorted(known)}


def answer(value: Any, status: int = 200) -> Response:
    """Data as JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


# ------------------------------------------------------------------ models of structs


@cache
def model_of(struct: type[msgspec.Struct]) -> type[BaseModel]:
    """The model of a struct, for the description of what is answered."""
    hints = typing.get_type_hints(struct)
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(struct):
        kind = _modelled(hints[field.name])
        optional = struct.__struct_config__.omit_defaults and not field.required
        fields[field.encode_name] = (kind, None) if optional else (kind, ...)
    return create_model(struct.__name__, __doc__=struct.__doc__, **fields)


def _modelled(kind: Any) -> Any:
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return model_of(kind)
    origin, inside = get_origin(kind), get_args(kind)
    if origin is None or origin is Literal:
        return kind
    if origin is tuple and len(inside) == 2 and inside[1] is Ellipsis:
        return list[_modelled(inside[0])]  # type: ignore[misc]
    parts = tuple(map(_modelled, inside))
    if origin in (Union, types.UnionType):
        return Union[parts]  # noqa: UP007
    return origin[parts]


def list_of(struct: type[msgspec.Struct]) -> Any:
    return list[model_of(struct)]  # type: ignore[misc]


# ------------------------------------------------------------------ what is sent

Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""The name of a table, a session or an account in an address."""
GameId = Annotated[str, Field(pattern=r"^[a-z0-9.-]{1,40}$")]
Text = Annotated[str, Field(max_length=60)]
Secret = Annotated[str, Field(max_length=400)]
_Short = Annotated[str, Field(max_length=60)]
SettingTexts = Annotated[dict[_Short, _Short], Field(max_length=60)]
"""Options and readings with their values, all as texts."""


def _whole(value: object) -> object:
    """In JSON 11.0 is a whole number too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)


def _said_in_cents(value: object, read: ValidatorFunctionWrapHandler) -> object:
    """Whoever thinks in dollars is told so: a bare number says nothing of its unit."""
    try:
        return read(value)
    except ValidationError:
        most = f"{MOST_CENTS} ({format_cents(MOST_CENTS)})"
        words = f"a whole number of cents is asked for, 0 to {most}; $12.50 is 1250"
        raise PydanticCustomError("cents", words) from None


_Amount = Annotated[int, Field(ge=0, le=MOST_CENTS), WHOLE]
Cents = Annotated[_Amount, WrapValidator(_said_in_cents)]
CentsOrNone = Annotated[_Amount | None, WrapValidator(_said_in_cents)]
"""An amount of play money."""


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewTable(Body):
    """A table to open; see `GET /api/games` for what can be set. 0 seconds: nobody is hurried."""

    game: GameId
    name: Text = ""
    settings: SettingTexts = Field(default_factory=dict)
    bots: Annotated[int, Field(ge=0, le=12), WHOLE] = 0
    seconds: Annotated[int, Field(ge=0, le=600), WHOLE] = 20
    wager_seconds: Annotated[int, Field(ge=0, le=600), WHOLE] = 20
    speed: Speed = "normal"
    listed: bool = True


class Play(Body):
    """A game to sit down at."""

    game: GameId


class SitDown(Body):
    """A seat, 0 for any free one, and what to buy in for in cents, 0 for the usual."""

    seat: Annotated[int, Field(ge=0, le=20), WHOLE] = 0
    chips: Cents = 0


Way = Literal["cookie", "token"]


class NewGuest(Body):
    """How the guest will be known: by a cookie, for pages, or by a token, for programs."""

    by: Way = "token"


class NewAccount(Body):
    """A name that others see, and a password."""

    name: Annotated[str, Field(max_length=100)]
    password: Secret
    by: Way = "cookie"


class SignIn(NewAccount):
    """The name and the password of an account."""


class NewPassword(Body):
    """The password as it was, empty where there was none, and as it will be."""

    old: Secret = ""
    new: Secret


class NewToken(Body):
    """What a token is for, in one's own words."""

    label: Text = ""


class OwnLimits(Body):
    """What may be lost in a day, in cents, and played, in minutes; null is no limit."""

    loss: CentsOrNone
    minutes: Annotated[int, Field(ge=0, le=24 * 60), WHOLE] | None


class NewRole(Body):
    """Another role for an account."""

    role: Literal["player", "operator", "auditor"]


# ------------------------------------------------------------------ answers beside the structs


class Entered(msgspec.Struct, frozen=True):
    """A session that was opened; `token` is empty where it is in a cookie."""

    id: str
    name: str
    role: Role
    token: str
    expires: str
