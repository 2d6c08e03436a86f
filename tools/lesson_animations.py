"""The animations of the lessons about scheduling: `python -m tools.lesson_animations` writes docs/images/lessons/."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pipec as hl

FOLDER = Path(__file__).parent.parent / "docs" / "images" / "lessons"
SIZES, SECONDS = (16, 12), 8.0

x, y, xi, yi = hl.vars("x y xi yi")


def gradient() -> hl.Func:
    """One stage, as in lesson 4."""
    f = hl.Func("gradient")
    f[x, y] = x + y
    return f


def stencil() -> tuple[hl.Func, hl.Func]:
    """A producer and a consumer that reads four of its points, as in lesson 5."""
    producer, consumer = hl.Func("producer"), hl.Func("consumer")
    producer[x, y] = hl.sin(x * y)
    consumer[x, y] = producer[x, y] + producer[x, y + 1] + producer[x + 1, y] + producer[x + 1, y + 1]
    return producer, consumer


def rows() -> hl.Func:
    return gradient()


def columns() -> hl.Func:
    return gradient().reorder(y, x)


def tiles() -> hl.Func:
    return gradient().tile(x, y, xi, yi, 4, 4)


def vectors() -> hl.Func:
    return gradient().vectorize(x, 4)


def root() -> hl.Func:
    producer, consumer = stencil()
    producer.compute_root()
    return consumer


def at_row() -> hl.Func:
    producer, consumer = stencil()
    producer.compute_at(consumer, y)
    return consumer


def sliding() -> hl.Func:
    producer, consumer = stencil()
    producer.store_root().compute_at(consumer, y)
    return consumer


def at_tile() -> hl.Func:
    producer, consumer = stencil()
    consumer.tile(x, y, xi, yi, 4, 4)
    producer.compute_at(consumer, x)
    return consumer


ANIMATIONS: tuple[Callable[[], hl.Func], ...] = (rows, columns, tiles, vectors, root, at_row, sliding, at_tile)


def main() -> None:
    """Writes one GIF for each schedule."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for build in ANIMATIONS:
        animation = build().visualize(sizes=SIZES)
        animation.save(FOLDER / f"{build.__name__}.gif", seconds=SECONDS)


if __name__ == "__main__":
    main()
