"""A row of figures, each with its label and a note."""

from __future__ import annotations

from upcard.web.dom import tag


def figures(*items: tuple[str, str, str], tones: dict[str, str] | None = None) -> None:
    """Figures by label; `tones` has the classes of some of them."""
    with tag("dl", None, "figures"):
        for label, text, note in items:
            with tag("div", testid=f"figure-{label.lower().replace(' ', '-')}"):
                tag("dt", label)
                with tag("dd", text, (tones or {}).get(label, "")):
                    if note:
                        tag("span", note, "note block")
