; Compiled from latency.c by tools/build_runtime.py with clang 19.
; ab918b7b53100fa8cc5bd7b0a31ed65c

define weak i64 @pipec_exchange(ptr noundef %0, i64 noundef %1, i64 noundef %2, i64 noundef %3) local_unnamed_addr #0 {
  %5 = icmp slt i64 %2, %3
  br i1 %5, label %6, label %23

6:
  %7 = phi i64 [ %21, %19 ], [ %2, %4 ]
  %8 = shl nsw i64 %7, 1
  %9 = add nsw i64 %8, %1
  %10 = load atomic i64, ptr %0 acquire, align 8
  %11 = icmp eq i64 %10, %9
  br i1 %11, label %19, label %12

12:
  %13 = phi i32 [ %16, %15 ], [ 0, %6 ]
  %14 = icmp eq i32 %13, 200000
  br i1 %14, label %23, label %15

15:
  %16 = add nuw nsw i32 %13, 1
  tail call void @system_pause() #3
  %17 = load atomic i64, ptr %0 acquire, align 8
  %18 = icmp eq i64 %17, %9
  br i1 %18, label %19, label %12

19:
  %20 = add nsw i64 %9, 1
  store atomic i64 %20, ptr %0 release, align 8
  %21 = add i64 %7, 1
  %22 = icmp eq i64 %21, %3
  br i1 %22, label %23, label %6

23:
  %24 = phi i64 [ %2, %4 ], [ %7, %12 ], [ %3, %19 ]
  %25 = tail call i64 @llvm.smin.i64(i64 %24, i64 %3)
  ret i64 %25
}

declare void @system_pause() local_unnamed_addr #1

declare i64 @llvm.smin.i64(i64, i64) #2

attributes #0 = { nounwind }
attributes #1 = { nounwind }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nobuiltin nounwind }


