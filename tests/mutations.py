"""Damaged copies of files, drawn from a seed: what every reader must survive or refuse with an error of its own."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

DEEP = 100_000
"""Brackets of a text that no recursive reader follows to its end."""
_STRANGE = (
    *(None, True, False, -1, 0, 1, 3, 255, 1 << 31, 1 << 40, -(1 << 63), 1 << 70, 10**400),
    *(0.5, -0.0, 1e308, float("nan"), float("inf"), float("-inf")),
    *("", "x", "Int", "__root", "\udc80", "a" * 10_000, [], {}, [0, 1], [[]], ["Expr"], {"do": "Split"}),
)


def of_bytes(data: bytes, count: int, seed: int = 1) -> Iterator[bytes]:
    """Copies with bits flipped, cut short, or with parts taken out, repeated, exchanged or overwritten."""
    rng = Random(seed)
    for _ in range(count):
        damaged = bytearray(data)
        for _ in range(rng.choice((1, 1, 1, 2, 8))):
            _damage(rng, damaged)
        yield bytes(damaged)


def _damage(rng: Random, data: bytearray) -> None:
    at = rng.randrange(len(data)) if data else 0
    end = min(len(data), at + rng.choice((1, 2, 4, 16, 1000)))
    match rng.randrange(7):
        case 0 | 1 if data:
            data[at] ^= 1 << rng.randrange(8)
        case 2:
            del data[at:]
        case 3:
            del data[at:end]
        case 4:
            data[at:at] = data[at:end]
        case 5:
            data[at:end] = bytes([rng.choice((0, 255))]) * (end - at)
        case _:
            data[at:at] = rng.randbytes(rng.choice((1, 4)))


def of_json(text: str, count: int, seed: int = 1) -> Iterator[str]:
    """Copies of JSON text in which values have other types, are missing, repeated, exchanged, or nest too deep."""
    rng = Random(seed)
    whole = json.loads(text)
    yield "[" * DEEP
    yield text.replace("[", "[" * DEEP, 1)
    for _ in range(count - 2):
        if rng.random() < 0.1:
            yield next(of_bytes(text.encode(), 1, rng.randrange(1 << 30))).decode("utf-8", "replace")
            continue
        damaged = copy.deepcopy(whole)
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            damaged = _changed(rng, damaged)
        yield json.dumps(damaged)


def _changed(rng: Random, root: Any) -> Any:
    """The document with one of its values changed."""
    places = list(_places(root))
    if not places:
        return rng.choice(_STRANGE)
    # Values high up and such as have few beside them would seldom be drawn otherwise.
    depth = rng.choice(sorted({depth for _, _, depth in places}))
    parent, key, _ = rng.choice([place for place in places if place[2] == depth])
    other, place, _ = rng.choice(places)
    match rng.randrange(8):
        case 0 | 1 | 2:
            parent[key] = copy.deepcopy(rng.choice(_STRANGE))
        case 3:
            del parent[key]
        case 4:
            parent[key] = copy.deepcopy(other[place])
        case 5 if isinstance(parent, list):
            parent.insert(key, copy.deepcopy(parent[key]))
        case 6 if isinstance(parent, dict):
            parent["renamed"] = parent.pop(key)
        case 7 if isinstance(parent[key], int | float) and not isinstance(parent[key], bool):
            parent[key] = rng.choice((parent[key] + 1, parent[key] - 1, -parent[key], str(parent[key]), [parent[key]]))
        case _:
            parent[key] = [parent[key]]
    return root


def _places(root: Any, depth: int = 0) -> Iterator[tuple[Any, Any, int]]:
    """(container, key or index, depth) of every value below the root."""
    keys = list(root) if isinstance(root, dict) else range(len(root)) if isinstance(root, list) else ()
    for key in keys:
        yield root, key, depth
        yield from _places(root[key], depth + 1)
