"""Inputs many tables share: ordinary values, and those where lowerings go wrong."""

import torch

NAN, INF = float("nan"), float("inf")
F16, BF16, F32, F64 = torch.float16, torch.bfloat16, torch.float32, torch.float64
I8, I16, I32, I64, U8 = torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8

X = torch.tensor([-3.5, -2.5, -1.5, -1.0, -0.5, -0.25, -1e-4, -0.0, 0.0, 1e-4, 0.25, 0.5, 1.0, 1.5, 2.5, 3.5])
EDGE = torch.tensor([-INF, -1e30, -2.0, -0.5, -0.0, 0.0, 1e-30, 0.5, 2.0, 1e30, INF, NAN])
UNIT = torch.linspace(-1, 1, 17)
POSITIVE = torch.tensor([1e-6, 1e-3, 0.1, 0.5, 1.0, 1.5, 2.0, 8.0, 10.0, 100.0, 1e6])
I = torch.tensor([-7, -3, -2, -1, 0, 1, 2, 3, 7, 100], dtype=I32)  # noqa: E741
BOOL = torch.tensor([True, False, True, True])
OTHER_BOOL = torch.tensor([True, True, False, True])
