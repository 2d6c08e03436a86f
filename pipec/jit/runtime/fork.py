"""Two tasks that wait for each other, as LLVM text: `pipec_fork`, `pipec_wait`, `pipec_post`.

    i32 pipec_fork(ptr first, ptr second, ptr closure, ptr counters, i64 c0, i64 c1, i64 c2)

runs `first` in a thread that it makes, and `second` in the caller's. So neither waits for a thread of the pool, and
there is no deadlock however few these are. The first status that is not 0 ends both: who waits goes on.

Counters are 192 bytes: 0 mutex, 64 condition, 128 status, 136 ... three numbers.
"""

from __future__ import annotations

from string import Template

from pipec.jit.runtime.pool import APPLE_CONDITION, APPLE_MUTEX

COUNTER_BYTES = 192
# What `pipec_fork` returns when no thread can be made.
NO_THREAD = -1

_TEXT = Template("""
declare i32 @pthread_join(i64, ptr)

; Called when a task has failed: nobody waits any longer.
define internal void @fork.failed(ptr %counters, i32 %status) {
  %wide = sext i32 %status to i64
  %p.condition = getelementptr i8, ptr %counters, i64 64
  %p.status = getelementptr i8, ptr %counters, i64 128
  %l = call i32 @pthread_mutex_lock(ptr %counters)
  store i64 %wide, ptr %p.status
  %b = call i32 @pthread_cond_broadcast(ptr %p.condition)
  %u = call i32 @pthread_mutex_unlock(ptr %counters)
  ret void
}

; A job is: task, closure, counters, status.
define internal ptr @fork.thread(ptr %job) {
start:
  %p.closure = getelementptr i8, ptr %job, i64 8
  %p.counters = getelementptr i8, ptr %job, i64 16
  %p.status = getelementptr i8, ptr %job, i64 24
  %task = load ptr, ptr %job
  %closure = load ptr, ptr %p.closure
  %counters = load ptr, ptr %p.counters
  %status = call i32 %task(ptr %closure, i64 0)
  store i32 %status, ptr %p.status
  %well = icmp eq i32 %status, 0
  br i1 %well, label %end, label %failed
failed:
  call void @fork.failed(ptr %counters, i32 %status)
  br label %end
end:
  ret ptr null
}

define i32 @pipec_fork(ptr %first, ptr %second, ptr %closure, ptr %counters, i64 %c0, i64 %c1, i64 %c2) {
start:
  %job = alloca [4 x i64], align 16
  %id = alloca i64
  call void @llvm.memset.p0.i64(ptr align 64 %counters, i8 0, i64 $bytes, i1 false)
  store i64 $mutex, ptr %counters
  %p.condition = getelementptr i8, ptr %counters, i64 64
  store i64 $condition, ptr %p.condition
  %p0 = getelementptr i8, ptr %counters, i64 136
  %p1 = getelementptr i8, ptr %counters, i64 144
  %p2 = getelementptr i8, ptr %counters, i64 152
  store i64 %c0, ptr %p0
  store i64 %c1, ptr %p1
  store i64 %c2, ptr %p2
  %p.closure = getelementptr i8, ptr %job, i64 8
  %p.counters = getelementptr i8, ptr %job, i64 16
  %p.status = getelementptr i8, ptr %job, i64 24
  store ptr %first, ptr %job
  store ptr %closure, ptr %p.closure
  store ptr %counters, ptr %p.counters
  store i32 0, ptr %p.status
  %error = call i32 @pthread_create(ptr %id, ptr null, ptr @fork.thread, ptr %job)
  %made = icmp eq i32 %error, 0
  br i1 %made, label %run, label %none
none:
  ret i32 $none
run:
  %status = call i32 %second(ptr %closure, i64 1)
  %well = icmp eq i32 %status, 0
  br i1 %well, label %join, label %failed
failed:
  call void @fork.failed(ptr %counters, i32 %status)
  br label %join
join:
  %thread = load i64, ptr %id
  %j = call i32 @pthread_join(i64 %thread, ptr null)
  %other = load i32, ptr %p.status
  %fine = icmp eq i32 %other, 0
  %result = select i1 %fine, i32 %status, i32 %other
  ret i32 %result
}

; The status with which the other task has failed, or 0.
define i32 @pipec_wait(ptr %counters, i64 %index) {
start:
  %p.condition = getelementptr i8, ptr %counters, i64 64
  %p.status = getelementptr i8, ptr %counters, i64 128
  %p.numbers = getelementptr i8, ptr %counters, i64 136
  %p = getelementptr i64, ptr %p.numbers, i64 %index
  %l = call i32 @pthread_mutex_lock(ptr %counters)
  br label %check
check:
  %status = load i64, ptr %p.status
  %well = icmp eq i64 %status, 0
  br i1 %well, label %look, label %end
look:
  %number = load i64, ptr %p
  %some = icmp sgt i64 %number, 0
  br i1 %some, label %take, label %sleep
sleep:
  %w = call i32 @pthread_cond_wait(ptr %p.condition, ptr %counters)
  br label %check
take:
  %less = sub i64 %number, 1
  store i64 %less, ptr %p
  br label %end
end:
  %u = call i32 @pthread_mutex_unlock(ptr %counters)
  %result = trunc i64 %status to i32
  ret i32 %result
}

define void @pipec_post(ptr %counters, i64 %index) {
  %p.condition = getelementptr i8, ptr %counters, i64 64
  %p.numbers = getelementptr i8, ptr %counters, i64 136
  %p = getelementptr i64, ptr %p.numbers, i64 %index
  %l = call i32 @pthread_mutex_lock(ptr %counters)
  %number = load i64, ptr %p
  %more = add i64 %number, 1
  store i64 %more, ptr %p
  %b = call i32 @pthread_cond_broadcast(ptr %p.condition)
  %u = call i32 @pthread_mutex_unlock(ptr %counters)
  ret void
}
""")


def fork_text(apple: bool = False) -> str:
    """The functions, for a program that the pool's text is part of."""
    return _TEXT.substitute(
        bytes=COUNTER_BYTES,
        none=NO_THREAD,
        mutex=APPLE_MUTEX if apple else 0,
        condition=APPLE_CONDITION if apple else 0,
    )
