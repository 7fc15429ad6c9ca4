"""plugins/aten/shape against eager: joins, repeats, flips, rolls and pads."""

import torch
import torch.nn.functional as F
from harness import case, check, grid, ints, normal
from harness.values import F16, I32, INF, NAN, U8

X = normal(2, 3, 4)
I = ints(-9, 9, 2, 3, 4)  # noqa: E741
E = torch.zeros(2, 0, 4)
S = torch.tensor(2.5)
KINDS = {
    "f32": (X,),
    "f16": (X.half(),),
    "bf16": (X.bfloat16(),),
    "i32": (I,),
    "i64": (I.long(),),
    "u8": (ints(0, 9, 2, 3, 4, dtype=U8),),
    "bool": (I > 0,),
}
N = lambda n: (normal(n, 3, 4),)  # noqa: E731

CASES = []
FUNCTIONS = {
    "cat": lambda x: (torch.cat([x, x.flip(0)], 1), torch.cat([x, x, x], -1), torch.cat([x]), torch.cat([x, x[:1]])),
    "stack": lambda x: (
        torch.stack([x, x.flip(0)], -1),
        torch.stack([x, x]),
        torch.stack([x], 1),
        torch.stack([x, x], -4),
    ),
    "repeat": lambda x: (x.repeat(2, 1, 3), x.repeat(2, 1, 1, 1), x.repeat(1, 1, 1), x.tile(2), x.tile(1, 2, 1, 1)),
    "flip": lambda x: (x.flip(0, 2), x.flip(-1), x.flip(()), x.fliplr(), x.flip(1, -3), torch.rot90(x, 1, (1, 2))),
    "roll": lambda x: (x.roll(1, 2), x.roll((1, 2), (0, 1)), x.roll(3), x.roll(-1, -1), x.roll(7, 1), x.roll(0, 1)),
    "pad": lambda x: (F.pad(x, (1, 2)), F.pad(x, (0, 0, 2, 1)), F.pad(x, (1, 0, 0, 1, 2, 2)), F.pad(x, (0, 0))),
}
for name, fn in FUNCTIONS.items():
    CASES += grid(name, fn, KINDS)
CASES += [
    case(
        "cat-legacy-empty",
        lambda x, e: (torch.cat([x, e], 1), torch.cat([e, x]), torch.cat([e, x, e, x], -1)),
        X,
        torch.zeros(0),
    ),
    case("cat-empty-part", lambda x: (torch.cat([x, x[:, :0]], 1), torch.cat([x[:0], x[:0], x])), X),
    case("cat-all-empty", lambda x: (torch.cat([x, x], 1), torch.cat([x, x], 0), torch.cat([x, x], -1)), E),
    case("cat-only-legacy", lambda e: torch.cat([e, e]), torch.zeros(0)),
    case("cat-mixed", lambda x, i: (torch.cat([x, i], 0), torch.cat([i, x.half()], 0), torch.cat([i > 0, i], 0)), X, I),
    case(
        "cat-mixed-ints",
        lambda i, u: (torch.cat([i, u]), torch.cat([u, u > 1]), torch.cat([i.long(), i])),
        I,
        KINDS["u8"][0],
    ),
    case("cat-mixed-halves", lambda x: (torch.cat([x.half(), x]), torch.cat([x.half(), x.bfloat16()])), X),
    case("cat-empty-decides-type", lambda i, e: torch.cat([i, e]), I[0, 0], torch.zeros(0)),
    case("cat-same", lambda x: torch.cat([x, x]), X),
    case("cat-many", lambda x: torch.cat([x[:, i : i + 1] for i in (2, 0, 1, 1, 2)], 1), X),
    case(
        "concat-names",
        lambda x: (torch.hstack([x, x]), torch.vstack([x, x]), torch.dstack([x, x]), torch.column_stack([x, x])),
        X,
    ),
    case("stack-0d", lambda s: (torch.stack([s, s * 2]), torch.stack([s, s], -1)), S),
    case("stack-empty", lambda x: (torch.stack([x, x], 1), torch.stack([x, x], -1)), E),
    case("stack-mixed", lambda x: torch.stack([x, x.half()]) if x.dtype == F16 else torch.stack([x, x]), X),
    case("repeat-none", lambda x: (x.repeat(0, 1, 1), x.repeat(2, 3, 1, 0)), X),
    case("repeat-empty", lambda x: (x.repeat(2, 3, 1), x.repeat(2, 1, 1, 1)), E),
    case("repeat-0d", lambda s: (s.repeat(3), s.repeat(2, 2), s.repeat(())), S),
    case(
        "repeat_interleave",
        lambda x: (x.repeat_interleave(2, 1), x.repeat_interleave(3, -1), x.repeat_interleave(2)),
        X,
    ),
    case("flip-0d", lambda s: s.flip(()), S),
    case("flip-empty", lambda x: x.flip(0, 1), E),
    case("roll-0d", lambda s: s.roll(0, ()) if False else s.flip(()), S),
    case("roll-empty", lambda x: (x.roll(1, 0), x.roll(1, 1), x.roll(2)), E),
    case("roll-twice-same-axis", lambda x: x.roll((1, 1), (2, 2)), X),
    case("roll-large", lambda x: (x.roll(-9, 2), x.roll(100, 0), x.roll(-5)), X),
    # --- pads
    case("pad-negative", lambda x: (F.pad(x, (-1, 0)), F.pad(x, (0, -2)), F.pad(x, (-1, -1, -1, 0))), X),
    case("pad-mixed", lambda x: (F.pad(x, (-1, 2, 2, -1), value=3.0), F.pad(x, (2, -3, 0, 0, -1, 1), value=-1.5)), X),
    case("pad-to-nothing", lambda x: F.pad(x, (-2, -2)), X),
    case(
        "pad-odd-values",
        lambda x: (F.pad(x, (1, 1), value=NAN), F.pad(x, (1, 1), value=-INF), F.pad(x, (1, 0), value=0.1)),
        X,
    ),
    case("pad-f16-value", lambda x: F.pad(x, (1, 1), value=0.1), X.half()),
    case("pad-i32-value", lambda x: (F.pad(x, (1, 1), value=7), F.pad(x, (1, 1), value=2.7)), I),
    case("pad-bool-value", lambda x: (F.pad(x, (1, 1), value=True), F.pad(x, (1, 0), value=0)), I > 0),
    case("pad-u8-value", lambda x: F.pad(x, (1, 1), value=255), KINDS["u8"][0]),
    case("pad-empty", lambda x: (F.pad(x, (1, 1)), F.pad(x, (0, 0, 1, 2), value=4.0)), E),
    case("pad-0d", lambda s: F.pad(s, ()), S),
    case("pad-1d", lambda x: (F.pad(x, (2, 3)), F.pad(x, (-2, 3)), F.pad(x, (2, -3))), X[0, 0]),
    case("reflect-1", lambda x: (F.pad(x, (1, 2), mode="reflect"), F.pad(x[0], (3, 0), mode="reflect")), X),
    case("replicate-1", lambda x: (F.pad(x, (2, 1), mode="replicate"), F.pad(x[0], (0, 7), mode="replicate")), X),
]
for dims in (2, 3):
    P = normal(1, 2, *(4, 5, 6)[:dims])
    amount = (1, 2, 3, 1, 2, 0)[: 2 * dims]
    for mode in ("reflect", "replicate"):
        CASES += grid(
            f"{mode}-{dims}",
            lambda x, mode=mode, amount=amount: (F.pad(x, amount, mode=mode), F.pad(x[0], amount[::-1], mode=mode)),
            {"f32": (P,), "f16": (P.half(),), "bf16": (P.bfloat16(),), "i64": ((P * 9).long(),)},
        )
CASES += [
    case("reflect-negative", lambda x: (F.pad(x, (-1, 2), mode="reflect"), F.pad(x, (2, -1), mode="reflect")), X),
    case("replicate-negative", lambda x: (F.pad(x, (-1, 2), mode="replicate"), F.pad(x, (2, -1), mode="replicate")), X),
    case("circular", lambda x: F.pad(x, (1, 2), mode="circular"), X),
    case(
        "pad-modules",
        lambda x: (torch.nn.ReflectionPad1d(2)(x), torch.nn.ReplicationPad1d(1)(x), torch.nn.ZeroPad1d(1)(x)),
        X,
    ),
    # --- sizes known only at run time
    case(
        "dynamic-cat",
        lambda x: (torch.cat([x, x]), torch.cat([x, x[:1]]), torch.cat([x, x * 2], 1), torch.cat([x[1:], x[:1]])),
        N,
    ),
    case("dynamic-cat-static", lambda x, y: torch.cat([y, x], 0), lambda n: (normal(n, 3), normal(2, 3))),
    case(
        "dynamic-cat-expanded",
        lambda x, y: torch.cat([y.expand(x.shape[0], -1, -1), x], 1),
        lambda n: (normal(n, 3, 4), normal(1, 1, 4)),
    ),
    case("dynamic-cat-legacy", lambda x, e: torch.cat([e, x], 0), lambda n: (normal(n, 3), torch.zeros(0))),
    case("dynamic-cat-past", lambda x, y: torch.cat([x, y], 2), lambda n: (normal(1, 2, n, 3), normal(1, 2, 1, 3))),
    case("dynamic-stack", lambda x: (torch.stack([x, x]), torch.stack([x, x], -1)), N),
    case("dynamic-repeat", lambda x: (x.repeat(2, 2, 1), x.repeat(2, 1, 1, 1), x.repeat(1, 1, 2)), N),
    case("dynamic-repeats", lambda x: (x[:1].repeat(x.shape[0], 1, 1), x[0, 0].repeat(x.shape[0])), N),
    case("dynamic-repeat-none", lambda x: x.repeat(0, 1, 1), N),
    case("dynamic-repeat_interleave", lambda x: x.repeat_interleave(2, 0), N),
    case("dynamic-flip", lambda x: (x.flip(0), x.flip(0, 1)), N),
    case("dynamic-roll-static-axis", lambda x: (x.roll(1, 1), x.roll(-1, 2)), N),
    case("dynamic-roll", lambda x: (x.roll(1, 0), x.roll(-2, 0), x.roll((7, 1), (0, 1)), x.roll(0, 0)), N),
    case("dynamic-roll-flat", lambda x: (x.roll(1), x.roll(-29)), N),
    case("dynamic-pad", lambda x: (F.pad(x, (1, 2)), F.pad(x, (0, 0, 0, 0, 1, 2)), F.pad(x, (0, 0, 0, 0, -1, 1))), N),
    case("dynamic-pad-crop", lambda x: (F.pad(x, (0, 0, 0, 0, 0, -1)), F.pad(x, (0, 0, 0, 0, 2, -1), value=4.0)), N),
    case(
        "dynamic-pad-amount",
        lambda x, y: (F.pad(y, (0, x.shape[0])), F.pad(y, (x.shape[0] - 3, 2))),
        lambda n: (normal(n, 3), normal(2, 4)),
    ),
    case("dynamic-pad-to", lambda x: F.pad(x, (0, 0, 0, 8 - x.shape[0])), lambda n: (normal(n, 3),)),
    case(
        "dynamic-pad-negative-amount",
        lambda x, y: F.pad(y, (0, 2 - x.shape[0])),
        lambda n: (normal(n, 3), normal(2, 9)),
    ),
    case(
        "dynamic-reflect",
        lambda x: (F.pad(x, (1, 2), mode="reflect"), F.pad(x, (1, 1), mode="replicate")),
        lambda n: (normal(2, 3, n),),
    ),
    case("dynamic-reflect-batch", lambda x: F.pad(x, (1, 2), mode="reflect"), N),
    case(
        "dynamic-reflect-2",
        lambda x: (F.pad(x, (1, 2, 2, 1), mode="reflect"), F.pad(x, (1, 2, 3, 3), mode="replicate")),
        lambda n: (normal(1, 2, n, n + 1),),
    ),
    # --- ops the decompositions would take apart
    case("whole-stack", lambda x: (torch.stack([x, x], 1), torch.cat([x, x[:1]])), X, raw=True),
    case("whole-tile", lambda x: (x.tile(2), x.tile(1, 2, 1, 1), x.tile(2, 1, 3), x.repeat(1, 2, 1)), X, raw=True),
    case("whole-roll", lambda x: (x.roll(1, 1), x.flip(0), x.roll(2)), X, raw=True),
    case(
        "whole-dynamic-roll",
        lambda x: (x.roll(1, 0), x.roll(-2, 0), x.roll((7, 1), (0, 1)), x.roll(0, 0), x.roll(5, 0), x.roll(-9)),
        N,
        raw=True,
    ),
    case(
        "dynamic-i32",
        lambda x: (torch.cat([x, x]), x.repeat(2, 1), F.pad(x, (1, 1), value=3)),
        lambda n: (ints(-9, 9, n, 4, dtype=I32),),
    ),
]


def test_shape_join(case):
    check(CASES, case)
