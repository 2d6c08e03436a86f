"""The processor and instructions that a Target stands for, and LLVM's target machine for it."""

from __future__ import annotations

import importlib.util
import os
import platform
from functools import cache as once

from pipec.errors import NotSupportedError
from pipec.jit.llvm.engine import TargetMachine, engine
from pipec.jit.objects import cache
from pipec.target import Target, TargetArch, TargetFeature, TargetOS, get_host_target

# Halide's features -> LLVM's.
_AVX512 = "+avx512f,+avx512cd"
_SKYLAKE = f"{_AVX512},+avx512bw,+avx512dq,+avx512vl"
_CANNONLAKE = f"{_SKYLAKE},+avx512ifma,+avx512vbmi"
_ZEN4 = f"{_CANNONLAKE},+avx512vnni,+avx512bf16,+avx512vbmi2,+avx512bitalg,+avx512vpopcntdq"
_X86 = {
    TargetFeature.SSE41: "+sse4.1,+ssse3,+sse3",
    TargetFeature.AVX: "+avx",
    TargetFeature.AVX2: "+avx2",
    TargetFeature.AVXVNNI: "+avxvnni",
    TargetFeature.FMA: "+fma",
    TargetFeature.FMA4: "+fma4",
    TargetFeature.F16C: "+f16c",
    TargetFeature.AVX512: _AVX512,
    TargetFeature.AVX512_KNL: _AVX512,
    TargetFeature.AVX512_Skylake: _SKYLAKE,
    TargetFeature.AVX512_Cannonlake: _CANNONLAKE,
    TargetFeature.AVX512_Zen4: _ZEN4,
    TargetFeature.AVX512_Zen5: f"{_ZEN4},+avxvnni",
    TargetFeature.AVX512_SapphireRapids: f"{_ZEN4},+avxvnni,+avx512fp16",
    TargetFeature.X86APX: "+egpr,+push2pop2,+ppx,+ndd,+ccmp,+nf,+cf,+zu",
}
_ARM = {
    **{TargetFeature[f"ARMv8{minor}a"]: f"+v8.{minor}a" for minor in range(1, 10)},
    TargetFeature.ARMDotProd: "+dotprod",
    TargetFeature.ARMFp16: "+fullfp16",
    TargetFeature.NoNEON: "-neon",
}
# By architecture and bits of addresses.
_FEATURES = {
    (TargetArch.X86, 64): _X86,
    (TargetArch.X86, 32): _X86,
    (TargetArch.ARM, 64): {
        **_ARM,
        TargetFeature.ARMv8a: "+v8a",
        TargetFeature.SVE: "+sve",
        TargetFeature.SVE2: "+sve2",
    },
    (TargetArch.ARM, 32): {**_ARM, TargetFeature.ARMv8a: "+v8"},
    (TargetArch.RISCV, 64): {TargetFeature.RVV: "+v"},
}


def machine_of(target: Target, host: TargetMachine) -> TargetMachine:
    """Returns the machine that code for this process is made for: the host if the target names all of its features.

    Otherwise only the features that the target names. Features that the host lacks are ignored: the code runs here.
    """
    own = get_host_target().features()
    return host if own <= target.features() else _named_machine(target, host, own & target.features())


def file_machine_of(target: Target, host: TargetMachine) -> TargetMachine:
    """Returns the machine that a file for the host's system is made for: the host if the target names its features.

    Otherwise exactly the features that the target names, whether the host has them or not.
    """
    own, named = get_host_target().features(), target.features()
    if all((feature in own) == (feature in named) for feature in _FEATURES.get((target.arch, target.bits), {})):
        return host
    return _named_machine(target, host, named)


def _named_machine(target: Target, host: TargetMachine, features: frozenset[TargetFeature]) -> TargetMachine:
    processor = "x86-64" if host.architecture == "x86" else "generic"
    return TargetMachine(host.triple, processor, ",".join(_named(target, features)))


def _named(target: Target, features: frozenset[TargetFeature]) -> list[str]:
    """LLVM's names of features."""
    return [text for feature, text in _FEATURES.get((target.arch, target.bits), {}).items() if feature in features]


def float_flags(target: Target) -> str:
    """LLVM's flags of operations on floats: none if they are strict; else products and sums may be fused, as in Halide.

    With FastMath sums may also be reordered, quotients become products, and functions be approximated. Strict floats
    come first.
    """
    if target.has_feature(TargetFeature.StrictFloat):
        return ""
    return "reassoc nsz arcp contract afn " if target.has_feature(TargetFeature.FastMath) else "contract "


_ARCHITECTURES = {
    (TargetArch.X86, 64): "x86_64",
    (TargetArch.X86, 32): "i686",
    (TargetArch.ARM, 64): "aarch64",
    (TargetArch.ARM, 32): "armv7a",
    (TargetArch.RISCV, 64): "riscv64",
}
_SYSTEMS = {
    TargetOS.Linux: "unknown-linux-gnu",
    TargetOS.OSX: "apple-macosx11.0.0",
    TargetOS.IOS: "apple-ios14.0.0",
    TargetOS.Android: "unknown-linux-android21",
    TargetOS.Windows: "pc-windows-msvc",
    TargetOS.NoOS: "unknown-none-elf",
}
# Of ARM with 32 bits, where triples say how floats are passed.
_NARROW_SYSTEMS = {TargetOS.Linux: "unknown-linux-gnueabihf", TargetOS.Android: "unknown-linux-androideabi21"}
_NARROW_SYSTEMS[TargetOS.NoOS] = "none-unknown-eabihf"
_PROCESSORS = {"x86_64": "x86-64", "i686": "pentium4", "riscv64": "generic-rv64"}
_BASIC = {"riscv64": "+m,+a,+f,+d,+c"}


def foreign_machine(target: Target) -> TargetMachine:
    """Returns the machine of a target other than this one: the features that it names, and a generic processor."""
    architecture, system = _ARCHITECTURES.get((target.arch, target.bits)), _SYSTEMS.get(target.os)
    if architecture is None or system is None:
        raise NotSupportedError(
            f"Error: pipec makes no code for {target}. Targets have the architecture x86 or arm, with 64 or 32 bits, or"
            " riscv with 64, and the system linux, osx, ios, android, windows or noos. For others write C:"
            " compile_to_c."
        )
    features = ",".join([*filter(None, [_BASIC.get(architecture)]), *_named(target, target.features())])
    if architecture == "armv7a":
        system = _NARROW_SYSTEMS.get(target.os, system)
    if target.has_feature(TargetFeature.Simulator):
        system += "-simulator"
    triple = f"{'arm64' if architecture == 'aarch64' and 'apple' in system else architecture}-{system}"
    return TargetMachine(triple, _PROCESSORS.get(architecture, "generic"), features)


@once
def host() -> TargetMachine:
    """This machine with all its features."""
    # Not platform.platform(), which starts another process.
    system = f"{platform.system()} {platform.release()} {platform.version()} {platform.machine()}"
    key = cache.key_of("host", llvm_version(), system, _processor())
    cached = cache.load(key)
    if cached is not None:
        try:
            triple, cpu, features, level = cached.decode().split("\n")
            return TargetMachine(triple, cpu, features, int(level))
        except ValueError:
            pass  # written by another version of this file
    machine = engine().host()
    cache.store(key, f"{machine.triple}\n{machine.cpu}\n{machine.features}\n{machine.level}".encode())
    return machine


@once
def llvm_version() -> str:
    """A key for the version of llvmlite, without importing it."""
    spec = importlib.util.find_spec("llvmlite")
    if spec is not None and spec.origin is not None:
        try:
            with open(os.path.join(os.path.dirname(spec.origin), "_version.py"), "rb") as file:
                return cache.key_of(file.read())
        except FileNotFoundError:
            pass
    return str(engine().version)


def _processor() -> str:
    """The first processor's entry in /proc/cpuinfo, without what changes from moment to moment."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            text = file.read().split("\n\n")[0]
    except OSError:
        return platform.processor()
    changing = ("cpu MHz", "bogomips", "processor", "core id", "apicid", "initial apicid", "BogoMIPS")
    return "\n".join([line for line in text.splitlines() if not line.startswith(changing)])
