"""Buffers whose contents stay on a device between calls."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.errors import NotSupportedError
from pipec.func.buffers.address import address_of
from pipec.func.buffers.buffer import Buffer
from pipec.ir.program import DeviceCode
from pipec.jit.opencl.device import Device, device, handles
from pipec.jit.opencl.memory import Twin, pool_of
from pipec.pipeline.calls.descriptor import BufferArgument, shape_of
from pipec.target import Target, TargetFeature

# A Buffer with memory on a device, the address of its first element, and the argument that it is passed as.
Resident = tuple[Buffer, int, BufferArgument]


def twin_of(buffer: Buffer, wish: str = "") -> Twin:
    """New memory on a device for all of a Buffer; `wish` names the device as a Target does."""
    memory = buffer._memory
    assert memory is not None
    shape, address = shape_of(buffer._dims, memory.itemsize), address_of(memory)
    if shape.low < 0:
        raise NotSupportedError(
            f"Error: Buffer {buffer.name()} has a negative stride, which kernels cannot follow: use copy()."
        )
    name = buffer.name()
    twin = Twin.new(address, shape.high - shape.low, f"Buffer {name}", name, pool_of(device(wish)))
    twin.host_is_newer = True
    return twin


def host_supports_target_device(target: Target) -> bool:
    """Whether a device of the kind that the target names is there (with no GPU feature: yes, it is the host)."""
    if not target.has_gpu_feature():
        return True
    return target.has_feature(TargetFeature.OpenCL) and bool(handles())


def residents_of(
    residents: Sequence[Resident], code: DeviceCode | None, chosen: Device | None = None
) -> dict[int, Twin]:
    """The twins that kernels on a device are going to use, by address; what others use is brought to the host."""
    used = frozenset() if code is None else code.buffer_names()
    found: dict[int, Twin] = {}
    for buffer, address, argument in residents:
        twin = buffer._device
        assert isinstance(twin, Twin)
        if argument.name not in used or address in found or twin.pool.device is not chosen:
            twin.to_host()
            twin.host_is_newer = twin.host_is_newer or argument.output
        else:
            twin.is_output = argument.output
            found[address] = twin
    return found
