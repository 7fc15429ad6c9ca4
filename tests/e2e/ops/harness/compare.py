"""How near an output comes to eager's: dtype, shape, where NaN and infinities stand, and values."""

from __future__ import annotations

import numpy as np
import torch

from .convert import to_tensor

# The type a value may have for PyTorch's: 64 bits are narrowed, but integer sums stay 64.
_ALLOWED = {torch.int64: (torch.int32, torch.int64), torch.float64: (torch.float32, torch.float64)}
_TOLERANCE = {torch.float32: 1e-5, torch.float16: 2e-3, torch.bfloat16: 1.6e-2, torch.complex64: 1e-5}


def difference(got: np.ndarray, want: torch.Tensor, rtol: float | None, atol: float | None) -> str | None:
    """None when near enough, else what differs."""
    got, want = to_tensor(got), want.detach()
    if got.dtype not in _ALLOWED.get(want.dtype, (want.dtype,)):
        return f"dtype {got.dtype} for {want.dtype}"
    if tuple(got.shape) != tuple(want.shape):
        return f"shape {tuple(got.shape)} for {tuple(want.shape)}"
    if want.numel() == 0:
        return None
    if not (want.is_floating_point() or want.is_complex()):
        wrong = got.to(torch.int64) != want.to(torch.int64)
        return _first(got, want, wrong) if bool(wrong.any()) else None
    limit = _TOLERANCE.get(got.dtype, 1e-5)
    rtol, atol = (limit if rtol is None else rtol), (limit / 10 if atol is None else atol)
    if want.is_complex():
        got, want = torch.view_as_real(got), torch.view_as_real(want)
    got, want = got.to(torch.float64), want.to(torch.float64)
    with np.errstate(all="ignore"):
        near = (got - want).abs() <= atol + rtol * want.abs()
        same = (got == want) | (got.isnan() & want.isnan())
    wrong = ~(same | (near & want.isfinite() & got.isfinite()))
    return _first(got, want, wrong) if bool(wrong.any()) else None


def _first(got, want, wrong):
    at = tuple(int(i) for i in wrong.nonzero()[0])
    return f"{int(wrong.sum())} of {wrong.numel()} differ, first at {list(at)}: {got[at].item()} for {want[at].item()}"
