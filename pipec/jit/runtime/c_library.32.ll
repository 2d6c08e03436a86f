; Compiled from c_library.c, queries.c by tools/build_runtime.py with clang 19.
; 43edc6816a396bf44d55297561dc2919

%struct.Dimension = type { i32, i32, i32, i32 }
%struct.QueryBuffer = type { i32, i32, i32, i32, i32, i32 }

@error_text = internal thread_local global [1024 x i8] zeroinitializer, align 1
@.str = private unnamed_addr constant [34 x i8] c"Error: Buffer argument %s is NULL\00", align 1
@.str.1 = private unnamed_addr constant [83 x i8] c"Error: %s has type %s but the type of the buffer passed in has code %d and %d bits\00", align 1
@.str.2 = private unnamed_addr constant [97 x i8] c"Error: %s requires a buffer of exactly %d dimensions, but the buffer passed in has %d dimensions\00", align 1
@.str.3 = private unnamed_addr constant [81 x i8] c"Error: The host pointer of %s is no multiple of %d bytes, the size of an element\00", align 1
@.str.4 = private unnamed_addr constant [63 x i8] c"Error: The extents for buffer %s dimension %d is negative (%d)\00", align 1
@.str.5 = private unnamed_addr constant [83 x i8] c"Error: The host pointer of %s is NULL, but the pipeline will access it on the host\00", align 1
@is_prepared = internal global i32 0, align 4
@.str.6 = private unnamed_addr constant [15 x i8] c"HL_NUM_THREADS\00", align 1
@system_processors_name = external local_unnamed_addr constant i32, align 4
@.str.7 = private unnamed_addr constant [3 x i8] c"%s\00", align 1
@.str.8 = private unnamed_addr constant [88 x i8] c"Error: The outputs depend on each other such that no finite size holds what is written.\00", align 1

define weak ptr @pipec_error_text() local_unnamed_addr #0 {
  %1 = tail call align 1 ptr @llvm.threadlocal.address.p0(ptr align 1 @error_text)
  ret ptr %1
}

declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #1

define weak ptr @pipec_last_error() local_unnamed_addr #0 {
  %1 = tail call ptr @pipec_error_text() #4
  ret ptr %1
}

define weak void @pipec_print(ptr noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i32 @write(i32 noundef 2, ptr noundef %0, i32 noundef %1) #5
  ret void
}

declare i32 @write(i32 noundef, ptr noundef, i32 noundef) local_unnamed_addr #2

define weak i32 @pipec_describe(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #0 {
  %8 = icmp eq ptr %0, null
  br i1 %8, label %9, label %12

9:
  %10 = tail call ptr @pipec_error_text() #4
  %11 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %10, i32 noundef 1024, ptr noundef nonnull @.str, ptr noundef %2) #5
  br label %87

12:
  %13 = getelementptr inbounds i8, ptr %0, i32 24
  %14 = load i32, ptr %13, align 8
  %15 = icmp eq i32 %14, %4
  br i1 %15, label %23, label %16

16:
  %17 = tail call ptr @pipec_error_text() #4
  %18 = load i32, ptr %13, align 8
  %19 = and i32 %18, 255
  %20 = lshr i32 %18, 8
  %21 = and i32 %20, 255
  %22 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %17, i32 noundef 1024, ptr noundef nonnull @.str.1, ptr noundef %2, ptr noundef %3, i32 noundef %19, i32 noundef %21) #5
  br label %87

23:
  %24 = getelementptr inbounds i8, ptr %0, i32 28
  %25 = load i32, ptr %24, align 4
  %26 = icmp eq i32 %25, %5
  br i1 %26, label %31, label %27

27:
  %28 = tail call ptr @pipec_error_text() #4
  %29 = load i32, ptr %24, align 4
  %30 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %28, i32 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %2, i32 noundef %5, i32 noundef %29) #5
  br label %87

31:
  %32 = getelementptr inbounds i8, ptr %0, i32 12
  %33 = load ptr, ptr %32, align 4
  %34 = ptrtoint ptr %33 to i32
  %35 = zext i32 %34 to i64
  store i64 %35, ptr %1, align 8
  %36 = load ptr, ptr %32, align 4
  %37 = ptrtoint ptr %36 to i32
  %38 = add nsw i32 %6, -1
  %39 = and i32 %38, %37
  %40 = icmp eq i32 %39, 0
  br i1 %40, label %44, label %41

41:
  %42 = tail call ptr @pipec_error_text() #4
  %43 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %42, i32 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef %2, i32 noundef %6) #5
  br label %87

44:
  %45 = icmp sgt i32 %5, 0
  br i1 %45, label %46, label %79

46:
  %47 = getelementptr inbounds i8, ptr %1, i32 8
  %48 = getelementptr inbounds i8, ptr %0, i32 32
  br label %49

49:
  %50 = phi i32 [ 0, %46 ], [ %75, %62 ]
  %51 = phi i1 [ false, %46 ], [ %64, %62 ]
  %52 = phi ptr [ %47, %46 ], [ %74, %62 ]
  %53 = load ptr, ptr %48, align 8
  %54 = getelementptr inbounds %struct.Dimension, ptr %53, i32 %50
  %55 = getelementptr inbounds i8, ptr %54, i32 4
  %56 = load i32, ptr %55, align 4
  %57 = icmp sgt i32 %56, -1
  br i1 %57, label %62, label %58

58:
  %59 = tail call ptr @pipec_error_text() #4
  %60 = load i32, ptr %55, align 4
  %61 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %59, i32 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef %2, i32 noundef %50, i32 noundef %60) #5
  br label %87

62:
  %63 = icmp eq i32 %56, 0
  %64 = or i1 %51, %63
  %65 = load i32, ptr %54, align 4
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds i8, ptr %52, i32 8
  store i64 %66, ptr %52, align 8
  %68 = load i32, ptr %55, align 4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds i8, ptr %52, i32 16
  store i64 %69, ptr %67, align 8
  %71 = getelementptr inbounds i8, ptr %54, i32 8
  %72 = load i32, ptr %71, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds i8, ptr %52, i32 24
  store i64 %73, ptr %70, align 8
  %75 = add nuw nsw i32 %50, 1
  %76 = icmp eq i32 %75, %5
  br i1 %76, label %77, label %49

77:
  %78 = load ptr, ptr %32, align 4
  br label %79

79:
  %80 = phi ptr [ %36, %44 ], [ %78, %77 ]
  %81 = phi i1 [ false, %44 ], [ %64, %77 ]
  %82 = icmp ne ptr %80, null
  %83 = select i1 %82, i1 true, i1 %81
  br i1 %83, label %87, label %84

84:
  %85 = tail call ptr @pipec_error_text() #4
  %86 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %85, i32 noundef 1024, ptr noundef nonnull @.str.5, ptr noundef %2) #5
  br label %87

87:
  %88 = phi i32 [ -12, %9 ], [ -3, %16 ], [ -43, %27 ], [ -24, %41 ], [ -34, %84 ], [ 0, %79 ], [ -28, %58 ]
  ret i32 %88
}

declare i32 @snprintf(ptr noundef, i32 noundef, ptr noundef, ...) local_unnamed_addr #2

define weak i32 @halide_set_num_threads(i32 noundef %0) local_unnamed_addr #0 {
  tail call void @pipec_prepare() #4
  %2 = tail call i32 @pipec_threads() #5
  %3 = tail call i32 @llvm.smin.i32(i32 %0, i32 1024)
  %4 = tail call i32 @llvm.smax.i32(i32 %3, i32 1)
  tail call void @pipec_set_threads(i32 noundef %4, i32 noundef 10000) #5
  ret i32 %2
}

define weak void @pipec_prepare() local_unnamed_addr #0 {
  %1 = load atomic i32, ptr @is_prepared monotonic, align 4
  %2 = icmp eq i32 %1, 0
  br i1 %2, label %3, label %19

3:
  %4 = cmpxchg ptr @is_prepared, i32 0, i32 1 seq_cst seq_cst, align 4
  %5 = extractvalue { i32, i1 } %4, 1
  br i1 %5, label %6, label %19

6:
  %7 = tail call i32 @pthread_atfork(ptr noundef null, ptr noundef null, ptr noundef nonnull @pipec_forked) #5
  %8 = tail call ptr @getenv(ptr noundef nonnull @.str.6) #5
  %9 = icmp eq ptr %8, null
  br i1 %9, label %13, label %10

10:
  %11 = tail call i32 @atoi(ptr noundef nonnull %8) #5
  %12 = icmp sgt i32 %11, 0
  br i1 %12, label %16, label %13

13:
  %14 = load i32, ptr @system_processors_name, align 4
  %15 = tail call i32 @sysconf(i32 noundef %14) #5
  br label %16

16:
  %17 = phi i32 [ %15, %13 ], [ %11, %10 ]
  %18 = tail call i32 @halide_set_num_threads(i32 noundef %17) #4
  br label %19

19:
  ret void
}

declare i32 @pipec_threads() local_unnamed_addr #2

declare void @pipec_set_threads(i32 noundef, i32 noundef) local_unnamed_addr #2

declare i32 @pthread_atfork(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare void @pipec_forked() #2

declare ptr @getenv(ptr noundef) local_unnamed_addr #2

declare i32 @atoi(ptr noundef) local_unnamed_addr #2

declare i32 @sysconf(i32 noundef) local_unnamed_addr #2

define weak i32 @pipec_answer(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) local_unnamed_addr #0 {
  %5 = getelementptr inbounds i8, ptr %0, i32 12
  %6 = load i32, ptr %5, align 4
  %7 = icmp sgt i32 %6, 0
  br i1 %7, label %8, label %365

8:
  %9 = phi i1 [ %23, %21 ], [ false, %4 ]
  %10 = phi i32 [ %24, %21 ], [ 0, %4 ]
  %11 = getelementptr inbounds ptr, ptr %3, i32 %10
  %12 = load ptr, ptr %11, align 4
  %13 = icmp eq ptr %12, null
  br i1 %13, label %365, label %14

14:
  %15 = getelementptr inbounds i8, ptr %12, i32 12
  %16 = load ptr, ptr %15, align 4
  %17 = icmp eq ptr %16, null
  br i1 %17, label %18, label %21

18:
  %19 = load i64, ptr %12, align 8
  %20 = icmp eq i64 %19, 0
  br label %21

21:
  %22 = phi i1 [ false, %14 ], [ %20, %18 ]
  %23 = or i1 %9, %22
  %24 = add nuw nsw i32 %10, 1
  %25 = icmp eq i32 %24, %6
  br i1 %25, label %26, label %8

26:
  br i1 %23, label %27, label %365

27:
  %28 = load ptr, ptr %0, align 4
  %29 = icmp eq ptr %28, null
  br i1 %29, label %34, label %30

30:
  %31 = getelementptr i8, ptr %1, i32 8
  br i1 %7, label %32, label %106

32:
  %33 = getelementptr inbounds i8, ptr %0, i32 8
  br label %39

34:
  %35 = tail call ptr @pipec_error_text() #4
  %36 = getelementptr inbounds i8, ptr %0, i32 4
  %37 = load ptr, ptr %36, align 4
  %38 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %35, i32 noundef 1024, ptr noundef nonnull @.str.7, ptr noundef %37) #5
  br label %365

39:
  %40 = phi i32 [ 0, %32 ], [ %76, %75 ]
  %41 = load ptr, ptr %33, align 4
  %42 = getelementptr inbounds %struct.QueryBuffer, ptr %41, i32 %40
  %43 = getelementptr inbounds ptr, ptr %3, i32 %40
  %44 = load ptr, ptr %43, align 4
  %45 = getelementptr inbounds i8, ptr %44, i32 28
  %46 = load i32, ptr %45, align 4
  %47 = getelementptr inbounds i8, ptr %42, i32 8
  %48 = load i32, ptr %47, align 4
  %49 = icmp eq i32 %46, %48
  br i1 %49, label %57, label %50

50:
  %51 = getelementptr inbounds i8, ptr %44, i32 12
  %52 = load ptr, ptr %51, align 4
  %53 = icmp eq ptr %52, null
  br i1 %53, label %54, label %365

54:
  %55 = load i64, ptr %44, align 8
  %56 = icmp eq i64 %55, 0
  br i1 %56, label %57, label %365

57:
  %58 = load i32, ptr %42, align 4
  %59 = getelementptr i64, ptr %31, i32 %58
  %60 = getelementptr i8, ptr %59, i32 8
  %61 = icmp sgt i32 %48, 0
  br i1 %61, label %79, label %75

62:
  %63 = icmp sgt i32 %104, 0
  br i1 %63, label %64, label %75

64:
  %65 = phi i32 [ %73, %64 ], [ 0, %62 ]
  %66 = phi i64 [ %72, %64 ], [ 1, %62 ]
  %67 = mul i32 %65, 24
  %68 = getelementptr inbounds i8, ptr %59, i32 %67
  %69 = getelementptr inbounds i8, ptr %68, i32 16
  store i64 %66, ptr %69, align 8
  %70 = getelementptr inbounds i8, ptr %68, i32 8
  %71 = load i64, ptr %70, align 8
  %72 = mul nsw i64 %71, %66
  %73 = add nuw nsw i32 %65, 1
  %74 = icmp eq i32 %73, %104
  br i1 %74, label %75, label %64

75:
  %76 = add nuw nsw i32 %40, 1
  %77 = load i32, ptr %5, align 4
  %78 = icmp slt i32 %76, %77
  br i1 %78, label %39, label %106

79:
  %80 = phi i32 [ %103, %98 ], [ 0, %57 ]
  br i1 %49, label %84, label %81

81:
  %82 = mul i32 %80, 24
  %83 = getelementptr inbounds i8, ptr %59, i32 %82
  store i64 0, ptr %83, align 8
  br label %98

84:
  %85 = load ptr, ptr %43, align 4
  %86 = getelementptr inbounds i8, ptr %85, i32 32
  %87 = load ptr, ptr %86, align 8
  %88 = getelementptr inbounds %struct.Dimension, ptr %87, i32 %80
  %89 = load i32, ptr %88, align 4
  %90 = sext i32 %89 to i64
  %91 = mul i32 %80, 24
  %92 = getelementptr inbounds i8, ptr %59, i32 %91
  store i64 %90, ptr %92, align 8
  %93 = load ptr, ptr %43, align 4
  %94 = getelementptr inbounds i8, ptr %93, i32 32
  %95 = load ptr, ptr %94, align 8
  %96 = getelementptr inbounds %struct.Dimension, ptr %95, i32 %80, i32 1
  %97 = load i32, ptr %96, align 4
  br label %98

98:
  %99 = phi i32 [ %91, %84 ], [ %82, %81 ]
  %100 = phi i32 [ %97, %84 ], [ 0, %81 ]
  %101 = sext i32 %100 to i64
  %102 = getelementptr i8, ptr %60, i32 %99
  store i64 %101, ptr %102, align 8
  %103 = add nuw nsw i32 %80, 1
  %104 = load i32, ptr %47, align 4
  %105 = icmp slt i32 %103, %104
  br i1 %105, label %79, label %62

106:
  %107 = ptrtoint ptr %2 to i32
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds i8, ptr %0, i32 16
  %110 = load i32, ptr %109, align 4
  %111 = getelementptr inbounds i64, ptr %1, i32 %110
  store i64 %108, ptr %111, align 8
  %112 = getelementptr inbounds i8, ptr %0, i32 8
  br label %115

113:
  %114 = icmp sgt i32 %283, 0
  br i1 %114, label %287, label %365

115:
  %116 = phi i32 [ 0, %106 ], [ %286, %282 ]
  %117 = icmp eq i32 %116, 20
  br i1 %117, label %118, label %121

118:
  %119 = tail call ptr @pipec_error_text() #4
  %120 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %119, i32 noundef 1024, ptr noundef nonnull @.str.8) #5
  br label %365

121:
  %122 = load ptr, ptr %0, align 4
  %123 = tail call i32 %122(ptr noundef %1) #5
  %124 = icmp eq i32 %123, 0
  br i1 %124, label %125, label %365

125:
  %126 = icmp eq i32 %116, 0
  %127 = load i32, ptr %5, align 4
  %128 = icmp sgt i32 %127, 0
  br i1 %128, label %129, label %282

129:
  %130 = phi i1 [ %278, %277 ], [ false, %125 ]
  %131 = phi i32 [ %279, %277 ], [ 0, %125 ]
  %132 = load ptr, ptr %112, align 4
  %133 = getelementptr inbounds %struct.QueryBuffer, ptr %132, i32 %131
  %134 = getelementptr inbounds i8, ptr %133, i32 16
  %135 = load i32, ptr %134, align 4
  %136 = icmp slt i32 %135, 0
  br i1 %136, label %277, label %137

137:
  %138 = getelementptr inbounds i8, ptr %133, i32 8
  %139 = load i32, ptr %138, align 4
  %140 = icmp sgt i32 %139, 0
  br i1 %140, label %141, label %277

141:
  %142 = getelementptr inbounds i8, ptr %133, i32 4
  %143 = getelementptr inbounds i8, ptr %133, i32 20
  br label %159

144:
  %145 = load i32, ptr %133, align 4
  %146 = getelementptr i64, ptr %31, i32 %145
  %147 = icmp sgt i32 %275, 0
  br i1 %147, label %148, label %277

148:
  %149 = phi i32 [ %157, %148 ], [ 0, %144 ]
  %150 = phi i64 [ %156, %148 ], [ 1, %144 ]
  %151 = mul i32 %149, 24
  %152 = getelementptr inbounds i8, ptr %146, i32 %151
  %153 = getelementptr inbounds i8, ptr %152, i32 16
  store i64 %150, ptr %153, align 8
  %154 = getelementptr inbounds i8, ptr %152, i32 8
  %155 = load i64, ptr %154, align 8
  %156 = mul nsw i64 %155, %150
  %157 = add nuw nsw i32 %149, 1
  %158 = icmp eq i32 %157, %275
  br i1 %158, label %277, label %148

159:
  %160 = phi i1 [ %130, %141 ], [ %273, %272 ]
  %161 = phi i32 [ 0, %141 ], [ %274, %272 ]
  %162 = load i32, ptr %133, align 4
  %163 = getelementptr i64, ptr %31, i32 %162
  %164 = mul nuw nsw i32 %161, 3
  %165 = getelementptr inbounds i64, ptr %163, i32 %164
  %166 = load ptr, ptr %112, align 4
  %167 = load i32, ptr %134, align 4
  %168 = getelementptr inbounds %struct.QueryBuffer, ptr %166, i32 %167
  %169 = load i32, ptr %168, align 4
  %170 = load i32, ptr %142, align 4
  %171 = getelementptr inbounds i32, ptr %2, i32 %170
  %172 = getelementptr inbounds i32, ptr %171, i32 %164
  %173 = load i32, ptr %143, align 4
  %174 = shl nuw nsw i32 %161, 1
  %175 = ashr i32 %173, %174
  br label %182

176:
  %177 = getelementptr i64, ptr %31, i32 %169
  %178 = getelementptr inbounds i64, ptr %177, i32 %164
  %179 = and i32 %175, 3
  %180 = icmp ne i32 %179, 0
  %181 = or i1 %126, %180
  br i1 %181, label %272, label %199

182:
  %183 = phi i1 [ true, %159 ], [ false, %197 ]
  %184 = phi i32 [ 0, %159 ], [ 1, %197 ]
  %185 = phi i1 [ %160, %159 ], [ %198, %197 ]
  %186 = shl nuw nsw i32 1, %184
  %187 = and i32 %186, %175
  %188 = icmp eq i32 %187, 0
  br i1 %188, label %197, label %189

189:
  %190 = getelementptr inbounds i64, ptr %165, i32 %184
  %191 = load i64, ptr %190, align 8
  %192 = getelementptr inbounds i32, ptr %172, i32 %184
  %193 = load i32, ptr %192, align 4
  %194 = sext i32 %193 to i64
  %195 = icmp ne i64 %191, %194
  %196 = or i1 %185, %195
  store i64 %194, ptr %190, align 8
  br label %197

197:
  %198 = phi i1 [ %196, %189 ], [ %185, %182 ]
  br i1 %183, label %182, label %176

199:
  %200 = getelementptr inbounds i8, ptr %172, i32 4
  %201 = load i32, ptr %200, align 4
  %202 = icmp slt i32 %201, 1
  br i1 %202, label %203, label %206

203:
  %204 = getelementptr inbounds i8, ptr %165, i32 8
  %205 = load i64, ptr %204, align 8
  br label %224

206:
  %207 = zext nneg i32 %201 to i64
  %208 = load i32, ptr %172, align 4
  %209 = sext i32 %208 to i64
  %210 = getelementptr inbounds i8, ptr %165, i32 8
  %211 = load i64, ptr %165, align 8
  %212 = load i64, ptr %210, align 8
  %213 = add nsw i64 %212, %211
  %214 = icmp slt i64 %212, 1
  %215 = add nsw i64 %209, %207
  %216 = select i1 %214, i64 %209, i64 %211
  %217 = select i1 %214, i64 %215, i64 %213
  %218 = tail call i64 @llvm.smin.i64(i64 %216, i64 %209)
  %219 = tail call i64 @llvm.smax.i64(i64 %215, i64 %217)
  %220 = icmp ne i64 %218, %211
  %221 = sub nsw i64 %219, %218
  %222 = icmp ne i64 %221, %212
  %223 = select i1 %220, i1 true, i1 %222
  store i64 %218, ptr %165, align 8
  store i64 %221, ptr %210, align 8
  br label %224

224:
  %225 = phi i64 [ %221, %206 ], [ %205, %203 ]
  %226 = phi i1 [ %223, %206 ], [ false, %203 ]
  %227 = getelementptr inbounds i8, ptr %165, i32 8
  %228 = icmp slt i64 %225, 1
  br i1 %228, label %229, label %232

229:
  %230 = getelementptr inbounds i8, ptr %178, i32 8
  %231 = load i64, ptr %230, align 8
  br label %248

232:
  %233 = load i64, ptr %165, align 8
  %234 = getelementptr inbounds i8, ptr %178, i32 8
  %235 = load i64, ptr %178, align 8
  %236 = load i64, ptr %234, align 8
  %237 = add nsw i64 %236, %235
  %238 = icmp slt i64 %236, 1
  %239 = add nsw i64 %233, %225
  %240 = select i1 %238, i64 %233, i64 %235
  %241 = select i1 %238, i64 %239, i64 %237
  %242 = tail call i64 @llvm.smin.i64(i64 %240, i64 %233)
  %243 = tail call i64 @llvm.smax.i64(i64 %239, i64 %241)
  %244 = icmp ne i64 %242, %235
  %245 = sub nsw i64 %243, %242
  %246 = icmp ne i64 %245, %236
  %247 = select i1 %244, i1 true, i1 %246
  store i64 %242, ptr %178, align 8
  store i64 %245, ptr %234, align 8
  br label %248

248:
  %249 = phi i64 [ %245, %232 ], [ %231, %229 ]
  %250 = phi i1 [ %247, %232 ], [ false, %229 ]
  %251 = or i1 %226, %250
  %252 = icmp slt i64 %249, 1
  br i1 %252, label %268, label %253

253:
  %254 = load i64, ptr %178, align 8
  %255 = load i64, ptr %165, align 8
  %256 = load i64, ptr %227, align 8
  %257 = add nsw i64 %256, %255
  %258 = icmp slt i64 %256, 1
  %259 = add nsw i64 %254, %249
  %260 = select i1 %258, i64 %254, i64 %255
  %261 = select i1 %258, i64 %259, i64 %257
  %262 = tail call i64 @llvm.smin.i64(i64 %260, i64 %254)
  %263 = tail call i64 @llvm.smax.i64(i64 %259, i64 %261)
  %264 = icmp ne i64 %262, %255
  %265 = sub nsw i64 %263, %262
  %266 = icmp ne i64 %265, %256
  %267 = select i1 %264, i1 true, i1 %266
  store i64 %262, ptr %165, align 8
  store i64 %265, ptr %227, align 8
  br label %268

268:
  %269 = phi i1 [ %267, %253 ], [ false, %248 ]
  %270 = or i1 %251, %269
  %271 = or i1 %198, %270
  br label %272

272:
  %273 = phi i1 [ %271, %268 ], [ %198, %176 ]
  %274 = add nuw nsw i32 %161, 1
  %275 = load i32, ptr %138, align 4
  %276 = icmp slt i32 %274, %275
  br i1 %276, label %159, label %144

277:
  %278 = phi i1 [ %130, %129 ], [ %273, %144 ], [ %130, %137 ], [ %273, %148 ]
  %279 = add nuw nsw i32 %131, 1
  %280 = load i32, ptr %5, align 4
  %281 = icmp slt i32 %279, %280
  br i1 %281, label %129, label %282

282:
  %283 = phi i32 [ %127, %125 ], [ %280, %277 ]
  %284 = phi i1 [ false, %125 ], [ %278, %277 ]
  %285 = or i1 %126, %284
  %286 = add nuw nsw i32 %116, 1
  br i1 %285, label %115, label %113

287:
  %288 = phi i32 [ %362, %361 ], [ 0, %113 ]
  %289 = load ptr, ptr %112, align 4
  %290 = getelementptr inbounds %struct.QueryBuffer, ptr %289, i32 %288
  %291 = getelementptr inbounds ptr, ptr %3, i32 %288
  %292 = load ptr, ptr %291, align 4
  %293 = getelementptr inbounds i8, ptr %292, i32 12
  %294 = load ptr, ptr %293, align 4
  %295 = icmp eq ptr %294, null
  br i1 %295, label %296, label %361

296:
  %297 = load i64, ptr %292, align 8
  %298 = icmp eq i64 %297, 0
  br i1 %298, label %299, label %361

299:
  %300 = getelementptr inbounds i8, ptr %290, i32 12
  %301 = load i32, ptr %300, align 4
  %302 = getelementptr inbounds i8, ptr %292, i32 24
  store i32 %301, ptr %302, align 8
  %303 = getelementptr inbounds i8, ptr %290, i32 8
  %304 = load i32, ptr %303, align 4
  %305 = load ptr, ptr %291, align 4
  %306 = getelementptr inbounds i8, ptr %305, i32 28
  store i32 %304, ptr %306, align 4
  %307 = icmp sgt i32 %304, 0
  br i1 %307, label %308, label %361

308:
  %309 = getelementptr inbounds i8, ptr %290, i32 4
  %310 = getelementptr inbounds i8, ptr %290, i32 16
  br label %311

311:
  %312 = phi i32 [ 0, %308 ], [ %358, %342 ]
  %313 = load i32, ptr %309, align 4
  %314 = getelementptr inbounds i32, ptr %2, i32 %313
  %315 = mul nuw nsw i32 %312, 3
  %316 = getelementptr inbounds i32, ptr %314, i32 %315
  %317 = load i32, ptr %290, align 4
  %318 = getelementptr i64, ptr %31, i32 %317
  %319 = getelementptr inbounds i64, ptr %318, i32 %315
  %320 = load i32, ptr %310, align 4
  %321 = icmp slt i32 %320, 0
  br i1 %321, label %322, label %324

322:
  %323 = load i32, ptr %316, align 4
  br label %327

324:
  %325 = load i64, ptr %319, align 8
  %326 = trunc i64 %325 to i32
  br label %327

327:
  %328 = phi i32 [ %323, %322 ], [ %326, %324 ]
  %329 = load ptr, ptr %291, align 4
  %330 = getelementptr inbounds i8, ptr %329, i32 32
  %331 = load ptr, ptr %330, align 8
  %332 = getelementptr inbounds %struct.Dimension, ptr %331, i32 %312
  store i32 %328, ptr %332, align 4
  %333 = load i32, ptr %310, align 4
  %334 = icmp slt i32 %333, 0
  br i1 %334, label %335, label %338

335:
  %336 = getelementptr inbounds i8, ptr %316, i32 4
  %337 = load i32, ptr %336, align 4
  br label %342

338:
  %339 = getelementptr inbounds i8, ptr %319, i32 8
  %340 = load i64, ptr %339, align 8
  %341 = trunc i64 %340 to i32
  br label %342

342:
  %343 = phi i32 [ %337, %335 ], [ %341, %338 ]
  %344 = load ptr, ptr %291, align 4
  %345 = getelementptr inbounds i8, ptr %344, i32 32
  %346 = load ptr, ptr %345, align 8
  %347 = getelementptr inbounds %struct.Dimension, ptr %346, i32 %312, i32 1
  store i32 %343, ptr %347, align 4
  %348 = getelementptr inbounds i8, ptr %316, i32 8
  %349 = load i32, ptr %348, align 4
  %350 = load ptr, ptr %291, align 4
  %351 = getelementptr inbounds i8, ptr %350, i32 32
  %352 = load ptr, ptr %351, align 8
  %353 = getelementptr inbounds %struct.Dimension, ptr %352, i32 %312, i32 2
  store i32 %349, ptr %353, align 4
  %354 = load ptr, ptr %291, align 4
  %355 = getelementptr inbounds i8, ptr %354, i32 32
  %356 = load ptr, ptr %355, align 8
  %357 = getelementptr inbounds %struct.Dimension, ptr %356, i32 %312, i32 3
  store i32 0, ptr %357, align 4
  %358 = add nuw nsw i32 %312, 1
  %359 = load i32, ptr %303, align 4
  %360 = icmp slt i32 %358, %359
  br i1 %360, label %311, label %361

361:
  %362 = add nuw nsw i32 %288, 1
  %363 = load i32, ptr %5, align 4
  %364 = icmp slt i32 %362, %363
  br i1 %364, label %287, label %365

365:
  %366 = phi i32 [ -1, %34 ], [ 1, %26 ], [ -1, %118 ], [ 0, %113 ], [ 1, %4 ], [ 0, %361 ], [ -1, %121 ], [ 1, %54 ], [ 1, %50 ], [ 1, %8 ]
  ret i32 %366
}

declare i32 @llvm.smin.i32(i32, i32) #3

declare i32 @llvm.smax.i32(i32, i32) #3

declare i64 @llvm.smin.i64(i64, i64) #3

declare i64 @llvm.smax.i64(i64, i64) #3

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }
attributes #3 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { nobuiltin }
attributes #5 = { nobuiltin nounwind }


