"""Object code made callable in this process: by our own loader where that will do, else by LLVM."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipec.jit.llvm.engine import engine
from pipec.jit.objects import elf


def link(data: bytes, exports: tuple[str, ...], imports: Mapping[str, int]) -> Any:
    """Something that keeps the code loaded and gives the addresses of `exports` by name."""
    image = elf.load(data, exports, imports)
    return image if image is not None else engine().link(data, exports, imports, process=True)
