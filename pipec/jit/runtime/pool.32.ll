; Compiled from pool.c, memory.c, tasks.c, half.c by tools/build_runtime.py with clang 19.
; cbe79b5d2611e63f6fc5907856037693

%struct.Lock = type { [8 x i64] }
%struct.anon = type { ptr, i64, i64 }
%struct.Time = type { i32, i32 }
%struct.Job = type { ptr, ptr, i64, i64, ptr, ptr, ptr, i8, [27 x i8], i32, i32, [56 x i8], [32 x %struct.Share] }
%struct.Share = type { i64, [56 x i8] }
%struct.Side = type { ptr, ptr, ptr, i64, i32 }

@pool_lock = external global %struct.Lock, align 64
@thread_limit = internal unnamed_addr global i32 1, align 4
@worker_spins = internal unnamed_addr global i32 20000, align 4
@call_limits = internal unnamed_addr global ptr null, align 4
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
@signal_handler = internal unnamed_addr global ptr null, align 4
@handling_thread = internal unnamed_addr global i32 0, align 4
@cancelled = internal unnamed_addr global ptr null, align 4
@memory_lock = external global %struct.Lock, align 64
@pooled_blocks = internal unnamed_addr global i32 0, align 4
@pooled_bytes = internal unnamed_addr global i64 0, align 8
@counts.0 = internal unnamed_addr global i64 0, align 8
@counts.1 = internal unnamed_addr global i64 0, align 8
@counts.2 = internal unnamed_addr global i64 0, align 8
@counts.3 = internal unnamed_addr global i64 0, align 8
@pooled = internal unnamed_addr global [128 x %struct.anon] zeroinitializer, align 8
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
  %3 = load ptr, ptr @call_limits, align 4
  %4 = getelementptr inbounds i8, ptr %0, i32 4
  store ptr %3, ptr %4, align 4
  store ptr %0, ptr @call_limits, align 4
  %5 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  ret void
}

define weak void @pipec_end_limit(ptr noundef %0) local_unnamed_addr #0 {
  %2 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %3

3:
  %4 = phi ptr [ @call_limits, %1 ], [ %7, %3 ]
  %5 = load ptr, ptr %4, align 4
  %6 = icmp eq ptr %5, %0
  %7 = getelementptr inbounds i8, ptr %5, i32 4
  br i1 %6, label %8, label %3

8:
  %9 = getelementptr inbounds i8, ptr %0, i32 4
  %10 = load ptr, ptr %9, align 4
  store ptr %10, ptr %4, align 4
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
  tail call void @llvm.memcpy.p0.p0.i32(ptr noundef nonnull align 64 dereferenceable(64) @pool_lock, ptr noundef nonnull align 64 dereferenceable(64) @system_new_lock, i32 64, i1 false)
  tail call void @llvm.memcpy.p0.p0.i32(ptr noundef nonnull align 64 dereferenceable(64) @pool_done, ptr noundef nonnull align 64 dereferenceable(64) @system_new_condition, i32 64, i1 false)
  tail call void @llvm.memcpy.p0.p0.i32(ptr noundef nonnull align 64 dereferenceable(64) @pool_work, ptr noundef nonnull align 64 dereferenceable(64) @system_new_condition, i32 64, i1 false)
  store ptr null, ptr @jobs, align 64
  store ptr null, ptr @call_limits, align 4
  store atomic i32 0, ptr @busy seq_cst, align 4
  store i32 0, ptr @waiting, align 4
  store i32 0, ptr @sleeping, align 4
  store i32 0, ptr @started, align 4
  tail call void @pipec_memory_forked() #6
  ret void
}

declare void @llvm.memcpy.p0.p0.i32(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i32, i1 immarg) #3

define weak void @pipec_memory_forked() local_unnamed_addr #0 {
  tail call void @llvm.memcpy.p0.p0.i32(ptr noundef nonnull align 64 dereferenceable(64) @memory_lock, ptr noundef nonnull align 64 dereferenceable(64) @system_new_lock, i32 64, i1 false)
  store i32 0, ptr @pooled_blocks, align 4
  store i64 0, ptr @pooled_bytes, align 8
  ret void
}

define weak void @pipec_set_handler(ptr noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  store ptr %0, ptr @signal_handler, align 4
  store i32 %1, ptr @handling_thread, align 4
  store atomic i32 0, ptr @cancelled seq_cst, align 4
  store atomic i32 0, ptr @pipec_attention seq_cst, align 4
  ret void
}

define weak void @pipec_set_attention(i32 noundef %0) local_unnamed_addr #0 {
  %2 = icmp eq i32 %0, 0
  br i1 %2, label %3, label %7

3:
  %4 = load atomic i32, ptr @cancelled seq_cst, align 4
  %5 = icmp ne i32 %4, 0
  %6 = zext i1 %5 to i32
  br label %7

7:
  %8 = phi i32 [ 1, %1 ], [ %6, %3 ]
  store atomic i32 %8, ptr @pipec_attention monotonic, align 4
  ret void
}

define weak void @pipec_cancel(ptr noundef %0) local_unnamed_addr #0 {
  %2 = ptrtoint ptr %0 to i32
  store atomic i32 %2, ptr @cancelled seq_cst, align 4
  tail call void @pipec_set_attention(i32 noundef 1) #6
  ret void
}

define weak i32 @pipec_check(ptr noundef %0) local_unnamed_addr #0 {
  %2 = load atomic i32, ptr @cancelled seq_cst, align 4
  %3 = inttoptr i32 %2 to ptr
  %4 = icmp eq ptr %3, %0
  br i1 %4, label %17, label %5

5:
  %6 = load ptr, ptr @signal_handler, align 4
  %7 = icmp eq ptr %6, null
  br i1 %7, label %17, label %8

8:
  %9 = tail call i32 @pthread_self() #5
  %10 = load i32, ptr @handling_thread, align 4
  %11 = icmp eq i32 %9, %10
  br i1 %11, label %12, label %17

12:
  tail call void @pipec_set_attention(i32 noundef 0) #6
  %13 = load ptr, ptr @signal_handler, align 4
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

declare i32 @pthread_self() local_unnamed_addr #1

define weak zeroext i1 @pipec_end_cancellation(ptr noundef %0) local_unnamed_addr #0 {
  %2 = load atomic i32, ptr @cancelled monotonic, align 4
  %3 = inttoptr i32 %2 to ptr
  %4 = icmp eq ptr %3, %0
  br i1 %4, label %5, label %6

5:
  store atomic i32 0, ptr @cancelled seq_cst, align 4
  tail call void @pipec_set_attention(i32 noundef 0) #6
  br label %6

6:
  ret i1 %4
}

define weak i32 @pipec_parallel_for(ptr noundef %0, ptr noundef %1, i64 noundef %2, i64 noundef %3) local_unnamed_addr #0 {
  %5 = alloca %struct.Time, align 4
  %6 = alloca i32, align 4
  %7 = alloca %struct.Job, align 64
  %8 = load atomic i32, ptr @thread_limit monotonic, align 4
  %9 = icmp slt i32 %8, 2
  %10 = icmp slt i64 %3, 2
  %11 = or i1 %10, %9
  br i1 %11, label %26, label %12

12:
  %13 = getelementptr inbounds i8, ptr %7, i32 4
  %14 = getelementptr inbounds i8, ptr %7, i32 8
  %15 = tail call i32 @llvm.umin.i32(i32 %8, i32 32)
  %16 = zext nneg i32 %15 to i64
  %17 = getelementptr inbounds i8, ptr %7, i32 16
  %18 = getelementptr inbounds i8, ptr %7, i32 64
  %19 = getelementptr inbounds i8, ptr %7, i32 68
  %20 = getelementptr inbounds i8, ptr %7, i32 128
  %21 = getelementptr inbounds i8, ptr %7, i32 28
  %22 = getelementptr inbounds i8, ptr %7, i32 36
  %23 = getelementptr inbounds i8, ptr %7, i32 32
  %24 = getelementptr inbounds i8, ptr %7, i32 24
  %25 = getelementptr inbounds i8, ptr %5, i32 4
  br label %36

26:
  %27 = icmp sgt i64 %3, 0
  br i1 %27, label %28, label %252

28:
  %29 = phi i64 [ %32, %28 ], [ 0, %26 ]
  %30 = add nsw i64 %29, %2
  %31 = tail call i32 %0(ptr noundef %1, i64 noundef %30) #5
  %32 = add nuw nsw i64 %29, 1
  %33 = icmp slt i64 %32, %3
  %34 = icmp eq i32 %31, 0
  %35 = select i1 %33, i1 %34, i1 false
  br i1 %35, label %28, label %252

36:
  %37 = phi i64 [ %2, %12 ], [ %247, %245 ]
  %38 = phi i64 [ %3, %12 ], [ %248, %245 ]
  %39 = call i64 @llvm.umin.i64(i64 %38, i64 1073741824)
  call void @llvm.lifetime.start.p0(i64 2176, ptr nonnull %7) #7
  store ptr %0, ptr %7, align 64
  store ptr %1, ptr %13, align 4
  store i64 %37, ptr %14, align 8
  %40 = call i64 @llvm.umin.i64(i64 %16, i64 %39)
  store i64 %40, ptr %17, align 16
  store i32 0, ptr %18, align 64
  store i32 0, ptr %19, align 4
  br label %234

41:
  %42 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %43 = load i32, ptr @started, align 4
  %44 = add nsw i32 %43, 1
  %45 = icmp slt i32 %44, %8
  br i1 %45, label %46, label %60

46:
  %47 = phi i32 [ %58, %52 ], [ %44, %41 ]
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %6) #7
  %48 = inttoptr i32 %47 to ptr
  %49 = call i32 @pthread_create(ptr noundef nonnull %6, ptr noundef null, ptr noundef nonnull @run_worker, ptr noundef %48) #5
  %50 = icmp eq i32 %49, 0
  br i1 %50, label %52, label %51

51:
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6) #7
  br label %60

52:
  %53 = load i32, ptr @started, align 4
  %54 = add nsw i32 %53, 1
  store i32 %54, ptr @started, align 4
  %55 = load i32, ptr %6, align 4
  %56 = call i32 @pthread_detach(i32 noundef %55) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6) #7
  %57 = load i32, ptr @started, align 4
  %58 = add nsw i32 %57, 1
  %59 = icmp slt i32 %58, %8
  br i1 %59, label %46, label %60

60:
  %61 = load ptr, ptr %13, align 4
  %62 = icmp eq ptr %61, null
  br i1 %62, label %65, label %63

63:
  %64 = load ptr, ptr %61, align 4
  br label %65

65:
  %66 = phi ptr [ %64, %63 ], [ null, %60 ]
  store ptr %66, ptr %21, align 4
  store i8 1, ptr %22, align 4
  %67 = load ptr, ptr @jobs, align 64
  %68 = icmp eq ptr %67, null
  br i1 %68, label %71, label %69

69:
  %70 = icmp eq ptr %66, null
  br label %75

71:
  %72 = phi i1 [ true, %65 ], [ %84, %83 ]
  %73 = load ptr, ptr @call_limits, align 4
  store ptr %73, ptr %23, align 32
  %74 = icmp eq ptr %73, null
  br i1 %74, label %96, label %92

75:
  %76 = phi i1 [ true, %69 ], [ %84, %83 ]
  %77 = phi ptr [ %67, %69 ], [ %86, %83 ]
  br i1 %70, label %83, label %78

78:
  %79 = getelementptr inbounds i8, ptr %77, i32 28
  %80 = load ptr, ptr %79, align 4
  %81 = icmp eq ptr %80, %66
  br i1 %81, label %82, label %83

82:
  store i8 0, ptr %22, align 4
  br label %83

83:
  %84 = phi i1 [ %76, %75 ], [ %76, %78 ], [ false, %82 ]
  %85 = getelementptr inbounds i8, ptr %77, i32 24
  %86 = load ptr, ptr %85, align 8
  %87 = icmp eq ptr %86, null
  br i1 %87, label %71, label %75

88:
  %89 = getelementptr inbounds i8, ptr %93, i32 4
  %90 = load ptr, ptr %89, align 4
  store ptr %90, ptr %23, align 32
  %91 = icmp eq ptr %90, null
  br i1 %91, label %96, label %92

92:
  %93 = phi ptr [ %90, %88 ], [ %73, %71 ]
  %94 = load ptr, ptr %93, align 4
  %95 = icmp eq ptr %94, %66
  br i1 %95, label %96, label %88

96:
  br i1 %72, label %97, label %99

97:
  %98 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  br label %99

99:
  store ptr %67, ptr %24, align 8
  store ptr %7, ptr @jobs, align 64
  %100 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %101 = load i32, ptr @sleeping, align 4
  %102 = icmp sgt i32 %101, 0
  %103 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %104 = icmp eq i64 %38, 2
  %105 = and i1 %104, %102
  br i1 %105, label %106, label %108

106:
  %107 = call i32 @pthread_cond_signal(ptr noundef nonnull @pool_work) #5
  br label %111

108:
  br i1 %102, label %109, label %111

109:
  %110 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %111

111:
  br label %112

112:
  %113 = load atomic i64, ptr %20 monotonic, align 64
  br label %114

114:
  %115 = phi i64 [ %113, %112 ], [ %123, %119 ]
  %116 = and i64 %115, 4294967295
  %117 = lshr i64 %115, 32
  %118 = icmp ult i64 %116, %117
  br i1 %118, label %119, label %124

119:
  %120 = add i64 %115, 1
  %121 = cmpxchg weak ptr %20, i64 %115, i64 %120 monotonic monotonic, align 64
  %122 = extractvalue { i64, i1 } %121, 1
  %123 = extractvalue { i64, i1 } %121, 0
  br i1 %122, label %147, label %114

124:
  %125 = load i64, ptr %17, align 16
  %126 = icmp sgt i64 %125, 1
  br i1 %126, label %127, label %165

127:
  %128 = phi i64 [ %145, %144 ], [ 1, %124 ]
  %129 = trunc i64 %128 to i32
  %130 = getelementptr inbounds [32 x %struct.Share], ptr %20, i32 0, i32 %129
  %131 = load atomic i64, ptr %130 monotonic, align 64
  br label %132

132:
  %133 = phi i64 [ %131, %127 ], [ %141, %137 ]
  %134 = and i64 %133, 4294967295
  %135 = lshr i64 %133, 32
  %136 = icmp ult i64 %134, %135
  br i1 %136, label %137, label %144

137:
  %138 = add i64 %133, -4294967296
  %139 = cmpxchg weak ptr %130, i64 %133, i64 %138 monotonic monotonic, align 64
  %140 = extractvalue { i64, i1 } %139, 1
  %141 = extractvalue { i64, i1 } %139, 0
  br i1 %140, label %142, label %132

142:
  %143 = add nsw i64 %135, -1
  br label %147

144:
  %145 = add nuw nsw i64 %128, 1
  %146 = icmp slt i64 %145, %125
  br i1 %146, label %127, label %165

147:
  %148 = phi i64 [ %143, %142 ], [ %116, %119 ]
  %149 = load ptr, ptr %7, align 64
  %150 = load ptr, ptr %13, align 4
  %151 = load i64, ptr %14, align 8
  %152 = add nsw i64 %151, %148
  %153 = call i32 %149(ptr noundef %150, i64 noundef %152) #5
  %154 = icmp eq i32 %153, 0
  br i1 %154, label %112, label %155

155:
  %156 = cmpxchg ptr %18, i32 0, i32 %153 monotonic monotonic, align 64
  %157 = load i64, ptr %17, align 16
  %158 = icmp sgt i64 %157, 0
  br i1 %158, label %159, label %165

159:
  %160 = phi i64 [ %163, %159 ], [ 0, %155 ]
  %161 = trunc i64 %160 to i32
  %162 = getelementptr inbounds [32 x %struct.Share], ptr %20, i32 0, i32 %161
  store atomic i64 0, ptr %162 monotonic, align 64
  %163 = add nuw nsw i64 %160, 1
  %164 = icmp slt i64 %163, %157
  br i1 %164, label %159, label %165

165:
  %166 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %167

167:
  %168 = phi ptr [ @jobs, %165 ], [ %171, %167 ]
  %169 = load ptr, ptr %168, align 4
  %170 = icmp eq ptr %169, %7
  %171 = getelementptr inbounds i8, ptr %169, i32 24
  br i1 %170, label %172, label %167

172:
  %173 = load ptr, ptr %24, align 8
  store ptr %173, ptr %168, align 4
  %174 = load i8, ptr %22, align 4
  %175 = trunc nuw i8 %174 to i1
  br i1 %175, label %176, label %186

176:
  %177 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  %178 = load ptr, ptr @jobs, align 64
  %179 = icmp eq ptr %178, null
  br i1 %179, label %186, label %180

180:
  %181 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %182 = load i32, ptr @sleeping, align 4
  %183 = icmp sgt i32 %182, 0
  br i1 %183, label %184, label %186

184:
  %185 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %186

186:
  %187 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %188

188:
  %189 = phi i32 [ 4000, %186 ], [ %198, %197 ]
  %190 = load atomic i32, ptr %19 acquire, align 4
  %191 = icmp eq i32 %190, 0
  br i1 %191, label %245, label %192

192:
  call void @system_pause() #5
  %193 = and i32 %189, 63
  %194 = icmp eq i32 %193, 0
  br i1 %194, label %195, label %197

195:
  %196 = call i32 @sched_yield() #5
  br label %197

197:
  %198 = add nsw i32 %189, -1
  %199 = icmp ugt i32 %189, 1
  br i1 %199, label %188, label %200

200:
  %201 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %202 = load i32, ptr @waiting, align 4
  %203 = add nsw i32 %202, 1
  store i32 %203, ptr @waiting, align 4
  %204 = load atomic i32, ptr %19 acquire, align 4
  %205 = icmp eq i32 %204, 0
  br i1 %205, label %230, label %206

206:
  %207 = load atomic i32, ptr @pipec_attention monotonic, align 4
  %208 = icmp eq i32 %207, 0
  br i1 %208, label %217, label %209

209:
  %210 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %211 = load ptr, ptr %13, align 4
  %212 = load ptr, ptr %211, align 4
  %213 = call i32 @pipec_check(ptr noundef %212) #6
  %214 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %215 = load atomic i32, ptr %19 acquire, align 4
  %216 = icmp eq i32 %215, 0
  br i1 %216, label %230, label %217

217:
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %5) #7
  %218 = call i32 @clock_gettime(i32 noundef 0, ptr noundef nonnull %5) #5
  %219 = load i32, ptr %25, align 4
  %220 = add nsw i32 %219, 2000000
  store i32 %220, ptr %25, align 4
  %221 = icmp sgt i32 %219, 997999999
  br i1 %221, label %222, label %226

222:
  %223 = add nsw i32 %219, -998000000
  store i32 %223, ptr %25, align 4
  %224 = load i32, ptr %5, align 4
  %225 = add nsw i32 %224, 1
  store i32 %225, ptr %5, align 4
  br label %226

226:
  %227 = call i32 @pthread_cond_timedwait(ptr noundef nonnull @pool_done, ptr noundef nonnull @pool_lock, ptr noundef nonnull %5) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5) #7
  %228 = load atomic i32, ptr %19 acquire, align 4
  %229 = icmp eq i32 %228, 0
  br i1 %229, label %230, label %206

230:
  %231 = load i32, ptr @waiting, align 4
  %232 = add nsw i32 %231, -1
  store i32 %232, ptr @waiting, align 4
  %233 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %245

234:
  %235 = phi i64 [ 0, %36 ], [ %239, %234 ]
  %236 = phi i64 [ 0, %36 ], [ %237, %234 ]
  %237 = add nuw nsw i64 %236, 1
  %238 = mul nuw nsw i64 %237, %39
  %239 = udiv i64 %238, %40
  %240 = trunc i64 %236 to i32
  %241 = getelementptr inbounds [32 x %struct.Share], ptr %20, i32 0, i32 %240
  %242 = shl i64 %239, 32
  %243 = or i64 %242, %235
  store i64 %243, ptr %241, align 64
  %244 = icmp ult i64 %237, %40
  br i1 %244, label %234, label %41

245:
  %246 = load atomic i32, ptr %18 monotonic, align 64
  call void @llvm.lifetime.end.p0(i64 2176, ptr nonnull %7) #7
  %247 = add nsw i64 %37, %39
  %248 = sub nsw i64 %38, %39
  %249 = icmp sgt i64 %248, 0
  %250 = icmp eq i32 %246, 0
  %251 = select i1 %249, i1 %250, i1 false
  br i1 %251, label %36, label %252

252:
  %253 = phi i32 [ 0, %26 ], [ %31, %28 ], [ %246, %245 ]
  ret i32 %253
}

define weak void @pipec_memory(ptr noundef %0) local_unnamed_addr #0 {
  %2 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %3 = load i64, ptr @counts.0, align 8
  store i64 %3, ptr %0, align 8
  %4 = load i64, ptr @counts.1, align 8
  %5 = getelementptr inbounds i8, ptr %0, i32 8
  store i64 %4, ptr %5, align 8
  %6 = load i64, ptr @counts.2, align 8
  %7 = getelementptr inbounds i8, ptr %0, i32 16
  store i64 %6, ptr %7, align 8
  %8 = load i64, ptr @counts.3, align 8
  %9 = getelementptr inbounds i8, ptr %0, i32 24
  store i64 %8, ptr %9, align 8
  %10 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  ret void
}

define weak ptr @pipec_malloc(i64 noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = icmp sgt i64 %0, 70368744177664
  br i1 %3, label %97, label %4

4:
  %5 = tail call i64 @llvm.smax.i64(i64 %0, i64 1)
  %6 = add nuw nsw i64 %5, 152
  %7 = icmp sgt i64 %0, 16231
  br i1 %7, label %8, label %73

8:
  %9 = add nuw nsw i64 %5, 4247
  %10 = and i64 %9, 9223372036854771712
  %11 = sext i32 %1 to i64
  %12 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %13 = load i32, ptr @pooled_blocks, align 4
  %14 = icmp sgt i32 %13, 0
  br i1 %14, label %15, label %55

15:
  %16 = shl nuw nsw i64 %10, 1
  br label %19

17:
  %18 = icmp slt i32 %37, 0
  br i1 %18, label %55, label %40

19:
  %20 = phi i32 [ %37, %35 ], [ -1, %15 ]
  %21 = phi i32 [ %38, %35 ], [ 0, %15 ]
  %22 = phi i64 [ %36, %35 ], [ %16, %15 ]
  %23 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i32 0, i32 %21
  %24 = getelementptr inbounds i8, ptr %23, i32 16
  %25 = load i64, ptr %24, align 8
  %26 = icmp eq i64 %25, %11
  br i1 %26, label %27, label %35

27:
  %28 = getelementptr inbounds i8, ptr %23, i32 8
  %29 = load i64, ptr %28, align 8
  %30 = icmp slt i64 %29, %10
  %31 = icmp sgt i64 %29, %22
  %32 = select i1 %30, i1 true, i1 %31
  %33 = select i1 %32, i64 %22, i64 %29
  %34 = select i1 %32, i32 %20, i32 %21
  br label %35

35:
  %36 = phi i64 [ %22, %19 ], [ %33, %27 ]
  %37 = phi i32 [ %20, %19 ], [ %34, %27 ]
  %38 = add nuw nsw i32 %21, 1
  %39 = icmp eq i32 %38, %13
  br i1 %39, label %17, label %19

40:
  %41 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i32 0, i32 %37
  %42 = load ptr, ptr %41, align 8
  %43 = getelementptr inbounds i8, ptr %41, i32 8
  %44 = load i64, ptr %43, align 8
  %45 = load i64, ptr @pooled_bytes, align 8
  %46 = sub nsw i64 %45, %44
  store i64 %46, ptr @pooled_bytes, align 8
  %47 = add nsw i32 %13, -1
  store i32 %47, ptr @pooled_blocks, align 4
  %48 = icmp sgt i32 %47, %37
  br i1 %48, label %49, label %55

49:
  %50 = phi i32 [ %52, %49 ], [ %37, %40 ]
  %51 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i32 0, i32 %50
  %52 = add nuw nsw i32 %50, 1
  %53 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i32 0, i32 %52
  tail call void @llvm.memcpy.p0.p0.i32(ptr noundef nonnull align 8 dereferenceable(24) %51, ptr noundef nonnull align 8 dereferenceable(24) %53, i32 24, i1 false)
  %54 = icmp eq i32 %52, %47
  br i1 %54, label %55, label %49

55:
  %56 = phi i64 [ %10, %17 ], [ %36, %40 ], [ %10, %8 ], [ %36, %49 ]
  %57 = phi ptr [ null, %17 ], [ %42, %40 ], [ null, %8 ], [ %42, %49 ]
  %58 = load i64, ptr @counts.0, align 8
  %59 = add nsw i64 %58, %56
  store i64 %59, ptr @counts.0, align 8
  %60 = icmp slt i64 %56, 1
  br i1 %60, label %70, label %61

61:
  %62 = load i64, ptr @counts.1, align 8
  %63 = icmp slt i64 %62, %59
  br i1 %63, label %64, label %65

64:
  store i64 %59, ptr @counts.1, align 8
  br label %65

65:
  %66 = load i64, ptr @counts.2, align 8
  %67 = add nsw i64 %66, %56
  store i64 %67, ptr @counts.2, align 8
  %68 = load i64, ptr @counts.3, align 8
  %69 = add nsw i64 %68, 1
  store i64 %69, ptr @counts.3, align 8
  br label %70

70:
  %71 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  %72 = icmp eq ptr %57, null
  br i1 %72, label %73, label %97

73:
  %74 = phi i64 [ %10, %70 ], [ %6, %4 ]
  %75 = trunc i64 %74 to i32
  %76 = tail call ptr @calloc(i32 noundef 1, i32 noundef %75) #5
  %77 = icmp eq ptr %76, null
  br i1 %77, label %78, label %87

78:
  tail call void @pipec_trim() #6
  %79 = tail call ptr @calloc(i32 noundef 1, i32 noundef %75) #5
  %80 = icmp eq ptr %79, null
  br i1 %80, label %81, label %87

81:
  br i1 %7, label %82, label %97

82:
  %83 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %84 = load i64, ptr @counts.0, align 8
  %85 = sub i64 %84, %74
  store i64 %85, ptr @counts.0, align 8
  %86 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  br label %97

87:
  %88 = phi ptr [ %79, %78 ], [ %76, %73 ]
  %89 = ptrtoint ptr %88 to i32
  %90 = add i32 %89, 87
  %91 = and i32 %90, -64
  %92 = inttoptr i32 %91 to ptr
  %93 = getelementptr inbounds i8, ptr %92, i32 -24
  %94 = sext i32 %1 to i64
  store ptr %88, ptr %93, align 8
  %95 = getelementptr inbounds i8, ptr %92, i32 -16
  store i64 %74, ptr %95, align 16
  %96 = getelementptr inbounds i8, ptr %92, i32 -8
  store i64 %94, ptr %96, align 8
  br label %97

97:
  %98 = phi ptr [ null, %2 ], [ %57, %70 ], [ %92, %87 ], [ null, %82 ], [ null, %81 ]
  ret ptr %98
}

declare ptr @calloc(i32 noundef, i32 noundef) local_unnamed_addr #1

define weak void @pipec_trim() local_unnamed_addr #0 {
  %1 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @memory_lock) #5
  %2 = load i32, ptr @pooled_blocks, align 4
  %3 = icmp sgt i32 %2, 0
  br i1 %3, label %4, label %23

4:
  %5 = phi i32 [ %21, %18 ], [ %2, %0 ]
  %6 = load ptr, ptr @pooled, align 8
  %7 = load i64, ptr getelementptr inbounds (i8, ptr @pooled, i32 8), align 8
  %8 = load i64, ptr @pooled_bytes, align 8
  %9 = sub nsw i64 %8, %7
  store i64 %9, ptr @pooled_bytes, align 8
  %10 = add nsw i32 %5, -1
  store i32 %10, ptr @pooled_blocks, align 4
  %11 = icmp eq i32 %5, 1
  br i1 %11, label %18, label %12

12:
  %13 = phi i32 [ %15, %12 ], [ 0, %4 ]
  %14 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i32 0, i32 %13
  %15 = add nuw nsw i32 %13, 1
  %16 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i32 0, i32 %15
  tail call void @llvm.memcpy.p0.p0.i32(ptr noundef nonnull align 8 dereferenceable(24) %14, ptr noundef nonnull align 8 dereferenceable(24) %16, i32 24, i1 false)
  %17 = icmp eq i32 %15, %10
  br i1 %17, label %18, label %12

18:
  %19 = getelementptr inbounds i8, ptr %6, i32 -24
  %20 = load ptr, ptr %19, align 8
  tail call void @free(ptr noundef %20) #5
  %21 = load i32, ptr @pooled_blocks, align 4
  %22 = icmp sgt i32 %21, 0
  br i1 %22, label %4, label %23

23:
  %24 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  ret void
}

define weak void @pipec_free(ptr noundef %0) local_unnamed_addr #0 {
  %2 = getelementptr inbounds i8, ptr %0, i32 -24
  %3 = getelementptr inbounds i8, ptr %0, i32 -16
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
  br i1 %25, label %26, label %49

26:
  %27 = phi i64 [ %45, %40 ], [ %22, %16 ]
  %28 = phi i32 [ %43, %40 ], [ %20, %16 ]
  %29 = load ptr, ptr @pooled, align 8
  %30 = load i64, ptr getelementptr inbounds (i8, ptr @pooled, i32 8), align 8
  %31 = sub nsw i64 %27, %30
  store i64 %31, ptr @pooled_bytes, align 8
  %32 = add nsw i32 %28, -1
  store i32 %32, ptr @pooled_blocks, align 4
  %33 = icmp sgt i32 %28, 1
  br i1 %33, label %34, label %40

34:
  %35 = phi i32 [ %37, %34 ], [ 0, %26 ]
  %36 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i32 0, i32 %35
  %37 = add nuw nsw i32 %35, 1
  %38 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i32 0, i32 %37
  tail call void @llvm.memcpy.p0.p0.i32(ptr noundef nonnull align 8 dereferenceable(24) %36, ptr noundef nonnull align 8 dereferenceable(24) %38, i32 24, i1 false)
  %39 = icmp eq i32 %37, %32
  br i1 %39, label %40, label %34

40:
  %41 = getelementptr inbounds i8, ptr %29, i32 -24
  %42 = load ptr, ptr %41, align 8
  tail call void @free(ptr noundef %42) #5
  %43 = load i32, ptr @pooled_blocks, align 4
  %44 = icmp eq i32 %43, 128
  %45 = load i64, ptr @pooled_bytes, align 8
  %46 = add nsw i64 %45, %4
  %47 = icmp sgt i64 %46, 1073741824
  %48 = select i1 %44, i1 true, i1 %47
  br i1 %48, label %26, label %49

49:
  %50 = phi i32 [ %20, %16 ], [ %43, %40 ]
  %51 = phi i64 [ %23, %16 ], [ %46, %40 ]
  %52 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i32 0, i32 %50
  store ptr %0, ptr %52, align 8
  %53 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i32 0, i32 %50, i32 1
  store i64 %4, ptr %53, align 8
  %54 = getelementptr inbounds i8, ptr %0, i32 -8
  %55 = load i64, ptr %54, align 8
  %56 = getelementptr inbounds [128 x %struct.anon], ptr @pooled, i32 0, i32 %50, i32 2
  store i64 %55, ptr %56, align 8
  %57 = add nsw i32 %50, 1
  store i32 %57, ptr @pooled_blocks, align 4
  store i64 %51, ptr @pooled_bytes, align 8
  %58 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @memory_lock) #5
  br label %59

59:
  ret void
}

declare void @free(ptr noundef) local_unnamed_addr #1

define weak i32 @pipec_fork(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, i64 noundef %4, i64 noundef %5, i64 noundef %6, i64 noundef %7) local_unnamed_addr #0 {
  %9 = alloca { %struct.Lock, %struct.Lock }, align 64
  %10 = alloca %struct.Side, align 8
  %11 = alloca i32, align 4
  %12 = load ptr, ptr %2, align 4
  call void @llvm.memcpy.p0.p0.i32(ptr noundef nonnull align 64 dereferenceable(64) %9, ptr noundef nonnull align 64 dereferenceable(64) @system_new_lock, i32 64, i1 false)
  %13 = getelementptr inbounds i8, ptr %9, i32 64
  call void @llvm.memcpy.p0.p0.i32(ptr noundef nonnull align 64 dereferenceable(64) %13, ptr noundef nonnull align 64 dereferenceable(64) @system_new_condition, i32 64, i1 false)
  call void @llvm.memcpy.p0.p0.i32(ptr noundef nonnull align 64 dereferenceable(128) %3, ptr noundef nonnull align 64 dereferenceable(128) %9, i32 128, i1 false)
  %14 = getelementptr inbounds i8, ptr %3, i32 128
  store i32 0, ptr %14, align 64
  %15 = getelementptr inbounds i8, ptr %3, i32 132
  store i8 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %3, i32 136
  store ptr %12, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %3, i32 144
  store i64 %4, ptr %17, align 16
  %18 = getelementptr inbounds i8, ptr %3, i32 152
  store i64 %5, ptr %18, align 8
  %19 = getelementptr inbounds i8, ptr %3, i32 160
  store i64 %6, ptr %19, align 32
  %20 = getelementptr inbounds i8, ptr %3, i32 168
  store i64 %7, ptr %20, align 8
  call void @llvm.lifetime.start.p0(i64 32, ptr nonnull %10) #7
  store ptr %0, ptr %10, align 8
  %21 = getelementptr inbounds i8, ptr %10, i32 4
  store ptr %2, ptr %21, align 4
  %22 = getelementptr inbounds i8, ptr %10, i32 8
  store ptr %3, ptr %22, align 8
  %23 = getelementptr inbounds i8, ptr %10, i32 16
  store i64 0, ptr %23, align 8
  %24 = getelementptr inbounds i8, ptr %10, i32 24
  store i32 0, ptr %24, align 8
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %11) #7
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
  %32 = getelementptr inbounds i8, ptr %3, i32 64
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
  %45 = load i32, ptr %11, align 4
  %46 = call i32 @pthread_join(i32 noundef %45, ptr noundef null) #5
  %47 = load i32, ptr %24, align 8
  %48 = icmp eq i32 %47, 0
  %49 = select i1 %48, i32 %28, i32 %47
  br label %50

50:
  %51 = phi i32 [ %49, %43 ], [ -1, %8 ]
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %11) #7
  call void @llvm.lifetime.end.p0(i64 32, ptr nonnull %10) #7
  ret i32 %51
}

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #1

define internal noundef ptr @run_thread(ptr nocapture noundef %0) #0 {
  %2 = load ptr, ptr %0, align 8
  %3 = getelementptr inbounds i8, ptr %0, i32 4
  %4 = load ptr, ptr %3, align 4
  %5 = getelementptr inbounds i8, ptr %0, i32 16
  %6 = load i64, ptr %5, align 8
  %7 = tail call i32 %2(ptr noundef %4, i64 noundef %6) #5
  %8 = getelementptr inbounds i8, ptr %0, i32 24
  store i32 %7, ptr %8, align 8
  %9 = icmp eq i32 %7, 0
  br i1 %9, label %19, label %10

10:
  %11 = getelementptr inbounds i8, ptr %0, i32 8
  %12 = load ptr, ptr %11, align 8
  %13 = tail call i32 @pthread_mutex_lock(ptr noundef %12) #5
  %14 = load i32, ptr %8, align 8
  %15 = getelementptr inbounds i8, ptr %12, i32 128
  store i32 %14, ptr %15, align 64
  %16 = getelementptr inbounds i8, ptr %12, i32 64
  %17 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull %16) #5
  %18 = tail call i32 @pthread_mutex_unlock(ptr noundef %12) #5
  br label %19

19:
  %20 = getelementptr inbounds i8, ptr %0, i32 8
  %21 = load ptr, ptr %20, align 8
  %22 = tail call i32 @pthread_mutex_lock(ptr noundef %21) #5
  %23 = getelementptr inbounds i8, ptr %21, i32 132
  store i8 1, ptr %23, align 4
  %24 = getelementptr inbounds i8, ptr %21, i32 64
  %25 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull %24) #5
  %26 = tail call i32 @pthread_mutex_unlock(ptr noundef %21) #5
  ret ptr null
}

define internal fastcc i32 @await_change(ptr noundef %0) unnamed_addr #0 {
  %2 = alloca %struct.Time, align 4
  %3 = getelementptr inbounds i8, ptr %0, i32 64
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %2) #7
  %4 = call i32 @clock_gettime(i32 noundef 0, ptr noundef nonnull %2) #5
  %5 = getelementptr inbounds i8, ptr %2, i32 4
  %6 = load i32, ptr %5, align 4
  %7 = add nsw i32 %6, 2000000
  store i32 %7, ptr %5, align 4
  %8 = icmp sgt i32 %6, 997999999
  br i1 %8, label %9, label %13

9:
  %10 = add nsw i32 %6, -998000000
  store i32 %10, ptr %5, align 4
  %11 = load i32, ptr %2, align 4
  %12 = add nsw i32 %11, 1
  store i32 %12, ptr %2, align 4
  br label %13

13:
  %14 = call i32 @pthread_cond_timedwait(ptr noundef nonnull %3, ptr noundef %0, ptr noundef nonnull %2) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %2) #7
  %15 = load atomic i32, ptr @pipec_attention monotonic, align 4
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %23, label %17

17:
  %18 = call i32 @pthread_mutex_unlock(ptr noundef %0) #5
  %19 = getelementptr inbounds i8, ptr %0, i32 136
  %20 = load ptr, ptr %19, align 8
  %21 = call i32 @pipec_check(ptr noundef %20) #6
  %22 = call i32 @pthread_mutex_lock(ptr noundef %0) #5
  br label %23

23:
  %24 = phi i32 [ %21, %17 ], [ 0, %13 ]
  ret i32 %24
}

declare i32 @pthread_join(i32 noundef, ptr noundef) local_unnamed_addr #1

define weak i32 @pipec_wait(ptr noundef %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i32 @pthread_mutex_lock(ptr noundef %0) #5
  %4 = getelementptr inbounds i8, ptr %0, i32 128
  %5 = load i32, ptr %4, align 64
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %22

7:
  %8 = getelementptr inbounds i8, ptr %0, i32 144
  %9 = trunc i64 %1 to i32
  %10 = getelementptr inbounds [4 x i64], ptr %8, i32 0, i32 %9
  br label %11

11:
  %12 = load i64, ptr %10, align 8
  %13 = icmp slt i64 %12, 1
  br i1 %13, label %14, label %20

14:
  %15 = tail call fastcc i32 @await_change(ptr noundef nonnull %0) #6
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %17, label %22

17:
  %18 = load i32, ptr %4, align 64
  %19 = icmp eq i32 %18, 0
  br i1 %19, label %11, label %22

20:
  %21 = add nsw i64 %12, -1
  store i64 %21, ptr %10, align 8
  br label %22

22:
  %23 = phi i32 [ 0, %20 ], [ %5, %2 ], [ %15, %14 ], [ %18, %17 ]
  %24 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull %0) #5
  ret i32 %23
}

define weak void @pipec_post(ptr noundef %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i32 @pthread_mutex_lock(ptr noundef %0) #5
  %4 = getelementptr inbounds i8, ptr %0, i32 144
  %5 = trunc i64 %1 to i32
  %6 = getelementptr inbounds [4 x i64], ptr %4, i32 0, i32 %5
  %7 = load i64, ptr %6, align 8
  %8 = add nsw i64 %7, 1
  store i64 %8, ptr %6, align 8
  %9 = getelementptr inbounds i8, ptr %0, i32 64
  %10 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull %9) #5
  %11 = tail call i32 @pthread_mutex_unlock(ptr noundef %0) #5
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
  %3 = getelementptr inbounds i8, ptr %0, i32 16
  %4 = load i64, ptr %3, align 16
  %5 = srem i64 %1, %4
  %6 = icmp eq i64 %1, 0
  %7 = getelementptr inbounds i8, ptr %0, i32 128
  %8 = trunc nsw i64 %5 to i32
  %9 = getelementptr inbounds [32 x %struct.Share], ptr %7, i32 0, i32 %8
  %10 = getelementptr inbounds i8, ptr %0, i32 4
  %11 = getelementptr inbounds i8, ptr %0, i32 8
  br label %12

12:
  br i1 %6, label %17, label %13

13:
  %14 = load atomic i32, ptr @busy monotonic, align 4
  %15 = load atomic i32, ptr @thread_limit monotonic, align 4
  %16 = icmp sgt i32 %14, %15
  br i1 %16, label %75, label %17

17:
  %18 = load atomic i64, ptr %9 monotonic, align 64
  br label %19

19:
  %20 = phi i64 [ %18, %17 ], [ %28, %24 ]
  %21 = and i64 %20, 4294967295
  %22 = lshr i64 %20, 32
  %23 = icmp ult i64 %21, %22
  br i1 %23, label %24, label %29

24:
  %25 = add i64 %20, 1
  %26 = cmpxchg weak ptr %9, i64 %20, i64 %25 monotonic monotonic, align 64
  %27 = extractvalue { i64, i1 } %26, 1
  %28 = extractvalue { i64, i1 } %26, 0
  br i1 %27, label %56, label %19

29:
  %30 = load i64, ptr %3, align 16
  %31 = icmp sgt i64 %30, 1
  br i1 %31, label %32, label %75

32:
  %33 = phi i64 [ %54, %53 ], [ 1, %29 ]
  %34 = add nsw i64 %33, %5
  %35 = icmp slt i64 %34, %30
  %36 = select i1 %35, i64 0, i64 %30
  %37 = sub nsw i64 %34, %36
  %38 = trunc i64 %37 to i32
  %39 = getelementptr inbounds [32 x %struct.Share], ptr %7, i32 0, i32 %38
  %40 = load atomic i64, ptr %39 monotonic, align 64
  br label %41

41:
  %42 = phi i64 [ %40, %32 ], [ %50, %46 ]
  %43 = and i64 %42, 4294967295
  %44 = lshr i64 %42, 32
  %45 = icmp ult i64 %43, %44
  br i1 %45, label %46, label %53

46:
  %47 = add i64 %42, -4294967296
  %48 = cmpxchg weak ptr %39, i64 %42, i64 %47 monotonic monotonic, align 64
  %49 = extractvalue { i64, i1 } %48, 1
  %50 = extractvalue { i64, i1 } %48, 0
  br i1 %49, label %51, label %41

51:
  %52 = add nsw i64 %44, -1
  br label %56

53:
  %54 = add nuw nsw i64 %33, 1
  %55 = icmp slt i64 %54, %30
  br i1 %55, label %32, label %75

56:
  %57 = phi i64 [ %52, %51 ], [ %21, %24 ]
  %58 = load ptr, ptr %0, align 64
  %59 = load ptr, ptr %10, align 4
  %60 = load i64, ptr %11, align 8
  %61 = add nsw i64 %60, %57
  %62 = tail call i32 %58(ptr noundef %59, i64 noundef %61) #5
  %63 = icmp eq i32 %62, 0
  br i1 %63, label %12, label %64

64:
  %65 = getelementptr inbounds i8, ptr %0, i32 64
  %66 = cmpxchg ptr %65, i32 0, i32 %62 monotonic monotonic, align 64
  %67 = load i64, ptr %3, align 16
  %68 = icmp sgt i64 %67, 0
  br i1 %68, label %69, label %75

69:
  %70 = phi i64 [ %73, %69 ], [ 0, %64 ]
  %71 = trunc i64 %70 to i32
  %72 = getelementptr inbounds [32 x %struct.Share], ptr %7, i32 0, i32 %71
  store atomic i64 0, ptr %72 monotonic, align 64
  %73 = add nuw nsw i64 %70, 1
  %74 = icmp slt i64 %73, %67
  br i1 %74, label %69, label %75

75:
  ret void
}

declare i32 @pthread_cond_signal(ptr noundef) local_unnamed_addr #1

define internal noalias noundef ptr @run_worker(ptr noundef %0) #0 {
  %2 = ptrtoint ptr %0 to i32
  %3 = sext i32 %2 to i64
  %4 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %5 = load i32, ptr @started, align 4
  %6 = load atomic i32, ptr @thread_limit monotonic, align 4
  %7 = icmp sge i32 %5, %6
  %8 = icmp eq i32 %5, %2
  %9 = and i1 %8, %7
  br i1 %9, label %10, label %22

10:
  %11 = add nsw i32 %2, -1
  store i32 %11, ptr @started, align 4
  %12 = load atomic i32, ptr @thread_limit monotonic, align 4
  %13 = icmp slt i32 %12, %2
  br i1 %13, label %14, label %20

14:
  %15 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %16 = load i32, ptr @sleeping, align 4
  %17 = icmp sgt i32 %16, 0
  br i1 %17, label %18, label %20

18:
  %19 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %20

20:
  %21 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  ret ptr null

22:
  %23 = load atomic i32, ptr @thread_limit monotonic, align 4
  %24 = icmp sle i32 %23, %2
  %25 = load ptr, ptr @jobs, align 64
  %26 = icmp eq ptr %25, null
  %27 = select i1 %24, i1 true, i1 %26
  br i1 %27, label %64, label %28

28:
  %29 = phi ptr [ %62, %60 ], [ %25, %22 ]
  %30 = load atomic i32, ptr @busy monotonic, align 4
  %31 = load atomic i32, ptr @thread_limit monotonic, align 4
  %32 = icmp slt i32 %30, %31
  br i1 %32, label %33, label %60

33:
  %34 = getelementptr inbounds i8, ptr %29, i32 32
  %35 = load ptr, ptr %34, align 32
  %36 = icmp eq ptr %35, null
  br i1 %36, label %44, label %37

37:
  %38 = getelementptr inbounds i8, ptr %35, i32 12
  %39 = load i32, ptr %38, align 4
  %40 = add nsw i32 %39, 1
  %41 = getelementptr inbounds i8, ptr %35, i32 8
  %42 = load i32, ptr %41, align 4
  %43 = icmp slt i32 %40, %42
  br i1 %43, label %44, label %60

44:
  %45 = getelementptr inbounds i8, ptr %29, i32 128
  %46 = getelementptr inbounds i8, ptr %29, i32 16
  %47 = load i64, ptr %46, align 16
  %48 = icmp sgt i64 %47, 0
  br i1 %48, label %52, label %60

49:
  %50 = add nuw nsw i64 %53, 1
  %51 = icmp slt i64 %50, %47
  br i1 %51, label %52, label %60

52:
  %53 = phi i64 [ %50, %49 ], [ 0, %44 ]
  %54 = trunc i64 %53 to i32
  %55 = getelementptr inbounds [32 x %struct.Share], ptr %45, i32 0, i32 %54
  %56 = load atomic i64, ptr %55 monotonic, align 64
  %57 = and i64 %56, 4294967295
  %58 = lshr i64 %56, 32
  %59 = icmp ult i64 %57, %58
  br i1 %59, label %94, label %49

60:
  %61 = getelementptr inbounds i8, ptr %29, i32 24
  %62 = load ptr, ptr %61, align 8
  %63 = icmp eq ptr %62, null
  br i1 %63, label %64, label %28

64:
  %65 = load atomic i32, ptr @epoch monotonic, align 64
  %66 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %67 = load atomic i32, ptr @worker_spins monotonic, align 4
  br label %68

68:
  %69 = phi i32 [ %67, %64 ], [ %73, %78 ]
  %70 = load atomic i32, ptr @epoch acquire, align 64
  %71 = icmp eq i32 %70, %65
  br i1 %71, label %72, label %120

72:
  %73 = add nsw i32 %69, -1
  tail call void @system_pause() #5
  %74 = and i32 %69, 63
  %75 = icmp eq i32 %74, 0
  br i1 %75, label %76, label %78

76:
  %77 = tail call i32 @sched_yield() #5
  br label %78

78:
  %79 = icmp sgt i32 %69, 1
  br i1 %79, label %68, label %80

80:
  %81 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %82 = load atomic i32, ptr @epoch monotonic, align 64
  %83 = icmp eq i32 %82, %65
  br i1 %83, label %84, label %118

84:
  %85 = load i32, ptr @sleeping, align 4
  %86 = add nsw i32 %85, 1
  br label %87

87:
  %88 = phi i32 [ %86, %84 ], [ %90, %87 ]
  store i32 %88, ptr @sleeping, align 4
  %89 = tail call i32 @pthread_cond_wait(ptr noundef nonnull @pool_work, ptr noundef nonnull @pool_lock) #5
  %90 = load i32, ptr @sleeping, align 4
  %91 = add nsw i32 %90, -1
  store i32 %91, ptr @sleeping, align 4
  %92 = load atomic i32, ptr @epoch monotonic, align 64
  %93 = icmp eq i32 %92, %65
  br i1 %93, label %87, label %118

94:
  %95 = getelementptr inbounds i8, ptr %29, i32 68
  %96 = atomicrmw add ptr %95, i32 1 monotonic, align 4
  br i1 %36, label %107, label %97

97:
  %98 = getelementptr inbounds i8, ptr %35, i32 12
  %99 = load i32, ptr %98, align 4
  %100 = add nsw i32 %99, 1
  store i32 %100, ptr %98, align 4
  %101 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  %102 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  tail call fastcc void @run_tasks(ptr noundef nonnull %29, i64 noundef %3) #6
  %103 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %104 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  %105 = load i32, ptr %98, align 4
  %106 = add nsw i32 %105, -1
  store i32 %106, ptr %98, align 4
  br label %112

107:
  %108 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  %109 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  tail call fastcc void @run_tasks(ptr noundef nonnull %29, i64 noundef %3) #6
  %110 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %111 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  br label %112

112:
  %113 = atomicrmw sub ptr %95, i32 1 release, align 4
  %114 = load i32, ptr @waiting, align 4
  %115 = icmp sgt i32 %114, 0
  br i1 %115, label %116, label %118

116:
  %117 = tail call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_done) #5
  br label %118

118:
  %119 = tail call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %120

120:
  %121 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %122 = load i32, ptr @started, align 4
  %123 = load atomic i32, ptr @thread_limit monotonic, align 4
  %124 = icmp sge i32 %122, %123
  %125 = icmp eq i32 %122, %2
  %126 = and i1 %125, %124
  br i1 %126, label %10, label %22
}

declare i32 @pthread_detach(i32 noundef) local_unnamed_addr #1

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


