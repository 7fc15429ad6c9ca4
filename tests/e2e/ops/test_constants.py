"""What is worked out at conversion, on whole numbers and truth values, is what the runtime works out."""

import torch
from harness import case, check
from harness.convert import decompositions
from harness.values import I8, I16, I32, U8

KINDS = {
    "i64": torch.tensor([[3, -7, 0, 40], [-1, 9, 2**15, -(2**15)], [5, 5, -3, 1]]),
    "i32": torch.tensor([[3, -7, 0, 40], [-1, 9, 2**31 - 1, -(2**31)], [5, 5, -3, 1]], dtype=I32),
    "i16": torch.tensor([[3, -7, 0, 40], [-1, 9, 32767, -32768], [5, 5, -3, 1]], dtype=I16),
    "i8": torch.tensor([[3, -7, 0, 40], [-1, 9, 127, -128], [5, 5, -3, 1]], dtype=I8),
    "u8": torch.tensor([[3, 255, 0, 40], [254, 9, 127, 128], [5, 5, 2, 1]], dtype=U8),
    "bool": torch.tensor([[True, False, True, True], [False, False, False, False], [True, True, True, True]]),
}
# Long enough that the constants do not stand in the text.
LONG = (torch.arange(600).reshape(20, 30) * 7919) % 101 - 50
AT = torch.tensor([2, 0, -1])

ANY = {
    "compare": lambda x: (x == x[1], x != x[0], x < x[1], x <= x[2], x > x[0], x >= x[2], x == x[:, 1:2]),
    "logic": lambda x: (x & x[1], x | x[0], x ^ x[2], ~x, torch.logical_and(x, x[0]), torch.logical_not(x)),
    "where": lambda x: (torch.where(x > 1, x, x[0]), torch.where(x == x, x, x[1]), torch.where(x != x, x[1], x)),
    "slice": lambda x: (x[1:, :-1], x[::2, 1::2], x[:, 2], x[-2:], x[..., None, 1:3]),
    "turn": lambda x: (x.t(), x.reshape(2, 2, 3).permute(2, 0, 1), x[None].expand(2, 3, 4), x[:, :1].expand(3, 5)),
    "join": lambda x: (torch.cat([x, x[:1]]), torch.cat([x, x[:, :0], x[:, 1:2]], 1), torch.stack([x, x], 1)),
    "pick": lambda x: (x[AT], x[:, AT], x[AT, AT], x.index_select(1, AT % 3), x.gather(1, AT.abs()[:, None])),
    "truth": lambda x: (x.bool().any(1), x.bool().all(0), (x != 0).any(), (x == x).all(1, keepdim=True)),
    "cast": lambda x: (x.long(), x.int(), x.to(I8), x.to(U8), x.bool()),
    "sums": lambda x: (x.cumsum(0), x.cumsum(1), x.cumsum(-1, dtype=I32)),
    "pad": lambda x: (torch.nn.functional.pad(x, (1, 2)), x.roll(1, 0), x.flip(1), x.repeat(2, 1)),
    "triangle": lambda x: (x.tril(), x.triu(1), x.masked_fill(x > 2, 1)),
}
NUMBERS = {
    "arithmetic": lambda x: (x + x[0], x - x[1], x * x[1], -x, x * 3 + 1, 5 - x, x.abs(), x.sign()),
    "extremes": lambda x: (torch.maximum(x, x[1]), torch.minimum(x, x[:, :1]), x.clamp(-2, 6)),
    "divide": lambda x: (x // 3, x % 5, torch.div(x, 4, rounding_mode="trunc"), x.remainder(-7)),
}


def twice(function, constant):
    """Of a constant, worked out at conversion, and of an input of the same value, by the runtime."""

    def both(x):
        flat = [*function(constant), *function(x)]
        # The first are no outputs of their own: each meets an input.
        return tuple(torch.where(x.reshape(-1)[0] == x.reshape(-1)[0], o, torch.zeros_like(o)) for o in flat)

    return both


CASES = [
    case(f"{name}-{kind}", twice(function, constant), constant)
    for table, kinds in ((ANY, KINDS), (NUMBERS, {k: v for k, v in KINDS.items() if k != "bool"}))
    for name, function in table.items()
    for kind, constant in kinds.items()
]
CASES += [
    case(
        f"empty-{kind}",
        lambda x: tuple(
            torch.where(x.reshape(-1)[0] == x.reshape(-1)[0], e, torch.zeros_like(e))
            for e in (x[5:], x[5:] == x[:0], x[:, 4:].t(), x[5:].sum(1), torch.cat([x[5:], x[:0]]))
        ),
        constant,
    )
    for kind, constant in KINDS.items()
]
CASES += [
    case(f"{name}-long", twice(function, LONG), LONG)
    for name, function in {**ANY, **NUMBERS}.items()
    if name not in ("turn", "pick")
]


def test_constants(case):
    check(CASES, case)


def causal(x):
    """As models build masks: from positions, for a length that is known."""
    length = x.shape[-1]
    at = torch.arange(length)
    mask = (at[None, :] <= at[:, None]) & (at[None, :] > at[:, None] - 100)
    return torch.nn.functional.scaled_dot_product_attention(x, x, x, attn_mask=mask[:, : x.shape[-2]])


def test_a_mask_that_is_known_costs_no_op():
    import sixrung

    class Model(torch.nn.Module):
        def forward(self, x):
            return causal(x)

    def operations(length):
        x = torch.zeros(1, 2, length, length)
        program = torch.export.export(Model(), (x,)).run_decompositions(decompositions())
        converter = sixrung.TorchConverter()
        converter.add_exported_program(program)
        lines = str(converter.to_coreai()).splitlines()
        return [line.split(" = ")[1].split(" ")[0] for line in lines if " = coreai." in line]

    wanted = ["coreai.transpose", "coreai.decomposable.broadcasting_batch_matmul", "coreai.softmax"]
    found = [op for op in operations(16) if op != "coreai.constant"]
    assert len(found) <= 6 and all(op in found for op in wanted), found
    # Beyond what is worked out at conversion the ops stand, and give the same.
    assert len(operations(300)) > len(operations(16))
