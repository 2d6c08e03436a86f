"""LLVM at work: text to object code (or object code from the disk cache), object code to addresses in this process."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pipec.deep_stack import end_if_cancelled, uninterrupted
from pipec.diagnostics import enabled as log_enabled
from pipec.diagnostics import write as write_log
from pipec.errors import InternalError, OutOfMemoryError
from pipec.jit.objects import cache
from pipec.records import dataclass

_lock = threading.RLock()


@dataclass(frozen=True)
class TargetMachine:
    """The machine for which LLVM generates code."""

    triple: str
    cpu: str
    features: str
    level: int = 2

    @property
    def architecture(self) -> str:
        """The architecture as Halide names it: "x86", "aarch64", ..."""
        name = self.triple.split("-")[0]
        if name in ("x86_64", "i386", "i686"):
            return "x86"
        return "aarch64" if name == "arm64" else "arm" if name.startswith("armv7") else name

    @property
    def bits(self) -> int:
        """The bits of an address."""
        return 64 if "64" in self.triple.split("-")[0] else 32


_X86_ABILITIES = {
    "+avx512bw": "multiply words",
    "+avx512vnni": "dot bytes",
    "+avx512bf16": "dot bfloats",
    "+avx512vl": "short dot products",
}


class Engine:
    """The one JIT of a process.

    What llvmlite owns is made and released in functions that are `uninterrupted`, or in threads of their own.
    """

    def __init__(self) -> None:
        try:
            import llvmlite
            import llvmlite.binding as llvm
        except (OSError, MemoryError) as error:
            raise OutOfMemoryError(
                f"Error: LLVM, which makes machine code, could not be loaded ({error or 'no memory left'}). It takes"
                " about 200 MB of addresses: raise the limit of the address space (ulimit -v), or run what the cache of"
                " compiled code has already."
            ) from error

        self.llvm = llvm
        self.version = llvmlite.__version__
        # From so many blocks on, the preparation of code looks again at what it changed only, not at everything:
        # the time for long chains of stages would grow with its square otherwise.
        llvm.set_option("", "-cgpp-huge-func=50")
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        llvm.initialize_native_asmparser()
        self.triple = llvm.get_process_triple()
        self.host_cpu = llvm.get_host_cpu_name()
        try:
            self.host_features = dict(llvm.get_host_cpu_features())
        except RuntimeError:
            self.host_features = {}
        self.jit = llvm.create_lljit_compiler(self.target_machine(self.host()), use_jit_link=True)
        self.machines: dict[TargetMachine, list[Any]] = {}
        self.count = 0

    def host(self) -> TargetMachine:
        """This machine with all its features."""
        features = ",".join([f"{'+' if on else '-'}{name}" for name, on in sorted(self.host_features.items())])
        return TargetMachine(self.triple, self.host_cpu, features)

    def abilities(self, machine: TargetMachine) -> frozenset[str]:
        """Returns the abilities that the emitter may rely on, as in Module.can."""
        features = machine.features.split(",")
        names = {feature[1:] for feature in features if feature.startswith("+")}
        if machine.triple == self.triple:
            # Assembly can be read for this process's own kind of machine only.
            names.add("inline assembly")
        if "+fma" in features or machine.architecture == "aarch64":
            names.add("fma")
        # Older versions of LLVM call a function for each lane.
        if "+avx512f" in features and self.llvm.llvm_version_info >= (22,):
            names.add("scale")
        if "+avx512vbmi" in features and machine.architecture == "x86":
            names.add("permute bytes")
        if "+avx512bw" in features:
            names.add("byte masks")
        if machine.architecture == "aarch64":
            names.add("fpcr")
        if machine.architecture == "x86":
            names.update(("stream", "mxcsr", "sum bytes"))
            names.update(ability for feature, ability in _X86_ABILITIES.items() if feature in features)
        return frozenset(names)

    def target_machine(self, machine: TargetMachine) -> Any:
        """Returns LLVM's target machine for a processor."""
        target = self.llvm.Target.from_triple(machine.triple)
        return target.create_target_machine(
            cpu=machine.cpu, features=machine.features, opt=machine.level, reloc="pic", codemodel="small"
        )

    @uninterrupted
    def compile(self, texts: Sequence[str], machine: TargetMachine, optimized: bool = False) -> bytes:
        """Object code of modules that are linked into one; `optimized`: they need no passes."""
        return self._compile(texts, machine, optimized)

    def _compile(self, texts: Sequence[str], machine: TargetMachine, optimized: bool) -> bytes:
        from pipec.jit.llvm.unlocked import emit_object

        started = time.perf_counter()
        module = self.module(texts)
        parsed = time.perf_counter()
        with self._own_machine(machine) as target_machine:
            module.triple = machine.triple
            module.data_layout = str(target_machine.target_data)
            if not optimized:
                self.optimize(module, target_machine)
            passed = time.perf_counter()
            end_if_cancelled()
            data = emit_object(target_machine, module)
            done = time.perf_counter()
            if log_enabled("assembly"):
                write_log("assembly", target_machine.emit_assembly(module))
        write_log(
            "time",
            f"llvm: parse {1e3 * (parsed - started):.1f} ms, passes {1e3 * (passed - parsed):.1f} ms, "
            f"code {1e3 * (done - passed):.1f} ms, object {len(data)} bytes",
        )
        return data

    @contextmanager
    def _own_machine(self, machine: TargetMachine) -> Iterator[Any]:
        """A target machine that no other thread uses."""
        with _lock:
            free = self.machines.setdefault(machine, [])
            own = free.pop() if free else self.target_machine(machine)
        yield own
        free.append(own)

    def module(self, texts: Sequence[str]) -> Any:
        """One module of several texts, checked by LLVM."""
        from pipec.jit.llvm.unlocked import parse

        for text in texts if log_enabled("llvm") else ():
            write_log("llvm", text)
        try:
            module, *others = parse(texts)
            for other in others:
                module.link_in(other)
            module.verify()
        except RuntimeError as error:
            raise InternalError(f"LLVM refuses the code that was made: {error}") from error
        return module

    def optimize(self, module: Any, target_machine: Any) -> None:
        """Only what our own emitter leaves to do: small functions, small arrays to registers, peepholes, dead code."""
        from pipec.jit.llvm.unlocked import run_passes

        llvm = self.llvm
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        builder = llvm.create_pass_builder(target_machine, options)
        passes = llvm.create_new_module_pass_manager()
        if any(b"alwaysinline" in group for function in module.functions for group in function.attributes):
            passes.add_always_inliner_pass()
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
        run_passes(passes, module, builder)

    @uninterrupted
    def link(self, data: bytes, exports: tuple[str, ...], imports: Mapping[str, int], process: bool) -> Any:
        """Load object code; the result keeps it loaded and gives the addresses of `exports`."""
        with _lock:
            self.count += 1
            name = f"pipec-{self.count}"
        library = self.llvm.JITLibraryBuilder().add_object_img(data)
        for symbol in exports:
            library.export_symbol(symbol)
        for symbol, address in imports.items():
            library.import_symbol(symbol, address)
        if process:
            library.add_current_process()
        try:
            return library.link(self.jit, name)
        except RuntimeError as error:
            raise InternalError(f"Compiled code cannot be loaded: {error}") from error


_engine: Engine | None = None


def engine() -> Engine:
    """The JIT, made at its first use."""
    return _engine or _new_engine()


@uninterrupted
def _new_engine() -> Engine:
    global _engine
    with _lock:
        if _engine is None:
            _engine = Engine()
        return _engine


def object_code(compiled: Callable[[], bytes], key: str) -> bytes:
    """The code cached under `key`, or that of `compiled`, which is cached then."""
    data = cache.load(key)
    if data is None:
        data = compiled()
        cache.store(key, data)
    return data


def forget_after_fork() -> None:
    """A lock that another thread held when the process forked would never be released."""
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=forget_after_fork)
