"""The names of the Python API that random pipelines are written with, from the layers to the left."""

from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.func import Func
from pipec.func.functions.param import ImageParam, Param
from pipec.func.functions.rdom import RDom
from pipec.func.functions.tuple import Tuple
from pipec.func.functions.var import Var, vars
from pipec.func.math.boundary import BoundaryConditions
from pipec.func.math.casts import cast, f32, i16, i32, saturating_cast, u8, u16
from pipec.func.math.expr import Expr
from pipec.func.math.functions import abs, absd, exp, floor, log, pow, sin, sqrt, tanh
from pipec.func.math.lerp import lerp
from pipec.func.math.reductions import argmax, maximum, minimum, sum
from pipec.func.math.selection import clamp, max, min, mux, select
from pipec.ir.types import Float, Int, Type, UInt
from pipec.pipeline.pipeline import Pipeline

__all__ = [
    "BoundaryConditions",
    "Buffer",
    "Expr",
    "Float",
    "Func",
    "ImageParam",
    "Int",
    "Param",
    "Pipeline",
    "RDom",
    "Tuple",
    "Type",
    "UInt",
    "Var",
    "abs",
    "absd",
    "argmax",
    "cast",
    "clamp",
    "exp",
    "f32",
    "floor",
    "i16",
    "i32",
    "lerp",
    "log",
    "max",
    "maximum",
    "min",
    "minimum",
    "mux",
    "pow",
    "saturating_cast",
    "select",
    "sin",
    "sqrt",
    "sum",
    "tanh",
    "u8",
    "u16",
    "vars",
]
