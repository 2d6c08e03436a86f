"""The protocols by which Buffers exchange arrays with numpy, torch and others, and their output in notebooks."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from pipec.func.buffers.arrays import axes_order
from pipec.func.buffers.shape import BufferShape


class BufferExchange(BufferShape):
    """A Buffer as an array. The views that its methods return keep the memory alive."""

    __slots__ = ()

    def numpy(self, axes: str | None = None) -> np.ndarray:
        """The elements as a numpy array over the same memory; `min` is forgotten.

        Its axes are the dimensions reversed (dimension 0 last), or those that `axes` names as in
        `Buffer(array, axes=...)`. bfloat16 elements are seen as uint16.

        >>> import pipec as hl
        >>> image = hl.Buffer(hl.UInt(8), [640, 480, 3])
        >>> image.numpy().shape, image.numpy(axes="yxc").shape
        ((3, 480, 640), (480, 640, 3))
        """
        array = self._require_data("numpy")
        if axes is None:
            return array.transpose()
        order = axes_order(axes, array.ndim, f"Buffer {self.name()} of extents {array.shape}")
        return array.transpose(np.argsort(order))

    @property
    def shape(self) -> tuple[int, ...]:
        """As numpy has it: the extents, dimension 0 last."""
        return tuple([extent for _, extent, _ in reversed(self._dims)])

    @property
    def strides(self) -> tuple[int, ...]:
        """As numpy has them: bytes, dimension 0 last."""
        size = self.type().bytes()
        return tuple([stride * size for _, _, stride in reversed(self._dims)])

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._dims)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type of the elements; uint16 for bfloat16."""
        return self.type().numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.numpy()
        if dtype is not None and np.dtype(dtype) != array.dtype:
            if copy is False:
                raise ValueError(f"Buffer {self.name()} of {self._type} is not an array of {dtype} without a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    if sys.version_info >= (3, 12):

        def __buffer__(self, flags: int) -> memoryview:
            return memoryview(self.numpy())

    def __dlpack__(
        self,
        *,
        stream: None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        array = self._for_dlpack(copy)
        if stream is not None:
            raise BufferError(f"Buffer {self.name()} lies in memory of the host, which has no streams; got {stream!r}.")
        if dl_device not in (None, array.__dlpack_device__()):
            raise BufferError(f"Buffer {self.name()} lies in memory of the host; it cannot be moved to {dl_device}.")
        if max_version is None or max_version[0] < 1:
            if not array.flags.writeable:
                raise BufferError(
                    f"Buffer {self.name()} is read-only, which only DLPack 1.0 can tell: ask for max_version=(1, 0), or"
                    " pass buffer.copy()."
                )
            return array.__dlpack__()
        try:
            return array.__dlpack__(max_version=max_version)
        except TypeError:  # numpy before 2.1 knows DLPack 0 only, which every consumer takes
            return array.__dlpack__()

    def _for_dlpack(self, copy: bool | None) -> np.ndarray:
        array = self.numpy()
        if self.type().is_bfloat():
            raise BufferError(
                f"Buffer {self.name()} of bfloat16 is an array of uint16 to numpy: for torch, use"
                " torch.from_numpy(numpy.asarray(buffer)).view(torch.bfloat16)."
            )
        if copy:
            return array.copy()
        if any(stride < 0 for stride in array.strides):
            # torch ends the process when it is given such an array.
            raise BufferError(
                f"Buffer {self.name()} has negative strides {array.strides}, which not all readers of DLPack take: pass"
                " buffer.copy(), or numpy.asarray(buffer)."
            )
        return array

    def __dlpack_device__(self) -> tuple[int, int]:
        device, number = self.numpy().__dlpack_device__()
        return int(device), int(number)

    def _repr_png_(self) -> bytes | None:
        """The picture that notebooks show, for Buffers that look like images."""
        from pipec.func.buffers.picture import picture_of

        picture = None if self._array is None else picture_of(self.numpy(), self.type())
        return None if picture is None else picture.png

    def _repr_html_(self) -> str:
        from pipec.func.buffers.picture import buffer_page

        return buffer_page(self)

    def __repr__(self) -> str:
        if self._type is None:
            return "<undefined halide.Buffer>"
        shape = ",".join([f"[{minimum},{extent},{stride}]" for minimum, extent, stride in self._dims])
        return f"<halide.Buffer of type {self._type} shape:[{shape}]>"
