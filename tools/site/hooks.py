"""What mkdocs calls while it builds the site: adds generated pages, mends links, and checks that nothing is fetched."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from tools.site import gallery, lessons, links, notebooks

ROOT = Path(__file__).parents[2]
# Pages that are kept at the root of the repository, where people look for them.
ROOT_PAGES = {"contributing.md": "CONTRIBUTING.md", "changes.md": "CHANGELOG.md"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that are generated."""
    pages: dict[str, str | bytes] = {
        name: links.from_root((ROOT / source).read_text()) for name, source in ROOT_PAGES.items()
    }
    pages |= lessons.pages(ROOT / "docs" / "tutorials")
    pages |= gallery.pages()
    pages |= notebooks.pages(ROOT / "docs" / "notebooks")
    for path, content in pages.items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Points links to programs and to pages at the root of the repository to their pages on the site."""
    return links.on_site(markdown, page.file.src_uri, ROOT_PAGES)


def on_post_build(config: MkDocsConfig) -> None:
    """Fails if a page loads anything from another site."""
    foreign = links.foreign_resources(Path(config.site_dir))
    if foreign:
        raise PluginError("pages load from other sites:\n" + "\n".join(foreign))
