"""Buffers whose contents stay on a device between calls."""

from __future__ import annotations

from collections.abc import Sequence

from pipec.errors import StrideError
from pipec.func.buffers.arrays import address_of
from pipec.func.buffers.buffer import Buffer
from pipec.ir.program import DeviceCode
from pipec.jit.device import Device, device_api
from pipec.jit.runtime.device_memory import MirroredMemory, pool_of
from pipec.pipeline.calls.descriptor import BufferArgument, shape_of
from pipec.target import Target, TargetFeature, require_target

# A Buffer with memory on a device, the address of its first element, and the argument that it is passed as.
Resident = tuple[Buffer, int, BufferArgument]


def new_allocation(buffer: Buffer, target: Target) -> MirroredMemory:
    """New memory for all of a Buffer on the device of a Target."""
    memory = buffer._memory
    assert memory is not None
    shape, address = shape_of(buffer._dims, memory.itemsize), address_of(memory)
    if shape.low < 0:
        raise StrideError(
            f"Error: Buffer {buffer.name()} has a negative stride, which kernels cannot follow: use copy()."
        )
    name, device = buffer.name(), device_api(target).open_device(target.device)
    allocation = MirroredMemory.new(address, shape.high - shape.low, f"Buffer {name}", name, pool_of(device))
    allocation.host_is_newer = True
    return allocation


def host_supports_target_device(target: Target) -> bool:
    """Whether a device of the kind that the target names is there (with no GPU feature: yes, it is the host)."""
    require_target("host_supports_target_device", target)
    if not target.has_gpu_feature():
        return True
    return target.has_feature(TargetFeature.OpenCL) and bool(device_api(target).devices())


def residents_of(
    residents: Sequence[Resident], code: DeviceCode | None, chosen: Device | None = None
) -> dict[int, MirroredMemory]:
    """The allocations that kernels on a device are going to use, by address; what others use is brought to the host."""
    used = frozenset() if code is None else code.buffer_names()
    used_allocations: dict[int, MirroredMemory] = {}
    for buffer, address, argument in residents:
        allocation = buffer._device
        assert isinstance(allocation, MirroredMemory)
        if argument.name not in used or address in used_allocations or allocation.pool.device is not chosen:
            allocation.to_host()
            allocation.host_is_newer = allocation.host_is_newer or argument.output
        else:
            allocation.is_output = argument.output
            used_allocations[address] = allocation
    return used_allocations
