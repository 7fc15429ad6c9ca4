module {
  coreai.graph @main(%arg0: tensor<4x8xf32> {coreai.name = "x"}, %arg1: tensor<8xf32> {coreai.name = "y"}) -> (tensor<4x8xf32> {coreai.name = "scaled_add_1"}) {
    %0 = coreai.constant dense<-7.500000e-01> : tensor<f32>
    %1 = coreai.decomposable.broadcasting_add %arg0, %arg1 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    %2 = coreai.decomposable.broadcasting_mul %arg0, %0 : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %3 = coreai.decomposable.broadcasting_add %1, %2 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %4 = coreai.relu %3 : (tensor<4x8xf32>) -> tensor<4x8xf32>
    coreai.output %4 : tensor<4x8xf32>
  }
}
