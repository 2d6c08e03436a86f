; Compiled from report.c by tools/build_runtime.py with clang 19.
; 7a773b96bd0619d15d0ae4e803068e83

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
  %5 = getelementptr inbounds i8, ptr %0, i32 16
  %6 = load ptr, ptr %5, align 4
  %7 = getelementptr inbounds %struct.Line, ptr %6, i32 %1
  %8 = getelementptr inbounds i8, ptr %7, i32 12
  %9 = load i32, ptr %8, align 4
  %10 = icmp eq i32 %9, 0
  %11 = sext i32 %2 to i64
  br i1 %10, label %17, label %12

12:
  %13 = icmp sgt i32 %2, 0
  br i1 %13, label %14, label %36

14:
  %15 = icmp eq i32 %2, 1
  %16 = getelementptr inbounds i8, ptr %7, i32 8
  br label %18

17:
  tail call fastcc void @write_line(ptr noundef nonnull %7, i64 noundef %11, ptr noundef %3, i64 noundef 0, i64 noundef %11) #2
  br label %36

18:
  %19 = phi i64 [ 0, %14 ], [ %34, %33 ]
  br i1 %15, label %31, label %20

20:
  %21 = load i32, ptr %16, align 4
  %22 = zext i32 %21 to i64
  %23 = mul nuw nsw i64 %22, %11
  %24 = add nuw i64 %23, %19
  %25 = trunc i64 %24 to i32
  %26 = getelementptr inbounds i64, ptr %3, i32 %25
  %27 = load i64, ptr %26, align 8
  %28 = icmp eq i64 %27, 0
  br i1 %28, label %29, label %31

29:
  %30 = add nuw nsw i64 %19, 1
  br label %33

31:
  %32 = add nuw nsw i64 %19, 1
  tail call fastcc void @write_line(ptr noundef %7, i64 noundef %11, ptr noundef %3, i64 noundef %19, i64 noundef %32) #2
  br label %33

33:
  %34 = phi i64 [ %30, %29 ], [ %32, %31 ]
  %35 = icmp slt i64 %34, %11
  br i1 %35, label %18, label %36

36:
  %37 = atomicrmw add ptr @events, i32 1 monotonic, align 4
  %38 = add i32 %37, 1
  %39 = and i32 %38, 2147483647
  ret i32 %39
}

define internal fastcc void @write_line(ptr nocapture noundef readonly %0, i64 noundef %1, ptr nocapture noundef readonly %2, i64 noundef %3, i64 noundef %4) unnamed_addr #0 {
  %6 = alloca [0 x i8], align 1
  %7 = getelementptr inbounds i8, ptr %0, i32 4
  %8 = load i32, ptr %7, align 4
  %9 = icmp sgt i32 %8, 0
  br i1 %9, label %10, label %50

10:
  %11 = load ptr, ptr %0, align 4
  %12 = sub nsw i64 %4, %3
  %13 = mul nsw i64 %12, 50
  %14 = add nsw i64 %13, 2
  br label %31

15:
  %16 = trunc i64 %40 to i32
  %17 = alloca i8, i32 %16, align 1
  br i1 %9, label %18, label %50

18:
  %19 = icmp sgt i64 %1, 1
  %20 = getelementptr inbounds i8, ptr %0, i32 12
  %21 = load i32, ptr %20, align 4
  %22 = icmp eq i32 %21, 0
  %23 = and i1 %19, %22
  %24 = select i1 %23, ptr @.str, ptr @.str.1
  %25 = icmp slt i64 %3, %4
  %26 = icmp eq i64 %1, 1
  %27 = getelementptr inbounds i8, ptr %0, i32 8
  %28 = select i1 %23, ptr @.str.3, ptr @.str.1
  %29 = load i8, ptr %28, align 1
  %30 = icmp eq i8 %29, 0
  br label %56

31:
  %32 = phi i64 [ 0, %10 ], [ %40, %38 ]
  %33 = phi i32 [ 0, %10 ], [ %41, %38 ]
  %34 = getelementptr inbounds %struct.Piece, ptr %11, i32 %33
  %35 = load ptr, ptr %34, align 4
  %36 = load i8, ptr %35, align 1
  %37 = icmp eq i8 %36, 0
  br i1 %37, label %38, label %43

38:
  %39 = phi i64 [ %32, %31 ], [ %46, %43 ]
  %40 = add nsw i64 %14, %39
  %41 = add nuw nsw i32 %33, 1
  %42 = icmp eq i32 %41, %8
  br i1 %42, label %15, label %31

43:
  %44 = phi i64 [ %46, %43 ], [ %32, %31 ]
  %45 = phi ptr [ %47, %43 ], [ %35, %31 ]
  %46 = add nsw i64 %44, 1
  %47 = getelementptr inbounds i8, ptr %45, i32 1
  %48 = load i8, ptr %47, align 1
  %49 = icmp eq i8 %48, 0
  br i1 %49, label %38, label %43

50:
  %51 = phi ptr [ %17, %15 ], [ %6, %5 ], [ %17, %150 ]
  %52 = phi ptr [ %17, %15 ], [ %6, %5 ], [ %151, %150 ]
  %53 = ptrtoint ptr %52 to i32
  %54 = ptrtoint ptr %51 to i32
  %55 = sub i32 %53, %54
  call void @pipec_print(ptr noundef nonnull %51, i32 noundef %55) #3
  ret void

56:
  %57 = phi i32 [ 0, %18 ], [ %152, %150 ]
  %58 = phi ptr [ %17, %18 ], [ %151, %150 ]
  %59 = load ptr, ptr %0, align 4
  %60 = getelementptr inbounds %struct.Piece, ptr %59, i32 %57
  %61 = getelementptr inbounds i8, ptr %60, i32 4
  %62 = load i32, ptr %61, align 4
  %63 = icmp eq i32 %62, 0
  br i1 %63, label %64, label %76

64:
  %65 = load ptr, ptr %60, align 4
  %66 = load i8, ptr %65, align 1
  %67 = icmp eq i8 %66, 0
  br i1 %67, label %150, label %68

68:
  %69 = phi i8 [ %74, %68 ], [ %66, %64 ]
  %70 = phi ptr [ %72, %68 ], [ %65, %64 ]
  %71 = phi ptr [ %73, %68 ], [ %58, %64 ]
  %72 = getelementptr inbounds i8, ptr %70, i32 1
  %73 = getelementptr inbounds i8, ptr %71, i32 1
  store i8 %69, ptr %71, align 1
  %74 = load i8, ptr %72, align 1
  %75 = icmp eq i8 %74, 0
  br i1 %75, label %150, label %68

76:
  br i1 %25, label %77, label %79

77:
  %78 = getelementptr inbounds i8, ptr %60, i32 8
  br label %89

79:
  %80 = phi ptr [ %58, %76 ], [ %146, %145 ]
  br i1 %30, label %150, label %81

81:
  %82 = phi i8 [ %87, %81 ], [ %29, %79 ]
  %83 = phi ptr [ %85, %81 ], [ %28, %79 ]
  %84 = phi ptr [ %86, %81 ], [ %80, %79 ]
  %85 = getelementptr inbounds i8, ptr %83, i32 1
  %86 = getelementptr inbounds i8, ptr %84, i32 1
  store i8 %82, ptr %84, align 1
  %87 = load i8, ptr %85, align 1
  %88 = icmp eq i8 %87, 0
  br i1 %88, label %150, label %81

89:
  %90 = phi i64 [ %3, %77 ], [ %148, %145 ]
  %91 = phi ptr [ %24, %77 ], [ %147, %145 ]
  %92 = phi ptr [ %58, %77 ], [ %146, %145 ]
  br i1 %26, label %102, label %93

93:
  %94 = load i32, ptr %27, align 4
  %95 = zext i32 %94 to i64
  %96 = mul i64 %95, %1
  %97 = add i64 %96, %90
  %98 = trunc i64 %97 to i32
  %99 = getelementptr inbounds i64, ptr %2, i32 %98
  %100 = load i64, ptr %99, align 8
  %101 = icmp eq i64 %100, 0
  br i1 %101, label %145, label %102

102:
  %103 = load i8, ptr %91, align 1
  %104 = icmp eq i8 %103, 0
  br i1 %104, label %113, label %105

105:
  %106 = phi i8 [ %111, %105 ], [ %103, %102 ]
  %107 = phi ptr [ %109, %105 ], [ %91, %102 ]
  %108 = phi ptr [ %110, %105 ], [ %92, %102 ]
  %109 = getelementptr inbounds i8, ptr %107, i32 1
  %110 = getelementptr inbounds i8, ptr %108, i32 1
  store i8 %106, ptr %108, align 1
  %111 = load i8, ptr %109, align 1
  %112 = icmp eq i8 %111, 0
  br i1 %112, label %113, label %105

113:
  %114 = phi ptr [ %92, %102 ], [ %110, %105 ]
  %115 = load i32, ptr %78, align 4
  %116 = zext i32 %115 to i64
  %117 = mul i64 %116, %1
  %118 = add i64 %117, %90
  %119 = trunc i64 %118 to i32
  %120 = getelementptr inbounds i64, ptr %2, i32 %119
  %121 = load i64, ptr %120, align 8
  %122 = load i32, ptr %61, align 4
  switch i32 %122, label %141 [
    i32 3, label %123
    i32 2, label %136
  ]

123:
  %124 = icmp eq i64 %121, 0
  %125 = select i1 %124, ptr @.str.5, ptr @.str.4
  %126 = load i8, ptr %125, align 1
  %127 = icmp eq i8 %126, 0
  br i1 %127, label %145, label %128

128:
  %129 = phi i8 [ %134, %128 ], [ %126, %123 ]
  %130 = phi ptr [ %132, %128 ], [ %125, %123 ]
  %131 = phi ptr [ %133, %128 ], [ %114, %123 ]
  %132 = getelementptr inbounds i8, ptr %130, i32 1
  %133 = getelementptr inbounds i8, ptr %131, i32 1
  store i8 %129, ptr %131, align 1
  %134 = load i8, ptr %132, align 1
  %135 = icmp eq i8 %134, 0
  br i1 %135, label %145, label %128

136:
  %137 = bitcast i64 %121 to double
  %138 = load ptr, ptr %60, align 4
  %139 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %114, i32 noundef 50, ptr noundef %138, double noundef %137) #3
  %140 = getelementptr inbounds i8, ptr %114, i32 %139
  br label %145

141:
  %142 = load ptr, ptr %60, align 4
  %143 = call i32 (ptr, i32, ptr, ...) @snprintf(ptr noundef %114, i32 noundef 50, ptr noundef %142, i64 noundef %121) #3
  %144 = getelementptr inbounds i8, ptr %114, i32 %143
  br label %145

145:
  %146 = phi ptr [ %92, %93 ], [ %140, %136 ], [ %144, %141 ], [ %114, %123 ], [ %133, %128 ]
  %147 = phi ptr [ %91, %93 ], [ @.str.2, %136 ], [ @.str.2, %141 ], [ @.str.2, %123 ], [ @.str.2, %128 ]
  %148 = add nsw i64 %90, 1
  %149 = icmp slt i64 %148, %4
  br i1 %149, label %89, label %79

150:
  %151 = phi ptr [ %58, %64 ], [ %80, %79 ], [ %73, %68 ], [ %86, %81 ]
  %152 = add nuw nsw i32 %57, 1
  %153 = load i32, ptr %7, align 4
  %154 = icmp slt i32 %152, %153
  br i1 %154, label %56, label %50
}

declare void @pipec_print(ptr noundef, i32 noundef) local_unnamed_addr #1

declare i32 @snprintf(ptr noundef, i32 noundef, ptr noundef, ...) local_unnamed_addr #1

attributes #0 = { nounwind }
attributes #1 = { nounwind }
attributes #2 = { nobuiltin }
attributes #3 = { nobuiltin nounwind }


