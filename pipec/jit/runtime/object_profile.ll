; Compiled from object_profile.c by tools/build_runtime.py with clang 19.
; f81f1cfa2460b16f1c3b86980cdbaf19

%struct.Counters = type { i64, i64, i64, i64, i64, i64, i64, i64 }

@profiles = internal unnamed_addr global ptr null, align 8
@profiles_lock = internal global i32 0, align 4
@.str = private unnamed_addr constant [64 x i8] c"%.120s\0A total time: %.6f ms  runs: %lld  time per run: %.6f ms\0A\00", align 1
@.str.1 = private unnamed_addr constant [29 x i8] c" average threads used: %.6f\0A\00", align 1
@.str.2 = private unnamed_addr constant [54 x i8] c" heap allocations: %lld  peak heap usage: %lld bytes\0A\00", align 1
@.str.3 = private unnamed_addr constant [16 x i8] c"%.3fms (%.1f%%)\00", align 1
@.str.4 = private unnamed_addr constant [35 x i8] c"  peak: %lld  num: %lld  avg: %lld\00", align 1
@.str.5 = private unnamed_addr constant [37 x i8] c"    %-24.120s %-20s threads: %.3f%s\0A\00", align 1

define weak void @halide_profiler_report(ptr noundef %0) local_unnamed_addr #0 {
  %2 = alloca [512 x i8], align 16
  %3 = alloca [128 x i8], align 16
  %4 = alloca [128 x i8], align 16
  %5 = alloca [512 x i8], align 16
  %6 = load ptr, ptr @profiles, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %8, label %9

8:
  ret void

9:
  %10 = phi ptr [ %130, %128 ], [ %6, %1 ]
  %11 = getelementptr inbounds i8, ptr %10, i64 32
  %12 = load atomic i64, ptr %11 seq_cst, align 8
  %13 = icmp sgt i64 %12, 0
  br i1 %13, label %14, label %128

14:
  %15 = getelementptr inbounds i8, ptr %10, i64 24
  %16 = load ptr, ptr %15, align 8
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %5) #5
  %17 = getelementptr inbounds i8, ptr %10, i64 16
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i64 %18, 0
  br i1 %19, label %20, label %22

20:
  %21 = getelementptr inbounds i8, ptr %16, i64 64
  br label %65

22:
  %23 = phi i64 [ 0, %14 ], [ %70, %65 ]
  %24 = getelementptr inbounds i8, ptr %16, i64 64
  %25 = getelementptr inbounds i8, ptr %16, i64 136
  %26 = load atomic i64, ptr %25 seq_cst, align 8
  %27 = sub nsw i64 %23, %26
  %28 = load ptr, ptr %10, align 8
  %29 = getelementptr inbounds i8, ptr %16, i64 8
  %30 = load i64, ptr %29, align 8
  %31 = sitofp i64 %30 to double
  %32 = fdiv double %31, 1.000000e+06
  %33 = load atomic i64, ptr %11 seq_cst, align 8
  %34 = load i64, ptr %29, align 8
  %35 = load atomic i64, ptr %11 seq_cst, align 8
  %36 = icmp sgt i64 %35, 0
  %37 = sitofp i64 %34 to double
  %38 = uitofp nneg i64 %35 to double
  %39 = fdiv double %37, %38
  %40 = fdiv double %39, 1.000000e+06
  %41 = select i1 %36, double %40, double 0.000000e+00
  %42 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %5, i64 noundef 512, ptr noundef nonnull @.str, ptr noundef %28, double noundef %32, i64 noundef %33, double noundef %41) #6
  %43 = call i32 @llvm.smin.i32(i32 %42, i32 511)
  %44 = sext i32 %43 to i64
  call void @pipec_print(ptr noundef nonnull %5, i64 noundef %44) #6
  %45 = load i64, ptr %29, align 8
  %46 = icmp sgt i64 %45, 0
  %47 = sitofp i64 %27 to double
  %48 = uitofp nneg i64 %45 to double
  %49 = fdiv double %47, %48
  %50 = select i1 %46, double %49, double 0.000000e+00
  %51 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %5, i64 noundef 512, ptr noundef nonnull @.str.1, double noundef %50) #6
  %52 = call i32 @llvm.smin.i32(i32 %51, i32 511)
  %53 = sext i32 %52 to i64
  call void @pipec_print(ptr noundef nonnull %5, i64 noundef %53) #6
  %54 = getelementptr inbounds i8, ptr %16, i64 32
  %55 = load atomic i64, ptr %54 seq_cst, align 8
  %56 = getelementptr inbounds i8, ptr %16, i64 24
  %57 = load atomic i64, ptr %56 seq_cst, align 8
  %58 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %5, i64 noundef 512, ptr noundef nonnull @.str.2, i64 noundef %55, i64 noundef %57) #6
  %59 = call i32 @llvm.smin.i32(i32 %58, i32 511)
  %60 = sext i32 %59 to i64
  call void @pipec_print(ptr noundef nonnull %5, i64 noundef %60) #6
  %61 = load i64, ptr %17, align 8
  %62 = icmp sgt i64 %61, 0
  br i1 %62, label %63, label %127

63:
  %64 = getelementptr inbounds i8, ptr %10, i64 8
  br label %74

65:
  %66 = phi i64 [ 0, %20 ], [ %71, %65 ]
  %67 = phi i64 [ 0, %20 ], [ %70, %65 ]
  %68 = getelementptr inbounds [0 x %struct.Counters], ptr %21, i64 0, i64 %66, i32 1
  %69 = load atomic i64, ptr %68 seq_cst, align 8
  %70 = add nsw i64 %69, %67
  %71 = add nuw nsw i64 %66, 1
  %72 = load i64, ptr %17, align 8
  %73 = icmp slt i64 %71, %72
  br i1 %73, label %65, label %22

74:
  %75 = phi i64 [ 0, %63 ], [ %124, %123 ]
  %76 = getelementptr inbounds [0 x %struct.Counters], ptr %24, i64 0, i64 %75
  %77 = getelementptr inbounds i8, ptr %76, i64 8
  %78 = load atomic i64, ptr %77 seq_cst, align 8
  %79 = icmp sgt i64 %78, 0
  br i1 %79, label %84, label %80

80:
  %81 = getelementptr inbounds i8, ptr %76, i64 48
  %82 = load atomic i64, ptr %81 seq_cst, align 8
  %83 = icmp sgt i64 %82, 0
  br i1 %83, label %84, label %123

84:
  %85 = load ptr, ptr %64, align 8
  %86 = getelementptr inbounds ptr, ptr %85, i64 %75
  %87 = load ptr, ptr %86, align 8
  %88 = load i64, ptr %29, align 8
  call void @llvm.lifetime.start.p0(i64 512, ptr nonnull %2) #5
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %3) #5
  call void @llvm.lifetime.start.p0(i64 128, ptr nonnull %4) #5
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(128) %4, i8 0, i64 128, i1 false)
  %89 = load atomic i64, ptr %76 seq_cst, align 8
  %90 = sitofp i64 %89 to double
  %91 = fdiv double %90, 1.000000e+06
  %92 = load atomic i64, ptr %76 seq_cst, align 8
  %93 = icmp sgt i64 %88, 0
  %94 = sitofp i64 %92 to double
  %95 = uitofp nneg i64 %88 to double
  %96 = fdiv double %94, %95
  %97 = fmul double %96, 1.000000e+02
  %98 = select i1 %93, double %97, double 0.000000e+00
  %99 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %3, i64 noundef 128, ptr noundef nonnull @.str.3, double noundef %91, double noundef %98) #6
  %100 = getelementptr inbounds i8, ptr %76, i64 48
  %101 = load atomic i64, ptr %100 seq_cst, align 8
  %102 = icmp sgt i64 %101, 0
  br i1 %102, label %103, label %112

103:
  %104 = getelementptr inbounds i8, ptr %76, i64 32
  %105 = load atomic i64, ptr %104 seq_cst, align 8
  %106 = load atomic i64, ptr %100 seq_cst, align 8
  %107 = getelementptr inbounds i8, ptr %76, i64 40
  %108 = load atomic i64, ptr %107 seq_cst, align 8
  %109 = load atomic i64, ptr %100 seq_cst, align 8
  %110 = sdiv i64 %108, %109
  %111 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %4, i64 noundef 128, ptr noundef nonnull @.str.4, i64 noundef %105, i64 noundef %106, i64 noundef %110) #6
  br label %112

112:
  %113 = load atomic i64, ptr %77 seq_cst, align 8
  %114 = load atomic i64, ptr %76 seq_cst, align 8
  %115 = icmp sgt i64 %114, 0
  %116 = sitofp i64 %113 to double
  %117 = uitofp nneg i64 %114 to double
  %118 = fdiv double %116, %117
  %119 = select i1 %115, double %118, double 0.000000e+00
  %120 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef nonnull %2, i64 noundef 512, ptr noundef nonnull @.str.5, ptr noundef %87, ptr noundef nonnull %3, double noundef %119, ptr noundef nonnull %4) #6
  %121 = call i32 @llvm.smin.i32(i32 %120, i32 511)
  %122 = sext i32 %121 to i64
  call void @pipec_print(ptr noundef nonnull %2, i64 noundef %122) #6
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %4) #5
  call void @llvm.lifetime.end.p0(i64 128, ptr nonnull %3) #5
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %2) #5
  br label %123

123:
  %124 = add nuw nsw i64 %75, 1
  %125 = load i64, ptr %17, align 8
  %126 = icmp slt i64 %124, %125
  br i1 %126, label %74, label %127

127:
  call void @llvm.lifetime.end.p0(i64 512, ptr nonnull %5) #5
  br label %128

128:
  %129 = getelementptr inbounds i8, ptr %10, i64 48
  %130 = load ptr, ptr %129, align 8
  %131 = icmp eq ptr %130, null
  br i1 %131, label %8, label %9
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

define weak void @halide_profiler_reset(ptr noundef %0) local_unnamed_addr #0 {
  %2 = load ptr, ptr @profiles, align 8
  %3 = icmp eq ptr %2, null
  br i1 %3, label %4, label %5

4:
  ret void

5:
  %6 = phi ptr [ %22, %20 ], [ %2, %1 ]
  %7 = getelementptr inbounds i8, ptr %6, i64 32
  store atomic i64 0, ptr %7 seq_cst, align 8
  %8 = getelementptr inbounds i8, ptr %6, i64 24
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds i8, ptr %9, i64 8
  store i64 0, ptr %10, align 8
  %11 = load ptr, ptr %8, align 8
  %12 = getelementptr inbounds i8, ptr %11, i64 32
  store atomic i64 0, ptr %12 seq_cst, align 8
  %13 = load ptr, ptr %8, align 8
  %14 = getelementptr inbounds i8, ptr %13, i64 24
  store atomic i64 0, ptr %14 seq_cst, align 8
  %15 = load ptr, ptr %8, align 8
  %16 = getelementptr inbounds i8, ptr %15, i64 16
  store atomic i64 0, ptr %16 seq_cst, align 8
  %17 = getelementptr inbounds i8, ptr %6, i64 16
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i64 %18, 0
  br i1 %19, label %24, label %20

20:
  %21 = getelementptr inbounds i8, ptr %6, i64 48
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %4, label %5

24:
  %25 = phi i64 [ %29, %24 ], [ 0, %5 ]
  %26 = load ptr, ptr %8, align 8
  %27 = getelementptr inbounds i8, ptr %26, i64 64
  %28 = getelementptr inbounds [0 x %struct.Counters], ptr %27, i64 0, i64 %25
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(64) %28, i8 0, i64 64, i1 false)
  %29 = add nuw nsw i64 %25, 1
  %30 = load i64, ptr %17, align 8
  %31 = icmp slt i64 %29, %30
  br i1 %31, label %24, label %20
}

declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #2

define weak void @pipec_profile_run(ptr noundef %0) local_unnamed_addr #0 {
  %2 = getelementptr inbounds i8, ptr %0, i64 32
  %3 = atomicrmw add ptr %2, i64 1 monotonic, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 40
  %5 = load atomic i64, ptr %4 acquire, align 8
  %6 = icmp eq i64 %5, 0
  br i1 %6, label %7, label %26

7:
  %8 = atomicrmw xchg ptr @profiles_lock, i32 1 acquire, align 4
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %13, label %10

10:
  tail call void @system_pause() #6
  %11 = atomicrmw xchg ptr @profiles_lock, i32 1 acquire, align 4
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %13, label %10

13:
  %14 = load atomic i64, ptr %4 seq_cst, align 8
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %16, label %25

16:
  %17 = load ptr, ptr @profiles, align 8
  %18 = icmp eq ptr %17, null
  br i1 %18, label %19, label %22

19:
  %20 = tail call i32 @atexit(ptr noundef nonnull @report_at_exit) #6
  %21 = load ptr, ptr @profiles, align 8
  br label %22

22:
  %23 = phi ptr [ %21, %19 ], [ %17, %16 ]
  %24 = getelementptr inbounds i8, ptr %0, i64 48
  store ptr %23, ptr %24, align 8
  store ptr %0, ptr @profiles, align 8
  store atomic i64 1, ptr %4 release, align 8
  br label %25

25:
  store atomic i32 0, ptr @profiles_lock release, align 4
  br label %26

26:
  ret void
}

declare void @system_pause() local_unnamed_addr #3

declare i32 @atexit(ptr noundef) local_unnamed_addr #3

define internal void @report_at_exit() #0 {
  tail call void @halide_profiler_report(ptr noundef null) #7
  ret void
}

declare i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #3

declare void @pipec_print(ptr noundef, i64 noundef) local_unnamed_addr #3

declare i32 @llvm.smin.i32(i32, i32) #4

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #3 = { nounwind }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nounwind }
attributes #6 = { nobuiltin nounwind }
attributes #7 = { nobuiltin }


