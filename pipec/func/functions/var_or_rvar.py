"""VarOrRVar: a variable of a loop, of either kind, as directives take it."""

from __future__ import annotations

from typing import Any

from pipec.func.functions.rdom import RDom, RVar
from pipec.func.functions.var import Var


class VarOrRVar:
    """VarOrRVar(var), VarOrRVar(rvar), VarOrRVar(one-dimensional RDom), VarOrRVar(name, is_rvar).

    >>> hl.VarOrRVar(hl.Var("x"))
    <halide.VarOrRVar 'x'>
    """

    __slots__ = ("var", "rvar", "is_rvar")

    def __init__(self, source: Any, is_rvar: bool | None = None) -> None:
        if isinstance(source, str) and is_rvar is not None:
            source = RVar(source) if is_rvar else Var(source)
        elif is_rvar is not None or not isinstance(source, Var | RVar | RDom):
            raise TypeError(
                "__init__(): incompatible constructor arguments. VarOrRVar takes a Var, an RVar, an RDom, or a name and"
                f" whether it is that of an RVar, not {(source, is_rvar)!r}"
            )
        self.is_rvar = not isinstance(source, Var)
        self.rvar = (source if isinstance(source, RVar) else RVar(source)) if self.is_rvar else RVar()
        self.var = Var(self.rvar.name()) if self.is_rvar else source

    def name(self) -> str:
        """Returns the name of the variable."""
        return self.rvar.name() if self.is_rvar else self.var.name()

    def __repr__(self) -> str:
        return f"<halide.VarOrRVar '{self.name()}'>"
