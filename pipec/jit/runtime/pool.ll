; Compiled from pool.c, memory.c, tasks.c, half.c by tools/build_runtime.py with clang 19.
; 39ca73625d2ff5569729b73fb3faefb4

%struct.Lock = type { [8 x i64] }
%struct.anon = type { ptr, i64, i64 }
%struct.Time = type { i64, i64 }
%struct.Job = type { ptr, ptr, i64, i64, ptr, ptr, ptr, i8, [7 x i8], i32, i32, [56 x i8], [32 x %struct.Share] }
%struct.Share = type { i64, [56 x i8] }
%struct.Side = type { ptr, ptr, ptr, i64, i32 }

@pool_lock = external global %struct.Lock, align 64
@thread_limit = internal unnamed_addr global i32 1, align 4
@worker_spins = internal unnamed_addr global i32 20000, align 4
@call_limits = internal unnamed_addr global ptr null, align 8
@system_new_lock = external local_unnamed_addr constant %struct.Lock, align 64
@pool_work = external global %struct.Lock, align 64
@pool_done = external global %struct.Lock, align 64
@system_new_condition = external local_unnamed_addr constant %struct.Lock, align 64
@jobs = internal unnamed_addr global ptr null, align 64
@busy = internal global i32 0, align 4
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
@epoch = internal global i32 0, align 64

define weak void @pipec_set_threads(i32 noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  store atomic i32 %0, ptr @thread_limit monotonic, align 4
  store atomic i32 %1, ptr @worker_spins monotonic, align 4
  %4 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %5 = load i32, ptr @sleeping, align 4
  %6 = icmp sgt i32 %5, 0
  br i1 %6, label %7, label %9

7:
  %8 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %9

9:
  %10 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  ret void
}

declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #1

declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #1

define weak void @pipec_limit_call(ptr noundef %0) local_unnamed_addr #0 {
  %2 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %3 = load ptr, ptr @call_limits, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 8
  store ptr %3, ptr %4, align 8
  store ptr %0, ptr @call_limits, align 8
  %5 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  ret void
}

define weak void @pipec_end_limit(ptr noundef %0) local_unnamed_addr #0 {
  %2 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %3

3:
  %4 = phi ptr [ @call_limits, %1 ], [ %7, %3 ]
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, %0
  %7 = getelementptr inbounds i8, ptr %5, i64 8
  br i1 %6, label %8, label %3

8:
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  %10 = load ptr, ptr %9, align 8
  store ptr %10, ptr %4, align 8
  %11 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  ret void
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #2

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #2

define weak i32 @pipec_threads() local_unnamed_addr #0 {
  %1 = load atomic i32, ptr @thread_limit monotonic, align 4
  ret i32 %1
}

define weak void @pipec_forked() local_unnamed_addr #0 {
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) @pool_lock, ptr noundef nonnull align 64 dereferenceable(64) @system_new_lock, i64 64, i1 false)
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) @pool_done, ptr noundef nonnull align 64 dereferenceable(64) @system_new_condition, i64 64, i1 false)
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 64 dereferenceable(64) @pool_work, ptr noundef nonnull align 64 dereferenceable(64) @system_new_condition, i64 64, i1 false)
  store ptr null, ptr @jobs, align 64
  store ptr null, ptr @call_limits, align 8
  store atomic i32 0, ptr @busy seq_cst, align 4
  store i32 0, ptr @waiting, align 4
  store i32 0, ptr @sleeping, align 4
  store i32 0, ptr @started, align 4
  tail call void @pipec_memory_forked() #6
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #3

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
  br i1 %11, label %26, label %12

12:
  %13 = getelementptr inbounds i8, ptr %7, i64 8
  %14 = getelementptr inbounds i8, ptr %7, i64 16
  %15 = tail call i32 @llvm.umin.i32(i32 %8, i32 32)
  %16 = zext nneg i32 %15 to i64
  %17 = getelementptr inbounds i8, ptr %7, i64 24
  %18 = getelementptr inbounds i8, ptr %7, i64 64
  %19 = getelementptr inbounds i8, ptr %7, i64 68
  %20 = getelementptr inbounds i8, ptr %7, i64 128
  %21 = getelementptr inbounds i8, ptr %7, i64 40
  %22 = getelementptr inbounds i8, ptr %7, i64 56
  %23 = getelementptr inbounds i8, ptr %7, i64 48
  %24 = getelementptr inbounds i8, ptr %7, i64 32
  %25 = getelementptr inbounds i8, ptr %5, i64 8
  br label %36

26:
  %27 = icmp sgt i64 %3, 0
  br i1 %27, label %28, label %253

28:
  %29 = phi i64 [ %32, %28 ], [ 0, %26 ]
  %30 = add nsw i64 %29, %2
  %31 = tail call i32 %0(ptr noundef %1, i64 noundef %30) #5
  %32 = add nuw nsw i64 %29, 1
  %33 = icmp slt i64 %32, %3
  %34 = icmp eq i32 %31, 0
  %35 = select i1 %33, i1 %34, i1 false
  br i1 %35, label %28, label %253

36:
  %37 = phi i64 [ %2, %12 ], [ %248, %246 ]
  %38 = phi i64 [ %3, %12 ], [ %249, %246 ]
  %39 = call i64 @llvm.umin.i64(i64 %38, i64 1073741824)
  call void @llvm.lifetime.start.p0(i64 2176, ptr nonnull %7) #7
  store ptr %0, ptr %7, align 64
  store ptr %1, ptr %13, align 8
  store i64 %37, ptr %14, align 16
  %40 = call i64 @llvm.umin.i64(i64 %16, i64 %39)
  store i64 %40, ptr %17, align 8
  store i32 0, ptr %18, align 64
  store i32 0, ptr %19, align 4
  br label %236

41:
  %42 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %43 = load i32, ptr @started, align 4
  %44 = add nsw i32 %43, 1
  %45 = icmp slt i32 %44, %8
  br i1 %45, label %46, label %61

46:
  %47 = phi i32 [ %59, %53 ], [ %44, %41 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %6) #7
  %48 = sext i32 %47 to i64
  %49 = inttoptr i64 %48 to ptr
  %50 = call i32 @pthread_create(ptr noundef nonnull %6, ptr noundef null, ptr noundef nonnull @run_worker, ptr noundef %49) #5
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %53, label %52

52:
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6) #7
  br label %61

53:
  %54 = load i32, ptr @started, align 4
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr @started, align 4
  %56 = load i64, ptr %6, align 8
  %57 = call i32 @pthread_detach(i64 noundef %56) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6) #7
  %58 = load i32, ptr @started, align 4
  %59 = add nsw i32 %58, 1
  %60 = icmp slt i32 %59, %8
  br i1 %60, label %46, label %61

61:
  %62 = load ptr, ptr %13, align 8
  %63 = icmp eq ptr %62, null
  br i1 %63, label %66, label %64

64:
  %65 = load ptr, ptr %62, align 8
  br label %66

66:
  %67 = phi ptr [ %65, %64 ], [ null, %61 ]
  store ptr %67, ptr %21, align 8
  store i8 1, ptr %22, align 8
  %68 = load ptr, ptr @jobs, align 64
  %69 = icmp eq ptr %68, null
  br i1 %69, label %72, label %70

70:
  %71 = icmp eq ptr %67, null
  br label %76

72:
  %73 = phi i1 [ true, %66 ], [ %85, %84 ]
  %74 = load ptr, ptr @call_limits, align 8
  store ptr %74, ptr %23, align 16
  %75 = icmp eq ptr %74, null
  br i1 %75, label %97, label %93

76:
  %77 = phi i1 [ true, %70 ], [ %85, %84 ]
  %78 = phi ptr [ %68, %70 ], [ %87, %84 ]
  br i1 %71, label %84, label %79

79:
  %80 = getelementptr inbounds i8, ptr %78, i64 40
  %81 = load ptr, ptr %80, align 8
  %82 = icmp eq ptr %81, %67
  br i1 %82, label %83, label %84

83:
  store i8 0, ptr %22, align 8
  br label %84

84:
  %85 = phi i1 [ %77, %76 ], [ %77, %79 ], [ false, %83 ]
  %86 = getelementptr inbounds i8, ptr %78, i64 32
  %87 = load ptr, ptr %86, align 32
  %88 = icmp eq ptr %87, null
  br i1 %88, label %72, label %76

89:
  %90 = getelementptr inbounds i8, ptr %94, i64 8
  %91 = load ptr, ptr %90, align 8
  store ptr %91, ptr %23, align 16
  %92 = icmp eq ptr %91, null
  br i1 %92, label %97, label %93

93:
  %94 = phi ptr [ %91, %89 ], [ %74, %72 ]
  %95 = load ptr, ptr %94, align 8
  %96 = icmp eq ptr %95, %67
  br i1 %96, label %97, label %89

97:
  br i1 %73, label %98, label %100

98:
  %99 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  br label %100

100:
  store ptr %68, ptr %24, align 32
  store ptr %7, ptr @jobs, align 64
  %101 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %102 = load i32, ptr @sleeping, align 4
  %103 = icmp sgt i32 %102, 0
  %104 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %105 = icmp eq i64 %38, 2
  %106 = and i1 %105, %103
  br i1 %106, label %107, label %109

107:
  %108 = call i32 @pthread_cond_signal(ptr noundef nonnull @pool_work) #5
  br label %112

109:
  br i1 %103, label %110, label %112

110:
  %111 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %112

112:
  br label %113

113:
  %114 = load atomic i64, ptr %20 monotonic, align 64
  br label %115

115:
  %116 = phi i64 [ %114, %113 ], [ %124, %120 ]
  %117 = and i64 %116, 4294967295
  %118 = lshr i64 %116, 32
  %119 = icmp ult i64 %117, %118
  br i1 %119, label %120, label %125

120:
  %121 = add i64 %116, 1
  %122 = cmpxchg weak ptr %20, i64 %116, i64 %121 monotonic monotonic, align 64
  %123 = extractvalue { i64, i1 } %122, 1
  %124 = extractvalue { i64, i1 } %122, 0
  br i1 %123, label %150, label %115

125:
  %126 = load i64, ptr %17, align 8
  %127 = icmp slt i64 %126, 2
  br i1 %127, label %167, label %128

128:
  %129 = phi i64 [ %148, %147 ], [ 1, %125 ]
  %130 = icmp slt i64 %129, %126
  %131 = select i1 %130, i64 0, i64 %126
  %132 = sub nsw i64 %129, %131
  %133 = getelementptr inbounds [32 x %struct.Share], ptr %20, i64 0, i64 %132
  %134 = load atomic i64, ptr %133 monotonic, align 64
  br label %135

135:
  %136 = phi i64 [ %134, %128 ], [ %144, %140 ]
  %137 = and i64 %136, 4294967295
  %138 = lshr i64 %136, 32
  %139 = icmp ult i64 %137, %138
  br i1 %139, label %140, label %147

140:
  %141 = add i64 %136, -4294967296
  %142 = cmpxchg weak ptr %133, i64 %136, i64 %141 monotonic monotonic, align 64
  %143 = extractvalue { i64, i1 } %142, 1
  %144 = extractvalue { i64, i1 } %142, 0
  br i1 %143, label %145, label %135

145:
  %146 = add nsw i64 %138, -1
  br label %150

147:
  %148 = add nuw nsw i64 %129, 1
  %149 = icmp eq i64 %126, %148
  br i1 %149, label %167, label %128

150:
  %151 = phi i64 [ %146, %145 ], [ %117, %120 ]
  %152 = load ptr, ptr %7, align 64
  %153 = load ptr, ptr %13, align 8
  %154 = load i64, ptr %14, align 16
  %155 = add nsw i64 %154, %151
  %156 = call i32 %152(ptr noundef %153, i64 noundef %155) #5
  %157 = icmp eq i32 %156, 0
  br i1 %157, label %113, label %158

158:
  %159 = cmpxchg ptr %18, i32 0, i32 %156 monotonic monotonic, align 64
  %160 = load i64, ptr %17, align 8
  %161 = icmp sgt i64 %160, 0
  br i1 %161, label %162, label %167

162:
  %163 = phi i64 [ %165, %162 ], [ 0, %158 ]
  %164 = getelementptr inbounds [32 x %struct.Share], ptr %20, i64 0, i64 %163
  store atomic i64 0, ptr %164 monotonic, align 64
  %165 = add nuw nsw i64 %163, 1
  %166 = icmp eq i64 %165, %160
  br i1 %166, label %167, label %162

167:
  %168 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %169

169:
  %170 = phi ptr [ @jobs, %167 ], [ %173, %169 ]
  %171 = load ptr, ptr %170, align 8
  %172 = icmp eq ptr %171, %7
  %173 = getelementptr inbounds i8, ptr %171, i64 32
  br i1 %172, label %174, label %169

174:
  %175 = load ptr, ptr %24, align 32
  store ptr %175, ptr %170, align 8
  %176 = load i8, ptr %22, align 8
  %177 = trunc nuw i8 %176 to i1
  br i1 %177, label %178, label %188

178:
  %179 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  %180 = load ptr, ptr @jobs, align 64
  %181 = icmp eq ptr %180, null
  br i1 %181, label %188, label %182

182:
  %183 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %184 = load i32, ptr @sleeping, align 4
  %185 = icmp sgt i32 %184, 0
  br i1 %185, label %186, label %188

186:
  %187 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %188

188:
  %189 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %190

190:
  %191 = phi i32 [ 4000, %188 ], [ %200, %199 ]
  %192 = load atomic i32, ptr %19 acquire, align 4
  %193 = icmp eq i32 %192, 0
  br i1 %193, label %246, label %194

194:
  call void @system_pause() #5
  %195 = and i32 %191, 63
  %196 = icmp eq i32 %195, 0
  br i1 %196, label %197, label %199

197:
  %198 = call i32 @sched_yield() #5
  br label %199

199:
  %200 = add nsw i32 %191, -1
  %201 = icmp ugt i32 %191, 1
  br i1 %201, label %190, label %202

202:
  %203 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %204 = load i32, ptr @waiting, align 4
  %205 = add nsw i32 %204, 1
  store i32 %205, ptr @waiting, align 4
  %206 = load atomic i32, ptr %19 acquire, align 4
  %207 = icmp eq i32 %206, 0
  br i1 %207, label %232, label %208

208:
  %209 = load atomic i32, ptr @pipec_attention monotonic, align 4
  %210 = icmp eq i32 %209, 0
  br i1 %210, label %219, label %211

211:
  %212 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %213 = load ptr, ptr %13, align 8
  %214 = load ptr, ptr %213, align 8
  %215 = call i32 @pipec_check(ptr noundef %214) #6
  %216 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %217 = load atomic i32, ptr %19 acquire, align 4
  %218 = icmp eq i32 %217, 0
  br i1 %218, label %232, label %219

219:
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5) #7
  %220 = call i32 @clock_gettime(i32 noundef 0, ptr noundef nonnull %5) #5
  %221 = load i64, ptr %25, align 8
  %222 = add nsw i64 %221, 2000000
  store i64 %222, ptr %25, align 8
  %223 = icmp sgt i64 %221, 997999999
  br i1 %223, label %224, label %228

224:
  %225 = add nsw i64 %221, -998000000
  store i64 %225, ptr %25, align 8
  %226 = load i64, ptr %5, align 8
  %227 = add nsw i64 %226, 1
  store i64 %227, ptr %5, align 8
  br label %228

228:
  %229 = call i32 @pthread_cond_timedwait(ptr noundef nonnull @pool_done, ptr noundef nonnull @pool_lock, ptr noundef nonnull %5) #5
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5) #7
  %230 = load atomic i32, ptr %19 acquire, align 4
  %231 = icmp eq i32 %230, 0
  br i1 %231, label %232, label %208

232:
  %233 = load i32, ptr @waiting, align 4
  %234 = add nsw i32 %233, -1
  store i32 %234, ptr @waiting, align 4
  %235 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %246

236:
  %237 = phi i64 [ 0, %36 ], [ %241, %236 ]
  %238 = phi i64 [ 0, %36 ], [ %239, %236 ]
  %239 = add nuw nsw i64 %238, 1
  %240 = mul nuw nsw i64 %239, %39
  %241 = udiv i64 %240, %40
  %242 = getelementptr inbounds [32 x %struct.Share], ptr %20, i64 0, i64 %238
  %243 = shl i64 %241, 32
  %244 = or i64 %243, %237
  store i64 %244, ptr %242, align 64
  %245 = icmp eq i64 %239, %40
  br i1 %245, label %41, label %236

246:
  %247 = load atomic i32, ptr %18 monotonic, align 64
  call void @llvm.lifetime.end.p0(i64 2176, ptr nonnull %7) #7
  %248 = add nsw i64 %37, %39
  %249 = sub nsw i64 %38, %39
  %250 = icmp sgt i64 %249, 0
  %251 = icmp eq i32 %247, 0
  %252 = select i1 %250, i1 %251, i1 false
  br i1 %252, label %36, label %253

253:
  %254 = phi i32 [ 0, %26 ], [ %31, %28 ], [ %247, %246 ]
  ret i32 %254
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

define weak ptr @pipec_malloc(i64 noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = icmp sgt i64 %0, 70368744177664
  br i1 %3, label %101, label %4

4:
  %5 = tail call i64 @llvm.smax.i64(i64 %0, i64 1)
  %6 = add nuw nsw i64 %5, 152
  %7 = icmp sgt i64 %0, 16231
  br i1 %7, label %8, label %78

8:
  %9 = add nuw nsw i64 %5, 4247
  %10 = and i64 %9, 9223372036854771712
  %11 = sext i32 %1 to i64
  %12 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %13 = load i32, ptr @pooled_blocks, align 4
  %14 = icmp sgt i32 %13, 0
  br i1 %14, label %15, label %60

15:
  %16 = shl nuw nsw i64 %10, 1
  %17 = zext nneg i32 %13 to i64
  br label %20

18:
  %19 = icmp slt i32 %39, 0
  br i1 %19, label %60, label %42

20:
  %21 = phi i64 [ 0, %15 ], [ %40, %37 ]
  %22 = phi i32 [ -1, %15 ], [ %39, %37 ]
  %23 = phi i64 [ %16, %15 ], [ %38, %37 ]
  %24 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %21
  %25 = getelementptr inbounds i8, ptr %24, i64 16
  %26 = load i64, ptr %25, align 8
  %27 = icmp eq i64 %26, %11
  br i1 %27, label %28, label %37

28:
  %29 = getelementptr inbounds i8, ptr %24, i64 8
  %30 = load i64, ptr %29, align 8
  %31 = icmp slt i64 %30, %10
  %32 = icmp sgt i64 %30, %23
  %33 = select i1 %31, i1 true, i1 %32
  %34 = select i1 %33, i64 %23, i64 %30
  %35 = trunc nuw nsw i64 %21 to i32
  %36 = select i1 %33, i32 %22, i32 %35
  br label %37

37:
  %38 = phi i64 [ %23, %20 ], [ %34, %28 ]
  %39 = phi i32 [ %22, %20 ], [ %36, %28 ]
  %40 = add nuw nsw i64 %21, 1
  %41 = icmp eq i64 %40, %17
  br i1 %41, label %18, label %20

42:
  %43 = zext nneg i32 %39 to i64
  %44 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %43
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds i8, ptr %44, i64 8
  %47 = load i64, ptr %46, align 8
  %48 = load i64, ptr @pooled_bytes, align 8
  %49 = sub nsw i64 %48, %47
  store i64 %49, ptr @pooled_bytes, align 8
  %50 = add nsw i32 %13, -1
  store i32 %50, ptr @pooled_blocks, align 4
  %51 = icmp sgt i32 %50, %39
  br i1 %51, label %52, label %60

52:
  %53 = zext nneg i32 %50 to i64
  br label %54

54:
  %55 = phi i64 [ %43, %52 ], [ %57, %54 ]
  %56 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %55
  %57 = add nuw nsw i64 %55, 1
  %58 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %57
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %56, ptr noundef nonnull align 8 dereferenceable(24) %58, i64 24, i1 false)
  %59 = icmp eq i64 %57, %53
  br i1 %59, label %60, label %54

60:
  %61 = phi i64 [ %10, %18 ], [ %38, %42 ], [ %10, %8 ], [ %38, %54 ]
  %62 = phi ptr [ null, %18 ], [ %45, %42 ], [ null, %8 ], [ %45, %54 ]
  %63 = load i64, ptr @counts.0, align 8
  %64 = add nsw i64 %63, %61
  store i64 %64, ptr @counts.0, align 8
  %65 = icmp slt i64 %61, 1
  br i1 %65, label %75, label %66

66:
  %67 = load i64, ptr @counts.1, align 8
  %68 = icmp slt i64 %67, %64
  br i1 %68, label %69, label %70

69:
  store i64 %64, ptr @counts.1, align 8
  br label %70

70:
  %71 = load i64, ptr @counts.2, align 8
  %72 = add nsw i64 %71, %61
  store i64 %72, ptr @counts.2, align 8
  %73 = load i64, ptr @counts.3, align 8
  %74 = add nsw i64 %73, 1
  store i64 %74, ptr @counts.3, align 8
  br label %75

75:
  %76 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  %77 = icmp eq ptr %62, null
  br i1 %77, label %78, label %101

78:
  %79 = phi i64 [ %10, %75 ], [ %6, %4 ]
  %80 = tail call ptr @calloc(i64 noundef 1, i64 noundef %79) #5
  %81 = icmp eq ptr %80, null
  br i1 %81, label %82, label %91

82:
  tail call void @pipec_trim() #6
  %83 = tail call ptr @calloc(i64 noundef 1, i64 noundef %79) #5
  %84 = icmp eq ptr %83, null
  br i1 %84, label %85, label %91

85:
  br i1 %7, label %86, label %101

86:
  %87 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %88 = load i64, ptr @counts.0, align 8
  %89 = sub i64 %88, %79
  store i64 %89, ptr @counts.0, align 8
  %90 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  br label %101

91:
  %92 = phi ptr [ %83, %82 ], [ %80, %78 ]
  %93 = ptrtoint ptr %92 to i64
  %94 = add i64 %93, 87
  %95 = and i64 %94, -64
  %96 = inttoptr i64 %95 to ptr
  %97 = getelementptr inbounds i8, ptr %96, i64 -24
  %98 = sext i32 %1 to i64
  store ptr %92, ptr %97, align 8
  %99 = getelementptr inbounds i8, ptr %96, i64 -16
  store i64 %79, ptr %99, align 16
  %100 = getelementptr inbounds i8, ptr %96, i64 -8
  store i64 %98, ptr %100, align 8
  br label %101

101:
  %102 = phi ptr [ null, %2 ], [ %62, %75 ], [ %96, %91 ], [ null, %86 ], [ null, %85 ]
  ret ptr %102
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
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %16, ptr noundef nonnull align 8 dereferenceable(24) %18, i64 24, i1 false)
  %19 = icmp eq i64 %17, %13
  br i1 %19, label %20, label %14

20:
  %21 = getelementptr inbounds i8, ptr %6, i64 -24
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
  %2 = getelementptr inbounds i8, ptr %0, i64 -24
  %3 = getelementptr inbounds i8, ptr %0, i64 -16
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
  br label %62

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
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %38, ptr noundef nonnull align 8 dereferenceable(24) %40, i64 24, i1 false)
  %41 = icmp eq i64 %39, %35
  br i1 %41, label %42, label %36

42:
  %43 = getelementptr inbounds i8, ptr %29, i64 -24
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
  store ptr %0, ptr %55, align 8
  %56 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %54, i32 1
  store i64 %4, ptr %56, align 8
  %57 = getelementptr inbounds i8, ptr %0, i64 -8
  %58 = load i64, ptr %57, align 8
  %59 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i64 0, i64 %54, i32 2
  store i64 %58, ptr %59, align 8
  %60 = add nsw i32 %52, 1
  store i32 %60, ptr @pooled_blocks, align 4
  store i64 %53, ptr @pooled_bytes, align 8
  %61 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  br label %62

62:
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

declare i32 @pthread_cond_broadcast(ptr noundef) local_unnamed_addr #1

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

define internal fastcc void @run_tasks(ptr nocapture noundef %0, i64 noundef %1) unnamed_addr #0 {
  %3 = getelementptr inbounds i8, ptr %0, i64 24
  %4 = load i64, ptr %3, align 8
  %5 = srem i64 %1, %4
  %6 = icmp eq i64 %1, 0
  %7 = getelementptr inbounds i8, ptr %0, i64 128
  %8 = getelementptr inbounds [32 x %struct.Share], ptr %7, i64 0, i64 %5
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  %10 = getelementptr inbounds i8, ptr %0, i64 16
  br label %11

11:
  br i1 %6, label %16, label %12

12:
  %13 = load atomic i32, ptr @busy monotonic, align 4
  %14 = load atomic i32, ptr @thread_limit monotonic, align 4
  %15 = icmp sgt i32 %13, %14
  br i1 %15, label %72, label %16

16:
  %17 = load atomic i64, ptr %8 monotonic, align 64
  br label %18

18:
  %19 = phi i64 [ %17, %16 ], [ %27, %23 ]
  %20 = and i64 %19, 4294967295
  %21 = lshr i64 %19, 32
  %22 = icmp ult i64 %20, %21
  br i1 %22, label %23, label %28

23:
  %24 = add i64 %19, 1
  %25 = cmpxchg weak ptr %8, i64 %19, i64 %24 monotonic monotonic, align 64
  %26 = extractvalue { i64, i1 } %25, 1
  %27 = extractvalue { i64, i1 } %25, 0
  br i1 %26, label %54, label %18

28:
  %29 = load i64, ptr %3, align 8
  %30 = icmp slt i64 %29, 2
  br i1 %30, label %72, label %31

31:
  %32 = phi i64 [ %52, %51 ], [ 1, %28 ]
  %33 = add nsw i64 %32, %5
  %34 = icmp slt i64 %33, %29
  %35 = select i1 %34, i64 0, i64 %29
  %36 = sub nsw i64 %33, %35
  %37 = getelementptr inbounds [32 x %struct.Share], ptr %7, i64 0, i64 %36
  %38 = load atomic i64, ptr %37 monotonic, align 64
  br label %39

39:
  %40 = phi i64 [ %38, %31 ], [ %48, %44 ]
  %41 = and i64 %40, 4294967295
  %42 = lshr i64 %40, 32
  %43 = icmp ult i64 %41, %42
  br i1 %43, label %44, label %51

44:
  %45 = add i64 %40, -4294967296
  %46 = cmpxchg weak ptr %37, i64 %40, i64 %45 monotonic monotonic, align 64
  %47 = extractvalue { i64, i1 } %46, 1
  %48 = extractvalue { i64, i1 } %46, 0
  br i1 %47, label %49, label %39

49:
  %50 = add nsw i64 %42, -1
  br label %54

51:
  %52 = add nuw nsw i64 %32, 1
  %53 = icmp eq i64 %29, %52
  br i1 %53, label %72, label %31

54:
  %55 = phi i64 [ %50, %49 ], [ %20, %23 ]
  %56 = load ptr, ptr %0, align 64
  %57 = load ptr, ptr %9, align 8
  %58 = load i64, ptr %10, align 16
  %59 = add nsw i64 %58, %55
  %60 = tail call i32 %56(ptr noundef %57, i64 noundef %59) #5
  %61 = icmp eq i32 %60, 0
  br i1 %61, label %11, label %62

62:
  %63 = getelementptr inbounds i8, ptr %0, i64 64
  %64 = cmpxchg ptr %63, i32 0, i32 %60 monotonic monotonic, align 64
  %65 = load i64, ptr %3, align 8
  %66 = icmp sgt i64 %65, 0
  br i1 %66, label %67, label %72

67:
  %68 = phi i64 [ %70, %67 ], [ 0, %62 ]
  %69 = getelementptr inbounds [32 x %struct.Share], ptr %7, i64 0, i64 %68
  store atomic i64 0, ptr %69 monotonic, align 64
  %70 = add nuw nsw i64 %68, 1
  %71 = icmp slt i64 %70, %65
  br i1 %71, label %67, label %72

72:
  ret void
}

declare i32 @pthread_cond_signal(ptr noundef) local_unnamed_addr #1

define internal noalias noundef ptr @run_worker(ptr noundef %0) #0 {
  %2 = ptrtoint ptr %0 to i64
  %3 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %4 = load i32, ptr @started, align 4
  %5 = load atomic i32, ptr @thread_limit monotonic, align 4
  %6 = icmp sge i32 %4, %5
  %7 = sext i32 %4 to i64
  %8 = icmp eq i64 %2, %7
  %9 = and i1 %6, %8
  br i1 %9, label %10, label %23

10:
  %11 = phi i32 [ %4, %1 ], [ %130, %128 ]
  %12 = add nsw i32 %11, -1
  store i32 %12, ptr @started, align 4
  %13 = load atomic i32, ptr @thread_limit monotonic, align 4
  %14 = icmp sgt i32 %11, %13
  br i1 %14, label %15, label %21

15:
  %16 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %17 = load i32, ptr @sleeping, align 4
  %18 = icmp sgt i32 %17, 0
  br i1 %18, label %19, label %21

19:
  %20 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %21

21:
  %22 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  ret ptr null

23:
  %24 = load atomic i32, ptr @thread_limit monotonic, align 4
  %25 = sext i32 %24 to i64
  %26 = icmp sge i64 %2, %25
  %27 = load ptr, ptr @jobs, align 64
  %28 = icmp eq ptr %27, null
  %29 = select i1 %26, i1 true, i1 %28
  br i1 %29, label %72, label %30

30:
  %31 = phi ptr [ %70, %68 ], [ %27, %23 ]
  %32 = load atomic i32, ptr @busy monotonic, align 4
  %33 = load atomic i32, ptr @thread_limit monotonic, align 4
  %34 = icmp slt i32 %32, %33
  br i1 %34, label %35, label %68

35:
  %36 = getelementptr inbounds i8, ptr %31, i64 48
  %37 = load ptr, ptr %36, align 16
  %38 = icmp eq ptr %37, null
  br i1 %38, label %46, label %39

39:
  %40 = getelementptr inbounds i8, ptr %37, i64 20
  %41 = load i32, ptr %40, align 4
  %42 = add nsw i32 %41, 1
  %43 = getelementptr inbounds i8, ptr %37, i64 16
  %44 = load i32, ptr %43, align 8
  %45 = icmp slt i32 %42, %44
  br i1 %45, label %46, label %68

46:
  %47 = getelementptr inbounds i8, ptr %31, i64 128
  %48 = getelementptr inbounds i8, ptr %31, i64 24
  %49 = load i64, ptr %48, align 8
  %50 = icmp sgt i64 %49, 0
  br i1 %50, label %51, label %68

51:
  %52 = load atomic i64, ptr %47 monotonic, align 64
  %53 = and i64 %52, 4294967295
  %54 = lshr i64 %52, 32
  %55 = icmp ult i64 %53, %54
  br i1 %55, label %102, label %56

56:
  %57 = phi i64 [ %58, %60 ], [ 0, %51 ]
  %58 = add nuw nsw i64 %57, 1
  %59 = icmp eq i64 %58, %49
  br i1 %59, label %66, label %60

60:
  %61 = getelementptr inbounds [32 x %struct.Share], ptr %47, i64 0, i64 %58
  %62 = load atomic i64, ptr %61 monotonic, align 64
  %63 = and i64 %62, 4294967295
  %64 = lshr i64 %62, 32
  %65 = icmp ult i64 %63, %64
  br i1 %65, label %66, label %56

66:
  %67 = icmp slt i64 %58, %49
  br i1 %67, label %102, label %68

68:
  %69 = getelementptr inbounds i8, ptr %31, i64 32
  %70 = load ptr, ptr %69, align 32
  %71 = icmp eq ptr %70, null
  br i1 %71, label %72, label %30

72:
  %73 = load atomic i32, ptr @epoch monotonic, align 64
  %74 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %75 = load atomic i32, ptr @worker_spins monotonic, align 4
  br label %76

76:
  %77 = phi i32 [ %75, %72 ], [ %81, %86 ]
  %78 = load atomic i32, ptr @epoch acquire, align 64
  %79 = icmp eq i32 %78, %73
  br i1 %79, label %80, label %128

80:
  %81 = add nsw i32 %77, -1
  tail call void @system_pause() #5
  %82 = and i32 %77, 63
  %83 = icmp eq i32 %82, 0
  br i1 %83, label %84, label %86

84:
  %85 = tail call i32 @sched_yield() #5
  br label %86

86:
  %87 = icmp sgt i32 %77, 1
  br i1 %87, label %76, label %88

88:
  %89 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %90 = load atomic i32, ptr @epoch monotonic, align 64
  %91 = icmp eq i32 %90, %73
  br i1 %91, label %92, label %126

92:
  %93 = load i32, ptr @sleeping, align 4
  %94 = add nsw i32 %93, 1
  br label %95

95:
  %96 = phi i32 [ %94, %92 ], [ %98, %95 ]
  store i32 %96, ptr @sleeping, align 4
  %97 = tail call i32 @pthread_cond_wait(ptr noundef nonnull @pool_work, ptr noundef nonnull @pool_lock) #5
  %98 = load i32, ptr @sleeping, align 4
  %99 = add nsw i32 %98, -1
  store i32 %99, ptr @sleeping, align 4
  %100 = load atomic i32, ptr @epoch monotonic, align 64
  %101 = icmp eq i32 %100, %73
  br i1 %101, label %95, label %126

102:
  %103 = getelementptr inbounds i8, ptr %31, i64 68
  %104 = atomicrmw add ptr %103, i32 1 monotonic, align 4
  br i1 %38, label %115, label %105

105:
  %106 = getelementptr inbounds i8, ptr %37, i64 20
  %107 = load i32, ptr %106, align 4
  %108 = add nsw i32 %107, 1
  store i32 %108, ptr %106, align 4
  %109 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  %110 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  tail call fastcc void @run_tasks(ptr noundef nonnull %31, i64 noundef %2) #6
  %111 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %112 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  %113 = load i32, ptr %106, align 4
  %114 = add nsw i32 %113, -1
  store i32 %114, ptr %106, align 4
  br label %120

115:
  %116 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  %117 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  tail call fastcc void @run_tasks(ptr noundef nonnull %31, i64 noundef %2) #6
  %118 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %119 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  br label %120

120:
  %121 = atomicrmw sub ptr %103, i32 1 release, align 4
  %122 = load i32, ptr @waiting, align 4
  %123 = icmp sgt i32 %122, 0
  br i1 %123, label %124, label %126

124:
  %125 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_done) #5
  br label %126

126:
  %127 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %128

128:
  %129 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %130 = load i32, ptr @started, align 4
  %131 = load atomic i32, ptr @thread_limit monotonic, align 4
  %132 = icmp sge i32 %130, %131
  %133 = sext i32 %130 to i64
  %134 = icmp eq i64 %2, %133
  %135 = and i1 %132, %134
  br i1 %135, label %10, label %23
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
attributes #2 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nobuiltin nounwind }
attributes #6 = { nobuiltin }
attributes #7 = { nounwind }


