; Compiled from python_call.c by tools/build_runtime.py with clang 19.
; 062e6fd346d3aec9915286ddbe10bab4

%struct.Span = type { i64, i64 }
%struct.Resident = type { i64, ptr }
%struct.Row = type { i64, i64, ptr, i64, i64, i64, ptr, ptr, i64, i64, i64, i64, i64, i64 }

define weak ptr @pipec_python_call(ptr noundef %0, ptr noundef %1, i64 noundef %2) local_unnamed_addr #0 {
  %4 = alloca i32, align 4
  %5 = tail call ptr @PyByteArray_AsString(ptr noundef %0) #7
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
  %17 = tail call ptr @PyBool_FromLong(i64 noundef 0) #7
  br label %501

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
  br i1 %28, label %29, label %287

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
  %42 = phi i64 [ 0, %29 ], [ %285, %284 ]
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
  call void @llvm.lifetime.start.p0(i64 4, ptr nonnull %4) #8
  %73 = call i64 @PyLong_AsLongLongAndOverflow(ptr noundef nonnull %53, ptr noundef nonnull %4) #7
  %74 = load i32, ptr %4, align 4
  %75 = icmp eq i32 %74, 0
  br i1 %75, label %76, label %282

76:
  %77 = getelementptr inbounds i8, ptr %43, i64 32
  %78 = load i64, ptr %77, align 8
  %79 = icmp slt i64 %73, %78
  br i1 %79, label %282, label %80

80:
  %81 = getelementptr inbounds i8, ptr %43, i64 40
  %82 = load i64, ptr %81, align 8
  %83 = icmp sgt i64 %73, %82
  br i1 %83, label %282, label %84

84:
  %85 = load i64, ptr %43, align 8
  %86 = icmp eq i64 %85, 1
  br i1 %86, label %283, label %87

87:
  %88 = sitofp i64 %73 to double
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4) #8
  br label %97

89:
  %90 = load ptr, ptr %33, align 8
  %91 = icmp ne ptr %66, %90
  %92 = icmp eq i64 %62, 1
  %93 = or i1 %92, %91
  br i1 %93, label %496, label %94

94:
  %95 = call double @PyFloat_AsDouble(ptr noundef nonnull %53) #7
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
  br label %284

102:
  %103 = fptrunc double %99 to float
  store float %103, ptr %56, align 8
  br label %284

104:
  %105 = load ptr, ptr %34, align 8
  %106 = icmp eq ptr %53, null
  br i1 %106, label %496, label %107

107:
  %108 = getelementptr inbounds i8, ptr %53, i64 8
  %109 = load ptr, ptr %108, align 8
  %110 = icmp eq ptr %109, %105
  br i1 %110, label %111, label %195

111:
  %112 = getelementptr inbounds i8, ptr %43, i64 104
  %113 = load i64, ptr %112, align 8
  %114 = icmp eq i64 %113, 0
  br i1 %114, label %115, label %496

115:
  %116 = getelementptr inbounds i8, ptr %53, i64 56
  %117 = load ptr, ptr %116, align 8
  %118 = getelementptr inbounds i8, ptr %43, i64 48
  %119 = load ptr, ptr %118, align 8
  %120 = icmp eq ptr %117, %119
  br i1 %120, label %121, label %496

121:
  %122 = getelementptr inbounds i8, ptr %53, i64 24
  %123 = load i32, ptr %122, align 8
  %124 = sext i32 %123 to i64
  %125 = getelementptr inbounds i8, ptr %43, i64 64
  %126 = load i64, ptr %125, align 8
  %127 = icmp eq i64 %126, %124
  br i1 %127, label %128, label %496

128:
  %129 = getelementptr inbounds i8, ptr %53, i64 64
  %130 = load i32, ptr %129, align 8
  %131 = sext i32 %130 to i64
  %132 = getelementptr inbounds i8, ptr %43, i64 80
  %133 = load i64, ptr %132, align 8
  %134 = and i64 %133, %131
  %135 = icmp eq i64 %134, %133
  br i1 %135, label %136, label %496

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
  br i1 %146, label %147, label %496

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
  br i1 %153, label %284, label %154

154:
  %155 = getelementptr inbounds i8, ptr %56, i64 8
  %156 = getelementptr inbounds i8, ptr %53, i64 32
  %157 = getelementptr inbounds i8, ptr %53, i64 40
  %158 = load ptr, ptr %156, align 8
  %159 = load ptr, ptr %157, align 8
  br label %160

160:
  %161 = phi i64 [ %124, %154 ], [ %164, %184 ]
  %162 = phi ptr [ %155, %154 ], [ %188, %184 ]
  %163 = phi i64 [ 1, %154 ], [ %193, %184 ]
  %164 = add nsw i64 %161, -1
  %165 = getelementptr inbounds i64, ptr %158, i64 %164
  %166 = load i64, ptr %165, align 8
  %167 = getelementptr inbounds i64, ptr %159, i64 %164
  %168 = load i64, ptr %167, align 8
  %169 = ashr i64 %168, %140
  %170 = select i1 %149, i64 %169, i64 %163
  %171 = add i64 %166, -2147483648
  %172 = icmp ult i64 %171, -2147483647
  br i1 %172, label %496, label %173

173:
  %174 = and i64 %168, %144
  %175 = icmp eq i64 %174, 0
  %176 = add i64 %170, 2147483647
  %177 = icmp ult i64 %176, 4294967295
  %178 = select i1 %175, i1 %177, i1 false
  br i1 %178, label %179, label %496

179:
  %180 = mul nsw i64 %170, %151
  %181 = add nsw i64 %166, -1
  %182 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %180, i64 %181)
  %183 = extractvalue { i64, i1 } %182, 1
  br i1 %183, label %496, label %184

184:
  %185 = extractvalue { i64, i1 } %182, 0
  %186 = getelementptr inbounds i8, ptr %162, i64 8
  store i64 0, ptr %162, align 8
  %187 = getelementptr inbounds i8, ptr %162, i64 16
  store i64 %166, ptr %186, align 8
  %188 = getelementptr inbounds i8, ptr %162, i64 24
  store i64 %170, ptr %187, align 8
  %189 = icmp slt i64 %185, 0
  %190 = select i1 %189, ptr %57, ptr %60
  %191 = load i64, ptr %190, align 8
  %192 = add nsw i64 %191, %185
  store i64 %192, ptr %190, align 8
  %193 = mul nuw nsw i64 %166, %163
  %194 = icmp ult i64 %161, 2
  br i1 %194, label %284, label %160

195:
  %196 = load ptr, ptr %35, align 8
  %197 = icmp eq ptr %109, %196
  br i1 %197, label %198, label %496

198:
  %199 = load i64, ptr %36, align 8
  %200 = getelementptr inbounds i8, ptr %53, i64 %199
  %201 = load ptr, ptr %200, align 8
  %202 = load i64, ptr %37, align 8
  %203 = getelementptr inbounds i8, ptr %53, i64 %202
  %204 = load ptr, ptr %203, align 8
  %205 = load i64, ptr %38, align 8
  %206 = getelementptr inbounds i8, ptr %53, i64 %205
  %207 = load ptr, ptr %206, align 8
  %208 = getelementptr inbounds i8, ptr %43, i64 56
  %209 = load ptr, ptr %208, align 8
  %210 = icmp ne ptr %201, %209
  %211 = icmp eq ptr %204, null
  %212 = select i1 %210, i1 true, i1 %211
  br i1 %212, label %496, label %213

213:
  %214 = getelementptr inbounds i8, ptr %204, i64 8
  %215 = load ptr, ptr %214, align 8
  %216 = icmp eq ptr %215, %105
  br i1 %216, label %217, label %496

217:
  %218 = getelementptr inbounds i8, ptr %204, i64 64
  %219 = load i32, ptr %218, align 8
  %220 = sext i32 %219 to i64
  %221 = getelementptr inbounds i8, ptr %43, i64 80
  %222 = load i64, ptr %221, align 8
  %223 = and i64 %222, %220
  %224 = icmp ne i64 %223, %222
  %225 = icmp eq ptr %207, null
  %226 = select i1 %224, i1 true, i1 %225
  br i1 %226, label %496, label %227

227:
  %228 = load ptr, ptr %39, align 8
  %229 = getelementptr inbounds i8, ptr %207, i64 8
  %230 = load ptr, ptr %229, align 8
  %231 = icmp eq ptr %230, %228
  br i1 %231, label %232, label %496

232:
  %233 = call i64 @PyTuple_Size(ptr noundef nonnull %207) #7
  %234 = getelementptr inbounds i8, ptr %43, i64 104
  %235 = load i64, ptr %234, align 8
  %236 = icmp eq i64 %235, 0
  %237 = select i1 %236, i64 3, i64 6
  %238 = icmp eq i64 %233, %237
  br i1 %238, label %239, label %496

239:
  %240 = call ptr @PyTuple_GetItem(ptr noundef nonnull %207, i64 noundef 2) #7
  %241 = icmp eq ptr %240, null
  br i1 %241, label %496, label %242

242:
  %243 = load ptr, ptr %40, align 8
  %244 = getelementptr inbounds i8, ptr %240, i64 8
  %245 = load ptr, ptr %244, align 8
  %246 = icmp eq ptr %245, %243
  br i1 %246, label %247, label %496

247:
  %248 = getelementptr inbounds i8, ptr %43, i64 64
  %249 = load i64, ptr %248, align 8
  %250 = mul i64 %249, 24
  %251 = call i64 @PyBytes_Size(ptr noundef nonnull %240) #7
  %252 = add i64 %250, 24
  %253 = icmp eq i64 %251, %252
  br i1 %253, label %254, label %496

254:
  %255 = call ptr @PyBytes_AsString(ptr noundef nonnull %240) #7
  %256 = load i64, ptr %255, align 1
  store i64 %256, ptr %56, align 8
  %257 = getelementptr inbounds i8, ptr %43, i64 72
  %258 = load i64, ptr %257, align 8
  %259 = trunc i64 %258 to i32
  %260 = shl nsw i32 -1, %259
  %261 = xor i32 %260, -1
  %262 = zext nneg i32 %261 to i64
  %263 = and i64 %256, %262
  %264 = icmp eq i64 %263, 0
  br i1 %264, label %265, label %496

265:
  %266 = getelementptr inbounds i8, ptr %255, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %57, ptr noundef nonnull align 1 dereferenceable(16) %266, i64 16, i1 false)
  %267 = getelementptr inbounds i8, ptr %56, i64 8
  %268 = getelementptr inbounds i8, ptr %255, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 8 %267, ptr nonnull align 1 %268, i64 %250, i1 false)
  store ptr %204, ptr %58, align 8
  %269 = load i64, ptr %234, align 8
  %270 = icmp eq i64 %269, 0
  br i1 %270, label %284, label %271

271:
  %272 = call ptr @PyTuple_GetItem(ptr noundef nonnull %207, i64 noundef 3) #7
  %273 = icmp eq ptr %272, null
  br i1 %273, label %496, label %274

274:
  %275 = load ptr, ptr %40, align 8
  %276 = getelementptr inbounds i8, ptr %272, i64 8
  %277 = load ptr, ptr %276, align 8
  %278 = icmp eq ptr %277, %275
  br i1 %278, label %279, label %496

279:
  %280 = call ptr @PyBytes_AsString(ptr noundef nonnull %272) #7
  %281 = load i64, ptr %280, align 1
  store i64 %281, ptr %61, align 8
  store i64 %256, ptr %59, align 16
  store ptr %207, ptr %58, align 8
  br label %284

282:
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4) #8
  br label %496

283:
  store i64 %73, ptr %56, align 8
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4) #8
  br label %284

284:
  %285 = add nuw nsw i64 %42, 1
  %286 = icmp eq i64 %285, %20
  br i1 %286, label %287, label %41

287:
  %288 = load i64, ptr %19, align 8
  %289 = icmp slt i64 %288, 1
  br i1 %289, label %414, label %290

290:
  %291 = getelementptr inbounds i8, ptr %5, i64 184
  br label %292

292:
  %293 = phi i1 [ false, %290 ], [ %410, %408 ]
  %294 = phi i64 [ 0, %290 ], [ %409, %408 ]
  %295 = getelementptr inbounds [0 x %struct.Row], ptr %291, i64 0, i64 %294
  %296 = getelementptr inbounds i8, ptr %295, i64 88
  %297 = load i64, ptr %296, align 8
  %298 = icmp eq i64 %297, 0
  br i1 %298, label %408, label %299

299:
  %300 = getelementptr inbounds %struct.Span, ptr %25, i64 %294
  %301 = getelementptr inbounds i8, ptr %300, i64 8
  br label %302

302:
  %303 = phi i64 [ 0, %299 ], [ %316, %315 ]
  %304 = icmp eq i64 %294, %303
  br i1 %304, label %315, label %305

305:
  %306 = load i64, ptr %300, align 16
  %307 = getelementptr inbounds %struct.Span, ptr %25, i64 %303
  %308 = getelementptr inbounds i8, ptr %307, i64 8
  %309 = load i64, ptr %308, align 8
  %310 = icmp ult i64 %306, %309
  br i1 %310, label %311, label %315

311:
  %312 = load i64, ptr %307, align 16
  %313 = load i64, ptr %301, align 8
  %314 = icmp ult i64 %312, %313
  br i1 %314, label %412, label %315

315:
  %316 = add nuw nsw i64 %303, 1
  %317 = icmp eq i64 %316, %288
  br i1 %317, label %318, label %302

318:
  %319 = getelementptr inbounds i8, ptr %295, i64 24
  %320 = load i64, ptr %319, align 8
  %321 = getelementptr inbounds i64, ptr %24, i64 %320
  %322 = getelementptr inbounds i8, ptr %321, i64 8
  %323 = getelementptr inbounds i8, ptr %295, i64 64
  %324 = load i64, ptr %323, align 8
  %325 = icmp sgt i64 %324, 0
  br i1 %325, label %326, label %408

326:
  %327 = phi i64 [ %342, %339 ], [ 0, %318 ]
  %328 = phi i64 [ %343, %339 ], [ 0, %318 ]
  %329 = mul i64 %328, 24
  %330 = getelementptr inbounds i8, ptr %322, i64 %329
  %331 = getelementptr inbounds i8, ptr %330, i64 16
  %332 = load i64, ptr %331, align 8
  %333 = call i64 @llvm.abs.i64(i64 %332, i1 true)
  %334 = getelementptr inbounds i8, ptr %330, i64 8
  %335 = load i64, ptr %334, align 8
  %336 = icmp slt i64 %335, 2
  %337 = icmp sgt i64 %333, %327
  %338 = select i1 %336, i1 true, i1 %337
  br i1 %338, label %339, label %345

339:
  %340 = add nsw i64 %335, -1
  %341 = mul nsw i64 %340, %333
  %342 = add nsw i64 %341, %327
  %343 = add nuw nsw i64 %328, 1
  %344 = icmp eq i64 %343, %324
  br i1 %344, label %384, label %326

345:
  %346 = icmp eq i64 %328, %324
  br i1 %346, label %384, label %350

347:
  %348 = add nuw nsw i64 %351, 1
  %349 = icmp eq i64 %348, %324
  br i1 %349, label %384, label %350

350:
  %351 = phi i64 [ %348, %347 ], [ 0, %345 ]
  %352 = mul i64 %351, 24
  %353 = getelementptr inbounds i8, ptr %322, i64 %352
  %354 = getelementptr inbounds i8, ptr %353, i64 16
  %355 = load i64, ptr %354, align 8
  %356 = call i64 @llvm.abs.i64(i64 %355, i1 true)
  br label %363

357:
  %358 = getelementptr inbounds i8, ptr %353, i64 8
  %359 = load i64, ptr %358, align 8
  %360 = icmp slt i64 %359, 2
  %361 = icmp sgt i64 %356, %381
  %362 = select i1 %360, i1 true, i1 %361
  br i1 %362, label %347, label %412

363:
  %364 = phi i64 [ %382, %380 ], [ 0, %350 ]
  %365 = phi i64 [ %381, %380 ], [ 0, %350 ]
  %366 = icmp eq i64 %364, %351
  br i1 %366, label %380, label %367

367:
  %368 = mul i64 %364, 24
  %369 = getelementptr inbounds i8, ptr %322, i64 %368
  %370 = getelementptr inbounds i8, ptr %369, i64 16
  %371 = load i64, ptr %370, align 8
  %372 = call i64 @llvm.abs.i64(i64 %371, i1 true)
  %373 = icmp ugt i64 %372, %356
  br i1 %373, label %380, label %374

374:
  %375 = getelementptr inbounds i8, ptr %369, i64 8
  %376 = load i64, ptr %375, align 8
  %377 = add nsw i64 %376, -1
  %378 = mul nsw i64 %377, %372
  %379 = add nsw i64 %378, %365
  br label %380

380:
  %381 = phi i64 [ %379, %374 ], [ %365, %367 ], [ %365, %363 ]
  %382 = add nuw nsw i64 %364, 1
  %383 = icmp eq i64 %382, %324
  br i1 %383, label %357, label %363

384:
  %385 = getelementptr inbounds i8, ptr %295, i64 96
  %386 = load i64, ptr %385, align 8
  %387 = getelementptr inbounds i64, ptr %24, i64 %386
  br label %388

388:
  %389 = phi i64 [ %404, %403 ], [ 0, %384 ]
  %390 = phi ptr [ %406, %403 ], [ %387, %384 ]
  %391 = phi ptr [ %405, %403 ], [ %321, %384 ]
  %392 = getelementptr inbounds i8, ptr %391, i64 8
  %393 = load i64, ptr %392, align 8
  %394 = getelementptr inbounds i8, ptr %390, i64 8
  %395 = load i64, ptr %394, align 8
  %396 = icmp eq i64 %393, %395
  br i1 %396, label %397, label %412

397:
  %398 = getelementptr inbounds i8, ptr %391, i64 16
  %399 = load i64, ptr %398, align 8
  %400 = getelementptr inbounds i8, ptr %390, i64 16
  %401 = load i64, ptr %400, align 8
  %402 = icmp eq i64 %399, %401
  br i1 %402, label %403, label %412

403:
  %404 = add nuw nsw i64 %389, 1
  %405 = getelementptr inbounds i8, ptr %391, i64 24
  %406 = getelementptr inbounds i8, ptr %390, i64 24
  %407 = icmp eq i64 %404, %324
  br i1 %407, label %408, label %388

408:
  %409 = add nuw nsw i64 %294, 1
  %410 = icmp sge i64 %409, %288
  %411 = icmp eq i64 %409, %288
  br i1 %411, label %412, label %292

412:
  %413 = phi i1 [ %293, %397 ], [ %293, %388 ], [ %293, %357 ], [ %293, %311 ], [ %410, %408 ]
  br i1 %413, label %414, label %496

414:
  br i1 %28, label %415, label %424

415:
  %416 = phi i64 [ %422, %421 ], [ 0, %414 ]
  %417 = getelementptr inbounds ptr, ptr %26, i64 %416
  %418 = load ptr, ptr %417, align 8
  %419 = icmp eq ptr %418, null
  br i1 %419, label %421, label %420

420:
  call void @Py_IncRef(ptr noundef nonnull %418) #7
  br label %421

421:
  %422 = add nuw nsw i64 %416, 1
  %423 = icmp eq i64 %422, %20
  br i1 %423, label %424, label %415

424:
  %425 = call ptr @PyEval_SaveThread() #7
  %426 = load ptr, ptr %5, align 8
  %427 = getelementptr inbounds i8, ptr %5, i64 40
  %428 = load i64, ptr %427, align 8
  %429 = getelementptr i64, ptr %24, i64 %428
  %430 = getelementptr i8, ptr %429, i64 -8
  %431 = getelementptr inbounds i8, ptr %5, i64 152
  %432 = load ptr, ptr %431, align 8
  %433 = icmp eq ptr %432, null
  br i1 %433, label %439, label %434

434:
  %435 = getelementptr inbounds i8, ptr %5, i64 160
  %436 = load ptr, ptr %435, align 8
  %437 = load i64, ptr %19, align 8
  %438 = call i32 %432(ptr noundef %436, ptr noundef %426, ptr noundef nonnull %24, ptr noundef %430, ptr noundef nonnull %27, i64 noundef %437) #7
  br label %441

439:
  store ptr null, ptr %430, align 8
  %440 = call i32 @pipec_run(ptr noundef %426, ptr noundef nonnull %24) #7
  br label %441

441:
  %442 = phi i32 [ %438, %434 ], [ %440, %439 ]
  %443 = icmp eq i32 %442, 1
  br i1 %443, label %444, label %472

444:
  %445 = getelementptr inbounds i8, ptr %5, i64 8
  %446 = load ptr, ptr %445, align 8
  %447 = icmp eq ptr %446, null
  br i1 %447, label %472, label %448

448:
  %449 = load i64, ptr %427, align 8
  %450 = getelementptr inbounds i64, ptr %24, i64 %449
  %451 = load i64, ptr %450, align 8
  %452 = getelementptr inbounds i8, ptr %5, i64 56
  %453 = load i64, ptr %452, align 8
  %454 = icmp ult i64 %451, %453
  br i1 %454, label %455, label %472

455:
  %456 = getelementptr inbounds i8, ptr %5, i64 48
  %457 = load ptr, ptr %456, align 8
  %458 = getelementptr inbounds i8, ptr %457, i64 %451
  %459 = load i8, ptr %458, align 1
  %460 = icmp eq i8 %459, 0
  br i1 %460, label %472, label %461

461:
  %462 = getelementptr i8, ptr %450, i64 -8
  %463 = load ptr, ptr %431, align 8
  %464 = icmp eq ptr %463, null
  br i1 %464, label %470, label %465

465:
  %466 = getelementptr inbounds i8, ptr %5, i64 168
  %467 = load ptr, ptr %466, align 8
  %468 = load i64, ptr %19, align 8
  %469 = call i32 %463(ptr noundef %467, ptr noundef nonnull %446, ptr noundef nonnull %24, ptr noundef %462, ptr noundef nonnull %27, i64 noundef %468) #7
  br label %472

470:
  store ptr null, ptr %462, align 8
  %471 = call i32 @pipec_run(ptr noundef nonnull %446, ptr noundef nonnull %24) #7
  br label %472

472:
  %473 = phi i32 [ 1, %444 ], [ %442, %441 ], [ 1, %455 ], [ 1, %448 ], [ %469, %465 ], [ %471, %470 ]
  call void @PyEval_RestoreThread(ptr noundef %425) #7
  br i1 %28, label %474, label %483

474:
  %475 = phi i64 [ %481, %480 ], [ 0, %472 ]
  %476 = getelementptr inbounds ptr, ptr %26, i64 %475
  %477 = load ptr, ptr %476, align 8
  %478 = icmp eq ptr %477, null
  br i1 %478, label %480, label %479

479:
  call void @Py_DecRef(ptr noundef nonnull %477) #7
  br label %480

480:
  %481 = add nuw nsw i64 %475, 1
  %482 = icmp eq i64 %481, %20
  br i1 %482, label %483, label %474

483:
  %484 = icmp eq i32 %473, 3
  br i1 %484, label %485, label %488

485:
  %486 = call i32 @pipec_restore_exception() #7
  %487 = icmp eq i32 %486, 0
  br i1 %487, label %488, label %499

488:
  %489 = icmp eq i32 %473, 0
  %490 = zext i1 %489 to i64
  %491 = load i64, ptr %12, align 8
  %492 = add nsw i64 %491, %490
  store i64 %492, ptr %12, align 8
  %493 = zext i1 %484 to i64
  %494 = load i64, ptr %10, align 8
  %495 = add nsw i64 %494, %493
  store i64 %495, ptr %10, align 8
  br label %496

496:
  %497 = phi i64 [ 0, %282 ], [ %490, %488 ], [ 0, %412 ], [ 0, %179 ], [ 0, %160 ], [ 0, %173 ], [ 0, %111 ], [ 0, %195 ], [ 0, %89 ], [ 0, %136 ], [ 0, %128 ], [ 0, %121 ], [ 0, %115 ], [ 0, %232 ], [ 0, %227 ], [ 0, %217 ], [ 0, %213 ], [ 0, %198 ], [ 0, %242 ], [ 0, %247 ], [ 0, %254 ], [ 0, %274 ], [ 0, %239 ], [ 0, %271 ], [ 0, %104 ]
  %498 = call ptr @PyBool_FromLong(i64 noundef %497) #7
  br label %499

499:
  %500 = phi ptr [ null, %485 ], [ %498, %496 ]
  call void @llvm.stackrestore.p0(ptr %23)
  br label %501

501:
  %502 = phi ptr [ %17, %16 ], [ %500, %499 ]
  ret ptr %502
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

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64) #5

declare i64 @PyTuple_Size(ptr noundef) local_unnamed_addr #2

declare ptr @PyTuple_GetItem(ptr noundef, i64 noundef) local_unnamed_addr #2

declare i64 @PyBytes_Size(ptr noundef) local_unnamed_addr #2

declare ptr @PyBytes_AsString(ptr noundef) local_unnamed_addr #2

declare i32 @pipec_run(ptr noundef, ptr noundef) local_unnamed_addr #2

declare i64 @llvm.abs.i64(i64, i1 immarg) #6

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #4 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #5 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #7 = { nobuiltin nounwind }
attributes #8 = { nounwind }


