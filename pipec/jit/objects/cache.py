"""The disk cache of object code: one file for each key, written by atomic rename, checked when read."""

from __future__ import annotations

import hashlib
import os
import zlib
from pathlib import Path
from typing import NamedTuple

from pipec.diagnostics import warn_once
from pipec.diagnostics import write as write_log

MAGIC = b"pipec-object-1\n"
SUFFIX = ".obj"
# When the cache grows past this, the files not used for longest go, down to three quarters of it.
DEFAULT_LIMIT = 1 << 30
# About one in so many stores looks whether the cache has grown too large.
SHRINK_EVERY = 16


class CacheContents(NamedTuple):
    """What `pipec cache` shows."""

    folder: Path
    files: int
    bytes: int


def folder() -> Path:
    """PIPEC_CACHE_DIR, or the user's cache folder."""
    asked = os.environ.get("PIPEC_CACHE_DIR")
    if asked:
        return Path(asked)
    import platformdirs

    return Path(platformdirs.user_cache_dir("pipec", appauthor=False))


def enabled() -> bool:
    """Whether objects are kept on disk: not when PIPEC_CACHE is 0."""
    return os.environ.get("PIPEC_CACHE", "1") != "0"


def key_of(*parts: str | bytes) -> str:
    """A key from everything that the object depends on."""
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def load(key: str) -> bytes | None:
    """The object kept under a key; None when there is none or it is damaged."""
    if not enabled():
        return None
    path = _path(key)
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head = len(MAGIC) + 8
    body = data[head:]
    checks = zlib.crc32(body) == int.from_bytes(data[head - 8 : head - 4], "little")
    whole = len(body) == int.from_bytes(data[head - 4 : head], "little")
    if not data.startswith(MAGIC) or not checks or not whole:
        write_log("cache", f"{path} is damaged: compiling again")
        return None
    try:
        os.utime(path)
    except OSError:
        pass  # a cache that may only be read serves all the same
    write_log("cache", f"found {path}")
    return body


def store(key: str, body: bytes) -> None:
    """Keep an object; a folder that cannot be written to is warned of once."""
    if not enabled():
        return
    # It takes long to import, and most processes find what they need.
    import tempfile

    path = _path(key)
    check = zlib.crc32(body).to_bytes(4, "little") + len(body).to_bytes(4, "little")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix="new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MAGIC + check + body)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        warn_once(
            f"Compiled code cannot be kept in {path.parent}: {error.strerror}. It is compiled again in each process; "
            "set PIPEC_CACHE_DIR to a folder that can be written to, or PIPEC_CACHE=0 to switch the cache off."
        )
        return
    # Looking through a folder of many files takes long: once in a while is enough.
    if zlib.crc32(key.encode()) % SHRINK_EVERY == 0:
        _shrink(path.parent)


def contents() -> CacheContents:
    """How much is kept where."""
    sizes = [size for _, size, _ in _files(folder())]
    return CacheContents(folder(), len(sizes), sum(sizes))


def clear() -> CacheContents:
    """Delete everything that is kept; returns what there was."""
    before = contents()
    for _, _, path in _files(before.folder):
        path.unlink(missing_ok=True)
    return before


def _path(key: str) -> Path:
    return folder() / (key + SUFFIX)


def _files(place: Path) -> list[tuple[float, int, Path]]:
    """(time of last use, bytes, path) of all objects, oldest first."""
    found = []
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name.endswith(SUFFIX):
                    try:
                        status = entry.stat()
                    except FileNotFoundError:
                        continue
                    found.append((status.st_mtime, status.st_size, Path(entry.path)))
    except OSError:
        return []
    return sorted(found)


def _limit() -> int:
    text = os.environ.get("PIPEC_CACHE_BYTES", "")
    return int(text) if text.isdigit() else DEFAULT_LIMIT


def _shrink(place: Path) -> None:
    limit = _limit()
    files = _files(place)
    total = sum(size for _, size, _ in files)
    if total <= limit:
        return
    for _, size, path in files[:-1]:
        if total <= limit * 3 // 4:
            break
        path.unlink(missing_ok=True)
        total -= size
