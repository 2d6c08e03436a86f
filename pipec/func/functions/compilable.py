"""The methods of Funcs and Pipelines that compile: into this process, and into files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipec.errors import require_instance
from pipec.func.directives.options import LinkageType, OutputFileType, StmtOutputFormat
from pipec.func.functions.definition import with_short_tracebacks
from pipec.target import Target

if TYPE_CHECKING:
    from pipec.pipeline.calls.arguments import Argument
    from pipec.pipeline.calls.callable import Callable
    from pipec.pipeline.emission.module import Module
    from pipec.pipeline.observation.profile import JitStatistics
    from pipec.pipeline.pipeline import Pipeline


class Compilable:
    """A Pipeline, or a Func as the pipeline of which it is the only output.

    Files are written for this machine unless `target`, or HL_TARGET, names another one. `arguments` are the Params and
    ImageParams in the order of the C function's parameters; the outputs follow them. The function is called `fn_name`,
    or as the first output.
    """

    __slots__ = ()

    def _pipeline(self) -> Pipeline:
        raise NotImplementedError

    @with_short_tracebacks
    def compile_jit(self, target: Target | None = None) -> None:
        """Compile now instead of at the first run."""
        self._pipeline()._runnable(target)

    @with_short_tracebacks
    def jit_statistics(self, target: Target | None = None) -> JitStatistics:
        """Returns times and memory of compiling and running the pipeline; compiles it when that has not been done."""
        from pipec.pipeline.observation.profile import statistics_of

        return statistics_of(self._pipeline()._runnable(target).compiled)

    @with_short_tracebacks
    def compile_to_callable(self, arguments: Sequence[Any], target: Target | None = None) -> Callable:
        """A function of `arguments` (Params and ImageParams, in this order) and the output buffers."""
        return self._pipeline()._callable(arguments, target)

    @with_short_tracebacks
    def infer_arguments(self) -> list[Argument]:
        """The Params and ImageParams that the pipeline reads: images first, each by name."""
        return self._pipeline()._inferred()

    @with_short_tracebacks
    def compile_to(
        self,
        outputs: Mapping[OutputFileType, Any],
        arguments: Sequence[Any],
        fn_name: str,
        target: Target | None = None,
    ) -> None:
        """Write several files: `{OutputFileType.object: "f.o", ...}`."""
        self._pipeline()._emission(arguments, fn_name, target).write_all(outputs)

    @with_short_tracebacks
    def compile_to_module(
        self,
        arguments: Sequence[Any],
        fn_name: str = "",
        target: Target | None = None,
        linkage: LinkageType = LinkageType.ExternalPlusMetadata,
    ) -> Module:
        """The pipeline lowered for a target; its `compile` writes files. `linkage`: External however it is given."""
        require_instance("compile_to_module", LinkageType, linkage)
        return self._pipeline()._module(arguments, fn_name, target)

    @with_short_tracebacks
    def compile_to_object(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write an object file: `compile_to_object(filename, arguments[, fn_name][, target])`."""
        self._pipeline()._write(OutputFileType.object, filename, arguments, *rest, **named)

    @with_short_tracebacks
    def compile_to_assembly(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write the machine's assembly, with parameters as for compile_to_object."""
        self._pipeline()._write(OutputFileType.assembly, filename, arguments, *rest, **named)

    @with_short_tracebacks
    def compile_to_bitcode(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write LLVM bitcode, with parameters as for compile_to_object."""
        self._pipeline()._write(OutputFileType.bitcode, filename, arguments, *rest, **named)

    @with_short_tracebacks
    def compile_to_llvm_assembly(self, filename: Any, arguments: Sequence[Any], *rest: Any, **named: Any) -> None:
        """Write LLVM's text, with parameters as for compile_to_object."""
        self._pipeline()._write(OutputFileType.llvm_assembly, filename, arguments, *rest, **named)

    @with_short_tracebacks
    def compile_to_c(
        self, filename: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write C99 that needs nothing but a C compiler and its library."""
        self._pipeline()._write(OutputFileType.c_source, filename, arguments, fn_name, target)

    @with_short_tracebacks
    def compile_to_header(
        self, filename: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write the C header that declares the function and the types of its parameters."""
        self._pipeline()._write(OutputFileType.c_header, filename, arguments, fn_name, target)

    @with_short_tracebacks
    def compile_to_file(
        self, filename_prefix: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write an object file, prefix.o, and the header, prefix.h."""
        self._pipeline()._write_pair(OutputFileType.object, filename_prefix, arguments, fn_name, target)

    @with_short_tracebacks
    def compile_to_static_library(
        self, filename_prefix: Any, arguments: Sequence[Any], fn_name: str = "", target: Target | None = None
    ) -> None:
        """Write a static library, prefix.a, and the header, prefix.h: `cc main.c prefix.a -lpthread -lm`."""
        self._pipeline()._write_pair(OutputFileType.static_library, filename_prefix, arguments, fn_name, target)

    @with_short_tracebacks
    def compile_to_multitarget_static_library(
        self, filename_prefix: Any, arguments: Sequence[Any], targets: Sequence[Target]
    ) -> None:
        """Write prefix.a, with code for each target of which the first that fits the processor is run, and prefix.h."""
        self._pipeline()._write_library(filename_prefix, arguments, targets)

    @with_short_tracebacks
    def compile_to_multitarget_object_files(
        self, filename_prefix: Any, arguments: Sequence[Any], targets: Sequence[Target], suffixes: Sequence[str]
    ) -> None:
        """As compile_to_multitarget_static_library, but the objects themselves: prefix-SUFFIX.o and others.

        One target needs no choice: prefix.o holds all.
        """
        self._pipeline()._write_objects(filename_prefix, arguments, targets, suffixes)

    @with_short_tracebacks
    def compile_to_lowered_stmt(
        self,
        filename: Any,
        arguments: Sequence[Any] | None = None,
        fmt: StmtOutputFormat = StmtOutputFormat.Text,
        target: Target | None = None,
    ) -> None:
        """Write the lowered program, as text or as a page of HTML."""
        require_instance("compile_to_lowered_stmt", StmtOutputFormat, fmt)
        kind = OutputFileType.stmt if fmt is StmtOutputFormat.Text else OutputFileType.stmt_html
        self._pipeline()._write_statement(kind, filename, arguments, target)

    @with_short_tracebacks
    def compile_to_conceptual_stmt(
        self,
        filename: Any,
        arguments: Sequence[Any] | None = None,
        fmt: StmtOutputFormat = StmtOutputFormat.Text,
        target: Target | None = None,
    ) -> None:
        """Write the loops before lowering's passes, as text or as a page of HTML."""
        require_instance("compile_to_conceptual_stmt", StmtOutputFormat, fmt)
        text = fmt is StmtOutputFormat.Text
        kind = OutputFileType.conceptual_stmt if text else OutputFileType.conceptual_stmt_html
        self._pipeline()._write_statement(kind, filename, arguments, target)
