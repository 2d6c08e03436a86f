"""The table of contents of the compiler: the passes that take a plan's statement to what back ends are given.

Before them, `make_plan` inlines, builds loop nests, infers bounds, slides windows and folds storage.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

from pipec import diagnostics
from pipec.ir.expr import Expr
from pipec.ir.stmt import Stmt
from pipec.ir.verify import Stage, Verified, verify
from pipec.lower.legality.check_extents import check_extents
from pipec.lower.passes.constant_extents import constant_extents
from pipec.lower.passes.factor_sums import factor_sums
from pipec.lower.passes.flatten_storage import flatten_storage
from pipec.lower.passes.high_products import high_products
from pipec.lower.passes.hoist_allocations import hoist_allocations
from pipec.lower.passes.kernel_storage import kernel_storage
from pipec.lower.passes.partition_loops import partition_loops
from pipec.lower.passes.promote_accumulators import keep_accumulators
from pipec.lower.passes.reuse_storage import share_storage
from pipec.lower.passes.same_squares import same_squares
from pipec.lower.passes.simplify_statement import simplify_statement
from pipec.lower.passes.trim_loops import trim_loops
from pipec.lower.passes.unroll_loops import unroll_loops
from pipec.lower.vectorize.narrow_arithmetic import narrow_arithmetic
from pipec.lower.vectorize.narrow_masks import narrow_masks
from pipec.lower.vectorize.vectorize_loops import vectorize_loops

Strides = Mapping[tuple[str, int], Expr]

# (pass, the stage of the IR that it leaves behind). The first simplification makes extents constant, which
# partitioning, unrolling and vectorising need; that after partitioning drops what the steady state has decided.
# Vectorizing widens loads and stores, which have predicates, so it comes after flattening.
PASSES: tuple[tuple[Callable[..., Stmt], Stage], ...] = (
    (simplify_statement, Stage.SCHEDULED),
    (partition_loops, Stage.SCHEDULED),
    (trim_loops, Stage.SCHEDULED),
    (simplify_statement, Stage.SCHEDULED),
    (constant_extents, Stage.SCHEDULED),
    (kernel_storage, Stage.SCHEDULED),
    (check_extents, Stage.SCHEDULED),
    (flatten_storage, Stage.SCHEDULED),
    (share_storage, Stage.SCHEDULED),
    (vectorize_loops, Stage.SCHEDULED),
    (unroll_loops, Stage.LOWERED),
    (simplify_statement, Stage.LOWERED),
    (keep_accumulators, Stage.LOWERED),
    (hoist_allocations, Stage.LOWERED),
    (narrow_arithmetic, Stage.LOWERED),
    (factor_sums, Stage.LOWERED),
    (high_products, Stage.LOWERED),
    (same_squares, Stage.LOWERED),
    (narrow_masks, Stage.LOWERED),
)


def verifying() -> bool:
    """Whether PIPEC_VERIFY asks for the verifier between passes."""
    return os.environ.get("PIPEC_VERIFY", "") not in ("", "0")


def run_passes(
    stmt: Stmt,
    strides: Strides,
    exact_tails: bool = False,
    verified: Verified | None = None,
) -> Stmt:
    """`stmt` after all passes; each is timed, printed when PIPEC_LOG says so, verified when PIPEC_VERIFY is set.

    `exact_tails`: extents may be other than the schedule says, and loops that cannot be vectors stay loops.
    """
    verify_now, known = verifying(), verified or Verified()
    for step, stage in PASSES:
        if exact_tails and step is check_extents:
            continue
        name = step.__name__
        started = time.perf_counter()
        before = stmt
        if step is flatten_storage:
            stmt = step(stmt, strides)
        else:
            stmt = step(stmt)
        diagnostics.write("time", f"{name}: {1000 * (time.perf_counter() - started):.1f} ms")
        if diagnostics.enabled("passes"):
            diagnostics.write("passes", f"{name} (unchanged)" if stmt is before else f"{name}\n{stmt}")
        if verify_now:
            verify(stmt, stage, name, known)
    return stmt
