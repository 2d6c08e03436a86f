; Compiled from pool.c, memory.c, tasks.c, half.c by tools/build_runtime.py with clang 19.
; 7048d281249d66c156f171d9474607b9

%struct.Lock = type { [8 x i64] }
%struct.anon = type { ptr, i64 }
%struct.Time = type { i64, i64 }
%struct.Job = type { ptr, ptr, i64, i64, ptr, [24 x i8], i32, i32, [56 x i8], [32 x %struct.Share] }
%struct.Share = type { i64, [56 x i8] }
%struct.Side = type { ptr, ptr, ptr, i64, i32 }

@pool_lock = external global %struct.Lock, align 64
@thread_limit = internal unnamed_addr global i32 1, align 4
@worker_spins = internal unnamed_addr global i32 20000, align 4
@epoch = internal global i32 0, align 64
@pool_work = external global %struct.Lock, align 64
@system_new_lock = external local_unnamed_addr constant %struct.Lock, align 64
@pool_done = external global %struct.Lock, align 64
@system_new_condition = external local_unnamed_addr constant %struct.Lock, align 64
@jobs = internal unnamed_addr global ptr null, align 64
@waiting = internal unnamed_addr global i32 0, align 4
@sleeping = internal unnamed_addr global i32 0, align 4
@started = internal unnamed_addr global i32 0, align 4
@pipec_attention = weak local_unnamed_addr global i32 0, align 4
@signal_handler = internal unnamed_addr global ptr null, align 8
@handling_thread = internal unnamed_addr global i64 0, align 8
@cancelled = internal unnamed_addr global ptr null, align 8
@memory_lock = external global %struct.Lock, align 64
@pooled_blocks = internal unnamed_addr global i32 0, align 4
@pooled_bytes = internal unnamed_addr global i64 0, align 8
@counts.0 = internal unnamed_addr global i64 0, align 8
@counts.1 = internal unnamed_addr global i64 0, align 8
@counts.2 = internal unnamed_addr global i64 0, align 8
@counts.3 = internal unnamed_addr global i64 0, align 8
@pooled = internal unnamed_addr global [128 x %struct.anon] zeroinitializer, align 16

define weak void @pipec_set_threads(i32 noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  store atomic i32 %0, ptr @thread_limit monotonic, align 4
  store atomic i32 %1, ptr @worker_spins monotonic, align 4
  %4 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %5 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  %6 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  ret void
}

declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #1

declare i32 @pthread_cond_broadcast(ptr noundef) local_unnamed_addr #1

declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #1

define weak i32 @pipec_threads() local_unnamed_addr #0 {
  %1 = load atomic i32, ptr @thread_limit monotonic, align 4
  ret i32 %1
}

define weak void @pipec_forked() local_unnamed_addr #0 {
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) @pool_lock, ptr noundef nonnull align 64 dereferenceable(64) @system_new_lock, i64 64, i1 false)
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) @pool_done, ptr noundef nonnull align 64 dereferenceable(64) @system_new_condition, i64 64, i1 false)
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) @pool_work, ptr noundef nonnull align 64 dereferenceable(64) @system_new_condition, i64 64, i1 false)
  store ptr null, ptr @jobs, align 64
  store i32 0, ptr @waiting, align 4
  store i32 0, ptr @sleeping, align 4
  store i32 0, ptr @started, align 4
  tail call void @pipec_memory_forked() #6
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #2

define weak void @pipec_memory_forked() local_unnamed_addr #0 {
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) @memory_lock, ptr noundef nonnull align 64 dereferenceable(64) @system_new_lock, i64 64, i1 false)
  store i32 0, ptr @pooled_blocks, align 4
  store i64 0, ptr @pooled_bytes, align 8
  ret void
}

define weak void @pipec_set_handler(ptr noundef %0, i64 noundef %1) local_unnamed_addr #0 {
  store ptr %0, ptr @signal_handler, align 8
  store i64 %1, ptr @handling_thread, align 8
  store atomic i64 0, ptr @cancelled seq_cst, align 8
  store atomic i32 0, ptr @pipec_attention seq_cst, align 4
  ret void
}

define weak void @pipec_set_attention(i32 noundef %0) local_unnamed_addr #0 {
  %2 = icmp eq i32 %0, 0
  br i1 %2, label %3, label %7

3:
  %4 = load atomic i64, ptr @cancelled seq_cst, align 8
  %5 = icmp ne i64 %4, 0
  %6 = zext i1 %5 to i32
  br label %7

7:
  %8 = phi i32 [ 1, %1 ], [ %6, %3 ]
  store atomic i32 %8, ptr @pipec_attention monotonic, align 4
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #3

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #3

define weak void @pipec_cancel(ptr noundef %0) local_unnamed_addr #0 {
  %2 = ptrtoint ptr %0 to i64
  store atomic i64 %2, ptr @cancelled seq_cst, align 8
  tail call void @pipec_set_attention(i32 noundef 1) #6
  ret void
}

define weak i32 @pipec_check(ptr noundef %0) local_unnamed_addr #0 {
  %2 = load atomic i64, ptr @cancelled seq_cst, align 8
  %3 = inttoptr i64 %2 to ptr
  %4 = icmp eq ptr %3, %0
  br i1 %4, label %17, label %5

5:
  %6 = load ptr, ptr @signal_handler, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %17, label %8

8:
  %9 = tail call i64 @pthread_self() #5
  %10 = load i64, ptr @handling_thread, align 8
  %11 = icmp eq i64 %9, %10
  br i1 %11, label %12, label %17

12:
  tail call void @pipec_set_attention(i32 noundef 0) #6
  %13 = load ptr, ptr @signal_handler, align 8
  %14 = tail call i32 %13() #5
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %17, label %16

16:
  tail call void @pipec_cancel(ptr noundef %0) #6
  br label %17

17:
  %18 = phi i32 [ 3, %16 ], [ 3, %1 ], [ 0, %8 ], [ 0, %5 ], [ 0, %12 ]
  ret i32 %18
}

declare i64 @pthread_self() local_unnamed_addr #1

define weak zeroext i1 @pipec_end_cancellation(ptr noundef %0) local_unnamed_addr #0 {
  %2 = load atomic i64, ptr @cancelled monotonic, align 8
  %3 = inttoptr i64 %2 to ptr
  %4 = icmp eq ptr %3, %0
  br i1 %4, label %5, label %6

5:
  store atomic i64 0, ptr @cancelled seq_cst, align 8
  tail call void @pipec_set_attention(i32 noundef 0) #6
  br label %6

6:
  ret i1 %4
}

define weak i32 @pipec_parallel_for(ptr noundef %0, ptr noundef %1, i64 noundef %2, i64 noundef %3) local_unnamed_addr #0 {
  %5 = alloca %struct.Time, align 8
  %6 = alloca i64, align 8
  %7 = alloca %struct.Job, align 64
  %8 = load atomic i32, ptr @thread_limit monotonic, align 4
  %9 = icmp slt i32 %8, 2
  %10 = icmp slt i64 %3, 2
  %11 = or i1 %10, %9
  br i1 %11, label %23, label %12

12:
  %13 = getelementptr inbounds i8, ptr %7, i64 8
  %14 = getelementptr inbounds i8, ptr %7, i64 16
  %15 = tail call i32 @llvm.umin.i32(i32 %8, i32 32)
  %16 = zext nneg i32 %15 to i64
  %17 = getelementptr inbounds i8, ptr %7, i64 24
  %18 = getelementptr inbounds i8, ptr %7, i64 64
  %19 = getelementptr inbounds i8, ptr %7, i64 68
  %20 = getelementptr inbounds i8, ptr %7, i64 128
  %21 = getelementptr inbounds i8, ptr %7, i64 32
  %22 = getelementptr inbounds i8, ptr %5, i64 8
  br label %33

23:
  %24 = icmp sgt i64 %3, 0
  br i1 %24, label %25, label %199

25:
  %26 = phi i64 [ %29, %25 ], [ 0, %23 ]
  %27 = add nsw i64 %26, %2
  %28 = tail call i32 %0(ptr noundef %1, i64 noundef %27) #5
  %29 = add nuw nsw i64 %26, 1
  %30 = icmp slt i64 %29, %3
  %31 = icmp eq i32 %28, 0
  %32 = select i1 %30, i1 %31, i1 false
  br i1 %32, label %25, label %199

33:
  %34 = phi i64 [ %2, %12 ], [ %194, %192 ]
  %35 = phi i64 [ %3, %12 ], [ %195, %192 ]
  %36 = call i64 @llvm.umin.i64(i64 %35, i64 1073741824)
  call void @llvm.lifetime.start.p0(i64 2176, ptr nonnull %7) #7
  store ptr %0, ptr %7, align 64
  store ptr %1, ptr %13, align 8
  store i64 %34, ptr %14, align 16
  %37 = call i64 @llvm.umin.i64(i64 %16, i64 %36)
  store i64 %37, ptr %17, align 8
  store i32 0, ptr %18, align 64
  store i32 0, ptr %19, align 4
  br label %182

38:
  %39 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %40 = load i32, ptr @started, align 4
  %41 = add nsw i32 %40, 1
  %42 = icmp slt i32 %41, %8
  br i1 %42, label %43, label %58

43:
  %44 = phi i32 [ %56, %50 ], [ %41, %38 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %6) #7
  %45 = sext i32 %44 to i64
  %46 = inttoptr i64 %45 to ptr
  %47 = call i32 @pthread_create(ptr noundef nonnull %6, ptr noundef null, ptr noundef nonnull @run_worker, ptr noundef %46) #5
  %48 = icmp eq i32 %47, 0
  br i1 %48, label %50, label %49

49:
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6) #7
  br label %58

50:
  %51 = load i32, ptr @started, align 4
  %52 = add nsw i32 %51, 1
  store i32 %52, ptr @started, align 4
  %53 = load i64, ptr %6, align 8
  %54 = call i32 @pthread_detach(i64 noundef %53) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6) #7
  %55 = load i32, ptr @started, align 4
  %56 = add nsw i32 %55, 1
  %57 = icmp slt i32 %56, %8
  br i1 %57, label %43, label %58

58:
  %59 = load ptr, ptr @jobs, align 64
  store ptr %59, ptr %21, align 32
  store ptr %7, ptr @jobs, align 64
  %60 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %61 = load i32, ptr @sleeping, align 4
  %62 = icmp sgt i32 %61, 0
  %63 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %64 = icmp eq i64 %35, 2
  %65 = and i1 %64, %62
  br i1 %65, label %66, label %68

66:
  %67 = call i32 @pthread_cond_signal(ptr noundef nonnull @pool_work) #5
  br label %71

68:
  br i1 %62, label %69, label %71

69:
  %70 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %71

71:
  br label %72

72:
  %73 = load atomic i64, ptr %20 monotonic, align 64
  br label %74

74:
  %75 = phi i64 [ %73, %72 ], [ %83, %79 ]
  %76 = and i64 %75, 4294967295
  %77 = lshr i64 %75, 32
  %78 = icmp ult i64 %76, %77
  br i1 %78, label %79, label %84

79:
  %80 = add i64 %75, 1
  %81 = cmpxchg weak ptr %20, i64 %75, i64 %80 monotonic monotonic, align 64
  %82 = extractvalue { i64, i1 } %81, 1
  %83 = extractvalue { i64, i1 } %81, 0
  br i1 %82, label %109, label %74

84:
  %85 = load i64, ptr %17, align 8
  %86 = icmp slt i64 %85, 2
  br i1 %86, label %126, label %87

87:
  %88 = phi i64 [ %107, %106 ], [ 1, %84 ]
  %89 = icmp slt i64 %88, %85
  %90 = select i1 %89, i64 0, i64 %85
  %91 = sub nsw i64 %88, %90
  %92 = getelementptr inbounds [32 x %struct.Share], ptr %20, i64 0, i64 %91
  %93 = load atomic i64, ptr %92 monotonic, align 64
  br label %94

94:
  %95 = phi i64 [ %93, %87 ], [ %103, %99 ]
  %96 = and i64 %95, 4294967295
  %97 = lshr i64 %95, 32
  %98 = icmp ult i64 %96, %97
  br i1 %98, label %99, label %106

99:
  %100 = add i64 %95, -4294967296
  %101 = cmpxchg weak ptr %92, i64 %95, i64 %100 monotonic monotonic, align 64
  %102 = extractvalue { i64, i1 } %101, 1
  %103 = extractvalue { i64, i1 } %101, 0
  br i1 %102, label %104, label %94

104:
  %105 = add nsw i64 %97, -1
  br label %109

106:
  %107 = add nuw nsw i64 %88, 1
  %108 = icmp eq i64 %85, %107
  br i1 %108, label %126, label %87

109:
  %110 = phi i64 [ %105, %104 ], [ %76, %79 ]
  %111 = load ptr, ptr %7, align 64
  %112 = load ptr, ptr %13, align 8
  %113 = load i64, ptr %14, align 16
  %114 = add nsw i64 %113, %110
  %115 = call i32 %111(ptr noundef %112, i64 noundef %114) #5
  %116 = icmp eq i32 %115, 0
  br i1 %116, label %72, label %117

117:
  %118 = cmpxchg ptr %18, i32 0, i32 %115 monotonic monotonic, align 64
  %119 = load i64, ptr %17, align 8
  %120 = icmp sgt i64 %119, 0
  br i1 %120, label %121, label %126

121:
  %122 = phi i64 [ %124, %121 ], [ 0, %117 ]
  %123 = getelementptr inbounds [32 x %struct.Share], ptr %20, i64 0, i64 %122
  store atomic i64 0, ptr %123 monotonic, align 64
  %124 = add nuw nsw i64 %122, 1
  %125 = icmp eq i64 %124, %119
  br i1 %125, label %126, label %121

126:
  %127 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %128

128:
  %129 = phi ptr [ @jobs, %126 ], [ %132, %128 ]
  %130 = load ptr, ptr %129, align 8
  %131 = icmp eq ptr %130, %7
  %132 = getelementptr inbounds i8, ptr %130, i64 32
  br i1 %131, label %133, label %128

133:
  %134 = load ptr, ptr %21, align 32
  store ptr %134, ptr %129, align 8
  %135 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %136

136:
  %137 = phi i32 [ 4000, %133 ], [ %146, %145 ]
  %138 = load atomic i32, ptr %19 acquire, align 4
  %139 = icmp eq i32 %138, 0
  br i1 %139, label %192, label %140

140:
  call void @system_pause() #5
  %141 = and i32 %137, 63
  %142 = icmp eq i32 %141, 0
  br i1 %142, label %143, label %145

143:
  %144 = call i32 @sched_yield() #5
  br label %145

145:
  %146 = add nsw i32 %137, -1
  %147 = icmp ugt i32 %137, 1
  br i1 %147, label %136, label %148

148:
  %149 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %150 = load i32, ptr @waiting, align 4
  %151 = add nsw i32 %150, 1
  store i32 %151, ptr @waiting, align 4
  %152 = load atomic i32, ptr %19 acquire, align 4
  %153 = icmp eq i32 %152, 0
  br i1 %153, label %178, label %154

154:
  %155 = load atomic i32, ptr @pipec_attention monotonic, align 4
  %156 = icmp eq i32 %155, 0
  br i1 %156, label %165, label %157

157:
  %158 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %159 = load ptr, ptr %13, align 8
  %160 = load ptr, ptr %159, align 8
  %161 = call i32 @pipec_check(ptr noundef %160) #6
  %162 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %163 = load atomic i32, ptr %19 acquire, align 4
  %164 = icmp eq i32 %163, 0
  br i1 %164, label %178, label %165

165:
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5) #7
  %166 = call i32 @clock_gettime(i32 noundef 0, ptr noundef nonnull %5) #5
  %167 = load i64, ptr %22, align 8
  %168 = add nsw i64 %167, 2000000
  store i64 %168, ptr %22, align 8
  %169 = icmp sgt i64 %167, 997999999
  br i1 %169, label %170, label %174

170:
  %171 = add nsw i64 %167, -998000000
  store i64 %171, ptr %22, align 8
  %172 = load i64, ptr %5, align 8
  %173 = add nsw i64 %172, 1
  store i64 %173, ptr %5, align 8
  br label %174

174:
  %175 = call i32 @pthread_cond_timedwait(ptr noundef nonnull @pool_done, ptr noundef nonnull @pool_lock, ptr noundef nonnull %5) #5
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5) #7
  %176 = load atomic i32, ptr %19 acquire, align 4
  %177 = icmp eq i32 %176, 0
  br i1 %177, label %178, label %154

178:
  %179 = load i32, ptr @waiting, align 4
  %180 = add nsw i32 %179, -1
  store i32 %180, ptr @waiting, align 4
  %181 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %192

182:
  %183 = phi i64 [ 0, %33 ], [ %187, %182 ]
  %184 = phi i64 [ 0, %33 ], [ %185, %182 ]
  %185 = add nuw nsw i64 %184, 1
  %186 = mul nuw nsw i64 %185, %36
  %187 = udiv i64 %186, %37
  %188 = getelementptr inbounds [32 x %struct.Share], ptr %20, i64 0, i64 %184
  %189 = shl i64 %187, 32
  %190 = or i64 %189, %183
  store i64 %190, ptr %188, align 64
  %191 = icmp eq i64 %185, %37
  br i1 %191, label %38, label %182

192:
  %193 = load atomic i32, ptr %18 monotonic, align 64
  call void @llvm.lifetime.end.p0(i64 2176, ptr nonnull %7) #7
  %194 = add nsw i64 %34, %36
  %195 = sub nsw i64 %35, %36
  %196 = icmp sgt i64 %195, 0
  %197 = icmp eq i32 %193, 0
  %198 = select i1 %196, i1 %197, i1 false
  br i1 %198, label %33, label %199

199:
  %200 = phi i32 [ 0, %23 ], [ %28, %25 ], [ %193, %192 ]
  ret i32 %200
}

define weak void @pipec_memory(ptr noundef %0) local_unnamed_addr #0 {
  %2 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %3 = load i64, ptr @counts.0, align 8
  store i64 %3, ptr %0, align 8
  %4 = load i64, ptr @counts.1, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 8
  store i64 %4, ptr %5, align 8
  %6 = load i64, ptr @counts.2, align 8
  %7 = getelementptr inbounds i8, ptr %0, i64 16
  store i64 %6, ptr %7, align 8
  %8 = load i64, ptr @counts.3, align 8
  %9 = getelementptr inbounds i8, ptr %0, i64 24
  store i64 %8, ptr %9, align 8
  %10 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  ret void
}

define weak ptr @pipec_malloc(i64 noundef %0) local_unnamed_addr #0 {
  %2 = icmp sgt i64 %0, 70368744177664
  br i1 %2, label %89, label %3

3:
  %4 = tail call i64 @llvm.smax.i64(i64 %0, i64 1)
  %5 = add nuw nsw i64 %4, 144
  %6 = icmp sgt i64 %0, 16239
  br i1 %6, label %7, label %68

7:
  %8 = add nuw nsw i64 %4, 4239
  %9 = and i64 %8, 9223372036854771712
  %10 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %11 = load i32, ptr @pooled_blocks, align 4
  %12 = icmp sgt i32 %11, 0
  br i1 %12, label %13, label %50

13:
  %14 = shl nuw nsw i64 %9, 1
  %15 = zext nneg i32 %11 to i64
  br label %18

16:
  %17 = icmp slt i32 %29, 0
  br i1 %17, label %50, label %32

18:
  %19 = phi i64 [ 0, %13 ], [ %30, %18 ]
  %20 = phi i32 [ -1, %13 ], [ %29, %18 ]
  %21 = phi i64 [ %14, %13 ], [ %27, %18 ]
  %22 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %19, i32 1
  %23 = load i64, ptr %22, align 8
  %24 = icmp slt i64 %23, %9
  %25 = icmp sgt i64 %23, %21
  %26 = select i1 %24, i1 true, i1 %25
  %27 = select i1 %26, i64 %21, i64 %23
  %28 = trunc nuw nsw i64 %19 to i32
  %29 = select i1 %26, i32 %20, i32 %28
  %30 = add nuw nsw i64 %19, 1
  %31 = icmp eq i64 %30, %15
  br i1 %31, label %16, label %18

32:
  %33 = zext nneg i32 %29 to i64
  %34 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %33
  %35 = load ptr, ptr %34, align 16
  %36 = getelementptr inbounds i8, ptr %34, i64 8
  %37 = load i64, ptr %36, align 8
  %38 = load i64, ptr @pooled_bytes, align 8
  %39 = sub nsw i64 %38, %37
  store i64 %39, ptr @pooled_bytes, align 8
  %40 = add nsw i32 %11, -1
  store i32 %40, ptr @pooled_blocks, align 4
  %41 = icmp sgt i32 %40, %29
  br i1 %41, label %42, label %50

42:
  %43 = zext nneg i32 %40 to i64
  br label %44

44:
  %45 = phi i64 [ %33, %42 ], [ %47, %44 ]
  %46 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %45
  %47 = add nuw nsw i64 %45, 1
  %48 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %47
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %46, ptr noundef nonnull align 16 dereferenceable(16) %48, i64 16, i1 false)
  %49 = icmp eq i64 %47, %43
  br i1 %49, label %50, label %44

50:
  %51 = phi i64 [ %9, %16 ], [ %27, %32 ], [ %9, %7 ], [ %27, %44 ]
  %52 = phi ptr [ null, %16 ], [ %35, %32 ], [ null, %7 ], [ %35, %44 ]
  %53 = load i64, ptr @counts.0, align 8
  %54 = add nsw i64 %53, %51
  store i64 %54, ptr @counts.0, align 8
  %55 = icmp slt i64 %51, 1
  br i1 %55, label %65, label %56

56:
  %57 = load i64, ptr @counts.1, align 8
  %58 = icmp slt i64 %57, %54
  br i1 %58, label %59, label %60

59:
  store i64 %54, ptr @counts.1, align 8
  br label %60

60:
  %61 = load i64, ptr @counts.2, align 8
  %62 = add nsw i64 %61, %51
  store i64 %62, ptr @counts.2, align 8
  %63 = load i64, ptr @counts.3, align 8
  %64 = add nsw i64 %63, 1
  store i64 %64, ptr @counts.3, align 8
  br label %65

65:
  %66 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  %67 = icmp eq ptr %52, null
  br i1 %67, label %68, label %89

68:
  %69 = phi i64 [ %9, %65 ], [ %5, %3 ]
  %70 = tail call ptr @calloc(i64 noundef 1, i64 noundef %69) #5
  %71 = icmp eq ptr %70, null
  br i1 %71, label %72, label %81

72:
  tail call void @pipec_trim() #6
  %73 = tail call ptr @calloc(i64 noundef 1, i64 noundef %69) #5
  %74 = icmp eq ptr %73, null
  br i1 %74, label %75, label %81

75:
  br i1 %6, label %76, label %89

76:
  %77 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %78 = load i64, ptr @counts.0, align 8
  %79 = sub i64 %78, %69
  store i64 %79, ptr @counts.0, align 8
  %80 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  br label %89

81:
  %82 = phi ptr [ %73, %72 ], [ %70, %68 ]
  %83 = ptrtoint ptr %82 to i64
  %84 = add i64 %83, 79
  %85 = and i64 %84, -64
  %86 = inttoptr i64 %85 to ptr
  %87 = getelementptr inbounds i8, ptr %86, i64 -16
  store ptr %82, ptr %87, align 16
  %88 = getelementptr inbounds i8, ptr %86, i64 -8
  store i64 %69, ptr %88, align 8
  br label %89

89:
  %90 = phi ptr [ null, %1 ], [ %52, %65 ], [ %86, %81 ], [ null, %76 ], [ null, %75 ]
  ret ptr %90
}

declare ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #1

define weak void @pipec_trim() local_unnamed_addr #0 {
  %1 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %2 = load i32, ptr @pooled_blocks, align 4
  %3 = icmp sgt i32 %2, 0
  br i1 %3, label %4, label %25

4:
  %5 = phi i32 [ %23, %20 ], [ %2, %0 ]
  %6 = load ptr, ptr @pooled, align 16
  %7 = load i64, ptr getelementptr inbounds (i8, ptr @pooled, i64 8), align 8
  %8 = load i64, ptr @pooled_bytes, align 8
  %9 = sub nsw i64 %8, %7
  store i64 %9, ptr @pooled_bytes, align 8
  %10 = add nsw i32 %5, -1
  store i32 %10, ptr @pooled_blocks, align 4
  %11 = icmp eq i32 %5, 1
  br i1 %11, label %20, label %12

12:
  %13 = zext nneg i32 %10 to i64
  br label %14

14:
  %15 = phi i64 [ 0, %12 ], [ %17, %14 ]
  %16 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %15
  %17 = add nuw nsw i64 %15, 1
  %18 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %17
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %16, ptr noundef nonnull align 16 dereferenceable(16) %18, i64 16, i1 false)
  %19 = icmp eq i64 %17, %13
  br i1 %19, label %20, label %14

20:
  %21 = getelementptr inbounds i8, ptr %6, i64 -16
  %22 = load ptr, ptr %21, align 8
  tail call void @free(ptr noundef %22) #5
  %23 = load i32, ptr @pooled_blocks, align 4
  %24 = icmp sgt i32 %23, 0
  br i1 %24, label %4, label %25

25:
  %26 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  ret void
}

define weak void @pipec_free(ptr noundef %0) local_unnamed_addr #0 {
  %2 = getelementptr inbounds i8, ptr %0, i64 -16
  %3 = getelementptr inbounds i8, ptr %0, i64 -8
  %4 = load i64, ptr %3, align 8
  %5 = add i64 %4, -1073741825
  %6 = icmp ult i64 %5, -1073725441
  br i1 %6, label %7, label %16

7:
  %8 = icmp sgt i64 %4, 1073741824
  br i1 %8, label %9, label %14

9:
  %10 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %11 = load i64, ptr @counts.0, align 8
  %12 = sub i64 %11, %4
  store i64 %12, ptr @counts.0, align 8
  %13 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  br label %14

14:
  %15 = load ptr, ptr %2, align 8
  tail call void @free(ptr noundef %15) #5
  br label %59

16:
  %17 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %18 = load i64, ptr @counts.0, align 8
  %19 = sub i64 %18, %4
  store i64 %19, ptr @counts.0, align 8
  %20 = load i32, ptr @pooled_blocks, align 4
  %21 = icmp eq i32 %20, 128
  %22 = load i64, ptr @pooled_bytes, align 8
  %23 = add nsw i64 %22, %4
  %24 = icmp sgt i64 %23, 1073741824
  %25 = select i1 %21, i1 true, i1 %24
  br i1 %25, label %26, label %51

26:
  %27 = phi i64 [ %47, %42 ], [ %22, %16 ]
  %28 = phi i32 [ %45, %42 ], [ %20, %16 ]
  %29 = load ptr, ptr @pooled, align 16
  %30 = load i64, ptr getelementptr inbounds (i8, ptr @pooled, i64 8), align 8
  %31 = sub nsw i64 %27, %30
  store i64 %31, ptr @pooled_bytes, align 8
  %32 = add nsw i32 %28, -1
  store i32 %32, ptr @pooled_blocks, align 4
  %33 = icmp sgt i32 %28, 1
  br i1 %33, label %34, label %42

34:
  %35 = zext nneg i32 %32 to i64
  br label %36

36:
  %37 = phi i64 [ 0, %34 ], [ %39, %36 ]
  %38 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %37
  %39 = add nuw nsw i64 %37, 1
  %40 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %39
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %38, ptr noundef nonnull align 16 dereferenceable(16) %40, i64 16, i1 false)
  %41 = icmp eq i64 %39, %35
  br i1 %41, label %42, label %36

42:
  %43 = getelementptr inbounds i8, ptr %29, i64 -16
  %44 = load ptr, ptr %43, align 8
  tail call void @free(ptr noundef %44) #5
  %45 = load i32, ptr @pooled_blocks, align 4
  %46 = icmp eq i32 %45, 128
  %47 = load i64, ptr @pooled_bytes, align 8
  %48 = add nsw i64 %47, %4
  %49 = icmp sgt i64 %48, 1073741824
  %50 = select i1 %46, i1 true, i1 %49
  br i1 %50, label %26, label %51

51:
  %52 = phi i32 [ %20, %16 ], [ %45, %42 ]
  %53 = phi i64 [ %23, %16 ], [ %48, %42 ]
  %54 = sext i32 %52 to i64
  %55 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %54
  store ptr %0, ptr %55, align 16
  %56 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %54, i32 1
  store i64 %4, ptr %56, align 8
  %57 = add nsw i32 %52, 1
  store i32 %57, ptr @pooled_blocks, align 4
  store i64 %53, ptr @pooled_bytes, align 8
  %58 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  br label %59

59:
  ret void
}

declare void @free(ptr noundef) local_unnamed_addr #1

define weak i32 @pipec_fork(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, i64 noundef %4, i64 noundef %5, i64 noundef %6, i64 noundef %7) local_unnamed_addr #0 {
  %9 = alloca { %struct.Lock, %struct.Lock }, align 64
  %10 = alloca %struct.Side, align 8
  %11 = alloca i64, align 8
  %12 = load ptr, ptr %2, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) %9, ptr noundef nonnull align 64 dereferenceable(64) @system_new_lock, i64 64, i1 false)
  %13 = getelementptr inbounds i8, ptr %9, i64 64
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) %13, ptr noundef nonnull align 64 dereferenceable(64) @system_new_condition, i64 64, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(128) %3, ptr noundef nonnull align 64 dereferenceable(128) %9, i64 128, i1 false)
  %14 = getelementptr inbounds i8, ptr %3, i64 128
  store i32 0, ptr %14, align 64
  %15 = getelementptr inbounds i8, ptr %3, i64 132
  store i8 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %3, i64 136
  store ptr %12, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %3, i64 144
  store i64 %4, ptr %17, align 16
  %18 = getelementptr inbounds i8, ptr %3, i64 152
  store i64 %5, ptr %18, align 8
  %19 = getelementptr inbounds i8, ptr %3, i64 160
  store i64 %6, ptr %19, align 32
  %20 = getelementptr inbounds i8, ptr %3, i64 168
  store i64 %7, ptr %20, align 8
  call void @llvm.lifetime.start.p0(i64 40, ptr nonnull %10) #7
  store ptr %0, ptr %10, align 8
  %21 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %2, ptr %21, align 8
  %22 = getelementptr inbounds i8, ptr %10, i64 16
  store ptr %3, ptr %22, align 8
  %23 = getelementptr inbounds i8, ptr %10, i64 24
  store i64 0, ptr %23, align 8
  %24 = getelementptr inbounds i8, ptr %10, i64 32
  store i32 0, ptr %24, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %11) #7
  %25 = call i32 @pthread_create(ptr noundef nonnull %11, ptr noundef null, ptr noundef nonnull @run_thread, ptr noundef nonnull %10) #5
  %26 = icmp eq i32 %25, 0
  br i1 %26, label %27, label %50

27:
  %28 = call i32 %1(ptr noundef nonnull %2, i64 noundef 1) #5
  %29 = icmp eq i32 %28, 0
  br i1 %29, label %35, label %30

30:
  %31 = call i32 @pthread_mutex_lock(ptr noundef nonnull %3) #5
  store i32 %28, ptr %14, align 64
  %32 = getelementptr inbounds i8, ptr %3, i64 64
  %33 = call i32 @pthread_cond_broadcast(ptr noundef nonnull %32) #5
  %34 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %3) #5
  br label %35

35:
  %36 = call i32 @pthread_mutex_lock(ptr noundef nonnull %3) #5
  %37 = load i8, ptr %15, align 4
  %38 = trunc nuw i8 %37 to i1
  br i1 %38, label %43, label %39

39:
  %40 = call fastcc i32 @await_change(ptr noundef nonnull %3) #6
  %41 = load i8, ptr %15, align 4
  %42 = trunc nuw i8 %41 to i1
  br i1 %42, label %43, label %39

43:
  %44 = call i32 @pthread_mutex_unlock(ptr noundef nonnull %3) #5
  %45 = load i64, ptr %11, align 8
  %46 = call i32 @pthread_join(i64 noundef %45, ptr noundef null) #5
  %47 = load i32, ptr %24, align 8
  %48 = icmp eq i32 %47, 0
  %49 = select i1 %48, i32 %28, i32 %47
  br label %50

50:
  %51 = phi i32 [ %49, %43 ], [ -1, %8 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %11) #7
  call void @llvm.lifetime.end.p0(i64 40, ptr nonnull %10) #7
  ret i32 %51
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

define internal noundef ptr @run_thread(ptr nocapture noundef %0) #0 {
  %2 = load ptr, ptr %0, align 8
  %3 = getelementptr inbounds i8, ptr %0, i64 8
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 24
  %6 = load i64, ptr %5, align 8
  %7 = tail call i32 %2(ptr noundef %4, i64 noundef %6) #5
  %8 = getelementptr inbounds i8, ptr %0, i64 32
  store i32 %7, ptr %8, align 8
  %9 = icmp eq i32 %7, 0
  br i1 %9, label %19, label %10

10:
  %11 = getelementptr inbounds i8, ptr %0, i64 16
  %12 = load ptr, ptr %11, align 8
  %13 = tail call i32 @pthread_mutex_lock(ptr noundef %12) #5
  %14 = load i32, ptr %8, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 128
  store i32 %14, ptr %15, align 64
  %16 = getelementptr inbounds i8, ptr %12, i64 64
  %17 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull %16) #5
  %18 = tail call i32 @pthread_mutex_unlock(ptr noundef %12) #5
  br label %19

19:
  %20 = getelementptr inbounds i8, ptr %0, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = tail call i32 @pthread_mutex_lock(ptr noundef %21) #5
  %23 = getelementptr inbounds i8, ptr %21, i64 132
  store i8 1, ptr %23, align 4
  %24 = getelementptr inbounds i8, ptr %21, i64 64
  %25 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull %24) #5
  %26 = tail call i32 @pthread_mutex_unlock(ptr noundef %21) #5
  ret ptr null
}

define internal fastcc i32 @await_change(ptr noundef %0) unnamed_addr #0 {
  %2 = alloca %struct.Time, align 8
  %3 = getelementptr inbounds i8, ptr %0, i64 64
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %2) #7
  %4 = call i32 @clock_gettime(i32 noundef 0, ptr noundef nonnull %2) #5
  %5 = getelementptr inbounds i8, ptr %2, i64 8
  %6 = load i64, ptr %5, align 8
  %7 = add nsw i64 %6, 2000000
  store i64 %7, ptr %5, align 8
  %8 = icmp sgt i64 %6, 997999999
  br i1 %8, label %9, label %13

9:
  %10 = add nsw i64 %6, -998000000
  store i64 %10, ptr %5, align 8
  %11 = load i64, ptr %2, align 8
  %12 = add nsw i64 %11, 1
  store i64 %12, ptr %2, align 8
  br label %13

13:
  %14 = call i32 @pthread_cond_timedwait(ptr noundef nonnull %3, ptr noundef %0, ptr noundef nonnull %2) #5
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %2) #7
  %15 = load atomic i32, ptr @pipec_attention monotonic, align 4
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %23, label %17

17:
  %18 = call i32 @pthread_mutex_unlock(ptr noundef %0) #5
  %19 = getelementptr inbounds i8, ptr %0, i64 136
  %20 = load ptr, ptr %19, align 8
  %21 = call i32 @pipec_check(ptr noundef %20) #6
  %22 = call i32 @pthread_mutex_lock(ptr noundef %0) #5
  br label %23

23:
  %24 = phi i32 [ %21, %17 ], [ 0, %13 ]
  ret i32 %24
}

declare i32 @pthread_join(i64 noundef, ptr noundef) local_unnamed_addr #1

define weak i32 @pipec_wait(ptr noundef %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i32 @pthread_mutex_lock(ptr noundef %0) #5
  %4 = getelementptr inbounds i8, ptr %0, i64 128
  %5 = load i32, ptr %4, align 64
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %21

7:
  %8 = getelementptr inbounds i8, ptr %0, i64 144
  %9 = getelementptr inbounds [4 x i64], ptr %8, i64 0, i64 %1
  br label %10

10:
  %11 = load i64, ptr %9, align 8
  %12 = icmp slt i64 %11, 1
  br i1 %12, label %13, label %19

13:
  %14 = tail call fastcc i32 @await_change(ptr noundef nonnull %0) #6
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %21

16:
  %17 = load i32, ptr %4, align 64
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %10, label %21

19:
  %20 = add nsw i64 %11, -1
  store i64 %20, ptr %9, align 8
  br label %21

21:
  %22 = phi i32 [ 0, %19 ], [ %5, %2 ], [ %14, %13 ], [ %17, %16 ]
  %23 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull %0) #5
  ret i32 %22
}

define weak void @pipec_post(ptr noundef %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i32 @pthread_mutex_lock(ptr noundef %0) #5
  %4 = getelementptr inbounds i8, ptr %0, i64 144
  %5 = getelementptr inbounds [4 x i64], ptr %4, i64 0, i64 %1
  %6 = load i64, ptr %5, align 8
  %7 = add nsw i64 %6, 1
  store i64 %7, ptr %5, align 8
  %8 = getelementptr inbounds i8, ptr %0, i64 64
  %9 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull %8) #5
  %10 = tail call i32 @pthread_mutex_unlock(ptr noundef %0) #5
  ret void
}

define weak float @__extendhfsf2(half noundef %0) local_unnamed_addr #0 {
  %2 = bitcast half %0 to i16
  %3 = zext i16 %2 to i32
  %4 = and i32 %3, 32767
  %5 = icmp ugt i32 %4, 31743
  br i1 %5, label %6, label %9

6:
  %7 = shl nuw nsw i32 %3, 13
  %8 = or i32 %7, 2139095040
  br label %19

9:
  %10 = icmp ugt i32 %4, 1023
  br i1 %10, label %11, label %14

11:
  %12 = shl nuw nsw i32 %4, 13
  %13 = add nuw nsw i32 %12, 939524096
  br label %19

14:
  %15 = or disjoint i32 %4, 1056964608
  %16 = bitcast i32 %15 to float
  %17 = fadd float %16, -5.000000e-01
  %18 = bitcast float %17 to i32
  br label %19

19:
  %20 = phi i32 [ %8, %6 ], [ %13, %11 ], [ %18, %14 ]
  %21 = sext i16 %2 to i32
  %22 = and i32 %21, -2147483648
  %23 = or i32 %20, %22
  %24 = bitcast i32 %23 to float
  ret float %24
}

define weak half @__truncsfhf2(float noundef %0) local_unnamed_addr #0 {
  %2 = bitcast float %0 to i32
  %3 = tail call float @llvm.fabs.f32(float %0)
  %4 = bitcast float %3 to i32
  %5 = icmp ugt i32 %4, 2139095040
  br i1 %5, label %20, label %6

6:
  %7 = icmp ugt i32 %4, 1199570943
  br i1 %7, label %20, label %8

8:
  %9 = icmp ugt i32 %4, 947912703
  br i1 %9, label %10, label %16

10:
  %11 = lshr i32 %2, 13
  %12 = and i32 %11, 1
  %13 = add nsw i32 %4, -939520001
  %14 = add nuw nsw i32 %13, %12
  %15 = lshr i32 %14, 13
  br label %20

16:
  %17 = fadd float %3, 5.000000e-01
  %18 = bitcast float %17 to i32
  %19 = add i32 %18, -1056964608
  br label %20

20:
  %21 = phi i32 [ %15, %10 ], [ %19, %16 ], [ 32256, %1 ], [ 31744, %6 ]
  %22 = lshr i32 %2, 16
  %23 = and i32 %22, 32768
  %24 = or i32 %21, %23
  %25 = trunc i32 %24 to i16
  %26 = bitcast i16 %25 to half
  ret half %26
}

define weak bfloat @__truncsfbf2(float noundef %0) local_unnamed_addr #0 {
  %2 = bitcast float %0 to i32
  %3 = lshr i32 %2, 16
  %4 = tail call float @llvm.fabs.f32(float %0)
  %5 = bitcast float %4 to i32
  %6 = icmp ugt i32 %5, 2139095040
  br i1 %6, label %7, label %9

7:
  %8 = or i32 %3, 64
  br label %14

9:
  %10 = add i32 %2, 32767
  %11 = and i32 %3, 1
  %12 = add i32 %10, %11
  %13 = lshr i32 %12, 16
  br label %14

14:
  %15 = phi i32 [ %8, %7 ], [ %13, %9 ]
  %16 = trunc nuw i32 %15 to i16
  %17 = bitcast i16 %16 to bfloat
  ret bfloat %17
}

declare i32 @pthread_cond_signal(ptr noundef) local_unnamed_addr #1

define internal noundef ptr @run_worker(ptr noundef %0) #0 {
  %2 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %3 = load i32, ptr @started, align 4
  %4 = load atomic i32, ptr @thread_limit monotonic, align 4
  %5 = icmp slt i32 %3, %4
  br i1 %5, label %6, label %11

6:
  %7 = ptrtoint ptr %0 to i64
  br label %8

8:
  %9 = load ptr, ptr @jobs, align 64
  %10 = icmp eq ptr %9, null
  br i1 %10, label %42, label %15

11:
  %12 = phi i32 [ %3, %1 ], [ %149, %147 ]
  %13 = add nsw i32 %12, -1
  store i32 %13, ptr @started, align 4
  %14 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  ret ptr null

15:
  %16 = phi ptr [ %40, %38 ], [ %9, %8 ]
  %17 = getelementptr inbounds i8, ptr %16, i64 128
  %18 = getelementptr inbounds i8, ptr %16, i64 24
  %19 = load i64, ptr %18, align 8
  %20 = icmp sgt i64 %19, 0
  br i1 %20, label %21, label %38

21:
  %22 = load atomic i64, ptr %17 monotonic, align 64
  %23 = and i64 %22, 4294967295
  %24 = lshr i64 %22, 32
  %25 = icmp ult i64 %23, %24
  br i1 %25, label %72, label %26

26:
  %27 = phi i64 [ %28, %30 ], [ 0, %21 ]
  %28 = add nuw nsw i64 %27, 1
  %29 = icmp eq i64 %28, %19
  br i1 %29, label %36, label %30

30:
  %31 = getelementptr inbounds [32 x %struct.Share], ptr %17, i64 0, i64 %28
  %32 = load atomic i64, ptr %31 monotonic, align 64
  %33 = and i64 %32, 4294967295
  %34 = lshr i64 %32, 32
  %35 = icmp ult i64 %33, %34
  br i1 %35, label %36, label %26

36:
  %37 = icmp slt i64 %28, %19
  br i1 %37, label %72, label %38

38:
  %39 = getelementptr inbounds i8, ptr %16, i64 32
  %40 = load ptr, ptr %39, align 32
  %41 = icmp eq ptr %40, null
  br i1 %41, label %42, label %15

42:
  %43 = load atomic i32, ptr @epoch monotonic, align 64
  %44 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %45 = load atomic i32, ptr @worker_spins monotonic, align 4
  br label %46

46:
  %47 = phi i32 [ %45, %42 ], [ %51, %56 ]
  %48 = load atomic i32, ptr @epoch acquire, align 64
  %49 = icmp eq i32 %48, %43
  br i1 %49, label %50, label %147

50:
  %51 = add nsw i32 %47, -1
  tail call void @system_pause() #5
  %52 = and i32 %47, 63
  %53 = icmp eq i32 %52, 0
  br i1 %53, label %54, label %56

54:
  %55 = tail call i32 @sched_yield() #5
  br label %56

56:
  %57 = icmp sgt i32 %47, 1
  br i1 %57, label %46, label %58

58:
  %59 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %60 = load atomic i32, ptr @epoch monotonic, align 64
  %61 = icmp eq i32 %60, %43
  br i1 %61, label %62, label %145

62:
  %63 = load i32, ptr @sleeping, align 4
  %64 = add nsw i32 %63, 1
  br label %65

65:
  %66 = phi i32 [ %64, %62 ], [ %68, %65 ]
  store i32 %66, ptr @sleeping, align 4
  %67 = tail call i32 @pthread_cond_wait(ptr noundef nonnull @pool_work, ptr noundef nonnull @pool_lock) #5
  %68 = load i32, ptr @sleeping, align 4
  %69 = add nsw i32 %68, -1
  store i32 %69, ptr @sleeping, align 4
  %70 = load atomic i32, ptr @epoch monotonic, align 64
  %71 = icmp eq i32 %70, %43
  br i1 %71, label %65, label %145

72:
  %73 = getelementptr inbounds i8, ptr %16, i64 24
  %74 = getelementptr inbounds i8, ptr %16, i64 68
  %75 = atomicrmw add ptr %74, i32 1 monotonic, align 4
  %76 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %77 = load i64, ptr %73, align 8
  %78 = srem i64 %7, %77
  %79 = getelementptr inbounds [32 x %struct.Share], ptr %17, i64 0, i64 %78
  %80 = getelementptr inbounds i8, ptr %16, i64 8
  %81 = getelementptr inbounds i8, ptr %16, i64 16
  br label %82

82:
  %83 = load atomic i64, ptr %79 monotonic, align 64
  br label %84

84:
  %85 = phi i64 [ %83, %82 ], [ %93, %89 ]
  %86 = and i64 %85, 4294967295
  %87 = lshr i64 %85, 32
  %88 = icmp ult i64 %86, %87
  br i1 %88, label %89, label %94

89:
  %90 = add i64 %85, 1
  %91 = cmpxchg weak ptr %79, i64 %85, i64 %90 monotonic monotonic, align 64
  %92 = extractvalue { i64, i1 } %91, 1
  %93 = extractvalue { i64, i1 } %91, 0
  br i1 %92, label %120, label %84

94:
  %95 = load i64, ptr %73, align 8
  %96 = icmp slt i64 %95, 2
  br i1 %96, label %138, label %97

97:
  %98 = phi i64 [ %118, %117 ], [ 1, %94 ]
  %99 = add nsw i64 %98, %78
  %100 = icmp slt i64 %99, %95
  %101 = select i1 %100, i64 0, i64 %95
  %102 = sub nsw i64 %99, %101
  %103 = getelementptr inbounds [32 x %struct.Share], ptr %17, i64 0, i64 %102
  %104 = load atomic i64, ptr %103 monotonic, align 64
  br label %105

105:
  %106 = phi i64 [ %104, %97 ], [ %114, %110 ]
  %107 = and i64 %106, 4294967295
  %108 = lshr i64 %106, 32
  %109 = icmp ult i64 %107, %108
  br i1 %109, label %110, label %117

110:
  %111 = add i64 %106, -4294967296
  %112 = cmpxchg weak ptr %103, i64 %106, i64 %111 monotonic monotonic, align 64
  %113 = extractvalue { i64, i1 } %112, 1
  %114 = extractvalue { i64, i1 } %112, 0
  br i1 %113, label %115, label %105

115:
  %116 = add nsw i64 %108, -1
  br label %120

117:
  %118 = add nuw nsw i64 %98, 1
  %119 = icmp eq i64 %95, %118
  br i1 %119, label %138, label %97

120:
  %121 = phi i64 [ %116, %115 ], [ %86, %89 ]
  %122 = load ptr, ptr %16, align 64
  %123 = load ptr, ptr %80, align 8
  %124 = load i64, ptr %81, align 16
  %125 = add nsw i64 %124, %121
  %126 = tail call i32 %122(ptr noundef %123, i64 noundef %125) #5
  %127 = icmp eq i32 %126, 0
  br i1 %127, label %82, label %128

128:
  %129 = getelementptr inbounds i8, ptr %16, i64 64
  %130 = cmpxchg ptr %129, i32 0, i32 %126 monotonic monotonic, align 64
  %131 = load i64, ptr %73, align 8
  %132 = icmp sgt i64 %131, 0
  br i1 %132, label %133, label %138

133:
  %134 = phi i64 [ %136, %133 ], [ 0, %128 ]
  %135 = getelementptr inbounds [32 x %struct.Share], ptr %17, i64 0, i64 %134
  store atomic i64 0, ptr %135 monotonic, align 64
  %136 = add nuw nsw i64 %134, 1
  %137 = icmp eq i64 %136, %131
  br i1 %137, label %138, label %133

138:
  %139 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %140 = atomicrmw sub ptr %74, i32 1 release, align 4
  %141 = load i32, ptr @waiting, align 4
  %142 = icmp sgt i32 %141, 0
  br i1 %142, label %143, label %145

143:
  %144 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_done) #5
  br label %145

145:
  %146 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %147

147:
  %148 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %149 = load i32, ptr @started, align 4
  %150 = load atomic i32, ptr @thread_limit monotonic, align 4
  %151 = icmp slt i32 %149, %150
  br i1 %151, label %8, label %11
}

declare i32 @pthread_detach(i64 noundef) local_unnamed_addr #1

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef) local_unnamed_addr #1

declare void @system_pause() local_unnamed_addr #1

declare i32 @sched_yield() local_unnamed_addr #1

declare i32 @clock_gettime(i32 noundef, ptr noundef) local_unnamed_addr #1

declare i32 @pthread_cond_timedwait(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

declare i64 @llvm.smax.i64(i64, i64) #4

declare i64 @llvm.umin.i64(i64, i64) #4

declare i32 @llvm.umin.i32(i32, i32) #4

declare float @llvm.fabs.f32(float) #4

attributes #0 = { nounwind }
attributes #1 = { nounwind }
attributes #2 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nobuiltin nounwind }
attributes #6 = { nobuiltin }
attributes #7 = { nounwind }


