"""Unseen."""
from __future__ import annotations
import numpy as np
from apps.app import Algorithm
from bench.zoo.entry import Entry, noise
from bench.zoo.pieces import Stages, gaussian, total, repeat_edge

ENTRIES = []

def entry(size, test, **kw):
    def wrap(f):
        ENTRIES.append(Entry(f.__name__, "unseen", "", f, f.inputs if hasattr(f, "inputs") else INPUTS[f.__name__], lambda i: None, size, test, tolerance=kw.pop("tol", 1e-3), **kw))
        return f
    return wrap

def img(dtype, lo, hi, *names, drop=0, shape=None):
    def inputs(size):
        s = shape(size) if shape else (size[:len(size)-drop] if drop else size)
        return {n: noise(tuple(s[::-1]), dtype, lo, hi, k) for k, n in enumerate(names)}
    return inputs

def clampy(hl, p):
    return hl.BoundaryConditions.repeat_edge(p)

INPUTS = {}

# 1 SSIM
INPUTS["u_ssim"] = img(np.float32, 0, 255, "p", "q")
@entry((1536, 1024), (61, 43), tol=1e-2)
def u_ssim(hl):
    p, q = hl.ImageParam(hl.Float(32), 2, "p"), hl.ImageParam(hl.Float(32), 2, "q")
    x, y = hl.vars("x y"); s = Stages(hl)
    a, b = clampy(hl, p), clampy(hl, q)
    aa = s.define("aa", (x, y), a[x, y] * a[x, y]); bb = s.define("bb", (x, y), b[x, y] * b[x, y]); ab = s.define("ab", (x, y), a[x, y] * b[x, y])
    g = gaussian(1.5, 5)
    m = [s.blur(n, f, (x, y), g) for n, f in (("ma", a), ("mb", b), ("maa", aa), ("mbb", bb), ("mab", ab))]
    ma, mb, maa, mbb, mab = (f[x, y] for f in m)
    c1, c2 = hl.f32(6.5025), hl.f32(58.5225)
    out = s.define("ssim", (x, y), (2 * ma * mb + c1) * (2 * (mab - ma * mb) + c2) / ((ma * ma + mb * mb + c1) * (maa - ma * ma + mbb - mb * mb + c2)))
    return Algorithm(out, {"p": p, "q": q}, stages=s)

# 2 conv3d
INPUTS["u_conv3d"] = lambda size: {"v": noise((8, size[2] + 2, size[1] + 2, size[0] + 2), np.float32, -1, 1), "w": noise((8, 8, 3, 3, 3), np.float32, -1, 1, 2)}
@entry((64, 64, 32, 8), (13, 9, 5, 8))
def u_conv3d(hl):
    v, w = hl.ImageParam(hl.Float(32), 4, "v"), hl.ImageParam(hl.Float(32), 5, "w")
    x, y, z, o = hl.vars("x y z o"); s = Stages(hl)
    r = hl.RDom([(0, 3), (0, 3), (0, 3), (0, 8)])
    acc = s.define("acc", (x, y, z, o), hl.f32(0))
    acc[x, y, z, o] += v[x + r[0], y + r[1], z + r[2], r[3]] * w[r[0], r[1], r[2], r[3], o]
    out = s.define("out", (x, y, z, o), hl.max(acc[x, y, z, o], hl.f32(0)))
    return Algorithm(out, {"v": v, "w": w}, stages=s)

# 3 GRU cell: batch 64, hidden 256
INPUTS["u_gru"] = lambda size: {"xin": noise((size[1], 256), np.float32, -1, 1), "h": noise((size[1], size[0]), np.float32, -1, 1, 1), "wx": noise((3, 256, size[0]), np.float32, -0.1, 0.1, 2), "wh": noise((3, size[0], size[0]), np.float32, -0.1, 0.1, 3)}
@entry((512, 256), (32, 5))
def u_gru(hl):
    xin, h = hl.ImageParam(hl.Float(32), 2, "xin"), hl.ImageParam(hl.Float(32), 2, "h")
    wx, wh = hl.ImageParam(hl.Float(32), 3, "wx"), hl.ImageParam(hl.Float(32), 3, "wh")
    j, n, g = hl.vars("j n g"); s = Stages(hl)
    k = hl.RDom([(0, 256)]); k2 = hl.RDom([(0, h.width())])
    gx = s.define("gx", (j, n, g), hl.f32(0)); gx[j, n, g] += xin[k[0], n] * wx[j, k[0], g]
    gh = s.define("gh", (j, n, g), hl.f32(0)); gh[j, n, g] += h[k2[0], n] * wh[j, k2[0], g]
    sig = lambda e: 1 / (1 + hl.exp(-e))
    rz = s.define("rz", (j, n), (sig(gx[j, n, 0] + gh[j, n, 0]), sig(gx[j, n, 1] + gh[j, n, 1])))
    cand = s.define("cand", (j, n), hl.tanh(gx[j, n, 2] + rz[j, n][0] * gh[j, n, 2]))
    out = s.define("out", (j, n), rz[j, n][1] * h[j, n] + (1 - rz[j, n][1]) * cand[j, n])
    return Algorithm(out, {"xin": xin, "h": h, "wx": wx, "wh": wh}, stages=s)

# 4 shallow water, 6 steps
INPUTS["u_shallow_water"] = img(np.float32, 1, 2, "h0", "u0", "v0")
@entry((1024, 1024), (37, 29), tol=1e-2)
def u_shallow_water(hl):
    ps = [hl.ImageParam(hl.Float(32), 2, n) for n in ("h0", "u0", "v0")]
    x, y = hl.vars("x y"); s = Stages(hl)
    st = s.define("s0", (x, y), tuple(p[hl.clamp(x, 0, p.width() - 1), hl.clamp(y, 0, p.height() - 1)] for p in ps))
    dt, gr = hl.f32(0.01), hl.f32(9.8)
    for k in range(6):
        c, l, r, u, d = st[x, y], st[x - 1, y], st[x + 1, y], st[x, y - 1], st[x, y + 1]
        hh = c[0] - dt * ((r[1] - l[1]) + (d[2] - u[2])) * c[0]
        uu = c[1] - dt * gr * (r[0] - l[0]) - dt * c[1] * (r[1] - l[1])
        vv = c[2] - dt * gr * (d[0] - u[0]) - dt * c[2] * (d[2] - u[2])
        st = s.define(f"s{k+1}", (x, y), (hh, uu, vv))
    out = s.define("out", (x, y), st[x, y][0] + hl.sqrt(st[x, y][1] * st[x, y][1] + st[x, y][2] * st[x, y][2]))
    return Algorithm(out, dict(zip(("h0", "u0", "v0"), ps)), stages=s)

# 5 jpeg roundtrip of luma
INPUTS["u_jpeg"] = img(np.uint8, 0, 255, "rgb", shape=lambda z: (z[0], z[1], 3))
@entry((1536, 1024), (64, 40), tol=2)
def u_jpeg(hl):
    rgb = hl.ImageParam(hl.UInt(8), 3, "rgb")
    x, y, u, v, bx, by = hl.vars("x y u v bx by"); s = Stages(hl)
    f = lambda c: hl.cast(hl.Float(32), rgb[x, y, c])
    lum = s.define("lum", (x, y), f(0) * 0.299 + f(1) * 0.587 + f(2) * 0.114 - 128)
    import math
    cos = hl.Buffer(np.array([[math.sqrt((1 if k == 0 else 2) / 8) * math.cos((2 * n + 1) * k * math.pi / 16) for n in range(8)] for k in range(8)], np.float32))  # cos(n,k)
    r = hl.RDom([(0, 8)])
    rows = s.define("rows", (u, y, bx), hl.f32(0)); rows[u, y, bx] += lum[bx * 8 + r[0], y] * cos[r[0], u]
    r2 = hl.RDom([(0, 8)])
    co = s.define("co", (u, v, bx, by), hl.f32(0)); co[u, v, bx, by] += rows[u, by * 8 + r2[0], bx] * cos[r2[0], v]
    q = 8 + 3 * (u + v)
    qd = s.define("qd", (u, v, bx, by), hl.round(co[u, v, bx, by] / hl.cast(hl.Float(32), q)) * hl.cast(hl.Float(32), q))
    r3 = hl.RDom([(0, 8)])
    ic = s.define("ic", (u, y, bx), hl.f32(0)); ic[u, y, bx] += qd[u, r3[0], bx, y // 8] * cos[y % 8, r3[0]]
    r4 = hl.RDom([(0, 8)])
    rec = s.define("rec", (x, y), hl.f32(0)); rec[x, y] += ic[r4[0], y, x // 8] * cos[x % 8, r4[0]]
    out = s.define("out", (x, y), hl.cast(hl.UInt(8), hl.clamp(rec[x, y] + 128.5, 0, 255)))
    return Algorithm(out, {"rgb": rgb}, stages=s)

# 6 lanczos3 downscale by 2.5, three channels u8
INPUTS["u_lanczos"] = lambda size: {"src": noise((3, int(size[1] * 2.5), int(size[0] * 2.5)), np.uint8, 0, 255)}
@entry((768, 512, 3), (31, 22, 3), tol=2)
def u_lanczos(hl):
    src = hl.ImageParam(hl.UInt(8), 3, "src"); x, y, c, k = hl.vars("x y c k"); s = Stages(hl)
    b = clampy(hl, src); f = s.define("f", (x, y, c), hl.cast(hl.Float(32), b[x, y, c]))
    scale, n = 2.5, 16
    pos = lambda e: (hl.cast(hl.Float(32), e) + 0.5) * hl.f32(scale) - 0.5
    beg = lambda e: hl.cast(hl.Int(32), hl.ceil(pos(e) - hl.f32(3 * scale)))
    def lan(e):
        t = hl.abs(e); pt = t * hl.f32(3.14159265)
        return hl.select(t < hl.f32(1e-3), hl.f32(1), hl.select(t >= 3, hl.f32(0), 3 * hl.sin(pt) * hl.sin(pt / 3) / (pt * pt)))
    r = hl.RDom([(0, n)])
    raw = s.define("raw", (x, k), lan((hl.cast(hl.Float(32), k + beg(x)) - pos(x)) / hl.f32(scale)))
    ws = s.define("ws", (x,), hl.f32(0)); ws[x] += raw[x, r[0]]
    w = s.define("w", (x, k), raw[x, k] / ws[x])
    r1, r2 = hl.RDom([(0, n)]), hl.RDom([(0, n)])
    vert = s.define("vert", (x, y, c), hl.f32(0)); vert[x, y, c] += w[y, r1[0]] * f[x, r1[0] + beg(y), c]
    hor = s.define("hor", (x, y, c), hl.f32(0)); hor[x, y, c] += w[x, r2[0]] * vert[r2[0] + beg(x), y, c]
    out = s.define("out", (x, y, c), hl.cast(hl.UInt(8), hl.clamp(hor[x, y, c] + 0.5, 0, 255)))
    return Algorithm(out, {"src": src}, stages=s)

# 7 dilated stack, 16 channels, channels innermost
INPUTS["u_dilated"] = lambda size: {"t": noise((size[2] + 14, size[1] + 14, 16), np.float32, 0, 1), "w": noise((3, 3, 3, 16, 16), np.float32, -0.2, 0.2, 1)}
@entry((16, 160, 120), (16, 13, 9))
def u_dilated(hl):
    t, w = hl.ImageParam(hl.Float(32), 3, "t"), hl.ImageParam(hl.Float(32), 5, "w")
    o, x, y = hl.vars("o x y"); s = Stages(hl); cur = t
    for k, d in enumerate((1, 2, 4)):
        r = hl.RDom([(0, 16), (0, 3), (0, 3)])
        acc = s.define(f"acc{k}", (o, x, y), hl.f32(0.1))
        acc[o, x, y] += cur[r[0], x + r[1] * d, y + r[2] * d] * w[o, r[0], r[1], r[2], k]
        cur = s.define(f"act{k}", (o, x, y), hl.max(acc[o, x, y], hl.f32(0.01) * acc[o, x, y]))
    return Algorithm(cur, {"t": t, "w": w}, stages=s)

# 8 sauvola by integral images
INPUTS["u_sauvola"] = img(np.uint8, 0, 255, "p")
@entry((2048, 1536), (53, 37))
def u_sauvola(hl):
    p = hl.ImageParam(hl.UInt(8), 2, "p"); x, y = hl.vars("x y"); s = Stages(hl)
    W, H = p.width(), p.height()
    v = hl.cast(hl.UInt(32), p[x, y])
    def integral(n, e):
        r = hl.RDom([(1, W - 1)]); r2 = hl.RDom([(1, H - 1)])
        a = s.define(n + "r", (x, y), e); a[r[0], y] += a[r[0] - 1, y]
        b = s.define(n + "c", (x, y), a[x, y]); b[x, r2[0]] += b[x, r2[0] - 1]
        return b
    i1 = integral("i1", v); i2 = integral("i2", v * v)
    R = 12
    x0, x1 = hl.max(x - R, 0), hl.min(x + R, W - 1); y0, y1 = hl.max(y - R, 0), hl.min(y + R, H - 1)
    box = lambda i: hl.cast(hl.Float(32), i[x1, y1] - i[x0, y1] - i[x1, y0] + i[x0, y0])
    n = hl.cast(hl.Float(32), (x1 - x0) * (y1 - y0))
    mean = s.define("mean", (x, y), box(i1) / n)
    dev = s.define("dev", (x, y), hl.sqrt(hl.max(box(i2) / n - mean[x, y] * mean[x, y], 0)))
    out = s.define("out", (x, y), hl.cast(hl.UInt(8), hl.select(hl.cast(hl.Float(32), p[x, y]) > mean[x, y] * (1 + hl.f32(0.3) * (dev[x, y] / 128 - 1)), 255, 0)))
    return Algorithm(out, {"p": p}, stages=s)

# 9 TAA
INPUTS["u_taa"] = lambda size: {"cur": noise((3, size[1], size[0]), np.float32, 0, 1), "hist": noise((3, size[1], size[0]), np.float32, 0, 1, 1), "flow": noise((2, size[1], size[0]), np.float32, -3, 3, 2)}
@entry((1280, 720, 3), (47, 31, 3))
def u_taa(hl):
    cur, hist, flow = (hl.ImageParam(hl.Float(32), 3, n) for n in ("cur", "hist", "flow"))
    x, y, c = hl.vars("x y c"); s = Stages(hl); W, H = cur.width(), cur.height()
    def ycc(name, b):
        r, g, bl = b[x, y, 0], b[x, y, 1], b[x, y, 2]
        return s.define(name, (x, y, c), hl.mux(c, [r * 0.25 + g * 0.5 + bl * 0.25, r * 0.5 - bl * 0.5, -r * 0.25 + g * 0.5 - bl * 0.25]))
    cb = hl.BoundaryConditions.repeat_edge(cur, [(0, W), (0, H)]); hb = hl.BoundaryConditions.repeat_edge(hist, [(0, W), (0, H)])
    cy, hy = ycc("cy", cb), ycc("hy", hb)
    fx, fy = hl.cast(hl.Float(32), x) + flow[x, y, 0], hl.cast(hl.Float(32), y) + flow[x, y, 1]
    ix, iy = hl.cast(hl.Int(32), hl.floor(fx)), hl.cast(hl.Int(32), hl.floor(fy))
    tx, ty = fx - hl.floor(fx), fy - hl.floor(fy)
    ix, iy = hl.clamp(ix, -2, W), hl.clamp(iy, -2, H)
    rep = s.define("rep", (x, y, c), hl.lerp(hl.lerp(hy[ix, iy, c], hy[ix + 1, iy, c], tx), hl.lerp(hy[ix, iy + 1, c], hy[ix + 1, iy + 1, c], tx), ty))
    n = [cy[x + i, y + j, c] for i in (-1, 0, 1) for j in (-1, 0, 1)]
    lo, hi = n[0], n[0]
    for e in n[1:]: lo, hi = hl.min(lo, e), hl.max(hi, e)
    cl = s.define("cl", (x, y, c), hl.clamp(rep[x, y, c], lo, hi) * 0.9 + cy[x, y, c] * 0.1)
    a, b, d = cl[x, y, 0], cl[x, y, 1], cl[x, y, 2]
    out = s.define("out", (x, y, c), hl.mux(c, [a + b - d, a + d, a - b - d]))
    return Algorithm(out, {"cur": cur, "hist": hist, "flow": flow}, stages=s)

# 10 edge-avoiding a-trous, 4 levels
INPUTS["u_atrous"] = img(np.float32, 0, 1, "p")
@entry((1024, 768), (61, 47))
def u_atrous(hl):
    p = hl.ImageParam(hl.Float(32), 2, "p"); x, y = hl.vars("x y"); s = Stages(hl); cur = clampy(hl, p)
    h = [1 / 16, 1 / 4, 3 / 8, 1 / 4, 1 / 16]; details = []
    for k in range(4):
        num, den = hl.f32(0), hl.f32(0)
        for j in range(-2, 3):
            for i in range(-2, 3):
                e = cur[x + i * 2 ** k, y + j * 2 ** k]; d = e - cur[x, y]
                w = hl.f32(h[i + 2] * h[j + 2]) / (1 + 50 * d * d)
                num, den = num + w * e, den + w
        nxt = s.define(f"l{k}", (x, y), num / den)
        details.append(s.define(f"d{k}", (x, y), cur[x, y] - nxt[x, y])); cur = nxt
    out = s.define("out", (x, y), cur[x, y] + total([d[x, y] * hl.f32(1.5 - 0.2 * k) for k, d in enumerate(details)]))
    return Algorithm(out, {"p": p}, stages=s)

# 11 NV12 to planar floats, resized to half
INPUTS["u_nv12"] = lambda size: {"luma": noise((size[1] * 2, size[0] * 2), np.uint8, 16, 235), "uv": noise((size[1], size[0], 2), np.uint8, 16, 240, 1)}
@entry((960, 540, 3), (31, 22, 3))
def u_nv12(hl):
    luma, uv = hl.ImageParam(hl.UInt(8), 2, "luma"), hl.ImageParam(hl.UInt(8), 3, "uv")
    x, y, c = hl.vars("x y c"); s = Stages(hl); i16 = lambda e: hl.cast(hl.Int(16), e); i32 = lambda e: hl.cast(hl.Int(32), e)
    yy = i32(luma[x, y]) - 16; u, v = i32(uv[0, x // 2, y // 2]) - 128, i32(uv[1, x // 2, y // 2]) - 128
    ch = hl.mux(c, [298 * yy + 409 * v, 298 * yy - 100 * u - 208 * v, 298 * yy + 516 * u])
    rgb = s.define("rgb", (x, y, c), hl.cast(hl.UInt(8), hl.clamp((ch + 128) >> 8, 0, 255)))
    small = s.define("small", (x, y, c), (hl.cast(hl.UInt(16), rgb[2 * x, 2 * y, c]) + rgb[2 * x + 1, 2 * y, c] + rgb[2 * x, 2 * y + 1, c] + rgb[2 * x + 1, 2 * y + 1, c] + 2) >> 2)
    out = s.define("out", (x, y, c), (hl.cast(hl.Float(32), small[x, y, c]) / 255 - hl.mux(c, [hl.f32(0.485), hl.f32(0.456), hl.f32(0.406)])) / hl.mux(c, [hl.f32(0.229), hl.f32(0.224), hl.f32(0.225)]))
    return Algorithm(out, {"luma": luma, "uv": uv}, stages=s)

# 12 hamming matching of binary descriptors
INPUTS["u_hamming"] = lambda size: {"a": np.random.default_rng(0).integers(0, 2**32, (size[0], 8), dtype=np.uint32), "b": np.random.default_rng(1).integers(0, 2**32, (1500, 8), dtype=np.uint32)}
@entry((2000,), (37,))
def u_hamming(hl):
    a, b = hl.ImageParam(hl.UInt(32), 2, "a"), hl.ImageParam(hl.UInt(32), 2, "b")
    i, j = hl.vars("i j"); s = Stages(hl); k = hl.RDom([(0, 8)])
    dist = s.define("dist", (i, j), hl.u32(0)); dist[i, j] += hl.popcount(a[k[0], i] ^ b[k[0], j])
    r = hl.RDom([(0, b.dim(1).extent())])
    best = s.define("best", (i,), (hl.u32(9999), 0))
    d = dist[i, r[0]]; closer = d < best[i][0]
    best[i] = (hl.select(closer, d, best[i][0]), hl.select(closer, r[0], best[i][1]))
    out = s.define("out", (i,), best[i][1] * 1000 + hl.cast(hl.Int(32), best[i][0]))
    return Algorithm(out, {"a": a, "b": b}, stages=s)

# 13 ConvNeXt block: depthwise 7x7, layer norm over channels, pointwise up, gelu, pointwise down
INPUTS["u_convnext"] = lambda size: {"t": noise((size[2] + 6, size[1] + 6, size[0]), np.float32, -1, 1), "dw": noise((7, 7, size[0]), np.float32, -.2, .2, 1), "w1": noise((size[0], 4 * size[0]), np.float32, -.2, .2, 2), "w2": noise((4 * size[0], size[0]), np.float32, -.2, .2, 3)}
@entry((64, 56, 56), (64, 7, 5), tol=1e-2)
def u_convnext(hl):
    t, dw = hl.ImageParam(hl.Float(32), 3, "t"), hl.ImageParam(hl.Float(32), 3, "dw")
    w1, w2 = hl.ImageParam(hl.Float(32), 2, "w1"), hl.ImageParam(hl.Float(32), 2, "w2")
    c, x, y = hl.vars("c x y"); s = Stages(hl); C = dw.dim(0).extent()
    r = hl.RDom([(0, 7), (0, 7)])
    d = s.define("d", (c, x, y), hl.f32(0)); d[c, x, y] += t[c, x + r[0], y + r[1]] * dw[c, r[0], r[1]]
    rc = hl.RDom([(0, C)])
    m = s.define("m", (x, y), (hl.f32(0), hl.f32(0))); m[x, y] = (m[x, y][0] + d[rc[0], x, y], m[x, y][1] + d[rc[0], x, y] * d[rc[0], x, y])
    cf = hl.cast(hl.Float(32), C); mean = m[x, y][0] / cf
    ln = s.define("ln", (c, x, y), (d[c, x, y] - mean) / hl.sqrt(m[x, y][1] / cf - mean * mean + hl.f32(1e-5)))
    r1 = hl.RDom([(0, C)]); up = s.define("up", (c, x, y), hl.f32(0)); up[c, x, y] += ln[r1[0], x, y] * w1[c, r1[0]]
    u = up[c, x, y]
    ge = s.define("ge", (c, x, y), hl.f32(0.5) * u * (1 + hl.tanh(hl.f32(0.79788456) * (u + hl.f32(0.044715) * u * u * u))))
    r2 = hl.RDom([(0, w1.dim(0).extent())]); dn = s.define("dn", (c, x, y), hl.f32(0)); dn[c, x, y] += ge[r2[0], x, y] * w2[c, r2[0]]
    out = s.define("out", (c, x, y), dn[c, x, y] + t[c, x + 3, y + 3])
    return Algorithm(out, {"t": t, "dw": dw, "w1": w1, "w2": w2}, stages=s)

# 14 joint bilateral upsample by 4
INPUTS["u_jbu"] = lambda size: {"guide": noise((size[1], size[0]), np.uint8, 0, 255), "low": noise((size[1] // 4 + 3, size[0] // 4 + 3), np.float32, 0, 1, 1)}
@entry((1600, 1200), (64, 48))
def u_jbu(hl):
    guide, low = hl.ImageParam(hl.UInt(8), 2, "guide"), hl.ImageParam(hl.Float(32), 2, "low")
    x, y = hl.vars("x y"); s = Stages(hl)
    gb, lb = clampy(hl, guide), clampy(hl, low)
    g = s.define("g", (x, y), hl.cast(hl.Float(32), gb[x, y]))
    r = hl.RDom([(-1, 3), (-1, 3)])
    lx, ly = x // 4 + r[0], y // 4 + r[1]
    d = g[x, y] - g[lx * 4 + 2, ly * 4 + 2]
    sx, sy = hl.cast(hl.Float(32), x - (lx * 4 + 2)) / 4, hl.cast(hl.Float(32), y - (ly * 4 + 2)) / 4
    w = hl.exp(-(sx * sx + sy * sy) - d * d * hl.f32(1 / 800))
    acc = s.define("acc", (x, y), (hl.f32(0), hl.f32(0)))
    acc[x, y] = (acc[x, y][0] + w * lb[lx, ly], acc[x, y][1] + w)
    out = s.define("out", (x, y), acc[x, y][0] / acc[x, y][1])
    return Algorithm(out, {"guide": guide, "low": low}, stages=s)

# 15 SAD stereo with left-right check, 32 disparities
INPUTS["u_sad_lr"] = img(np.uint8, 0, 255, "l", "r")
@entry((960, 540), (61, 33))
def u_sad_lr(hl):
    l, r = hl.ImageParam(hl.UInt(8), 2, "l"), hl.ImageParam(hl.UInt(8), 2, "r")
    x, y, d = hl.vars("x y d"); s = Stages(hl); lb, rb = clampy(hl, l), clampy(hl, r)
    ad = s.define("ad", (x, y, d), hl.cast(hl.UInt(16), hl.absd(lb[x, y], rb[x - d, y])))
    bh = s.define("bh", (x, y, d), total([ad[x + k, y, d] for k in range(-3, 4)]))
    bv = s.define("bv", (x, y, d), total([bh[x, y + k, d] for k in range(-3, 4)]))
    k = hl.RDom([(0, 32)])
    L = s.define("L", (x, y), (hl.u16(65535), hl.u8(0))); c = bv[x, y, k[0]]
    L[x, y] = (hl.min(c, L[x, y][0]), hl.select(c < L[x, y][0], hl.cast(hl.UInt(8), k[0]), L[x, y][1]))
    k2 = hl.RDom([(0, 32)]); R = s.define("R", (x, y), (hl.u16(65535), hl.u8(0))); c2 = bv[x + k2[0], y, k2[0]]
    R[x, y] = (hl.min(c2, R[x, y][0]), hl.select(c2 < R[x, y][0], hl.cast(hl.UInt(8), k2[0]), R[x, y][1]))
    dl = L[x, y][1]; back = R[x - hl.clamp(hl.cast(hl.Int(32), dl), 0, 31), y][1]
    out = s.define("out", (x, y), hl.select(hl.absd(dl, back) <= 1, dl * 8, hl.u8(0)))
    return Algorithm(out, {"l": l, "r": r}, stages=s)

# 16 polyphase decimator and its power
INPUTS["u_decimate"] = lambda size: {"sig": noise((size[0] * 4 + 96,), np.float32, -1, 1), "taps": noise((96,), np.float32, -.1, .1, 1)}
@entry((1000000,), (997,))
def u_decimate(hl):
    sig, taps = hl.ImageParam(hl.Float(32), 1, "sig"), hl.ImageParam(hl.Float(32), 1, "taps")
    x, = hl.vars("x"), ; x = hl.Var("x"); s = Stages(hl); r = hl.RDom([(0, 96)])
    fir = s.define("fir", (x,), hl.f32(0)); fir[x] += sig[4 * x + r[0]] * taps[r[0]]
    out = s.define("out", (x,), hl.log(fir[x] * fir[x] + hl.f32(1e-6)))
    return Algorithm(out, {"sig": sig, "taps": taps}, stages=s)

# 17 biquad cascade over channels
INPUTS["u_biquads"] = lambda size: {"sig": noise((size[1], size[0]), np.float32, -1, 1), "co": np.tile(np.array([[.2, .3, .2, -.4, .1]], np.float32), (size[0], 1)).T.copy()}
@entry((64, 20000), (64, 131))
def u_biquads(hl):
    sig, co = hl.ImageParam(hl.Float(32), 2, "sig"), hl.ImageParam(hl.Float(32), 2, "co")
    ch, t = hl.vars("ch t"); s = Stages(hl); cur = hl.BoundaryConditions.constant_exterior(sig, hl.f32(0))
    for k in range(3):
        f = s.define(f"fir{k}", (ch, t), co[ch, 0] * cur[ch, t] + co[ch, 1] * cur[ch, t - 1] + co[ch, 2] * cur[ch, t - 2])
        r = hl.RDom([(2, sig.dim(1).extent() - 2)])
        b = s.define(f"bq{k}", (ch, t), hl.select(t < 0, hl.f32(0), f[ch, t]))
        b[ch, r[0]] = f[ch, r[0]] - co[ch, 3] * b[ch, r[0] - 1] - co[ch, 4] * b[ch, r[0] - 2]
        cur = b
    return Algorithm(cur, {"sig": sig, "co": co}, stages=s)

# 18 HSV mask, opened, counted per 64x64 cell
INPUTS["u_mask_cells"] = lambda size: {"rgb": noise((3, size[1] * 64, size[0] * 64), np.uint8, 0, 255)}
@entry((32, 20), (2, 1))
def u_mask_cells(hl):
    rgb = hl.ImageParam(hl.UInt(8), 3, "rgb"); x, y = hl.vars("x y"); s = Stages(hl)
    b = hl.BoundaryConditions.repeat_edge(rgb, [(0, rgb.width()), (0, rgb.height())])
    i = lambda c: hl.cast(hl.Int(16), b[x, y, c])
    R, G, B = i(0), i(1), i(2)
    mx, mn = hl.max(R, hl.max(G, B)), hl.min(R, hl.min(G, B))
    mask = s.define("mask", (x, y), hl.select((mx - mn > 40) & (mx == R) & (mx > 90), hl.u8(1), hl.u8(0)))
    def morph(n, f, op):
        h = f[x - 2, y]
        for k in range(-1, 3): h = op(h, f[x + k, y])
        a = s.define(n + "h", (x, y), h); v = a[x, y - 2]
        for k in range(-1, 3): v = op(v, a[x, y + k])
        return s.define(n + "v", (x, y), v)
    m = morph("di", morph("er", mask, hl.min), hl.max)
    r = hl.RDom([(0, 64), (0, 64)])
    cnt = s.define("cnt", (x, y), hl.i32(0)); cnt[x, y] += hl.cast(hl.Int(32), m[x * 64 + r[0], y * 64 + r[1]])
    out = s.define("out", (x, y), hl.cast(hl.Float(32), cnt[x, y]) / 4096)
    return Algorithm(out, {"rgb": rgb}, stages=s)

# 19 soft-argmax of heat maps
INPUTS["u_soft_argmax"] = lambda size: {"hm": noise((size[1], 96, 96), np.float32, -4, 4)}
@entry((2, 128), (2, 5))
def u_soft_argmax(hl):
    hm = hl.ImageParam(hl.Float(32), 3, "hm"); x, y, k, a = hl.vars("x y k a"); s = Stages(hl); W, H = hm.width(), hm.height()
    r = hl.RDom([(0, W), (0, H)])
    mx = s.define("mx", (k,), hl.f32(-1e30)); mx[k] = hl.max(mx[k], hm[r[0], r[1], k])
    e = s.define("e", (x, y, k), hl.exp(hm[x, y, k] - mx[k]))
    r2 = hl.RDom([(0, W), (0, H)])
    sm = s.define("sm", (k,), (hl.f32(0), hl.f32(0), hl.f32(0)))
    ev = e[r2[0], r2[1], k]
    sm[k] = (sm[k][0] + ev, sm[k][1] + ev * hl.cast(hl.Float(32), r2[0]), sm[k][2] + ev * hl.cast(hl.Float(32), r2[1]))
    out = s.define("out", (a, k), hl.select(a == 0, sm[k][1], sm[k][2]) / sm[k][0])
    return Algorithm(out, {"hm": hm}, stages=s)

# 20 temporal median of five frames, then unsharp
INPUTS["u_temporal_median"] = lambda size: {"f": noise((5, size[1], size[0]), np.uint8, 0, 255)}
@entry((1920, 1080), (61, 47))
def u_temporal_median(hl):
    f = hl.ImageParam(hl.UInt(8), 3, "f"); x, y = hl.vars("x y"); s = Stages(hl)
    b = hl.BoundaryConditions.repeat_edge(f, [(0, f.width()), (0, f.height())])
    v = [b[x, y, k] for k in range(5)]
    def so(i, j): v[i], v[j] = hl.min(v[i], v[j]), hl.max(v[i], v[j])
    for i, j in ((0, 1), (3, 4), (2, 4), (2, 3), (0, 3), (0, 2), (1, 4), (1, 3), (1, 2)): so(i, j)
    med = s.define("med", (x, y), v[2]); m16 = s.define("m16", (x, y), hl.cast(hl.Int(16), med[x, y]))
    bl = s.blur("bl", m16, (x, y), (1, 4, 6, 4, 1))
    out = s.define("out", (x, y), hl.cast(hl.UInt(8), hl.clamp(2 * m16[x, y] - ((bl[x, y] + 128) >> 8), 0, 255)))
    return Algorithm(out, {"f": f}, stages=s)

# 21 sparse ELL matrix times dense block
INPUTS["u_ell_spmm"] = lambda size: {"idx": np.random.default_rng(0).integers(0, size[1], (size[1], 16), dtype=np.int32), "val": noise((size[1], 16), np.float32, -1, 1), "b": noise((size[1], size[0]), np.float32, -1, 1, 2)}
@entry((32, 20000), (32, 61))
def u_ell_spmm(hl):
    idx, val, b = hl.ImageParam(hl.Int(32), 2, "idx"), hl.ImageParam(hl.Float(32), 2, "val"), hl.ImageParam(hl.Float(32), 2, "b")
    j, i = hl.vars("j i"); s = Stages(hl); r = hl.RDom([(0, 16)])
    acc = s.define("acc", (j, i), hl.f32(0)); acc[j, i] += val[r[0], i] * b[j, hl.clamp(idx[r[0], i], 0, b.dim(1).extent() - 1)]
    out = s.define("out", (j, i), hl.max(acc[j, i], 0))
    return Algorithm(out, {"idx": idx, "val": val, "b": b}, stages=s)

# 22 int16 5x5 convolution x 3 with rounding shifts and saturation, then max pool
INPUTS["u_fixed_cnn"] = lambda size: {"t": noise((size[1] * 2 + 8, size[0] * 2 + 8), np.int16, -500, 500)}
@entry((640, 480), (23, 17))
def u_fixed_cnn(hl):
    t = hl.ImageParam(hl.Int(16), 2, "t"); x, y = hl.vars("x y"); s = Stages(hl)
    ker = np.random.default_rng(3).integers(-20, 21, (2, 5, 5)); cur = t
    for k in range(2):
        e = total([hl.cast(hl.Int(32), cur[x + i, y + j]) * int(ker[k, j, i]) for j in range(5) for i in range(5)])
        cv = s.define(f"cv{k}", (x, y), e)
        cur = s.define(f"q{k}", (x, y), hl.cast(hl.Int(16), hl.clamp(hl.max((cv[x, y] + 64) >> 7, 0), -32768, 32767)))
    out = s.define("pool", (x, y), hl.max(hl.max(cur[2 * x, 2 * y], cur[2 * x + 1, 2 * y]), hl.max(cur[2 * x, 2 * y + 1], cur[2 * x + 1, 2 * y + 1])))
    return Algorithm(out, {"t": t}, stages=s)

# 23 pagerank-like iterated transposed matrix vector (5 steps)
INPUTS["u_power_iter"] = lambda size: {"m": noise((size[0], size[0]), np.float32, 0, 1)}
@entry((1024,), (64,))
def u_power_iter(hl):
    m = hl.ImageParam(hl.Float(32), 2, "m"); i, = (hl.Var("i"),); s = Stages(hl); n = m.width()
    v = s.define("v0", (i,), hl.f32(1))
    for k in range(4):
        r = hl.RDom([(0, n)]); w = s.define(f"w{k}", (i,), hl.f32(0)); w[i] += m[i, r[0]] * v[r[0]]
        r2 = hl.RDom([(0, n)]); z = hl.Func(f"z{k}"); z[()] = hl.f32(0); z[()] += w[r2[0]] * w[r2[0]]; s[f"z{k}"] = z
        v = s.define(f"v{k+1}", (i,), w[i] / hl.sqrt(z[()] + hl.f32(1e-9)))
    return Algorithm(v, {"m": m}, stages=s)

# 24 phase-based: complex gabor bank of 4 orientations, energy, max
INPUTS["u_gabor"] = img(np.float32, 0, 1, "p")
@entry((1024, 768), (43, 37))
def u_gabor(hl):
    import math
    p = hl.ImageParam(hl.Float(32), 2, "p"); x, y = hl.vars("x y"); s = Stages(hl); b = clampy(hl, p); en = []
    for o in range(4):
        th = o * math.pi / 4
        re = total([b[x + i, y + j] * hl.f32(math.exp(-(i * i + j * j) / 8) * math.cos(1.2 * (i * math.cos(th) + j * math.sin(th)))) for j in range(-3, 4) for i in range(-3, 4)])
        im = total([b[x + i, y + j] * hl.f32(math.exp(-(i * i + j * j) / 8) * math.sin(1.2 * (i * math.cos(th) + j * math.sin(th)))) for j in range(-3, 4) for i in range(-3, 4)])
        g = s.define(f"g{o}", (x, y), (re, im)); en.append(s.define(f"en{o}", (x, y), g[x, y][0] * g[x, y][0] + g[x, y][1] * g[x, y][1]))
    out = s.define("out", (x, y), hl.sqrt(hl.max(hl.max(en[0][x, y], en[1][x, y]), hl.max(en[2][x, y], en[3][x, y]))))
    return Algorithm(out, {"p": p}, stages=s)
