"""The host machine: operating system, instruction set, vector features."""

from __future__ import annotations

import platform
import re
import sys
from functools import cache

from pipec.target.names import FEATURES_OF_ARCH, TargetArch, TargetFeature, TargetOS, TargetProcessorTune

# The instruction sets by the first letters of what the system calls its machine.
_ARCHS = {
    **dict.fromkeys(("x86_64", "amd64", "i386", "i686"), TargetArch.X86),
    **dict.fromkeys(("aarch64", "arm"), TargetArch.ARM),
    "ppc": TargetArch.POWERPC,
    "riscv": TargetArch.RISCV,
}


@cache
def host_parts() -> tuple[TargetOS, TargetArch, int, TargetProcessorTune, frozenset[TargetFeature]]:
    """Operating system, instruction set, bits, processor and vector features of this machine."""
    machine = platform.machine().lower()
    arch = next((arch for prefix, arch in _ARCHS.items() if machine.startswith(prefix)), TargetArch.ArchUnknown)
    oses = {"linux": TargetOS.Linux, "darwin": TargetOS.OSX, "win32": TargetOS.Windows}
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            processor = file.read()
    except OSError:
        processor = ""
    bits = 64 if sys.maxsize > 1 << 32 else 32
    features = features_of_processor(processor) & FEATURES_OF_ARCH.get(arch, frozenset())
    return oses.get(sys.platform, TargetOS.OSUnknown), arch, bits, tune_of_processor(processor), features


# Feature -> the flags of /proc/cpuinfo that it needs.
_SKYLAKE = "avx512f avx512cd avx512bw avx512dq avx512vl"
_ZEN4 = f"{_SKYLAKE} avx512ifma avx512vbmi avx512_vnni avx512_bf16 avx512_vbmi2 avx512_bitalg avx512_vpopcntdq"
_FLAGS = {
    TargetFeature.SSE41: "sse4_1",
    TargetFeature.AVX: "avx",
    TargetFeature.AVX2: "avx2",
    TargetFeature.AVXVNNI: "avx_vnni",
    TargetFeature.FMA: "fma",
    TargetFeature.FMA4: "fma4",
    TargetFeature.F16C: "f16c",
    TargetFeature.AVX512: "avx512f avx512cd",
    TargetFeature.AVX512_KNL: "avx512f avx512cd avx512pf avx512er",
    TargetFeature.AVX512_Skylake: _SKYLAKE,
    TargetFeature.AVX512_Cannonlake: f"{_SKYLAKE} avx512ifma avx512vbmi",
    TargetFeature.AVX512_Zen4: _ZEN4,
    TargetFeature.AVX512_Zen5: f"{_ZEN4} avx_vnni avx512_vp2intersect",
    TargetFeature.AVX512_SapphireRapids: f"{_ZEN4} avx_vnni amx_tile amx_int8 amx_bf16",
    TargetFeature.ARMDotProd: "asimddp",
    TargetFeature.ARMFp16: "asimdhp",
    TargetFeature.SVE2: "sve2",
}


def features_of_processor(text: str) -> frozenset[TargetFeature]:
    """The features for which the text of /proc/cpuinfo lists all flags."""
    line = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.MULTILINE)
    flags = set(line.group(1).split()) if line else set()
    return frozenset(feature for feature, needed in _FLAGS.items() if set(needed.split()) <= flags)


def tune_of_processor(text: str) -> TargetProcessorTune:
    """The processor that the family and model in a text of /proc/cpuinfo name."""
    numbers = dict(re.findall(r"^(cpu family|model)\s*:\s*(\d+)$", text, re.MULTILINE))
    if "AuthenticAMD" not in text or len(numbers) < 2:
        return TargetProcessorTune.TuneGeneric
    family, model = int(numbers["cpu family"]), int(numbers["model"])
    if family == 0x17:
        return TargetProcessorTune.TuneZnVer1 if model < 0x30 else TargetProcessorTune.TuneZnVer2
    if family == 0x19:
        zen4 = 0x10 <= model <= 0x1F or 0x60 <= model <= 0xAF
        return TargetProcessorTune.TuneZnVer4 if zen4 else TargetProcessorTune.TuneZnVer3
    return TargetProcessorTune.TuneZnVer5 if family == 0x1A else TargetProcessorTune.TuneGeneric
