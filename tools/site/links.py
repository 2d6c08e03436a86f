"""Links between pages of the site and files of the repository, and what pages load."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path

LINK = re.compile(r"(\]\()([^)#\s]+)(#[^)\s]*)?\)")
PROGRAM = re.compile(r"tutorials/lesson_\w+\.py|notebooks/\w+\.ipynb")
LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed)\b[^>]*?\bsrc=["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|preload|preconnect|icon|manifest))[^>]*?\bhref=["']?((?:https?:)?//[^"'\s>]+)"""
    r"""|(?:@import\s*|url\()["']?((?:https?:)?//[^"'\s)]+)"""
)


def from_root(markdown: str) -> str:
    """Returns the text of a page at the root of the repository with its links as from docs/."""
    return LINK.sub(lambda link: f"{link[1]}{link[2].removeprefix('docs/')}{link[3] or ''})", markdown)


def on_site(markdown: str, page: str, root_pages: Mapping[str, str]) -> str:
    """Returns the text of a page with the links that lead out of docs/, or to lessons and notebooks, as links to pages.

    `page`: its path in docs/. `root_pages`: the sources at the root of the repository by the path of their page.
    """
    folder = posixpath.dirname(page)
    moved = {f"../{source}": target for target, source in root_pages.items()}

    def mend(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[2]))
        if target in moved:
            return f"{link[1]}{posixpath.relpath(moved[target], folder or '.')}{link[3] or ''})"
        stem, suffix = posixpath.splitext(target)
        if PROGRAM.fullmatch(target) and stem != page.removesuffix(".md"):
            return f"{link[1]}{link[2].removesuffix(suffix)}.md)"
        return link[0]

    return LINK.sub(mend, markdown)


def foreign_resources(site: Path) -> list[str]:
    """Returns a line for each script, style, font or picture that a built page loads from another site."""
    return [
        f"{path.relative_to(site)}: {next(filter(None, match.groups()))}"
        for suffix in ("html", "css")
        for path in sorted(site.rglob(f"*.{suffix}"))
        for match in LOADED.finditer(path.read_text())
    ]
