"""What takes long to make for the site, in out/site-cache."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "out" / "site-cache"


def cached(key: bytes, name: str, make: Callable[[], bytes]) -> bytes:
    """Returns what `make` returned when it was last called with this key, file name, and sources of pipec and apps."""
    digest = hashlib.sha256(_sources() + key).hexdigest()[:16]
    path = FOLDER / f"{digest}-{name}"
    if not path.exists():
        content = make()
        FOLDER.mkdir(parents=True, exist_ok=True)
        for old in FOLDER.glob(f"*-{name}"):
            old.unlink()
        path.write_bytes(content)
    return path.read_bytes()


@cache
def _sources() -> bytes:
    """A digest of all sources that outputs may depend on."""
    paths = sorted(path for folder in ("pipec", "apps", "tools/site") for path in (ROOT / folder).rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).digest()
