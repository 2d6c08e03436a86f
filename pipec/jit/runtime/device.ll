; Compiled from device.c by tools/build_runtime.py with clang 19.
; 664f02a8f3b2d830df925a8f08f3d5a6

%struct.FreeMemory = type { i64, i64 }
%struct.RunBuffer = type { i64, ptr, %struct.Allocation }
%struct.Allocation = type { i64, i64, i64, i64, ptr, i64 }
%struct.KernelArgument = type { i64, i64, i64, i64 }
%struct.Event = type { i64, i64 }
%struct.Run = type { ptr, ptr, ptr, ptr, i64, i64, ptr, i64, i64, i64, i64 }
%struct.CallTable = type { ptr, ptr, ptr, ptr }
%struct.Resident = type { i64, ptr }

define weak i64 @pipec_pool_take(ptr noundef %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = load ptr, ptr %0, align 8
  %4 = tail call i32 @pthread_mutex_lock(ptr noundef %3) #8
  %5 = getelementptr inbounds i8, ptr %0, i64 48
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds i8, ptr %0, i64 8
  %8 = load i64, ptr %7, align 8
  %9 = getelementptr inbounds %struct.FreeMemory, ptr %6, i64 %8
  %10 = icmp sgt i64 %8, 0
  br i1 %10, label %13, label %39

11:
  %12 = icmp eq ptr %28, null
  br i1 %12, label %39, label %31

13:
  %14 = phi ptr [ %29, %27 ], [ %6, %2 ]
  %15 = phi ptr [ %28, %27 ], [ null, %2 ]
  %16 = load i64, ptr %14, align 8
  %17 = icmp eq i64 %16, %1
  br i1 %17, label %18, label %27

18:
  %19 = icmp eq ptr %15, null
  br i1 %19, label %26, label %20

20:
  %21 = getelementptr inbounds i8, ptr %14, i64 8
  %22 = load i64, ptr %21, align 8
  %23 = getelementptr inbounds i8, ptr %15, i64 8
  %24 = load i64, ptr %23, align 8
  %25 = icmp ult i64 %22, %24
  br i1 %25, label %26, label %27

26:
  br label %27

27:
  %28 = phi ptr [ %14, %26 ], [ %15, %20 ], [ %15, %13 ]
  %29 = getelementptr inbounds i8, ptr %14, i64 16
  %30 = icmp ult ptr %29, %9
  br i1 %30, label %13, label %11

31:
  %32 = getelementptr inbounds i8, ptr %28, i64 8
  %33 = load i64, ptr %32, align 8
  %34 = add nsw i64 %8, -1
  store i64 %34, ptr %7, align 8
  %35 = getelementptr inbounds %struct.FreeMemory, ptr %6, i64 %34
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %28, ptr noundef nonnull align 8 dereferenceable(16) %35, i64 16, i1 false)
  %36 = getelementptr inbounds i8, ptr %0, i64 24
  %37 = load i64, ptr %36, align 8
  %38 = sub nsw i64 %37, %1
  store i64 %38, ptr %36, align 8
  br label %39

39:
  %40 = phi i64 [ %33, %31 ], [ 0, %11 ], [ 0, %2 ]
  %41 = load ptr, ptr %0, align 8
  %42 = tail call i32 @pthread_mutex_unlock(ptr noundef %41) #8
  ret i64 %40
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_mutex_lock(ptr noundef) local_unnamed_addr #2

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #3

declare i32 @pthread_mutex_unlock(ptr noundef) local_unnamed_addr #2

define weak i32 @pipec_pool_give(ptr noundef %0, i64 noundef %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = getelementptr inbounds i8, ptr %0, i64 16
  %5 = load i64, ptr %4, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 32
  %7 = load i64, ptr %6, align 8
  %8 = load ptr, ptr %0, align 8
  %9 = tail call i32 @pthread_mutex_lock(ptr noundef %8) #8
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  %11 = load i64, ptr %10, align 8
  %12 = icmp slt i64 %11, %5
  br i1 %12, label %13, label %26

13:
  %14 = getelementptr inbounds i8, ptr %0, i64 24
  %15 = load i64, ptr %14, align 8
  %16 = add nsw i64 %15, %1
  %17 = icmp sgt i64 %16, %7
  br i1 %17, label %26, label %18

18:
  %19 = getelementptr inbounds i8, ptr %0, i64 48
  %20 = load ptr, ptr %19, align 8
  %21 = add nsw i64 %11, 1
  store i64 %21, ptr %10, align 8
  %22 = getelementptr inbounds %struct.FreeMemory, ptr %20, i64 %11
  store i64 %1, ptr %22, align 8
  %23 = getelementptr inbounds i8, ptr %22, i64 8
  store i64 %2, ptr %23, align 8
  %24 = load i64, ptr %14, align 8
  %25 = add nsw i64 %24, %1
  store i64 %25, ptr %14, align 8
  br label %26

26:
  %27 = phi i32 [ 1, %18 ], [ 0, %13 ], [ 0, %3 ]
  %28 = load ptr, ptr %0, align 8
  %29 = tail call i32 @pthread_mutex_unlock(ptr noundef %28) #8
  ret i32 %27
}

define weak i32 @pipec_device(ptr noundef %0, i32 noundef %1, i32 noundef %2, ptr noundef %3) #0 {
  %5 = alloca [3 x i64], align 16
  %6 = alloca i64, align 8
  %7 = getelementptr inbounds i8, ptr %0, i64 24
  %8 = load ptr, ptr %7, align 8
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds i8, ptr %9, i64 32
  %11 = load ptr, ptr %10, align 8
  %12 = sext i32 %1 to i64
  %13 = getelementptr inbounds ptr, ptr %11, i64 %12
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, null
  br i1 %15, label %16, label %20

16:
  %17 = getelementptr inbounds i8, ptr %8, i64 8
  %18 = load ptr, ptr %17, align 8
  %19 = tail call i32 %18(ptr noundef nonnull %0, i32 noundef %1, i32 noundef %2, ptr noundef %3) #8
  br label %518

20:
  %21 = load ptr, ptr %9, align 8
  %22 = tail call i32 @pthread_mutex_lock(ptr noundef %21) #8
  %23 = load ptr, ptr %7, align 8
  %24 = load i64, ptr %14, align 8
  switch i64 %24, label %509 [
    i64 1, label %25
    i64 2, label %305
    i64 3, label %381
    i64 4, label %437
  ]

25:
  %26 = load i64, ptr %3, align 8
  %27 = icmp slt i64 %26, 1
  br i1 %27, label %513, label %28

28:
  %29 = getelementptr inbounds i8, ptr %3, i64 8
  %30 = load i64, ptr %29, align 8
  %31 = icmp slt i64 %30, 1
  br i1 %31, label %513, label %32

32:
  %33 = getelementptr inbounds i8, ptr %3, i64 16
  %34 = load i64, ptr %33, align 8
  %35 = icmp slt i64 %34, 1
  br i1 %35, label %513, label %36

36:
  %37 = getelementptr inbounds i8, ptr %3, i64 24
  %38 = load i64, ptr %37, align 8
  %39 = getelementptr inbounds i8, ptr %14, i64 56
  %40 = load i64, ptr %39, align 8
  %41 = icmp sgt i64 %38, %40
  br i1 %41, label %111, label %42

42:
  %43 = getelementptr inbounds i8, ptr %3, i64 32
  %44 = load i64, ptr %43, align 8
  %45 = getelementptr inbounds i8, ptr %14, i64 64
  %46 = load i64, ptr %45, align 8
  %47 = icmp sgt i64 %44, %46
  br i1 %47, label %111, label %48

48:
  %49 = getelementptr inbounds i8, ptr %3, i64 40
  %50 = load i64, ptr %49, align 8
  %51 = getelementptr inbounds i8, ptr %14, i64 72
  %52 = load i64, ptr %51, align 8
  %53 = icmp sgt i64 %50, %52
  br i1 %53, label %111, label %54

54:
  %55 = mul nsw i64 %44, %38
  %56 = mul nsw i64 %55, %50
  %57 = getelementptr inbounds i8, ptr %14, i64 48
  %58 = load i64, ptr %57, align 8
  %59 = icmp sgt i64 %56, %58
  br i1 %59, label %111, label %60

60:
  %61 = getelementptr inbounds i8, ptr %23, i64 64
  %62 = load i64, ptr %61, align 8
  %63 = icmp eq i64 %62, 0
  br i1 %63, label %68, label %64

64:
  %65 = getelementptr inbounds i8, ptr %23, i64 56
  %66 = load i64, ptr %65, align 8
  %67 = icmp slt i64 %66, %62
  br i1 %67, label %68, label %111

68:
  %69 = getelementptr inbounds i8, ptr %3, i64 48
  %70 = getelementptr inbounds i8, ptr %14, i64 40
  %71 = load i64, ptr %70, align 8
  %72 = getelementptr inbounds i64, ptr %69, i64 %71
  %73 = getelementptr inbounds i8, ptr %14, i64 8
  %74 = load i64, ptr %73, align 8
  %75 = icmp slt i64 %74, 1
  br i1 %75, label %121, label %76

76:
  %77 = getelementptr inbounds i8, ptr %23, i64 32
  %78 = load i64, ptr %77, align 8
  %79 = icmp sgt i64 %78, 0
  br i1 %79, label %80, label %111

80:
  %81 = getelementptr inbounds i8, ptr %23, i64 24
  %82 = load ptr, ptr %81, align 8
  br label %83

83:
  %84 = phi i1 [ false, %80 ], [ %107, %105 ]
  %85 = phi i64 [ 0, %80 ], [ %106, %105 ]
  %86 = getelementptr inbounds i64, ptr %72, i64 %85
  %87 = load i64, ptr %86, align 8
  br label %91

88:
  %89 = add nuw nsw i64 %92, 1
  %90 = icmp eq i64 %89, %78
  br i1 %90, label %109, label %91

91:
  %92 = phi i64 [ 0, %83 ], [ %89, %88 ]
  %93 = getelementptr inbounds %struct.RunBuffer, ptr %82, i64 %92
  %94 = load i64, ptr %93, align 8
  %95 = icmp eq i64 %94, %87
  br i1 %95, label %96, label %88

96:
  %97 = getelementptr inbounds i8, ptr %93, i64 8
  %98 = load ptr, ptr %97, align 8
  %99 = icmp eq ptr %98, null
  %100 = getelementptr inbounds i8, ptr %93, i64 16
  %101 = select i1 %99, ptr %100, ptr %98
  %102 = getelementptr inbounds i8, ptr %101, i64 8
  %103 = load i64, ptr %102, align 8
  %104 = icmp eq i64 %103, 0
  br i1 %104, label %105, label %109

105:
  %106 = add nuw nsw i64 %85, 1
  %107 = icmp sge i64 %106, %74
  %108 = icmp eq i64 %106, %74
  br i1 %108, label %109, label %83

109:
  %110 = phi i1 [ %84, %88 ], [ %107, %105 ], [ %84, %96 ]
  br i1 %110, label %121, label %111

111:
  %112 = getelementptr inbounds i8, ptr %23, i64 8
  %113 = load ptr, ptr %112, align 8
  %114 = tail call i32 %113(ptr noundef %0, i32 noundef %1, i32 noundef 1, ptr noundef nonnull %3) #8
  %115 = icmp sgt i32 %114, -1
  br i1 %115, label %116, label %513

116:
  %117 = getelementptr inbounds i8, ptr %14, i64 40
  %118 = load i64, ptr %117, align 8
  %119 = getelementptr inbounds i8, ptr %14, i64 8
  %120 = load i64, ptr %119, align 8
  br label %121

121:
  %122 = phi i64 [ %120, %116 ], [ %74, %68 ], [ %74, %109 ]
  %123 = phi i64 [ %118, %116 ], [ %71, %68 ], [ %71, %109 ]
  %124 = load ptr, ptr %23, align 8
  %125 = getelementptr inbounds i8, ptr %124, i64 8
  %126 = load ptr, ptr %125, align 8
  %127 = getelementptr inbounds i8, ptr %126, i64 40
  %128 = load i64, ptr %127, align 8
  %129 = getelementptr inbounds i8, ptr %14, i64 88
  %130 = load i64, ptr %129, align 8
  %131 = icmp eq i64 %130, %128
  store i64 %128, ptr %129, align 8
  %132 = getelementptr inbounds i8, ptr %14, i64 40
  %133 = getelementptr inbounds i8, ptr %14, i64 8
  %134 = getelementptr inbounds i8, ptr %3, i64 48
  %135 = add nsw i64 %123, %122
  %136 = icmp sgt i64 %135, 0
  br i1 %136, label %137, label %211

137:
  %138 = getelementptr inbounds i8, ptr %14, i64 80
  %139 = getelementptr inbounds i8, ptr %23, i64 32
  %140 = getelementptr inbounds i8, ptr %23, i64 24
  %141 = getelementptr inbounds i8, ptr %14, i64 24
  br label %142

142:
  %143 = phi i64 [ %122, %137 ], [ %205, %204 ]
  %144 = phi i64 [ %123, %137 ], [ %206, %204 ]
  %145 = phi i64 [ 0, %137 ], [ %207, %204 ]
  %146 = load ptr, ptr %138, align 8
  %147 = getelementptr inbounds %struct.KernelArgument, ptr %146, i64 %145
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %6) #9
  %148 = getelementptr inbounds i64, ptr %134, i64 %145
  %149 = load i64, ptr %148, align 8
  store i64 %149, ptr %6, align 8
  %150 = icmp slt i64 %145, %144
  br i1 %150, label %172, label %151

151:
  %152 = load i64, ptr %139, align 8
  %153 = icmp sgt i64 %152, 0
  call void @llvm.assume(i1 %153)
  %154 = load ptr, ptr %140, align 8
  %155 = load i64, ptr %154, align 8
  %156 = icmp eq i64 %155, %149
  br i1 %156, label %164, label %157

157:
  %158 = phi i64 [ %159, %157 ], [ 0, %151 ]
  %159 = add nuw nsw i64 %158, 1
  %160 = icmp ne i64 %159, %152
  call void @llvm.assume(i1 %160)
  %161 = getelementptr inbounds %struct.RunBuffer, ptr %154, i64 %159
  %162 = load i64, ptr %161, align 8
  %163 = icmp eq i64 %162, %149
  br i1 %163, label %164, label %157

164:
  %165 = phi ptr [ %154, %151 ], [ %161, %157 ]
  %166 = getelementptr inbounds i8, ptr %165, i64 8
  %167 = load ptr, ptr %166, align 8
  %168 = icmp eq ptr %167, null
  %169 = getelementptr inbounds i8, ptr %165, i64 16
  %170 = select i1 %168, ptr %169, ptr %167
  %171 = load i64, ptr %170, align 8
  store i64 %171, ptr %6, align 8
  br label %172

172:
  %173 = phi i64 [ %171, %164 ], [ %149, %142 ]
  br i1 %131, label %174, label %182

174:
  %175 = getelementptr inbounds i8, ptr %147, i64 16
  %176 = load i64, ptr %175, align 8
  %177 = icmp eq i64 %176, 0
  br i1 %177, label %182, label %178

178:
  %179 = getelementptr inbounds i8, ptr %147, i64 24
  %180 = load i64, ptr %179, align 8
  %181 = icmp eq i64 %180, %173
  br i1 %181, label %204, label %182

182:
  %183 = getelementptr inbounds i8, ptr %147, i64 16
  store i64 1, ptr %183, align 8
  %184 = load i64, ptr %6, align 8
  %185 = getelementptr inbounds i8, ptr %147, i64 24
  store i64 %184, ptr %185, align 8
  %186 = getelementptr inbounds i8, ptr %147, i64 8
  %187 = load i64, ptr %186, align 8
  %188 = icmp eq i64 %187, 0
  br i1 %188, label %192, label %189

189:
  %190 = bitcast i64 %184 to double
  %191 = fptrunc double %190 to float
  store float %191, ptr %6, align 8
  br label %192

192:
  %193 = load ptr, ptr %23, align 8
  %194 = getelementptr inbounds i8, ptr %193, i64 16
  %195 = load ptr, ptr %194, align 8
  %196 = load ptr, ptr %141, align 8
  %197 = trunc i64 %145 to i32
  %198 = load i64, ptr %147, align 8
  %199 = call i32 %195(ptr noundef %196, i32 noundef %197, i64 noundef %198, ptr noundef nonnull %6) #8
  %200 = icmp eq i32 %199, 0
  br i1 %200, label %201, label %210

201:
  %202 = load i64, ptr %132, align 8
  %203 = load i64, ptr %133, align 8
  br label %204

204:
  %205 = phi i64 [ %203, %201 ], [ %143, %178 ]
  %206 = phi i64 [ %202, %201 ], [ %144, %178 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6) #9
  %207 = add nuw nsw i64 %145, 1
  %208 = add nsw i64 %206, %205
  %209 = icmp slt i64 %207, %208
  br i1 %209, label %142, label %211

210:
  store i64 -1, ptr %129, align 8
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6) #9
  br label %254

211:
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %5) #9
  br label %216

212:
  %213 = getelementptr inbounds i8, ptr %23, i64 48
  %214 = load ptr, ptr %213, align 8
  %215 = icmp eq ptr %214, null
  br i1 %215, label %230, label %226

216:
  %217 = phi i64 [ 0, %211 ], [ %224, %216 ]
  %218 = getelementptr inbounds i64, ptr %3, i64 %217
  %219 = load i64, ptr %218, align 8
  %220 = getelementptr inbounds i8, ptr %218, i64 24
  %221 = load i64, ptr %220, align 8
  %222 = mul nsw i64 %221, %219
  %223 = getelementptr inbounds [3 x i64], ptr %5, i64 0, i64 %217
  store i64 %222, ptr %223, align 8
  %224 = add nuw nsw i64 %217, 1
  %225 = icmp eq i64 %224, 3
  br i1 %225, label %212, label %216

226:
  %227 = getelementptr inbounds i8, ptr %23, i64 56
  %228 = load i64, ptr %227, align 8
  %229 = getelementptr inbounds %struct.Event, ptr %214, i64 %228
  br label %230

230:
  %231 = phi ptr [ %229, %226 ], [ null, %212 ]
  %232 = load ptr, ptr %23, align 8
  %233 = getelementptr inbounds i8, ptr %232, i64 24
  %234 = load ptr, ptr %233, align 8
  %235 = getelementptr inbounds i8, ptr %23, i64 16
  %236 = load ptr, ptr %235, align 8
  %237 = getelementptr inbounds i8, ptr %14, i64 24
  %238 = load ptr, ptr %237, align 8
  %239 = call i32 %234(ptr noundef %236, ptr noundef %238, i32 noundef 3, ptr noundef null, ptr noundef nonnull %5, ptr noundef nonnull %37, i32 noundef 0, ptr noundef null, ptr noundef %231) #8
  %240 = icmp eq i32 %239, 0
  br i1 %240, label %241, label %253

241:
  %242 = getelementptr inbounds i8, ptr %23, i64 80
  %243 = load i64, ptr %242, align 8
  %244 = add nsw i64 %243, 1
  store i64 %244, ptr %242, align 8
  %245 = icmp eq ptr %231, null
  br i1 %245, label %261, label %246

246:
  %247 = getelementptr inbounds i8, ptr %14, i64 32
  %248 = load i64, ptr %247, align 8
  %249 = getelementptr inbounds i8, ptr %231, i64 8
  store i64 %248, ptr %249, align 8
  %250 = getelementptr inbounds i8, ptr %23, i64 56
  %251 = load i64, ptr %250, align 8
  %252 = add nsw i64 %251, 1
  store i64 %252, ptr %250, align 8
  br label %261

253:
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %5) #9
  br label %254

254:
  %255 = phi i32 [ %199, %210 ], [ %239, %253 ]
  %256 = sext i32 %255 to i64
  %257 = getelementptr inbounds i8, ptr %23, i64 72
  store i64 %256, ptr %257, align 8
  %258 = getelementptr inbounds i8, ptr %23, i64 8
  %259 = load ptr, ptr %258, align 8
  %260 = call i32 %259(ptr noundef %0, i32 noundef %1, i32 noundef 1, ptr noundef nonnull %3) #8
  br label %513

261:
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %5) #9
  %262 = load i64, ptr %132, align 8
  %263 = getelementptr inbounds i64, ptr %134, i64 %262
  %264 = load i64, ptr %133, align 8
  %265 = icmp sgt i64 %264, 0
  br i1 %265, label %266, label %513

266:
  %267 = getelementptr inbounds i8, ptr %14, i64 16
  %268 = getelementptr inbounds i8, ptr %23, i64 32
  %269 = getelementptr inbounds i8, ptr %23, i64 24
  br label %270

270:
  %271 = phi i64 [ %264, %266 ], [ %302, %301 ]
  %272 = phi i64 [ 0, %266 ], [ %303, %301 ]
  %273 = load ptr, ptr %267, align 8
  %274 = getelementptr inbounds i64, ptr %273, i64 %272
  %275 = load i64, ptr %274, align 8
  %276 = icmp eq i64 %275, 0
  br i1 %276, label %301, label %277

277:
  %278 = getelementptr inbounds i64, ptr %263, i64 %272
  %279 = load i64, ptr %278, align 8
  %280 = load i64, ptr %268, align 8
  %281 = icmp sgt i64 %280, 0
  call void @llvm.assume(i1 %281)
  %282 = load ptr, ptr %269, align 8
  %283 = load i64, ptr %282, align 8
  %284 = icmp eq i64 %283, %279
  br i1 %284, label %292, label %285

285:
  %286 = phi i64 [ %287, %285 ], [ 0, %277 ]
  %287 = add nuw nsw i64 %286, 1
  %288 = icmp ne i64 %287, %280
  call void @llvm.assume(i1 %288)
  %289 = getelementptr inbounds %struct.RunBuffer, ptr %282, i64 %287
  %290 = load i64, ptr %289, align 8
  %291 = icmp eq i64 %290, %279
  br i1 %291, label %292, label %285

292:
  %293 = phi ptr [ %282, %277 ], [ %289, %285 ]
  %294 = getelementptr inbounds i8, ptr %293, i64 8
  %295 = load ptr, ptr %294, align 8
  %296 = icmp eq ptr %295, null
  %297 = getelementptr inbounds i8, ptr %293, i64 16
  %298 = select i1 %296, ptr %297, ptr %295
  %299 = getelementptr inbounds i8, ptr %298, i64 16
  store i64 1, ptr %299, align 8
  %300 = load i64, ptr %133, align 8
  br label %301

301:
  %302 = phi i64 [ %271, %270 ], [ %300, %292 ]
  %303 = add nuw nsw i64 %272, 1
  %304 = icmp slt i64 %303, %302
  br i1 %304, label %270, label %513

305:
  %306 = getelementptr inbounds i8, ptr %14, i64 8
  %307 = load i64, ptr %306, align 8
  %308 = icmp slt i64 %307, 1
  br i1 %308, label %513, label %309

309:
  %310 = getelementptr inbounds i8, ptr %23, i64 32
  %311 = load i64, ptr %310, align 8
  %312 = icmp sgt i64 %311, 0
  br i1 %312, label %313, label %509

313:
  %314 = getelementptr inbounds i8, ptr %23, i64 24
  %315 = load ptr, ptr %314, align 8
  br label %316

316:
  %317 = phi i1 [ false, %313 ], [ %340, %338 ]
  %318 = phi i64 [ 0, %313 ], [ %339, %338 ]
  %319 = getelementptr inbounds i64, ptr %3, i64 %318
  %320 = load i64, ptr %319, align 8
  br label %324

321:
  %322 = add nuw nsw i64 %325, 1
  %323 = icmp eq i64 %322, %311
  br i1 %323, label %342, label %324

324:
  %325 = phi i64 [ 0, %316 ], [ %322, %321 ]
  %326 = getelementptr inbounds %struct.RunBuffer, ptr %315, i64 %325
  %327 = load i64, ptr %326, align 8
  %328 = icmp eq i64 %327, %320
  br i1 %328, label %329, label %321

329:
  %330 = getelementptr inbounds i8, ptr %326, i64 8
  %331 = load ptr, ptr %330, align 8
  %332 = icmp eq ptr %331, null
  %333 = getelementptr inbounds i8, ptr %326, i64 16
  %334 = select i1 %332, ptr %333, ptr %331
  %335 = getelementptr inbounds i8, ptr %334, i64 16
  %336 = load i64, ptr %335, align 8
  %337 = icmp eq i64 %336, 0
  br i1 %337, label %338, label %342

338:
  %339 = add nuw nsw i64 %318, 1
  %340 = icmp sge i64 %339, %307
  %341 = icmp eq i64 %339, %307
  br i1 %341, label %342, label %316

342:
  %343 = phi i1 [ %317, %321 ], [ %317, %329 ], [ %340, %338 ]
  br i1 %343, label %344, label %509

344:
  %345 = getelementptr inbounds i8, ptr %14, i64 16
  br label %346

346:
  %347 = phi i64 [ %307, %344 ], [ %378, %377 ]
  %348 = phi i64 [ 0, %344 ], [ %379, %377 ]
  %349 = load ptr, ptr %345, align 8
  %350 = getelementptr inbounds i64, ptr %349, i64 %348
  %351 = load i64, ptr %350, align 8
  %352 = icmp eq i64 %351, 0
  br i1 %352, label %377, label %353

353:
  %354 = getelementptr inbounds i64, ptr %3, i64 %348
  %355 = load i64, ptr %354, align 8
  %356 = load i64, ptr %310, align 8
  %357 = icmp sgt i64 %356, 0
  tail call void @llvm.assume(i1 %357)
  %358 = load ptr, ptr %314, align 8
  %359 = load i64, ptr %358, align 8
  %360 = icmp eq i64 %359, %355
  br i1 %360, label %368, label %361

361:
  %362 = phi i64 [ %363, %361 ], [ 0, %353 ]
  %363 = add nuw nsw i64 %362, 1
  %364 = icmp ne i64 %363, %356
  tail call void @llvm.assume(i1 %364)
  %365 = getelementptr inbounds %struct.RunBuffer, ptr %358, i64 %363
  %366 = load i64, ptr %365, align 8
  %367 = icmp eq i64 %366, %355
  br i1 %367, label %368, label %361

368:
  %369 = phi ptr [ %358, %353 ], [ %365, %361 ]
  %370 = getelementptr inbounds i8, ptr %369, i64 8
  %371 = load ptr, ptr %370, align 8
  %372 = icmp eq ptr %371, null
  %373 = getelementptr inbounds i8, ptr %369, i64 16
  %374 = select i1 %372, ptr %373, ptr %371
  %375 = getelementptr inbounds i8, ptr %374, i64 8
  store i64 1, ptr %375, align 8
  %376 = load i64, ptr %306, align 8
  br label %377

377:
  %378 = phi i64 [ %347, %346 ], [ %376, %368 ]
  %379 = add nuw nsw i64 %348, 1
  %380 = icmp slt i64 %379, %378
  br i1 %380, label %346, label %513

381:
  %382 = getelementptr inbounds i8, ptr %3, i64 8
  %383 = load i64, ptr %382, align 8
  %384 = icmp sgt i64 %383, 2147483647
  br i1 %384, label %509, label %385

385:
  %386 = getelementptr inbounds i8, ptr %23, i64 32
  %387 = load i64, ptr %386, align 8
  %388 = icmp sgt i64 %387, 0
  br i1 %388, label %389, label %400

389:
  %390 = getelementptr inbounds i8, ptr %23, i64 24
  %391 = load ptr, ptr %390, align 8
  br label %395

392:
  %393 = add nuw nsw i64 %396, 1
  %394 = icmp eq i64 %393, %387
  br i1 %394, label %400, label %395

395:
  %396 = phi i64 [ 0, %389 ], [ %393, %392 ]
  %397 = getelementptr inbounds %struct.RunBuffer, ptr %391, i64 %396
  %398 = load i64, ptr %397, align 8
  %399 = icmp eq i64 %398, 0
  br i1 %399, label %408, label %392

400:
  %401 = getelementptr inbounds i8, ptr %23, i64 40
  %402 = load i64, ptr %401, align 8
  %403 = icmp slt i64 %387, %402
  br i1 %403, label %404, label %509

404:
  %405 = getelementptr inbounds i8, ptr %23, i64 24
  %406 = load ptr, ptr %405, align 8
  %407 = getelementptr inbounds %struct.RunBuffer, ptr %406, i64 %387
  br label %408

408:
  %409 = phi i64 [ 1, %404 ], [ 0, %395 ]
  %410 = phi ptr [ %407, %404 ], [ %397, %395 ]
  %411 = load ptr, ptr %23, align 8
  %412 = getelementptr inbounds i8, ptr %411, i64 8
  %413 = load ptr, ptr %412, align 8
  %414 = tail call i64 @llvm.smax.i64(i64 %383, i64 1)
  br label %415

415:
  %416 = phi i64 [ 4096, %408 ], [ %419, %415 ]
  %417 = shl nsw i64 %416, 3
  %418 = icmp ult i64 %417, %414
  %419 = shl nsw i64 %416, 1
  br i1 %418, label %415, label %420

420:
  %421 = add nsw i64 %414, -1
  %422 = add i64 %421, %416
  %423 = sub nsw i64 0, %416
  %424 = and i64 %422, %423
  %425 = tail call i64 @pipec_pool_take(ptr noundef %413, i64 noundef %424) #10
  %426 = icmp eq i64 %425, 0
  br i1 %426, label %509, label %427

427:
  %428 = load i64, ptr %386, align 8
  %429 = add nsw i64 %428, %409
  store i64 %429, ptr %386, align 8
  %430 = load i64, ptr %3, align 8
  store i64 %430, ptr %410, align 8
  %431 = getelementptr inbounds i8, ptr %410, i64 8
  store ptr null, ptr %431, align 8
  %432 = getelementptr inbounds i8, ptr %410, i64 16
  store i64 %425, ptr %432, align 8
  %433 = getelementptr inbounds i8, ptr %410, i64 32
  store i64 0, ptr %433, align 8
  %434 = getelementptr inbounds i8, ptr %410, i64 24
  store i64 0, ptr %434, align 8
  %435 = load i64, ptr %382, align 8
  %436 = getelementptr inbounds i8, ptr %410, i64 40
  store i64 %435, ptr %436, align 8
  br label %513

437:
  %438 = load i64, ptr %3, align 8
  %439 = getelementptr inbounds i8, ptr %23, i64 32
  %440 = load i64, ptr %439, align 8
  %441 = icmp sgt i64 %440, 0
  br i1 %441, label %442, label %509

442:
  %443 = getelementptr inbounds i8, ptr %23, i64 24
  %444 = load ptr, ptr %443, align 8
  br label %448

445:
  %446 = add nuw nsw i64 %449, 1
  %447 = icmp eq i64 %446, %440
  br i1 %447, label %509, label %448

448:
  %449 = phi i64 [ 0, %442 ], [ %446, %445 ]
  %450 = getelementptr inbounds %struct.RunBuffer, ptr %444, i64 %449
  %451 = load i64, ptr %450, align 8
  %452 = icmp eq i64 %451, %438
  br i1 %452, label %453, label %445

453:
  %454 = getelementptr inbounds i8, ptr %450, i64 16
  %455 = getelementptr inbounds i8, ptr %23, i64 8
  %456 = load ptr, ptr %455, align 8
  %457 = icmp eq ptr %456, @refuse
  %458 = load ptr, ptr %23, align 8
  %459 = getelementptr inbounds i8, ptr %458, i64 8
  %460 = load ptr, ptr %459, align 8
  %461 = getelementptr inbounds i8, ptr %450, i64 40
  %462 = load i64, ptr %461, align 8
  %463 = tail call i64 @llvm.smax.i64(i64 %462, i64 1)
  br i1 %457, label %464, label %495

464:
  %465 = phi i64 [ %468, %464 ], [ 4096, %453 ]
  %466 = shl nsw i64 %465, 3
  %467 = icmp ult i64 %466, %463
  %468 = shl nsw i64 %465, 1
  br i1 %467, label %464, label %469

469:
  %470 = load i64, ptr %454, align 8
  %471 = getelementptr inbounds i8, ptr %460, i64 16
  %472 = load i64, ptr %471, align 8
  %473 = shl nsw i64 %472, 1
  %474 = load ptr, ptr %460, align 8
  %475 = tail call i32 @pthread_mutex_lock(ptr noundef %474) #8
  %476 = getelementptr inbounds i8, ptr %460, i64 8
  %477 = load i64, ptr %476, align 8
  %478 = icmp slt i64 %477, %473
  br i1 %478, label %479, label %492

479:
  %480 = add nsw i64 %463, -1
  %481 = add i64 %480, %465
  %482 = sub nsw i64 0, %465
  %483 = and i64 %481, %482
  %484 = getelementptr inbounds i8, ptr %460, i64 24
  %485 = getelementptr inbounds i8, ptr %460, i64 48
  %486 = load ptr, ptr %485, align 8
  %487 = add nsw i64 %477, 1
  store i64 %487, ptr %476, align 8
  %488 = getelementptr inbounds %struct.FreeMemory, ptr %486, i64 %477
  store i64 %483, ptr %488, align 8
  %489 = getelementptr inbounds i8, ptr %488, i64 8
  store i64 %470, ptr %489, align 8
  %490 = load i64, ptr %484, align 8
  %491 = add nsw i64 %490, %483
  store i64 %491, ptr %484, align 8
  br label %492

492:
  %493 = load ptr, ptr %460, align 8
  %494 = tail call i32 @pthread_mutex_unlock(ptr noundef %493) #8
  br label %508

495:
  %496 = phi i64 [ %499, %495 ], [ 4096, %453 ]
  %497 = shl nsw i64 %496, 3
  %498 = icmp ult i64 %497, %463
  %499 = shl nsw i64 %496, 1
  br i1 %498, label %495, label %500

500:
  %501 = add nsw i64 %463, -1
  %502 = add i64 %501, %496
  %503 = sub nsw i64 0, %496
  %504 = and i64 %502, %503
  %505 = load i64, ptr %454, align 8
  %506 = tail call i32 @pipec_pool_give(ptr noundef %460, i64 noundef %504, i64 noundef %505) #10
  %507 = icmp eq i32 %506, 0
  br i1 %507, label %509, label %508

508:
  store i64 0, ptr %450, align 8
  br label %513

509:
  %510 = getelementptr inbounds i8, ptr %23, i64 8
  %511 = load ptr, ptr %510, align 8
  %512 = tail call i32 %511(ptr noundef %0, i32 noundef %1, i32 noundef 1, ptr noundef %3) #8
  br label %513

513:
  %514 = phi i32 [ %512, %509 ], [ %114, %111 ], [ 0, %32 ], [ 0, %28 ], [ 0, %25 ], [ %260, %254 ], [ 0, %261 ], [ 0, %508 ], [ 0, %427 ], [ 0, %305 ], [ 0, %301 ], [ 0, %377 ]
  %515 = load ptr, ptr %8, align 8
  %516 = load ptr, ptr %515, align 8
  %517 = call i32 @pthread_mutex_unlock(ptr noundef %516) #8
  br label %518

518:
  %519 = phi i32 [ %19, %16 ], [ %514, %513 ]
  ret i32 %519
}

define weak i32 @pipec_device_run(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, ptr noundef %4, i64 noundef %5) local_unnamed_addr #0 {
  %7 = alloca %struct.Run, align 8
  %8 = alloca %struct.CallTable, align 8
  %9 = getelementptr inbounds i8, ptr %0, i64 48
  %10 = load ptr, ptr %9, align 8
  %11 = load i64, ptr %10, align 8
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %157, label %13

13:
  %14 = getelementptr inbounds i8, ptr %0, i64 56
  %15 = load i64, ptr %14, align 8
  %16 = tail call ptr @llvm.stacksave.p0()
  %17 = alloca %struct.RunBuffer, i64 %15, align 16
  call void @llvm.lifetime.start.p0(i64 88, ptr nonnull %7) #9
  store ptr %0, ptr %7, align 8
  %18 = getelementptr inbounds i8, ptr %7, i64 8
  store ptr @refuse, ptr %18, align 8
  %19 = getelementptr inbounds i8, ptr %7, i64 16
  %20 = getelementptr inbounds i8, ptr %0, i64 40
  %21 = load ptr, ptr %20, align 8
  store ptr %21, ptr %19, align 8
  %22 = getelementptr inbounds i8, ptr %7, i64 24
  store ptr %17, ptr %22, align 8
  %23 = getelementptr inbounds i8, ptr %7, i64 32
  store i64 0, ptr %23, align 8
  %24 = getelementptr inbounds i8, ptr %7, i64 40
  %25 = load i64, ptr %14, align 8
  store i64 %25, ptr %24, align 8
  %26 = getelementptr inbounds i8, ptr %7, i64 48
  store ptr null, ptr %26, align 8
  %27 = getelementptr inbounds i8, ptr %7, i64 56
  store i64 0, ptr %27, align 8
  %28 = getelementptr inbounds i8, ptr %7, i64 64
  store i64 0, ptr %28, align 8
  %29 = getelementptr inbounds i8, ptr %7, i64 72
  store i64 0, ptr %29, align 8
  %30 = getelementptr inbounds i8, ptr %7, i64 80
  store i64 0, ptr %30, align 8
  call void @llvm.lifetime.start.p0(i64 32, ptr nonnull %8) #9
  store ptr @pipec_device, ptr %8, align 8
  %31 = getelementptr inbounds i8, ptr %8, i64 8
  store ptr null, ptr %31, align 8
  %32 = getelementptr inbounds i8, ptr %8, i64 16
  store ptr null, ptr %32, align 8
  %33 = getelementptr inbounds i8, ptr %8, i64 24
  store ptr %7, ptr %33, align 8
  store ptr %8, ptr %3, align 8
  %34 = icmp sgt i64 %5, 0
  br i1 %34, label %35, label %92

35:
  %36 = phi i64 [ %90, %89 ], [ 0, %13 ]
  %37 = getelementptr inbounds %struct.Resident, ptr %4, i64 %36
  %38 = getelementptr inbounds i8, ptr %37, i64 8
  %39 = load ptr, ptr %38, align 8
  %40 = icmp eq ptr %39, null
  br i1 %40, label %89, label %41

41:
  %42 = load i64, ptr %37, align 8
  %43 = load i64, ptr %23, align 8
  %44 = icmp sgt i64 %43, 0
  br i1 %44, label %45, label %61

45:
  %46 = load ptr, ptr %22, align 8
  br label %50

47:
  %48 = add nuw nsw i64 %51, 1
  %49 = icmp eq i64 %48, %43
  br i1 %49, label %61, label %50

50:
  %51 = phi i64 [ 0, %45 ], [ %48, %47 ]
  %52 = getelementptr inbounds %struct.RunBuffer, ptr %46, i64 %51
  %53 = load i64, ptr %52, align 8
  %54 = icmp eq i64 %53, %42
  br i1 %54, label %55, label %47

55:
  %56 = getelementptr inbounds i8, ptr %52, i64 8
  %57 = load ptr, ptr %56, align 8
  %58 = icmp eq ptr %57, null
  %59 = getelementptr inbounds i8, ptr %52, i64 16
  %60 = select i1 %58, ptr %59, ptr %57
  br label %61

61:
  %62 = phi ptr [ %60, %55 ], [ null, %41 ], [ null, %47 ]
  %63 = getelementptr inbounds i8, ptr %39, i64 32
  %64 = load ptr, ptr %63, align 8
  %65 = load ptr, ptr %7, align 8
  %66 = getelementptr inbounds i8, ptr %65, i64 8
  %67 = load ptr, ptr %66, align 8
  %68 = icmp eq ptr %64, %67
  br i1 %68, label %69, label %155

69:
  %70 = getelementptr inbounds i8, ptr %39, i64 8
  %71 = load i64, ptr %70, align 8
  %72 = icmp eq i64 %71, 0
  br i1 %72, label %73, label %155

73:
  %74 = getelementptr inbounds i8, ptr %39, i64 40
  %75 = load i64, ptr %74, align 8
  %76 = icmp eq i64 %75, 0
  br i1 %76, label %77, label %155

77:
  %78 = icmp eq ptr %62, null
  br i1 %78, label %79, label %87

79:
  %80 = load i64, ptr %24, align 8
  %81 = icmp slt i64 %43, %80
  br i1 %81, label %82, label %155

82:
  %83 = load ptr, ptr %22, align 8
  %84 = add nsw i64 %43, 1
  store i64 %84, ptr %23, align 8
  %85 = getelementptr inbounds %struct.RunBuffer, ptr %83, i64 %43
  store i64 %42, ptr %85, align 8
  %86 = getelementptr inbounds i8, ptr %85, i64 8
  store ptr %39, ptr %86, align 8
  br label %89

87:
  %88 = icmp eq ptr %62, %39
  br i1 %88, label %89, label %155

89:
  %90 = add nuw nsw i64 %36, 1
  %91 = icmp eq i64 %90, %5
  br i1 %91, label %92, label %35

92:
  %93 = call i32 @pipec_run(ptr noundef %1, ptr noundef %2) #8
  %94 = load i64, ptr %23, align 8
  %95 = icmp sgt i64 %94, 0
  br i1 %95, label %96, label %155

96:
  %97 = load ptr, ptr %22, align 8
  br label %98

98:
  %99 = phi i64 [ %150, %149 ], [ %94, %96 ]
  %100 = phi ptr [ %151, %149 ], [ %97, %96 ]
  %101 = phi ptr [ %152, %149 ], [ %97, %96 ]
  %102 = load i64, ptr %101, align 8
  %103 = icmp eq i64 %102, 0
  br i1 %103, label %149, label %104

104:
  %105 = getelementptr inbounds i8, ptr %101, i64 8
  %106 = load ptr, ptr %105, align 8
  %107 = icmp eq ptr %106, null
  br i1 %107, label %108, label %149

108:
  %109 = load ptr, ptr %7, align 8
  %110 = getelementptr inbounds i8, ptr %109, i64 8
  %111 = load ptr, ptr %110, align 8
  %112 = getelementptr inbounds i8, ptr %101, i64 40
  %113 = load i64, ptr %112, align 8
  %114 = call i64 @llvm.smax.i64(i64 %113, i64 1)
  br label %115

115:
  %116 = phi i64 [ 4096, %108 ], [ %119, %115 ]
  %117 = shl nsw i64 %116, 3
  %118 = icmp ult i64 %117, %114
  %119 = shl nsw i64 %116, 1
  br i1 %118, label %115, label %120

120:
  %121 = getelementptr inbounds i8, ptr %101, i64 16
  %122 = load i64, ptr %121, align 8
  %123 = getelementptr inbounds i8, ptr %111, i64 16
  %124 = load i64, ptr %123, align 8
  %125 = shl nsw i64 %124, 1
  %126 = load ptr, ptr %111, align 8
  %127 = call i32 @pthread_mutex_lock(ptr noundef %126) #8
  %128 = getelementptr inbounds i8, ptr %111, i64 8
  %129 = load i64, ptr %128, align 8
  %130 = icmp slt i64 %129, %125
  br i1 %130, label %131, label %144

131:
  %132 = add nsw i64 %114, -1
  %133 = add i64 %132, %116
  %134 = sub nsw i64 0, %116
  %135 = and i64 %133, %134
  %136 = getelementptr inbounds i8, ptr %111, i64 24
  %137 = getelementptr inbounds i8, ptr %111, i64 48
  %138 = load ptr, ptr %137, align 8
  %139 = add nsw i64 %129, 1
  store i64 %139, ptr %128, align 8
  %140 = getelementptr inbounds %struct.FreeMemory, ptr %138, i64 %129
  store i64 %135, ptr %140, align 8
  %141 = getelementptr inbounds i8, ptr %140, i64 8
  store i64 %122, ptr %141, align 8
  %142 = load i64, ptr %136, align 8
  %143 = add nsw i64 %142, %135
  store i64 %143, ptr %136, align 8
  br label %144

144:
  %145 = load ptr, ptr %111, align 8
  %146 = call i32 @pthread_mutex_unlock(ptr noundef %145) #8
  %147 = load ptr, ptr %22, align 8
  %148 = load i64, ptr %23, align 8
  br label %149

149:
  %150 = phi i64 [ %99, %98 ], [ %99, %104 ], [ %148, %144 ]
  %151 = phi ptr [ %100, %98 ], [ %100, %104 ], [ %147, %144 ]
  %152 = getelementptr inbounds i8, ptr %101, i64 64
  %153 = getelementptr inbounds %struct.RunBuffer, ptr %151, i64 %150
  %154 = icmp ult ptr %152, %153
  br i1 %154, label %98, label %155

155:
  %156 = phi i32 [ %93, %92 ], [ %93, %149 ], [ -1, %87 ], [ -1, %73 ], [ -1, %69 ], [ -1, %61 ], [ -1, %79 ]
  call void @llvm.lifetime.end.p0(i64 32, ptr nonnull %8) #9
  call void @llvm.lifetime.end.p0(i64 88, ptr nonnull %7) #9
  call void @llvm.stackrestore.p0(ptr %16)
  br label %157

157:
  %158 = phi i32 [ %156, %155 ], [ -1, %6 ]
  ret i32 %158
}

declare ptr @llvm.stacksave.p0() #4

define internal noundef i32 @refuse(ptr nocapture readnone %0, i32 %1, i32 %2, ptr nocapture readnone %3) #5 {
  ret i32 -1
}

declare i32 @pipec_run(ptr noundef, ptr noundef) local_unnamed_addr #2

declare void @llvm.stackrestore.p0(ptr) #4

declare i64 @llvm.smax.i64(i64, i64) #6

declare void @llvm.assume(i1 noundef) #7

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind }
attributes #3 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #5 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #8 = { nobuiltin nounwind }
attributes #9 = { nounwind }
attributes #10 = { nobuiltin }


