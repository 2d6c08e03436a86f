"""The compile cache on disk: one file an entry, written by atomic rename, read only where nobody else could write it.

An entry is its key and its contents with a digest over both. One that is damaged, was written by another version, or
lies under the name of another key counts as missing, so that it is compiled again and replaced.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
import time
import zlib
from typing import NamedTuple

from pipec.diagnostics import warn_once
from pipec.diagnostics import write as write_log
from pipec.jit.objects.private_folder import create_folder, folder_problem, read_own_file, tighten
from pipec.user_folders import user_cache_folder

MAGIC = b"pipec-cache-2\n"
SUFFIX = ".obj"
PARTIAL = "new-"
"""The prefix of files that are still being written."""
PARTIAL_SECONDS = 3600.0
"""Older files with this prefix were left by killed processes."""
DIGEST_BYTES = 32  # of SHA-256
# Lengths of the key and of the contents, and the digest; key and contents follow.
_HEADER = struct.Struct(f"<{len(MAGIC)}sIQ{DIGEST_BYTES}s")
# When the cache grows past this, the least recently used files are deleted, down to three quarters of it.
DEFAULT_LIMIT = 1 << 30
# About one in so many stores checks the size of the cache, until a process knows that there is room.
SHRINK_EVERY = 16
# A process that has checked it stores this share of the room before the next check: others store, too.
ROOM_SHARE = 1 / 16

# The folder that was last found to be safe, with properties that change if it is replaced.
_safe: tuple[str, int, int, int, int] | None = None
# The bytes that this process may still store in a folder, under a limit, before it checks the size.
_room: dict[tuple[str, int], float] = {}


class CacheContents(NamedTuple):
    """The state of the cache, as `pipec cache` shows it."""

    folder: str
    files: int
    bytes: int


def folder() -> str:
    """PIPEC_CACHE_DIR, or the user's cache folder."""
    return os.environ.get("PIPEC_CACHE_DIR") or user_cache_folder()


def enabled() -> bool:
    """Whether there is a cache on disk: not when PIPEC_CACHE is 0."""
    return os.environ.get("PIPEC_CACHE", "1") != "0"


def key_of(*parts: str | bytes) -> str:
    """A key from everything that the object depends on."""
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def load(key: str, suffix: str = SUFFIX) -> bytes | None:
    """Returns the contents of the entry of a key; None when there is none that is whole and can be trusted."""
    if not enabled():
        return None
    place = folder()
    if not _is_safe(place):
        return None
    path = os.path.join(place, key + suffix)
    data = read_own_file(path)
    body = None if data is None else _contents_of(data, key)
    if body is None:
        if data is not None:
            write_log("cache", f"{path} is damaged: compiling again")
        return None
    try:
        os.utime(path)
    except OSError:
        pass  # the cache may be read-only
    write_log("cache", f"found {path}")
    return body


def store(key: str, body: bytes, suffix: str = SUFFIX) -> None:
    """Writes the entry of a key; warns once of a folder that cannot be written to."""
    if not enabled():
        return
    # It takes long to import, and most processes store nothing.
    import tempfile

    place = folder()
    path = os.path.join(place, key + suffix)
    try:
        create_folder(place)
        if not _is_safe(place):
            return
        handle, temporary = tempfile.mkstemp(dir=place, prefix=PARTIAL)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_entry(key, body))
            os.replace(temporary, path)
        except BaseException:
            _delete(temporary)
            raise
    except OSError as error:
        warn_once(
            f"Compiled code cannot be cached in {place}: {error.strerror}. It is compiled again in each process; "
            "set PIPEC_CACHE_DIR to a folder that can be written to, or PIPEC_CACHE=0 to switch the cache off."
        )
        return
    limit = _limit()
    _room[place, limit] = _room.get((place, limit), 0.0) - len(body)
    if _room[place, limit] <= 0 and zlib.crc32(key.encode()) % SHRINK_EVERY == 0:
        _room[place, limit] = (limit - _shrink(place, limit)) * ROOM_SHARE


def _entry(key: str, body: bytes) -> bytes:
    name = key.encode()
    return _HEADER.pack(MAGIC, len(name), len(body), _digest(name, body)) + name + body


def _contents_of(data: bytes, key: str) -> bytes | None:
    """The contents of an entry, if it is whole and that of `key`."""
    if len(data) < _HEADER.size:
        return None
    magic, key_bytes, body_bytes, digest = _HEADER.unpack_from(data)
    if magic != MAGIC or len(data) != _HEADER.size + key_bytes + body_bytes:
        return None
    name, body = data[_HEADER.size : _HEADER.size + key_bytes], data[_HEADER.size + key_bytes :]
    return body if name == key.encode() and digest == _digest(name, body) else None


def _digest(name: bytes, body: bytes) -> bytes:
    digest = hashlib.sha256(len(name).to_bytes(8, "little") + name)
    digest.update(body)
    return digest.digest()


def _is_safe(place: str) -> bool:
    """Whether nobody else could have written to the folder; a warning says once why it is not used."""
    global _safe
    try:
        status = os.stat(place)
    except OSError:
        return False  # there is none yet, or it cannot be read: no entries
    identity = (place, status.st_dev, status.st_ino, status.st_uid, status.st_mode)
    if identity == _safe:
        return True
    if not os.environ.get("PIPEC_CACHE_DIR"):
        tighten(place)  # earlier versions made it readable
    problem = folder_problem(place)
    if problem:
        warn_once(
            f"The compile cache {place} is not used, since other users might have put machine code there: {problem}."
            " Until then everything is compiled again in each process. PIPEC_CACHE_DIR names another folder;"
            " PIPEC_CACHE=0 switches the cache off."
        )
        return False
    _safe = identity
    return True


def contents() -> CacheContents:
    """Returns the folder of the cache, and the number and bytes of its entries."""
    sizes = [size for _, size, _ in _files(folder())]
    return CacheContents(folder(), len(sizes), sum(sizes))


def clear() -> CacheContents:
    """Deletes all entries; returns what there was."""
    before = contents()
    for _, _, path in _files(before.folder):
        _delete(path)
    _remove_partial(before.folder)
    return before


def _files(place: str, prefix: str = "") -> list[tuple[float, int, str]]:
    """(time of last use, bytes, path) of all entries, oldest first; of files still being written with PARTIAL."""
    files = []
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                if entry.name.startswith(prefix) if prefix else entry.name.endswith(SUFFIX):
                    try:
                        status = entry.stat()
                    except FileNotFoundError:
                        continue
                    files.append((status.st_mtime, status.st_size, entry.path))
    except OSError:
        return []
    return sorted(files)


def _remove_partial(place: str) -> None:
    """Deletes what processes left that were killed while they wrote an entry."""
    for written, _, path in _files(place, prefix=PARTIAL):
        if written < time.time() - PARTIAL_SECONDS:
            _delete(path)


def _delete(path: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def _limit() -> int:
    text = os.environ.get("PIPEC_CACHE_BYTES", "")
    return int(text) if text.isdigit() else DEFAULT_LIMIT


def _shrink(place: str, limit: int) -> int:
    """Deletes the least recently used entries where all together exceed the limit; returns the bytes that remain."""
    _remove_partial(place)
    files = _files(place)
    total = sum(size for _, size, _ in files)
    if total <= limit:
        return total
    for _, size, path in files[:-1]:
        if total <= limit * 3 // 4:
            break
        _delete(path)
        total -= size
    return total
