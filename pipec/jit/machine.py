"""Which processor and instructions a Target stands for."""

from __future__ import annotations

from pipec.jit.llvm_engine import Machine
from pipec.target import Target, TargetFeature, get_host_target

# Halide's features -> LLVM's.
_AVX512 = "+avx512f,+avx512cd"
_SKYLAKE = f"{_AVX512},+avx512bw,+avx512dq,+avx512vl"
_CANNONLAKE = f"{_SKYLAKE},+avx512ifma,+avx512vbmi"
_ZEN4 = f"{_CANNONLAKE},+avx512vnni,+avx512bf16,+avx512vbmi2,+avx512bitalg,+avx512vpopcntdq"
_FEATURES = {
    TargetFeature.SSE41: "+sse4.1,+ssse3,+sse3",
    TargetFeature.AVX: "+avx",
    TargetFeature.AVX2: "+avx2",
    TargetFeature.AVXVNNI: "+avxvnni",
    TargetFeature.FMA: "+fma",
    TargetFeature.FMA4: "+fma4",
    TargetFeature.F16C: "+f16c",
    TargetFeature.AVX512: _AVX512,
    TargetFeature.AVX512_Skylake: _SKYLAKE,
    TargetFeature.AVX512_Cannonlake: _CANNONLAKE,
    TargetFeature.AVX512_Zen4: _ZEN4,
    TargetFeature.AVX512_Zen5: f"{_ZEN4},+avxvnni",
    TargetFeature.AVX512_SapphireRapids: f"{_ZEN4},+avxvnni,+avx512fp16",
    TargetFeature.ARMDotProd: "+dotprod",
    TargetFeature.ARMFp16: "+fullfp16",
    TargetFeature.SVE2: "+sve2",
}


def machine_of(target: Target, host: Machine) -> Machine:
    """The host with all it has when the target names every feature of the host, else just what the target names."""
    if get_host_target().features() <= target.features():
        return host
    named = [text for feature, text in _FEATURES.items() if feature in target.features()]
    return Machine(host.triple, "x86-64" if host.architecture == "x86" else "generic", ",".join(named))


def may_contract(target: Target) -> bool:
    """Whether a float product and sum may become one fused operation, as Halide does unless asked for strict floats."""
    return not target.has_feature(TargetFeature.StrictFloat)
