"""`python -m bench.chains`: how compile time grows with the number of stages, beside the halide wheel's.

Each chain is a row of 4-point means of 16-bit images, every one made of the one before. `root`: whole images in turn;
`sliding`: all in one parallel loop over strips, each a few rows ahead of the next.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

from bench.process import run_python

STAGES = (10, 50, 100, 200, 400)
# The wheel's compile time grows with the square and worse; longer chains than these would take minutes.
WHEEL_STAGES = {"root": 200, "sliding": 50}

CHAIN = """
import json, time, {module} as hl
x, y, yi = hl.vars("x y yi")
previous = hl.ImageParam(hl.UInt(16), 2, "image")
stages = []
for i in range({stages}):
    stage = hl.Func(f"stage{{i}}")
    near = (previous[x - 1, y], previous[x + 1, y], previous[x, y - 1], previous[x, y + 1])
    stage[x, y] = (near[0] + near[1] + near[2] + near[3]) // 4
    stages.append(stage)
    previous = stage
last = stages[-1]
if {kind!r} == "sliding":
    last.split(y, y, yi, 32).parallel(y).vectorize(x, 16)
for stage in stages[:-1]:
    if {kind!r} == "root":
        stage.compute_root().vectorize(x, 16)
    else:
        stage.store_at(last, y).compute_at(last, yi).vectorize(x, 16)
start = time.process_time()
last.compile_jit()
print(json.dumps(time.process_time() - start))
"""


def compile_seconds(module: str, kind: str, stages: int) -> float:
    """Processor seconds from Funcs to machine code, in a process of its own without a disk cache."""
    return run_python("-c", CHAIN.format(module=module, kind=kind, stages=stages), PIPEC_CACHE="0")


def growth(times: dict[int, float]) -> float:
    """The exponent p for which time grows as n^p from the second length to the last."""
    first, last = sorted(times)[1], max(times)
    return math.log(times[last] / times[first]) / math.log(last / first)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.chains", description=__doc__)
    parser.add_argument("--json", type=Path, default=Path("out/chains.json"), help="where the numbers go")
    options = parser.parse_args()
    result: dict[str, Any] = {}
    print("processor seconds to compile a chain of so many stages")
    print(f"{'':18}" + "".join(f"{n:>8}" for n in STAGES))
    for kind, longest in WHEEL_STAGES.items():
        ours = {n: compile_seconds("pipec", kind, n) for n in STAGES}
        theirs = {n: compile_seconds("halide", kind, n) for n in STAGES if n <= longest}
        result[kind] = {"pipec": ours, "halide": theirs}
        for module, times in result[kind].items():
            print(f"{kind:10}{module:8}" + "".join(f"{seconds:8.2f}" for seconds in times.values()), flush=True)
        limit = growth({n: n * math.log(n) for n in STAGES})
        print(f"{kind}: pipec's time grows as n^{growth(ours):.2f} (n log n would be n^{limit:.2f})")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
