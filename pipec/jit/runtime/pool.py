"""The thread pool as LLVM text: `i32 pipec_parallel_for(ptr task, ptr closure, i64 minimum, i64 count)`.

A job lives on the stack of the thread that asks for it, which takes part in it, and never waits for a worker that has
not begun. So regions nest, any number of threads may call at once, and a machine whose cores are busy is no slower than
one thread. Workers spin a while after their last task, then sleep. The first status that is not 0 ends a job.

The indices of a job lie in as many shares as there are threads. A thread takes those of its own share in order, then
from the end of others. So it comes to the same part of a picture in each of the loops, and in the next call, and finds
in its own cache what it wrote there; neighbours in a picture are seldom with different threads.

A job is 128 bytes: 0 task, 8 closure, 16 minimum, 24 number of shares, 32 next job | 64 status, 72 workers in it; and
64 bytes for each share: 0 the first index that is left, 4 the end of those that are, in one atomic number.
"""

from __future__ import annotations

from string import Template

# Mutexes and conditions that nobody has used yet are all zeros, except on Apple's systems, where they begin so.
APPLE_MUTEX = 0x32AAABA7
APPLE_CONDITION = 0x3CB0B1BB
# What clock_gettime calls the clock that never goes back.
_MONOTONIC, _APPLE_MONOTONIC = 1, 6
# Shares that a job has at most: more threads than these have some in common.
_SHARES = 32
# Indices of one job; loops that are longer take several.
_MOST_INDICES = 1 << 30
# How often a thread that waits looks before it lets others run; a power of two.
_TURNS = 64
# A spinning thread's pause, and its declaration.
_PAUSE = {
    "x86": ("call void @llvm.x86.sse2.pause()", "declare void @llvm.x86.sse2.pause()"),
    "aarch64": ("call void @llvm.aarch64.isb(i32 15)", "declare void @llvm.aarch64.isb(i32)"),
}

_TEXT = Template("""
@pool.lock = internal global { i64, [56 x i8] } { i64 $mutex, [56 x i8] zeroinitializer }, align 64
@pool.work = internal global { i64, [56 x i8] } { i64 $condition, [56 x i8] zeroinitializer }, align 64
@pool.done = internal global { i64, [56 x i8] } { i64 $condition, [56 x i8] zeroinitializer }, align 64
@pool.epoch = internal global i32 0, align 64
@pool.jobs = internal global ptr null, align 64
@pool.started = internal global i32 0
@pool.threads = internal global i32 1
@pool.sleeping = internal global i32 0
@pool.waiting = internal global i32 0
@pool.spins = internal global i32 20000

declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_timedwait(ptr, ptr, ptr)
declare i32 @clock_gettime(i32, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_cond_broadcast(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(i64)
declare i32 @sched_yield()
$declare_pause

define void @pipec_set_threads(i32 %threads, i32 %spins) {
  %l = call i32 @pthread_mutex_lock(ptr @pool.lock)
  store atomic i32 %threads, ptr @pool.threads monotonic, align 4
  store atomic i32 %spins, ptr @pool.spins monotonic, align 4
  %e = atomicrmw add ptr @pool.epoch, i32 1 release
  %b = call i32 @pthread_cond_broadcast(ptr @pool.work)
  %u = call i32 @pthread_mutex_unlock(ptr @pool.lock)
  ret void
}

; Nanoseconds of a clock that never goes back.
define i64 @pipec_clock() {
  %time = alloca [2 x i64]
  %c = call i32 @clock_gettime(i32 $clock, ptr %time)
  %p = getelementptr i64, ptr %time, i64 1
  %seconds = load i64, ptr %time
  %nanoseconds = load i64, ptr %p
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %nanoseconds
  ret i64 %now
}

declare ptr @pthread_self()

define ptr @pipec_self() {
  %self = call ptr @pthread_self()
  ret ptr %self
}

define i32 @pipec_threads() {
  %t = load atomic i32, ptr @pool.threads monotonic, align 4
  ret i32 %t
}

; In the child of a fork: there are no workers, and nobody holds a lock or waits.
define void @pipec_forked() {
  call void @llvm.memset.p0.i64(ptr align 64 @pool.lock, i8 0, i64 64, i1 false)
  call void @llvm.memset.p0.i64(ptr align 64 @pool.work, i8 0, i64 64, i1 false)
  call void @llvm.memset.p0.i64(ptr align 64 @pool.done, i8 0, i64 64, i1 false)
  store i64 $mutex, ptr @pool.lock
  store i64 $condition, ptr @pool.work
  store i64 $condition, ptr @pool.done
  store ptr null, ptr @pool.jobs
  store i32 0, ptr @pool.started
  store i32 0, ptr @pool.sleeping
  store i32 0, ptr @pool.waiting
  call void @memory.forked()
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; The next index for a thread whose share is %own, or -1.
define internal i64 @take(ptr %job, i64 %own) {
start:
  %p.shares = getelementptr i8, ptr %job, i64 24
  %shares = load i64, ptr %p.shares
  %own.offset = shl i64 %own, 6
  %own.place = add i64 %own.offset, 128
  %mine = getelementptr i8, ptr %job, i64 %own.place
  %first = load atomic i64, ptr %mine monotonic, align 64
  br label %own.look
own.look:
  %v = phi i64 [ %first, %start ], [ %v.now, %own.take ]
  %next = and i64 %v, 4294967295
  %end = lshr i64 %v, 32
  %some = icmp ult i64 %next, %end
  br i1 %some, label %own.take, label %others
own.take:
  %v.less = add i64 %v, 1
  %o.pair = cmpxchg ptr %mine, i64 %v, i64 %v.less monotonic monotonic, align 64
  %v.now = extractvalue { i64, i1 } %o.pair, 0
  %o.done = extractvalue { i64, i1 } %o.pair, 1
  br i1 %o.done, label %own.taken, label %own.look
own.taken:
  ret i64 %next
others:
  %k = phi i64 [ 1, %own.look ], [ %k1, %onward ]
  %any = icmp ult i64 %k, %shares
  br i1 %any, label %other, label %none
none:
  ret i64 -1
other:
  %beyond = add i64 %own, %k
  %over = icmp uge i64 %beyond, %shares
  %around = sub i64 %beyond, %shares
  %share = select i1 %over, i64 %around, i64 %beyond
  %offset = shl i64 %share, 6
  %place = add i64 %offset, 128
  %theirs = getelementptr i8, ptr %job, i64 %place
  %w.first = load atomic i64, ptr %theirs monotonic, align 64
  br label %look
look:
  %w = phi i64 [ %w.first, %other ], [ %w.now, %steal ]
  %w.next = and i64 %w, 4294967295
  %w.end = lshr i64 %w, 32
  %left = icmp ult i64 %w.next, %w.end
  br i1 %left, label %steal, label %onward
onward:
  %k1 = add i64 %k, 1
  br label %others
steal:
  %w.less = sub i64 %w, 4294967296
  %t.pair = cmpxchg ptr %theirs, i64 %w, i64 %w.less monotonic monotonic, align 64
  %w.now = extractvalue { i64, i1 } %t.pair, 0
  %t.done = extractvalue { i64, i1 } %t.pair, 1
  br i1 %t.done, label %stolen, label %look
stolen:
  %last = sub i64 %w.end, 1
  ret i64 %last
}

; Whether indices of a job are left.
define internal i1 @left(ptr %job) {
start:
  %p.shares = getelementptr i8, ptr %job, i64 24
  %shares = load i64, ptr %p.shares
  br label %look
look:
  %k = phi i64 [ 0, %start ], [ %k1, %onward ]
  %offset = shl i64 %k, 6
  %place = add i64 %offset, 128
  %p.share = getelementptr i8, ptr %job, i64 %place
  %v = load atomic i64, ptr %p.share monotonic, align 64
  %next = and i64 %v, 4294967295
  %end = lshr i64 %v, 32
  %some = icmp ult i64 %next, %end
  br i1 %some, label %yes, label %onward
yes:
  ret i1 true
onward:
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %shares
  br i1 %more, label %look, label %no
no:
  ret i1 false
}

; What the thread with number %thread has to do with a job.
define internal void @run_tasks(ptr %job, i64 %thread) {
start:
  %task = load ptr, ptr %job
  %p.closure = getelementptr i8, ptr %job, i64 8
  %closure = load ptr, ptr %p.closure
  %p.minimum = getelementptr i8, ptr %job, i64 16
  %minimum = load i64, ptr %p.minimum
  %p.shares = getelementptr i8, ptr %job, i64 24
  %shares = load i64, ptr %p.shares
  %own = urem i64 %thread, %shares
  br label %take
take:
  %i = call i64 @take(ptr %job, i64 %own)
  %some = icmp sge i64 %i, 0
  br i1 %some, label %run, label %end
run:
  %index = add i64 %minimum, %i
  %status = call i32 %task(ptr %closure, i64 %index)
  %well = icmp eq i32 %status, 0
  br i1 %well, label %take, label %failed
failed:
  %p.status = getelementptr i8, ptr %job, i64 64
  %old = cmpxchg ptr %p.status, i32 0, i32 %status monotonic monotonic
  br label %drop
drop:
  %k = phi i64 [ 0, %failed ], [ %k1, %drop ]
  %offset = shl i64 %k, 6
  %place = add i64 %offset, 128
  %p.share = getelementptr i8, ptr %job, i64 %place
  store atomic i64 0, ptr %p.share monotonic, align 64
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %shares
  br i1 %more, label %drop, label %end
end:
  ret void
}

define internal ptr @worker(ptr %number) {
start:
  %thread = ptrtoint ptr %number to i64
  br label %again
again:
  %l = call i32 @pthread_mutex_lock(ptr @pool.lock)
  %threads = load atomic i32, ptr @pool.threads monotonic, align 4
  %started = load i32, ptr @pool.started
  %spare = icmp sge i32 %started, %threads
  br i1 %spare, label %quit, label %look
quit:
  %fewer = sub i32 %started, 1
  store i32 %fewer, ptr @pool.started
  %uq = call i32 @pthread_mutex_unlock(ptr @pool.lock)
  ret ptr null
look:
  %first = load ptr, ptr @pool.jobs
  br label %scan
scan:
  %job = phi ptr [ %first, %look ], [ %link, %onward ]
  %none = icmp eq ptr %job, null
  br i1 %none, label %idle, label %check
check:
  %left = call i1 @left(ptr %job)
  br i1 %left, label %join, label %onward
onward:
  %p.link = getelementptr i8, ptr %job, i64 32
  %link = load ptr, ptr %p.link
  br label %scan
join:
  %p.active = getelementptr i8, ptr %job, i64 72
  %a0 = atomicrmw add ptr %p.active, i32 1 monotonic
  %uj = call i32 @pthread_mutex_unlock(ptr @pool.lock)
  call void @run_tasks(ptr %job, i64 %thread)
  %lj = call i32 @pthread_mutex_lock(ptr @pool.lock)
  ; The caller may return, and the job be gone, as soon as this is 0.
  %a1 = atomicrmw sub ptr %p.active, i32 1 release
  %waiting = load i32, ptr @pool.waiting
  %awaited = icmp sgt i32 %waiting, 0
  br i1 %awaited, label %tell, label %leave
tell:
  %b = call i32 @pthread_cond_broadcast(ptr @pool.done)
  br label %leave
leave:
  %ul = call i32 @pthread_mutex_unlock(ptr @pool.lock)
  br label %again
idle:
  %epoch = load atomic i32, ptr @pool.epoch monotonic, align 4
  %ui = call i32 @pthread_mutex_unlock(ptr @pool.lock)
  %spins = load atomic i32, ptr @pool.spins monotonic, align 4
  br label %spin
spin:
  %k = phi i32 [ %spins, %idle ], [ %k1, %still ]
  %now = load atomic i32, ptr @pool.epoch acquire, align 4
  %same = icmp eq i32 %now, %epoch
  br i1 %same, label %still, label %again
still:
  call void @pause(i32 %k)
  %k1 = sub i32 %k, 1
  %more = icmp sgt i32 %k1, 0
  br i1 %more, label %spin, label %sleep
sleep:
  %ls = call i32 @pthread_mutex_lock(ptr @pool.lock)
  br label %asleep
asleep:
  %e2 = load atomic i32, ptr @pool.epoch monotonic, align 4
  %quiet = icmp eq i32 %e2, %epoch
  br i1 %quiet, label %wait, label %woken
wait:
  %s0 = load i32, ptr @pool.sleeping
  %s1 = add i32 %s0, 1
  store i32 %s1, ptr @pool.sleeping
  %w = call i32 @pthread_cond_wait(ptr @pool.work, ptr @pool.lock)
  %s2 = load i32, ptr @pool.sleeping
  %s3 = sub i32 %s2, 1
  store i32 %s3, ptr @pool.sleeping
  br label %asleep
woken:
  %us = call i32 @pthread_mutex_unlock(ptr @pool.lock)
  br label %again
}

; One turn of a spinning thread, %k before its last. Whoever else is to run on its core, and may be whom it waits for,
; gets there every $turns turns.
define internal void @pause(i32 %k) {
start:
  $pause
  %low = and i32 %k, $last_turn
  %over = icmp eq i32 %low, 0
  br i1 %over, label %yield, label %end
yield:
  %y = call i32 @sched_yield()
  br label %end
end:
  ret void
}

; Called with the lock held. A thread that cannot be made is done without.
define internal void @start_workers(i32 %threads) {
start:
  %id = alloca i64
  br label %check
check:
  %n = load i32, ptr @pool.started
  %n1 = add i32 %n, 1
  %enough = icmp sge i32 %n1, %threads
  br i1 %enough, label %end, label %make
make:
  %thread = zext i32 %n1 to i64
  %number = inttoptr i64 %thread to ptr
  %error = call i32 @pthread_create(ptr %id, ptr null, ptr @worker, ptr %number)
  %made = icmp eq i32 %error, 0
  br i1 %made, label %count, label %end
count:
  store i32 %n1, ptr @pool.started
  %handle = load i64, ptr %id
  %d = call i32 @pthread_detach(i64 %handle)
  br label %check
end:
  ret void
}

define i32 @pipec_parallel_for(ptr %task, ptr %closure, i64 %minimum, i64 %count) {
start:
  br label %check
check:
  %begin = phi i64 [ %minimum, %start ], [ %begin1, %onward ]
  %todo = phi i64 [ %count, %start ], [ %todo1, %onward ]
  %part = call i64 @llvm.smin.i64(i64 %todo, i64 $most)
  %status = call i32 @run_job(ptr %task, ptr %closure, i64 %begin, i64 %part)
  %begin1 = add i64 %begin, %part
  %todo1 = sub i64 %todo, %part
  %good = icmp eq i32 %status, 0
  %more = icmp sgt i64 %todo1, 0
  %again = and i1 %good, %more
  br i1 %again, label %onward, label %end
onward:
  br label %check
end:
  ret i32 %status
}

declare i64 @llvm.smin.i64(i64, i64)

define internal i32 @run_job(ptr %task, ptr %closure, i64 %minimum, i64 %count) {
start:
  %job = alloca [$job_bytes x i8], align 64
  %until = alloca [2 x i64]
  %threads = load atomic i32, ptr @pool.threads monotonic, align 4
  %one.thread = icmp sle i32 %threads, 1
  %one.task = icmp sle i64 %count, 1
  %alone = or i1 %one.thread, %one.task
  br i1 %alone, label %serial, label %share
serial:
  %i = phi i64 [ 0, %start ], [ %i1, %run ]
  %some = icmp slt i64 %i, %count
  br i1 %some, label %run, label %well
run:
  %index = add i64 %minimum, %i
  %status = call i32 %task(ptr %closure, i64 %index)
  %i1 = add i64 %i, 1
  %good = icmp eq i32 %status, 0
  br i1 %good, label %serial, label %bad
well:
  ret i32 0
bad:
  ret i32 %status
share:
  %p.closure = getelementptr i8, ptr %job, i64 8
  %p.minimum = getelementptr i8, ptr %job, i64 16
  %p.shares = getelementptr i8, ptr %job, i64 24
  %p.link = getelementptr i8, ptr %job, i64 32
  %p.status = getelementptr i8, ptr %job, i64 64
  %p.active = getelementptr i8, ptr %job, i64 72
  store ptr %task, ptr %job
  store ptr %closure, ptr %p.closure
  store i64 %minimum, ptr %p.minimum
  store i32 0, ptr %p.status
  store i32 0, ptr %p.active
  %threads.wide = zext i32 %threads to i64
  %few = call i64 @llvm.smin.i64(i64 %threads.wide, i64 $shares)
  %shares = call i64 @llvm.smin.i64(i64 %few, i64 %count)
  store i64 %shares, ptr %p.shares
  br label %divide
divide:
  %s = phi i64 [ 0, %share ], [ %s1, %divide ]
  %from = phi i64 [ 0, %share ], [ %to, %divide ]
  %s1 = add i64 %s, 1
  %scaled = mul i64 %s1, %count
  %to = udiv i64 %scaled, %shares
  %high = shl i64 %to, 32
  %range = or i64 %high, %from
  %s.offset = shl i64 %s, 6
  %s.place = add i64 %s.offset, 128
  %p.share = getelementptr i8, ptr %job, i64 %s.place
  store i64 %range, ptr %p.share
  %divided = icmp eq i64 %s1, %shares
  br i1 %divided, label %offer, label %divide
offer:
  %l = call i32 @pthread_mutex_lock(ptr @pool.lock)
  call void @start_workers(i32 %threads)
  %others = load ptr, ptr @pool.jobs
  store ptr %others, ptr %p.link
  store ptr %job, ptr @pool.jobs
  %e = atomicrmw add ptr @pool.epoch, i32 1 release
  %sleeping = load i32, ptr @pool.sleeping
  %u = call i32 @pthread_mutex_unlock(ptr @pool.lock)
  %asleep = icmp sgt i32 %sleeping, 0
  br i1 %asleep, label %wake, label %take.part
wake:
  %two = icmp eq i64 %count, 2
  br i1 %two, label %wake.one, label %wake.all
wake.one:
  %w1 = call i32 @pthread_cond_signal(ptr @pool.work)
  br label %take.part
wake.all:
  %w2 = call i32 @pthread_cond_broadcast(ptr @pool.work)
  br label %take.part
take.part:
  call void @run_tasks(ptr %job, i64 0)
  %l2 = call i32 @pthread_mutex_lock(ptr @pool.lock)
  br label %find
find:
  %at = phi ptr [ @pool.jobs, %take.part ], [ %p.other.link, %pass ]
  %other = load ptr, ptr %at
  %mine = icmp eq ptr %other, %job
  br i1 %mine, label %unlink, label %pass
pass:
  %p.other.link = getelementptr i8, ptr %other, i64 32
  br label %find
unlink:
  %rest = load ptr, ptr %p.link
  store ptr %rest, ptr %at
  %u2 = call i32 @pthread_mutex_unlock(ptr @pool.lock)
  br label %spin
spin:
  %k = phi i32 [ 4000, %unlink ], [ %k1, %still ]
  %active = load atomic i32, ptr %p.active acquire, align 4
  %free = icmp eq i32 %active, 0
  br i1 %free, label %finish, label %still
still:
  call void @pause(i32 %k)
  %k1 = sub i32 %k, 1
  %more = icmp sgt i32 %k1, 0
  br i1 %more, label %spin, label %block
block:
  %l3 = call i32 @pthread_mutex_lock(ptr @pool.lock)
  %waiting = load i32, ptr @pool.waiting
  %waiting1 = add i32 %waiting, 1
  store i32 %waiting1, ptr @pool.waiting
  br label %recheck
recheck:
  %active2 = load atomic i32, ptr %p.active acquire, align 4
  %free2 = icmp eq i32 %active2, 0
  br i1 %free2, label %unblock, label %wait
wait:
  ; Looks again every 2 ms: condition variables of glibc before 2.41 can lose a wake-up (bug 25847).
  %c = call i32 @clock_gettime(i32 0, ptr %until)
  %p.nanoseconds = getelementptr i8, ptr %until, i64 8
  %seconds = load i64, ptr %until
  %nanoseconds = load i64, ptr %p.nanoseconds
  %later = add i64 %nanoseconds, 2000000
  %wraps = icmp sge i64 %later, 1000000000
  %next.second = add i64 %seconds, 1
  %into.next = sub i64 %later, 1000000000
  %until.seconds = select i1 %wraps, i64 %next.second, i64 %seconds
  %until.nanoseconds = select i1 %wraps, i64 %into.next, i64 %later
  store i64 %until.seconds, ptr %until
  store i64 %until.nanoseconds, ptr %p.nanoseconds
  %w = call i32 @pthread_cond_timedwait(ptr @pool.done, ptr @pool.lock, ptr %until)
  br label %recheck
unblock:
  %waiting2 = load i32, ptr @pool.waiting
  %waiting3 = sub i32 %waiting2, 1
  store i32 %waiting3, ptr @pool.waiting
  %u3 = call i32 @pthread_mutex_unlock(ptr @pool.lock)
  br label %finish
finish:
  %result = load atomic i32, ptr %p.status monotonic, align 4
  ret i32 %result
}
""")


def pause_text(architecture: str) -> tuple[str, str]:
    """The pause of a thread that spins, and what it needs declared."""
    return _PAUSE.get(architecture, ("", ""))


def pool_text(architecture: str, apple: bool = False) -> str:
    """The pool for `x86` or `aarch64`, or any other machine with POSIX threads."""
    pause, declaration = pause_text(architecture)
    return _TEXT.substitute(
        pause=pause,
        declare_pause=declaration,
        mutex=APPLE_MUTEX if apple else 0,
        condition=APPLE_CONDITION if apple else 0,
        clock=_APPLE_MONOTONIC if apple else _MONOTONIC,
        turns=_TURNS,
        most=_MOST_INDICES,
        shares=_SHARES,
        job_bytes=128 + 64 * _SHARES,
        last_turn=_TURNS - 1,
    )
