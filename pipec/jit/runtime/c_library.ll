; Compiled from c_library.c by tools/build_runtime.py with clang 19.
; 931250b26a39ceea0644d26a665ad49a

%struct.Dimension = type { i32, i32, i32, i32 }

@error_text = internal thread_local global [1024 x i8] zeroinitializer, align 16
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
  %1 = tail call align 16 ptr @llvm.threadlocal.address.p0(ptr align 16 @error_text)
  ret ptr %1
}

declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #1

define weak ptr @pipec_last_error() local_unnamed_addr #0 {
  %1 = tail call ptr @pipec_error_text() #4
  ret ptr %1
}

define weak void @pipec_print(ptr noundef %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i64 @write(i32 noundef 2, ptr noundef %0, i64 noundef %1) #5
  ret void
}

declare i64 @write(i32 noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

define weak i32 @pipec_describe(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #0 {
  %8 = icmp eq ptr %0, null
  br i1 %8, label %9, label %12

9:
  %10 = tail call ptr @pipec_error_text() #4
  %11 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %10, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef %2) #5
  br label %89

12:
  %13 = getelementptr inbounds i8, ptr %0, i64 32
  %14 = load i32, ptr %13, align 8
  %15 = icmp eq i32 %14, %4
  br i1 %15, label %23, label %16

16:
  %17 = tail call ptr @pipec_error_text() #4
  %18 = load i32, ptr %13, align 8
  %19 = and i32 %18, 255
  %20 = lshr i32 %18, 8
  %21 = and i32 %20, 255
  %22 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %17, i64 noundef 1024, ptr noundef nonnull @.str.1, ptr noundef %2, ptr noundef %3, i32 noundef %19, i32 noundef %21) #5
  br label %89

23:
  %24 = getelementptr inbounds i8, ptr %0, i64 36
  %25 = load i32, ptr %24, align 4
  %26 = icmp eq i32 %25, %5
  br i1 %26, label %31, label %27

27:
  %28 = tail call ptr @pipec_error_text() #4
  %29 = load i32, ptr %24, align 4
  %30 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %28, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %2, i32 noundef %5, i32 noundef %29) #5
  br label %89

31:
  %32 = getelementptr inbounds i8, ptr %0, i64 16
  %33 = load ptr, ptr %32, align 8
  %34 = ptrtoint ptr %33 to i64
  store i64 %34, ptr %1, align 8
  %35 = load ptr, ptr %32, align 8
  %36 = ptrtoint ptr %35 to i64
  %37 = add nsw i32 %6, -1
  %38 = sext i32 %37 to i64
  %39 = and i64 %36, %38
  %40 = icmp eq i64 %39, 0
  br i1 %40, label %44, label %41

41:
  %42 = tail call ptr @pipec_error_text() #4
  %43 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %42, i64 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef %2, i32 noundef %6) #5
  br label %89

44:
  %45 = icmp sgt i32 %5, 0
  br i1 %45, label %46, label %81

46:
  %47 = getelementptr inbounds i8, ptr %1, i64 8
  %48 = getelementptr inbounds i8, ptr %0, i64 40
  %49 = zext nneg i32 %5 to i64
  br label %50

50:
  %51 = phi i64 [ 0, %46 ], [ %77, %64 ]
  %52 = phi i1 [ false, %46 ], [ %66, %64 ]
  %53 = phi ptr [ %47, %46 ], [ %76, %64 ]
  %54 = load ptr, ptr %48, align 8
  %55 = getelementptr inbounds %struct.Dimension, ptr %54, i64 %51
  %56 = getelementptr inbounds i8, ptr %55, i64 4
  %57 = load i32, ptr %56, align 4
  %58 = icmp sgt i32 %57, -1
  br i1 %58, label %64, label %59

59:
  %60 = trunc nuw nsw i64 %51 to i32
  %61 = tail call ptr @pipec_error_text() #4
  %62 = load i32, ptr %56, align 4
  %63 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %61, i64 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef %2, i32 noundef %60, i32 noundef %62) #5
  br label %89

64:
  %65 = icmp eq i32 %57, 0
  %66 = or i1 %52, %65
  %67 = load i32, ptr %55, align 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds i8, ptr %53, i64 8
  store i64 %68, ptr %53, align 8
  %70 = load i32, ptr %56, align 4
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds i8, ptr %53, i64 16
  store i64 %71, ptr %69, align 8
  %73 = getelementptr inbounds i8, ptr %55, i64 8
  %74 = load i32, ptr %73, align 4
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds i8, ptr %53, i64 24
  store i64 %75, ptr %72, align 8
  %77 = add nuw nsw i64 %51, 1
  %78 = icmp eq i64 %77, %49
  br i1 %78, label %79, label %50

79:
  %80 = load ptr, ptr %32, align 8
  br label %81

81:
  %82 = phi ptr [ %35, %44 ], [ %80, %79 ]
  %83 = phi i1 [ false, %44 ], [ %66, %79 ]
  %84 = icmp ne ptr %82, null
  %85 = select i1 %84, i1 true, i1 %83
  br i1 %85, label %89, label %86

86:
  %87 = tail call ptr @pipec_error_text() #4
  %88 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %87, i64 noundef 1024, ptr noundef nonnull @.str.5, ptr noundef %2) #5
  br label %89

89:
  %90 = phi i32 [ -12, %9 ], [ -3, %16 ], [ -43, %27 ], [ -24, %41 ], [ -34, %86 ], [ 0, %81 ], [ -28, %59 ]
  ret i32 %90
}

declare i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #2

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
  br i1 %2, label %3, label %20

3:
  %4 = cmpxchg ptr @is_prepared, i32 0, i32 1 seq_cst seq_cst, align 4
  %5 = extractvalue { i32, i1 } %4, 1
  br i1 %5, label %6, label %20

6:
  %7 = tail call i32 @pthread_atfork(ptr noundef null, ptr noundef null, ptr noundef nonnull @pipec_forked) #5
  %8 = tail call ptr @getenv(ptr noundef nonnull @.str.6) #5
  %9 = icmp eq ptr %8, null
  br i1 %9, label %13, label %10

10:
  %11 = tail call i32 @atoi(ptr noundef nonnull %8) #5
  %12 = icmp sgt i32 %11, 0
  br i1 %12, label %17, label %13

13:
  %14 = load i32, ptr @system_processors_name, align 4
  %15 = tail call i64 @sysconf(i32 noundef %14) #5
  %16 = trunc i64 %15 to i32
  br label %17

17:
  %18 = phi i32 [ %16, %13 ], [ %11, %10 ]
  %19 = tail call i32 @halide_set_num_threads(i32 noundef %18) #4
  br label %20

20:
  ret void
}

declare i32 @pipec_threads() local_unnamed_addr #2

declare void @pipec_set_threads(i32 noundef, i32 noundef) local_unnamed_addr #2

declare i32 @pthread_atfork(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare void @pipec_forked() #2

declare ptr @getenv(ptr noundef) local_unnamed_addr #2

declare i32 @atoi(ptr noundef) local_unnamed_addr #2

declare i64 @sysconf(i32 noundef) local_unnamed_addr #2

declare i32 @llvm.smin.i32(i32, i32) #3

declare i32 @llvm.smax.i32(i32, i32) #3

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nobuiltin }
attributes #5 = { nobuiltin nounwind }


