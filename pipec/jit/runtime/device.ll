; Compiled from device.c by tools/build_runtime.py with clang 19.
; 349687bc69ed5d419fe7fc191d1fd504

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
  br label %556

20:
  %21 = load ptr, ptr %9, align 8
  %22 = tail call i32 @pthread_mutex_lock(ptr noundef %21) #8
  %23 = load ptr, ptr %7, align 8
  %24 = load i64, ptr %14, align 8
  switch i64 %24, label %547 [
    i64 1, label %25
    i64 2, label %343
    i64 3, label %419
    i64 4, label %475
  ]

25:
  %26 = load i64, ptr %3, align 8
  %27 = icmp slt i64 %26, 1
  br i1 %27, label %551, label %28

28:
  %29 = getelementptr inbounds i8, ptr %3, i64 8
  %30 = load i64, ptr %29, align 8
  %31 = icmp slt i64 %30, 1
  br i1 %31, label %551, label %32

32:
  %33 = getelementptr inbounds i8, ptr %3, i64 16
  %34 = load i64, ptr %33, align 8
  %35 = icmp slt i64 %34, 1
  br i1 %35, label %551, label %36

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
  br i1 %75, label %159, label %76

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
  br i1 %110, label %159, label %111

111:
  %112 = getelementptr inbounds i8, ptr %23, i64 8
  %113 = load ptr, ptr %112, align 8
  %114 = tail call i32 %113(ptr noundef %0, i32 noundef %1, i32 noundef 1, ptr noundef nonnull %3) #8
  %115 = icmp slt i32 %114, 0
  br i1 %115, label %551, label %116

116:
  %117 = getelementptr inbounds i8, ptr %3, i64 48
  %118 = getelementptr inbounds i8, ptr %14, i64 40
  %119 = load i64, ptr %118, align 8
  %120 = getelementptr inbounds i64, ptr %117, i64 %119
  %121 = getelementptr inbounds i8, ptr %14, i64 8
  %122 = load i64, ptr %121, align 8
  %123 = icmp slt i64 %122, 1
  br i1 %123, label %159, label %124

124:
  %125 = getelementptr inbounds i8, ptr %23, i64 32
  %126 = load i64, ptr %125, align 8
  %127 = icmp sgt i64 %126, 0
  br i1 %127, label %128, label %551

128:
  %129 = getelementptr inbounds i8, ptr %23, i64 24
  %130 = load ptr, ptr %129, align 8
  br label %131

131:
  %132 = phi i1 [ false, %128 ], [ %155, %153 ]
  %133 = phi i64 [ 0, %128 ], [ %154, %153 ]
  %134 = getelementptr inbounds i64, ptr %120, i64 %133
  %135 = load i64, ptr %134, align 8
  br label %139

136:
  %137 = add nuw nsw i64 %140, 1
  %138 = icmp eq i64 %137, %126
  br i1 %138, label %157, label %139

139:
  %140 = phi i64 [ 0, %131 ], [ %137, %136 ]
  %141 = getelementptr inbounds %struct.RunBuffer, ptr %130, i64 %140
  %142 = load i64, ptr %141, align 8
  %143 = icmp eq i64 %142, %135
  br i1 %143, label %144, label %136

144:
  %145 = getelementptr inbounds i8, ptr %141, i64 8
  %146 = load ptr, ptr %145, align 8
  %147 = icmp eq ptr %146, null
  %148 = getelementptr inbounds i8, ptr %141, i64 16
  %149 = select i1 %147, ptr %148, ptr %146
  %150 = getelementptr inbounds i8, ptr %149, i64 8
  %151 = load i64, ptr %150, align 8
  %152 = icmp eq i64 %151, 0
  br i1 %152, label %153, label %157

153:
  %154 = add nuw nsw i64 %133, 1
  %155 = icmp sge i64 %154, %122
  %156 = icmp eq i64 %154, %122
  br i1 %156, label %157, label %131

157:
  %158 = phi i1 [ %132, %136 ], [ %132, %144 ], [ %155, %153 ]
  br i1 %158, label %159, label %551

159:
  %160 = phi i64 [ %122, %116 ], [ %74, %68 ], [ %122, %157 ], [ %74, %109 ]
  %161 = phi i64 [ %119, %116 ], [ %71, %68 ], [ %119, %157 ], [ %71, %109 ]
  %162 = load ptr, ptr %23, align 8
  %163 = getelementptr inbounds i8, ptr %162, i64 8
  %164 = load ptr, ptr %163, align 8
  %165 = getelementptr inbounds i8, ptr %164, i64 40
  %166 = load i64, ptr %165, align 8
  %167 = getelementptr inbounds i8, ptr %14, i64 88
  %168 = load i64, ptr %167, align 8
  %169 = icmp eq i64 %168, %166
  store i64 %166, ptr %167, align 8
  %170 = getelementptr inbounds i8, ptr %14, i64 40
  %171 = getelementptr inbounds i8, ptr %14, i64 8
  %172 = getelementptr inbounds i8, ptr %3, i64 48
  %173 = add nsw i64 %161, %160
  %174 = icmp sgt i64 %173, 0
  br i1 %174, label %175, label %249

175:
  %176 = getelementptr inbounds i8, ptr %14, i64 80
  %177 = getelementptr inbounds i8, ptr %23, i64 32
  %178 = getelementptr inbounds i8, ptr %23, i64 24
  %179 = getelementptr inbounds i8, ptr %14, i64 24
  br label %180

180:
  %181 = phi i64 [ %160, %175 ], [ %243, %242 ]
  %182 = phi i64 [ %161, %175 ], [ %244, %242 ]
  %183 = phi i64 [ 0, %175 ], [ %245, %242 ]
  %184 = load ptr, ptr %176, align 8
  %185 = getelementptr inbounds %struct.KernelArgument, ptr %184, i64 %183
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %6) #9
  %186 = getelementptr inbounds i64, ptr %172, i64 %183
  %187 = load i64, ptr %186, align 8
  store i64 %187, ptr %6, align 8
  %188 = icmp slt i64 %183, %182
  br i1 %188, label %210, label %189

189:
  %190 = load i64, ptr %177, align 8
  %191 = icmp sgt i64 %190, 0
  call void @llvm.assume(i1 %191)
  %192 = load ptr, ptr %178, align 8
  %193 = load i64, ptr %192, align 8
  %194 = icmp eq i64 %193, %187
  br i1 %194, label %202, label %195

195:
  %196 = phi i64 [ %197, %195 ], [ 0, %189 ]
  %197 = add nuw nsw i64 %196, 1
  %198 = icmp ne i64 %197, %190
  call void @llvm.assume(i1 %198)
  %199 = getelementptr inbounds %struct.RunBuffer, ptr %192, i64 %197
  %200 = load i64, ptr %199, align 8
  %201 = icmp eq i64 %200, %187
  br i1 %201, label %202, label %195

202:
  %203 = phi ptr [ %192, %189 ], [ %199, %195 ]
  %204 = getelementptr inbounds i8, ptr %203, i64 8
  %205 = load ptr, ptr %204, align 8
  %206 = icmp eq ptr %205, null
  %207 = getelementptr inbounds i8, ptr %203, i64 16
  %208 = select i1 %206, ptr %207, ptr %205
  %209 = load i64, ptr %208, align 8
  store i64 %209, ptr %6, align 8
  br label %210

210:
  %211 = phi i64 [ %209, %202 ], [ %187, %180 ]
  br i1 %169, label %212, label %220

212:
  %213 = getelementptr inbounds i8, ptr %185, i64 16
  %214 = load i64, ptr %213, align 8
  %215 = icmp eq i64 %214, 0
  br i1 %215, label %220, label %216

216:
  %217 = getelementptr inbounds i8, ptr %185, i64 24
  %218 = load i64, ptr %217, align 8
  %219 = icmp eq i64 %218, %211
  br i1 %219, label %242, label %220

220:
  %221 = getelementptr inbounds i8, ptr %185, i64 16
  store i64 1, ptr %221, align 8
  %222 = load i64, ptr %6, align 8
  %223 = getelementptr inbounds i8, ptr %185, i64 24
  store i64 %222, ptr %223, align 8
  %224 = getelementptr inbounds i8, ptr %185, i64 8
  %225 = load i64, ptr %224, align 8
  %226 = icmp eq i64 %225, 0
  br i1 %226, label %230, label %227

227:
  %228 = bitcast i64 %222 to double
  %229 = fptrunc double %228 to float
  store float %229, ptr %6, align 8
  br label %230

230:
  %231 = load ptr, ptr %23, align 8
  %232 = getelementptr inbounds i8, ptr %231, i64 16
  %233 = load ptr, ptr %232, align 8
  %234 = load ptr, ptr %179, align 8
  %235 = trunc i64 %183 to i32
  %236 = load i64, ptr %185, align 8
  %237 = call i32 %233(ptr noundef %234, i32 noundef %235, i64 noundef %236, ptr noundef nonnull %6) #8
  %238 = icmp eq i32 %237, 0
  br i1 %238, label %239, label %248

239:
  %240 = load i64, ptr %170, align 8
  %241 = load i64, ptr %171, align 8
  br label %242

242:
  %243 = phi i64 [ %241, %239 ], [ %181, %216 ]
  %244 = phi i64 [ %240, %239 ], [ %182, %216 ]
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6) #9
  %245 = add nuw nsw i64 %183, 1
  %246 = add nsw i64 %244, %243
  %247 = icmp slt i64 %245, %246
  br i1 %247, label %180, label %249

248:
  store i64 -1, ptr %167, align 8
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %6) #9
  br label %292

249:
  call void @llvm.lifetime.start.p0(i64 24, ptr nonnull %5) #9
  br label %254

250:
  %251 = getelementptr inbounds i8, ptr %23, i64 48
  %252 = load ptr, ptr %251, align 8
  %253 = icmp eq ptr %252, null
  br i1 %253, label %268, label %264

254:
  %255 = phi i64 [ 0, %249 ], [ %262, %254 ]
  %256 = getelementptr inbounds i64, ptr %3, i64 %255
  %257 = load i64, ptr %256, align 8
  %258 = getelementptr inbounds i8, ptr %256, i64 24
  %259 = load i64, ptr %258, align 8
  %260 = mul nsw i64 %259, %257
  %261 = getelementptr inbounds [3 x i64], ptr %5, i64 0, i64 %255
  store i64 %260, ptr %261, align 8
  %262 = add nuw nsw i64 %255, 1
  %263 = icmp eq i64 %262, 3
  br i1 %263, label %250, label %254

264:
  %265 = getelementptr inbounds i8, ptr %23, i64 56
  %266 = load i64, ptr %265, align 8
  %267 = getelementptr inbounds %struct.Event, ptr %252, i64 %266
  br label %268

268:
  %269 = phi ptr [ %267, %264 ], [ null, %250 ]
  %270 = load ptr, ptr %23, align 8
  %271 = getelementptr inbounds i8, ptr %270, i64 24
  %272 = load ptr, ptr %271, align 8
  %273 = getelementptr inbounds i8, ptr %23, i64 16
  %274 = load ptr, ptr %273, align 8
  %275 = getelementptr inbounds i8, ptr %14, i64 24
  %276 = load ptr, ptr %275, align 8
  %277 = call i32 %272(ptr noundef %274, ptr noundef %276, i32 noundef 3, ptr noundef null, ptr noundef nonnull %5, ptr noundef nonnull %37, i32 noundef 0, ptr noundef null, ptr noundef %269) #8
  %278 = icmp eq i32 %277, 0
  br i1 %278, label %279, label %291

279:
  %280 = getelementptr inbounds i8, ptr %23, i64 80
  %281 = load i64, ptr %280, align 8
  %282 = add nsw i64 %281, 1
  store i64 %282, ptr %280, align 8
  %283 = icmp eq ptr %269, null
  br i1 %283, label %299, label %284

284:
  %285 = getelementptr inbounds i8, ptr %14, i64 32
  %286 = load i64, ptr %285, align 8
  %287 = getelementptr inbounds i8, ptr %269, i64 8
  store i64 %286, ptr %287, align 8
  %288 = getelementptr inbounds i8, ptr %23, i64 56
  %289 = load i64, ptr %288, align 8
  %290 = add nsw i64 %289, 1
  store i64 %290, ptr %288, align 8
  br label %299

291:
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %5) #9
  br label %292

292:
  %293 = phi i32 [ %237, %248 ], [ %277, %291 ]
  %294 = sext i32 %293 to i64
  %295 = getelementptr inbounds i8, ptr %23, i64 72
  store i64 %294, ptr %295, align 8
  %296 = getelementptr inbounds i8, ptr %23, i64 8
  %297 = load ptr, ptr %296, align 8
  %298 = call i32 %297(ptr noundef %0, i32 noundef %1, i32 noundef 1, ptr noundef nonnull %3) #8
  br label %551

299:
  call void @llvm.lifetime.end.p0(i64 24, ptr nonnull %5) #9
  %300 = load i64, ptr %170, align 8
  %301 = getelementptr inbounds i64, ptr %172, i64 %300
  %302 = load i64, ptr %171, align 8
  %303 = icmp sgt i64 %302, 0
  br i1 %303, label %304, label %551

304:
  %305 = getelementptr inbounds i8, ptr %14, i64 16
  %306 = getelementptr inbounds i8, ptr %23, i64 32
  %307 = getelementptr inbounds i8, ptr %23, i64 24
  br label %308

308:
  %309 = phi i64 [ %302, %304 ], [ %340, %339 ]
  %310 = phi i64 [ 0, %304 ], [ %341, %339 ]
  %311 = load ptr, ptr %305, align 8
  %312 = getelementptr inbounds i64, ptr %311, i64 %310
  %313 = load i64, ptr %312, align 8
  %314 = icmp eq i64 %313, 0
  br i1 %314, label %339, label %315

315:
  %316 = getelementptr inbounds i64, ptr %301, i64 %310
  %317 = load i64, ptr %316, align 8
  %318 = load i64, ptr %306, align 8
  %319 = icmp sgt i64 %318, 0
  call void @llvm.assume(i1 %319)
  %320 = load ptr, ptr %307, align 8
  %321 = load i64, ptr %320, align 8
  %322 = icmp eq i64 %321, %317
  br i1 %322, label %330, label %323

323:
  %324 = phi i64 [ %325, %323 ], [ 0, %315 ]
  %325 = add nuw nsw i64 %324, 1
  %326 = icmp ne i64 %325, %318
  call void @llvm.assume(i1 %326)
  %327 = getelementptr inbounds %struct.RunBuffer, ptr %320, i64 %325
  %328 = load i64, ptr %327, align 8
  %329 = icmp eq i64 %328, %317
  br i1 %329, label %330, label %323

330:
  %331 = phi ptr [ %320, %315 ], [ %327, %323 ]
  %332 = getelementptr inbounds i8, ptr %331, i64 8
  %333 = load ptr, ptr %332, align 8
  %334 = icmp eq ptr %333, null
  %335 = getelementptr inbounds i8, ptr %331, i64 16
  %336 = select i1 %334, ptr %335, ptr %333
  %337 = getelementptr inbounds i8, ptr %336, i64 16
  store i64 1, ptr %337, align 8
  %338 = load i64, ptr %171, align 8
  br label %339

339:
  %340 = phi i64 [ %309, %308 ], [ %338, %330 ]
  %341 = add nuw nsw i64 %310, 1
  %342 = icmp slt i64 %341, %340
  br i1 %342, label %308, label %551

343:
  %344 = getelementptr inbounds i8, ptr %14, i64 8
  %345 = load i64, ptr %344, align 8
  %346 = icmp slt i64 %345, 1
  br i1 %346, label %551, label %347

347:
  %348 = getelementptr inbounds i8, ptr %23, i64 32
  %349 = load i64, ptr %348, align 8
  %350 = icmp sgt i64 %349, 0
  br i1 %350, label %351, label %547

351:
  %352 = getelementptr inbounds i8, ptr %23, i64 24
  %353 = load ptr, ptr %352, align 8
  br label %354

354:
  %355 = phi i1 [ false, %351 ], [ %378, %376 ]
  %356 = phi i64 [ 0, %351 ], [ %377, %376 ]
  %357 = getelementptr inbounds i64, ptr %3, i64 %356
  %358 = load i64, ptr %357, align 8
  br label %362

359:
  %360 = add nuw nsw i64 %363, 1
  %361 = icmp eq i64 %360, %349
  br i1 %361, label %380, label %362

362:
  %363 = phi i64 [ 0, %354 ], [ %360, %359 ]
  %364 = getelementptr inbounds %struct.RunBuffer, ptr %353, i64 %363
  %365 = load i64, ptr %364, align 8
  %366 = icmp eq i64 %365, %358
  br i1 %366, label %367, label %359

367:
  %368 = getelementptr inbounds i8, ptr %364, i64 8
  %369 = load ptr, ptr %368, align 8
  %370 = icmp eq ptr %369, null
  %371 = getelementptr inbounds i8, ptr %364, i64 16
  %372 = select i1 %370, ptr %371, ptr %369
  %373 = getelementptr inbounds i8, ptr %372, i64 16
  %374 = load i64, ptr %373, align 8
  %375 = icmp eq i64 %374, 0
  br i1 %375, label %376, label %380

376:
  %377 = add nuw nsw i64 %356, 1
  %378 = icmp sge i64 %377, %345
  %379 = icmp eq i64 %377, %345
  br i1 %379, label %380, label %354

380:
  %381 = phi i1 [ %355, %359 ], [ %355, %367 ], [ %378, %376 ]
  br i1 %381, label %382, label %547

382:
  %383 = getelementptr inbounds i8, ptr %14, i64 16
  br label %384

384:
  %385 = phi i64 [ %345, %382 ], [ %416, %415 ]
  %386 = phi i64 [ 0, %382 ], [ %417, %415 ]
  %387 = load ptr, ptr %383, align 8
  %388 = getelementptr inbounds i64, ptr %387, i64 %386
  %389 = load i64, ptr %388, align 8
  %390 = icmp eq i64 %389, 0
  br i1 %390, label %415, label %391

391:
  %392 = getelementptr inbounds i64, ptr %3, i64 %386
  %393 = load i64, ptr %392, align 8
  %394 = load i64, ptr %348, align 8
  %395 = icmp sgt i64 %394, 0
  tail call void @llvm.assume(i1 %395)
  %396 = load ptr, ptr %352, align 8
  %397 = load i64, ptr %396, align 8
  %398 = icmp eq i64 %397, %393
  br i1 %398, label %406, label %399

399:
  %400 = phi i64 [ %401, %399 ], [ 0, %391 ]
  %401 = add nuw nsw i64 %400, 1
  %402 = icmp ne i64 %401, %394
  tail call void @llvm.assume(i1 %402)
  %403 = getelementptr inbounds %struct.RunBuffer, ptr %396, i64 %401
  %404 = load i64, ptr %403, align 8
  %405 = icmp eq i64 %404, %393
  br i1 %405, label %406, label %399

406:
  %407 = phi ptr [ %396, %391 ], [ %403, %399 ]
  %408 = getelementptr inbounds i8, ptr %407, i64 8
  %409 = load ptr, ptr %408, align 8
  %410 = icmp eq ptr %409, null
  %411 = getelementptr inbounds i8, ptr %407, i64 16
  %412 = select i1 %410, ptr %411, ptr %409
  %413 = getelementptr inbounds i8, ptr %412, i64 8
  store i64 1, ptr %413, align 8
  %414 = load i64, ptr %344, align 8
  br label %415

415:
  %416 = phi i64 [ %385, %384 ], [ %414, %406 ]
  %417 = add nuw nsw i64 %386, 1
  %418 = icmp slt i64 %417, %416
  br i1 %418, label %384, label %551

419:
  %420 = getelementptr inbounds i8, ptr %3, i64 8
  %421 = load i64, ptr %420, align 8
  %422 = icmp sgt i64 %421, 2147483647
  br i1 %422, label %547, label %423

423:
  %424 = getelementptr inbounds i8, ptr %23, i64 32
  %425 = load i64, ptr %424, align 8
  %426 = icmp sgt i64 %425, 0
  br i1 %426, label %427, label %438

427:
  %428 = getelementptr inbounds i8, ptr %23, i64 24
  %429 = load ptr, ptr %428, align 8
  br label %433

430:
  %431 = add nuw nsw i64 %434, 1
  %432 = icmp eq i64 %431, %425
  br i1 %432, label %438, label %433

433:
  %434 = phi i64 [ 0, %427 ], [ %431, %430 ]
  %435 = getelementptr inbounds %struct.RunBuffer, ptr %429, i64 %434
  %436 = load i64, ptr %435, align 8
  %437 = icmp eq i64 %436, 0
  br i1 %437, label %446, label %430

438:
  %439 = getelementptr inbounds i8, ptr %23, i64 40
  %440 = load i64, ptr %439, align 8
  %441 = icmp slt i64 %425, %440
  br i1 %441, label %442, label %547

442:
  %443 = getelementptr inbounds i8, ptr %23, i64 24
  %444 = load ptr, ptr %443, align 8
  %445 = getelementptr inbounds %struct.RunBuffer, ptr %444, i64 %425
  br label %446

446:
  %447 = phi i64 [ 1, %442 ], [ 0, %433 ]
  %448 = phi ptr [ %445, %442 ], [ %435, %433 ]
  %449 = load ptr, ptr %23, align 8
  %450 = getelementptr inbounds i8, ptr %449, i64 8
  %451 = load ptr, ptr %450, align 8
  %452 = tail call i64 @llvm.smax.i64(i64 %421, i64 1)
  br label %453

453:
  %454 = phi i64 [ 4096, %446 ], [ %457, %453 ]
  %455 = shl nsw i64 %454, 3
  %456 = icmp ult i64 %455, %452
  %457 = shl nsw i64 %454, 1
  br i1 %456, label %453, label %458

458:
  %459 = add nsw i64 %452, -1
  %460 = add i64 %459, %454
  %461 = sub nsw i64 0, %454
  %462 = and i64 %460, %461
  %463 = tail call i64 @pipec_pool_take(ptr noundef %451, i64 noundef %462) #10
  %464 = icmp eq i64 %463, 0
  br i1 %464, label %547, label %465

465:
  %466 = load i64, ptr %424, align 8
  %467 = add nsw i64 %466, %447
  store i64 %467, ptr %424, align 8
  %468 = load i64, ptr %3, align 8
  store i64 %468, ptr %448, align 8
  %469 = getelementptr inbounds i8, ptr %448, i64 8
  store ptr null, ptr %469, align 8
  %470 = getelementptr inbounds i8, ptr %448, i64 16
  store i64 %463, ptr %470, align 8
  %471 = getelementptr inbounds i8, ptr %448, i64 32
  store i64 0, ptr %471, align 8
  %472 = getelementptr inbounds i8, ptr %448, i64 24
  store i64 0, ptr %472, align 8
  %473 = load i64, ptr %420, align 8
  %474 = getelementptr inbounds i8, ptr %448, i64 40
  store i64 %473, ptr %474, align 8
  br label %551

475:
  %476 = load i64, ptr %3, align 8
  %477 = getelementptr inbounds i8, ptr %23, i64 32
  %478 = load i64, ptr %477, align 8
  %479 = icmp sgt i64 %478, 0
  br i1 %479, label %480, label %547

480:
  %481 = getelementptr inbounds i8, ptr %23, i64 24
  %482 = load ptr, ptr %481, align 8
  br label %486

483:
  %484 = add nuw nsw i64 %487, 1
  %485 = icmp eq i64 %484, %478
  br i1 %485, label %547, label %486

486:
  %487 = phi i64 [ 0, %480 ], [ %484, %483 ]
  %488 = getelementptr inbounds %struct.RunBuffer, ptr %482, i64 %487
  %489 = load i64, ptr %488, align 8
  %490 = icmp eq i64 %489, %476
  br i1 %490, label %491, label %483

491:
  %492 = getelementptr inbounds i8, ptr %488, i64 16
  %493 = getelementptr inbounds i8, ptr %23, i64 8
  %494 = load ptr, ptr %493, align 8
  %495 = icmp eq ptr %494, @refuse
  %496 = load ptr, ptr %23, align 8
  %497 = getelementptr inbounds i8, ptr %496, i64 8
  %498 = load ptr, ptr %497, align 8
  %499 = getelementptr inbounds i8, ptr %488, i64 40
  %500 = load i64, ptr %499, align 8
  %501 = tail call i64 @llvm.smax.i64(i64 %500, i64 1)
  br i1 %495, label %502, label %533

502:
  %503 = phi i64 [ %506, %502 ], [ 4096, %491 ]
  %504 = shl nsw i64 %503, 3
  %505 = icmp ult i64 %504, %501
  %506 = shl nsw i64 %503, 1
  br i1 %505, label %502, label %507

507:
  %508 = load i64, ptr %492, align 8
  %509 = getelementptr inbounds i8, ptr %498, i64 16
  %510 = load i64, ptr %509, align 8
  %511 = shl nsw i64 %510, 1
  %512 = load ptr, ptr %498, align 8
  %513 = tail call i32 @pthread_mutex_lock(ptr noundef %512) #8
  %514 = getelementptr inbounds i8, ptr %498, i64 8
  %515 = load i64, ptr %514, align 8
  %516 = icmp slt i64 %515, %511
  br i1 %516, label %517, label %530

517:
  %518 = add nsw i64 %501, -1
  %519 = add i64 %518, %503
  %520 = sub nsw i64 0, %503
  %521 = and i64 %519, %520
  %522 = getelementptr inbounds i8, ptr %498, i64 24
  %523 = getelementptr inbounds i8, ptr %498, i64 48
  %524 = load ptr, ptr %523, align 8
  %525 = add nsw i64 %515, 1
  store i64 %525, ptr %514, align 8
  %526 = getelementptr inbounds %struct.FreeMemory, ptr %524, i64 %515
  store i64 %521, ptr %526, align 8
  %527 = getelementptr inbounds i8, ptr %526, i64 8
  store i64 %508, ptr %527, align 8
  %528 = load i64, ptr %522, align 8
  %529 = add nsw i64 %528, %521
  store i64 %529, ptr %522, align 8
  br label %530

530:
  %531 = load ptr, ptr %498, align 8
  %532 = tail call i32 @pthread_mutex_unlock(ptr noundef %531) #8
  br label %546

533:
  %534 = phi i64 [ %537, %533 ], [ 4096, %491 ]
  %535 = shl nsw i64 %534, 3
  %536 = icmp ult i64 %535, %501
  %537 = shl nsw i64 %534, 1
  br i1 %536, label %533, label %538

538:
  %539 = add nsw i64 %501, -1
  %540 = add i64 %539, %534
  %541 = sub nsw i64 0, %534
  %542 = and i64 %540, %541
  %543 = load i64, ptr %492, align 8
  %544 = tail call i32 @pipec_pool_give(ptr noundef %498, i64 noundef %542, i64 noundef %543) #10
  %545 = icmp eq i32 %544, 0
  br i1 %545, label %547, label %546

546:
  store i64 0, ptr %488, align 8
  br label %551

547:
  %548 = getelementptr inbounds i8, ptr %23, i64 8
  %549 = load ptr, ptr %548, align 8
  %550 = tail call i32 %549(ptr noundef %0, i32 noundef %1, i32 noundef 1, ptr noundef %3) #8
  br label %551

551:
  %552 = phi i32 [ %550, %547 ], [ -1, %157 ], [ 0, %32 ], [ 0, %28 ], [ 0, %25 ], [ %298, %292 ], [ 0, %299 ], [ %114, %111 ], [ -1, %124 ], [ 0, %546 ], [ 0, %465 ], [ 0, %343 ], [ 0, %339 ], [ 0, %415 ]
  %553 = load ptr, ptr %8, align 8
  %554 = load ptr, ptr %553, align 8
  %555 = call i32 @pthread_mutex_unlock(ptr noundef %554) #8
  br label %556

556:
  %557 = phi i32 [ %19, %16 ], [ %552, %551 ]
  ret i32 %557
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


