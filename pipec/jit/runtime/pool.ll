; Compiled from pool.c, memory.c, tasks.c, half.c by tools/build_runtime.py with clang 19.
; ea5340cab7a44cb8ae67b5dc0ad401ca

%struct.Lock = type { [8 x i64] }
%struct.anon = type { ptr, i64, i64 }
%struct.Time = type { i64, i64 }
%struct.Job = type { ptr, ptr, i64, i64, ptr, ptr, ptr, ptr, i8, [63 x i8], i32, i32, [56 x i8], [32 x %struct.Share] }
%struct.Share = type { i64, [56 x i8] }
%struct.Side = type { ptr, ptr, ptr, i64, i32 }
%struct.Helper = type { i64, ptr, ptr }

@pool_lock = external global %struct.Lock, align 64
@thread_limit = internal unnamed_addr global i32 1, align 4
@worker_spins = internal unnamed_addr global i32 20000, align 4
@call_limits = internal unnamed_addr global ptr null, align 8
@system_new_lock = external local_unnamed_addr constant %struct.Lock, align 64
@pool_work = external global %struct.Lock, align 64
@pool_done = external global %struct.Lock, align 64
@system_new_condition = external local_unnamed_addr constant %struct.Lock, align 64
@jobs = internal unnamed_addr global ptr null, align 64
@helpers = internal unnamed_addr global ptr null, align 8
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
  store ptr null, ptr @helpers, align 8
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
  br i1 %11, label %27, label %12

12:
  %13 = getelementptr inbounds i8, ptr %7, i64 8
  %14 = getelementptr inbounds i8, ptr %7, i64 16
  %15 = tail call i32 @llvm.umin.i32(i32 %8, i32 32)
  %16 = zext nneg i32 %15 to i64
  %17 = getelementptr inbounds i8, ptr %7, i64 24
  %18 = getelementptr inbounds i8, ptr %7, i64 128
  %19 = getelementptr inbounds i8, ptr %7, i64 132
  %20 = getelementptr inbounds i8, ptr %7, i64 192
  %21 = getelementptr inbounds i8, ptr %7, i64 48
  %22 = getelementptr inbounds i8, ptr %7, i64 40
  %23 = getelementptr inbounds i8, ptr %7, i64 64
  %24 = getelementptr inbounds i8, ptr %7, i64 56
  %25 = getelementptr inbounds i8, ptr %7, i64 32
  %26 = getelementptr inbounds i8, ptr %5, i64 8
  br label %37

27:
  %28 = icmp sgt i64 %3, 0
  br i1 %28, label %29, label %299

29:
  %30 = phi i64 [ %33, %29 ], [ 0, %27 ]
  %31 = add nsw i64 %30, %2
  %32 = tail call i32 %0(ptr noundef %1, i64 noundef %31) #5
  %33 = add nuw nsw i64 %30, 1
  %34 = icmp slt i64 %33, %3
  %35 = icmp eq i32 %32, 0
  %36 = select i1 %34, i1 %35, i1 false
  br i1 %36, label %29, label %299

37:
  %38 = phi i64 [ %2, %12 ], [ %294, %292 ]
  %39 = phi i64 [ %3, %12 ], [ %295, %292 ]
  %40 = call i64 @llvm.umin.i64(i64 %39, i64 1073741824)
  call void @llvm.lifetime.start.p0(i64 2240, ptr nonnull %7) #7
  store ptr %0, ptr %7, align 64
  store ptr %1, ptr %13, align 8
  store i64 %38, ptr %14, align 16
  %41 = call i64 @llvm.umin.i64(i64 %16, i64 %40)
  store i64 %41, ptr %17, align 8
  store i32 0, ptr %18, align 64
  store i32 0, ptr %19, align 4
  br label %282

42:
  %43 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %44 = load i32, ptr @started, align 4
  %45 = add nsw i32 %44, 1
  %46 = icmp slt i32 %45, %8
  br i1 %46, label %47, label %62

47:
  %48 = phi i32 [ %60, %54 ], [ %45, %42 ]
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %6) #7
  %49 = sext i32 %48 to i64
  %50 = inttoptr i64 %49 to ptr
  %51 = call i32 @pthread_create(ptr noundef nonnull %6, ptr noundef null, ptr noundef nonnull @run_worker, ptr noundef %50) #5
  %52 = icmp eq i32 %51, 0
  br i1 %52, label %54, label %53

53:
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6) #7
  br label %62

54:
  %55 = load i32, ptr @started, align 4
  %56 = add nsw i32 %55, 1
  store i32 %56, ptr @started, align 4
  %57 = load i64, ptr %6, align 8
  %58 = call i32 @pthread_detach(i64 noundef %57) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6) #7
  %59 = load i32, ptr @started, align 4
  %60 = add nsw i32 %59, 1
  %61 = icmp slt i32 %60, %8
  br i1 %61, label %47, label %62

62:
  %63 = load ptr, ptr %13, align 8
  %64 = icmp eq ptr %63, null
  br i1 %64, label %67, label %65

65:
  %66 = load ptr, ptr %63, align 8
  br label %67

67:
  %68 = phi ptr [ %66, %65 ], [ null, %62 ]
  store ptr %68, ptr %21, align 16
  %69 = load ptr, ptr @helpers, align 8
  %70 = icmp eq ptr %69, null
  br i1 %70, label %83, label %71

71:
  %72 = phi ptr [ %78, %76 ], [ %69, %67 ]
  %73 = load i64, ptr %72, align 8
  %74 = call i64 @pthread_self() #5
  %75 = icmp eq i64 %73, %74
  br i1 %75, label %80, label %76

76:
  %77 = getelementptr inbounds i8, ptr %72, i64 16
  %78 = load ptr, ptr %77, align 8
  %79 = icmp eq ptr %78, null
  br i1 %79, label %83, label %71

80:
  %81 = getelementptr inbounds i8, ptr %72, i64 8
  %82 = load ptr, ptr %81, align 8
  br label %83

83:
  %84 = phi ptr [ %82, %80 ], [ null, %67 ], [ null, %76 ]
  store ptr %84, ptr %22, align 8
  %85 = icmp eq ptr %84, null
  %86 = zext i1 %85 to i8
  store i8 %86, ptr %23, align 64
  %87 = load ptr, ptr @jobs, align 64
  %88 = icmp eq ptr %87, null
  br i1 %88, label %92, label %89

89:
  %90 = load ptr, ptr %21, align 16
  %91 = icmp eq ptr %90, null
  br label %98

92:
  %93 = phi i1 [ %85, %83 ], [ %107, %106 ]
  %94 = load ptr, ptr @call_limits, align 8
  store ptr %94, ptr %24, align 8
  %95 = icmp eq ptr %94, null
  br i1 %95, label %119, label %96

96:
  %97 = load ptr, ptr %21, align 16
  br label %115

98:
  %99 = phi i1 [ %85, %89 ], [ %107, %106 ]
  %100 = phi ptr [ %87, %89 ], [ %109, %106 ]
  br i1 %91, label %106, label %101

101:
  %102 = getelementptr inbounds i8, ptr %100, i64 48
  %103 = load ptr, ptr %102, align 16
  %104 = icmp eq ptr %103, %90
  br i1 %104, label %105, label %106

105:
  store i8 0, ptr %23, align 64
  br label %106

106:
  %107 = phi i1 [ %99, %98 ], [ %99, %101 ], [ false, %105 ]
  %108 = getelementptr inbounds i8, ptr %100, i64 32
  %109 = load ptr, ptr %108, align 32
  %110 = icmp eq ptr %109, null
  br i1 %110, label %92, label %98

111:
  %112 = getelementptr inbounds i8, ptr %116, i64 8
  %113 = load ptr, ptr %112, align 8
  store ptr %113, ptr %24, align 8
  %114 = icmp eq ptr %113, null
  br i1 %114, label %119, label %115

115:
  %116 = phi ptr [ %94, %96 ], [ %113, %111 ]
  %117 = load ptr, ptr %116, align 8
  %118 = icmp eq ptr %117, %97
  br i1 %118, label %119, label %111

119:
  br i1 %93, label %120, label %122

120:
  %121 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  br label %122

122:
  store ptr %87, ptr %25, align 32
  store ptr %7, ptr @jobs, align 64
  %123 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %124 = load i32, ptr @sleeping, align 4
  %125 = icmp sgt i32 %124, 0
  %126 = load ptr, ptr %22, align 8
  %127 = icmp ne ptr %126, null
  %128 = load i32, ptr @waiting, align 4
  %129 = icmp sgt i32 %128, 0
  %130 = select i1 %127, i1 %129, i1 false
  br i1 %130, label %131, label %133

131:
  %132 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_done) #5
  br label %133

133:
  %134 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %135 = icmp eq i64 %39, 2
  %136 = and i1 %135, %125
  br i1 %136, label %137, label %139

137:
  %138 = call i32 @pthread_cond_signal(ptr noundef nonnull @pool_work) #5
  br label %142

139:
  br i1 %125, label %140, label %142

140:
  %141 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %142

142:
  br label %143

143:
  %144 = load atomic i64, ptr %20 monotonic, align 64
  br label %145

145:
  %146 = phi i64 [ %144, %143 ], [ %154, %150 ]
  %147 = and i64 %146, 4294967295
  %148 = lshr i64 %146, 32
  %149 = icmp ult i64 %147, %148
  br i1 %149, label %150, label %155

150:
  %151 = add i64 %146, 1
  %152 = cmpxchg weak ptr %20, i64 %146, i64 %151 monotonic monotonic, align 64
  %153 = extractvalue { i64, i1 } %152, 1
  %154 = extractvalue { i64, i1 } %152, 0
  br i1 %153, label %180, label %145

155:
  %156 = load i64, ptr %17, align 8
  %157 = icmp slt i64 %156, 2
  br i1 %157, label %197, label %158

158:
  %159 = phi i64 [ %178, %177 ], [ 1, %155 ]
  %160 = icmp slt i64 %159, %156
  %161 = select i1 %160, i64 0, i64 %156
  %162 = sub nsw i64 %159, %161
  %163 = getelementptr inbounds [32 x %struct.Share], ptr %20, i64 0, i64 %162
  %164 = load atomic i64, ptr %163 monotonic, align 64
  br label %165

165:
  %166 = phi i64 [ %164, %158 ], [ %174, %170 ]
  %167 = and i64 %166, 4294967295
  %168 = lshr i64 %166, 32
  %169 = icmp ult i64 %167, %168
  br i1 %169, label %170, label %177

170:
  %171 = add i64 %166, -4294967296
  %172 = cmpxchg weak ptr %163, i64 %166, i64 %171 monotonic monotonic, align 64
  %173 = extractvalue { i64, i1 } %172, 1
  %174 = extractvalue { i64, i1 } %172, 0
  br i1 %173, label %175, label %165

175:
  %176 = add nsw i64 %168, -1
  br label %180

177:
  %178 = add nuw nsw i64 %159, 1
  %179 = icmp eq i64 %156, %178
  br i1 %179, label %197, label %158

180:
  %181 = phi i64 [ %176, %175 ], [ %147, %150 ]
  %182 = load ptr, ptr %7, align 64
  %183 = load ptr, ptr %13, align 8
  %184 = load i64, ptr %14, align 16
  %185 = add nsw i64 %184, %181
  %186 = call i32 %182(ptr noundef %183, i64 noundef %185) #5
  %187 = icmp eq i32 %186, 0
  br i1 %187, label %143, label %188

188:
  %189 = cmpxchg ptr %18, i32 0, i32 %186 monotonic monotonic, align 64
  %190 = load i64, ptr %17, align 8
  %191 = icmp sgt i64 %190, 0
  br i1 %191, label %192, label %197

192:
  %193 = phi i64 [ %195, %192 ], [ 0, %188 ]
  %194 = getelementptr inbounds [32 x %struct.Share], ptr %20, i64 0, i64 %193
  store atomic i64 0, ptr %194 monotonic, align 64
  %195 = add nuw nsw i64 %193, 1
  %196 = icmp eq i64 %195, %190
  br i1 %196, label %197, label %192

197:
  %198 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %199

199:
  %200 = phi ptr [ @jobs, %197 ], [ %203, %199 ]
  %201 = load ptr, ptr %200, align 8
  %202 = icmp eq ptr %201, %7
  %203 = getelementptr inbounds i8, ptr %201, i64 32
  br i1 %202, label %204, label %199

204:
  %205 = load ptr, ptr %25, align 32
  store ptr %205, ptr %200, align 8
  %206 = load i8, ptr %23, align 64
  %207 = trunc nuw i8 %206 to i1
  br i1 %207, label %208, label %218

208:
  %209 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  %210 = load ptr, ptr @jobs, align 64
  %211 = icmp eq ptr %210, null
  br i1 %211, label %218, label %212

212:
  %213 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %214 = load i32, ptr @sleeping, align 4
  %215 = icmp sgt i32 %214, 0
  br i1 %215, label %216, label %218

216:
  %217 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %218

218:
  %219 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %220 = load atomic i32, ptr @epoch monotonic, align 64
  %221 = add i32 %220, -1
  br label %222

222:
  %223 = phi i32 [ %221, %218 ], [ %237, %242 ]
  %224 = phi i32 [ 4000, %218 ], [ %243, %242 ]
  %225 = load atomic i32, ptr %19 acquire, align 4
  %226 = icmp eq i32 %225, 0
  br i1 %226, label %292, label %227

227:
  %228 = load atomic i32, ptr @epoch acquire, align 64
  %229 = icmp eq i32 %228, %223
  br i1 %229, label %235, label %230

230:
  %231 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %232 = call fastcc zeroext i1 @help_worker_of(ptr noundef nonnull %7) #6
  %233 = select i1 %232, i32 4000, i32 %224
  %234 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %235

235:
  %236 = phi i32 [ %233, %230 ], [ %224, %227 ]
  %237 = phi i32 [ %228, %230 ], [ %223, %227 ]
  call void @system_pause() #5
  %238 = and i32 %236, 63
  %239 = icmp eq i32 %238, 0
  br i1 %239, label %240, label %242

240:
  %241 = call i32 @sched_yield() #5
  br label %242

242:
  %243 = add nsw i32 %236, -1
  %244 = icmp slt i32 %236, 2
  br i1 %244, label %245, label %222

245:
  %246 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %247 = load i32, ptr @waiting, align 4
  %248 = add nsw i32 %247, 1
  store i32 %248, ptr @waiting, align 4
  %249 = load atomic i32, ptr %19 acquire, align 4
  %250 = icmp eq i32 %249, 0
  br i1 %250, label %278, label %251

251:
  %252 = call fastcc zeroext i1 @help_worker_of(ptr noundef nonnull %7) #6
  br i1 %252, label %275, label %253

253:
  %254 = load atomic i32, ptr @pipec_attention monotonic, align 4
  %255 = icmp eq i32 %254, 0
  br i1 %255, label %264, label %256

256:
  %257 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %258 = load ptr, ptr %13, align 8
  %259 = load ptr, ptr %258, align 8
  %260 = call i32 @pipec_check(ptr noundef %259) #6
  %261 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %262 = load atomic i32, ptr %19 acquire, align 4
  %263 = icmp eq i32 %262, 0
  br i1 %263, label %278, label %264

264:
  call void @llvm.lifetime.start.p0(i64 16, ptr nonnull %5) #7
  %265 = call i32 @clock_gettime(i32 noundef 0, ptr noundef nonnull %5) #5
  %266 = load i64, ptr %26, align 8
  %267 = add nsw i64 %266, 2000000
  store i64 %267, ptr %26, align 8
  %268 = icmp sgt i64 %266, 997999999
  br i1 %268, label %269, label %273

269:
  %270 = add nsw i64 %266, -998000000
  store i64 %270, ptr %26, align 8
  %271 = load i64, ptr %5, align 8
  %272 = add nsw i64 %271, 1
  store i64 %272, ptr %5, align 8
  br label %273

273:
  %274 = call i32 @pthread_cond_timedwait(ptr noundef nonnull @pool_done, ptr noundef nonnull @pool_lock, ptr noundef nonnull %5) #5
  call void @llvm.lifetime.end.p0(i64 16, ptr nonnull %5) #7
  br label %275

275:
  %276 = load atomic i32, ptr %19 acquire, align 4
  %277 = icmp eq i32 %276, 0
  br i1 %277, label %278, label %251

278:
  %279 = load i32, ptr @waiting, align 4
  %280 = add nsw i32 %279, -1
  store i32 %280, ptr @waiting, align 4
  %281 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %292

282:
  %283 = phi i64 [ 0, %37 ], [ %287, %282 ]
  %284 = phi i64 [ 0, %37 ], [ %285, %282 ]
  %285 = add nuw nsw i64 %284, 1
  %286 = mul nuw nsw i64 %285, %40
  %287 = udiv i64 %286, %41
  %288 = getelementptr inbounds [32 x %struct.Share], ptr %20, i64 0, i64 %284
  %289 = shl i64 %287, 32
  %290 = or i64 %289, %283
  store i64 %290, ptr %288, align 64
  %291 = icmp eq i64 %285, %41
  br i1 %291, label %42, label %282

292:
  %293 = load atomic i32, ptr %18 monotonic, align 64
  call void @llvm.lifetime.end.p0(i64 2240, ptr nonnull %7) #7
  %294 = add nsw i64 %38, %40
  %295 = sub nsw i64 %39, %40
  %296 = icmp sgt i64 %295, 0
  %297 = icmp eq i32 %293, 0
  %298 = select i1 %296, i1 %297, i1 false
  br i1 %298, label %37, label %299

299:
  %300 = phi i32 [ 0, %27 ], [ %32, %29 ], [ %293, %292 ]
  ret i32 %300
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
  %7 = getelementptr inbounds i8, ptr %0, i64 192
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
  %63 = getelementptr inbounds i8, ptr %0, i64 128
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
  %2 = alloca %struct.Helper, align 8
  %3 = alloca %struct.Helper, align 8
  %4 = ptrtoint ptr %0 to i64
  %5 = tail call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %6 = load i32, ptr @started, align 4
  %7 = load atomic i32, ptr @thread_limit monotonic, align 4
  %8 = icmp sge i32 %6, %7
  %9 = sext i32 %6 to i64
  %10 = icmp eq i64 %4, %9
  %11 = and i1 %8, %10
  br i1 %11, label %17, label %12

12:
  %13 = getelementptr inbounds i8, ptr %3, i64 8
  %14 = getelementptr inbounds i8, ptr %3, i64 16
  %15 = getelementptr inbounds i8, ptr %2, i64 8
  %16 = getelementptr inbounds i8, ptr %2, i64 16
  br label %30

17:
  %18 = phi i32 [ %6, %1 ], [ %163, %161 ]
  %19 = add nsw i32 %18, -1
  store i32 %19, ptr @started, align 4
  %20 = load atomic i32, ptr @thread_limit monotonic, align 4
  %21 = icmp sgt i32 %18, %20
  br i1 %21, label %22, label %28

22:
  %23 = atomicrmw add ptr @epoch, i32 1 release, align 64
  %24 = load i32, ptr @sleeping, align 4
  %25 = icmp sgt i32 %24, 0
  br i1 %25, label %26, label %28

26:
  %27 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_work) #5
  br label %28

28:
  %29 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  ret ptr null

30:
  %31 = load atomic i32, ptr @thread_limit monotonic, align 4
  %32 = sext i32 %31 to i64
  %33 = icmp sge i64 %4, %32
  %34 = load ptr, ptr @jobs, align 64
  %35 = icmp eq ptr %34, null
  %36 = select i1 %33, i1 true, i1 %35
  br i1 %36, label %79, label %37

37:
  %38 = phi ptr [ %77, %75 ], [ %34, %30 ]
  %39 = load atomic i32, ptr @busy monotonic, align 4
  %40 = load atomic i32, ptr @thread_limit monotonic, align 4
  %41 = icmp slt i32 %39, %40
  br i1 %41, label %42, label %75

42:
  %43 = getelementptr inbounds i8, ptr %38, i64 56
  %44 = load ptr, ptr %43, align 8
  %45 = icmp eq ptr %44, null
  br i1 %45, label %53, label %46

46:
  %47 = getelementptr inbounds i8, ptr %44, i64 20
  %48 = load i32, ptr %47, align 4
  %49 = add nsw i32 %48, 1
  %50 = getelementptr inbounds i8, ptr %44, i64 16
  %51 = load i32, ptr %50, align 8
  %52 = icmp slt i32 %49, %51
  br i1 %52, label %53, label %75

53:
  %54 = getelementptr inbounds i8, ptr %38, i64 192
  %55 = getelementptr inbounds i8, ptr %38, i64 24
  %56 = load i64, ptr %55, align 8
  %57 = icmp sgt i64 %56, 0
  br i1 %57, label %58, label %75

58:
  %59 = load atomic i64, ptr %54 monotonic, align 64
  %60 = and i64 %59, 4294967295
  %61 = lshr i64 %59, 32
  %62 = icmp ult i64 %60, %61
  br i1 %62, label %109, label %63

63:
  %64 = phi i64 [ %65, %67 ], [ 0, %58 ]
  %65 = add nuw nsw i64 %64, 1
  %66 = icmp eq i64 %65, %56
  br i1 %66, label %73, label %67

67:
  %68 = getelementptr inbounds [32 x %struct.Share], ptr %54, i64 0, i64 %65
  %69 = load atomic i64, ptr %68 monotonic, align 64
  %70 = and i64 %69, 4294967295
  %71 = lshr i64 %69, 32
  %72 = icmp ult i64 %70, %71
  br i1 %72, label %73, label %63

73:
  %74 = icmp slt i64 %65, %56
  br i1 %74, label %109, label %75

75:
  %76 = getelementptr inbounds i8, ptr %38, i64 32
  %77 = load ptr, ptr %76, align 32
  %78 = icmp eq ptr %77, null
  br i1 %78, label %79, label %37

79:
  %80 = load atomic i32, ptr @epoch monotonic, align 64
  %81 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  %82 = load atomic i32, ptr @worker_spins monotonic, align 4
  br label %83

83:
  %84 = phi i32 [ %82, %79 ], [ %88, %93 ]
  %85 = load atomic i32, ptr @epoch acquire, align 64
  %86 = icmp eq i32 %85, %80
  br i1 %86, label %87, label %161

87:
  %88 = add nsw i32 %84, -1
  call void @system_pause() #5
  %89 = and i32 %84, 63
  %90 = icmp eq i32 %89, 0
  br i1 %90, label %91, label %93

91:
  %92 = call i32 @sched_yield() #5
  br label %93

93:
  %94 = icmp sgt i32 %84, 1
  br i1 %94, label %83, label %95

95:
  %96 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %97 = load atomic i32, ptr @epoch monotonic, align 64
  %98 = icmp eq i32 %97, %80
  br i1 %98, label %99, label %159

99:
  %100 = load i32, ptr @sleeping, align 4
  %101 = add nsw i32 %100, 1
  br label %102

102:
  %103 = phi i32 [ %101, %99 ], [ %105, %102 ]
  store i32 %103, ptr @sleeping, align 4
  %104 = call i32 @pthread_cond_wait(ptr noundef nonnull @pool_work, ptr noundef nonnull @pool_lock) #5
  %105 = load i32, ptr @sleeping, align 4
  %106 = add nsw i32 %105, -1
  store i32 %106, ptr @sleeping, align 4
  %107 = load atomic i32, ptr @epoch monotonic, align 64
  %108 = icmp eq i32 %107, %80
  br i1 %108, label %102, label %159

109:
  br i1 %45, label %137, label %110

110:
  %111 = getelementptr inbounds i8, ptr %44, i64 20
  %112 = load i32, ptr %111, align 4
  %113 = add nsw i32 %112, 1
  store i32 %113, ptr %111, align 4
  %114 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %3) #7
  %115 = call i64 @pthread_self() #5
  store i64 %115, ptr %3, align 8
  store ptr %38, ptr %13, align 8
  %116 = load ptr, ptr @helpers, align 8
  store ptr %116, ptr %14, align 8
  store ptr %3, ptr @helpers, align 8
  %117 = getelementptr inbounds i8, ptr %38, i64 132
  %118 = atomicrmw add ptr %117, i32 1 monotonic, align 4
  %119 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  call fastcc void @run_tasks(ptr noundef nonnull %38, i64 noundef %4) #6
  %120 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %121

121:
  %122 = phi ptr [ @helpers, %110 ], [ %125, %121 ]
  %123 = load ptr, ptr %122, align 8
  %124 = icmp eq ptr %123, %3
  %125 = getelementptr inbounds i8, ptr %123, i64 16
  br i1 %124, label %126, label %121

126:
  %127 = load ptr, ptr %14, align 8
  store ptr %127, ptr %122, align 8
  %128 = atomicrmw sub ptr %117, i32 1 release, align 4
  %129 = load i32, ptr @waiting, align 4
  %130 = icmp sgt i32 %129, 0
  br i1 %130, label %131, label %133

131:
  %132 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_done) #5
  br label %133

133:
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %3) #7
  %134 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  %135 = load i32, ptr %111, align 4
  %136 = add nsw i32 %135, -1
  store i32 %136, ptr %111, align 4
  br label %159

137:
  %138 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %2) #7
  %139 = call i64 @pthread_self() #5
  store i64 %139, ptr %2, align 8
  store ptr %38, ptr %15, align 8
  %140 = load ptr, ptr @helpers, align 8
  store ptr %140, ptr %16, align 8
  store ptr %2, ptr @helpers, align 8
  %141 = getelementptr inbounds i8, ptr %38, i64 132
  %142 = atomicrmw add ptr %141, i32 1 monotonic, align 4
  %143 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  call fastcc void @run_tasks(ptr noundef nonnull %38, i64 noundef %4) #6
  %144 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %145

145:
  %146 = phi ptr [ @helpers, %137 ], [ %149, %145 ]
  %147 = load ptr, ptr %146, align 8
  %148 = icmp eq ptr %147, %2
  %149 = getelementptr inbounds i8, ptr %147, i64 16
  br i1 %148, label %150, label %145

150:
  %151 = load ptr, ptr %16, align 8
  store ptr %151, ptr %146, align 8
  %152 = atomicrmw sub ptr %141, i32 1 release, align 4
  %153 = load i32, ptr @waiting, align 4
  %154 = icmp sgt i32 %153, 0
  br i1 %154, label %155, label %157

155:
  %156 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_done) #5
  br label %157

157:
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %2) #7
  %158 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  br label %159

159:
  %160 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  br label %161

161:
  %162 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  %163 = load i32, ptr @started, align 4
  %164 = load atomic i32, ptr @thread_limit monotonic, align 4
  %165 = icmp sge i32 %163, %164
  %166 = sext i32 %163 to i64
  %167 = icmp eq i64 %4, %166
  %168 = and i1 %165, %167
  br i1 %168, label %17, label %30
}

declare i32 @pthread_detach(i64 noundef) local_unnamed_addr #1

declare i32 @pthread_cond_wait(ptr noundef, ptr noundef) local_unnamed_addr #1

declare void @system_pause() local_unnamed_addr #1

declare i32 @sched_yield() local_unnamed_addr #1

define internal fastcc noundef zeroext i1 @help_worker_of(ptr noundef readonly %0) unnamed_addr #0 {
  %2 = alloca %struct.Helper, align 8
  %3 = load ptr, ptr @jobs, align 64
  %4 = icmp eq ptr %3, null
  br i1 %4, label %74, label %5

5:
  %6 = phi ptr [ %34, %32 ], [ %3, %1 ]
  %7 = getelementptr inbounds i8, ptr %6, i64 40
  %8 = load ptr, ptr %7, align 8
  %9 = icmp eq ptr %8, %0
  br i1 %9, label %10, label %32

10:
  %11 = getelementptr inbounds i8, ptr %6, i64 192
  %12 = getelementptr inbounds i8, ptr %6, i64 24
  %13 = load i64, ptr %12, align 8
  %14 = icmp sgt i64 %13, 0
  br i1 %14, label %15, label %32

15:
  %16 = load atomic i64, ptr %11 monotonic, align 64
  %17 = and i64 %16, 4294967295
  %18 = lshr i64 %16, 32
  %19 = icmp ult i64 %17, %18
  br i1 %19, label %36, label %20

20:
  %21 = phi i64 [ %22, %24 ], [ 0, %15 ]
  %22 = add nuw nsw i64 %21, 1
  %23 = icmp eq i64 %22, %13
  br i1 %23, label %30, label %24

24:
  %25 = getelementptr inbounds [32 x %struct.Share], ptr %11, i64 0, i64 %22
  %26 = load atomic i64, ptr %25 monotonic, align 64
  %27 = and i64 %26, 4294967295
  %28 = lshr i64 %26, 32
  %29 = icmp ult i64 %27, %28
  br i1 %29, label %30, label %20

30:
  %31 = icmp slt i64 %22, %13
  br i1 %31, label %36, label %32

32:
  %33 = getelementptr inbounds i8, ptr %6, i64 32
  %34 = load ptr, ptr %33, align 32
  %35 = icmp eq ptr %34, null
  br i1 %35, label %74, label %5

36:
  %37 = load atomic i32, ptr @busy monotonic, align 4
  %38 = getelementptr inbounds i8, ptr %0, i64 64
  %39 = load i8, ptr %38, align 64
  %40 = zext nneg i8 %39 to i32
  %41 = add nsw i32 %37, %40
  %42 = load atomic i32, ptr @thread_limit monotonic, align 4
  %43 = icmp sgt i32 %41, %42
  br i1 %43, label %74, label %44

44:
  %45 = trunc nuw i8 %39 to i1
  br i1 %45, label %46, label %48

46:
  %47 = atomicrmw add ptr @busy, i32 1 monotonic, align 4
  br label %48

48:
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %2) #7
  %49 = tail call i64 @pthread_self() #5
  store i64 %49, ptr %2, align 8
  %50 = getelementptr inbounds i8, ptr %2, i64 8
  store ptr %6, ptr %50, align 8
  %51 = getelementptr inbounds i8, ptr %2, i64 16
  %52 = load ptr, ptr @helpers, align 8
  store ptr %52, ptr %51, align 8
  store ptr %2, ptr @helpers, align 8
  %53 = getelementptr inbounds i8, ptr %6, i64 132
  %54 = atomicrmw add ptr %53, i32 1 monotonic, align 4
  %55 = call i32 @pthread_mutex_unlock(ptr noundef nonnull @pool_lock) #5
  call fastcc void @run_tasks(ptr noundef nonnull %6, i64 noundef 1) #6
  %56 = call i32 @pthread_mutex_lock(ptr noundef nonnull @pool_lock) #5
  br label %57

57:
  %58 = phi ptr [ @helpers, %48 ], [ %61, %57 ]
  %59 = load ptr, ptr %58, align 8
  %60 = icmp eq ptr %59, %2
  %61 = getelementptr inbounds i8, ptr %59, i64 16
  br i1 %60, label %62, label %57

62:
  %63 = load ptr, ptr %51, align 8
  store ptr %63, ptr %58, align 8
  %64 = atomicrmw sub ptr %53, i32 1 release, align 4
  %65 = load i32, ptr @waiting, align 4
  %66 = icmp sgt i32 %65, 0
  br i1 %66, label %67, label %69

67:
  %68 = call i32 @pthread_cond_broadcast(ptr noundef nonnull @pool_done) #5
  br label %69

69:
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %2) #7
  %70 = load i8, ptr %38, align 64
  %71 = trunc nuw i8 %70 to i1
  br i1 %71, label %72, label %74

72:
  %73 = atomicrmw add ptr @busy, i32 -1 monotonic, align 4
  br label %74

74:
  %75 = phi i1 [ false, %36 ], [ true, %72 ], [ true, %69 ], [ false, %1 ], [ false, %32 ]
  ret i1 %75
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


