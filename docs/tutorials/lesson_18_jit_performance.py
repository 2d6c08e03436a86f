"""Lesson 18: calling compiled pipelines - what is compiled when, and how to call often.

Compiling takes milliseconds to seconds, running microseconds. A program should compile once.
"""

import time

import numpy as np

import pipec as hl

x, y = hl.vars("x y")
image = hl.ImageParam(hl.Float(32), 2, "image")
gain = hl.Param(hl.Float(32), "gain", 2.0)
amplified = hl.Func("amplified")
amplified[x, y] = image[x, y] * gain
amplified.vectorize(x, 8)
pixels = np.ones((4, 16), np.float32)

# realize compiles at the first call and then keeps the code: other sizes, images and Params need no compiling.
image.set(hl.Buffer(pixels))
began = time.perf_counter()
amplified.realize([16, 4])
first = time.perf_counter() - began
began = time.perf_counter()
gain.set(3.0)
result = amplified.realize([8, 2])
second = time.perf_counter() - began
print("second call is faster:", second < first, "- value:", result[0, 0])

# compile_jit compiles beforehand, where a first slow call would hurt.
amplified.compile_jit()

# compile_to_callable gives a function of its arguments, in the order that you name; outputs come last.
# It does no bookkeeping at the call and is the way to run a pipeline often, or from several threads.
amplify = amplified.compile_to_callable([image, gain])
output = np.zeros((4, 16), np.float32)
source_buffer, output_buffer = hl.Buffer(pixels), hl.Buffer(output)
for factor in (1.5, 2.5):
    amplify(source_buffer, factor, output_buffer)
    print("gain", factor, "->", float(output.min()), float(output.max()))

# Wrong arguments are refused, each with its reason.
for arguments in ((source_buffer, 1.0), (source_buffer, 1.0, hl.Buffer(hl.Int(32), [16, 4]))):
    try:
        amplify(*arguments)
        print("accepted?")
    except Exception:
        print("refused:", len(arguments), "arguments")

# A change of the schedule or of the definition compiles anew, at the next call.
amplified.unroll(y, 2)
print("new schedule, same pixels:", amplified.realize([16, 4])[3, 3])
