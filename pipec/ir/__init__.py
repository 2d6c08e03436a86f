"""The intermediate representation: interned expressions and statements, types, intrinsics, printer, interpreter.

In: what the user's Funcs and the passes build. Out: nodes that are walked, rewritten, printed, verified and run.
"""

from pipec.ir import printer

__all__ = ["printer"]
