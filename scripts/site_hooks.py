"""What the documents need to be a site: mkdocs calls the functions whose names begin with `on_`.

The pages in docs/ are written for whoever reads them in the repository. Three things differ in a
site, and are put right here: links to files outside docs/ lead to pages with those files, lists are
set in by four as mkdocs wants them, and the letters of a chart have their colours.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
DOCS = "docs"
OUTSIDE = "repository"
"""The folder of the site with what stands outside docs/."""
MARK, HOUSE_MARK = "look/mark.svg", "src/upcard/web/static/mark.svg"
"""The mark of the house is the mark of the site."""
PAGES = ("CONTRIBUTING.md", "CHANGELOG.md")
"""Files outside docs/ that are pages with a place in the navigation."""
AS_THEY_ARE = (".html",)
"""Endings of files that a browser shows by itself; of others there is a page with their text."""
LANGUAGES = {".mjs": "js", ".jsonl": "json"}
"""How the text of a file is coloured, where its ending does not say so."""

LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")
FENCE = re.compile(r" *(```+|~~~+)")
ITEM = re.compile(r"( {0,3}(?:[-*+]|\d{1,3}[.)]) +)\S")
STEP = 4
"""By how much mkdocs wants the parts of a list's item set in."""
CHART_CELL = re.compile(r'<td style="text-align: center;">([HSDPRXKTF]+)[a-z]*</td>')


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for every file outside docs/ that a page has a link to."""
    outside = {*PAGES}
    for file in files.documentation_pages():
        outside |= linked_outside(file.content_string, PurePosixPath(DOCS, file.src_uri))
    for name in PAGES:
        outside |= linked_outside((ROOT / name).read_text(), PurePosixPath(name))
    files.append(File.generated(config, MARK, abs_src_path=str(ROOT / HOUSE_MARK)))
    for name in sorted(outside):
        files.append(outside_file(name, config))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Lead the links of a page to pages of the site, and set its lists in."""
    uri = page.file.src_uri
    name = uri.removeprefix(f"{OUTSIDE}/")
    if name in PAGES and name != uri:
        home = PurePosixPath(name)
    elif name != uri:
        return markdown
    else:
        home = PurePosixPath(DOCS, uri)
    return set_in(led(markdown, home, uri))


def on_page_content(html: str, page: Page, **_: Any) -> str:
    """Give the letters of a game's chart their colours."""
    if not page.file.src_uri.startswith("games/"):
        return html
    return CHART_CELL.sub(
        lambda cell: cell[0].replace("<td ", f'<td class="do-{cell[1].lower()}" ', 1), html
    )


# ------------------------------------------------------------------------------------------ links


def linked_outside(text: str, home: PurePosixPath) -> set[str]:
    """The files outside docs/ to which a page has links, by their paths in the repository."""
    found = (aim(link[2], home) for link in LINK.finditer(text))
    return {name for name in found if name and not name.startswith(f"{DOCS}/")}


def aim(target: str, home: PurePosixPath) -> str:
    """The file of the repository that a link of a page means; empty where it means none."""
    if "://" in target or target.startswith("mailto:"):
        return ""
    name = posixpath.normpath(home.parent / target)
    is_ours = not name.startswith("..") and (ROOT / name).is_file()
    return name if is_ours else ""


def led(markdown: str, home: PurePosixPath, uri: str) -> str:
    """A page whose links lead to pages of the site; what leads nowhere stays, and mkdocs tells."""

    def new(link: re.Match[str]) -> str:
        name = aim(link[2], home)
        if not name:
            return link[0]
        path = posixpath.relpath(uri_of(name), posixpath.dirname(uri) or ".")
        return f"{link[1]}{path}{link[3] or ''}{link[4]}"

    return "\n".join(line if in_code else LINK.sub(new, line) for line, in_code in lines(markdown))


def uri_of(name: str) -> str:
    """Where a file of the repository stands among the sources of the site."""
    if name.startswith(f"{DOCS}/"):
        return name.removeprefix(f"{DOCS}/")
    is_page = name in PAGES or name.endswith(AS_THEY_ARE)
    return f"{OUTSIDE}/{name}" if is_page else f"{OUTSIDE}/{name}.md"


def outside_file(name: str, config: MkDocsConfig) -> File:
    """A file outside docs/, as it is or as a page with its text."""
    if name in PAGES or name.endswith(AS_THEY_ARE):
        return File.generated(config, uri_of(name), abs_src_path=str(ROOT / name))
    path = PurePosixPath(name)
    text = (ROOT / name).read_text().rstrip("\n")
    language = LANGUAGES.get(path.suffix, path.suffix.removeprefix("."))
    page = (
        f"---\nsearch:\n  exclude: true\n---\n# {path.name}\n\n"
        f"`{name}` of the repository:\n\n````{language}\n{text}\n````\n"
    )
    return File.generated(config, uri_of(name), content=page, inclusion=InclusionLevel.NOT_IN_NAV)


# ------------------------------------------------------------------------------------------ lists


def set_in(markdown: str) -> str:
    r"""A page whose lists are set in by four, and stand apart from the paragraph before them.

    >>> print(set_in("Two:\n- one\n  - more\n\n  again\n- two"))
    Two:
    <BLANKLINE>
    - one
        - more
    <BLANKLINE>
        again
    - two
    """
    found: list[str] = []
    columns: list[int] = []  # where the text of each open item begins
    for line, in_code in lines(markdown):
        if not line.strip():
            found.append("")
            continue
        indent = len(line) - len(line.lstrip())
        while columns and indent < columns[-1] and not in_code:
            columns.pop()
        depth, own = len(columns), line[min(indent, columns[-1] if columns else 0) :]
        item = None if in_code else ITEM.match(own)
        if item and found and begins_after_words(found[-1], depth):
            found.append("")
        found.append(" " * STEP * depth + (own.lstrip() if item else own))
        if item:
            columns.append((columns[-1] if columns else 0) + len(item[1]))
    return "\n".join(found)


def begins_after_words(before: str, depth: int) -> bool:
    """Whether the line before a list's item is a paragraph of the same depth."""
    indent = len(before) - len(before.lstrip())
    return bool(before) and indent == STEP * depth and not ITEM.match(before.lstrip())


def lines(markdown: str) -> Iterator[tuple[str, bool]]:
    """The lines of a page, and whether each stands in a block of code."""
    open_by = ""
    for line in markdown.split("\n"):
        fence = FENCE.match(line)
        if open_by:
            yield line, True
            if fence and fence[1].startswith(open_by) and line.strip() == fence[1]:
                open_by = ""
        else:
            open_by = fence[1] if fence else ""
            yield line, False
