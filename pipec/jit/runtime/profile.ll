; Compiled from profile.c by tools/build_runtime.py with clang 19.
; 4c0aa4cbfe3d0b6baf6d86b041f19397

%struct.Time = type { i64, i64 }
%struct.Counters = type { i64, i64, i64, i64, i64, i64, i64, i64 }
%struct.ThreadState = type { i64, i64, [6 x i64] }

@sampled_runs = internal unnamed_addr global [64 x ptr] zeroinitializer, align 16
@is_sampling = internal unnamed_addr global i8 0, align 1
@system_monotonic_clock = external local_unnamed_addr constant i32, align 4
@sampling_lock = internal global i32 0, align 4

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

define weak ptr @pipec_profile_thread(ptr noundef %0) local_unnamed_addr #0 {
  %2 = tail call i64 @pthread_self() #4
  %3 = getelementptr inbounds i8, ptr %0, i64 40
  br label %4

4:
  %5 = phi i64 [ 0, %1 ], [ %17, %16 ]
  %6 = load ptr, ptr %3, align 8
  %7 = getelementptr inbounds i8, ptr %6, i64 32
  %8 = getelementptr inbounds [0 x %struct.ThreadState], ptr %7, i64 0, i64 %5
  %9 = load atomic i64, ptr %8 monotonic, align 8
  %10 = icmp eq i64 %9, %2
  br i1 %10, label %22, label %11

11:
  %12 = icmp eq i64 %9, 0
  br i1 %12, label %13, label %16

13:
  %14 = cmpxchg ptr %8, i64 0, i64 %2 monotonic monotonic, align 8
  %15 = extractvalue { i64, i1 } %14, 1
  br i1 %15, label %22, label %16

16:
  %17 = add nuw nsw i64 %5, 1
  %18 = icmp eq i64 %17, 63
  br i1 %18, label %19, label %4

19:
  %20 = load ptr, ptr %3, align 8
  %21 = getelementptr inbounds i8, ptr %20, i64 4064
  br label %22

22:
  %23 = phi ptr [ %21, %19 ], [ %8, %4 ], [ %8, %13 ]
  ret ptr %23
}

define weak i32 @pipec_profile_watch(ptr noundef %0) local_unnamed_addr #0 {
  %2 = atomicrmw xchg ptr @sampling_lock, i32 1 acquire, align 4
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %7, label %4

4:
  tail call void @system_pause() #4
  %5 = atomicrmw xchg ptr @sampling_lock, i32 1 acquire, align 4
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %4

7:
  br label %11

8:
  %9 = add nuw nsw i64 %12, 1
  %10 = icmp eq i64 %9, 64
  br i1 %10, label %17, label %11

11:
  %12 = phi i64 [ %9, %8 ], [ 0, %7 ]
  %13 = getelementptr inbounds [64 x ptr], ptr @sampled_runs, i64 0, i64 %12
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, null
  br i1 %15, label %16, label %8

16:
  store ptr %0, ptr %13, align 8
  br label %17

17:
  %18 = load i8, ptr @is_sampling, align 1
  %19 = zext nneg i8 %18 to i32
  store i8 1, ptr @is_sampling, align 1
  store atomic i32 0, ptr @sampling_lock release, align 4
  ret i32 %19
}

define weak void @pipec_profile_forget(ptr noundef %0) local_unnamed_addr #0 {
  %2 = atomicrmw xchg ptr @sampling_lock, i32 1 acquire, align 4
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %7, label %4

4:
  tail call void @system_pause() #4
  %5 = atomicrmw xchg ptr @sampling_lock, i32 1 acquire, align 4
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %4

7:
  br label %11

8:
  %9 = add nuw nsw i64 %12, 1
  %10 = icmp eq i64 %9, 64
  br i1 %10, label %17, label %11

11:
  %12 = phi i64 [ %9, %8 ], [ 0, %7 ]
  %13 = getelementptr inbounds [64 x ptr], ptr @sampled_runs, i64 0, i64 %12
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, %0
  br i1 %15, label %16, label %8

16:
  store ptr null, ptr %13, align 8
  br label %17

17:
  store i8 1, ptr @is_sampling, align 1
  store atomic i32 0, ptr @sampling_lock release, align 4
  ret void
}

define weak void @pipec_profile_sample(i64 noundef %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = alloca %struct.Time, align 8
  %4 = alloca %struct.Time, align 8
  %5 = alloca %struct.Time, align 8
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %4) #3
  %6 = load i32, ptr @system_monotonic_clock, align 4
  %7 = call i32 @clock_gettime(i32 noundef %6, ptr noundef nonnull %4) #4
  %8 = load i64, ptr %4, align 8
  %9 = mul nsw i64 %8, 1000000000
  %10 = getelementptr inbounds i8, ptr %4, i64 8
  %11 = load i64, ptr %10, align 8
  %12 = add nsw i64 %9, %11
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %4) #3
  %13 = getelementptr inbounds i8, ptr %5, i64 8
  %14 = sdiv i64 %0, 2
  %15 = getelementptr inbounds i8, ptr %3, i64 8
  br label %17

16:
  ret void

17:
  %18 = phi i64 [ %12, %2 ], [ %78, %40 ]
  %19 = phi i64 [ %12, %2 ], [ %22, %40 ]
  %20 = phi i64 [ %12, %2 ], [ %32, %40 ]
  %21 = mul i64 %19, 6364136223846793005
  %22 = add i64 %21, 1442695040888963407
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5) #3
  store i64 0, ptr %5, align 8
  %23 = lshr i64 %22, 32
  %24 = mul i64 %23, %0
  %25 = lshr i64 %24, 32
  %26 = add nsw i64 %25, %14
  store i64 %26, ptr %13, align 8
  %27 = call i32 @nanosleep(ptr noundef nonnull %5, ptr noundef null) #4
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %3) #3
  %28 = call i32 @clock_gettime(i32 noundef %6, ptr noundef nonnull %3) #4
  %29 = load i64, ptr %3, align 8
  %30 = mul nsw i64 %29, 1000000000
  %31 = load i64, ptr %15, align 8
  %32 = add nsw i64 %30, %31
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %3) #3
  %33 = sub nsw i64 %32, %20
  %34 = atomicrmw xchg ptr @sampling_lock, i32 1 acquire, align 4
  %35 = icmp eq i32 %34, 0
  br i1 %35, label %36, label %37

36:
  br label %44

37:
  call void @system_pause() #4
  %38 = atomicrmw xchg ptr @sampling_lock, i32 1 acquire, align 4
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %36, label %37

40:
  %41 = sub nsw i64 %32, %78
  %42 = icmp slt i64 %41, %1
  %43 = zext i1 %42 to i8
  store i8 %43, ptr @is_sampling, align 1
  store atomic i32 0, ptr @sampling_lock release, align 4
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5) #3
  br i1 %42, label %17, label %16

44:
  %45 = phi i64 [ %79, %77 ], [ 0, %36 ]
  %46 = phi i64 [ %78, %77 ], [ %18, %36 ]
  %47 = getelementptr inbounds [64 x ptr], ptr @sampled_runs, i64 0, i64 %45
  %48 = load ptr, ptr %47, align 8
  %49 = icmp eq ptr %48, null
  br i1 %49, label %77, label %50

50:
  %51 = getelementptr inbounds i8, ptr %48, i64 24
  %52 = load i64, ptr %51, align 8
  %53 = getelementptr inbounds i8, ptr %48, i64 8
  %54 = load i64, ptr %53, align 8
  %55 = icmp eq i64 %52, %54
  br i1 %55, label %77, label %56

56:
  %57 = load ptr, ptr %48, align 8
  %58 = add nsw i64 %52, 1
  store i64 %58, ptr %51, align 8
  %59 = getelementptr inbounds i8, ptr %48, i64 16
  %60 = load i64, ptr %59, align 8
  %61 = mul nsw i64 %60, %52
  %62 = getelementptr inbounds i64, ptr %57, i64 %61
  store i64 %32, ptr %62, align 8
  %63 = getelementptr inbounds i8, ptr %62, i64 8
  store i64 %33, ptr %63, align 8
  %64 = load i64, ptr %59, align 8
  %65 = icmp sgt i64 %64, 2
  br i1 %65, label %66, label %77

66:
  %67 = getelementptr inbounds i8, ptr %48, i64 32
  br label %68

68:
  %69 = phi i64 [ 2, %66 ], [ %74, %68 ]
  %70 = add nsw i64 %69, -2
  %71 = getelementptr inbounds [0 x %struct.ThreadState], ptr %67, i64 0, i64 %70, i32 1
  %72 = load atomic i64, ptr %71 monotonic, align 8
  %73 = getelementptr inbounds i64, ptr %62, i64 %69
  store i64 %72, ptr %73, align 8
  %74 = add nuw nsw i64 %69, 1
  %75 = load i64, ptr %59, align 8
  %76 = icmp slt i64 %74, %75
  br i1 %76, label %68, label %77

77:
  %78 = phi i64 [ %46, %44 ], [ %32, %50 ], [ %32, %56 ], [ %32, %68 ]
  %79 = add nuw nsw i64 %45, 1
  %80 = icmp eq i64 %79, 64
  br i1 %80, label %40, label %44
}

declare i32 @nanosleep(ptr noundef, ptr noundef) local_unnamed_addr #1

define weak void @pipec_profile_forked() local_unnamed_addr #0 {
  br label %2

1:
  store i8 0, ptr @is_sampling, align 1
  store atomic i32 0, ptr @sampling_lock release, align 4
  ret void

2:
  %3 = phi i64 [ 0, %0 ], [ %5, %2 ]
  %4 = getelementptr inbounds [64 x ptr], ptr @sampled_runs, i64 0, i64 %3
  store ptr null, ptr %4, align 8
  %5 = add nuw nsw i64 %3, 1
  %6 = icmp eq i64 %5, 64
  br i1 %6, label %1, label %2
}

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

declare void @system_pause() local_unnamed_addr #1

attributes #0 = { nounwind }
attributes #1 = { nounwind }
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nounwind }
attributes #4 = { nobuiltin nounwind }


