; Compiled from pool.c, memory.c, tasks.c, half.c by tools/build_runtime.py with clang 19.
; 795ac04be376ebef07b55ff5f47b9534

%struct.Lock = type { [8 x i64] }
%struct.anon = type { ptr, i64, i64 }
%struct.Time = type { i32, i32 }
%struct.Job = type { ptr, ptr, i64, i64, ptr, ptr, ptr, ptr, i8, [23 x i8], i32, i32, [56 x i8], [32 x %struct.Share] }
%struct.Share = type { i64, [56 x i8] }
%struct.Side = type { ptr, ptr, ptr, i64, i32 }
%struct.Helper = type { i32, ptr, ptr }

@pool_lock = external global %struct.Lock, align 64
@thread_limit = internal unnamed_addr global i32 1, align 4
@worker_spins = internal unnamed_addr global i32 20000, align 4
@call_limits = internal unnamed_addr global ptr null, align 4
@system_new_lock = external local_unnamed_addr constant %struct.Lock, align 64
@pool_work = external global %struct.Lock, align 64
@pool_done = external global %struct.Lock, align 64
@system_new_condition = external local_unnamed_addr constant %struct.Lock, align 64
@jobs = internal unnamed_addr global ptr null, align 64
@helpers = internal unnamed_addr global ptr null, align 4
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
  store ptr null, ptr @helpers, align 4
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
  br i1 %11, label %27, label %12

12:
  %13 = getelementptr inbounds i8, ptr %7, i32 4
  %14 = getelementptr inbounds i8, ptr %7, i32 8
  %15 = tail call i32 @llvm.umin.i32(i32 %8, i32 32)
  %16 = zext nneg i32 %15 to i64
  %17 = getelementptr inbounds i8, ptr %7, i32 16
  %18 = getelementptr inbounds i8, ptr %7, i32 64
  %19 = getelementptr inbounds i8, ptr %7, i32 68
  %20 = getelementptr inbounds i8, ptr %7, i32 128
  %21 = getelementptr inbounds i8, ptr %7, i32 32
  %22 = getelementptr inbounds i8, ptr %7, i32 28
  %23 = getelementptr inbounds i8, ptr %7, i32 40
  %24 = getelementptr inbounds i8, ptr %7, i32 36
  %25 = getelementptr inbounds i8, ptr %7, i32 24
  %26 = getelementptr inbounds i8, ptr %5, i32 4
  br label %37

27:
  %28 = icmp sgt i64 %3, 0
  br i1 %28, label %29, label %298

29:
  %30 = phi i64 [ %33, %29 ], [ 0, %27 ]
  %31 = add nsw i64 %30, %2
  %32 = tail call i32 %0(ptr noundef %1, i64 noundef %31) #5
  %33 = add nuw nsw i64 %30, 1
  %34 = icmp slt i64 %33, %3
  %35 = icmp eq i32 %32, 0
  %36 = select i1 %34, i1 %35, i1 false
  br i1 %36, label %29, label %298

37:
  %38 = phi i64 [ %2, %12 ], [ %293, %291 ]
  %39 = phi i64 [ %3, %12 ], [ %294, %291 ]
  %40 = call i64 @llvm.umin.i64(i64 %39, i64 1073741824)
  call void @llvm.lifetime.start.p0(i64 2176, ptr nonnull %7) #7
  store ptr %0, ptr %7, align 64
  store ptr %1, ptr %13, align 4
  store i64 %38, ptr %14, align 8
  %41 = call i64 @llvm.umin.i64(i64 %16, i64 %40)
  store i64 %41, ptr %17, align 16
  store i32 0, ptr %18, align 64
  store i32 0, ptr %19, align 4
  br label %280

42:
  %43 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %44 = load i32, ptr @started, align 4
  %45 = add nsw i32 %44, 1
  %46 = icmp slt i32 %45, %8
  br i1 %46, label %47, label %61

47:
  %48 = phi i32 [ %59, %53 ], [ %45, %42 ]
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %6) #7
  %49 = inttoptr i32 %48 to ptr
  %50 = call i32 @pthread_create(ptr noundef nonnull %6, ptr noundef null, ptr noundef nonnull @run_worker, ptr noundef %49) #5
  %51 = icmp eq i32 %50, 0
  br i1 %51, label %53, label %52

52:
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6) #7
  br label %61

53:
  %54 = load i32, ptr @started, align 4
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr @started, align 4
  %56 = load i32, ptr %6, align 4
  %57 = call i32 @pthread_detach(i32 noundef %56) #5
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %6) #7
  %58 = load i32, ptr @started, align 4
  %59 = add nsw i32 %58, 1
  %60 = icmp slt i32 %59, %8
  br i1 %60, label %47, label %61

61:
  %62 = load ptr, ptr %13, align 4
  %63 = icmp eq ptr %62, null
  br i1 %63, label %66, label %64

64:
  %65 = load ptr, ptr %62, align 4
  br label %66

66:
  %67 = phi ptr [ %65, %64 ], [ null, %61 ]
  store ptr %67, ptr %21, align 32
  %68 = load ptr, ptr @helpers, align 4
  %69 = icmp eq ptr %68, null
  br i1 %69, label %82, label %70

70:
  %71 = phi ptr [ %77, %75 ], [ %68, %66 ]
  %72 = load i32, ptr %71, align 4
  %73 = call i32 @pthread_self() #5
  %74 = icmp eq i32 %72, %73
  br i1 %74, label %79, label %75

75:
  %76 = getelementptr inbounds i8, ptr %71, i32 8
  %77 = load ptr, ptr %76, align 4
  %78 = icmp eq ptr %77, null
  br i1 %78, label %82, label %70

79:
  %80 = getelementptr inbounds i8, ptr %71, i32 4
  %81 = load ptr, ptr %80, align 4
  br label %82

82:
  %83 = phi ptr [ %81, %79 ], [ null, %66 ], [ null, %75 ]
  store ptr %83, ptr %22, align 4
  %84 = icmp eq ptr %83, null
  %85 = zext i1 %84 to i8
  store i8 %85, ptr %23, align 8
  %86 = load ptr, ptr @jobs, align 64
  %87 = icmp eq ptr %86, null
  br i1 %87, label %91, label %88

88:
  %89 = load ptr, ptr %21, align 32
  %90 = icmp eq ptr %89, null
  br label %97

91:
  %92 = phi i1 [ %84, %82 ], [ %106, %105 ]
  %93 = load ptr, ptr @call_limits, align 4
  store ptr %93, ptr %24, align 4
  %94 = icmp eq ptr %93, null
  br i1 %94, label %118, label %95

95:
  %96 = load ptr, ptr %21, align 32
  br label %114

97:
  %98 = phi i1 [ %84, %88 ], [ %106, %105 ]
  %99 = phi ptr [ %86, %88 ], [ %108, %105 ]
  br i1 %90, label %105, label %100

100:
  %101 = getelementptr inbounds i8, ptr %99, i32 32
  %102 = load ptr, ptr %101, align 32
  %103 = icmp eq ptr %102, %89
  br i1 %103, label %104, label %105

104:
  store i8 0, ptr %23, align 8
  br label %105

105:
  %106 = phi i1 [ %98, %97 ], [ %98, %100 ], [ false, %104 ]
  %107 = getelementptr inbounds i8, ptr %99, i32 24
  %108 = load ptr, ptr %107, align 8
  %109 = icmp eq ptr %108, null
  br i1 %109, label %91, label %97

110:
  %111 = getelementptr inbounds i8, ptr %115, i32 4
  %112 = load ptr, ptr %111, align 4
  store ptr %112, ptr %24, align 4
  %113 = icmp eq ptr %112, null
  br i1 %113, label %118, label %114

114:
  %115 = phi ptr [ %93, %95 ], [ %112, %110 ]
  %116 = load ptr, ptr %115, align 4
  %117 = icmp eq ptr %116, %96
  br i1 %117, label %118, label %110

118:
  br i1 %92, label %119, label %121

119:
  %120 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  br label %121

121:
  store ptr %86, ptr %25, align 8
  store ptr %7, ptr @jobs, align 64
  %122 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %123 = load i32, ptr @sleeping, align 4
  %124 = icmp sgt i32 %123, 0
  %125 = load ptr, ptr %22, align 4
  %126 = icmp ne ptr %125, null
  %127 = load i32, ptr @waiting, align 4
  %128 = icmp sgt i32 %127, 0
  %129 = select i1 %126, i1 %128, i1 false
  br i1 %129, label %130, label %132

130:
  %131 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_done) #5
  br label %132

132:
  %133 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %134 = icmp eq i64 %39, 2
  %135 = and i1 %134, %124
  br i1 %135, label %136, label %138

136:
  %137 = call i32 @pthread_cond_signal(ptr noundef nonnull @pool_work) #5
  br label %141

138:
  br i1 %124, label %139, label %141

139:
  %140 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %141

141:
  br label %142

142:
  %143 = load atomic i64, ptr %20 monotonic, align 64
  br label %144

144:
  %145 = phi i64 [ %143, %142 ], [ %153, %149 ]
  %146 = and i64 %145, 4294967295
  %147 = lshr i64 %145, 32
  %148 = icmp ult i64 %146, %147
  br i1 %148, label %149, label %154

149:
  %150 = add i64 %145, 1
  %151 = cmpxchg weak ptr %20, i64 %145, i64 %150 monotonic monotonic, align 64
  %152 = extractvalue { i64, i1 } %151, 1
  %153 = extractvalue { i64, i1 } %151, 0
  br i1 %152, label %177, label %144

154:
  %155 = load i64, ptr %17, align 16
  %156 = icmp sgt i64 %155, 1
  br i1 %156, label %157, label %195

157:
  %158 = phi i64 [ %175, %174 ], [ 1, %154 ]
  %159 = trunc i64 %158 to i32
  %160 = getelementptr inbounds [32 x %struct.Share], ptr %20, i32 0, i32 %159
  %161 = load atomic i64, ptr %160 monotonic, align 64
  br label %162

162:
  %163 = phi i64 [ %161, %157 ], [ %171, %167 ]
  %164 = and i64 %163, 4294967295
  %165 = lshr i64 %163, 32
  %166 = icmp ult i64 %164, %165
  br i1 %166, label %167, label %174

167:
  %168 = add i64 %163, -4294967296
  %169 = cmpxchg weak ptr %160, i64 %163, i64 %168 monotonic monotonic, align 64
  %170 = extractvalue { i64, i1 } %169, 1
  %171 = extractvalue { i64, i1 } %169, 0
  br i1 %170, label %172, label %162

172:
  %173 = add nsw i64 %165, -1
  br label %177

174:
  %175 = add nuw nsw i64 %158, 1
  %176 = icmp slt i64 %175, %155
  br i1 %176, label %157, label %195

177:
  %178 = phi i64 [ %173, %172 ], [ %146, %149 ]
  %179 = load ptr, ptr %7, align 64
  %180 = load ptr, ptr %13, align 4
  %181 = load i64, ptr %14, align 8
  %182 = add nsw i64 %181, %178
  %183 = call i32 %179(ptr noundef %180, i64 noundef %182) #5
  %184 = icmp eq i32 %183, 0
  br i1 %184, label %142, label %185

185:
  %186 = cmpxchg ptr %18, i32 0, i32 %183 monotonic monotonic, align 64
  %187 = load i64, ptr %17, align 16
  %188 = icmp sgt i64 %187, 0
  br i1 %188, label %189, label %195

189:
  %190 = phi i64 [ %193, %189 ], [ 0, %185 ]
  %191 = trunc i64 %190 to i32
  %192 = getelementptr inbounds [32 x %struct.Share], ptr %20, i32 0, i32 %191
  store atomic i64 0, ptr %192 monotonic, align 64
  %193 = add nuw nsw i64 %190, 1
  %194 = icmp slt i64 %193, %187
  br i1 %194, label %189, label %195

195:
  %196 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %197

197:
  %198 = phi ptr [ @jobs, %195 ], [ %201, %197 ]
  %199 = load ptr, ptr %198, align 4
  %200 = icmp eq ptr %199, %7
  %201 = getelementptr inbounds i8, ptr %199, i32 24
  br i1 %200, label %202, label %197

202:
  %203 = load ptr, ptr %25, align 8
  store ptr %203, ptr %198, align 4
  %204 = load i8, ptr %23, align 8
  %205 = trunc nuw i8 %204 to i1
  br i1 %205, label %206, label %216

206:
  %207 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  %208 = load ptr, ptr @jobs, align 64
  %209 = icmp eq ptr %208, null
  br i1 %209, label %216, label %210

210:
  %211 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %212 = load i32, ptr @sleeping, align 4
  %213 = icmp sgt i32 %212, 0
  br i1 %213, label %214, label %216

214:
  %215 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %216

216:
  %217 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %218 = load atomic i32, ptr @epoch monotonic, align 64
  %219 = add i32 %218, -1
  br label %220

220:
  %221 = phi i32 [ %219, %216 ], [ %235, %240 ]
  %222 = phi i32 [ 4000, %216 ], [ %241, %240 ]
  %223 = load atomic i32, ptr %19 acquire, align 4
  %224 = icmp eq i32 %223, 0
  br i1 %224, label %291, label %225

225:
  %226 = load atomic i32, ptr @epoch acquire, align 64
  %227 = icmp eq i32 %226, %221
  br i1 %227, label %233, label %228

228:
  %229 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %230 = call fastcc zeroext i1 @help_worker_of(ptr noundef nonnull %7) #6
  %231 = select i1 %230, i32 4000, i32 %222
  %232 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %233

233:
  %234 = phi i32 [ %231, %228 ], [ %222, %225 ]
  %235 = phi i32 [ %226, %228 ], [ %221, %225 ]
  call void @system_pause() #5
  %236 = and i32 %234, 63
  %237 = icmp eq i32 %236, 0
  br i1 %237, label %238, label %240

238:
  %239 = call i32 @sched_yield() #5
  br label %240

240:
  %241 = add nsw i32 %234, -1
  %242 = icmp slt i32 %234, 2
  br i1 %242, label %243, label %220

243:
  %244 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %245 = load i32, ptr @waiting, align 4
  %246 = add nsw i32 %245, 1
  store i32 %246, ptr @waiting, align 4
  %247 = load atomic i32, ptr %19 acquire, align 4
  %248 = icmp eq i32 %247, 0
  br i1 %248, label %276, label %249

249:
  %250 = call fastcc zeroext i1 @help_worker_of(ptr noundef nonnull %7) #6
  br i1 %250, label %273, label %251

251:
  %252 = load atomic i32, ptr @pipec_attention monotonic, align 4
  %253 = icmp eq i32 %252, 0
  br i1 %253, label %262, label %254

254:
  %255 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %256 = load ptr, ptr %13, align 4
  %257 = load ptr, ptr %256, align 4
  %258 = call i32 @pipec_check(ptr noundef %257) #6
  %259 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %260 = load atomic i32, ptr %19 acquire, align 4
  %261 = icmp eq i32 %260, 0
  br i1 %261, label %276, label %262

262:
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %5) #7
  %263 = call i32 @clock_gettime(i32 noundef 0, ptr noundef nonnull %5) #5
  %264 = load i32, ptr %26, align 4
  %265 = add nsw i32 %264, 2000000
  store i32 %265, ptr %26, align 4
  %266 = icmp sgt i32 %264, 997999999
  br i1 %266, label %267, label %271

267:
  %268 = add nsw i32 %264, -998000000
  store i32 %268, ptr %26, align 4
  %269 = load i32, ptr %5, align 4
  %270 = add nsw i32 %269, 1
  store i32 %270, ptr %5, align 4
  br label %271

271:
  %272 = call i32 @pthread_cond_timedwait(ptr noundef nonnull @pool_done, ptr noundef nonnull @pool_lock, ptr noundef nonnull %5) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %5) #7
  br label %273

273:
  %274 = load atomic i32, ptr %19 acquire, align 4
  %275 = icmp eq i32 %274, 0
  br i1 %275, label %276, label %249

276:
  %277 = load i32, ptr @waiting, align 4
  %278 = add nsw i32 %277, -1
  store i32 %278, ptr @waiting, align 4
  %279 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %291

280:
  %281 = phi i64 [ 0, %37 ], [ %285, %280 ]
  %282 = phi i64 [ 0, %37 ], [ %283, %280 ]
  %283 = add nuw nsw i64 %282, 1
  %284 = mul nuw nsw i64 %283, %40
  %285 = udiv i64 %284, %41
  %286 = trunc i64 %282 to i32
  %287 = getelementptr inbounds [32 x %struct.Share], ptr %20, i32 0, i32 %286
  %288 = shl i64 %285, 32
  %289 = or i64 %288, %281
  store i64 %289, ptr %287, align 64
  %290 = icmp ult i64 %283, %41
  br i1 %290, label %280, label %42

291:
  %292 = load atomic i32, ptr %18 monotonic, align 64
  call void @llvm.lifetime.end.p0(i64 2176, ptr nonnull %7) #7
  %293 = add nsw i64 %38, %40
  %294 = sub nsw i64 %39, %40
  %295 = icmp sgt i64 %294, 0
  %296 = icmp eq i32 %292, 0
  %297 = select i1 %295, i1 %296, i1 false
  br i1 %297, label %37, label %298

298:
  %299 = phi i32 [ 0, %27 ], [ %32, %29 ], [ %292, %291 ]
  ret i32 %299
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
  %2 = alloca %struct.Helper, align 4
  %3 = alloca %struct.Helper, align 4
  %4 = ptrtoint ptr %0 to i32
  %5 = sext i32 %4 to i64
  %6 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %7 = load i32, ptr @started, align 4
  %8 = load atomic i32, ptr @thread_limit monotonic, align 4
  %9 = icmp sge i32 %7, %8
  %10 = icmp eq i32 %7, %4
  %11 = and i1 %10, %9
  br i1 %11, label %17, label %12

12:
  %13 = getelementptr inbounds i8, ptr %3, i32 4
  %14 = getelementptr inbounds i8, ptr %3, i32 8
  %15 = getelementptr inbounds i8, ptr %2, i32 4
  %16 = getelementptr inbounds i8, ptr %2, i32 8
  br label %29

17:
  %18 = add nsw i32 %4, -1
  store i32 %18, ptr @started, align 4
  %19 = load atomic i32, ptr @thread_limit monotonic, align 4
  %20 = icmp slt i32 %19, %4
  br i1 %20, label %21, label %27

21:
  %22 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %23 = load i32, ptr @sleeping, align 4
  %24 = icmp sgt i32 %23, 0
  br i1 %24, label %25, label %27

25:
  %26 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %27

27:
  %28 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  ret ptr null

29:
  %30 = load atomic i32, ptr @thread_limit monotonic, align 4
  %31 = icmp sle i32 %30, %4
  %32 = load ptr, ptr @jobs, align 64
  %33 = icmp eq ptr %32, null
  %34 = select i1 %31, i1 true, i1 %33
  br i1 %34, label %71, label %35

35:
  %36 = phi ptr [ %69, %67 ], [ %32, %29 ]
  %37 = load atomic i32, ptr @busy monotonic, align 4
  %38 = load atomic i32, ptr @thread_limit monotonic, align 4
  %39 = icmp slt i32 %37, %38
  br i1 %39, label %40, label %67

40:
  %41 = getelementptr inbounds i8, ptr %36, i32 36
  %42 = load ptr, ptr %41, align 4
  %43 = icmp eq ptr %42, null
  br i1 %43, label %51, label %44

44:
  %45 = getelementptr inbounds i8, ptr %42, i32 12
  %46 = load i32, ptr %45, align 4
  %47 = add nsw i32 %46, 1
  %48 = getelementptr inbounds i8, ptr %42, i32 8
  %49 = load i32, ptr %48, align 4
  %50 = icmp slt i32 %47, %49
  br i1 %50, label %51, label %67

51:
  %52 = getelementptr inbounds i8, ptr %36, i32 128
  %53 = getelementptr inbounds i8, ptr %36, i32 16
  %54 = load i64, ptr %53, align 16
  %55 = icmp sgt i64 %54, 0
  br i1 %55, label %59, label %67

56:
  %57 = add nuw nsw i64 %60, 1
  %58 = icmp slt i64 %57, %54
  br i1 %58, label %59, label %67

59:
  %60 = phi i64 [ %57, %56 ], [ 0, %51 ]
  %61 = trunc i64 %60 to i32
  %62 = getelementptr inbounds [32 x %struct.Share], ptr %52, i32 0, i32 %61
  %63 = load atomic i64, ptr %62 monotonic, align 64
  %64 = and i64 %63, 4294967295
  %65 = lshr i64 %63, 32
  %66 = icmp ult i64 %64, %65
  br i1 %66, label %101, label %56

67:
  %68 = getelementptr inbounds i8, ptr %36, i32 24
  %69 = load ptr, ptr %68, align 8
  %70 = icmp eq ptr %69, null
  br i1 %70, label %71, label %35

71:
  %72 = load atomic i32, ptr @epoch monotonic, align 64
  %73 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %74 = load atomic i32, ptr @worker_spins monotonic, align 4
  br label %75

75:
  %76 = phi i32 [ %74, %71 ], [ %80, %85 ]
  %77 = load atomic i32, ptr @epoch acquire, align 64
  %78 = icmp eq i32 %77, %72
  br i1 %78, label %79, label %153

79:
  %80 = add nsw i32 %76, -1
  call void @system_pause() #5
  %81 = and i32 %76, 63
  %82 = icmp eq i32 %81, 0
  br i1 %82, label %83, label %85

83:
  %84 = call i32 @sched_yield() #5
  br label %85

85:
  %86 = icmp sgt i32 %76, 1
  br i1 %86, label %75, label %87

87:
  %88 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %89 = load atomic i32, ptr @epoch monotonic, align 64
  %90 = icmp eq i32 %89, %72
  br i1 %90, label %91, label %151

91:
  %92 = load i32, ptr @sleeping, align 4
  %93 = add nsw i32 %92, 1
  br label %94

94:
  %95 = phi i32 [ %93, %91 ], [ %97, %94 ]
  store i32 %95, ptr @sleeping, align 4
  %96 = call i32 @pthread_cond_wait(ptr noundef nonnull @pool_work, ptr noundef nonnull @pool_lock) #5
  %97 = load i32, ptr @sleeping, align 4
  %98 = add nsw i32 %97, -1
  store i32 %98, ptr @sleeping, align 4
  %99 = load atomic i32, ptr @epoch monotonic, align 64
  %100 = icmp eq i32 %99, %72
  br i1 %100, label %94, label %151

101:
  br i1 %43, label %129, label %102

102:
  %103 = getelementptr inbounds i8, ptr %42, i32 12
  %104 = load i32, ptr %103, align 4
  %105 = add nsw i32 %104, 1
  store i32 %105, ptr %103, align 4
  %106 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  call void @llvm.lifetime.start.p0(i64 12, ptr nonnull %3) #7
  %107 = call i32 @pthread_self() #5
  store i32 %107, ptr %3, align 4
  store ptr %36, ptr %13, align 4
  %108 = load ptr, ptr @helpers, align 4
  store ptr %108, ptr %14, align 4
  store ptr %3, ptr @helpers, align 4
  %109 = getelementptr inbounds i8, ptr %36, i32 68
  %110 = atomicrmw add ptr %109, i32 1 monotonic, align 4
  %111 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  call fastcc void @run_tasks(ptr noundef nonnull %36, i64 noundef %5) #6
  %112 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %113

113:
  %114 = phi ptr [ @helpers, %102 ], [ %117, %113 ]
  %115 = load ptr, ptr %114, align 4
  %116 = icmp eq ptr %115, %3
  %117 = getelementptr inbounds i8, ptr %115, i32 8
  br i1 %116, label %118, label %113

118:
  %119 = load ptr, ptr %14, align 4
  store ptr %119, ptr %114, align 4
  %120 = atomicrmw sub ptr %109, i32 1 release, align 4
  %121 = load i32, ptr @waiting, align 4
  %122 = icmp sgt i32 %121, 0
  br i1 %122, label %123, label %125

123:
  %124 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_done) #5
  br label %125

125:
  call void @llvm.lifetime.end.p0(i64 12, ptr nonnull %3) #7
  %126 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  %127 = load i32, ptr %103, align 4
  %128 = add nsw i32 %127, -1
  store i32 %128, ptr %103, align 4
  br label %151

129:
  %130 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  call void @llvm.lifetime.start.p0(i64 12, ptr nonnull %2) #7
  %131 = call i32 @pthread_self() #5
  store i32 %131, ptr %2, align 4
  store ptr %36, ptr %15, align 4
  %132 = load ptr, ptr @helpers, align 4
  store ptr %132, ptr %16, align 4
  store ptr %2, ptr @helpers, align 4
  %133 = getelementptr inbounds i8, ptr %36, i32 68
  %134 = atomicrmw add ptr %133, i32 1 monotonic, align 4
  %135 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  call fastcc void @run_tasks(ptr noundef nonnull %36, i64 noundef %5) #6
  %136 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %137

137:
  %138 = phi ptr [ @helpers, %129 ], [ %141, %137 ]
  %139 = load ptr, ptr %138, align 4
  %140 = icmp eq ptr %139, %2
  %141 = getelementptr inbounds i8, ptr %139, i32 8
  br i1 %140, label %142, label %137

142:
  %143 = load ptr, ptr %16, align 4
  store ptr %143, ptr %138, align 4
  %144 = atomicrmw sub ptr %133, i32 1 release, align 4
  %145 = load i32, ptr @waiting, align 4
  %146 = icmp sgt i32 %145, 0
  br i1 %146, label %147, label %149

147:
  %148 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_done) #5
  br label %149

149:
  call void @llvm.lifetime.end.p0(i64 12, ptr nonnull %2) #7
  %150 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  br label %151

151:
  %152 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %153

153:
  %154 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %155 = load i32, ptr @started, align 4
  %156 = load atomic i32, ptr @thread_limit monotonic, align 4
  %157 = icmp sge i32 %155, %156
  %158 = icmp eq i32 %155, %4
  %159 = and i1 %158, %157
  br i1 %159, label %17, label %29
}

declare i32 @pthread_detach(i32 noundef) local_unnamed_addr #1

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef) local_unnamed_addr #1

declare void @system_pause() local_unnamed_addr #1

declare i32 @sched_yield() local_unnamed_addr #1

define internal fastcc noundef zeroext i1 @help_worker_of(ptr noundef readonly %0) unnamed_addr #0 {
  %2 = alloca %struct.Helper, align 4
  %3 = load ptr, ptr @jobs, align 64
  %4 = icmp eq ptr %3, null
  br i1 %4, label %68, label %5

5:
  %6 = phi ptr [ %28, %26 ], [ %3, %1 ]
  %7 = getelementptr inbounds i8, ptr %6, i32 28
  %8 = load ptr, ptr %7, align 4
  %9 = icmp eq ptr %8, %0
  br i1 %9, label %10, label %26

10:
  %11 = getelementptr inbounds i8, ptr %6, i32 128
  %12 = getelementptr inbounds i8, ptr %6, i32 16
  %13 = load i64, ptr %12, align 16
  %14 = icmp sgt i64 %13, 0
  br i1 %14, label %18, label %26

15:
  %16 = add nuw nsw i64 %19, 1
  %17 = icmp slt i64 %16, %13
  br i1 %17, label %18, label %26

18:
  %19 = phi i64 [ %16, %15 ], [ 0, %10 ]
  %20 = trunc i64 %19 to i32
  %21 = getelementptr inbounds [32 x %struct.Share], ptr %11, i32 0, i32 %20
  %22 = load atomic i64, ptr %21 monotonic, align 64
  %23 = and i64 %22, 4294967295
  %24 = lshr i64 %22, 32
  %25 = icmp ult i64 %23, %24
  br i1 %25, label %30, label %15

26:
  %27 = getelementptr inbounds i8, ptr %6, i32 24
  %28 = load ptr, ptr %27, align 8
  %29 = icmp eq ptr %28, null
  br i1 %29, label %68, label %5

30:
  %31 = load atomic i32, ptr @busy monotonic, align 4
  %32 = getelementptr inbounds i8, ptr %0, i32 40
  %33 = load i8, ptr %32, align 8
  %34 = zext nneg i8 %33 to i32
  %35 = add nsw i32 %31, %34
  %36 = load atomic i32, ptr @thread_limit monotonic, align 4
  %37 = icmp sgt i32 %35, %36
  br i1 %37, label %68, label %38

38:
  %39 = trunc nuw i8 %33 to i1
  br i1 %39, label %40, label %42

40:
  %41 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  br label %42

42:
  call void @llvm.lifetime.start.p0(i64 12, ptr nonnull %2) #7
  %43 = tail call i32 @pthread_self() #5
  store i32 %43, ptr %2, align 4
  %44 = getelementptr inbounds i8, ptr %2, i32 4
  store ptr %6, ptr %44, align 4
  %45 = getelementptr inbounds i8, ptr %2, i32 8
  %46 = load ptr, ptr @helpers, align 4
  store ptr %46, ptr %45, align 4
  store ptr %2, ptr @helpers, align 4
  %47 = getelementptr inbounds i8, ptr %6, i32 68
  %48 = atomicrmw add ptr %47, i32 1 monotonic, align 4
  %49 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  call fastcc void @run_tasks(ptr noundef nonnull %6, i64 noundef 1) #6
  %50 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %51

51:
  %52 = phi ptr [ @helpers, %42 ], [ %55, %51 ]
  %53 = load ptr, ptr %52, align 4
  %54 = icmp eq ptr %53, %2
  %55 = getelementptr inbounds i8, ptr %53, i32 8
  br i1 %54, label %56, label %51

56:
  %57 = load ptr, ptr %45, align 4
  store ptr %57, ptr %52, align 4
  %58 = atomicrmw sub ptr %47, i32 1 release, align 4
  %59 = load i32, ptr @waiting, align 4
  %60 = icmp sgt i32 %59, 0
  br i1 %60, label %61, label %63

61:
  %62 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_done) #5
  br label %63

63:
  call void @llvm.lifetime.end.p0(i64 12, ptr nonnull %2) #7
  %64 = load i8, ptr %32, align 8
  %65 = trunc nuw i8 %64 to i1
  br i1 %65, label %66, label %68

66:
  %67 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  br label %68

68:
  %69 = phi i1 [ false, %30 ], [ true, %66 ], [ true, %63 ], [ false, %1 ], [ false, %26 ]
  ret i1 %69
}

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


