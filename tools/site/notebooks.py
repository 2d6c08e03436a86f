"""The notebooks in docs/notebooks as pages: executed when the site is built, so that outputs are what the code gives.

The results of an execution are cached by the notebook and by the sources of pipec.
"""

from __future__ import annotations

import base64
import html
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

from tools.site.cache import cached

SECONDS = 300  # for one cell
# What a page can show, the best first. LaTeX would need a program in the reader's browser.
PICTURES = {"image/png": "png", "image/jpeg": "jpg"}


def pages(folder: Path) -> dict[str, str | bytes]:
    """Returns the page of each notebook and its pictures, by their paths in docs/."""
    files: dict[str, str | bytes] = {}
    for path in sorted(folder.glob("*.ipynb")):
        text = cached(path.read_bytes(), f"{path.stem}.ipynb", lambda path=path: _executed(path))
        files |= page(f"notebooks/{path.stem}", nbformat.reads(text.decode(), as_version=4))
    return files


def _executed(path: Path) -> bytes:
    notebook = nbformat.read(path, as_version=4)
    with TemporaryDirectory() as folder:
        sockets = Config({"ConnectionFileMixin": {"transport": "ipc", "ip": f"{folder}/kernel"}})
        NotebookClient(notebook, timeout=SECONDS, config=sockets).execute()
    return nbformat.writes(notebook).encode()


def page(name: str, notebook: Any) -> dict[str, str | bytes]:
    """Returns Markdown for an executed notebook, at `name`.md, and the pictures that it shows."""
    parts, pictures = [], {}
    for cell in notebook.cells:
        parts.append(cell.source if cell.cell_type == "markdown" else f"```python\n{cell.source}\n```")
        for output in cell.get("outputs", ()):
            parts.append(_shown(output, f"{name}_{len(pictures)}", pictures))
    download = f"The notebook: [`{Path(name).name}.ipynb`]({Path(name).name}.ipynb)."
    return {f"{name}.md": "\n\n".join([*parts, download]) + "\n", **pictures}


def _shown(output: Any, name: str, pictures: dict[str, str | bytes]) -> str:
    """Returns Markdown for one output; adds its picture, if it is one, to `pictures`."""
    if output.output_type == "stream":
        return _text(output.text)
    data = output.data
    if "text/html" in data:
        return f'<div class="notebook-output" markdown="0">\n{_without_blank_lines(data["text/html"])}\n</div>'
    for kind, suffix in PICTURES.items():
        if kind in data:
            pictures[f"{name}.{suffix}"] = base64.b64decode(data[kind])
            return f"![output]({Path(name).name}.{suffix})"
    return _text(data["text/plain"])


def _text(text: str) -> str:
    return f'<pre class="notebook-output">{html.escape(text.rstrip())}</pre>'


def _without_blank_lines(markup: str) -> str:
    """A blank line would end the block of HTML."""
    return "\n".join(line for line in markup.splitlines() if line.strip())
