"""What a Func offers beyond definition and schedule: realizing and compiling. All of it is the work of a Pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache as once
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.function import Function
from pipec.func.functions.outputs import output_parameters
from pipec.func.functions.param import OutputImageParam
from pipec.target import Target

if TYPE_CHECKING:
    from pipec.pipeline.calls.callable import Callable


@once
def _pipeline_class() -> Any:
    from pipec.pipeline.pipeline import Pipeline

    return Pipeline


def _pipeline_method(name: str, summary: str) -> Any:
    def method(self: Any, *args: Any, **keywords: Any) -> Any:
        return getattr(_pipeline_class()(self), name)(*args, **keywords)

    method.__name__ = name
    method.__doc__ = summary
    return method


class Running:
    """A Func as a whole pipeline with one output."""

    __slots__ = ()
    _function: Function

    def _repr_html_(self) -> str:
        from pipec.pipeline.observation.notebook import page_of

        return page_of((self._function,), repr(self))

    def output_buffer(self) -> OutputImageParam:
        """The buffer that the Func (its first value) is computed into, for demands on its bounds and strides."""
        return self.output_buffers()[0]

    def output_buffers(self) -> list[OutputImageParam]:
        """As output_buffer, one for each value of a Tuple."""
        return [OutputImageParam(parameter) for parameter in output_parameters(self._function)]

    @overload
    def realize(self, sizes: Sequence[int] = (), target: Target | None = None) -> Any: ...
    @overload
    def realize(
        self, dst: Buffer | np.ndarray | Sequence[Buffer | np.ndarray], target: Target | None = None
    ) -> None: ...

    def realize(self, *args: Any, **keywords: Any) -> Any:
        """As `Pipeline.realize`: `realize([w, h])` gives a Buffer, `realize(buffer)` fills one."""
        return _pipeline_class()._of(self._function).realize(*args, **keywords)

    compile_jit = _pipeline_method("compile_jit", "Compile now instead of at the first realize.")
    jit_statistics = _pipeline_method("jit_statistics", "What compiling and running cost and used.")

    def compile_to_callable(self, arguments: Sequence[Any], target: Target | None = None) -> Callable:
        """As `Pipeline.compile_to_callable`: a function of the given arguments and the output."""
        made: Callable = _pipeline_class()(self).compile_to_callable(arguments, target)
        return made

    infer_input_bounds = _pipeline_method("infer_input_bounds", "Give unset ImageParams Buffers of the needed size.")
    infer_arguments = _pipeline_method("infer_arguments", "The inputs that the pipeline reads.")
    autoschedule = _pipeline_method("autoschedule", "Find a schedule for the Func and all that it uses, and apply it.")
    as_torch = _pipeline_method("as_torch", "As `Pipeline.as_torch`: a module of torch, with gradients.")
    set_custom_print = _pipeline_method("set_custom_print", "Who is given what is printed; None: stdout.")
    set_error_handler = _pipeline_method("set_error_handler", "Who is told why a run failed; None: it raises.")
    set_custom_trace = _pipeline_method("set_custom_trace", "Who is given trace events; None: stdout.")
    print_loop_nest = _pipeline_method("print_loop_nest", "Print the loops that the schedule gives.")
    compile_to = _pipeline_method("compile_to", "Write several kinds of output files.")
    compile_to_assembly = _pipeline_method("compile_to_assembly", "Write assembly.")
    compile_to_bitcode = _pipeline_method("compile_to_bitcode", "Write LLVM bitcode.")
    compile_to_c = _pipeline_method("compile_to_c", "Write C.")
    compile_to_conceptual_stmt = _pipeline_method("compile_to_conceptual_stmt", "Write the program before lowering.")
    compile_to_file = _pipeline_method("compile_to_file", "Write an object file and a header.")
    compile_to_header = _pipeline_method("compile_to_header", "Write a C header.")
    compile_to_llvm_assembly = _pipeline_method("compile_to_llvm_assembly", "Write LLVM assembly.")
    compile_to_lowered_stmt = _pipeline_method("compile_to_lowered_stmt", "Write the lowered program as text.")
    compile_to_module = _pipeline_method("compile_to_module", "The lowered program.")
    compile_to_multitarget_object_files = _pipeline_method(
        "compile_to_multitarget_object_files", "Write one object file for each target."
    )
    compile_to_multitarget_static_library = _pipeline_method(
        "compile_to_multitarget_static_library", "Write one library for several targets."
    )
    compile_to_object = _pipeline_method("compile_to_object", "Write an object file.")
    compile_to_static_library = _pipeline_method("compile_to_static_library", "Write a static library.")
