"""Schedule programs and templates: Python functions that apply directives, with choices that a search learns.

In: a pipeline, and a function that schedules its Funcs by draws (a program) or by a configuration (a template).
Out: the fastest schedule of those that were measured, with the trace of its choices.
"""

from pipec.programs.modules import compute, dot_products, parallel, sequence, standard, tile, unroll, vectorize
from pipec.programs.result import ProgramResult
from pipec.programs.sampler import Sampler
from pipec.programs.search import replay, search
from pipec.programs.trace import ProgramTrace

__all__ = [
    "ProgramResult",
    "Sampler",
    "ProgramTrace",
    "compute",
    "dot_products",
    "parallel",
    "replay",
    "search",
    "sequence",
    "standard",
    "tile",
    "unroll",
    "vectorize",
]
