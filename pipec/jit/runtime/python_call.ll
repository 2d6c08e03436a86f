; Compiled from python_call.c by tools/build_runtime.py with clang 19.
; 347feefbd086951cacbd249778c885eb

%struct.Span = type { i64, i64 }
%struct.Resident = type { i64, ptr }
%struct.Row = type { i64, i64, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64, i64, i64, i64 }

define weak ptr @pipec_python_call(ptr noundef %0, ptr noundef %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = alloca i32, align 4
  %5 = tail call ptr @PyByteArray_AsString(ptr noundef %0) #5
  %6 = getelementptr inbounds i8, ptr %5, i64 16
  %7 = load i64, ptr %6, align 8
  %8 = icmp eq i64 %7, %2
  br i1 %8, label %9, label %16

9:
  %10 = getelementptr inbounds i8, ptr %5, i64 176
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds i8, ptr %5, i64 64
  %13 = load i64, ptr %12, align 8
  %14 = add nsw i64 %13, 16
  %15 = icmp sgt i64 %11, %14
  br i1 %15, label %16, label %18

16:
  %17 = tail call ptr @PyBool_FromLong(i64 noundef 0) #5
  br label %439

18:
  %19 = getelementptr inbounds i8, ptr %5, i64 24
  %20 = load i64, ptr %19, align 8
  %21 = getelementptr inbounds i8, ptr %5, i64 32
  %22 = load i64, ptr %21, align 8
  %23 = tail call ptr @llvm.stacksave.p0()
  %24 = alloca i64, i64 %22, align 64
  %25 = alloca %struct.Span, i64 %20, align 16
  %26 = alloca ptr, i64 %20, align 16
  %27 = alloca %struct.Resident, i64 %20, align 16
  %28 = icmp sgt i64 %20, 0
  br i1 %28, label %29, label %284

29:
  %30 = getelementptr inbounds i8, ptr %5, i64 184
  %31 = getelementptr inbounds i8, ptr %5, i64 72
  %32 = getelementptr inbounds i8, ptr %5, i64 80
  %33 = getelementptr inbounds i8, ptr %5, i64 88
  %34 = getelementptr inbounds i8, ptr %5, i64 112
  %35 = getelementptr inbounds i8, ptr %5, i64 120
  %36 = getelementptr inbounds i8, ptr %5, i64 136
  %37 = getelementptr inbounds i8, ptr %5, i64 128
  %38 = getelementptr inbounds i8, ptr %5, i64 144
  %39 = getelementptr inbounds i8, ptr %5, i64 96
  %40 = getelementptr inbounds i8, ptr %5, i64 104
  br label %41

41:
  %42 = phi i64 [ 0, %29 ], [ %282, %281 ]
  %43 = getelementptr inbounds [0 x %struct.Row], ptr %30, i64 0, i64 %42
  %44 = getelementptr inbounds i8, ptr %43, i64 16
  %45 = load ptr, ptr %44, align 8
  %46 = icmp eq ptr %45, null
  br i1 %46, label %47, label %52

47:
  %48 = getelementptr inbounds i8, ptr %43, i64 8
  %49 = load i64, ptr %48, align 8
  %50 = getelementptr inbounds ptr, ptr %1, i64 %49
  %51 = load ptr, ptr %50, align 8
  br label %52

52:
  %53 = phi ptr [ %51, %47 ], [ %45, %41 ]
  %54 = getelementptr inbounds i8, ptr %43, i64 24
  %55 = load i64, ptr %54, align 8
  %56 = getelementptr inbounds i64, ptr %24, i64 %55
  %57 = getelementptr inbounds %struct.Span, ptr %25, i64 %42
  %58 = getelementptr inbounds ptr, ptr %26, i64 %42
  %59 = getelementptr inbounds %struct.Resident, ptr %27, i64 %42
  store i64 0, ptr %57, align 16
  %60 = getelementptr inbounds i8, ptr %57, i64 8
  store i64 0, ptr %60, align 8
  store ptr null, ptr %58, align 8
  store i64 0, ptr %59, align 16
  %61 = getelementptr inbounds i8, ptr %59, i64 8
  store ptr null, ptr %61, align 8
  %62 = load i64, ptr %43, align 8
  %63 = icmp eq i64 %62, 0
  br i1 %63, label %104, label %64

64:
  %65 = getelementptr inbounds i8, ptr %53, i64 8
  %66 = load ptr, ptr %65, align 8
  %67 = load ptr, ptr %31, align 8
  %68 = icmp eq ptr %66, %67
  br i1 %68, label %72, label %69

69:
  %70 = load ptr, ptr %32, align 8
  %71 = icmp eq ptr %66, %70
  br i1 %71, label %72, label %89

72:
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %4) #6
  %73 = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %53, ptr noundef nonnull %4) #5
  %74 = load i32, ptr %4, align 4
  %75 = icmp eq i32 %74, 0
  br i1 %75, label %76, label %279

76:
  %77 = getelementptr inbounds i8, ptr %43, i64 32
  %78 = load i64, ptr %77, align 8
  %79 = icmp slt i64 %73, %78
  br i1 %79, label %279, label %80

80:
  %81 = getelementptr inbounds i8, ptr %43, i64 40
  %82 = load i64, ptr %81, align 8
  %83 = icmp sgt i64 %73, %82
  br i1 %83, label %279, label %84

84:
  %85 = load i64, ptr %43, align 8
  %86 = icmp eq i64 %85, 1
  br i1 %86, label %280, label %87

87:
  %88 = sitofp i64 %73 to double
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4) #6
  br label %97

89:
  %90 = load ptr, ptr %33, align 8
  %91 = icmp ne ptr %66, %90
  %92 = icmp eq i64 %62, 1
  %93 = or i1 %92, %91
  br i1 %93, label %434, label %94

94:
  %95 = call double @PyFloat_AsDouble(ptr noundef nonnull %53) #5
  %96 = load i64, ptr %43, align 8
  br label %97

97:
  %98 = phi i64 [ %85, %87 ], [ %96, %94 ]
  %99 = phi double [ %88, %87 ], [ %95, %94 ]
  store i64 0, ptr %56, align 8
  %100 = icmp eq i64 %98, 3
  br i1 %100, label %101, label %102

101:
  store double %99, ptr %56, align 8
  br label %281

102:
  %103 = fptrunc double %99 to float
  store float %103, ptr %56, align 8
  br label %281

104:
  %105 = load ptr, ptr %34, align 8
  %106 = icmp eq ptr %53, null
  br i1 %106, label %434, label %107

107:
  %108 = getelementptr inbounds i8, ptr %53, i64 8
  %109 = load ptr, ptr %108, align 8
  %110 = icmp eq ptr %109, %105
  br i1 %110, label %111, label %192

111:
  %112 = getelementptr inbounds i8, ptr %43, i64 104
  %113 = load i64, ptr %112, align 8
  %114 = icmp eq i64 %113, 0
  br i1 %114, label %115, label %434

115:
  %116 = getelementptr inbounds i8, ptr %53, i64 56
  %117 = load ptr, ptr %116, align 8
  %118 = getelementptr inbounds i8, ptr %43, i64 48
  %119 = load ptr, ptr %118, align 8
  %120 = icmp eq ptr %117, %119
  br i1 %120, label %121, label %434

121:
  %122 = getelementptr inbounds i8, ptr %53, i64 24
  %123 = load i32, ptr %122, align 8
  %124 = sext i32 %123 to i64
  %125 = getelementptr inbounds i8, ptr %43, i64 64
  %126 = load i64, ptr %125, align 8
  %127 = icmp eq i64 %126, %124
  br i1 %127, label %128, label %434

128:
  %129 = getelementptr inbounds i8, ptr %53, i64 64
  %130 = load i32, ptr %129, align 8
  %131 = sext i32 %130 to i64
  %132 = getelementptr inbounds i8, ptr %43, i64 80
  %133 = load i64, ptr %132, align 8
  %134 = and i64 %133, %131
  %135 = icmp eq i64 %134, %133
  br i1 %135, label %136, label %434

136:
  %137 = getelementptr inbounds i8, ptr %53, i64 16
  %138 = load i64, ptr %137, align 8
  %139 = getelementptr inbounds i8, ptr %43, i64 72
  %140 = load i64, ptr %139, align 8
  %141 = trunc i64 %140 to i32
  %142 = shl nsw i32 -1, %141
  %143 = xor i32 %142, -1
  %144 = zext nneg i32 %143 to i64
  %145 = and i64 %138, %144
  %146 = icmp eq i64 %145, 0
  br i1 %146, label %147, label %434

147:
  %148 = and i32 %130, 1
  %149 = icmp eq i32 %148, 0
  store i64 %138, ptr %56, align 8
  %150 = shl nuw i32 1, %141
  %151 = sext i32 %150 to i64
  %152 = add nsw i64 %138, %151
  store i64 %138, ptr %57, align 16
  store i64 %152, ptr %60, align 8
  %153 = icmp slt i32 %123, 1
  br i1 %153, label %281, label %154

154:
  %155 = getelementptr inbounds i8, ptr %56, i64 8
  %156 = getelementptr inbounds i8, ptr %53, i64 32
  %157 = getelementptr inbounds i8, ptr %53, i64 40
  %158 = load ptr, ptr %156, align 8
  %159 = load ptr, ptr %157, align 8
  br label %160

160:
  %161 = phi i64 [ %124, %154 ], [ %164, %179 ]
  %162 = phi ptr [ %155, %154 ], [ %182, %179 ]
  %163 = phi i64 [ 1, %154 ], [ %190, %179 ]
  %164 = add nsw i64 %161, -1
  %165 = getelementptr inbounds i64, ptr %158, i64 %164
  %166 = load i64, ptr %165, align 8
  %167 = getelementptr inbounds i64, ptr %159, i64 %164
  %168 = load i64, ptr %167, align 8
  %169 = ashr i64 %168, %140
  %170 = select i1 %149, i64 %169, i64 %163
  %171 = add i64 %166, -2147483648
  %172 = icmp ult i64 %171, -2147483647
  br i1 %172, label %434, label %173

173:
  %174 = and i64 %168, %144
  %175 = icmp eq i64 %174, 0
  %176 = add i64 %170, 2147483647
  %177 = icmp ult i64 %176, 4294967295
  %178 = select i1 %175, i1 %177, i1 false
  br i1 %178, label %179, label %434

179:
  %180 = getelementptr inbounds i8, ptr %162, i64 8
  store i64 0, ptr %162, align 8
  %181 = getelementptr inbounds i8, ptr %162, i64 16
  store i64 %166, ptr %180, align 8
  %182 = getelementptr inbounds i8, ptr %162, i64 24
  store i64 %170, ptr %181, align 8
  %183 = add nsw i64 %166, -1
  %184 = mul nsw i64 %170, %183
  %185 = shl i64 %184, %140
  %186 = icmp slt i64 %185, 0
  %187 = select i1 %186, ptr %57, ptr %60
  %188 = load i64, ptr %187, align 8
  %189 = add nsw i64 %188, %185
  store i64 %189, ptr %187, align 8
  %190 = mul nuw nsw i64 %166, %163
  %191 = icmp ult i64 %161, 2
  br i1 %191, label %281, label %160

192:
  %193 = load ptr, ptr %35, align 8
  %194 = icmp eq ptr %109, %193
  br i1 %194, label %195, label %434

195:
  %196 = load i64, ptr %36, align 8
  %197 = getelementptr inbounds i8, ptr %53, i64 %196
  %198 = load ptr, ptr %197, align 8
  %199 = load i64, ptr %37, align 8
  %200 = getelementptr inbounds i8, ptr %53, i64 %199
  %201 = load ptr, ptr %200, align 8
  %202 = load i64, ptr %38, align 8
  %203 = getelementptr inbounds i8, ptr %53, i64 %202
  %204 = load ptr, ptr %203, align 8
  %205 = getelementptr inbounds i8, ptr %43, i64 56
  %206 = load ptr, ptr %205, align 8
  %207 = icmp ne ptr %198, %206
  %208 = icmp eq ptr %201, null
  %209 = select i1 %207, i1 true, i1 %208
  br i1 %209, label %434, label %210

210:
  %211 = getelementptr inbounds i8, ptr %201, i64 8
  %212 = load ptr, ptr %211, align 8
  %213 = icmp eq ptr %212, %105
  br i1 %213, label %214, label %434

214:
  %215 = getelementptr inbounds i8, ptr %201, i64 64
  %216 = load i32, ptr %215, align 8
  %217 = sext i32 %216 to i64
  %218 = getelementptr inbounds i8, ptr %43, i64 80
  %219 = load i64, ptr %218, align 8
  %220 = and i64 %219, %217
  %221 = icmp ne i64 %220, %219
  %222 = icmp eq ptr %204, null
  %223 = select i1 %221, i1 true, i1 %222
  br i1 %223, label %434, label %224

224:
  %225 = load ptr, ptr %39, align 8
  %226 = getelementptr inbounds i8, ptr %204, i64 8
  %227 = load ptr, ptr %226, align 8
  %228 = icmp eq ptr %227, %225
  br i1 %228, label %229, label %434

229:
  %230 = call i64 @PyTuple_Size(ptr noundef nonnull %204) #5
  %231 = getelementptr inbounds i8, ptr %43, i64 104
  %232 = load i64, ptr %231, align 8
  %233 = icmp eq i64 %232, 0
  %234 = select i1 %233, i64 3, i64 6
  %235 = icmp eq i64 %230, %234
  br i1 %235, label %236, label %434

236:
  %237 = call ptr @PyTuple_GetItem(ptr noundef nonnull %204, i64 noundef 2) #5
  %238 = icmp eq ptr %237, null
  br i1 %238, label %434, label %239

239:
  %240 = load ptr, ptr %40, align 8
  %241 = getelementptr inbounds i8, ptr %237, i64 8
  %242 = load ptr, ptr %241, align 8
  %243 = icmp eq ptr %242, %240
  br i1 %243, label %244, label %434

244:
  %245 = getelementptr inbounds i8, ptr %43, i64 64
  %246 = load i64, ptr %245, align 8
  %247 = mul i64 %246, 24
  %248 = call i64 @PyBytes_Size(ptr noundef nonnull %237) #5
  %249 = add i64 %247, 24
  %250 = icmp eq i64 %248, %249
  br i1 %250, label %251, label %434

251:
  %252 = call ptr @PyBytes_AsString(ptr noundef nonnull %237) #5
  %253 = load i64, ptr %252, align 1
  store i64 %253, ptr %56, align 8
  %254 = getelementptr inbounds i8, ptr %43, i64 72
  %255 = load i64, ptr %254, align 8
  %256 = trunc i64 %255 to i32
  %257 = shl nsw i32 -1, %256
  %258 = xor i32 %257, -1
  %259 = zext nneg i32 %258 to i64
  %260 = and i64 %253, %259
  %261 = icmp eq i64 %260, 0
  br i1 %261, label %262, label %434

262:
  %263 = getelementptr inbounds i8, ptr %252, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %57, ptr noundef nonnull align 1 dereferenceable(16) %263, i64 16, i1 false)
  %264 = getelementptr inbounds i8, ptr %56, i64 8
  %265 = getelementptr inbounds i8, ptr %252, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 8 %264, ptr nonnull align 1 %265, i64 %247, i1 false)
  store ptr %201, ptr %58, align 8
  %266 = load i64, ptr %231, align 8
  %267 = icmp eq i64 %266, 0
  br i1 %267, label %281, label %268

268:
  %269 = call ptr @PyTuple_GetItem(ptr noundef nonnull %204, i64 noundef 3) #5
  %270 = icmp eq ptr %269, null
  br i1 %270, label %434, label %271

271:
  %272 = load ptr, ptr %40, align 8
  %273 = getelementptr inbounds i8, ptr %269, i64 8
  %274 = load ptr, ptr %273, align 8
  %275 = icmp eq ptr %274, %272
  br i1 %275, label %276, label %434

276:
  %277 = call ptr @PyBytes_AsString(ptr noundef nonnull %269) #5
  %278 = load i64, ptr %277, align 1
  store i64 %278, ptr %61, align 8
  store i64 %253, ptr %59, align 16
  store ptr %204, ptr %58, align 8
  br label %281

279:
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4) #6
  br label %434

280:
  store i64 %73, ptr %56, align 8
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4) #6
  br label %281

281:
  %282 = add nuw nsw i64 %42, 1
  %283 = icmp eq i64 %282, %20
  br i1 %283, label %284, label %41

284:
  %285 = load i64, ptr %19, align 8
  %286 = icmp slt i64 %285, 1
  br i1 %286, label %352, label %287

287:
  %288 = getelementptr inbounds i8, ptr %5, i64 184
  br label %289

289:
  %290 = phi i1 [ false, %287 ], [ %348, %346 ]
  %291 = phi i64 [ 0, %287 ], [ %347, %346 ]
  %292 = getelementptr inbounds [0 x %struct.Row], ptr %288, i64 0, i64 %291
  %293 = getelementptr inbounds i8, ptr %292, i64 88
  %294 = load i64, ptr %293, align 8
  %295 = icmp eq i64 %294, 0
  br i1 %295, label %346, label %296

296:
  %297 = getelementptr inbounds %struct.Span, ptr %25, i64 %291
  %298 = getelementptr inbounds i8, ptr %297, i64 8
  br label %299

299:
  %300 = phi i64 [ 0, %296 ], [ %313, %312 ]
  %301 = icmp eq i64 %291, %300
  br i1 %301, label %312, label %302

302:
  %303 = load i64, ptr %297, align 16
  %304 = getelementptr inbounds %struct.Span, ptr %25, i64 %300
  %305 = getelementptr inbounds i8, ptr %304, i64 8
  %306 = load i64, ptr %305, align 8
  %307 = icmp ult i64 %303, %306
  br i1 %307, label %308, label %312

308:
  %309 = load i64, ptr %304, align 16
  %310 = load i64, ptr %298, align 8
  %311 = icmp ult i64 %309, %310
  br i1 %311, label %350, label %312

312:
  %313 = add nuw nsw i64 %300, 1
  %314 = icmp eq i64 %313, %285
  br i1 %314, label %315, label %299

315:
  %316 = getelementptr inbounds i8, ptr %292, i64 64
  %317 = load i64, ptr %316, align 8
  %318 = icmp sgt i64 %317, 0
  br i1 %318, label %319, label %346

319:
  %320 = getelementptr inbounds i8, ptr %292, i64 96
  %321 = load i64, ptr %320, align 8
  %322 = getelementptr inbounds i64, ptr %24, i64 %321
  %323 = getelementptr inbounds i8, ptr %292, i64 24
  %324 = load i64, ptr %323, align 8
  %325 = getelementptr inbounds i64, ptr %24, i64 %324
  br label %326

326:
  %327 = phi i64 [ %342, %341 ], [ 0, %319 ]
  %328 = phi ptr [ %344, %341 ], [ %322, %319 ]
  %329 = phi ptr [ %343, %341 ], [ %325, %319 ]
  %330 = getelementptr inbounds i8, ptr %329, i64 8
  %331 = load i64, ptr %330, align 8
  %332 = getelementptr inbounds i8, ptr %328, i64 8
  %333 = load i64, ptr %332, align 8
  %334 = icmp eq i64 %331, %333
  br i1 %334, label %335, label %350

335:
  %336 = getelementptr inbounds i8, ptr %329, i64 16
  %337 = load i64, ptr %336, align 8
  %338 = getelementptr inbounds i8, ptr %328, i64 16
  %339 = load i64, ptr %338, align 8
  %340 = icmp eq i64 %337, %339
  br i1 %340, label %341, label %350

341:
  %342 = add nuw nsw i64 %327, 1
  %343 = getelementptr inbounds i8, ptr %329, i64 24
  %344 = getelementptr inbounds i8, ptr %328, i64 24
  %345 = icmp eq i64 %342, %317
  br i1 %345, label %346, label %326

346:
  %347 = add nuw nsw i64 %291, 1
  %348 = icmp sge i64 %347, %285
  %349 = icmp eq i64 %347, %285
  br i1 %349, label %350, label %289

350:
  %351 = phi i1 [ %290, %335 ], [ %290, %326 ], [ %290, %308 ], [ %348, %346 ]
  br i1 %351, label %352, label %434

352:
  br i1 %28, label %353, label %362

353:
  %354 = phi i64 [ %360, %359 ], [ 0, %352 ]
  %355 = getelementptr inbounds ptr, ptr %26, i64 %354
  %356 = load ptr, ptr %355, align 8
  %357 = icmp eq ptr %356, null
  br i1 %357, label %359, label %358

358:
  call void @Py_IncRef(ptr noundef nonnull %356) #5
  br label %359

359:
  %360 = add nuw nsw i64 %354, 1
  %361 = icmp eq i64 %360, %20
  br i1 %361, label %362, label %353

362:
  %363 = call ptr @PyEval_SaveThread() #5
  %364 = load ptr, ptr %5, align 8
  %365 = getelementptr inbounds i8, ptr %5, i64 40
  %366 = load i64, ptr %365, align 8
  %367 = getelementptr i64, ptr %24, i64 %366
  %368 = getelementptr i8, ptr %367, i64 -8
  %369 = getelementptr inbounds i8, ptr %5, i64 152
  %370 = load ptr, ptr %369, align 8
  %371 = icmp eq ptr %370, null
  br i1 %371, label %377, label %372

372:
  %373 = getelementptr inbounds i8, ptr %5, i64 160
  %374 = load ptr, ptr %373, align 8
  %375 = load i64, ptr %19, align 8
  %376 = call i32 %370(ptr noundef %374, ptr noundef %364, ptr noundef nonnull %24, ptr noundef %368, ptr noundef nonnull %27, i64 noundef %375) #5
  br label %379

377:
  store ptr null, ptr %368, align 8
  %378 = call i32 @pipec_run(ptr noundef %364, ptr noundef nonnull %24) #5
  br label %379

379:
  %380 = phi i32 [ %376, %372 ], [ %378, %377 ]
  %381 = icmp eq i32 %380, 1
  br i1 %381, label %382, label %410

382:
  %383 = getelementptr inbounds i8, ptr %5, i64 8
  %384 = load ptr, ptr %383, align 8
  %385 = icmp eq ptr %384, null
  br i1 %385, label %410, label %386

386:
  %387 = load i64, ptr %365, align 8
  %388 = getelementptr inbounds i64, ptr %24, i64 %387
  %389 = load i64, ptr %388, align 8
  %390 = getelementptr inbounds i8, ptr %5, i64 56
  %391 = load i64, ptr %390, align 8
  %392 = icmp ult i64 %389, %391
  br i1 %392, label %393, label %410

393:
  %394 = getelementptr inbounds i8, ptr %5, i64 48
  %395 = load ptr, ptr %394, align 8
  %396 = getelementptr inbounds i8, ptr %395, i64 %389
  %397 = load i8, ptr %396, align 1
  %398 = icmp eq i8 %397, 0
  br i1 %398, label %410, label %399

399:
  %400 = getelementptr i8, ptr %388, i64 -8
  %401 = load ptr, ptr %369, align 8
  %402 = icmp eq ptr %401, null
  br i1 %402, label %408, label %403

403:
  %404 = getelementptr inbounds i8, ptr %5, i64 168
  %405 = load ptr, ptr %404, align 8
  %406 = load i64, ptr %19, align 8
  %407 = call i32 %401(ptr noundef %405, ptr noundef nonnull %384, ptr noundef nonnull %24, ptr noundef %400, ptr noundef nonnull %27, i64 noundef %406) #5
  br label %410

408:
  store ptr null, ptr %400, align 8
  %409 = call i32 @pipec_run(ptr noundef nonnull %384, ptr noundef nonnull %24) #5
  br label %410

410:
  %411 = phi i32 [ 1, %382 ], [ %380, %379 ], [ 1, %393 ], [ 1, %386 ], [ %407, %403 ], [ %409, %408 ]
  call void @PyEval_RestoreThread(ptr noundef %363) #5
  br i1 %28, label %412, label %421

412:
  %413 = phi i64 [ %419, %418 ], [ 0, %410 ]
  %414 = getelementptr inbounds ptr, ptr %26, i64 %413
  %415 = load ptr, ptr %414, align 8
  %416 = icmp eq ptr %415, null
  br i1 %416, label %418, label %417

417:
  call void @Py_DecRef(ptr noundef nonnull %415) #5
  br label %418

418:
  %419 = add nuw nsw i64 %413, 1
  %420 = icmp eq i64 %419, %20
  br i1 %420, label %421, label %412

421:
  %422 = icmp eq i32 %411, 3
  br i1 %422, label %423, label %426

423:
  %424 = call i32 @pipec_restore_exception() #5
  %425 = icmp eq i32 %424, 0
  br i1 %425, label %426, label %437

426:
  %427 = icmp eq i32 %411, 0
  %428 = zext i1 %427 to i64
  %429 = load i64, ptr %12, align 8
  %430 = add nsw i64 %429, %428
  store i64 %430, ptr %12, align 8
  %431 = zext i1 %422 to i64
  %432 = load i64, ptr %10, align 8
  %433 = add nsw i64 %432, %431
  store i64 %433, ptr %10, align 8
  br label %434

434:
  %435 = phi i64 [ 0, %279 ], [ %428, %426 ], [ 0, %350 ], [ 0, %160 ], [ 0, %173 ], [ 0, %111 ], [ 0, %192 ], [ 0, %89 ], [ 0, %136 ], [ 0, %128 ], [ 0, %121 ], [ 0, %115 ], [ 0, %229 ], [ 0, %224 ], [ 0, %214 ], [ 0, %210 ], [ 0, %195 ], [ 0, %239 ], [ 0, %244 ], [ 0, %251 ], [ 0, %271 ], [ 0, %236 ], [ 0, %268 ], [ 0, %104 ]
  %436 = call ptr @PyBool_FromLong(i64 noundef %435) #5
  br label %437

437:
  %438 = phi ptr [ null, %423 ], [ %436, %434 ]
  call void @llvm.stackrestore.p0(ptr %23)
  br label %439

439:
  %440 = phi ptr [ %17, %16 ], [ %438, %437 ]
  ret ptr %440
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare ptr @PyByteArray_AsString(ptr noundef) local_unnamed_addr #2

declare ptr @PyBool_FromLong(i64 noundef) local_unnamed_addr #2

declare ptr @llvm.stacksave.p0() #3

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare void @Py_IncRef(ptr noundef) local_unnamed_addr #2

declare ptr @PyEval_SaveThread() local_unnamed_addr #2

declare void @PyEval_RestoreThread(ptr noundef) local_unnamed_addr #2

declare void @Py_DecRef(ptr noundef) local_unnamed_addr #2

declare i32 @pipec_restore_exception() local_unnamed_addr #2

declare void @llvm.stackrestore.p0(ptr) #3

declare void @llvm.memcpy.p0.p0.i64(ptr noalias nocapture writeonly, ptr noalias nocapture readonly, i64, i1 immarg) #4

declare i64 @PyLong_AsLongLongAndOverflow(ptr noundef, ptr noundef) local_unnamed_addr #2

declare double @PyFloat_AsDouble(ptr noundef) local_unnamed_addr #2

declare i64 @PyTuple_Size(ptr noundef) local_unnamed_addr #2

declare ptr @PyTuple_GetItem(ptr noundef, i64 noundef) local_unnamed_addr #2

declare i64 @PyBytes_Size(ptr noundef) local_unnamed_addr #2

declare ptr @PyBytes_AsString(ptr noundef) local_unnamed_addr #2

declare i32 @pipec_run(ptr noundef, ptr noundef) local_unnamed_addr #2

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { nobuiltin nounwind }
attributes #6 = { nounwind }


