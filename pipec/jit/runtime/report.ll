; Compiled from report.c by tools/build_runtime.py with clang 19.
; 8c5087d289745f6c8733e379bf8c9a2e

%struct.Line = type { ptr, i32, i32, i32 }
%struct.Piece = type { ptr, i32, i32 }

@events = internal global i32 0, align 4
@.str = private unnamed_addr constant [2 x i8] c"<\00", align 1
@.str.1 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.2 = private unnamed_addr constant [3 x i8] c", \00", align 1
@.str.3 = private unnamed_addr constant [2 x i8] c">\00", align 1
@.str.4 = private unnamed_addr constant [5 x i8] c"true\00", align 1
@.str.5 = private unnamed_addr constant [6 x i8] c"false\00", align 1

define range(i32 0, -2147483648) i32 @pipec_write_report(ptr nocapture noundef readonly %0, i32 noundef %1, i32 noundef %2, ptr nocapture noundef readonly %3) local_unnamed_addr #0 {
  %5 = getelementptr inbounds i8, ptr %0, i64 32
  %6 = load ptr, ptr %5, align 8
  %7 = sext i32 %1 to i64
  %8 = getelementptr inbounds %struct.Line, ptr %6, i64 %7
  %9 = getelementptr inbounds i8, ptr %8, i64 16
  %10 = load i32, ptr %9, align 8
  %11 = icmp eq i32 %10, 0
  %12 = sext i32 %2 to i64
  br i1 %11, label %18, label %13

13:
  %14 = icmp sgt i32 %2, 0
  br i1 %14, label %15, label %36

15:
  %16 = icmp eq i32 %2, 1
  %17 = getelementptr inbounds i8, ptr %8, i64 12
  br label %19

18:
  tail call fastcc void @write_line(ptr noundef nonnull %8, i64 noundef %12, ptr noundef %3, i64 noundef 0, i64 noundef %12) #2
  br label %36

19:
  %20 = phi i64 [ 0, %15 ], [ %34, %33 ]
  br i1 %16, label %31, label %21

21:
  %22 = load i32, ptr %17, align 4
  %23 = sext i32 %22 to i64
  %24 = mul nsw i64 %23, %12
  %25 = getelementptr i64, ptr %3, i64 %24
  %26 = getelementptr i64, ptr %25, i64 %20
  %27 = load i64, ptr %26, align 8
  %28 = icmp eq i64 %27, 0
  br i1 %28, label %29, label %31

29:
  %30 = add nuw nsw i64 %20, 1
  br label %33

31:
  %32 = add nuw nsw i64 %20, 1
  tail call fastcc void @write_line(ptr noundef %8, i64 noundef %12, ptr noundef %3, i64 noundef %20, i64 noundef %32) #2
  br label %33

33:
  %34 = phi i64 [ %30, %29 ], [ %32, %31 ]
  %35 = icmp eq i64 %34, %12
  br i1 %35, label %36, label %19

36:
  %37 = atomicrmw add ptr @events, i32 1 monotonic, align 4
  %38 = add i32 %37, 1
  %39 = and i32 %38, 2147483647
  ret i32 %39
}

define internal fastcc void @write_line(ptr nocapture noundef readonly %0, i64 noundef %1, ptr nocapture noundef readonly %2, i64 noundef %3, i64 noundef %4) unnamed_addr #0 {
  %6 = alloca [0 x i8], align 16
  %7 = getelementptr inbounds i8, ptr %0, i64 8
  %8 = load i32, ptr %7, align 8
  %9 = icmp sgt i32 %8, 0
  br i1 %9, label %10, label %50

10:
  %11 = load ptr, ptr %0, align 8
  %12 = sub nsw i64 %4, %3
  %13 = mul nsw i64 %12, 50
  %14 = add nsw i64 %13, 2
  %15 = zext nneg i32 %8 to i64
  br label %31

16:
  %17 = alloca i8, i64 %40, align 16
  br i1 %9, label %18, label %50

18:
  %19 = icmp sgt i64 %1, 1
  %20 = getelementptr inbounds i8, ptr %0, i64 16
  %21 = load i32, ptr %20, align 8
  %22 = icmp eq i32 %21, 0
  %23 = and i1 %19, %22
  %24 = select i1 %23, ptr @.str, ptr @.str.1
  %25 = icmp slt i64 %3, %4
  %26 = icmp eq i64 %1, 1
  %27 = getelementptr inbounds i8, ptr %0, i64 12
  %28 = select i1 %23, ptr @.str.3, ptr @.str.1
  %29 = load i8, ptr %28, align 1
  %30 = icmp eq i8 %29, 0
  br label %56

31:
  %32 = phi i64 [ 0, %10 ], [ %41, %38 ]
  %33 = phi i64 [ 0, %10 ], [ %40, %38 ]
  %34 = getelementptr inbounds %struct.Piece, ptr %11, i64 %32
  %35 = load ptr, ptr %34, align 8
  %36 = load i8, ptr %35, align 1
  %37 = icmp eq i8 %36, 0
  br i1 %37, label %38, label %43

38:
  %39 = phi i64 [ %33, %31 ], [ %46, %43 ]
  %40 = add nsw i64 %14, %39
  %41 = add nuw nsw i64 %32, 1
  %42 = icmp eq i64 %41, %15
  br i1 %42, label %16, label %31

43:
  %44 = phi i64 [ %46, %43 ], [ %33, %31 ]
  %45 = phi ptr [ %47, %43 ], [ %35, %31 ]
  %46 = add nsw i64 %44, 1
  %47 = getelementptr inbounds i8, ptr %45, i64 1
  %48 = load i8, ptr %47, align 1
  %49 = icmp eq i8 %48, 0
  br i1 %49, label %38, label %43

50:
  %51 = phi ptr [ %17, %16 ], [ %6, %5 ], [ %17, %150 ]
  %52 = phi ptr [ %17, %16 ], [ %6, %5 ], [ %151, %150 ]
  %53 = ptrtoint ptr %52 to i64
  %54 = ptrtoint ptr %51 to i64
  %55 = sub i64 %53, %54
  call void @pipec_print(ptr noundef nonnull %51, i64 noundef %55) #3
  ret void

56:
  %57 = phi i64 [ 0, %18 ], [ %152, %150 ]
  %58 = phi ptr [ %17, %18 ], [ %151, %150 ]
  %59 = load ptr, ptr %0, align 8
  %60 = getelementptr inbounds %struct.Piece, ptr %59, i64 %57
  %61 = getelementptr inbounds i8, ptr %60, i64 8
  %62 = load i32, ptr %61, align 8
  %63 = icmp eq i32 %62, 0
  br i1 %63, label %64, label %76

64:
  %65 = load ptr, ptr %60, align 8
  %66 = load i8, ptr %65, align 1
  %67 = icmp eq i8 %66, 0
  br i1 %67, label %150, label %68

68:
  %69 = phi i8 [ %74, %68 ], [ %66, %64 ]
  %70 = phi ptr [ %72, %68 ], [ %65, %64 ]
  %71 = phi ptr [ %73, %68 ], [ %58, %64 ]
  %72 = getelementptr inbounds i8, ptr %70, i64 1
  %73 = getelementptr inbounds i8, ptr %71, i64 1
  store i8 %69, ptr %71, align 1
  %74 = load i8, ptr %72, align 1
  %75 = icmp eq i8 %74, 0
  br i1 %75, label %150, label %68

76:
  br i1 %25, label %77, label %79

77:
  %78 = getelementptr inbounds i8, ptr %60, i64 12
  br label %89

79:
  %80 = phi ptr [ %58, %76 ], [ %146, %145 ]
  br i1 %30, label %150, label %81

81:
  %82 = phi i8 [ %87, %81 ], [ %29, %79 ]
  %83 = phi ptr [ %85, %81 ], [ %28, %79 ]
  %84 = phi ptr [ %86, %81 ], [ %80, %79 ]
  %85 = getelementptr inbounds i8, ptr %83, i64 1
  %86 = getelementptr inbounds i8, ptr %84, i64 1
  store i8 %82, ptr %84, align 1
  %87 = load i8, ptr %85, align 1
  %88 = icmp eq i8 %87, 0
  br i1 %88, label %150, label %81

89:
  %90 = phi i64 [ %3, %77 ], [ %148, %145 ]
  %91 = phi ptr [ %24, %77 ], [ %147, %145 ]
  %92 = phi ptr [ %58, %77 ], [ %146, %145 ]
  br i1 %26, label %101, label %93

93:
  %94 = load i32, ptr %27, align 4
  %95 = sext i32 %94 to i64
  %96 = mul nsw i64 %95, %1
  %97 = getelementptr i64, ptr %2, i64 %96
  %98 = getelementptr i64, ptr %97, i64 %90
  %99 = load i64, ptr %98, align 8
  %100 = icmp eq i64 %99, 0
  br i1 %100, label %145, label %101

101:
  %102 = load i8, ptr %91, align 1
  %103 = icmp eq i8 %102, 0
  br i1 %103, label %112, label %104

104:
  %105 = phi i8 [ %110, %104 ], [ %102, %101 ]
  %106 = phi ptr [ %108, %104 ], [ %91, %101 ]
  %107 = phi ptr [ %109, %104 ], [ %92, %101 ]
  %108 = getelementptr inbounds i8, ptr %106, i64 1
  %109 = getelementptr inbounds i8, ptr %107, i64 1
  store i8 %105, ptr %107, align 1
  %110 = load i8, ptr %108, align 1
  %111 = icmp eq i8 %110, 0
  br i1 %111, label %112, label %104

112:
  %113 = phi ptr [ %92, %101 ], [ %109, %104 ]
  %114 = load i32, ptr %78, align 4
  %115 = sext i32 %114 to i64
  %116 = mul nsw i64 %115, %1
  %117 = getelementptr i64, ptr %2, i64 %116
  %118 = getelementptr i64, ptr %117, i64 %90
  %119 = load i64, ptr %118, align 8
  %120 = load i32, ptr %61, align 8
  switch i32 %120, label %140 [
    i32 3, label %121
    i32 2, label %134
  ]

121:
  %122 = icmp eq i64 %119, 0
  %123 = select i1 %122, ptr @.str.5, ptr @.str.4
  %124 = load i8, ptr %123, align 1
  %125 = icmp eq i8 %124, 0
  br i1 %125, label %145, label %126

126:
  %127 = phi i8 [ %132, %126 ], [ %124, %121 ]
  %128 = phi ptr [ %130, %126 ], [ %123, %121 ]
  %129 = phi ptr [ %131, %126 ], [ %113, %121 ]
  %130 = getelementptr inbounds i8, ptr %128, i64 1
  %131 = getelementptr inbounds i8, ptr %129, i64 1
  store i8 %127, ptr %129, align 1
  %132 = load i8, ptr %130, align 1
  %133 = icmp eq i8 %132, 0
  br i1 %133, label %145, label %126

134:
  %135 = bitcast i64 %119 to double
  %136 = load ptr, ptr %60, align 8
  %137 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %113, i64 noundef 50, ptr noundef %136, double noundef %135) #3
  %138 = sext i32 %137 to i64
  %139 = getelementptr inbounds i8, ptr %113, i64 %138
  br label %145

140:
  %141 = load ptr, ptr %60, align 8
  %142 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr noundef %113, i64 noundef 50, ptr noundef %141, i64 noundef %119) #3
  %143 = sext i32 %142 to i64
  %144 = getelementptr inbounds i8, ptr %113, i64 %143
  br label %145

145:
  %146 = phi ptr [ %92, %93 ], [ %139, %134 ], [ %144, %140 ], [ %113, %121 ], [ %131, %126 ]
  %147 = phi ptr [ %91, %93 ], [ @.str.2, %134 ], [ @.str.2, %140 ], [ @.str.2, %121 ], [ @.str.2, %126 ]
  %148 = add i64 %90, 1
  %149 = icmp eq i64 %148, %4
  br i1 %149, label %79, label %89

150:
  %151 = phi ptr [ %58, %64 ], [ %80, %79 ], [ %73, %68 ], [ %86, %81 ]
  %152 = add nuw nsw i64 %57, 1
  %153 = load i32, ptr %7, align 8
  %154 = sext i32 %153 to i64
  %155 = icmp slt i64 %152, %154
  br i1 %155, label %56, label %50
}

declare void @pipec_print(ptr noundef, i64 noundef) local_unnamed_addr #1

declare i32 @snprintf(ptr noundef, i64 noundef, ptr noundef, ...) local_unnamed_addr #1

attributes #0 = { nounwind }
attributes #1 = { nounwind }
attributes #2 = { nobuiltin }
attributes #3 = { nobuiltin nounwind }


