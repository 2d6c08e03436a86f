; Compiled from c_library.c, queries.c by tools/build_runtime.py with clang 19.
; 8ec28dfeefac4808cbcc9249db4d3c58

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
  %1 = tail call ptr @pipec_error_text() #5
  ret ptr %1
}

define weak void @pipec_print(ptr noundef %0, i32 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i32 @write(i32 noundef 2, ptr noundef %0, i32 noundef %1) #6
  ret void
}

declare i32 @write(i32 noundef, ptr noundef, i32 noundef) local_unnamed_addr #2

define weak i32 @pipec_describe(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #0 {
  %8 = icmp eq ptr %0, null
  br i1 %8, label %9, label %12

9:
  %10 = tail call ptr @pipec_error_text() #5
  %11 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %10, i32 noundef 1024, ptr noundef nonnull @.str, ptr noundef %2) #6
  br label %87

12:
  %13 = getelementptr inbounds i8, ptr %0, i32 24
  %14 = load i32, ptr %13, align 8
  %15 = icmp eq i32 %14, %4
  br i1 %15, label %23, label %16

16:
  %17 = tail call ptr @pipec_error_text() #5
  %18 = load i32, ptr %13, align 8
  %19 = and i32 %18, 255
  %20 = lshr i32 %18, 8
  %21 = and i32 %20, 255
  %22 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %17, i32 noundef 1024, ptr noundef nonnull @.str.1, ptr noundef %2, ptr noundef %3, i32 noundef %19, i32 noundef %21) #6
  br label %87

23:
  %24 = getelementptr inbounds i8, ptr %0, i32 28
  %25 = load i32, ptr %24, align 4
  %26 = icmp eq i32 %25, %5
  br i1 %26, label %31, label %27

27:
  %28 = tail call ptr @pipec_error_text() #5
  %29 = load i32, ptr %24, align 4
  %30 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %28, i32 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %2, i32 noundef %5, i32 noundef %29) #6
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
  %42 = tail call ptr @pipec_error_text() #5
  %43 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %42, i32 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef %2, i32 noundef %6) #6
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
  %59 = tail call ptr @pipec_error_text() #5
  %60 = load i32, ptr %55, align 4
  %61 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %59, i32 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef %2, i32 noundef %50, i32 noundef %60) #6
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
  %85 = tail call ptr @pipec_error_text() #5
  %86 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %85, i32 noundef 1024, ptr noundef nonnull @.str.5, ptr noundef %2) #6
  br label %87

87:
  %88 = phi i32 [ -12, %9 ], [ -3, %16 ], [ -43, %27 ], [ -24, %41 ], [ -34, %84 ], [ 0, %79 ], [ -28, %58 ]
  ret i32 %88
}

declare i32 @snprintf(ptr noundef, i32 noundef, ptr noundef, ...) local_unnamed_addr #2

define weak i32 @halide_set_num_threads(i32 noundef %0) local_unnamed_addr #0 {
  tail call void @pipec_prepare() #5
  %2 = tail call i32 @pipec_threads() #6
  %3 = tail call i32 @llvm.smin.i32(i32 %0, i32 1024)
  %4 = tail call i32 @llvm.smax.i32(i32 %3, i32 1)
  tail call void @pipec_set_threads(i32 noundef %4, i32 noundef 10000) #6
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
  %7 = tail call i32 @pthread_atfork(ptr noundef null, ptr noundef null, ptr noundef nonnull @pipec_forked) #6
  %8 = tail call ptr @getenv(ptr noundef nonnull @.str.6) #6
  %9 = icmp eq ptr %8, null
  br i1 %9, label %13, label %10

10:
  %11 = tail call i32 @atoi(ptr noundef nonnull %8) #6
  %12 = icmp sgt i32 %11, 0
  br i1 %12, label %16, label %13

13:
  %14 = load i32, ptr @system_processors_name, align 4
  %15 = tail call i32 @sysconf(i32 noundef %14) #6
  br label %16

16:
  %17 = phi i32 [ %15, %13 ], [ %11, %10 ]
  %18 = tail call i32 @halide_set_num_threads(i32 noundef %17) #5
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

define weak i32 @pipec_answer(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr #0 {
  %4 = getelementptr inbounds i8, ptr %0, i32 12
  %5 = load i32, ptr %4, align 4
  %6 = icmp sgt i32 %5, 0
  br i1 %6, label %7, label %370

7:
  %8 = phi i1 [ %22, %20 ], [ false, %3 ]
  %9 = phi i32 [ %23, %20 ], [ 0, %3 ]
  %10 = getelementptr inbounds ptr, ptr %2, i32 %9
  %11 = load ptr, ptr %10, align 4
  %12 = icmp eq ptr %11, null
  br i1 %12, label %370, label %13

13:
  %14 = getelementptr inbounds i8, ptr %11, i32 12
  %15 = load ptr, ptr %14, align 4
  %16 = icmp eq ptr %15, null
  br i1 %16, label %17, label %20

17:
  %18 = load i64, ptr %11, align 8
  %19 = icmp eq i64 %18, 0
  br label %20

20:
  %21 = phi i1 [ false, %13 ], [ %19, %17 ]
  %22 = or i1 %8, %21
  %23 = add nuw nsw i32 %9, 1
  %24 = icmp eq i32 %23, %5
  br i1 %24, label %25, label %7

25:
  br i1 %22, label %26, label %370

26:
  %27 = load ptr, ptr %0, align 4
  %28 = icmp eq ptr %27, null
  br i1 %28, label %33, label %29

29:
  %30 = getelementptr i8, ptr %1, i32 8
  br i1 %6, label %31, label %105

31:
  %32 = getelementptr inbounds i8, ptr %0, i32 8
  br label %38

33:
  %34 = tail call ptr @pipec_error_text() #5
  %35 = getelementptr inbounds i8, ptr %0, i32 4
  %36 = load ptr, ptr %35, align 4
  %37 = tail call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %34, i32 noundef 1024, ptr noundef nonnull @.str.7, ptr noundef %36) #6
  br label %370

38:
  %39 = phi i32 [ 0, %31 ], [ %75, %74 ]
  %40 = load ptr, ptr %32, align 4
  %41 = getelementptr inbounds %struct.QueryBuffer, ptr %40, i32 %39
  %42 = getelementptr inbounds ptr, ptr %2, i32 %39
  %43 = load ptr, ptr %42, align 4
  %44 = getelementptr inbounds i8, ptr %43, i32 28
  %45 = load i32, ptr %44, align 4
  %46 = getelementptr inbounds i8, ptr %41, i32 8
  %47 = load i32, ptr %46, align 4
  %48 = icmp eq i32 %45, %47
  br i1 %48, label %56, label %49

49:
  %50 = getelementptr inbounds i8, ptr %43, i32 12
  %51 = load ptr, ptr %50, align 4
  %52 = icmp eq ptr %51, null
  br i1 %52, label %53, label %370

53:
  %54 = load i64, ptr %43, align 8
  %55 = icmp eq i64 %54, 0
  br i1 %55, label %56, label %370

56:
  %57 = load i32, ptr %41, align 4
  %58 = getelementptr i64, ptr %30, i32 %57
  %59 = getelementptr i8, ptr %58, i32 8
  %60 = icmp sgt i32 %47, 0
  br i1 %60, label %78, label %74

61:
  %62 = icmp sgt i32 %103, 0
  br i1 %62, label %63, label %74

63:
  %64 = phi i32 [ %72, %63 ], [ 0, %61 ]
  %65 = phi i64 [ %71, %63 ], [ 1, %61 ]
  %66 = mul i32 %64, 24
  %67 = getelementptr inbounds i8, ptr %58, i32 %66
  %68 = getelementptr inbounds i8, ptr %67, i32 16
  store i64 %65, ptr %68, align 8
  %69 = getelementptr inbounds i8, ptr %67, i32 8
  %70 = load i64, ptr %69, align 8
  %71 = mul nsw i64 %70, %65
  %72 = add nuw nsw i32 %64, 1
  %73 = icmp eq i32 %72, %103
  br i1 %73, label %74, label %63

74:
  %75 = add nuw nsw i32 %39, 1
  %76 = load i32, ptr %4, align 4
  %77 = icmp slt i32 %75, %76
  br i1 %77, label %38, label %105

78:
  %79 = phi i32 [ %102, %97 ], [ 0, %56 ]
  br i1 %48, label %83, label %80

80:
  %81 = mul i32 %79, 24
  %82 = getelementptr inbounds i8, ptr %58, i32 %81
  store i64 0, ptr %82, align 8
  br label %97

83:
  %84 = load ptr, ptr %42, align 4
  %85 = getelementptr inbounds i8, ptr %84, i32 32
  %86 = load ptr, ptr %85, align 8
  %87 = getelementptr inbounds %struct.Dimension, ptr %86, i32 %79
  %88 = load i32, ptr %87, align 4
  %89 = sext i32 %88 to i64
  %90 = mul i32 %79, 24
  %91 = getelementptr inbounds i8, ptr %58, i32 %90
  store i64 %89, ptr %91, align 8
  %92 = load ptr, ptr %42, align 4
  %93 = getelementptr inbounds i8, ptr %92, i32 32
  %94 = load ptr, ptr %93, align 8
  %95 = getelementptr inbounds %struct.Dimension, ptr %94, i32 %79, i32 1
  %96 = load i32, ptr %95, align 4
  br label %97

97:
  %98 = phi i32 [ %90, %83 ], [ %81, %80 ]
  %99 = phi i32 [ %96, %83 ], [ 0, %80 ]
  %100 = sext i32 %99 to i64
  %101 = getelementptr i8, ptr %59, i32 %98
  store i64 %100, ptr %101, align 8
  %102 = add nuw nsw i32 %79, 1
  %103 = load i32, ptr %46, align 4
  %104 = icmp slt i32 %102, %103
  br i1 %104, label %78, label %61

105:
  %106 = getelementptr inbounds i8, ptr %0, i32 20
  %107 = load i32, ptr %106, align 4
  %108 = tail call ptr @llvm.stacksave.p0()
  %109 = alloca i32, i32 %107, align 4
  %110 = ptrtoint ptr %109 to i32
  %111 = sext i32 %110 to i64
  %112 = getelementptr inbounds i8, ptr %0, i32 16
  %113 = load i32, ptr %112, align 4
  %114 = getelementptr inbounds i64, ptr %1, i32 %113
  store i64 %111, ptr %114, align 8
  %115 = getelementptr inbounds i8, ptr %0, i32 8
  br label %118

116:
  %117 = icmp sgt i32 %286, 0
  br i1 %117, label %290, label %368

118:
  %119 = phi i32 [ 0, %105 ], [ %289, %285 ]
  %120 = icmp eq i32 %119, 20
  br i1 %120, label %121, label %124

121:
  %122 = call ptr @pipec_error_text() #5
  %123 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %122, i32 noundef 1024, ptr noundef nonnull @.str.8) #6
  br label %368

124:
  %125 = load ptr, ptr %0, align 4
  %126 = call i32 %125(ptr noundef %1) #6
  %127 = icmp eq i32 %126, 0
  br i1 %127, label %128, label %368

128:
  %129 = icmp eq i32 %119, 0
  %130 = load i32, ptr %4, align 4
  %131 = icmp sgt i32 %130, 0
  br i1 %131, label %132, label %285

132:
  %133 = phi i1 [ %281, %280 ], [ false, %128 ]
  %134 = phi i32 [ %282, %280 ], [ 0, %128 ]
  %135 = load ptr, ptr %115, align 4
  %136 = getelementptr inbounds %struct.QueryBuffer, ptr %135, i32 %134
  %137 = getelementptr inbounds i8, ptr %136, i32 16
  %138 = load i32, ptr %137, align 4
  %139 = icmp slt i32 %138, 0
  br i1 %139, label %280, label %140

140:
  %141 = getelementptr inbounds i8, ptr %136, i32 8
  %142 = load i32, ptr %141, align 4
  %143 = icmp sgt i32 %142, 0
  br i1 %143, label %144, label %280

144:
  %145 = getelementptr inbounds i8, ptr %136, i32 4
  %146 = getelementptr inbounds i8, ptr %136, i32 20
  br label %162

147:
  %148 = load i32, ptr %136, align 4
  %149 = getelementptr i64, ptr %30, i32 %148
  %150 = icmp sgt i32 %278, 0
  br i1 %150, label %151, label %280

151:
  %152 = phi i32 [ %160, %151 ], [ 0, %147 ]
  %153 = phi i64 [ %159, %151 ], [ 1, %147 ]
  %154 = mul i32 %152, 24
  %155 = getelementptr inbounds i8, ptr %149, i32 %154
  %156 = getelementptr inbounds i8, ptr %155, i32 16
  store i64 %153, ptr %156, align 8
  %157 = getelementptr inbounds i8, ptr %155, i32 8
  %158 = load i64, ptr %157, align 8
  %159 = mul nsw i64 %158, %153
  %160 = add nuw nsw i32 %152, 1
  %161 = icmp eq i32 %160, %278
  br i1 %161, label %280, label %151

162:
  %163 = phi i1 [ %133, %144 ], [ %276, %275 ]
  %164 = phi i32 [ 0, %144 ], [ %277, %275 ]
  %165 = load i32, ptr %136, align 4
  %166 = getelementptr i64, ptr %30, i32 %165
  %167 = mul nuw nsw i32 %164, 3
  %168 = getelementptr inbounds i64, ptr %166, i32 %167
  %169 = load ptr, ptr %115, align 4
  %170 = load i32, ptr %137, align 4
  %171 = getelementptr inbounds %struct.QueryBuffer, ptr %169, i32 %170
  %172 = load i32, ptr %171, align 4
  %173 = load i32, ptr %145, align 4
  %174 = getelementptr inbounds i32, ptr %109, i32 %173
  %175 = getelementptr inbounds i32, ptr %174, i32 %167
  %176 = load i32, ptr %146, align 4
  %177 = shl nuw nsw i32 %164, 1
  %178 = ashr i32 %176, %177
  br label %185

179:
  %180 = getelementptr i64, ptr %30, i32 %172
  %181 = getelementptr inbounds i64, ptr %180, i32 %167
  %182 = and i32 %178, 3
  %183 = icmp ne i32 %182, 0
  %184 = or i1 %129, %183
  br i1 %184, label %275, label %202

185:
  %186 = phi i1 [ true, %162 ], [ false, %200 ]
  %187 = phi i32 [ 0, %162 ], [ 1, %200 ]
  %188 = phi i1 [ %163, %162 ], [ %201, %200 ]
  %189 = shl nuw nsw i32 1, %187
  %190 = and i32 %189, %178
  %191 = icmp eq i32 %190, 0
  br i1 %191, label %200, label %192

192:
  %193 = getelementptr inbounds i64, ptr %168, i32 %187
  %194 = load i64, ptr %193, align 8
  %195 = getelementptr inbounds i32, ptr %175, i32 %187
  %196 = load i32, ptr %195, align 4
  %197 = sext i32 %196 to i64
  %198 = icmp ne i64 %194, %197
  %199 = or i1 %188, %198
  store i64 %197, ptr %193, align 8
  br label %200

200:
  %201 = phi i1 [ %199, %192 ], [ %188, %185 ]
  br i1 %186, label %185, label %179

202:
  %203 = getelementptr inbounds i8, ptr %175, i32 4
  %204 = load i32, ptr %203, align 4
  %205 = icmp slt i32 %204, 1
  br i1 %205, label %206, label %209

206:
  %207 = getelementptr inbounds i8, ptr %168, i32 8
  %208 = load i64, ptr %207, align 8
  br label %227

209:
  %210 = zext nneg i32 %204 to i64
  %211 = load i32, ptr %175, align 4
  %212 = sext i32 %211 to i64
  %213 = getelementptr inbounds i8, ptr %168, i32 8
  %214 = load i64, ptr %168, align 8
  %215 = load i64, ptr %213, align 8
  %216 = add nsw i64 %215, %214
  %217 = icmp slt i64 %215, 1
  %218 = add nsw i64 %212, %210
  %219 = select i1 %217, i64 %212, i64 %214
  %220 = select i1 %217, i64 %218, i64 %216
  %221 = call i64 @llvm.smin.i64(i64 %219, i64 %212)
  %222 = call i64 @llvm.smax.i64(i64 %218, i64 %220)
  %223 = icmp ne i64 %221, %214
  %224 = sub nsw i64 %222, %221
  %225 = icmp ne i64 %224, %215
  %226 = select i1 %223, i1 true, i1 %225
  store i64 %221, ptr %168, align 8
  store i64 %224, ptr %213, align 8
  br label %227

227:
  %228 = phi i64 [ %224, %209 ], [ %208, %206 ]
  %229 = phi i1 [ %226, %209 ], [ false, %206 ]
  %230 = getelementptr inbounds i8, ptr %168, i32 8
  %231 = icmp slt i64 %228, 1
  br i1 %231, label %232, label %235

232:
  %233 = getelementptr inbounds i8, ptr %181, i32 8
  %234 = load i64, ptr %233, align 8
  br label %251

235:
  %236 = load i64, ptr %168, align 8
  %237 = getelementptr inbounds i8, ptr %181, i32 8
  %238 = load i64, ptr %181, align 8
  %239 = load i64, ptr %237, align 8
  %240 = add nsw i64 %239, %238
  %241 = icmp slt i64 %239, 1
  %242 = add nsw i64 %236, %228
  %243 = select i1 %241, i64 %236, i64 %238
  %244 = select i1 %241, i64 %242, i64 %240
  %245 = call i64 @llvm.smin.i64(i64 %243, i64 %236)
  %246 = call i64 @llvm.smax.i64(i64 %242, i64 %244)
  %247 = icmp ne i64 %245, %238
  %248 = sub nsw i64 %246, %245
  %249 = icmp ne i64 %248, %239
  %250 = select i1 %247, i1 true, i1 %249
  store i64 %245, ptr %181, align 8
  store i64 %248, ptr %237, align 8
  br label %251

251:
  %252 = phi i64 [ %248, %235 ], [ %234, %232 ]
  %253 = phi i1 [ %250, %235 ], [ false, %232 ]
  %254 = or i1 %229, %253
  %255 = icmp slt i64 %252, 1
  br i1 %255, label %271, label %256

256:
  %257 = load i64, ptr %181, align 8
  %258 = load i64, ptr %168, align 8
  %259 = load i64, ptr %230, align 8
  %260 = add nsw i64 %259, %258
  %261 = icmp slt i64 %259, 1
  %262 = add nsw i64 %257, %252
  %263 = select i1 %261, i64 %257, i64 %258
  %264 = select i1 %261, i64 %262, i64 %260
  %265 = call i64 @llvm.smin.i64(i64 %263, i64 %257)
  %266 = call i64 @llvm.smax.i64(i64 %262, i64 %264)
  %267 = icmp ne i64 %265, %258
  %268 = sub nsw i64 %266, %265
  %269 = icmp ne i64 %268, %259
  %270 = select i1 %267, i1 true, i1 %269
  store i64 %265, ptr %168, align 8
  store i64 %268, ptr %230, align 8
  br label %271

271:
  %272 = phi i1 [ %270, %256 ], [ false, %251 ]
  %273 = or i1 %254, %272
  %274 = or i1 %201, %273
  br label %275

275:
  %276 = phi i1 [ %274, %271 ], [ %201, %179 ]
  %277 = add nuw nsw i32 %164, 1
  %278 = load i32, ptr %141, align 4
  %279 = icmp slt i32 %277, %278
  br i1 %279, label %162, label %147

280:
  %281 = phi i1 [ %133, %132 ], [ %276, %147 ], [ %133, %140 ], [ %276, %151 ]
  %282 = add nuw nsw i32 %134, 1
  %283 = load i32, ptr %4, align 4
  %284 = icmp slt i32 %282, %283
  br i1 %284, label %132, label %285

285:
  %286 = phi i32 [ %130, %128 ], [ %283, %280 ]
  %287 = phi i1 [ false, %128 ], [ %281, %280 ]
  %288 = or i1 %129, %287
  %289 = add nuw nsw i32 %119, 1
  br i1 %288, label %118, label %116

290:
  %291 = phi i32 [ %365, %364 ], [ 0, %116 ]
  %292 = load ptr, ptr %115, align 4
  %293 = getelementptr inbounds %struct.QueryBuffer, ptr %292, i32 %291
  %294 = getelementptr inbounds ptr, ptr %2, i32 %291
  %295 = load ptr, ptr %294, align 4
  %296 = getelementptr inbounds i8, ptr %295, i32 12
  %297 = load ptr, ptr %296, align 4
  %298 = icmp eq ptr %297, null
  br i1 %298, label %299, label %364

299:
  %300 = load i64, ptr %295, align 8
  %301 = icmp eq i64 %300, 0
  br i1 %301, label %302, label %364

302:
  %303 = getelementptr inbounds i8, ptr %295, i32 24
  %304 = getelementptr inbounds i8, ptr %293, i32 12
  %305 = call ptr @memcpy(ptr noundef nonnull %303, ptr noundef nonnull %304, i32 noundef 4) #6
  %306 = getelementptr inbounds i8, ptr %293, i32 8
  %307 = load i32, ptr %306, align 4
  %308 = load ptr, ptr %294, align 4
  %309 = getelementptr inbounds i8, ptr %308, i32 28
  store i32 %307, ptr %309, align 4
  %310 = icmp sgt i32 %307, 0
  br i1 %310, label %311, label %364

311:
  %312 = getelementptr inbounds i8, ptr %293, i32 4
  %313 = getelementptr inbounds i8, ptr %293, i32 16
  br label %314

314:
  %315 = phi i32 [ 0, %311 ], [ %361, %345 ]
  %316 = load i32, ptr %312, align 4
  %317 = getelementptr inbounds i32, ptr %109, i32 %316
  %318 = mul nuw nsw i32 %315, 3
  %319 = getelementptr inbounds i32, ptr %317, i32 %318
  %320 = load i32, ptr %293, align 4
  %321 = getelementptr i64, ptr %30, i32 %320
  %322 = getelementptr inbounds i64, ptr %321, i32 %318
  %323 = load i32, ptr %313, align 4
  %324 = icmp slt i32 %323, 0
  br i1 %324, label %325, label %327

325:
  %326 = load i32, ptr %319, align 4
  br label %330

327:
  %328 = load i64, ptr %322, align 8
  %329 = trunc i64 %328 to i32
  br label %330

330:
  %331 = phi i32 [ %326, %325 ], [ %329, %327 ]
  %332 = load ptr, ptr %294, align 4
  %333 = getelementptr inbounds i8, ptr %332, i32 32
  %334 = load ptr, ptr %333, align 8
  %335 = getelementptr inbounds %struct.Dimension, ptr %334, i32 %315
  store i32 %331, ptr %335, align 4
  %336 = load i32, ptr %313, align 4
  %337 = icmp slt i32 %336, 0
  br i1 %337, label %338, label %341

338:
  %339 = getelementptr inbounds i8, ptr %319, i32 4
  %340 = load i32, ptr %339, align 4
  br label %345

341:
  %342 = getelementptr inbounds i8, ptr %322, i32 8
  %343 = load i64, ptr %342, align 8
  %344 = trunc i64 %343 to i32
  br label %345

345:
  %346 = phi i32 [ %340, %338 ], [ %344, %341 ]
  %347 = load ptr, ptr %294, align 4
  %348 = getelementptr inbounds i8, ptr %347, i32 32
  %349 = load ptr, ptr %348, align 8
  %350 = getelementptr inbounds %struct.Dimension, ptr %349, i32 %315, i32 1
  store i32 %346, ptr %350, align 4
  %351 = getelementptr inbounds i8, ptr %319, i32 8
  %352 = load i32, ptr %351, align 4
  %353 = load ptr, ptr %294, align 4
  %354 = getelementptr inbounds i8, ptr %353, i32 32
  %355 = load ptr, ptr %354, align 8
  %356 = getelementptr inbounds %struct.Dimension, ptr %355, i32 %315, i32 2
  store i32 %352, ptr %356, align 4
  %357 = load ptr, ptr %294, align 4
  %358 = getelementptr inbounds i8, ptr %357, i32 32
  %359 = load ptr, ptr %358, align 8
  %360 = getelementptr inbounds %struct.Dimension, ptr %359, i32 %315, i32 3
  store i32 0, ptr %360, align 4
  %361 = add nuw nsw i32 %315, 1
  %362 = load i32, ptr %306, align 4
  %363 = icmp slt i32 %361, %362
  br i1 %363, label %314, label %364

364:
  %365 = add nuw nsw i32 %291, 1
  %366 = load i32, ptr %4, align 4
  %367 = icmp slt i32 %365, %366
  br i1 %367, label %290, label %368

368:
  %369 = phi i32 [ -1, %121 ], [ 0, %116 ], [ 0, %364 ], [ -1, %124 ]
  call void @llvm.stackrestore.p0(ptr %108)
  br label %370

370:
  %371 = phi i32 [ -1, %33 ], [ %369, %368 ], [ 1, %25 ], [ 1, %3 ], [ 1, %53 ], [ 1, %49 ], [ 1, %7 ]
  ret i32 %371
}

declare ptr @llvm.stacksave.p0() #3

declare ptr @memcpy(ptr noundef, ptr noundef, i32 noundef) local_unnamed_addr #2

declare void @llvm.stackrestore.p0(ptr) #3

declare i32 @llvm.smin.i32(i32, i32) #4

declare i32 @llvm.smax.i32(i32, i32) #4

declare i64 @llvm.smin.i64(i64, i64) #4

declare i64 @llvm.smax.i64(i64, i64) #4

attributes #0 = { nounwind }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn }
attributes #4 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nobuiltin }
attributes #6 = { nobuiltin nounwind }


