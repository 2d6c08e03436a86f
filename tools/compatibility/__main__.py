"""Write docs/compatibility.md."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.compatibility.page import missing, page, unused_reasons

PAGE = Path(__file__).parent.parent.parent / "docs" / "compatibility.md"


def main() -> None:
    text = page()
    PAGE.write_text(text, encoding="utf-8")
    sys.stdout.write("\n".join(line for line in text.splitlines() if line.startswith("|")) + "\n")
    for pattern in unused_reasons(missing()):
        sys.stdout.write(f"no longer needed in tools/compatibility/reasons.py: {pattern}\n")


if __name__ == "__main__":
    main()
