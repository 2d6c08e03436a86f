; Compiled from c_library.c by tools/build_runtime.py with clang 19.
; 3c7e4cb43cbc3f0af713b63065e0104b

%struct.Dimension = type { i32, i32, i32, i32 }

@error_text = internal thread_local global [1024 x i8] zeroinitializer, align 1
@.str = private unnamed_addr constant [34 x i8] c"Error: Buffer argument %s is NULL\00", align 1
@.str.1 = private unnamed_addr constant [83 x i8] c"Error: %s has type %s but the type of the buffer passed in has code %d and %d bits\00", align 1
@.str.2 = private unnamed_addr constant [97 x i8] c"Error: %s requires a buffer of exactly %d dimensions, but the buffer passed in has %d dimensions\00", align 1
@.str.3 = private unnamed_addr constant [81 x i8] c"Error: The host pointer of %s is no multiple of %d bytes, the size of an element\00", align 1
@.str.4 = private unnamed_addr constant [63 x i8] c"Error: The extents for buffer %s dimension %d is negative (%d)\00", align 1
@.str.5 = private unnamed_addr constant [83 x i8] c"Error: The host pointer of %s is NULL, but the pipeline will access it on the host\00", align 1
@is_prepared = internal global i32 0, align 4
@.str.6 = private unnamed_addr constant [15 x i8] c"HL_NUM_THREADS\00", align 1
@system_processors_name = external local_unnamed_addr constant i32, align 4

define weak ptr @pipec_error_text() local_unnamed_addr #0 {
  %1 = tail call align 1 ptr @llvm.threadlocal.address.p0(ptr align 1 @error_text)
  ret ptr %1
}

declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #1

define weak ptr @pipec_last_error() local_unnamed_addr #0 {
  %1 = tail call ptr @pipec_error_text() #4
  ret ptr %1
}

define weak void @pipec_print(ptr noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i32 @write(i32 noundef 2, ptr noundef %0, i32 noundef %1) #5
  ret void
}

declare i32 @write(i32 noundef, ptr noundef, i32 noundef) local_unnamed_addr #2

define weak i32 @pipec_describe(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #0 {
  %8 = icmp eq ptr %0, null
  br i1 %8, label %9, label %12

9:
  %10 = tail call ptr @pipec_error_text() #4
  %11 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %10, i32 noundef 1024, ptr noundef nonnull @.str, ptr noundef %2) #5
  br label %87

12:
  %13 = getelementptr inbounds i8, ptr %0, i32 24
  %14 = load i32, ptr %13, align 8
  %15 = icmp eq i32 %14, %4
  br i1 %15, label %23, label %16

16:
  %17 = tail call ptr @pipec_error_text() #4
  %18 = load i32, ptr %13, align 8
  %19 = and i32 %18, 255
  %20 = lshr i32 %18, 8
  %21 = and i32 %20, 255
  %22 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %17, i32 noundef 1024, ptr noundef nonnull @.str.1, ptr noundef %2, ptr noundef %3, i32 noundef %19, i32 noundef %21) #5
  br label %87

23:
  %24 = getelementptr inbounds i8, ptr %0, i32 28
  %25 = load i32, ptr %24, align 4
  %26 = icmp eq i32 %25, %5
  br i1 %26, label %31, label %27

27:
  %28 = tail call ptr @pipec_error_text() #4
  %29 = load i32, ptr %24, align 4
  %30 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %28, i32 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %2, i32 noundef %5, i32 noundef %29) #5
  br label %87

31:
  %32 = getelementptr inbounds i8, ptr %0, i32 12
  %33 = load ptr, ptr %32, align 4
  %34 = ptrtoint ptr %33 to i32
  %35 = zext i32 %34 to i64
  store i64 %35, ptr %1, align 8
  %36 = load ptr, ptr %32, align 4
  %37 = ptrtoint ptr %36 to i32
  %38 = add nsw i32 %6, -1
  %39 = and i32 %38, %37
  %40 = icmp eq i32 %39, 0
  br i1 %40, label %44, label %41

41:
  %42 = tail call ptr @pipec_error_text() #4
  %43 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %42, i32 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef %2, i32 noundef %6) #5
  br label %87

44:
  %45 = icmp sgt i32 %5, 0
  br i1 %45, label %46, label %79

46:
  %47 = getelementptr inbounds i8, ptr %1, i32 8
  %48 = getelementptr inbounds i8, ptr %0, i32 32
  br label %49

49:
  %50 = phi i32 [ 0, %46 ], [ %75, %62 ]
  %51 = phi i1 [ false, %46 ], [ %64, %62 ]
  %52 = phi ptr [ %47, %46 ], [ %74, %62 ]
  %53 = load ptr, ptr %48, align 8
  %54 = getelementptr inbounds %struct.Dimension, ptr %53, i32 %50
  %55 = getelementptr inbounds i8, ptr %54, i32 4
  %56 = load i32, ptr %55, align 4
  %57 = icmp sgt i32 %56, -1
  br i1 %57, label %62, label %58

58:
  %59 = tail call ptr @pipec_error_text() #4
  %60 = load i32, ptr %55, align 4
  %61 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %59, i32 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef %2, i32 noundef %50, i32 noundef %60) #5
  br label %87

62:
  %63 = icmp eq i32 %56, 0
  %64 = or i1 %51, %63
  %65 = load i32, ptr %54, align 4
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds i8, ptr %52, i32 8
  store i64 %66, ptr %52, align 8
  %68 = load i32, ptr %55, align 4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds i8, ptr %52, i32 16
  store i64 %69, ptr %67, align 8
  %71 = getelementptr inbounds i8, ptr %54, i32 8
  %72 = load i32, ptr %71, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds i8, ptr %52, i32 24
  store i64 %73, ptr %70, align 8
  %75 = add nuw nsw i32 %50, 1
  %76 = icmp eq i32 %75, %5
  br i1 %76, label %77, label %49

77:
  %78 = load ptr, ptr %32, align 4
  br label %79

79:
  %80 = phi ptr [ %36, %44 ], [ %78, %77 ]
  %81 = phi i1 [ false, %44 ], [ %64, %77 ]
  %82 = icmp ne ptr %80, null
  %83 = select i1 %82, i1 true, i1 %81
  br i1 %83, label %87, label %84

84:
  %85 = tail call ptr @pipec_error_text() #4
  %86 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %85, i32 noundef 1024, ptr noundef nonnull @.str.5, ptr noundef %2) #5
  br label %87

87:
  %88 = phi i32 [ -12, %9 ], [ -3, %16 ], [ -43, %27 ], [ -24, %41 ], [ -34, %84 ], [ 0, %79 ], [ -28, %58 ]
  ret i32 %88
}

declare i32 @snprintf(ptr noundef, i32 noundef, ptr noundef, ...) local_unnamed_addr #2

define weak i32 @halide_set_num_threads(i32 noundef %0) local_unnamed_addr #0 {
  tail call void @pipec_prepare() #4
  %2 = tail call i32 @pipec_threads() #5
  %3 = tail call i32 @llvm.smin.i32(i32 %0, i32 1024)
  %4 = tail call i32 @llvm.smax.i32(i32 %3, i32 1)
  tail call void @pipec_set_threads(i32 noundef %4, i32 noundef 10000) #5
  ret i32 %2
}

define weak void @pipec_prepare() local_unnamed_addr #0 {
  %1 = load atomic i32, ptr @is_prepared monotonic, align 4
  %2 = icmp eq i32 %1, 0
  br i1 %2, label %3, label %19

3:
  %4 = cmpxchg ptr @is_prepared, i32 0, i32 1 seq_cst seq_cst, align 4
  %5 = extractvalue { i32, i1 } %4, 1
  br i1 %5, label %6, label %19

6:
  %7 = tail call i32 @pthread_atfork(ptr noundef null, ptr noundef null, ptr noundef nonnull @pipec_forked) #5
  %8 = tail call ptr @getenv(ptr noundef nonnull @.str.6) #5
  %9 = icmp eq ptr %8, null
  br i1 %9, label %13, label %10

10:
  %11 = tail call i32 @atoi(ptr noundef nonnull %8) #5
  %12 = icmp sgt i32 %11, 0
  br i1 %12, label %16, label %13

13:
  %14 = load i32, ptr @system_processors_name, align 4
  %15 = tail call i32 @sysconf(i32 noundef %14) #5
  br label %16

16:
  %17 = phi i32 [ %15, %13 ], [ %11, %10 ]
  %18 = tail call i32 @halide_set_num_threads(i32 noundef %17) #4
  br label %19

19:
  ret void
}

declare i32 @pipec_threads() local_unnamed_addr #2

declare void @pipec_set_threads(i32 noundef, i32 noundef) local_unnamed_addr #2

declare i32 @pthread_atfork(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare void @pipec_forked() #2

declare ptr @getenv(ptr noundef) local_unnamed_addr #2

declare i32 @atoi(ptr noundef) local_unnamed_addr #2

declare i32 @sysconf(i32 noundef) local_unnamed_addr #2

declare i32 @llvm.smin.i32(i32, i32) #3

declare i32 @llvm.smax.i32(i32, i32) #3

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nobuiltin }
attributes #5 = { nobuiltin nounwind }


