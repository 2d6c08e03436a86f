"""Memory of compiled pipelines as LLVM text: `ptr pipec_malloc(i64 bytes)` and `void pipec_free(ptr)`.

Blocks are aligned to 64 bytes and end with 64 spare bytes. Before a block stand the address that the system gave (at
-16) and the size asked of it (at -8). Large blocks are kept for the next call instead of being given back, so that
their pages are not mapped and cleared again each time; at most 32 blocks and 1 GiB, the oldest going first.
"""

from __future__ import annotations

# From this size on blocks are kept; smaller ones the system's allocator recycles quickly itself.
KEPT_FROM = 65536
KEPT_BLOCKS = 32
KEPT_BYTES = 1 << 30

_TEXT = f"""
@memory.lock = internal global {{ i64, [56 x i8] }} {{ i64 MUTEX, [56 x i8] zeroinitializer }}, align 64
@memory.blocks = internal global [{KEPT_BLOCKS} x ptr] zeroinitializer, align 64
@memory.kept = internal global i64 0
@memory.oldest = internal global i64 0
; Of large blocks in use: bytes now, most bytes ever, bytes in all, blocks in all. Changed with the lock held.
@memory.counts = internal global [4 x i64] zeroinitializer

declare ptr @malloc(i64)
declare void @free(ptr)

; In the child of a fork: the kept blocks are forgotten, as the fork may have met them changing.
define internal void @memory.forked() {{
  call void @llvm.memset.p0.i64(ptr align 64 @memory.lock, i8 0, i64 64, i1 false)
  store i64 MUTEX, ptr @memory.lock
  call void @llvm.memset.p0.i64(ptr align 64 @memory.blocks, i8 0, i64 {8 * KEPT_BLOCKS}, i1 false)
  store i64 0, ptr @memory.kept
  ret void
}}

define internal void @memory.count(i64 %bytes) {{
start:
  %p.peak = getelementptr i64, ptr @memory.counts, i64 1
  %p.total = getelementptr i64, ptr @memory.counts, i64 2
  %p.blocks = getelementptr i64, ptr @memory.counts, i64 3
  %live = load i64, ptr @memory.counts
  %now = add i64 %live, %bytes
  store i64 %now, ptr @memory.counts
  %given = icmp sgt i64 %bytes, 0
  br i1 %given, label %more, label %end
more:
  %peak = load i64, ptr %p.peak
  %higher = call i64 @llvm.smax.i64(i64 %peak, i64 %now)
  store i64 %higher, ptr %p.peak
  %total = load i64, ptr %p.total
  %all = add i64 %total, %bytes
  store i64 %all, ptr %p.total
  %blocks = load i64, ptr %p.blocks
  %one.more = add i64 %blocks, 1
  store i64 %one.more, ptr %p.blocks
  br label %end
end:
  ret void
}}

; The four counts.
define void @pipec_memory(ptr %counts) {{
  %l = call i32 @pthread_mutex_lock(ptr @memory.lock)
  call void @llvm.memcpy.p0.p0.i64(ptr %counts, ptr @memory.counts, i64 32, i1 false)
  %u = call i32 @pthread_mutex_unlock(ptr @memory.lock)
  ret void
}}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define noalias ptr @pipec_malloc(i64 %bytes) {{
start:
  %least = call i64 @llvm.smax.i64(i64 %bytes, i64 1)
  %absurd = icmp ugt i64 %least, {1 << 46}
  br i1 %absurd, label %refuse, label %size
refuse:
  ret ptr null
size:
  %large = icmp uge i64 %least, {KEPT_FROM}
  %plus = add i64 %least, {64 + 80 + 4095}
  %pages = and i64 %plus, -4096
  %exact = add i64 %least, {64 + 80}
  %total = select i1 %large, i64 %pages, i64 %exact
  br i1 %large, label %search, label %fresh
search:
  %l = call i32 @pthread_mutex_lock(ptr @memory.lock)
  ; A block twice as large as needed is not too wasteful to take.
  %most = shl i64 %total, 1
  br label %scan
scan:
  %i = phi i64 [ 0, %search ], [ %i1, %next ]
  %best = phi ptr [ null, %search ], [ %best1, %next ]
  %best.size = phi i64 [ %most, %search ], [ %best.size1, %next ]
  %place = getelementptr ptr, ptr @memory.blocks, i64 %i
  %block = load ptr, ptr %place
  %empty = icmp eq ptr %block, null
  br i1 %empty, label %next, label %look
look:
  %p.size = getelementptr i8, ptr %block, i64 -8
  %own = load i64, ptr %p.size
  %enough = icmp uge i64 %own, %total
  %better = icmp ule i64 %own, %best.size
  %good = and i1 %enough, %better
  %best2 = select i1 %good, ptr %place, ptr %best
  %best.size2 = select i1 %good, i64 %own, i64 %best.size
  br label %next
next:
  %best1 = phi ptr [ %best, %scan ], [ %best2, %look ]
  %best.size1 = phi i64 [ %best.size, %scan ], [ %best.size2, %look ]
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, {KEPT_BLOCKS}
  br i1 %more, label %scan, label %found
found:
  %missing = icmp eq ptr %best1, null
  br i1 %missing, label %unlock, label %take
unlock:
  call void @memory.count(i64 %total)
  %u1 = call i32 @pthread_mutex_unlock(ptr @memory.lock)
  br label %fresh
take:
  %taken = load ptr, ptr %best1
  store ptr null, ptr %best1
  %kept = load i64, ptr @memory.kept
  %kept1 = sub i64 %kept, %best.size1
  store i64 %kept1, ptr @memory.kept
  call void @memory.count(i64 %best.size1)
  %u2 = call i32 @pthread_mutex_unlock(ptr @memory.lock)
  ret ptr %taken
fresh:
  %raw = call ptr @malloc(i64 %total)
  %none = icmp eq ptr %raw, null
  br i1 %none, label %trim, label %align
trim:
  ; Memory is short: give back what is kept and try once more.
  call void @pipec_trim()
  %raw2 = call ptr @malloc(i64 %total)
  %none2 = icmp eq ptr %raw2, null
  br i1 %none2, label %uncount, label %align
uncount:
  br i1 %large, label %take.back, label %refuse
take.back:
  %l3 = call i32 @pthread_mutex_lock(ptr @memory.lock)
  %less = sub i64 0, %total
  call void @memory.count(i64 %less)
  %u3 = call i32 @pthread_mutex_unlock(ptr @memory.lock)
  br label %refuse
align:
  %got = phi ptr [ %raw, %fresh ], [ %raw2, %trim ]
  %address = ptrtoint ptr %got to i64
  %past = add i64 %address, {16 + 63}
  %aligned = and i64 %past, -64
  %result = inttoptr i64 %aligned to ptr
  %h.raw = getelementptr i8, ptr %result, i64 -16
  store ptr %got, ptr %h.raw
  %h.size = getelementptr i8, ptr %result, i64 -8
  store i64 %total, ptr %h.size
  ret ptr %result
}}

declare i64 @llvm.smax.i64(i64, i64)

define internal void @memory.release(ptr %block) {{
start:
  %none = icmp eq ptr %block, null
  br i1 %none, label %end, label %give
give:
  %h.raw = getelementptr i8, ptr %block, i64 -16
  %raw = load ptr, ptr %h.raw
  call void @free(ptr %raw)
  br label %end
end:
  ret void
}}

; Take the block at a place out of the table; the lock is held.
define internal ptr @memory.evict(i64 %i) {{
start:
  %place = getelementptr ptr, ptr @memory.blocks, i64 %i
  %block = load ptr, ptr %place
  %none = icmp eq ptr %block, null
  br i1 %none, label %end, label %count
count:
  store ptr null, ptr %place
  %p.size = getelementptr i8, ptr %block, i64 -8
  %size = load i64, ptr %p.size
  %kept = load i64, ptr @memory.kept
  %kept1 = sub i64 %kept, %size
  store i64 %kept1, ptr @memory.kept
  br label %end
end:
  ret ptr %block
}}

define void @pipec_free(ptr %block) {{
start:
  %h.size = getelementptr i8, ptr %block, i64 -8
  %size = load i64, ptr %h.size
  %small = icmp ult i64 %size, {KEPT_FROM}
  %huge = icmp ugt i64 %size, {KEPT_BYTES}
  %gone = or i1 %small, %huge
  br i1 %gone, label %release, label %keep
release:
  br i1 %huge, label %forget, label %give
forget:
  %l2 = call i32 @pthread_mutex_lock(ptr @memory.lock)
  %gone.bytes = sub i64 0, %size
  call void @memory.count(i64 %gone.bytes)
  %u2 = call i32 @pthread_mutex_unlock(ptr @memory.lock)
  br label %give
give:
  call void @memory.release(ptr %block)
  ret void
keep:
  %l = call i32 @pthread_mutex_lock(ptr @memory.lock)
  %freed = sub i64 0, %size
  call void @memory.count(i64 %freed)
  br label %evict
evict:
  ; The place of the oldest block is the one to use; further old ones go until the total fits.
  %i = load i64, ptr @memory.oldest
  %old = call ptr @memory.evict(i64 %i)
  call void @memory.release(ptr %old)
  %i1 = add i64 %i, 1
  %next = urem i64 %i1, {KEPT_BLOCKS}
  store i64 %next, ptr @memory.oldest
  %kept = load i64, ptr @memory.kept
  %total = add i64 %kept, %size
  %much = icmp ugt i64 %total, {KEPT_BYTES}
  br i1 %much, label %evict, label %put
put:
  %place = getelementptr ptr, ptr @memory.blocks, i64 %i
  store ptr %block, ptr %place
  store i64 %total, ptr @memory.kept
  %u = call i32 @pthread_mutex_unlock(ptr @memory.lock)
  ret void
}}

define void @pipec_trim() {{
start:
  %l = call i32 @pthread_mutex_lock(ptr @memory.lock)
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %i1, %loop ]
  %block = call ptr @memory.evict(i64 %i)
  call void @memory.release(ptr %block)
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, {KEPT_BLOCKS}
  br i1 %more, label %loop, label %end
end:
  %u = call i32 @pthread_mutex_unlock(ptr @memory.lock)
  ret void
}}
"""


def memory_text(mutex: int = 0) -> str:
    """`mutex`: what a mutex that nobody has used yet begins with."""
    return _TEXT.replace("MUTEX", str(mutex))
