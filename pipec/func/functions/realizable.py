"""What a Func offers beyond definition and schedule: realizing and compiling. All of it is the work of a Pipeline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from pipec.func.buffers.buffer import Buffer
from pipec.func.directives.options import LinkageType, OutputFileType, StmtOutputFormat
from pipec.func.functions.function import Function
from pipec.func.functions.outputs import output_parameters
from pipec.func.functions.param import OutputImageParam
from pipec.target import Target

if TYPE_CHECKING:
    from pipec.autodiff.torch_layer import TorchLayer
    from pipec.autoschedule.result import Result
    from pipec.autoschedule.strategies.search_state import Options
    from pipec.pipeline.calls.arguments import Argument
    from pipec.pipeline.calls.callable import Callable as CompiledCallable
    from pipec.pipeline.emission.module import Module
    from pipec.pipeline.observation.statistics import JitStatistics
    from pipec.pipeline.observation.trace_event import TraceEvent
    from pipec.pipeline.pipeline import Pipeline


class Realizable:
    """A Func as a whole pipeline with one output; each method is the one of `Pipeline(func)`."""

    __slots__ = ()
    _function: Function

    def _pipeline(self) -> Pipeline:
        from pipec.pipeline.pipeline import Pipeline

        return Pipeline._of(self._function)

    def _repr_html_(self) -> str:
        from pipec.pipeline.observation.notebook import page_of

        return page_of((self._function,), repr(self))

    def output_buffer(self) -> OutputImageParam:
        """The buffer that the Func (its first value) is computed into, for demands on its bounds and strides."""
        return self.output_buffers()[0]

    def output_buffers(self) -> list[OutputImageParam]:
        """As output_buffer, one for each value of a Tuple."""
        return [OutputImageParam(parameter) for parameter in output_parameters(self._function)]

    # Running

    @overload
    def realize(self, sizes: Sequence[int] = (), target: Target | None = None) -> Any: ...
    @overload
    def realize(
        self, dst: Buffer | np.ndarray | Sequence[Buffer | np.ndarray], target: Target | None = None
    ) -> None: ...

    def realize(self, *args: Any, **keywords: Any) -> Any:
        """As `Pipeline.realize`: `realize([w, h])` gives a Buffer, `realize(buffer)` fills one."""
        function = self._function
        call = function.realize_call
        if call is not None and len(args) == 1 and not keywords:
            result = call(args[0])
            if result is not False:
                return result
        pipeline = self._pipeline()
        result = pipeline.realize(*args, **keywords)
        if pipeline._realize_call is not None:
            function.realize_call = pipeline._realize_call
        return result

    def compile_jit(self, target: Target | None = None) -> None:
        """Compile now instead of at the first realize."""
        self._pipeline().compile_jit(target)

    def jit_statistics(self, target: Target | None = None) -> JitStatistics:
        """What compiling and running cost and used."""
        return self._pipeline().jit_statistics(target)

    def compile_to_callable(self, arguments: Sequence[Any], target: Target | None = None) -> CompiledCallable:
        """As `Pipeline.compile_to_callable`: a function of the given arguments and the output."""
        return self._pipeline().compile_to_callable(arguments, target)

    def infer_arguments(self) -> list[Argument]:
        """The inputs that the pipeline reads: images, then scalars, each by name."""
        return self._pipeline().infer_arguments()

    def infer_input_bounds(self, dst: Any = (), target: Target | None = None, *, sizes: Any = None) -> None:
        """Give unset ImageParams Buffers of the size that an output of these sizes, or these Buffers, needs."""
        self._pipeline().infer_input_bounds(dst, target, sizes=sizes)

    def as_torch(
        self,
        inputs: Sequence[Any] | None = None,
        sizes: Sequence[Any] | None = None,
        *,
        parameters: Sequence[Any] = (),
        autoschedule: bool = False,
    ) -> TorchLayer:
        """As `Pipeline.as_torch`: a module of torch, with gradients."""
        return self._pipeline().as_torch(inputs, sizes, parameters=parameters, autoschedule=autoschedule)

    # Reporting

    def set_custom_print(self, handler: Callable[[str], Any] | None) -> None:
        """`handler(text)` is given what is printed, instead of sys.stdout; None restores that."""
        self._pipeline().set_custom_print(handler)

    def set_error_handler(self, handler: Callable[[str], Any] | None) -> None:
        """`handler(text)` is given the reason when a run fails, instead of an exception; None restores that."""
        self._pipeline().set_error_handler(handler)

    def set_custom_trace(self, handler: Callable[[TraceEvent], Any] | None) -> None:
        """`handler(event)` is given each TraceEvent, instead of its text being printed; None restores that."""
        self._pipeline().set_custom_trace(handler)

    def print_loop_nest(self) -> None:
        """Print on stderr the loops that the schedule gives."""
        self._pipeline().print_loop_nest()

    # Scheduling

    def autoschedule(
        self,
        like: Any = None,
        sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
        *,
        model: Any = None,
        strategy: str = "beam",
        budget: str | float | timedelta | None = None,
        trials: int | None = None,
        search_seconds: float | None = None,
        threads: int | None = None,
        seed: int = 0,
        memory_limit: int | None = None,
        database: Any = None,
        target: Target | None = None,
        options: Options | None = None,
        verbose: bool | None = None,
        apply: bool = True,
    ) -> Result:
        """As `Pipeline.autoschedule`: find a schedule for the Func and all that it uses, and apply it."""
        return self._pipeline().autoschedule(
            like,
            sizes,
            model=model,
            strategy=strategy,
            budget=budget,
            trials=trials,
            search_seconds=search_seconds,
            threads=threads,
            seed=seed,
            memory_limit=memory_limit,
            database=database,
            target=target,
            options=options,
            verbose=verbose,
            apply=apply,
        )

    # Files

    def compile_to(
        self,
        outputs: Mapping[OutputFileType, Any],
        arguments: Sequence[Any],
        fn_name: str,
        target: Target | None = None,
    ) -> None:
        """Write several files: `{OutputFileType.object: "f.o", ...}`."""
        self._pipeline().compile_to(outputs, arguments, fn_name, target)

    def compile_to_module(
        self,
        arguments: Sequence[Any],
        fn_name: str = "",
        target: Target | None = None,
        linkage: LinkageType = LinkageType.ExternalPlusMetadata,
    ) -> Module:
        """The pipeline lowered for a target; its `compile` writes files."""
        return self._pipeline().compile_to_module(arguments, fn_name, target, linkage)

    def compile_to_object(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write an object file: `compile_to_object(filename, arguments[, fn_name][, target])`."""
        self._pipeline().compile_to_object(filename, arguments, *rest, **named)

    def compile_to_assembly(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write the machine's assembly, with parameters as for compile_to_object."""
        self._pipeline().compile_to_assembly(filename, arguments, *rest, **named)

    def compile_to_bitcode(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write LLVM bitcode, with parameters as for compile_to_object."""
        self._pipeline().compile_to_bitcode(filename, arguments, *rest, **named)

    def compile_to_llvm_assembly(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write LLVM's text, with parameters as for compile_to_object."""
        self._pipeline().compile_to_llvm_assembly(filename, arguments, *rest, **named)

    def compile_to_c(
        self, filename: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write C99 that needs nothing but a C compiler and its library."""
        self._pipeline().compile_to_c(filename, arguments, fn_name, target)

    def compile_to_header(
        self, filename: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write the C header that declares the function and the types of its parameters."""
        self._pipeline().compile_to_header(filename, arguments, fn_name, target)

    def compile_to_file(
        self, filename_prefix: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write an object file, prefix.o, and the header, prefix.h."""
        self._pipeline().compile_to_file(filename_prefix, arguments, fn_name, target)

    def compile_to_static_library(
        self, filename_prefix: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write a static library, prefix.a, and the header, prefix.h: `cc main.c prefix.a -lpthread -lm`."""
        self._pipeline().compile_to_static_library(filename_prefix, arguments, fn_name, target)

    def compile_to_multitarget_static_library(
        self, filename_prefix: Any, arguments: Sequence[Any], targets: Sequence[Target]
    ) -> None:
        """Write prefix.a, with code for each target of which the first that fits the processor is run, and prefix.h."""
        self._pipeline().compile_to_multitarget_static_library(filename_prefix, arguments, targets)

    def compile_to_multitarget_object_files(
        self, filename_prefix: Any, arguments: Sequence[Any], targets: Sequence[Target], suffixes: Sequence[str]
    ) -> None:
        """As compile_to_multitarget_static_library, but the objects themselves: prefix-SUFFIX.o and others."""
        self._pipeline().compile_to_multitarget_object_files(filename_prefix, arguments, targets, suffixes)

    def compile_to_lowered_stmt(
        self,
        filename: Any,
        arguments: Sequence[Any] | None = None,
        fmt: StmtOutputFormat = StmtOutputFormat.Text,
        target: Target | None = None,
    ) -> None:
        """Write the lowered program, as text or as a page of HTML."""
        self._pipeline().compile_to_lowered_stmt(filename, arguments, fmt, target)

    def compile_to_conceptual_stmt(
        self,
        filename: Any,
        arguments: Sequence[Any] | None = None,
        fmt: StmtOutputFormat = StmtOutputFormat.Text,
        target: Target | None = None,
    ) -> None:
        """Write the loops before lowering's passes, as text or as a page of HTML."""
        self._pipeline().compile_to_conceptual_stmt(filename, arguments, fmt, target)
