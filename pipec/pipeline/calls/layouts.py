"""The memory layouts that machine code is compiled for: strides that it knows, and those that calls bring.

Code takes neighbours in dimension 0 for neighbours in memory, unless the user demands a stride. Calls with other
strides have variants of the code, with constant strides where these are small, as of interleaved channels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pipec.func.buffers.arrays import MAX_CHANNELS, constant_strides
from pipec.func.functions.definition import ImageDef, PipelineDef
from pipec.ir.expr import const
from pipec.ir.program import ProgramArgument, ProgramArgumentKind
from pipec.records import replace

# For each buffer with other strides its name and its constant strides, by dimension.
Layout = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
_DENSE = {0: 1}
# More layouts than these share code for any strides.
MAX_STRIDE_VARIANTS = 8


def dense_arguments(definition: PipelineDef, arguments: Sequence[ProgramArgument]) -> Iterator[tuple[int, ImageDef]]:
    """The buffers whose stride of 1 in dimension 0 is a default, each with the slot that holds the stride."""
    at = 0
    for argument in arguments:
        if argument.kind is not ProgramArgumentKind.SCALAR and argument.dimensions:
            image = definition.images.get(argument.name) or definition.output_constraints.get(argument.name)
            if image is None:
                image = ImageDef(argument.name, argument.type, argument.dimensions, any_stride=True)
            if image.any_stride:
                yield at + 3, image
        at += 1 + 3 * argument.dimensions


def max_channels(image: ImageDef) -> int:
    """Up to which extent of dimension 0 a dense image may be one of interleaved channels; 0 for none."""
    return MAX_CHANNELS if image.dimensions > 2 and image.any_stride else 0


def layout_of(slots: Sequence[int], dense: Sequence[tuple[int, ImageDef]]) -> Layout:
    """The strides of those buffers of a call that differ from the default."""
    layout = []
    for at, image in dense:
        if slots[at] != 1 or slots[at - 1] <= max_channels(image):
            numbers = slots[at - 2 : at + 3 * image.dimensions - 2]
            strides = constant_strides(tuple(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True)))
            if strides != _DENSE:
                layout.append((image.name, tuple(strides.items())))
    return tuple(layout)


def any_strides(layout: Layout) -> Layout:
    """The layout of code for all strides of these buffers."""
    return tuple([(name, ()) for name, _ in layout])


def with_strides(definition: PipelineDef, images: Mapping[str, ImageDef], layout: Layout) -> PipelineDef:
    """The pipeline for buffers with the strides of `layout`, which are among `images`. What the user demands stays."""
    inputs, outputs = dict(definition.images), dict(definition.output_constraints)
    for name, strides in layout:
        image, constants = images[name], {d: const(stride) for d, stride in strides}
        own = image.constraints or ((None, None, None),) * image.dimensions
        triples = [
            (low, extent, constants.get(d) if d == 0 or stride is None else stride)
            for d, (low, extent, stride) in enumerate(own)
        ]
        (inputs if name in inputs else outputs)[name] = replace(image, constraints=tuple(triples), any_stride=False)
    return replace(definition, images=inputs, output_constraints=outputs)
