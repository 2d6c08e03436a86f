"""What mypy must refuse: each line that is wrong says so, and mypy complains about the note where it is needless."""

from __future__ import annotations

import pipec as hl


def wrong() -> None:
    x, y = hl.vars("x y")
    f = hl.Func("f")
    image = hl.ImageParam(hl.UInt(8), 2)
    f[x, y] = object()  # type: ignore[assignment]
    f[x, y] = "text"  # type: ignore[assignment]
    f[x, y] = None  # type: ignore[assignment]
    f["x"] = 1  # type: ignore[index]
    f[x, object()] = 1  # type: ignore[index]
    x + object()  # type: ignore[arg-type]
    hl.sqrt("2")  # type: ignore[arg-type]
    hl.clamp(x, 0)  # type: ignore[call-arg]
    hl.cast(8, x)  # type: ignore[arg-type]
    hl.u8(None)  # type: ignore[arg-type]
    image["x"]  # type: ignore[index]
    f.vectorize("x", 8)  # type: ignore[arg-type]
    f.split(x, y, 4, 8)  # type: ignore[arg-type]
    f.split(x, y)  # type: ignore[call-arg]
    f.vectorise(x)  # type: ignore[attr-defined]
    f.parallel(x, tail="GuardWithIf")  # type: ignore[arg-type]
    hl.Var(3)  # type: ignore[arg-type]
    hl.Pipeline("f")  # type: ignore[arg-type]
    width: str = hl.Buffer(hl.UInt(8), [4]).width()  # type: ignore[assignment]
    hl.select(x < 1, object(), 0)  # type: ignore[call-overload]
    f.realize("16")  # type: ignore[arg-type]
    f.realize([4, 4], "host")  # type: ignore[call-overload]
    hl.nonsense(width)  # type: ignore[attr-defined]
    hl.Buffer("pixels")  # type: ignore[call-overload]
    hl.Buffer(hl.UInt(8), 4)  # type: ignore[call-overload]
    hl.Buffer(hl.UInt(8), [4], axes="x")  # type: ignore[call-overload]
