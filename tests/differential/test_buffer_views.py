"""Views of Buffers have the dimensions and elements that the wheel gives them."""

import itertools

import numpy as np
import pytest
from differential import same

ARRAY = np.arange(3 * 4 * 5, dtype=np.int32).reshape(3, 4, 5)

CHANGES = {
    "crop of one dimension": lambda b: b.crop(1, 2, 2),
    "crop of all": lambda b: b.crop([(1, 3), (0, 2), (1, 1)]),
    "translate": lambda b: b.translate(0, -7),
    "translate all": lambda b: b.translate([5, 0, -2]),
    "set_min": lambda b: b.set_min([3, -1, 2]),
    "exchange": lambda b: b.transpose(0, 2),
    "slice": lambda b: b.slice(1, 2),
    "slice of the first": lambda b: b.slice(2),
    "embed": lambda b: b.embed(1, 5),
    "add_dimension": lambda b: b.add_dimension(),
    "several": lambda b: (b.set_min([1, 1, 1]), b.crop(0, 2, 3), b.slice(1, 2), b.transpose(0, 1), b.translate(0, 4)),
}
CHANGES |= {
    f"transpose {order}": lambda b, order=order: b.transpose(list(order)) for order in itertools.permutations(range(3))
}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_in_place(name):
    def program(hl):
        buffer = hl.Buffer(ARRAY)
        CHANGES[name](buffer)
        dims = [buffer.dim(i) for i in range(buffer.dimensions())]
        facts = [(d.min(), d.extent(), d.stride(), d.max()) for d in dims]
        sizes = [buffer.width(), buffer.height(), buffer.channels(), buffer.number_of_elements(), buffer.dimensions()]
        return np.asarray(buffer), np.array(facts), np.array(sizes)

    same(program)


@pytest.mark.parametrize("name", ["copy", "cropped", "translated", "transposed", "sliced", "embedded", "reverse_axes"])
def test_new_views_leave_the_buffer_as_it_was(name):
    arguments = {"cropped": (0, 1, 2), "translated": (1, 5), "transposed": (0, 1), "sliced": (0, 2), "embedded": (0, 1)}

    def program(hl):
        buffer = hl.Buffer(ARRAY)
        view = getattr(buffer, name)(*arguments.get(name, ()))
        return (
            np.asarray(buffer),
            np.asarray(view),
            np.array([view.dim(0).min(), view.dim(0).extent(), view.dim(0).stride()]),
        )

    same(program)


def test_elements_are_read_and_written_at_absolute_coordinates():
    def program(hl):
        buffer = hl.Buffer(hl.Int(16), [3, 4])
        buffer.fill(7)
        buffer.set_min([10, -2])
        buffer[11, -1] = -5
        buffer[12, 1] = buffer[11, -1] * 3
        return np.asarray(buffer), np.array([buffer[11, -1], buffer[10, -2]])

    same(program)


def test_forms_of_construction():
    def program(hl):
        built = [
            hl.Buffer(hl.UInt(8), [3, 4]),
            hl.Buffer(hl.UInt(8), [3, 4, 2], [2, 0, 1]),
            hl.Buffer(ARRAY, "named", False),
        ]
        built += [hl.Buffer.make_interleaved(hl.UInt(8), 4, 3, 2), hl.Buffer(ARRAY), hl.Buffer.make_scalar(hl.Int(32))]
        return [np.array([(b.dim(i).extent(), b.dim(i).stride()) for i in range(b.dimensions())]) for b in built]

    same(program)
