"""Python lowerings that fail, and conversions that are interrupted: what arrives, and how."""

from __future__ import annotations

import signal
import time
import traceback

import pytest
import torch

import sixrung
from programs import PROGRAMS
from running import KEY, export, lower_scaled_add


def failing(values_map, node, loc):
    raise ZeroDivisionError("not today")


def test_an_exception_arrives_with_its_traceback_and_the_node() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())
    converter.register_torch_lowering(KEY)(failing)
    with pytest.raises(sixrung.LoweringError, match="not today") as caught:
        converter.to_coreai()
    error = caught.value
    assert isinstance(error.__cause__, ZeroDivisionError)
    frames = traceback.extract_tb(error.__cause__.__traceback__)
    assert frames[-1].name == "failing"
    assert error.payload["node"] == "scaled_add" and "programs.py:" in error.payload["source"]
    assert "scaled_add" in str(error) and "programs.py:" in str(error) and "failing" in str(error)


class Stop(BaseException):
    """As KeyboardInterrupt and SystemExit: no Exception."""


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit, Stop])
def test_what_is_no_exception_ends_the_conversion_as_itself(kind: type[BaseException]) -> None:
    raised = kind("enough")

    def interrupted(values_map, node, loc):
        raise raised

    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())
    converter.register_torch_lowering(KEY)(interrupted)
    with pytest.raises(kind) as caught:
        converter.to_coreai()
    assert caught.value is raised
    assert traceback.extract_tb(raised.__traceback__)[-1].name == "interrupted"
    # Nothing of it stays: the next conversion is a new one.
    converter.register_torch_lowering(KEY, allow_override=True)(lower_scaled_add)
    converter.to_coreai()


def test_it_passes_a_lowering_that_catches_exceptions() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())

    @converter.register_torch_lowering("aten::mul.Tensor", allow_override=True)
    def interrupted(values_map, node, loc):
        raise KeyboardInterrupt

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        try:
            return sixrung.lower("aten::mul.Tensor", values_map["y"], 0.5, results=[values_map["y"]])
        except Exception:
            return values_map["y"]

    with pytest.raises(KeyboardInterrupt):
        converter.to_coreai()


def test_a_signal_ends_a_conversion_between_nodes() -> None:
    class Long(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            for _ in range(4000):
                x = x + 1.0
            return x

    converter = sixrung.TorchConverter().add_exported_program(export(Long(), torch.ones(3)))
    begin = time.monotonic()
    converter.to_coreai()
    whole = time.monotonic() - begin

    def stop(*_: object) -> None:
        raise Stop

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        begin = time.monotonic()
        with pytest.raises(Stop):
            converter.to_coreai()
            signal.pause()  # it was faster than the timer
        assert time.monotonic() - begin < max(0.5 * whole, 0.2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ZeroDivisionError("a bug"), "INTERNAL"),
        (NotImplementedError("not for these sizes"), "UNSUPPORTED"),
        (sixrung.UnsupportedError("not for these sizes", {"hint": "export static ones"}), "UNSUPPORTED"),
        (sixrung.InvalidInputError("no such mode"), "INVALID_ARGUMENT"),
        (sixrung.PluginError("it is gone", {"code": "NOT_FOUND"}), "NOT_FOUND"),
    ],
)
def test_the_code_tells_a_refusal_from_a_failure(error: Exception, code: str) -> None:
    def raising(values_map, node, loc):
        raise error

    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())
    converter.register_torch_lowering(KEY)(raising)
    with pytest.raises(sixrung.LoweringError) as caught:
        converter.to_coreai()
    assert caught.value.payload["code"] == code and caught.value.__cause__ is error
    if hint := getattr(error, "payload", {}).get("hint"):
        assert caught.value.payload["hint"] == hint and str(caught.value).endswith(f"hint: {hint}")


def test_errors_of_dispatched_lowerings_chain() -> None:
    converter = sixrung.TorchConverter().add_exported_program(PROGRAMS["custom_op"]())
    converter.register_torch_lowering("aten::mul.Tensor", allow_override=True)(failing)

    @converter.register_torch_lowering(KEY)
    def lowering(values_map, node, loc):
        y = values_map["y"]
        return sixrung.lower("aten::mul.Tensor", y, 0.5, results=[y])

    with pytest.raises(sixrung.LoweringError, match="not today") as caught:
        converter.to_coreai()
    causes, error = [], caught.value
    while error is not None:
        causes.append(type(error))
        error = error.__cause__
    assert causes[-1] is ZeroDivisionError and len(causes) == 3
