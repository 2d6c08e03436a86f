; Compiled from c_library.c, queries.c by tools/build_runtime.py with clang 19.
; 36118ef6457a6caeee6ce1e1ad482765

%struct.Dimension = type { i32, i32, i32, i32 }
%struct.QueryBuffer = type { i32, i32, i32, i32, i32, i32 }

@error_text = internal thread_local global [1024 x i8] zeroinitializer, align 16
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
  %1 = tail call align 16 ptr @llvm.threadlocal.address.p0(ptr align 16 @error_text)
  ret ptr %1
}

declare nonnull ptr @llvm.threadlocal.address.p0(ptr nonnull) #1

define weak ptr @pipec_last_error() local_unnamed_addr #0 {
  %1 = tail call ptr @pipec_error_text() #5
  ret ptr %1
}

define weak void @pipec_print(ptr noundef %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i64 @write(i32 noundef 2, ptr noundef %0, i64 noundef %1) #6
  ret void
}

declare i64 @write(i32 noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

define weak i32 @pipec_describe(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #0 {
  %8 = icmp eq ptr %0, null
  br i1 %8, label %9, label %12

9:
  %10 = tail call ptr @pipec_error_text() #5
  %11 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %10, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef %2) #6
  br label %89

12:
  %13 = getelementptr inbounds i8, ptr %0, i64 32
  %14 = load i32, ptr %13, align 8
  %15 = icmp eq i32 %14, %4
  br i1 %15, label %23, label %16

16:
  %17 = tail call ptr @pipec_error_text() #5
  %18 = load i32, ptr %13, align 8
  %19 = and i32 %18, 255
  %20 = lshr i32 %18, 8
  %21 = and i32 %20, 255
  %22 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %17, i64 noundef 1024, ptr noundef nonnull @.str.1, ptr noundef %2, ptr noundef %3, i32 noundef %19, i32 noundef %21) #6
  br label %89

23:
  %24 = getelementptr inbounds i8, ptr %0, i64 36
  %25 = load i32, ptr %24, align 4
  %26 = icmp eq i32 %25, %5
  br i1 %26, label %31, label %27

27:
  %28 = tail call ptr @pipec_error_text() #5
  %29 = load i32, ptr %24, align 4
  %30 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %28, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %2, i32 noundef %5, i32 noundef %29) #6
  br label %89

31:
  %32 = getelementptr inbounds i8, ptr %0, i64 16
  %33 = load ptr, ptr %32, align 8
  %34 = ptrtoint ptr %33 to i64
  store i64 %34, ptr %1, align 8
  %35 = load ptr, ptr %32, align 8
  %36 = ptrtoint ptr %35 to i64
  %37 = add nsw i32 %6, -1
  %38 = sext i32 %37 to i64
  %39 = and i64 %36, %38
  %40 = icmp eq i64 %39, 0
  br i1 %40, label %44, label %41

41:
  %42 = tail call ptr @pipec_error_text() #5
  %43 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %42, i64 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef %2, i32 noundef %6) #6
  br label %89

44:
  %45 = icmp sgt i32 %5, 0
  br i1 %45, label %46, label %81

46:
  %47 = getelementptr inbounds i8, ptr %1, i64 8
  %48 = getelementptr inbounds i8, ptr %0, i64 40
  %49 = zext nneg i32 %5 to i64
  br label %50

50:
  %51 = phi i64 [ 0, %46 ], [ %77, %64 ]
  %52 = phi i1 [ false, %46 ], [ %66, %64 ]
  %53 = phi ptr [ %47, %46 ], [ %76, %64 ]
  %54 = load ptr, ptr %48, align 8
  %55 = getelementptr inbounds %struct.Dimension, ptr %54, i64 %51
  %56 = getelementptr inbounds i8, ptr %55, i64 4
  %57 = load i32, ptr %56, align 4
  %58 = icmp sgt i32 %57, -1
  br i1 %58, label %64, label %59

59:
  %60 = trunc nuw nsw i64 %51 to i32
  %61 = tail call ptr @pipec_error_text() #5
  %62 = load i32, ptr %56, align 4
  %63 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %61, i64 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef %2, i32 noundef %60, i32 noundef %62) #6
  br label %89

64:
  %65 = icmp eq i32 %57, 0
  %66 = or i1 %52, %65
  %67 = load i32, ptr %55, align 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds i8, ptr %53, i64 8
  store i64 %68, ptr %53, align 8
  %70 = load i32, ptr %56, align 4
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds i8, ptr %53, i64 16
  store i64 %71, ptr %69, align 8
  %73 = getelementptr inbounds i8, ptr %55, i64 8
  %74 = load i32, ptr %73, align 4
  %75 = sext i32 %74 to i64
  %76 = getelementptr inbounds i8, ptr %53, i64 24
  store i64 %75, ptr %72, align 8
  %77 = add nuw nsw i64 %51, 1
  %78 = icmp eq i64 %77, %49
  br i1 %78, label %79, label %50

79:
  %80 = load ptr, ptr %32, align 8
  br label %81

81:
  %82 = phi ptr [ %35, %44 ], [ %80, %79 ]
  %83 = phi i1 [ false, %44 ], [ %66, %79 ]
  %84 = icmp ne ptr %82, null
  %85 = select i1 %84, i1 true, i1 %83
  br i1 %85, label %89, label %86

86:
  %87 = tail call ptr @pipec_error_text() #5
  %88 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %87, i64 noundef 1024, ptr noundef nonnull @.str.5, ptr noundef %2) #6
  br label %89

89:
  %90 = phi i32 [ -12, %9 ], [ -3, %16 ], [ -43, %27 ], [ -24, %41 ], [ -34, %86 ], [ 0, %81 ], [ -28, %59 ]
  ret i32 %90
}

declare i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #2

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
  br i1 %2, label %3, label %20

3:
  %4 = cmpxchg ptr @is_prepared, i32 0, i32 1 seq_cst seq_cst, align 4
  %5 = extractvalue { i32, i1 } %4, 1
  br i1 %5, label %6, label %20

6:
  %7 = tail call i32 @pthread_atfork(ptr noundef null, ptr noundef null, ptr noundef nonnull @pipec_forked) #6
  %8 = tail call ptr @getenv(ptr noundef nonnull @.str.6) #6
  %9 = icmp eq ptr %8, null
  br i1 %9, label %13, label %10

10:
  %11 = tail call i32 @atoi(ptr noundef nonnull %8) #6
  %12 = icmp sgt i32 %11, 0
  br i1 %12, label %17, label %13

13:
  %14 = load i32, ptr @system_processors_name, align 4
  %15 = tail call i64 @sysconf(i32 noundef %14) #6
  %16 = trunc i64 %15 to i32
  br label %17

17:
  %18 = phi i32 [ %16, %13 ], [ %11, %10 ]
  %19 = tail call i32 @halide_set_num_threads(i32 noundef %18) #5
  br label %20

20:
  ret void
}

declare i32 @pipec_threads() local_unnamed_addr #2

declare void @pipec_set_threads(i32 noundef, i32 noundef) local_unnamed_addr #2

declare i32 @pthread_atfork(ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

declare void @pipec_forked() #2

declare ptr @getenv(ptr noundef) local_unnamed_addr #2

declare i32 @atoi(ptr noundef) local_unnamed_addr #2

declare i64 @sysconf(i32 noundef) local_unnamed_addr #2

define weak i32 @pipec_answer(ptr noundef %0, ptr noundef %1, ptr noundef %2) local_unnamed_addr #0 {
  %4 = getelementptr inbounds i8, ptr %0, i64 24
  %5 = load i32, ptr %4, align 8
  %6 = icmp sgt i32 %5, 0
  br i1 %6, label %7, label %393

7:
  %8 = zext nneg i32 %5 to i64
  br label %9

9:
  %10 = phi i64 [ 0, %7 ], [ %25, %22 ]
  %11 = phi i1 [ false, %7 ], [ %24, %22 ]
  %12 = getelementptr inbounds ptr, ptr %2, i64 %10
  %13 = load ptr, ptr %12, align 8
  %14 = icmp eq ptr %13, null
  br i1 %14, label %393, label %15

15:
  %16 = getelementptr inbounds i8, ptr %13, i64 16
  %17 = load ptr, ptr %16, align 8
  %18 = icmp eq ptr %17, null
  br i1 %18, label %19, label %22

19:
  %20 = load i64, ptr %13, align 8
  %21 = icmp eq i64 %20, 0
  br label %22

22:
  %23 = phi i1 [ false, %15 ], [ %21, %19 ]
  %24 = or i1 %11, %23
  %25 = add nuw nsw i64 %10, 1
  %26 = icmp eq i64 %25, %8
  br i1 %26, label %27, label %9

27:
  br i1 %24, label %28, label %393

28:
  %29 = load ptr, ptr %0, align 8
  %30 = icmp eq ptr %29, null
  br i1 %30, label %35, label %31

31:
  %32 = getelementptr i8, ptr %1, i64 8
  br i1 %6, label %33, label %112

33:
  %34 = getelementptr inbounds i8, ptr %0, i64 16
  br label %40

35:
  %36 = tail call ptr @pipec_error_text() #5
  %37 = getelementptr inbounds i8, ptr %0, i64 8
  %38 = load ptr, ptr %37, align 8
  %39 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %36, i64 noundef 1024, ptr noundef nonnull @.str.7, ptr noundef %38) #6
  br label %393

40:
  %41 = phi i64 [ 0, %33 ], [ %80, %79 ]
  %42 = load ptr, ptr %34, align 8
  %43 = getelementptr inbounds %struct.QueryBuffer, ptr %42, i64 %41
  %44 = getelementptr inbounds ptr, ptr %2, i64 %41
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds i8, ptr %45, i64 36
  %47 = load i32, ptr %46, align 4
  %48 = getelementptr inbounds i8, ptr %43, i64 8
  %49 = load i32, ptr %48, align 4
  %50 = icmp eq i32 %47, %49
  br i1 %50, label %58, label %51

51:
  %52 = getelementptr inbounds i8, ptr %45, i64 16
  %53 = load ptr, ptr %52, align 8
  %54 = icmp eq ptr %53, null
  br i1 %54, label %55, label %393

55:
  %56 = load i64, ptr %45, align 8
  %57 = icmp eq i64 %56, 0
  br i1 %57, label %58, label %393

58:
  %59 = load i32, ptr %43, align 4
  %60 = sext i32 %59 to i64
  %61 = getelementptr i64, ptr %32, i64 %60
  %62 = getelementptr inbounds i8, ptr %61, i64 8
  %63 = icmp sgt i32 %49, 0
  br i1 %63, label %84, label %79

64:
  %65 = icmp sgt i32 %109, 0
  br i1 %65, label %66, label %79

66:
  %67 = zext nneg i32 %109 to i64
  br label %68

68:
  %69 = phi i64 [ 0, %66 ], [ %77, %68 ]
  %70 = phi i64 [ 1, %66 ], [ %76, %68 ]
  %71 = mul nuw nsw i64 %69, 24
  %72 = getelementptr inbounds i8, ptr %61, i64 %71
  %73 = getelementptr inbounds i8, ptr %72, i64 16
  store i64 %70, ptr %73, align 8
  %74 = getelementptr inbounds i8, ptr %72, i64 8
  %75 = load i64, ptr %74, align 8
  %76 = mul nsw i64 %75, %70
  %77 = add nuw nsw i64 %69, 1
  %78 = icmp eq i64 %77, %67
  br i1 %78, label %79, label %68

79:
  %80 = add nuw nsw i64 %41, 1
  %81 = load i32, ptr %4, align 8
  %82 = sext i32 %81 to i64
  %83 = icmp slt i64 %80, %82
  br i1 %83, label %40, label %112

84:
  %85 = phi i64 [ %108, %103 ], [ 0, %58 ]
  br i1 %50, label %89, label %86

86:
  %87 = mul nuw nsw i64 %85, 3
  %88 = getelementptr inbounds i64, ptr %61, i64 %87
  store i64 0, ptr %88, align 8
  br label %103

89:
  %90 = load ptr, ptr %44, align 8
  %91 = getelementptr inbounds i8, ptr %90, i64 40
  %92 = load ptr, ptr %91, align 8
  %93 = getelementptr inbounds %struct.Dimension, ptr %92, i64 %85
  %94 = load i32, ptr %93, align 4
  %95 = sext i32 %94 to i64
  %96 = mul nuw nsw i64 %85, 3
  %97 = getelementptr inbounds i64, ptr %61, i64 %96
  store i64 %95, ptr %97, align 8
  %98 = load ptr, ptr %44, align 8
  %99 = getelementptr inbounds i8, ptr %98, i64 40
  %100 = load ptr, ptr %99, align 8
  %101 = getelementptr inbounds %struct.Dimension, ptr %100, i64 %85, i32 1
  %102 = load i32, ptr %101, align 4
  br label %103

103:
  %104 = phi i64 [ %96, %89 ], [ %87, %86 ]
  %105 = phi i32 [ %102, %89 ], [ 0, %86 ]
  %106 = sext i32 %105 to i64
  %107 = getelementptr inbounds i64, ptr %62, i64 %104
  store i64 %106, ptr %107, align 8
  %108 = add nuw nsw i64 %85, 1
  %109 = load i32, ptr %48, align 4
  %110 = sext i32 %109 to i64
  %111 = icmp slt i64 %108, %110
  br i1 %111, label %84, label %64

112:
  %113 = getelementptr inbounds i8, ptr %0, i64 32
  %114 = load i32, ptr %113, align 8
  %115 = zext i32 %114 to i64
  %116 = tail call ptr @llvm.stacksave.p0()
  %117 = alloca i32, i64 %115, align 16
  %118 = ptrtoint ptr %117 to i64
  %119 = getelementptr inbounds i8, ptr %0, i64 28
  %120 = load i32, ptr %119, align 4
  %121 = sext i32 %120 to i64
  %122 = getelementptr inbounds i64, ptr %1, i64 %121
  store i64 %118, ptr %122, align 8
  %123 = getelementptr inbounds i8, ptr %0, i64 16
  br label %126

124:
  %125 = icmp sgt i32 %305, 0
  br i1 %125, label %309, label %391

126:
  %127 = phi i32 [ 0, %112 ], [ %308, %304 ]
  %128 = icmp eq i32 %127, 20
  br i1 %128, label %129, label %132

129:
  %130 = call ptr @pipec_error_text() #5
  %131 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %130, i64 noundef 1024, ptr noundef nonnull @.str.8) #6
  br label %391

132:
  %133 = load ptr, ptr %0, align 8
  %134 = call i32 %133(ptr noundef %1) #6
  %135 = icmp eq i32 %134, 0
  br i1 %135, label %136, label %391

136:
  %137 = icmp eq i32 %127, 0
  %138 = load i32, ptr %4, align 8
  %139 = icmp sgt i32 %138, 0
  br i1 %139, label %140, label %304

140:
  %141 = phi i64 [ %300, %298 ], [ 0, %136 ]
  %142 = phi i1 [ %299, %298 ], [ false, %136 ]
  %143 = load ptr, ptr %123, align 8
  %144 = getelementptr inbounds %struct.QueryBuffer, ptr %143, i64 %141
  %145 = getelementptr inbounds i8, ptr %144, i64 16
  %146 = load i32, ptr %145, align 4
  %147 = icmp slt i32 %146, 0
  br i1 %147, label %298, label %148

148:
  %149 = getelementptr inbounds i8, ptr %144, i64 8
  %150 = load i32, ptr %149, align 4
  %151 = icmp sgt i32 %150, 0
  br i1 %151, label %152, label %298

152:
  %153 = getelementptr inbounds i8, ptr %144, i64 4
  %154 = getelementptr inbounds i8, ptr %144, i64 20
  br label %173

155:
  %156 = load i32, ptr %144, align 4
  %157 = sext i32 %156 to i64
  %158 = getelementptr i64, ptr %32, i64 %157
  %159 = icmp sgt i32 %295, 0
  br i1 %159, label %160, label %298

160:
  %161 = zext nneg i32 %295 to i64
  br label %162

162:
  %163 = phi i64 [ 0, %160 ], [ %171, %162 ]
  %164 = phi i64 [ 1, %160 ], [ %170, %162 ]
  %165 = mul nuw nsw i64 %163, 24
  %166 = getelementptr inbounds i8, ptr %158, i64 %165
  %167 = getelementptr inbounds i8, ptr %166, i64 16
  store i64 %164, ptr %167, align 8
  %168 = getelementptr inbounds i8, ptr %166, i64 8
  %169 = load i64, ptr %168, align 8
  %170 = mul nsw i64 %169, %164
  %171 = add nuw nsw i64 %163, 1
  %172 = icmp eq i64 %171, %161
  br i1 %172, label %298, label %162

173:
  %174 = phi i64 [ 0, %152 ], [ %294, %292 ]
  %175 = phi i1 [ %142, %152 ], [ %293, %292 ]
  %176 = load i32, ptr %144, align 4
  %177 = sext i32 %176 to i64
  %178 = getelementptr i64, ptr %32, i64 %177
  %179 = mul nuw nsw i64 %174, 3
  %180 = getelementptr inbounds i64, ptr %178, i64 %179
  %181 = load ptr, ptr %123, align 8
  %182 = load i32, ptr %145, align 4
  %183 = sext i32 %182 to i64
  %184 = getelementptr inbounds %struct.QueryBuffer, ptr %181, i64 %183
  %185 = load i32, ptr %184, align 4
  %186 = sext i32 %185 to i64
  %187 = load i32, ptr %153, align 4
  %188 = sext i32 %187 to i64
  %189 = getelementptr inbounds i32, ptr %117, i64 %188
  %190 = getelementptr inbounds i32, ptr %189, i64 %179
  %191 = load i32, ptr %154, align 4
  %192 = trunc i64 %174 to i32
  %193 = shl i32 %192, 1
  %194 = ashr i32 %191, %193
  br label %201

195:
  %196 = getelementptr i64, ptr %32, i64 %186
  %197 = getelementptr inbounds i64, ptr %196, i64 %179
  %198 = and i32 %194, 3
  %199 = icmp ne i32 %198, 0
  %200 = or i1 %137, %199
  br i1 %200, label %292, label %219

201:
  %202 = phi i1 [ true, %173 ], [ false, %217 ]
  %203 = phi i64 [ 0, %173 ], [ 1, %217 ]
  %204 = phi i1 [ %175, %173 ], [ %218, %217 ]
  %205 = trunc nuw nsw i64 %203 to i32
  %206 = shl nuw nsw i32 1, %205
  %207 = and i32 %206, %194
  %208 = icmp eq i32 %207, 0
  br i1 %208, label %217, label %209

209:
  %210 = getelementptr inbounds i64, ptr %180, i64 %203
  %211 = load i64, ptr %210, align 8
  %212 = getelementptr inbounds i32, ptr %190, i64 %203
  %213 = load i32, ptr %212, align 4
  %214 = sext i32 %213 to i64
  %215 = icmp ne i64 %211, %214
  %216 = or i1 %204, %215
  store i64 %214, ptr %210, align 8
  br label %217

217:
  %218 = phi i1 [ %216, %209 ], [ %204, %201 ]
  br i1 %202, label %201, label %195

219:
  %220 = getelementptr inbounds i8, ptr %190, i64 4
  %221 = load i32, ptr %220, align 4
  %222 = icmp slt i32 %221, 1
  br i1 %222, label %223, label %226

223:
  %224 = getelementptr inbounds i8, ptr %180, i64 8
  %225 = load i64, ptr %224, align 8
  br label %244

226:
  %227 = zext nneg i32 %221 to i64
  %228 = load i32, ptr %190, align 4
  %229 = sext i32 %228 to i64
  %230 = getelementptr inbounds i8, ptr %180, i64 8
  %231 = load i64, ptr %180, align 8
  %232 = load i64, ptr %230, align 8
  %233 = add nsw i64 %232, %231
  %234 = icmp slt i64 %232, 1
  %235 = add nsw i64 %229, %227
  %236 = select i1 %234, i64 %229, i64 %231
  %237 = select i1 %234, i64 %235, i64 %233
  %238 = call i64 @llvm.smin.i64(i64 %236, i64 %229)
  %239 = call i64 @llvm.smax.i64(i64 %235, i64 %237)
  %240 = icmp ne i64 %238, %231
  %241 = sub nsw i64 %239, %238
  %242 = icmp ne i64 %241, %232
  %243 = select i1 %240, i1 true, i1 %242
  store i64 %238, ptr %180, align 8
  store i64 %241, ptr %230, align 8
  br label %244

244:
  %245 = phi i64 [ %241, %226 ], [ %225, %223 ]
  %246 = phi i1 [ %243, %226 ], [ false, %223 ]
  %247 = getelementptr inbounds i8, ptr %180, i64 8
  %248 = icmp slt i64 %245, 1
  br i1 %248, label %249, label %252

249:
  %250 = getelementptr inbounds i8, ptr %197, i64 8
  %251 = load i64, ptr %250, align 8
  br label %268

252:
  %253 = load i64, ptr %180, align 8
  %254 = getelementptr inbounds i8, ptr %197, i64 8
  %255 = load i64, ptr %197, align 8
  %256 = load i64, ptr %254, align 8
  %257 = add nsw i64 %256, %255
  %258 = icmp slt i64 %256, 1
  %259 = add nsw i64 %253, %245
  %260 = select i1 %258, i64 %253, i64 %255
  %261 = select i1 %258, i64 %259, i64 %257
  %262 = call i64 @llvm.smin.i64(i64 %260, i64 %253)
  %263 = call i64 @llvm.smax.i64(i64 %259, i64 %261)
  %264 = icmp ne i64 %262, %255
  %265 = sub nsw i64 %263, %262
  %266 = icmp ne i64 %265, %256
  %267 = select i1 %264, i1 true, i1 %266
  store i64 %262, ptr %197, align 8
  store i64 %265, ptr %254, align 8
  br label %268

268:
  %269 = phi i64 [ %265, %252 ], [ %251, %249 ]
  %270 = phi i1 [ %267, %252 ], [ false, %249 ]
  %271 = or i1 %246, %270
  %272 = icmp slt i64 %269, 1
  br i1 %272, label %288, label %273

273:
  %274 = load i64, ptr %197, align 8
  %275 = load i64, ptr %180, align 8
  %276 = load i64, ptr %247, align 8
  %277 = add nsw i64 %276, %275
  %278 = icmp slt i64 %276, 1
  %279 = add nsw i64 %274, %269
  %280 = select i1 %278, i64 %274, i64 %275
  %281 = select i1 %278, i64 %279, i64 %277
  %282 = call i64 @llvm.smin.i64(i64 %280, i64 %274)
  %283 = call i64 @llvm.smax.i64(i64 %279, i64 %281)
  %284 = icmp ne i64 %282, %275
  %285 = sub nsw i64 %283, %282
  %286 = icmp ne i64 %285, %276
  %287 = select i1 %284, i1 true, i1 %286
  store i64 %282, ptr %180, align 8
  store i64 %285, ptr %247, align 8
  br label %288

288:
  %289 = phi i1 [ %287, %273 ], [ false, %268 ]
  %290 = or i1 %271, %289
  %291 = or i1 %218, %290
  br label %292

292:
  %293 = phi i1 [ %291, %288 ], [ %218, %195 ]
  %294 = add nuw nsw i64 %174, 1
  %295 = load i32, ptr %149, align 4
  %296 = sext i32 %295 to i64
  %297 = icmp slt i64 %294, %296
  br i1 %297, label %173, label %155

298:
  %299 = phi i1 [ %142, %140 ], [ %293, %155 ], [ %142, %148 ], [ %293, %162 ]
  %300 = add nuw nsw i64 %141, 1
  %301 = load i32, ptr %4, align 8
  %302 = sext i32 %301 to i64
  %303 = icmp slt i64 %300, %302
  br i1 %303, label %140, label %304

304:
  %305 = phi i32 [ %138, %136 ], [ %301, %298 ]
  %306 = phi i1 [ false, %136 ], [ %299, %298 ]
  %307 = or i1 %137, %306
  %308 = add nuw nsw i32 %127, 1
  br i1 %307, label %126, label %124

309:
  %310 = phi i64 [ %387, %386 ], [ 0, %124 ]
  %311 = load ptr, ptr %123, align 8
  %312 = getelementptr inbounds %struct.QueryBuffer, ptr %311, i64 %310
  %313 = getelementptr inbounds ptr, ptr %2, i64 %310
  %314 = load ptr, ptr %313, align 8
  %315 = getelementptr inbounds i8, ptr %314, i64 16
  %316 = load ptr, ptr %315, align 8
  %317 = icmp eq ptr %316, null
  br i1 %317, label %318, label %386

318:
  %319 = load i64, ptr %314, align 8
  %320 = icmp eq i64 %319, 0
  br i1 %320, label %321, label %386

321:
  %322 = getelementptr inbounds i8, ptr %314, i64 32
  %323 = getelementptr inbounds i8, ptr %312, i64 12
  %324 = call ptr @memcpy(ptr noundef nonnull %322, ptr noundef nonnull %323, i64 noundef 4) #6
  %325 = getelementptr inbounds i8, ptr %312, i64 8
  %326 = load i32, ptr %325, align 4
  %327 = load ptr, ptr %313, align 8
  %328 = getelementptr inbounds i8, ptr %327, i64 36
  store i32 %326, ptr %328, align 4
  %329 = icmp sgt i32 %326, 0
  br i1 %329, label %330, label %386

330:
  %331 = getelementptr inbounds i8, ptr %312, i64 4
  %332 = getelementptr inbounds i8, ptr %312, i64 16
  br label %333

333:
  %334 = phi i64 [ 0, %330 ], [ %382, %366 ]
  %335 = load i32, ptr %331, align 4
  %336 = sext i32 %335 to i64
  %337 = getelementptr inbounds i32, ptr %117, i64 %336
  %338 = mul nuw nsw i64 %334, 3
  %339 = getelementptr inbounds i32, ptr %337, i64 %338
  %340 = load i32, ptr %312, align 4
  %341 = sext i32 %340 to i64
  %342 = getelementptr i64, ptr %32, i64 %341
  %343 = getelementptr inbounds i64, ptr %342, i64 %338
  %344 = load i32, ptr %332, align 4
  %345 = icmp slt i32 %344, 0
  br i1 %345, label %346, label %348

346:
  %347 = load i32, ptr %339, align 4
  br label %351

348:
  %349 = load i64, ptr %343, align 8
  %350 = trunc i64 %349 to i32
  br label %351

351:
  %352 = phi i32 [ %347, %346 ], [ %350, %348 ]
  %353 = load ptr, ptr %313, align 8
  %354 = getelementptr inbounds i8, ptr %353, i64 40
  %355 = load ptr, ptr %354, align 8
  %356 = getelementptr inbounds %struct.Dimension, ptr %355, i64 %334
  store i32 %352, ptr %356, align 4
  %357 = load i32, ptr %332, align 4
  %358 = icmp slt i32 %357, 0
  br i1 %358, label %359, label %362

359:
  %360 = getelementptr inbounds i8, ptr %339, i64 4
  %361 = load i32, ptr %360, align 4
  br label %366

362:
  %363 = getelementptr inbounds i8, ptr %343, i64 8
  %364 = load i64, ptr %363, align 8
  %365 = trunc i64 %364 to i32
  br label %366

366:
  %367 = phi i32 [ %361, %359 ], [ %365, %362 ]
  %368 = load ptr, ptr %313, align 8
  %369 = getelementptr inbounds i8, ptr %368, i64 40
  %370 = load ptr, ptr %369, align 8
  %371 = getelementptr inbounds %struct.Dimension, ptr %370, i64 %334, i32 1
  store i32 %367, ptr %371, align 4
  %372 = getelementptr inbounds i8, ptr %339, i64 8
  %373 = load i32, ptr %372, align 4
  %374 = load ptr, ptr %313, align 8
  %375 = getelementptr inbounds i8, ptr %374, i64 40
  %376 = load ptr, ptr %375, align 8
  %377 = getelementptr inbounds %struct.Dimension, ptr %376, i64 %334, i32 2
  store i32 %373, ptr %377, align 4
  %378 = load ptr, ptr %313, align 8
  %379 = getelementptr inbounds i8, ptr %378, i64 40
  %380 = load ptr, ptr %379, align 8
  %381 = getelementptr inbounds %struct.Dimension, ptr %380, i64 %334, i32 3
  store i32 0, ptr %381, align 4
  %382 = add nuw nsw i64 %334, 1
  %383 = load i32, ptr %325, align 4
  %384 = sext i32 %383 to i64
  %385 = icmp slt i64 %382, %384
  br i1 %385, label %333, label %386

386:
  %387 = add nuw nsw i64 %310, 1
  %388 = load i32, ptr %4, align 8
  %389 = sext i32 %388 to i64
  %390 = icmp slt i64 %387, %389
  br i1 %390, label %309, label %391

391:
  %392 = phi i32 [ -1, %129 ], [ 0, %124 ], [ 0, %386 ], [ -1, %132 ]
  call void @llvm.stackrestore.p0(ptr %116)
  br label %393

393:
  %394 = phi i32 [ -1, %35 ], [ %392, %391 ], [ 1, %27 ], [ 1, %3 ], [ 1, %55 ], [ 1, %51 ], [ 1, %9 ]
  ret i32 %394
}

declare ptr @llvm.stacksave.p0() #3

declare ptr @memcpy(ptr noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

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


