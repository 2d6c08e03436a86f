"""The lessons in docs/tutorials as pages: comments between the statements become prose."""

from __future__ import annotations

import ast
import re
from pathlib import Path

COMMENT = re.compile(r"(?:^# ?.*\n)+", re.M)


def pages(folder: Path) -> dict[str, str | bytes]:
    """Returns a page for each lesson, by its path in docs/."""
    return {f"tutorials/{path.stem}.md": page(path) for path in sorted(folder.glob("lesson_*.py"))}


def page(path: Path) -> str:
    """Returns Markdown: the docstring as title and introduction, then comments and code in turn."""
    source = path.read_text()
    heading, _, introduction = (ast.get_docstring(ast.parse(source)) or "").partition("\n")
    title, _, subject = heading.rstrip(".").partition(" - ")
    code = source.split('"""', 2)[2]
    link = f"[`{path.name}`]({path.name})"
    parts = [f"# {title}", f"*{subject}* ({link})" if subject else link, introduction.strip()]
    end = 0
    for comment in COMMENT.finditer(code):
        parts += [_fenced(code[end : comment.start()]), re.sub(r"^# {0,3}", "", comment[0], flags=re.M)]
        end = comment.end()
    return "\n\n".join(part for part in (*parts, _fenced(code[end:])) if part) + "\n"


def _fenced(code: str) -> str:
    """Returns the code as a block, or nothing for empty lines."""
    return f"```python\n{code.strip(chr(10)).rstrip()}\n```" if code.strip() else ""
