"""The journal of a tiled run: which tiles are finished, so that a run that was ended goes on where it was.

A file of JSON lines: a header that identifies the run, then one line for each finished tile with the digest of its
elements. A last line that was cut off is ignored.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipec.errors import ArgumentError

FORMAT = "pipec tiled run 1"


def digest_of(array: np.ndarray) -> str:
    """The BLAKE2b digest of the elements in C order."""
    elements = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return hashlib.blake2b(elements.data, digest_size=16).hexdigest()


class Journal:
    """The journal in `path`; None keeps none. `identity`: what a run that goes on must have in common."""

    def __init__(self, path: str | os.PathLike[str] | None, identity: Mapping[str, Any]) -> None:
        self._file: io.FileIO | None = None
        self.header: dict[str, Any] = {}
        self.tiles: dict[int, list[str]] = {}
        self._values: dict[str, list[np.ndarray]] = {}
        self._path, self._identity = None if path is None else os.fspath(path), dict(identity)
        if self._path is not None and os.path.exists(self._path):
            self._read(self._path)

    @property
    def active(self) -> bool:
        """Whether finished tiles are recorded."""
        return self._path is not None

    def _read(self, path: str) -> None:
        with open(path, "rb") as file:
            data = file.read()
        lines = [_parsed(line) for line in data.splitlines()]
        header = lines[0] if lines else None
        if header is None:
            if data.strip() and not data.lstrip().startswith(b"{"):
                raise ArgumentError(f"Error: resume={path!r} is no journal of a tiled run; name another file.")
            return
        if header.get("format") != FORMAT:
            raise ArgumentError(f"Error: resume={path!r} is no journal of a tiled run; name another file.")
        for name, value in self._identity.items():
            if header.get(name) != value:
                raise ArgumentError(
                    f"Error: resume={path!r} belongs to a run with another {name} ({header.get(name)}, now {value})."
                    " Remove the file to start again."
                )
        self.header = header
        for line in filter(None, lines[1:]):
            if "tile" in line:
                self.tiles[line["tile"]] = line["digests"]
            elif "reduction" in line:
                self._values[line["reduction"]] = [_array(text) for text in line["values"]]

    def start(self, **facts: Any) -> None:
        """Writes the header, unless an earlier run did. `facts`: what this run decided."""
        if self._path is None:
            return
        if not self.header:
            self.header = {"format": FORMAT, **self._identity, **facts}
            self.tiles, self._values = {}, {}
            self._file = io.FileIO(self._path, "w")
            self._append(self.header)
        else:
            self._file = io.FileIO(self._path, "a")
            # After a line that was cut off.
            self._write(b"\n")

    def _append(self, line: Mapping[str, Any]) -> None:
        self._write(json.dumps(line).encode() + b"\n")

    def _write(self, data: bytes) -> None:
        # Without a buffer: one that a full disk refused would be written once more when the file is closed.
        while data and self._file is not None:
            try:
                data = data[self._file.write(data) :]
            except OSError as error:
                raise OSError(error.errno, error.strerror, self._path) from error

    def finish(self, tile: int, digests: list[str]) -> None:
        """Records a tile that is in the destinations."""
        self._append({"tile": tile, "digests": digests})

    def reduction(self, name: str) -> list[np.ndarray] | None:
        """The values of a whole-image reduction that an earlier run finished."""
        return self._values.get(name)

    def finish_reduction(self, name: str, values: list[np.ndarray]) -> None:
        """Records the values of a whole-image reduction."""
        self._append({"reduction": name, "values": [_text(value) for value in values]})

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _parsed(line: bytes) -> dict[str, Any] | None:
    """The content of a line; None when it is cut off."""
    try:
        data = json.loads(line)
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def _text(array: np.ndarray) -> str:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return base64.b64encode(file.getvalue()).decode()


def _array(text: str) -> np.ndarray:
    array: np.ndarray = np.load(io.BytesIO(base64.b64decode(text)), allow_pickle=False)
    return array
