"""Lesson 5: scheduling producers and consumers - what is stored, and when it is computed.

Between computing a value again whenever it is needed and computing all of them beforehand lie many places.
Each trades memory and locality for repeated work.
"""

import numpy as np

import pipec as hl

x, y, yo, yi = hl.vars("x y yo yi")


def pipeline(name):
    """The sum of each pixel's 2 x 2 neighbours, of something that is costly to compute."""
    producer, consumer = hl.Func(f"producer_{name}"), hl.Func(f"consumer_{name}")
    producer[x, y] = (x * 7 + y * 13) % 31
    consumer[x, y] = producer[x, y] + producer[x + 1, y] + producer[x, y + 1] + producer[x + 1, y + 1]
    return producer, consumer


def expected(width, height):
    rows, columns = np.mgrid[: height + 1, : width + 1]
    values = (columns * 7 + rows * 13) % 31
    return values[:-1, :-1] + values[:-1, 1:] + values[1:, :-1] + values[1:, 1:]


def check(title, consumer):
    image = np.array(consumer.realize([32, 16]))
    print(f"{title:34}", "right" if (image == expected(32, 16)).all() else "WRONG")


# 1. Inlined: nothing stored, everything computed four times.
producer, consumer = pipeline("inline")
check("inlined", consumer)

# 2. compute_root: all of the producer first, each value once; the whole of it is stored.
producer, consumer = pipeline("root")
producer.compute_root()
check("computed before", consumer)

# 3. compute_at: what one row of the consumer needs, two rows, just before that row. Little memory, good locality;
#    each row is computed twice.
producer, consumer = pipeline("row")
producer.compute_at(consumer, y)
check("computed for each row", consumer)

# 4. store_root with compute_at: the storage outlives the row, so a row that is there already is not computed again.
#    Each value once. Only two rows are ever needed at a time, so only two are kept, in a ring.
producer, consumer = pipeline("sliding")
producer.store_root().compute_at(consumer, y)
check("a sliding window", consumer)

# 5. Strips in parallel, a sliding window in each: rows are computed twice only where strips meet.
producer, consumer = pipeline("strips")
consumer.split(y, yo, yi, 4).parallel(yo).vectorize(x, 8)
producer.store_at(consumer, yo).compute_at(consumer, yi).vectorize(x, 8)
check("strips in parallel", consumer)
consumer.print_loop_nest()

# What each choice costs for 32 x 16 pixels: values of the producer computed, and values stored at a time.
print("inlined: computed", 4 * 32 * 16, "stored", 0)
print("root:    computed", 33 * 17, "stored", 33 * 17)
print("row:     computed", 33 * 2 * 16, "stored", 33 * 2)
print("sliding: computed", 33 * 17, "stored", 33 * 2)
