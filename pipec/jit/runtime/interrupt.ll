; Compiled from interrupt.c by tools/build_runtime.py with clang 19.
; 28363c5a060e683d3ca1b3979ba4c027

%struct.Lock = type { [8 x i64] }
%struct.Time = type { i64, i64 }
%struct.CallLimit = type { ptr, ptr, i32, i32 }

@main_thread = internal unnamed_addr global i64 0, align 8
@exception = internal global ptr null, align 8
@exception_value = internal global ptr null, align 8
@exception_traceback = internal global ptr null, align 8
@current = internal unnamed_addr global i64 0, align 8
@current_slots = internal unnamed_addr global ptr null, align 8
@interrupt_lock = internal global %struct.Lock zeroinitializer, align 64
@system_new_lock = external local_unnamed_addr constant %struct.Lock, align 64
@interrupt_call = internal global %struct.Lock zeroinitializer, align 64
@system_new_condition = external local_unnamed_addr constant %struct.Lock, align 64
@is_started = internal unnamed_addr global i1 false, align 1
@is_asleep = internal unnamed_addr global i8 0, align 1
@last_call = internal unnamed_addr global i64 0, align 8
@__const.monitor.tick = private unnamed_addr constant %struct.Time { i64 0, i64 50000000 }, align 8

define weak i32 @pipec_restore_exception() local_unnamed_addr #0 {
  %1 = tail call i64 @pthread_self() #5
  %2 = load i64, ptr @main_thread, align 8
  %3 = icmp ne i64 %1, %2
  %4 = load ptr, ptr @exception, align 8
  %5 = icmp eq ptr %4, null
  %6 = select i1 %3, i1 true, i1 %5
  br i1 %6, label %10, label %7

7:
  %8 = load ptr, ptr @exception_value, align 8
  %9 = load ptr, ptr @exception_traceback, align 8
  tail call void @PyErr_Restore(ptr noundef nonnull %4, ptr noundef %8, ptr noundef %9) #5
  store ptr null, ptr @exception, align 8
  br label %10

10:
  %11 = phi i32 [ 1, %7 ], [ 0, %0 ]
  ret i32 %11
}

declare i64 @pthread_self() local_unnamed_addr #1

declare void @PyErr_Restore(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

define weak i32 @pipec_end_call(ptr noundef %0) local_unnamed_addr #0 {
  %2 = tail call i64 @pthread_self() #5
  %3 = load i64, ptr @main_thread, align 8
  %4 = icmp eq i64 %2, %3
  br i1 %4, label %5, label %15

5:
  %6 = load atomic i64, ptr @current monotonic, align 8
  %7 = icmp eq i64 %6, 0
  br i1 %7, label %15, label %8

8:
  %9 = load ptr, ptr @exception, align 8
  %10 = icmp eq ptr %9, null
  br i1 %10, label %11, label %15

11:
  %12 = getelementptr inbounds i8, ptr %0, i64 8
  %13 = load ptr, ptr %12, align 8
  store ptr %13, ptr @exception, align 8
  tail call void @Py_IncRef(ptr noundef %13) #5
  store ptr %0, ptr @exception_value, align 8
  tail call void @Py_IncRef(ptr noundef %0) #5
  store ptr null, ptr @exception_traceback, align 8
  %14 = load ptr, ptr @current_slots, align 8
  tail call void @pipec_cancel(ptr noundef %14) #5
  br label %15

15:
  %16 = phi i32 [ 1, %11 ], [ 0, %5 ], [ 0, %1 ], [ 1, %8 ]
  ret i32 %16
}

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #1

declare void @pipec_cancel(ptr noundef) local_unnamed_addr #1

define weak void @pipec_watch(i64 noundef %0) local_unnamed_addr #0 {
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) @interrupt_lock, ptr noundef nonnull align 64 dereferenceable(64) @system_new_lock, i64 64, i1 false)
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) @interrupt_call, ptr noundef nonnull align 64 dereferenceable(64) @system_new_condition, i64 64, i1 false)
  store i64 %0, ptr @main_thread, align 8
  store i1 false, ptr @is_started, align 1
  store atomic i8 1, ptr @is_asleep seq_cst, align 1
  store atomic i64 0, ptr @current seq_cst, align 8
  tail call void @pipec_set_handler(ptr noundef nonnull @handle_signals, i64 noundef %0) #5
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #2

declare void @pipec_set_handler(ptr noundef, i64 noundef) local_unnamed_addr #1

define internal i32 @handle_signals() #0 {
  %1 = tail call i32 @PyGILState_Ensure() #5
  %2 = tail call i32 @PyErr_CheckSignals() #5
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %5, label %4

4:
  tail call void @PyErr_Fetch(ptr noundef nonnull @exception, ptr noundef nonnull @exception_value, ptr noundef nonnull @exception_traceback) #5
  br label %5

5:
  tail call void @PyGILState_Release(i32 noundef %1) #5
  ret i32 %2
}

define weak i32 @pipec_run(ptr noundef %0, ptr noundef %1) local_unnamed_addr #0 {
  %3 = alloca i64, align 8
  %4 = tail call i64 @pthread_self() #5
  %5 = load i64, ptr @main_thread, align 8
  %6 = icmp eq i64 %4, %5
  br i1 %6, label %9, label %7

7:
  %8 = tail call i32 %0(ptr noundef %1) #5
  br label %33

9:
  %10 = load atomic i64, ptr @current monotonic, align 8
  %11 = load ptr, ptr @current_slots, align 8
  %12 = load i64, ptr @last_call, align 8
  %13 = add nsw i64 %12, 1
  store i64 %13, ptr @last_call, align 8
  store atomic i64 %13, ptr @current monotonic, align 8
  store ptr %1, ptr @current_slots, align 8
  %14 = load atomic i8, ptr @is_asleep monotonic, align 1
  %15 = trunc nuw i8 %14 to i1
  br i1 %15, label %16, label %29

16:
  %17 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @interrupt_lock) #5
  %18 = load i1, ptr @is_started, align 1
  br i1 %18, label %26, label %19

19:
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %3) #6
  store i1 true, ptr @is_started, align 1
  %20 = call i32 @pthread_create(ptr noundef nonnull %3, ptr noundef null, ptr noundef nonnull @monitor, ptr noundef null) #5
  %21 = icmp eq i32 %20, 0
  br i1 %21, label %22, label %25

22:
  %23 = load i64, ptr %3, align 8
  %24 = call i32 @pthread_detach(i64 noundef %23) #5
  br label %25

25:
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %3) #6
  br label %26

26:
  store atomic i8 0, ptr @is_asleep seq_cst, align 1
  %27 = call i32 @pthread_cond_signal(ptr noundef nonnull @interrupt_call) #5
  %28 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @interrupt_lock) #5
  br label %29

29:
  %30 = call i32 %0(ptr noundef %1) #5
  store atomic i64 %10, ptr @current monotonic, align 8
  store ptr %11, ptr @current_slots, align 8
  %31 = call zeroext i1 @pipec_end_cancellation(ptr noundef %1) #5
  %32 = select i1 %31, i32 3, i32 %30
  br label %33

33:
  %34 = phi i32 [ %8, %7 ], [ %32, %29 ]
  ret i32 %34
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #3

declare zeroext i1 @pipec_end_cancellation(ptr noundef) local_unnamed_addr #1

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #3

define weak i32 @pipec_run_limited(ptr noundef %0, ptr noundef %1, i32 noundef %2) local_unnamed_addr #0 {
  %4 = alloca %struct.CallLimit, align 8
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %4) #6
  store ptr %1, ptr %4, align 8
  %5 = getelementptr inbounds i8, ptr %4, i64 8
  store ptr null, ptr %5, align 8
  %6 = getelementptr inbounds i8, ptr %4, i64 16
  store i32 %2, ptr %6, align 8
  %7 = getelementptr inbounds i8, ptr %4, i64 20
  store i32 0, ptr %7, align 4
  call void @pipec_limit_call(ptr noundef nonnull %4) #5
  %8 = call i32 @pipec_run(ptr noundef %0, ptr noundef %1) #7
  call void @pipec_end_limit(ptr noundef nonnull %4) #5
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %4) #6
  ret i32 %8
}

declare void @pipec_limit_call(ptr noundef) local_unnamed_addr #1

declare void @pipec_end_limit(ptr noundef) local_unnamed_addr #1

declare i32 @PyGILState_Ensure() local_unnamed_addr #1

declare i32 @PyErr_CheckSignals() local_unnamed_addr #1

declare void @PyErr_Fetch(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

declare void @PyGILState_Release(i32 noundef) local_unnamed_addr #1

declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #1

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

define internal noalias noundef nonnull ptr @monitor(ptr nocapture readnone %0) #4 {
  %2 = alloca %struct.Time, align 8
  br label %7

3:
  %4 = call i32 @pthread_mutex_lock(ptr noundef nonnull @interrupt_lock) #5
  store atomic i8 1, ptr @is_asleep seq_cst, align 1
  %5 = load atomic i8, ptr @is_asleep seq_cst, align 1
  %6 = trunc nuw i8 %5 to i1
  br i1 %6, label %22, label %29

7:
  %8 = phi i64 [ 0, %1 ], [ %20, %19 ]
  %9 = phi i32 [ 0, %1 ], [ %21, %19 ]
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %2) #6
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %2, ptr noundef nonnull align 8 dereferenceable(16) @__const.monitor.tick, i64 16, i1 false)
  %10 = call i32 @nanosleep(ptr noundef nonnull %2, ptr noundef null) #5
  %11 = load atomic i64, ptr @current monotonic, align 8
  %12 = icmp ne i64 %11, 0
  %13 = icmp eq i64 %11, %8
  %14 = and i1 %12, %13
  %15 = zext i1 %14 to i32
  call void @pipec_set_attention(i32 noundef %15) #5
  %16 = add nsw i32 %9, 1
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %2) #6
  %17 = select i1 %12, i32 1, i32 %16
  %18 = icmp slt i32 %17, 20
  br i1 %18, label %19, label %3

19:
  %20 = phi i64 [ %11, %7 ], [ 0, %29 ]
  %21 = phi i32 [ %17, %7 ], [ 0, %29 ]
  br label %7

22:
  %23 = load atomic i64, ptr @current seq_cst, align 8
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %25, label %29

25:
  %26 = call i32 @pthread_cond_wait(ptr noundef nonnull @interrupt_call, ptr noundef nonnull @interrupt_lock) #5
  %27 = load atomic i8, ptr @is_asleep seq_cst, align 1
  %28 = trunc nuw i8 %27 to i1
  br i1 %28, label %22, label %29

29:
  store atomic i8 0, ptr @is_asleep seq_cst, align 1
  %30 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @interrupt_lock) #5
  br label %19
}

declare i32 @pthread_detach(i64 noundef) local_unnamed_addr #1

declare i32 @pthread_cond_signal(ptr noundef) local_unnamed_addr #1

declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #1

declare i32 @nanosleep(ptr noundef, ptr noundef) local_unnamed_addr #1

declare void @pipec_set_attention(i32 noundef) local_unnamed_addr #1

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef) local_unnamed_addr #1

attributes #0 = { nounwind }
attributes #1 = { nounwind }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { noreturn nounwind }
attributes #5 = { nobuiltin nounwind }
attributes #6 = { nounwind }
attributes #7 = { nobuiltin }


