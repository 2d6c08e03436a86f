"""A class that emits a pipeline."""

from __future__ import annotations

import numpy as np

import pipec as hl


@hl.generator(name="typed_offset")
class TypedOffset(hl.Generator):
    """The input plus a number."""

    image = hl.InputBuffer(hl.Int(32), 2)
    offset = hl.InputScalar(hl.Int(32))
    output = hl.OutputBuffer(hl.Int(32), 2)

    def generate(self) -> None:
        x, y = hl.vars("x y")
        self.output[x, y] = self.image[x, y] + self.offset


def main() -> None:
    with hl.GeneratorContext(hl.get_host_target()):
        run = TypedOffset().compile_to_callable()
    out = np.zeros((2, 3), np.int32)
    run(np.ones((2, 3), np.int32), 4, out)
    assert (out == 5).all()
