module {
  coreai.graph @main(%arg0: tensor<2x6x8xf32> {coreai.name = "x"}) -> (tensor<2x6x8xf32> {coreai.name = "rotate_half"}, tensor<2x6x8xf32> {coreai.name = "rotate_half_1"}) {
    %0 = coreai.constant dense<0> : tensor<3xsi32>
    %1 = coreai.constant dense<[2147483647, 2147483647, 4]> : tensor<3xsi32>
    %2 = coreai.constant dense<1> : tensor<3xsi32>
    %3 = coreai.constant dense<[0, 0, 4]> : tensor<3xsi32>
    %4 = coreai.constant dense<[2147483647, 2147483647, 8]> : tensor<3xsi32>
    %5 = coreai.constant dense<-1.000000e+00> : tensor<f32>
    %6 = coreai.constant dense<2> : tensor<si32>
    %7 = coreai.constant dense<[2, 6, 4, 2]> : tensor<4xsi32>
    %8 = coreai.constant dense<0> : tensor<4xsi32>
    %9 = coreai.constant dense<[2147483647, 2147483647, 2147483647, 1]> : tensor<4xsi32>
    %10 = coreai.constant dense<1> : tensor<4xsi32>
    %11 = coreai.constant dense<[0, 0, 0, 1]> : tensor<4xsi32>
    %12 = coreai.constant dense<[2147483647, 2147483647, 2147483647, 2]> : tensor<4xsi32>
    %13 = coreai.constant dense<3> : tensor<si32>
    %14 = coreai.constant dense<[2, 6, 8]> : tensor<3xsi32>
    %15 = coreai.slice %arg0, %0, %1, %2 : (tensor<2x6x8xf32>, tensor<3xsi32>, tensor<3xsi32>, tensor<3xsi32>) -> tensor<2x6x4xf32>
    %16 = coreai.slice %arg0, %3, %4, %2 : (tensor<2x6x8xf32>, tensor<3xsi32>, tensor<3xsi32>, tensor<3xsi32>) -> tensor<2x6x4xf32>
    %17 = coreai.decomposable.broadcasting_mul %16, %5 : (tensor<2x6x4xf32>, tensor<f32>) -> tensor<2x6x4xf32>
    %18 = coreai.concat %6, %17, %15 : (tensor<si32>, tensor<2x6x4xf32>, tensor<2x6x4xf32>) -> tensor<2x6x8xf32>
    %19 = coreai.reshape %arg0, %7 : (tensor<2x6x8xf32>, tensor<4xsi32>) -> tensor<2x6x4x2xf32>
    %20 = coreai.slice %19, %8, %9, %10 : (tensor<2x6x4x2xf32>, tensor<4xsi32>, tensor<4xsi32>, tensor<4xsi32>) -> tensor<2x6x4x1xf32>
    %21 = coreai.slice %19, %11, %12, %10 : (tensor<2x6x4x2xf32>, tensor<4xsi32>, tensor<4xsi32>, tensor<4xsi32>) -> tensor<2x6x4x1xf32>
    %22 = coreai.decomposable.broadcasting_mul %21, %5 : (tensor<2x6x4x1xf32>, tensor<f32>) -> tensor<2x6x4x1xf32>
    %23 = coreai.concat %13, %22, %20 : (tensor<si32>, tensor<2x6x4x1xf32>, tensor<2x6x4x1xf32>) -> tensor<2x6x4x2xf32>
    %24 = coreai.reshape %23, %14 : (tensor<2x6x4x2xf32>, tensor<3xsi32>) -> tensor<2x6x8xf32>
    coreai.output %18, %24 : tensor<2x6x8xf32>, tensor<2x6x8xf32>
  }
}
