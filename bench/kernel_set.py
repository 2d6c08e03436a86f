"""Inner loops of image code, one idiom each, with inputs and a schedule: what `bench.kernels` measures.

Each is written once for any front end `hl`. Where an idiom has a named operator there is a kernel for the operator and
one for the ordinary expression that means the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT = 2048, 20
Size = tuple[int, ...]
# A kernel's Func from the front end, its ImageParams by name, and two Vars.
Definition = Callable[..., Any]


@dataclass(frozen=True)
class Kernel:
    """`inputs`: the type (as u8, i16, f32) and size of each image, `x` first. `output`: those of the result.

    bf16: numbers in the bits of uint16. `lanes`: by what x is vectorized, None when the definition schedules itself.
    """

    name: str
    inputs: dict[str, tuple[str, Size]]
    output: tuple[str, Size]
    build: Definition
    lanes: int | None = None


KERNELS: dict[str, Kernel] = {}


def kernel(
    name: str, output: str, size: Size = (WIDTH, HEIGHT), own_schedule: bool = False, **inputs: Any
) -> Callable[[Definition], Definition]:
    """Adds a kernel: inputs as a="u8", or a=("u8", size) where they are not as large as the output."""
    arguments = {key: (value, size) if isinstance(value, str) else value for key, value in inputs.items()}
    lanes = None if own_schedule else 512 // int(output[1:])

    def add(build: Definition) -> Definition:
        KERNELS[name] = Kernel(name, arguments, (output, size), build, lanes)
        return build

    return add


def pixelwise(name: str, output: str, value: Callable[..., Any], **inputs: Any) -> None:
    """A kernel whose pixels are `value(hl, *pixels of the inputs)`."""

    def build(hl: Any, x: Any, y: Any, **images: Any) -> Any:
        func = hl.Func("out")
        func[x, y] = value(hl, *[image[x, y] for image in images.values()])
        return func

    kernel(name, output, **inputs)(build)


# Saturation, means, differences. Names in brackets: the same by a named operator.
pixelwise("add u8 saturated (operator)", "u8", lambda hl, a, b: hl.saturating_add(a, b), a="u8", b="u8")
pixelwise("add u8 saturated", "u8", lambda hl, a, b: hl.u8(hl.clamp(hl.i32(a) + hl.i32(b), 0, 255)), a="u8", b="u8")
pixelwise("add u8 saturated u16", "u8", lambda hl, a, b: hl.u8(hl.min(hl.u16(a) + b, 255)), a="u8", b="u8")
pixelwise("add i16 saturated (operator)", "i16", lambda hl, a, b: hl.saturating_add(a, b), a="i16", b="i16")
pixelwise(
    "add i16 saturated",
    "i16",
    lambda hl, a, b: hl.i16(hl.clamp(hl.i32(a) + hl.i32(b), -32768, 32767)),
    a="i16",
    b="i16",
)
pixelwise("sub u8 saturated (operator)", "u8", lambda hl, a, b: hl.saturating_sub(a, b), a="u8", b="u8")
pixelwise("sub u8 saturated", "u8", lambda hl, a, b: hl.u8(hl.max(hl.i16(a) - hl.i16(b), 0)), a="u8", b="u8")
pixelwise("sub u8 saturated select", "u8", lambda hl, a, b: hl.select(a > b, a - b, hl.u8(0)), a="u8", b="u8")
pixelwise("cast i16 u8 (operator)", "u8", lambda hl, a: hl.u8_sat(a), a="i16")
pixelwise("cast i16 u8", "u8", lambda hl, a: hl.u8(hl.clamp(a, 0, 255)), a="i16")
pixelwise("cast i32 i16", "i16", lambda hl, a: hl.i16(hl.clamp(a, -32768, 32767)), a="i32")
pixelwise("cast i32 u8", "u8", lambda hl, a: hl.u8(hl.clamp(a, 0, 255)), a="i32")
pixelwise("cast u16 u8", "u8", lambda hl, a: hl.u8(hl.min(a, 255)), a="u16")
pixelwise("cast f32 u8", "u8", lambda hl, a: hl.u8(hl.clamp(a * 255.0, 0.0, 255.0)), a="f32")
pixelwise("cast u8 f32", "f32", lambda hl, a: hl.f32(a) * hl.f32(1 / 255.0), a="u8")
pixelwise("mean u8 up (operator)", "u8", lambda hl, a, b: hl.rounding_halving_add(a, b), a="u8", b="u8")
pixelwise("mean u8 up", "u8", lambda hl, a, b: hl.u8((hl.u16(a) + hl.u16(b) + 1) / 2), a="u8", b="u8")
pixelwise("mean u8 up i32", "u8", lambda hl, a, b: hl.u8((hl.i32(a) + hl.i32(b) + 1) >> 1), a="u8", b="u8")
pixelwise("mean u16 up", "u16", lambda hl, a, b: hl.u16((hl.u32(a) + hl.u32(b) + 1) / 2), a="u16", b="u16")
pixelwise("mean u8 down (operator)", "u8", lambda hl, a, b: hl.halving_add(a, b), a="u8", b="u8")
pixelwise("mean u8 down", "u8", lambda hl, a, b: hl.u8((hl.u16(a) + hl.u16(b)) / 2), a="u8", b="u8")
pixelwise("mean i16 down (operator)", "i16", lambda hl, a, b: hl.halving_add(a, b), a="i16", b="i16")
pixelwise("mean i16 down", "i16", lambda hl, a, b: hl.i16((hl.i32(a) + hl.i32(b)) / 2), a="i16", b="i16")
pixelwise("absd u8 (operator)", "u8", lambda hl, a, b: hl.absd(a, b), a="u8", b="u8")
pixelwise("absd u8 select", "u8", lambda hl, a, b: hl.select(a > b, a - b, b - a), a="u8", b="u8")
pixelwise("absd u8 i32", "u8", lambda hl, a, b: hl.u8(hl.abs(hl.i32(a) - hl.i32(b))), a="u8", b="u8")
pixelwise("absd u16 (operator)", "u16", lambda hl, a, b: hl.absd(a, b), a="u16", b="u16")
pixelwise("absd i16 (operator)", "u16", lambda hl, a, b: hl.absd(a, b), a="i16", b="i16")

# Fixed point.
pixelwise("mulhi i16 (operator)", "i16", lambda hl, a, b: hl.mul_shift_right(a, b, 16), a="i16", b="i16")
pixelwise("mulhi i16", "i16", lambda hl, a, b: hl.i16((hl.i32(a) * hl.i32(b)) >> 16), a="i16", b="i16")
pixelwise("mulhi u16", "u16", lambda hl, a, b: hl.u16((hl.u32(a) * hl.u32(b)) >> 16), a="u16", b="u16")
pixelwise("mul i16 >> 15 up (op.)", "i16", lambda hl, a, b: hl.rounding_mul_shift_right(a, b, 15), a="i16", b="i16")
pixelwise("mul u8 >> 8", "u8", lambda hl, a, b: hl.u8((hl.u16(a) * b) >> 8), a="u8", b="u8")
pixelwise("mul u8 >> 8 i32", "u8", lambda hl, a, b: hl.u8((hl.i32(a) * b) >> 8), a="u8", b="u8")
pixelwise("round shift i16 by 4 (op.)", "i16", lambda hl, a: hl.rounding_shift_right(a, 4), a="i16")
pixelwise("round shift i16 by 4", "i16", lambda hl, a: hl.i16((hl.i32(a) + 8) >> 4), a="i16")
pixelwise(
    "madd i16 pair i32",
    "i32",
    lambda hl, a, b: hl.i32(a) * 25 + hl.i32(b) * -7,
    a="i16",
    b="i16",
)
pixelwise(
    "alpha blend u8",
    "u8",
    lambda hl, a, b, m: hl.u8((hl.i32(a) * hl.i32(m) + hl.i32(b) * (255 - hl.i32(m)) + 127) / 255),
    a="u8",
    b="u8",
    m="u8",
)
pixelwise("lerp u8 (operator)", "u8", lambda hl, a, b, m: hl.lerp(a, b, m), a="u8", b="u8", m="u8")
pixelwise("grey i32", "u8", lambda hl, r, g, b: hl.u8((77 * r + 150 * g + 29 * hl.i32(b)) >> 8), r="u8", g="u8", b="u8")
pixelwise("divide u8 by 3 i32", "u8", lambda hl, a, b: hl.u8((hl.i32(a) + b) / 3), a="u8", b="u8")
pixelwise("contrast i32", "u8", lambda hl, a: hl.u8(hl.clamp((hl.i32(a) - 128) * 3 / 2 + 140, 0, 255)), a="u8")
pixelwise("threshold u8", "u8", lambda hl, a: hl.select(a > 100, hl.u8(255), hl.u8(0)), a="u8")


def _row_filter(name: str, output: str, value: Callable[..., Any], kind: str) -> None:
    def build(hl: Any, x: Any, y: Any, a: Any) -> Any:
        func = hl.Func("out")
        func[x, y] = value(hl, lambda i: a[x + i, y])
        return func

    kernel(name, output, a=(kind, (WIDTH + 64, HEIGHT)))(build)


_row_filter(
    "binomial 3 u8 i32", "u8", lambda hl, a: hl.u8((hl.i32(a(0)) + 2 * hl.i32(a(1)) + hl.i32(a(2)) + 2) / 4), "u8"
)
_row_filter("sum 3 u8 u16 /3", "u8", lambda hl, a: hl.u8((hl.u16(a(0)) + a(1) + a(2)) / 3), "u8")
_row_filter(
    "taps 5 u8 i32",
    "u8",
    lambda hl, a: hl.u8(
        hl.clamp(
            (hl.i32(a(1)) * 19 + hl.i32(a(2)) * 32 + hl.i32(a(3)) * 19 - hl.i32(a(0)) * 3 - hl.i32(a(4)) * 3 + 32) >> 6,
            0,
            255,
        )
    ),
    "u8",
)
_row_filter("sobel u8 i16", "u8", lambda hl, a: hl.u8(hl.min(hl.abs(hl.i16(a(2)) - hl.i16(a(0))), 255)), "u8")
_row_filter(
    "taps 4 i16 i32",
    "i32",
    lambda hl, a: hl.i32(a(0)) * 3 + hl.i32(a(1)) * 17 + hl.i32(a(2)) * 17 + hl.i32(a(3)) * 3,
    "i16",
)


# Strides.
def _planes(name: str, kind: str, channels: int) -> None:
    @kernel(
        f"apart {channels} {kind}",
        kind,
        (WIDTH, HEIGHT // 2, channels),
        own_schedule=True,
        a=(kind, (channels, WIDTH, HEIGHT // 2)),
    )
    def apart(hl: Any, x: Any, y: Any, a: Any) -> Any:
        c, func = hl.Var("c"), hl.Func("out")
        func[x, y, c] = a[c, x, y]
        a.dim(0).set_bounds(0, channels).set_stride(1)
        a.dim(1).set_stride(channels)
        func.bound(c, 0, channels).reorder(c, x, y).vectorize(x, 512 // int(kind[1:])).unroll(c)
        return func

    @kernel(
        f"together {channels} {kind}",
        kind,
        (channels, WIDTH, HEIGHT // 2),
        own_schedule=True,
        a=(kind, (WIDTH, HEIGHT // 2, channels)),
    )
    def together(hl: Any, x: Any, y: Any, a: Any) -> Any:
        c, func = hl.Var("c"), hl.Func("out")
        func[c, x, y] = a[x, y, c]
        output = func.output_buffer()
        output.dim(0).set_bounds(0, channels).set_stride(1)
        output.dim(1).set_stride(channels)
        func.bound(c, 0, channels).reorder(c, x, y).vectorize(x, 512 // int(kind[1:])).unroll(c)
        return func


for _kind in ("u8", "u16", "f32"):
    for _channels in (2, 3, 4):
        _planes("", _kind, _channels)


def _sampled(kind: str) -> None:
    @kernel(f"every other {kind}", kind, a=(kind, (2 * WIDTH, HEIGHT)))
    def down(hl: Any, x: Any, y: Any, a: Any) -> Any:
        func = hl.Func("out")
        func[x, y] = a[2 * x, y]
        return func

    @kernel(f"mean of two {kind}", kind, a=(kind, (2 * WIDTH, HEIGHT)))
    def half(hl: Any, x: Any, y: Any, a: Any) -> Any:
        func = hl.Func("out")
        both = a[2 * x, y], a[2 * x + 1, y]
        func[x, y] = (both[0] + both[1]) * 0.5 if kind == "f32" else hl.rounding_halving_add(*both)
        return func

    @kernel(f"twice {kind}", kind, a=(kind, (WIDTH // 2, HEIGHT)))
    def up(hl: Any, x: Any, y: Any, a: Any) -> Any:
        func = hl.Func("out")
        func[x, y] = a[x / 2, y]
        return func


for _kind in ("u8", "u16", "f32"):
    _sampled(_kind)


def _table(kind: str) -> None:
    @kernel(f"table u8 {kind}", kind, a="u8", table=(kind, (256,)))
    def look_up(hl: Any, x: Any, y: Any, a: Any, table: Any) -> Any:
        func = hl.Func("out")
        func[x, y] = table[hl.i32(a[x, y])]
        return func


for _kind in ("u8", "u16", "f32"):
    _table(_kind)


# Reductions along a row by the lanes of vectors.
def _reduction(name: str, output: str, update: Callable[..., Any], lanes: int, **inputs: Any) -> None:
    """`update(hl, old, *pixels)` for every pixel of a row."""

    def build(hl: Any, x: Any, y: Any, **images: Any) -> Any:
        func, r = hl.Func("out"), hl.RDom([(0, WIDTH)])
        images[next(iter(images))].dim(0).set_min(0)
        start = {"min": 255, "max": 0}.get(name.split()[0], 0)
        func[y] = hl.cast(getattr(hl, _TYPES[output[0]])(int(output[1:])), start)
        func[y] = update(hl, func[y], *[image[r, y] for image in images.values()])
        outer, inner = hl.RVar("outer"), hl.RVar("inner")
        func.update().split(r, outer, inner, lanes).atomic().vectorize(inner)
        return func

    arguments = {key: (kind, (WIDTH, HEIGHT)) for key, kind in inputs.items()}
    kernel(name, output, (HEIGHT,), own_schedule=True, **arguments)(build)


def _bfloat(hl: Any, bits: Any) -> Any:
    return hl.f32(hl.reinterpret(hl.BFloat(16), bits))


_TYPES = {"u": "UInt", "i": "Int", "f": "Float"}
_reduction("sum u8 u32", "u32", lambda hl, old, a: old + hl.u32(a), 64, a="u8")
_reduction("sum u8 i32", "i32", lambda hl, old, a: old + hl.i32(a), 64, a="u8")
_reduction("sum i8 i32", "i32", lambda hl, old, a: old + hl.i32(a), 64, a="i8")
_reduction("sum u8 u16", "u16", lambda hl, old, a: old + hl.u16(a), 64, a="u8")
_reduction("sum i16 i32", "i32", lambda hl, old, a: old + hl.i32(a), 32, a="i16")
_reduction("sum u16 u32", "u32", lambda hl, old, a: old + hl.u32(a), 32, a="u16")
_reduction("sum f32", "f32", lambda hl, old, a: old + a, 64, a="f32")
_reduction("max u8", "u8", lambda hl, old, a: hl.max(old, a), 64, a="u8")
_reduction("min i16", "i16", lambda hl, old, a: hl.min(old, a), 32, a="i16")
_reduction("max f32", "f32", lambda hl, old, a: hl.max(old, a), 64, a="f32")
_reduction("sad u8 u32", "u32", lambda hl, old, a, b: old + hl.u32(hl.absd(a, b)), 64, a="u8", b="u8")
_reduction("dot i16 i32", "i32", lambda hl, old, a, b: old + hl.i32(a) * hl.i32(b), 32, a="i16", b="i16")
_reduction("dot u8 u8 u32", "u32", lambda hl, old, a, b: old + hl.u32(a) * hl.u32(b), 64, a="u8", b="u8")
_reduction("dot u8 i8 i32", "i32", lambda hl, old, a, b: old + hl.i32(a) * hl.i32(b), 64, a="u8", b="i8")
_reduction("dot i8 i8 i32", "i32", lambda hl, old, a, b: old + hl.i32(a) * hl.i32(b), 64, a="i8", b="i8")
_reduction("dot f32", "f32", lambda hl, old, a, b: old + a * b, 64, a="f32", b="f32")
_reduction("dot bf16 f32", "f32", lambda hl, old, a, b: old + _bfloat(hl, a) * _bfloat(hl, b), 32, a="bf16", b="bf16")


def _groups(name: str, output: str, kinds: tuple[str, str], group: int) -> None:
    """Dot products of `group` neighbours, one for each lane of the result: the shape of matrix products."""
    size = {"a": (kinds[0], (group, WIDTH, HEIGHT // 4)), "b": (kinds[1], (group, WIDTH, HEIGHT // 4))}

    @kernel(name, output, (WIDTH, HEIGHT // 4), own_schedule=True, **size)
    def build(hl: Any, x: Any, y: Any, a: Any, b: Any) -> Any:
        func, r = hl.Func("out"), hl.RDom([(0, group)])
        wide = getattr(hl, _TYPES[output[0]])(int(output[1:]))
        for image in (a, b):
            image.dim(0).set_bounds(0, group)
            image.dim(1).set_stride(group)
        func[x, y] = hl.cast(wide, 0)
        factors = a[r, x, y], b[r, x, y]
        first, second = [_bfloat(hl, e) if kinds[0] == "bf16" else hl.cast(wide, e) for e in factors]
        func[x, y] += first * second
        xi = hl.Var("xi")
        func.vectorize(x, 16)
        func.update().split(x, x, xi, 16).reorder(r, xi, x, y).atomic().vectorize(xi).vectorize(r)
        return func


_groups("dot 4 u8 i8 i32", "i32", ("u8", "i8"), 4)
_groups("dot 4 u8 u8 u32", "u32", ("u8", "u8"), 4)
_groups("dot 2 i16 i32", "i32", ("i16", "i16"), 2)
_groups("dot 2 bf16 f32", "f32", ("bf16", "bf16"), 2)
