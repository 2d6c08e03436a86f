"""Named axes: from the order of a numpy array's axes, written "yxc", to the order of a Buffer's dimensions."""

from __future__ import annotations

from pipec.errors import ArgumentError

# The order of a Buffer's dimensions where the text does not give one.
ORDER = "xyzcn"
_USAGE = (
    'Name every axis of the array once, first axis first, with the letters x, y, z, c, n: "yx" for rows of pixels,'
    ' "yxc" for interleaved colours, "cyx" for planes. The dimensions of the Buffer are these letters in the order'
    ' x, y, z, c, n; "yxc->cxy" gives another order, and then any letters.'
)


def axes_order(axes: str, ndim: int, what: str = "the array") -> tuple[int, ...]:
    """For each dimension of the Buffer, innermost first, the axis of the array that it is.

    >>> from pipec.func.buffers.axes import axes_order
    >>> axes_order("yxc", 3)
    (1, 0, 2)
    """
    if not isinstance(axes, str):
        raise TypeError(f"axes must be a text such as 'yxc', not {axes!r}. {_USAGE}")
    given, arrow, wanted = axes.replace(" ", "").partition("->")
    if not arrow:
        wanted = "".join(letter for letter in ORDER if letter in given)
    problem = None
    if len(given) != ndim:
        problem = f"names {len(given)} axes, but {what} has {ndim}"
    elif len(set(given)) != ndim:
        problem = "names an axis twice"
    elif sorted(given) != sorted(wanted):
        problem = (
            "must have the same letters on both sides of '->'"
            if arrow
            else f"has the unknown letter {next(letter for letter in given if letter not in ORDER)!r}"
        )
    if problem:
        raise ArgumentError(f"Error: axes={axes!r} {problem}. {_USAGE}")
    return tuple([given.index(letter) for letter in wanted])
