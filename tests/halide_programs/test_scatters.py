"""Updates that write several places at once, or places that values decide about: Halide's programs about scatters."""

import numpy as np
import pytest
from helpers import check, image

RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize("lanes", [0, 4])
@pytest.mark.parametrize("size", [17, 16, 3])
def test_a_square_turns_in_place(hl, size, lanes):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    data = RANDOM.integers(0, 256, (size, size)).astype(np.uint8)
    source, last = image(hl, data), size - 1
    r = hl.RDom([(0, (size + 1) // 2), (0, size // 2)])
    columns = [r.x, last - r.y, last - r.x, r.y]
    rows = [r.y, r.x, last - r.y, last - r.x]
    f[x, y] = source[x, y]
    place = hl.scatter(columns[1:] + columns[:1]), hl.scatter(rows[1:] + rows[:1])
    f[place] = f[hl.gather(columns), hl.gather(rows)]
    if lanes:
        f.update().allow_race_conditions().vectorize(r.x, lanes).parallel(r.y)
    check(f.realize([size, size]), np.rot90(data, -1))


@pytest.mark.parametrize("lanes", [0, 8])
def test_columns_are_sorted_by_a_network_that_an_image_holds(hl, lanes):
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    links = [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)]
    network = image(hl, np.array(links, np.int32))
    data = RANDOM.integers(-999, 999, (4, 48)).astype(np.int32)
    source, r = image(hl, data), hl.RDom([(0, len(links))])
    low, high = (hl.unsafe_promise_clamped(network[end, r], 0, 3) for end in (0, 1))
    f[x, y] = source[x, y]
    a, b = f[x, low], f[x, high]
    f[x, hl.scatter([low, high])] = hl.gather([hl.min(a, b), hl.max(a, b)])
    if lanes:
        f.vectorize(x, lanes).update().vectorize(x, lanes)
    check(f.realize([48, 4]), np.sort(data, axis=0))


def test_pairs_are_swapped_where_their_order_is_wrong(hl):
    x, f, size = hl.Var("x"), hl.Func("f"), 40
    f[x] = (13 - x % 10, hl.u8(x * 17))
    r = hl.RDom([(0, size - 1), (0, size - 1)])
    r.where(r.x < size - 1 - r.y)
    here, after = f[r.x], f[r.x + 1]
    r.where((here[0] > after[0]) | ((here[0] == after[0]) & (here[1] > after[1])))
    f[hl.scatter([r.x, r.x + 1])] = f[hl.gather([r.x + 1, r.x])]
    first, second = map(np.asarray, f.realize([size]))
    pairs = sorted((13 - i % 10, i * 17 % 256) for i in range(size))
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == pairs


def test_a_product_of_complex_numbers_in_two_elements_is_atomic(hl):
    x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom([(0, 100)])
    data = RANDOM.integers(0, 256, (100, 2)).astype(np.uint8)
    source = image(hl, data)
    a, b = source[0, r], source[1, r]
    f[x] = hl.u8(hl.mux(x, [1, 0]))
    f[hl.scatter([hl.Expr(0), hl.Expr(1)])] = hl.gather([f[0] * a - f[1] * b, f[0] * b + f[1] * a])
    f.update().atomic(True).parallel(r.x)
    product = 1 + 0j
    for real, imaginary in data.tolist():
        product *= complex(real, imaginary)
        product = complex(product.real % 256, product.imag % 256)
    check(f.realize([2]), [int(product.real), int(product.imag)])


@pytest.mark.parametrize("task", [50, 7])
def test_places_of_a_running_sum_are_written_in_parallel(hl, task):
    x, f, total, ones, r = hl.Var("x"), hl.Func("f"), hl.Func("total"), hl.Func("ones"), hl.RDom([(0, 300)])
    f[x] = hl.select((x % 7 == 0) | (x % 5 == 0), 1, 0)
    total[x] = 0
    total[r + 1] = f[r] + total[r]
    ones[x] = -1
    ones[hl.clamp(total[r], 0, 300)] = hl.select(f[r] == 1, r, hl.undef(hl.Int(32)))
    f.compute_root()
    total.compute_root()
    ones.update().allow_race_conditions().parallel(r.x, task)
    places = [i for i in range(300) if i % 7 == 0 or i % 5 == 0]
    check(ones.realize([301]), places + [-1] * (301 - len(places)))
