"""Live programs that cannot be read are refused with the name of what is wrong."""

from __future__ import annotations

import operator

import pytest
import torch

import sixrung


def exported(tensor: torch.Tensor | None = None) -> torch.export.ExportedProgram:
    class Holds(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("held", torch.ones(4))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + self.held

    program = torch.export.export(Holds(), (torch.ones(4),)).run_decompositions({})
    if tensor is not None:
        program.state_dict["held"] = tensor
    return program


def refusal(program: object) -> sixrung.Error:
    with pytest.raises(ValueError) as caught:
        sixrung.TorchConverter().add_exported_program(program)  # type: ignore[arg-type]
    assert isinstance(caught.value, sixrung.Error)
    return caught.value


class Subclass(torch.Tensor):
    @staticmethod
    def __new__(cls, inner: torch.Tensor) -> Subclass:
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    def __init__(self, inner: torch.Tensor) -> None:
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        if func is torch.ops.aten.detach.default:
            return cls(args[0].inner)
        raise NotImplementedError(str(func))


def fake() -> torch.Tensor:
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        return torch.ones(4)


@pytest.mark.parametrize(
    ("tensor", "words"),
    [
        (fake, "fake tensor"),
        (lambda: torch.ones(4, device="meta"), "meta device"),
        (lambda: torch.quantize_per_tensor(torch.ones(4), 0.1, 0, torch.quint8), "quantized"),
        (lambda: torch.ones(4).to_sparse(), "sparse_coo"),
        (lambda: Subclass(torch.ones(4)), "Subclass"),
        (lambda: torch.nested.nested_tensor([torch.ones(2), torch.ones(2)], layout=torch.jagged), "nested"),
        (lambda: "a string", "a str, not a tensor"),
        (lambda: torch.ones(4, dtype=torch.float64), "held"),
        (lambda: torch.ones(5), "held"),
    ],
)
def test_tensors_without_plain_bytes(tensor, words: str) -> None:
    error = refusal(exported(tensor()))
    assert words in str(error) and "held" in str(error)


def test_a_missing_tensor() -> None:
    program = exported()
    del program.state_dict["held"]
    assert "'held'" in str(refusal(program))


def test_conjugate_and_negative_views_are_read_as_their_values() -> None:
    from sixrung import _core

    class Conjugate(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.z = torch.tensor([1 + 2j, 3 - 4j]).conj()
            self.n = torch.tensor([1 + 2j, 3 - 4j]).conj().imag

        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            return x * self.z, x * self.n

    program = torch.export.export(Conjugate(), (torch.ones(2),)).run_decompositions({})
    live = _core.read_exported_program(program)
    for fqn, tensor in program.constants.items():
        assert live.packed(fqn) == tensor.resolve_conj().resolve_neg().contiguous().numpy().tobytes()


def test_not_an_exported_program() -> None:
    for other in (None, 3, torch.nn.Linear(1, 1), torch.fx.symbolic_trace(torch.nn.ReLU())):
        assert "torch.export" in str(refusal(other))


def edited(edit) -> torch.export.ExportedProgram:
    program = exported()
    edit(program.graph)
    return program


def test_graphs_no_exporter_writes() -> None:
    def method(graph: torch.fx.Graph) -> None:
        output = next(iter(reversed(graph.nodes)))
        with graph.inserting_before(output):
            graph.call_method("relu", (next(iter(graph.nodes)),))

    assert "call_method" in str(refusal(edited(method)))

    def literal(graph: torch.fx.Graph) -> None:
        add = next(n for n in graph.nodes if n.op == "call_function")
        add.args = (add.args[0], {"a": 1})

    assert "dict" in str(refusal(edited(literal)))

    def huge(graph: torch.fx.Graph) -> None:
        add = next(n for n in graph.nodes if n.op == "call_function")
        add.args = (add.args[0], 2**70)

    assert "add" in str(refusal(edited(huge)))

    def loose_getitem(graph: torch.fx.Graph) -> None:
        add = next(n for n in graph.nodes if n.op == "call_function")
        with graph.inserting_before(add):
            taken = graph.call_function(operator.getitem, (add.args[0], 0))
        add.args = (taken, add.args[1])

    assert "getitem" in str(refusal(edited(loose_getitem)))

    def no_metadata(graph: torch.fx.Graph) -> None:
        next(n for n in graph.nodes if n.op == "call_function").meta.clear()

    assert "add" in str(refusal(edited(no_metadata)))


def test_an_unknown_dtype_is_named() -> None:
    program = exported()
    add = next(n for n in program.graph.nodes if n.op == "call_function")
    with torch._subclasses.fake_tensor.FakeTensorMode():
        add.meta["val"] = torch.ones(4).to(torch.float8_e4m3fnuz)
    assert "float8_e4m3fnuz" in str(refusal(program))


def test_an_argument_of_an_unknown_kind_is_told_with_its_node() -> None:
    program = exported()
    (node,) = (n for n in program.graph.nodes if n.op == "call_function")
    node.args = (node.args[0], {"BACKEND": "AUTO"})  # as flex_attention takes them
    error = refusal(program)
    assert str(error).startswith(f"node '{node.name}' (aten::add.Tensor): an argument of type immutable_dict")
    assert error.payload["node"] == node.name and error.payload["op"] == "aten::add.Tensor"
