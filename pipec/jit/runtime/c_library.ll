; Compiled from c_library.c, queries.c by tools/build_runtime.py with clang 19.
; ca42b0b4cb33df9b44b02a1ef8853535

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
  %1 = tail call ptr @pipec_error_text() #4
  ret ptr %1
}

define weak void @pipec_print(ptr noundef %0, i64 noundef %1) local_unnamed_addr #0 {
  %3 = tail call i64 @write(i32 noundef 2, ptr noundef %0, i64 noundef %1) #5
  ret void
}

declare i64 @write(i32 noundef, ptr noundef, i64 noundef) local_unnamed_addr #2

define weak i32 @pipec_describe(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3, i32 noundef %4, i32 noundef %5, i32 noundef %6) local_unnamed_addr #0 {
  %8 = icmp eq ptr %0, null
  br i1 %8, label %9, label %12

9:
  %10 = tail call ptr @pipec_error_text() #4
  %11 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %10, i64 noundef 1024, ptr noundef nonnull @.str, ptr noundef %2) #5
  br label %89

12:
  %13 = getelementptr inbounds i8, ptr %0, i64 32
  %14 = load i32, ptr %13, align 8
  %15 = icmp eq i32 %14, %4
  br i1 %15, label %23, label %16

16:
  %17 = tail call ptr @pipec_error_text() #4
  %18 = load i32, ptr %13, align 8
  %19 = and i32 %18, 255
  %20 = lshr i32 %18, 8
  %21 = and i32 %20, 255
  %22 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %17, i64 noundef 1024, ptr noundef nonnull @.str.1, ptr noundef %2, ptr noundef %3, i32 noundef %19, i32 noundef %21) #5
  br label %89

23:
  %24 = getelementptr inbounds i8, ptr %0, i64 36
  %25 = load i32, ptr %24, align 4
  %26 = icmp eq i32 %25, %5
  br i1 %26, label %31, label %27

27:
  %28 = tail call ptr @pipec_error_text() #4
  %29 = load i32, ptr %24, align 4
  %30 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %28, i64 noundef 1024, ptr noundef nonnull @.str.2, ptr noundef %2, i32 noundef %5, i32 noundef %29) #5
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
  %42 = tail call ptr @pipec_error_text() #4
  %43 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %42, i64 noundef 1024, ptr noundef nonnull @.str.3, ptr noundef %2, i32 noundef %6) #5
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
  %61 = tail call ptr @pipec_error_text() #4
  %62 = load i32, ptr %56, align 4
  %63 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %61, i64 noundef 1024, ptr noundef nonnull @.str.4, ptr noundef %2, i32 noundef %60, i32 noundef %62) #5
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
  %87 = tail call ptr @pipec_error_text() #4
  %88 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %87, i64 noundef 1024, ptr noundef nonnull @.str.5, ptr noundef %2) #5
  br label %89

89:
  %90 = phi i32 [ -12, %9 ], [ -3, %16 ], [ -43, %27 ], [ -24, %41 ], [ -34, %86 ], [ 0, %81 ], [ -28, %59 ]
  ret i32 %90
}

declare i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #2

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
  br i1 %2, label %3, label %20

3:
  %4 = cmpxchg ptr @is_prepared, i32 0, i32 1 seq_cst seq_cst, align 4
  %5 = extractvalue { i32, i1 } %4, 1
  br i1 %5, label %6, label %20

6:
  %7 = tail call i32 @pthread_atfork(ptr noundef null, ptr noundef null, ptr noundef nonnull @pipec_forked) #5
  %8 = tail call ptr @getenv(ptr noundef nonnull @.str.6) #5
  %9 = icmp eq ptr %8, null
  br i1 %9, label %13, label %10

10:
  %11 = tail call i32 @atoi(ptr noundef nonnull %8) #5
  %12 = icmp sgt i32 %11, 0
  br i1 %12, label %17, label %13

13:
  %14 = load i32, ptr @system_processors_name, align 4
  %15 = tail call i64 @sysconf(i32 noundef %14) #5
  %16 = trunc i64 %15 to i32
  br label %17

17:
  %18 = phi i32 [ %16, %13 ], [ %11, %10 ]
  %19 = tail call i32 @halide_set_num_threads(i32 noundef %18) #4
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

define weak i32 @pipec_answer(ptr noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) local_unnamed_addr #0 {
  %5 = getelementptr inbounds i8, ptr %0, i64 24
  %6 = load i32, ptr %5, align 8
  %7 = icmp sgt i32 %6, 0
  br i1 %7, label %8, label %387

8:
  %9 = zext nneg i32 %6 to i64
  br label %10

10:
  %11 = phi i64 [ 0, %8 ], [ %26, %23 ]
  %12 = phi i1 [ false, %8 ], [ %25, %23 ]
  %13 = getelementptr inbounds ptr, ptr %3, i64 %11
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, null
  br i1 %15, label %387, label %16

16:
  %17 = getelementptr inbounds i8, ptr %14, i64 16
  %18 = load ptr, ptr %17, align 8
  %19 = icmp eq ptr %18, null
  br i1 %19, label %20, label %23

20:
  %21 = load i64, ptr %14, align 8
  %22 = icmp eq i64 %21, 0
  br label %23

23:
  %24 = phi i1 [ false, %16 ], [ %22, %20 ]
  %25 = or i1 %12, %24
  %26 = add nuw nsw i64 %11, 1
  %27 = icmp eq i64 %26, %9
  br i1 %27, label %28, label %10

28:
  br i1 %25, label %29, label %387

29:
  %30 = load ptr, ptr %0, align 8
  %31 = icmp eq ptr %30, null
  br i1 %31, label %36, label %32

32:
  %33 = getelementptr i8, ptr %1, i64 8
  br i1 %7, label %34, label %113

34:
  %35 = getelementptr inbounds i8, ptr %0, i64 16
  br label %41

36:
  %37 = tail call ptr @pipec_error_text() #4
  %38 = getelementptr inbounds i8, ptr %0, i64 8
  %39 = load ptr, ptr %38, align 8
  %40 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %37, i64 noundef 1024, ptr noundef nonnull @.str.7, ptr noundef %39) #5
  br label %387

41:
  %42 = phi i64 [ 0, %34 ], [ %81, %80 ]
  %43 = load ptr, ptr %35, align 8
  %44 = getelementptr inbounds %struct.QueryBuffer, ptr %43, i64 %42
  %45 = getelementptr inbounds ptr, ptr %3, i64 %42
  %46 = load ptr, ptr %45, align 8
  %47 = getelementptr inbounds i8, ptr %46, i64 36
  %48 = load i32, ptr %47, align 4
  %49 = getelementptr inbounds i8, ptr %44, i64 8
  %50 = load i32, ptr %49, align 4
  %51 = icmp eq i32 %48, %50
  br i1 %51, label %59, label %52

52:
  %53 = getelementptr inbounds i8, ptr %46, i64 16
  %54 = load ptr, ptr %53, align 8
  %55 = icmp eq ptr %54, null
  br i1 %55, label %56, label %387

56:
  %57 = load i64, ptr %46, align 8
  %58 = icmp eq i64 %57, 0
  br i1 %58, label %59, label %387

59:
  %60 = load i32, ptr %44, align 4
  %61 = sext i32 %60 to i64
  %62 = getelementptr i64, ptr %33, i64 %61
  %63 = getelementptr inbounds i8, ptr %62, i64 8
  %64 = icmp sgt i32 %50, 0
  br i1 %64, label %85, label %80

65:
  %66 = icmp sgt i32 %110, 0
  br i1 %66, label %67, label %80

67:
  %68 = zext nneg i32 %110 to i64
  br label %69

69:
  %70 = phi i64 [ 0, %67 ], [ %78, %69 ]
  %71 = phi i64 [ 1, %67 ], [ %77, %69 ]
  %72 = mul nuw nsw i64 %70, 24
  %73 = getelementptr inbounds i8, ptr %62, i64 %72
  %74 = getelementptr inbounds i8, ptr %73, i64 16
  store i64 %71, ptr %74, align 8
  %75 = getelementptr inbounds i8, ptr %73, i64 8
  %76 = load i64, ptr %75, align 8
  %77 = mul nsw i64 %76, %71
  %78 = add nuw nsw i64 %70, 1
  %79 = icmp eq i64 %78, %68
  br i1 %79, label %80, label %69

80:
  %81 = add nuw nsw i64 %42, 1
  %82 = load i32, ptr %5, align 8
  %83 = sext i32 %82 to i64
  %84 = icmp slt i64 %81, %83
  br i1 %84, label %41, label %113

85:
  %86 = phi i64 [ %109, %104 ], [ 0, %59 ]
  br i1 %51, label %90, label %87

87:
  %88 = mul nuw nsw i64 %86, 3
  %89 = getelementptr inbounds i64, ptr %62, i64 %88
  store i64 0, ptr %89, align 8
  br label %104

90:
  %91 = load ptr, ptr %45, align 8
  %92 = getelementptr inbounds i8, ptr %91, i64 40
  %93 = load ptr, ptr %92, align 8
  %94 = getelementptr inbounds %struct.Dimension, ptr %93, i64 %86
  %95 = load i32, ptr %94, align 4
  %96 = sext i32 %95 to i64
  %97 = mul nuw nsw i64 %86, 3
  %98 = getelementptr inbounds i64, ptr %62, i64 %97
  store i64 %96, ptr %98, align 8
  %99 = load ptr, ptr %45, align 8
  %100 = getelementptr inbounds i8, ptr %99, i64 40
  %101 = load ptr, ptr %100, align 8
  %102 = getelementptr inbounds %struct.Dimension, ptr %101, i64 %86, i32 1
  %103 = load i32, ptr %102, align 4
  br label %104

104:
  %105 = phi i64 [ %97, %90 ], [ %88, %87 ]
  %106 = phi i32 [ %103, %90 ], [ 0, %87 ]
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds i64, ptr %63, i64 %105
  store i64 %107, ptr %108, align 8
  %109 = add nuw nsw i64 %86, 1
  %110 = load i32, ptr %49, align 4
  %111 = sext i32 %110 to i64
  %112 = icmp slt i64 %109, %111
  br i1 %112, label %85, label %65

113:
  %114 = ptrtoint ptr %2 to i64
  %115 = getelementptr inbounds i8, ptr %0, i64 28
  %116 = load i32, ptr %115, align 4
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds i64, ptr %1, i64 %117
  store i64 %114, ptr %118, align 8
  %119 = getelementptr inbounds i8, ptr %0, i64 16
  br label %122

120:
  %121 = icmp sgt i32 %301, 0
  br i1 %121, label %305, label %387

122:
  %123 = phi i32 [ 0, %113 ], [ %304, %300 ]
  %124 = icmp eq i32 %123, 20
  br i1 %124, label %125, label %128

125:
  %126 = tail call ptr @pipec_error_text() #4
  %127 = tail call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %126, i64 noundef 1024, ptr noundef nonnull @.str.8) #5
  br label %387

128:
  %129 = load ptr, ptr %0, align 8
  %130 = tail call i32 %129(ptr noundef %1) #5
  %131 = icmp eq i32 %130, 0
  br i1 %131, label %132, label %387

132:
  %133 = icmp eq i32 %123, 0
  %134 = load i32, ptr %5, align 8
  %135 = icmp sgt i32 %134, 0
  br i1 %135, label %136, label %300

136:
  %137 = phi i64 [ %296, %294 ], [ 0, %132 ]
  %138 = phi i1 [ %295, %294 ], [ false, %132 ]
  %139 = load ptr, ptr %119, align 8
  %140 = getelementptr inbounds %struct.QueryBuffer, ptr %139, i64 %137
  %141 = getelementptr inbounds i8, ptr %140, i64 16
  %142 = load i32, ptr %141, align 4
  %143 = icmp slt i32 %142, 0
  br i1 %143, label %294, label %144

144:
  %145 = getelementptr inbounds i8, ptr %140, i64 8
  %146 = load i32, ptr %145, align 4
  %147 = icmp sgt i32 %146, 0
  br i1 %147, label %148, label %294

148:
  %149 = getelementptr inbounds i8, ptr %140, i64 4
  %150 = getelementptr inbounds i8, ptr %140, i64 20
  br label %169

151:
  %152 = load i32, ptr %140, align 4
  %153 = sext i32 %152 to i64
  %154 = getelementptr i64, ptr %33, i64 %153
  %155 = icmp sgt i32 %291, 0
  br i1 %155, label %156, label %294

156:
  %157 = zext nneg i32 %291 to i64
  br label %158

158:
  %159 = phi i64 [ 0, %156 ], [ %167, %158 ]
  %160 = phi i64 [ 1, %156 ], [ %166, %158 ]
  %161 = mul nuw nsw i64 %159, 24
  %162 = getelementptr inbounds i8, ptr %154, i64 %161
  %163 = getelementptr inbounds i8, ptr %162, i64 16
  store i64 %160, ptr %163, align 8
  %164 = getelementptr inbounds i8, ptr %162, i64 8
  %165 = load i64, ptr %164, align 8
  %166 = mul nsw i64 %165, %160
  %167 = add nuw nsw i64 %159, 1
  %168 = icmp eq i64 %167, %157
  br i1 %168, label %294, label %158

169:
  %170 = phi i64 [ 0, %148 ], [ %290, %288 ]
  %171 = phi i1 [ %138, %148 ], [ %289, %288 ]
  %172 = load i32, ptr %140, align 4
  %173 = sext i32 %172 to i64
  %174 = getelementptr i64, ptr %33, i64 %173
  %175 = mul nuw nsw i64 %170, 3
  %176 = getelementptr inbounds i64, ptr %174, i64 %175
  %177 = load ptr, ptr %119, align 8
  %178 = load i32, ptr %141, align 4
  %179 = sext i32 %178 to i64
  %180 = getelementptr inbounds %struct.QueryBuffer, ptr %177, i64 %179
  %181 = load i32, ptr %180, align 4
  %182 = sext i32 %181 to i64
  %183 = load i32, ptr %149, align 4
  %184 = sext i32 %183 to i64
  %185 = getelementptr inbounds i32, ptr %2, i64 %184
  %186 = getelementptr inbounds i32, ptr %185, i64 %175
  %187 = load i32, ptr %150, align 4
  %188 = trunc i64 %170 to i32
  %189 = shl i32 %188, 1
  %190 = ashr i32 %187, %189
  br label %197

191:
  %192 = getelementptr i64, ptr %33, i64 %182
  %193 = getelementptr inbounds i64, ptr %192, i64 %175
  %194 = and i32 %190, 3
  %195 = icmp ne i32 %194, 0
  %196 = or i1 %133, %195
  br i1 %196, label %288, label %215

197:
  %198 = phi i1 [ true, %169 ], [ false, %213 ]
  %199 = phi i64 [ 0, %169 ], [ 1, %213 ]
  %200 = phi i1 [ %171, %169 ], [ %214, %213 ]
  %201 = trunc nuw nsw i64 %199 to i32
  %202 = shl nuw nsw i32 1, %201
  %203 = and i32 %202, %190
  %204 = icmp eq i32 %203, 0
  br i1 %204, label %213, label %205

205:
  %206 = getelementptr inbounds i64, ptr %176, i64 %199
  %207 = load i64, ptr %206, align 8
  %208 = getelementptr inbounds i32, ptr %186, i64 %199
  %209 = load i32, ptr %208, align 4
  %210 = sext i32 %209 to i64
  %211 = icmp ne i64 %207, %210
  %212 = or i1 %200, %211
  store i64 %210, ptr %206, align 8
  br label %213

213:
  %214 = phi i1 [ %212, %205 ], [ %200, %197 ]
  br i1 %198, label %197, label %191

215:
  %216 = getelementptr inbounds i8, ptr %186, i64 4
  %217 = load i32, ptr %216, align 4
  %218 = icmp slt i32 %217, 1
  br i1 %218, label %219, label %222

219:
  %220 = getelementptr inbounds i8, ptr %176, i64 8
  %221 = load i64, ptr %220, align 8
  br label %240

222:
  %223 = zext nneg i32 %217 to i64
  %224 = load i32, ptr %186, align 4
  %225 = sext i32 %224 to i64
  %226 = getelementptr inbounds i8, ptr %176, i64 8
  %227 = load i64, ptr %176, align 8
  %228 = load i64, ptr %226, align 8
  %229 = add nsw i64 %228, %227
  %230 = icmp slt i64 %228, 1
  %231 = add nsw i64 %225, %223
  %232 = select i1 %230, i64 %225, i64 %227
  %233 = select i1 %230, i64 %231, i64 %229
  %234 = tail call i64 @llvm.smin.i64(i64 %232, i64 %225)
  %235 = tail call i64 @llvm.smax.i64(i64 %231, i64 %233)
  %236 = icmp ne i64 %234, %227
  %237 = sub nsw i64 %235, %234
  %238 = icmp ne i64 %237, %228
  %239 = select i1 %236, i1 true, i1 %238
  store i64 %234, ptr %176, align 8
  store i64 %237, ptr %226, align 8
  br label %240

240:
  %241 = phi i64 [ %237, %222 ], [ %221, %219 ]
  %242 = phi i1 [ %239, %222 ], [ false, %219 ]
  %243 = getelementptr inbounds i8, ptr %176, i64 8
  %244 = icmp slt i64 %241, 1
  br i1 %244, label %245, label %248

245:
  %246 = getelementptr inbounds i8, ptr %193, i64 8
  %247 = load i64, ptr %246, align 8
  br label %264

248:
  %249 = load i64, ptr %176, align 8
  %250 = getelementptr inbounds i8, ptr %193, i64 8
  %251 = load i64, ptr %193, align 8
  %252 = load i64, ptr %250, align 8
  %253 = add nsw i64 %252, %251
  %254 = icmp slt i64 %252, 1
  %255 = add nsw i64 %249, %241
  %256 = select i1 %254, i64 %249, i64 %251
  %257 = select i1 %254, i64 %255, i64 %253
  %258 = tail call i64 @llvm.smin.i64(i64 %256, i64 %249)
  %259 = tail call i64 @llvm.smax.i64(i64 %255, i64 %257)
  %260 = icmp ne i64 %258, %251
  %261 = sub nsw i64 %259, %258
  %262 = icmp ne i64 %261, %252
  %263 = select i1 %260, i1 true, i1 %262
  store i64 %258, ptr %193, align 8
  store i64 %261, ptr %250, align 8
  br label %264

264:
  %265 = phi i64 [ %261, %248 ], [ %247, %245 ]
  %266 = phi i1 [ %263, %248 ], [ false, %245 ]
  %267 = or i1 %242, %266
  %268 = icmp slt i64 %265, 1
  br i1 %268, label %284, label %269

269:
  %270 = load i64, ptr %193, align 8
  %271 = load i64, ptr %176, align 8
  %272 = load i64, ptr %243, align 8
  %273 = add nsw i64 %272, %271
  %274 = icmp slt i64 %272, 1
  %275 = add nsw i64 %270, %265
  %276 = select i1 %274, i64 %270, i64 %271
  %277 = select i1 %274, i64 %275, i64 %273
  %278 = tail call i64 @llvm.smin.i64(i64 %276, i64 %270)
  %279 = tail call i64 @llvm.smax.i64(i64 %275, i64 %277)
  %280 = icmp ne i64 %278, %271
  %281 = sub nsw i64 %279, %278
  %282 = icmp ne i64 %281, %272
  %283 = select i1 %280, i1 true, i1 %282
  store i64 %278, ptr %176, align 8
  store i64 %281, ptr %243, align 8
  br label %284

284:
  %285 = phi i1 [ %283, %269 ], [ false, %264 ]
  %286 = or i1 %267, %285
  %287 = or i1 %214, %286
  br label %288

288:
  %289 = phi i1 [ %287, %284 ], [ %214, %191 ]
  %290 = add nuw nsw i64 %170, 1
  %291 = load i32, ptr %145, align 4
  %292 = sext i32 %291 to i64
  %293 = icmp slt i64 %290, %292
  br i1 %293, label %169, label %151

294:
  %295 = phi i1 [ %138, %136 ], [ %289, %151 ], [ %138, %144 ], [ %289, %158 ]
  %296 = add nuw nsw i64 %137, 1
  %297 = load i32, ptr %5, align 8
  %298 = sext i32 %297 to i64
  %299 = icmp slt i64 %296, %298
  br i1 %299, label %136, label %300

300:
  %301 = phi i32 [ %134, %132 ], [ %297, %294 ]
  %302 = phi i1 [ false, %132 ], [ %295, %294 ]
  %303 = or i1 %133, %302
  %304 = add nuw nsw i32 %123, 1
  br i1 %303, label %122, label %120

305:
  %306 = phi i64 [ %383, %382 ], [ 0, %120 ]
  %307 = load ptr, ptr %119, align 8
  %308 = getelementptr inbounds %struct.QueryBuffer, ptr %307, i64 %306
  %309 = getelementptr inbounds ptr, ptr %3, i64 %306
  %310 = load ptr, ptr %309, align 8
  %311 = getelementptr inbounds i8, ptr %310, i64 16
  %312 = load ptr, ptr %311, align 8
  %313 = icmp eq ptr %312, null
  br i1 %313, label %314, label %382

314:
  %315 = load i64, ptr %310, align 8
  %316 = icmp eq i64 %315, 0
  br i1 %316, label %317, label %382

317:
  %318 = getelementptr inbounds i8, ptr %308, i64 12
  %319 = load i32, ptr %318, align 4
  %320 = getelementptr inbounds i8, ptr %310, i64 32
  store i32 %319, ptr %320, align 8
  %321 = getelementptr inbounds i8, ptr %308, i64 8
  %322 = load i32, ptr %321, align 4
  %323 = load ptr, ptr %309, align 8
  %324 = getelementptr inbounds i8, ptr %323, i64 36
  store i32 %322, ptr %324, align 4
  %325 = icmp sgt i32 %322, 0
  br i1 %325, label %326, label %382

326:
  %327 = getelementptr inbounds i8, ptr %308, i64 4
  %328 = getelementptr inbounds i8, ptr %308, i64 16
  br label %329

329:
  %330 = phi i64 [ 0, %326 ], [ %378, %362 ]
  %331 = load i32, ptr %327, align 4
  %332 = sext i32 %331 to i64
  %333 = getelementptr inbounds i32, ptr %2, i64 %332
  %334 = mul nuw nsw i64 %330, 3
  %335 = getelementptr inbounds i32, ptr %333, i64 %334
  %336 = load i32, ptr %308, align 4
  %337 = sext i32 %336 to i64
  %338 = getelementptr i64, ptr %33, i64 %337
  %339 = getelementptr inbounds i64, ptr %338, i64 %334
  %340 = load i32, ptr %328, align 4
  %341 = icmp slt i32 %340, 0
  br i1 %341, label %342, label %344

342:
  %343 = load i32, ptr %335, align 4
  br label %347

344:
  %345 = load i64, ptr %339, align 8
  %346 = trunc i64 %345 to i32
  br label %347

347:
  %348 = phi i32 [ %343, %342 ], [ %346, %344 ]
  %349 = load ptr, ptr %309, align 8
  %350 = getelementptr inbounds i8, ptr %349, i64 40
  %351 = load ptr, ptr %350, align 8
  %352 = getelementptr inbounds %struct.Dimension, ptr %351, i64 %330
  store i32 %348, ptr %352, align 4
  %353 = load i32, ptr %328, align 4
  %354 = icmp slt i32 %353, 0
  br i1 %354, label %355, label %358

355:
  %356 = getelementptr inbounds i8, ptr %335, i64 4
  %357 = load i32, ptr %356, align 4
  br label %362

358:
  %359 = getelementptr inbounds i8, ptr %339, i64 8
  %360 = load i64, ptr %359, align 8
  %361 = trunc i64 %360 to i32
  br label %362

362:
  %363 = phi i32 [ %357, %355 ], [ %361, %358 ]
  %364 = load ptr, ptr %309, align 8
  %365 = getelementptr inbounds i8, ptr %364, i64 40
  %366 = load ptr, ptr %365, align 8
  %367 = getelementptr inbounds %struct.Dimension, ptr %366, i64 %330, i32 1
  store i32 %363, ptr %367, align 4
  %368 = getelementptr inbounds i8, ptr %335, i64 8
  %369 = load i32, ptr %368, align 4
  %370 = load ptr, ptr %309, align 8
  %371 = getelementptr inbounds i8, ptr %370, i64 40
  %372 = load ptr, ptr %371, align 8
  %373 = getelementptr inbounds %struct.Dimension, ptr %372, i64 %330, i32 2
  store i32 %369, ptr %373, align 4
  %374 = load ptr, ptr %309, align 8
  %375 = getelementptr inbounds i8, ptr %374, i64 40
  %376 = load ptr, ptr %375, align 8
  %377 = getelementptr inbounds %struct.Dimension, ptr %376, i64 %330, i32 3
  store i32 0, ptr %377, align 4
  %378 = add nuw nsw i64 %330, 1
  %379 = load i32, ptr %321, align 4
  %380 = sext i32 %379 to i64
  %381 = icmp slt i64 %378, %380
  br i1 %381, label %329, label %382

382:
  %383 = add nuw nsw i64 %306, 1
  %384 = load i32, ptr %5, align 8
  %385 = sext i32 %384 to i64
  %386 = icmp slt i64 %383, %385
  br i1 %386, label %305, label %387

387:
  %388 = phi i32 [ -1, %36 ], [ 1, %28 ], [ -1, %125 ], [ 0, %120 ], [ 1, %4 ], [ 0, %382 ], [ -1, %128 ], [ 1, %56 ], [ 1, %52 ], [ 1, %10 ]
  ret i32 %388
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


