"""Elements of a page: plain HTML tags on NiceGUI, whose text and attributes never become markup."""

from __future__ import annotations

import json
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from upcard.service.specs import HouseError
from upcard.text import sentence_case

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nicegui.element import Element

Attribute = str | int | float | bool | None

EMIT_VALUE = "(event) => emit(event.target.value)"
EMIT_CHECKED = "(event) => emit(event.target.checked)"


def tag(
    name: str,
    text: str | None = None,
    classes: str = "",
    /,
    *,
    testid: str = "",
    attributes: Mapping[str, Attribute] | None = None,
    **more: Any,
) -> Element:
    """An element with a text and attributes; None and False leave an attribute out.

    In names of attributes underscores stand for dashes, and one at the end is dropped:
    `aria_label`, `for_`. Attributes that are no names of Python go into `attributes`.
    """
    element = ui.element(name)
    if text is not None:
        element._text = text  # noqa: SLF001 - as `nicegui.html` does; it is shown as text
    if classes:
        element.classes(classes)
    found = {key.removesuffix("_").replace("_", "-"): value for key, value in more.items()}
    found |= attributes or {}
    if testid:
        found["data-testid"] = testid
    kept = {key: value for key, value in found.items() if value is not None and value is not False}
    if kept:
        element.props.update(kept)
    return element


def change_text(element: Element, text: str) -> None:
    """Another text in the place of the one that an element has."""
    if element._text != text:  # noqa: SLF001
        element._text = text  # noqa: SLF001
        element.update()


def link(text: str, to: str, classes: str = "", *, testid: str = "", **more: Any) -> Element:
    """A link within the house."""
    return tag("a", text, classes, testid=testid, href=to, **more)


def ask(
    text: str,
    api: str,
    classes: str = "button",
    *,
    body: Mapping[str, object] | None = None,
    then: str | None = None,
    method: str = "POST",
    sure: str | None = None,
    testid: str = "",
    **more: Any,
) -> Element:
    """A button that asks the house for something, by the interface that programs use.

    `then` is where to go when it is done, with `{id}` of the answer; "" is this page again. `sure`
    is a question to answer before.
    """
    sent = None if body is None else json.dumps(body)
    return tag(
        "button",
        text,
        classes,
        testid=testid,
        type="button",
        data_api=api,
        data_method=method,
        data_body=sent,
        data_then=then,
        data_sure=sure,
        **more,
    )


def press(
    text: str,
    act: Callable[[], object],
    classes: str = "button",
    *,
    testid: str = "",
    **more: Any,
) -> Element:
    """A button that does something here."""
    element = tag("button", text, classes, testid=testid, type="button", **more)
    element.on("click", lambda _: done(act), args=[])
    return element


async def done(act: Callable[..., object], *args: object) -> None:
    """Do what somebody asked for on a page; what the house refuses is said there."""
    try:
        found = act(*args)
        if isawaitable(found):
            await found
    except HouseError as error:
        ui.notify(f"{sentence_case(str(error))}.")


def field(
    value: str,
    changed: Callable[[str], object],
    *,
    testid: str = "",
    event: str = "change",
    **more: Any,
) -> Element:
    """A line of text to fill in.

    `^value` is what it begins with: as a property it would be put back over what somebody is typing
    whenever anything else on the page is drawn anew.
    """
    element = tag("input", None, "field", testid=testid, attributes={"^value": value}, **more)
    element.on(event, lambda e: done(changed, str(e.args)), js_handler=EMIT_VALUE)
    return element


def choice(
    values: Mapping[str, str],
    value: str,
    changed: Callable[[str], object],
    *,
    testid: str = "",
    **more: Any,
) -> Element:
    """One of several values, each with its words."""
    element = tag("select", None, "field", testid=testid, **more)
    with element:
        for key, words in values.items():
            tag("option", words, value=key, selected=key == value)
    element.on("change", lambda e: changed(str(e.args)), js_handler=EMIT_VALUE)
    return element
