; Compiled from profile.c by tools/build_runtime.py with clang 19.
; 8b1fcf8010f4fe28a63f34d718b0505d

%struct.Time = type { i64, i64 }
%struct.Counters = type { i64, i64, i64, i64, i64, i64, i64, i64 }

@system_monotonic_clock = external local_unnamed_addr constant i32, align 4

define weak void @pipec_profile_begin(ptr noundef %0, ptr noundef %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = alloca %struct.Time, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %4) #3
  %5 = load i32, ptr @system_monotonic_clock, align 4
  %6 = call i32 @clock_gettime(i32 noundef %5, ptr noundef nonnull %4) #4
  %7 = load i64, ptr %4, align 8
  %8 = mul nsw i64 %7, 1000000000
  %9 = getelementptr inbounds i8, ptr %4, i64 8
  %10 = load i64, ptr %9, align 8
  %11 = add nsw i64 %8, %10
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %4) #3
  store i64 %11, ptr %1, align 8
  %12 = icmp eq i32 %2, 0
  br i1 %12, label %15, label %13

13:
  %14 = call i64 @pthread_self() #4
  store i64 %14, ptr %0, align 8
  br label %15

15:
  ret void
}

declare i64 @pthread_self() local_unnamed_addr #1

define weak void @pipec_profile_spend(ptr noundef %0, i64 noundef %1, ptr noundef %2) local_unnamed_addr #0 {
  %4 = alloca %struct.Time, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %4) #3
  %5 = load i32, ptr @system_monotonic_clock, align 4
  %6 = call i32 @clock_gettime(i32 noundef %5, ptr noundef nonnull %4) #4
  %7 = load i64, ptr %4, align 8
  %8 = mul nsw i64 %7, 1000000000
  %9 = getelementptr inbounds i8, ptr %4, i64 8
  %10 = load i64, ptr %9, align 8
  %11 = add nsw i64 %8, %10
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %4) #3
  %12 = load i64, ptr %2, align 8
  %13 = sub nsw i64 %11, %12
  store i64 %11, ptr %2, align 8
  %14 = getelementptr inbounds i8, ptr %0, i64 64
  %15 = getelementptr inbounds [0 x %struct.Counters], ptr %14, i64 0, i64 %1
  %16 = getelementptr inbounds i8, ptr %15, i64 8
  %17 = atomicrmw add ptr %16, i64 %13 monotonic, align 8
  %18 = load i64, ptr %0, align 8
  %19 = call i64 @pthread_self() #4
  %20 = icmp eq i64 %18, %19
  br i1 %20, label %21, label %26

21:
  %22 = atomicrmw add ptr %15, i64 %13 monotonic, align 8
  %23 = getelementptr inbounds i8, ptr %0, i64 8
  %24 = load i64, ptr %23, align 8
  %25 = add nsw i64 %24, %13
  store i64 %25, ptr %23, align 8
  br label %26

26:
  ret void
}

define weak void @pipec_profile_enter(ptr noundef %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = getelementptr inbounds i8, ptr %0, i64 64
  %4 = getelementptr inbounds [0 x %struct.Counters], ptr %3, i64 0, i64 %1, i32 2
  %5 = atomicrmw add ptr %4, i64 1 monotonic, align 8
  ret void
}

define weak void @pipec_profile_wait(ptr noundef %0, ptr noundef %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = alloca %struct.Time, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %4) #3
  %5 = load i32, ptr @system_monotonic_clock, align 4
  %6 = call i32 @clock_gettime(i32 noundef %5, ptr noundef nonnull %4) #4
  %7 = load i64, ptr %4, align 8
  %8 = mul nsw i64 %7, 1000000000
  %9 = getelementptr inbounds i8, ptr %4, i64 8
  %10 = load i64, ptr %9, align 8
  %11 = add nsw i64 %8, %10
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %4) #3
  %12 = load i64, ptr %1, align 8
  store i64 %11, ptr %1, align 8
  %13 = load i64, ptr %0, align 8
  %14 = call i64 @pthread_self() #4
  %15 = icmp eq i64 %13, %14
  br i1 %15, label %16, label %32

16:
  %17 = sub nsw i64 %11, %12
  %18 = getelementptr inbounds i8, ptr %0, i64 8
  %19 = load i64, ptr %18, align 8
  %20 = sub i64 %2, %19
  %21 = add i64 %20, %17
  %22 = getelementptr inbounds i8, ptr %0, i64 136
  %23 = atomicrmw add ptr %22, i64 %21 monotonic, align 8
  %24 = load i64, ptr %0, align 8
  %25 = call i64 @pthread_self() #4
  %26 = icmp eq i64 %24, %25
  br i1 %26, label %27, label %32

27:
  %28 = getelementptr inbounds i8, ptr %0, i64 128
  %29 = atomicrmw add ptr %28, i64 %21 monotonic, align 8
  %30 = load i64, ptr %18, align 8
  %31 = add nsw i64 %30, %21
  store i64 %31, ptr %18, align 8
  br label %32

32:
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #2

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #2

define weak void @pipec_profile_allocated(ptr noundef %0, i64 noundef %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = getelementptr inbounds i8, ptr %0, i64 64
  %5 = getelementptr inbounds [0 x %struct.Counters], ptr %4, i64 0, i64 %1
  %6 = getelementptr inbounds i8, ptr %5, i64 24
  %7 = getelementptr inbounds i8, ptr %5, i64 32
  %8 = atomicrmw add ptr %6, i64 %2 monotonic, align 8
  %9 = add nsw i64 %8, %2
  %10 = load atomic i64, ptr %7 monotonic, align 8
  br label %11

11:
  %12 = phi i64 [ %10, %3 ], [ %17, %14 ]
  %13 = icmp slt i64 %12, %9
  br i1 %13, label %14, label %18

14:
  %15 = cmpxchg weak ptr %7, i64 %12, i64 %9 monotonic monotonic, align 8
  %16 = extractvalue { i64, i1 } %15, 1
  %17 = extractvalue { i64, i1 } %15, 0
  br i1 %16, label %18, label %11

18:
  %19 = getelementptr inbounds i8, ptr %0, i64 16
  %20 = getelementptr inbounds i8, ptr %0, i64 24
  %21 = atomicrmw add ptr %19, i64 %2 monotonic, align 8
  %22 = add nsw i64 %21, %2
  %23 = load atomic i64, ptr %20 monotonic, align 8
  br label %24

24:
  %25 = phi i64 [ %23, %18 ], [ %30, %27 ]
  %26 = icmp slt i64 %25, %22
  br i1 %26, label %27, label %31

27:
  %28 = cmpxchg weak ptr %20, i64 %25, i64 %22 monotonic monotonic, align 8
  %29 = extractvalue { i64, i1 } %28, 1
  %30 = extractvalue { i64, i1 } %28, 0
  br i1 %29, label %31, label %24

31:
  %32 = getelementptr inbounds i8, ptr %5, i64 40
  %33 = atomicrmw add ptr %32, i64 %2 monotonic, align 8
  %34 = getelementptr inbounds i8, ptr %5, i64 48
  %35 = atomicrmw add ptr %34, i64 1 monotonic, align 8
  %36 = getelementptr inbounds i8, ptr %0, i64 32
  %37 = atomicrmw add ptr %36, i64 1 monotonic, align 8
  ret void
}

define weak void @pipec_profile_release(ptr noundef %0, i64 noundef %1, i64 noundef %2, ptr noundef %3) local_unnamed_addr #0 {
  %5 = getelementptr inbounds i8, ptr %0, i64 64
  %6 = getelementptr inbounds [0 x %struct.Counters], ptr %5, i64 0, i64 %1, i32 3
  %7 = sub nsw i64 0, %2
  %8 = atomicrmw add ptr %6, i64 %7 monotonic, align 8
  %9 = getelementptr inbounds i8, ptr %0, i64 16
  %10 = atomicrmw add ptr %9, i64 %7 monotonic, align 8
  tail call void @pipec_free(ptr noundef %3) #4
  ret void
}

declare void @pipec_free(ptr noundef) local_unnamed_addr #1

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #1

attributes #0 = { nounwind }
attributes #1 = { nounwind }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nounwind }
attributes #4 = { nobuiltin nounwind }


