"""Intrinsics in OpenCL C: as in C99, from which only the names of functions differ (`helpers.py`)."""

from __future__ import annotations

from pipec.ir.intrinsics import Absent
from pipec.jit.c import intrinsics as c
from pipec.jit.c.intrinsics import Rule

INTRINSICS: dict[str, Rule] = c.INTRINSICS | {
    "address_of": Absent("the host computes the addresses that a kernel is given"),
}
