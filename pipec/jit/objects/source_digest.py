"""Digests of pipec's own sources: what a cache holds of one compiler is of no use to another."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache as once

from pipec.jit.objects import cache
from pipec.version import __version__, install_dir

CODE_GENERATOR = ("jit",)
"""What makes machine code of a lowered program."""
COMPILER = ("bounds", "ir", "jit", "lower", "pipeline/calls/program_facts.py", "schedule", "target")
"""What makes machine code of a definition and a schedule, and what writes it into the compile cache."""
DEFAULT_SCHEDULER = ("autodiff", "autoschedule", "bounds", "func", "ir", "schedule", "serialization", "target")
"""What makes the gradients and the default schedule of a definition, and what writes them into the cache."""
_SUFFIXES = (".py", ".ll")


@once
def source_digest(sources: tuple[str, ...]) -> str:
    """Returns a digest of the contents of files of the package, and of those in folders of it.

    It is the same for equal sources, whenever and however they were installed. To read them all takes 10 ms, so the
    digest is cached under the names, sizes and times of the files, which take 1 ms; any change of a file changes these.
    """
    top = install_dir()
    try:
        files = sorted([file for source in sources for file in _files(os.path.join(top, source))])
    except OSError:
        return __version__  # the package lies in an archive
    stamps = [f"{path} {s.st_size} {s.st_mtime_ns} {s.st_ctime_ns} {s.st_ino}" for path, s in files]
    key = cache.key_of("sources", __version__, *stamps)
    cached = cache.load(key)
    if cached is not None:
        return cached.decode()
    parts: list[str | bytes] = [__version__]
    for path, _ in files:
        with open(path, "rb") as file:
            parts += [os.path.relpath(path, top), file.read()]
    digest = cache.key_of(*parts)
    cache.store(key, digest.encode())
    return digest


def _files(path: str) -> Iterator[tuple[str, os.stat_result]]:
    """The source files at or below a path, with what the file system says of them."""
    if path.endswith(_SUFFIXES):
        yield path, os.stat(path)
        return
    with os.scandir(path) as entries:
        for entry in entries:
            if entry.name.endswith(_SUFFIXES):
                yield entry.path, entry.stat()
            elif entry.is_dir() and entry.name != "__pycache__":
                yield from _files(entry.path)
