; Compiled from python_call.c by tools/build_runtime.py with clang 19.
; 278206e1cf4b7c20afe48f9f031c5724

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
  br label %513

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
  br i1 %28, label %29, label %295

29:
  %30 = getelementptr inbounds i8, ptr %5, i64 192
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
  %42 = phi i64 [ 0, %29 ], [ %293, %292 ]
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
  br i1 %75, label %76, label %290

76:
  %77 = getelementptr inbounds i8, ptr %43, i64 32
  %78 = load i64, ptr %77, align 8
  %79 = icmp slt i64 %73, %78
  br i1 %79, label %290, label %80

80:
  %81 = getelementptr inbounds i8, ptr %43, i64 40
  %82 = load i64, ptr %81, align 8
  %83 = icmp sgt i64 %73, %82
  br i1 %83, label %290, label %84

84:
  %85 = load i64, ptr %43, align 8
  %86 = icmp eq i64 %85, 1
  br i1 %86, label %291, label %87

87:
  %88 = sitofp i64 %73 to double
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4) #8
  br label %97

89:
  %90 = load ptr, ptr %33, align 8
  %91 = icmp ne ptr %66, %90
  %92 = icmp eq i64 %62, 1
  %93 = or i1 %92, %91
  br i1 %93, label %508, label %94

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
  br label %292

102:
  %103 = fptrunc double %99 to float
  store float %103, ptr %56, align 8
  br label %292

104:
  %105 = load ptr, ptr %34, align 8
  %106 = icmp eq ptr %53, null
  br i1 %106, label %508, label %107

107:
  %108 = getelementptr inbounds i8, ptr %53, i64 8
  %109 = load ptr, ptr %108, align 8
  %110 = icmp eq ptr %109, %105
  br i1 %110, label %111, label %195

111:
  %112 = getelementptr inbounds i8, ptr %43, i64 104
  %113 = load i64, ptr %112, align 8
  %114 = icmp eq i64 %113, 0
  br i1 %114, label %115, label %508

115:
  %116 = getelementptr inbounds i8, ptr %53, i64 56
  %117 = load ptr, ptr %116, align 8
  %118 = getelementptr inbounds i8, ptr %43, i64 48
  %119 = load ptr, ptr %118, align 8
  %120 = icmp eq ptr %117, %119
  br i1 %120, label %121, label %508

121:
  %122 = getelementptr inbounds i8, ptr %53, i64 24
  %123 = load i32, ptr %122, align 8
  %124 = sext i32 %123 to i64
  %125 = getelementptr inbounds i8, ptr %43, i64 64
  %126 = load i64, ptr %125, align 8
  %127 = icmp eq i64 %126, %124
  br i1 %127, label %128, label %508

128:
  %129 = getelementptr inbounds i8, ptr %53, i64 64
  %130 = load i32, ptr %129, align 8
  %131 = sext i32 %130 to i64
  %132 = getelementptr inbounds i8, ptr %43, i64 80
  %133 = load i64, ptr %132, align 8
  %134 = and i64 %133, %131
  %135 = icmp eq i64 %134, %133
  br i1 %135, label %136, label %508

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
  br i1 %146, label %147, label %508

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
  br i1 %153, label %282, label %154

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
  br i1 %172, label %508, label %173

173:
  %174 = and i64 %168, %144
  %175 = icmp eq i64 %174, 0
  %176 = add i64 %170, 2147483647
  %177 = icmp ult i64 %176, 4294967295
  %178 = select i1 %175, i1 %177, i1 false
  br i1 %178, label %179, label %508

179:
  %180 = mul nsw i64 %170, %151
  %181 = add nsw i64 %166, -1
  %182 = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %180, i64 %181)
  %183 = extractvalue { i64, i1 } %182, 1
  br i1 %183, label %508, label %184

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
  br i1 %194, label %282, label %160

195:
  %196 = load ptr, ptr %35, align 8
  %197 = icmp eq ptr %109, %196
  br i1 %197, label %198, label %508

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
  br i1 %212, label %508, label %213

213:
  %214 = getelementptr inbounds i8, ptr %204, i64 8
  %215 = load ptr, ptr %214, align 8
  %216 = icmp eq ptr %215, %105
  br i1 %216, label %217, label %508

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
  br i1 %226, label %508, label %227

227:
  %228 = load ptr, ptr %39, align 8
  %229 = getelementptr inbounds i8, ptr %207, i64 8
  %230 = load ptr, ptr %229, align 8
  %231 = icmp eq ptr %230, %228
  br i1 %231, label %232, label %508

232:
  %233 = call i64 @PyTuple_Size(ptr noundef nonnull %207) #7
  %234 = getelementptr inbounds i8, ptr %43, i64 104
  %235 = load i64, ptr %234, align 8
  %236 = icmp eq i64 %235, 0
  %237 = select i1 %236, i64 3, i64 6
  %238 = icmp eq i64 %233, %237
  br i1 %238, label %239, label %508

239:
  %240 = call ptr @PyTuple_GetItem(ptr noundef nonnull %207, i64 noundef 2) #7
  %241 = icmp eq ptr %240, null
  br i1 %241, label %508, label %242

242:
  %243 = load ptr, ptr %40, align 8
  %244 = getelementptr inbounds i8, ptr %240, i64 8
  %245 = load ptr, ptr %244, align 8
  %246 = icmp eq ptr %245, %243
  br i1 %246, label %247, label %508

247:
  %248 = getelementptr inbounds i8, ptr %43, i64 64
  %249 = load i64, ptr %248, align 8
  %250 = mul i64 %249, 24
  %251 = call i64 @PyBytes_Size(ptr noundef nonnull %240) #7
  %252 = add i64 %250, 24
  %253 = icmp eq i64 %251, %252
  br i1 %253, label %254, label %508

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
  br i1 %264, label %265, label %508

265:
  %266 = getelementptr inbounds i8, ptr %255, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(16) %57, ptr noundef nonnull align 1 dereferenceable(16) %266, i64 16, i1 false)
  %267 = getelementptr inbounds i8, ptr %56, i64 8
  %268 = getelementptr inbounds i8, ptr %255, i64 24
  call void @llvm.memcpy.p0.p0.i64(ptr nonnull align 8 %267, ptr nonnull align 1 %268, i64 %250, i1 false)
  store ptr %204, ptr %58, align 8
  %269 = load i64, ptr %234, align 8
  %270 = icmp eq i64 %269, 0
  br i1 %270, label %282, label %271

271:
  %272 = call ptr @PyTuple_GetItem(ptr noundef nonnull %207, i64 noundef 3) #7
  %273 = icmp eq ptr %272, null
  br i1 %273, label %508, label %274

274:
  %275 = load ptr, ptr %40, align 8
  %276 = getelementptr inbounds i8, ptr %272, i64 8
  %277 = load ptr, ptr %276, align 8
  %278 = icmp eq ptr %277, %275
  br i1 %278, label %279, label %508

279:
  %280 = call ptr @PyBytes_AsString(ptr noundef nonnull %272) #7
  %281 = load i64, ptr %280, align 1
  store i64 %281, ptr %61, align 8
  store i64 %256, ptr %59, align 16
  store ptr %207, ptr %58, align 8
  br label %282

282:
  %283 = getelementptr inbounds i8, ptr %43, i64 32
  %284 = load i64, ptr %283, align 8
  %285 = icmp eq i64 %284, 0
  br i1 %285, label %292, label %286

286:
  %287 = getelementptr inbounds i8, ptr %56, i64 16
  %288 = load i64, ptr %287, align 8
  %289 = icmp sgt i64 %288, %284
  br i1 %289, label %292, label %508

290:
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4) #8
  br label %508

291:
  store i64 %73, ptr %56, align 8
  call void @llvm.lifetime.end.p0(i64 4, ptr nonnull %4) #8
  br label %292

292:
  %293 = add nuw nsw i64 %42, 1
  %294 = icmp eq i64 %293, %20
  br i1 %294, label %295, label %41

295:
  %296 = load i64, ptr %19, align 8
  %297 = icmp slt i64 %296, 1
  br i1 %297, label %422, label %298

298:
  %299 = getelementptr inbounds i8, ptr %5, i64 192
  br label %300

300:
  %301 = phi i1 [ false, %298 ], [ %418, %416 ]
  %302 = phi i64 [ 0, %298 ], [ %417, %416 ]
  %303 = getelementptr inbounds [0 x %struct.Row], ptr %299, i64 0, i64 %302
  %304 = getelementptr inbounds i8, ptr %303, i64 88
  %305 = load i64, ptr %304, align 8
  %306 = icmp eq i64 %305, 0
  br i1 %306, label %416, label %307

307:
  %308 = getelementptr inbounds %struct.Span, ptr %25, i64 %302
  %309 = getelementptr inbounds i8, ptr %308, i64 8
  br label %310

310:
  %311 = phi i64 [ 0, %307 ], [ %324, %323 ]
  %312 = icmp eq i64 %302, %311
  br i1 %312, label %323, label %313

313:
  %314 = load i64, ptr %308, align 16
  %315 = getelementptr inbounds %struct.Span, ptr %25, i64 %311
  %316 = getelementptr inbounds i8, ptr %315, i64 8
  %317 = load i64, ptr %316, align 8
  %318 = icmp ult i64 %314, %317
  br i1 %318, label %319, label %323

319:
  %320 = load i64, ptr %315, align 16
  %321 = load i64, ptr %309, align 8
  %322 = icmp ult i64 %320, %321
  br i1 %322, label %420, label %323

323:
  %324 = add nuw nsw i64 %311, 1
  %325 = icmp eq i64 %324, %296
  br i1 %325, label %326, label %310

326:
  %327 = getelementptr inbounds i8, ptr %303, i64 24
  %328 = load i64, ptr %327, align 8
  %329 = getelementptr inbounds i64, ptr %24, i64 %328
  %330 = getelementptr inbounds i8, ptr %329, i64 8
  %331 = getelementptr inbounds i8, ptr %303, i64 64
  %332 = load i64, ptr %331, align 8
  %333 = icmp sgt i64 %332, 0
  br i1 %333, label %334, label %416

334:
  %335 = phi i64 [ %350, %347 ], [ 0, %326 ]
  %336 = phi i64 [ %351, %347 ], [ 0, %326 ]
  %337 = mul i64 %336, 24
  %338 = getelementptr inbounds i8, ptr %330, i64 %337
  %339 = getelementptr inbounds i8, ptr %338, i64 16
  %340 = load i64, ptr %339, align 8
  %341 = call i64 @llvm.abs.i64(i64 %340, i1 true)
  %342 = getelementptr inbounds i8, ptr %338, i64 8
  %343 = load i64, ptr %342, align 8
  %344 = icmp slt i64 %343, 2
  %345 = icmp sgt i64 %341, %335
  %346 = select i1 %344, i1 true, i1 %345
  br i1 %346, label %347, label %353

347:
  %348 = add nsw i64 %343, -1
  %349 = mul nsw i64 %348, %341
  %350 = add nsw i64 %349, %335
  %351 = add nuw nsw i64 %336, 1
  %352 = icmp eq i64 %351, %332
  br i1 %352, label %392, label %334

353:
  %354 = icmp eq i64 %336, %332
  br i1 %354, label %392, label %358

355:
  %356 = add nuw nsw i64 %359, 1
  %357 = icmp eq i64 %356, %332
  br i1 %357, label %392, label %358

358:
  %359 = phi i64 [ %356, %355 ], [ 0, %353 ]
  %360 = mul i64 %359, 24
  %361 = getelementptr inbounds i8, ptr %330, i64 %360
  %362 = getelementptr inbounds i8, ptr %361, i64 16
  %363 = load i64, ptr %362, align 8
  %364 = call i64 @llvm.abs.i64(i64 %363, i1 true)
  br label %371

365:
  %366 = getelementptr inbounds i8, ptr %361, i64 8
  %367 = load i64, ptr %366, align 8
  %368 = icmp slt i64 %367, 2
  %369 = icmp sgt i64 %364, %389
  %370 = select i1 %368, i1 true, i1 %369
  br i1 %370, label %355, label %420

371:
  %372 = phi i64 [ %390, %388 ], [ 0, %358 ]
  %373 = phi i64 [ %389, %388 ], [ 0, %358 ]
  %374 = icmp eq i64 %372, %359
  br i1 %374, label %388, label %375

375:
  %376 = mul i64 %372, 24
  %377 = getelementptr inbounds i8, ptr %330, i64 %376
  %378 = getelementptr inbounds i8, ptr %377, i64 16
  %379 = load i64, ptr %378, align 8
  %380 = call i64 @llvm.abs.i64(i64 %379, i1 true)
  %381 = icmp ugt i64 %380, %364
  br i1 %381, label %388, label %382

382:
  %383 = getelementptr inbounds i8, ptr %377, i64 8
  %384 = load i64, ptr %383, align 8
  %385 = add nsw i64 %384, -1
  %386 = mul nsw i64 %385, %380
  %387 = add nsw i64 %386, %373
  br label %388

388:
  %389 = phi i64 [ %387, %382 ], [ %373, %375 ], [ %373, %371 ]
  %390 = add nuw nsw i64 %372, 1
  %391 = icmp eq i64 %390, %332
  br i1 %391, label %365, label %371

392:
  %393 = getelementptr inbounds i8, ptr %303, i64 96
  %394 = load i64, ptr %393, align 8
  %395 = getelementptr inbounds i64, ptr %24, i64 %394
  br label %396

396:
  %397 = phi i64 [ %412, %411 ], [ 0, %392 ]
  %398 = phi ptr [ %414, %411 ], [ %395, %392 ]
  %399 = phi ptr [ %413, %411 ], [ %329, %392 ]
  %400 = getelementptr inbounds i8, ptr %399, i64 8
  %401 = load i64, ptr %400, align 8
  %402 = getelementptr inbounds i8, ptr %398, i64 8
  %403 = load i64, ptr %402, align 8
  %404 = icmp eq i64 %401, %403
  br i1 %404, label %405, label %420

405:
  %406 = getelementptr inbounds i8, ptr %399, i64 16
  %407 = load i64, ptr %406, align 8
  %408 = getelementptr inbounds i8, ptr %398, i64 16
  %409 = load i64, ptr %408, align 8
  %410 = icmp eq i64 %407, %409
  br i1 %410, label %411, label %420

411:
  %412 = add nuw nsw i64 %397, 1
  %413 = getelementptr inbounds i8, ptr %399, i64 24
  %414 = getelementptr inbounds i8, ptr %398, i64 24
  %415 = icmp eq i64 %412, %332
  br i1 %415, label %416, label %396

416:
  %417 = add nuw nsw i64 %302, 1
  %418 = icmp sge i64 %417, %296
  %419 = icmp eq i64 %417, %296
  br i1 %419, label %420, label %300

420:
  %421 = phi i1 [ %301, %405 ], [ %301, %396 ], [ %301, %365 ], [ %301, %319 ], [ %418, %416 ]
  br i1 %421, label %422, label %508

422:
  br i1 %28, label %423, label %432

423:
  %424 = phi i64 [ %430, %429 ], [ 0, %422 ]
  %425 = getelementptr inbounds ptr, ptr %26, i64 %424
  %426 = load ptr, ptr %425, align 8
  %427 = icmp eq ptr %426, null
  br i1 %427, label %429, label %428

428:
  call void @Py_IncRef(ptr noundef nonnull %426) #7
  br label %429

429:
  %430 = add nuw nsw i64 %424, 1
  %431 = icmp eq i64 %430, %20
  br i1 %431, label %432, label %423

432:
  %433 = call ptr @PyEval_SaveThread() #7
  %434 = load ptr, ptr %5, align 8
  %435 = getelementptr inbounds i8, ptr %5, i64 40
  %436 = load i64, ptr %435, align 8
  %437 = getelementptr i64, ptr %24, i64 %436
  %438 = getelementptr i8, ptr %437, i64 -8
  %439 = getelementptr inbounds i8, ptr %5, i64 152
  %440 = load ptr, ptr %439, align 8
  %441 = icmp eq ptr %440, null
  br i1 %441, label %447, label %442

442:
  %443 = getelementptr inbounds i8, ptr %5, i64 160
  %444 = load ptr, ptr %443, align 8
  %445 = load i64, ptr %19, align 8
  %446 = call i32 %440(ptr noundef %444, ptr noundef %434, ptr noundef nonnull %24, ptr noundef %438, ptr noundef nonnull %27, i64 noundef %445) #7
  br label %451

447:
  %448 = getelementptr inbounds i8, ptr %5, i64 184
  %449 = load ptr, ptr %448, align 8
  store ptr %449, ptr %438, align 8
  %450 = call i32 @pipec_run(ptr noundef %434, ptr noundef nonnull %24) #7
  br label %451

451:
  %452 = phi i32 [ %446, %442 ], [ %450, %447 ]
  %453 = icmp eq i32 %452, 1
  br i1 %453, label %454, label %484

454:
  %455 = getelementptr inbounds i8, ptr %5, i64 8
  %456 = load ptr, ptr %455, align 8
  %457 = icmp eq ptr %456, null
  br i1 %457, label %484, label %458

458:
  %459 = load i64, ptr %435, align 8
  %460 = getelementptr inbounds i64, ptr %24, i64 %459
  %461 = load i64, ptr %460, align 8
  %462 = getelementptr inbounds i8, ptr %5, i64 56
  %463 = load i64, ptr %462, align 8
  %464 = icmp ult i64 %461, %463
  br i1 %464, label %465, label %484

465:
  %466 = getelementptr inbounds i8, ptr %5, i64 48
  %467 = load ptr, ptr %466, align 8
  %468 = getelementptr inbounds i8, ptr %467, i64 %461
  %469 = load i8, ptr %468, align 1
  %470 = icmp eq i8 %469, 0
  br i1 %470, label %484, label %471

471:
  %472 = getelementptr i8, ptr %460, i64 -8
  %473 = load ptr, ptr %439, align 8
  %474 = icmp eq ptr %473, null
  br i1 %474, label %480, label %475

475:
  %476 = getelementptr inbounds i8, ptr %5, i64 168
  %477 = load ptr, ptr %476, align 8
  %478 = load i64, ptr %19, align 8
  %479 = call i32 %473(ptr noundef %477, ptr noundef nonnull %456, ptr noundef nonnull %24, ptr noundef %472, ptr noundef nonnull %27, i64 noundef %478) #7
  br label %484

480:
  %481 = getelementptr inbounds i8, ptr %5, i64 184
  %482 = load ptr, ptr %481, align 8
  store ptr %482, ptr %472, align 8
  %483 = call i32 @pipec_run(ptr noundef nonnull %456, ptr noundef nonnull %24) #7
  br label %484

484:
  %485 = phi i32 [ 1, %454 ], [ %452, %451 ], [ 1, %465 ], [ 1, %458 ], [ %479, %475 ], [ %483, %480 ]
  call void @PyEval_RestoreThread(ptr noundef %433) #7
  br i1 %28, label %486, label %495

486:
  %487 = phi i64 [ %493, %492 ], [ 0, %484 ]
  %488 = getelementptr inbounds ptr, ptr %26, i64 %487
  %489 = load ptr, ptr %488, align 8
  %490 = icmp eq ptr %489, null
  br i1 %490, label %492, label %491

491:
  call void @Py_DecRef(ptr noundef nonnull %489) #7
  br label %492

492:
  %493 = add nuw nsw i64 %487, 1
  %494 = icmp eq i64 %493, %20
  br i1 %494, label %495, label %486

495:
  %496 = icmp eq i32 %485, 3
  br i1 %496, label %497, label %500

497:
  %498 = call i32 @pipec_restore_exception() #7
  %499 = icmp eq i32 %498, 0
  br i1 %499, label %500, label %511

500:
  %501 = icmp eq i32 %485, 0
  %502 = zext i1 %501 to i64
  %503 = load i64, ptr %12, align 8
  %504 = add nsw i64 %503, %502
  store i64 %504, ptr %12, align 8
  %505 = zext i1 %496 to i64
  %506 = load i64, ptr %10, align 8
  %507 = add nsw i64 %506, %505
  store i64 %507, ptr %10, align 8
  br label %508

508:
  %509 = phi i64 [ 0, %290 ], [ %502, %500 ], [ 0, %420 ], [ 0, %179 ], [ 0, %160 ], [ 0, %173 ], [ 0, %271 ], [ 0, %239 ], [ 0, %274 ], [ 0, %254 ], [ 0, %247 ], [ 0, %242 ], [ 0, %198 ], [ 0, %213 ], [ 0, %217 ], [ 0, %227 ], [ 0, %232 ], [ 0, %115 ], [ 0, %121 ], [ 0, %128 ], [ 0, %136 ], [ 0, %104 ], [ 0, %195 ], [ 0, %111 ], [ 0, %89 ], [ 0, %286 ]
  %510 = call ptr @PyBool_FromLong(i64 noundef %509) #7
  br label %511

511:
  %512 = phi ptr [ null, %497 ], [ %510, %508 ]
  call void @llvm.stackrestore.p0(ptr %23)
  br label %513

513:
  %514 = phi ptr [ %17, %16 ], [ %512, %511 ]
  ret ptr %514
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


