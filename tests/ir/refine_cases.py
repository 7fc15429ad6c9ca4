"""One op a case: operands, the result with unknown dims, and the type that must be inferred.

An operand is an element type with its dims, "2x3xf32"; a constant has its value before a colon,
"[1]:1xsi32" or "7:si32" for a scalar. `refines` is False where coreai-core leaves unknown dims
alone; the shape its interpreter produces is then the judge, unless `runs` is False too.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    op: str
    operands: tuple
    result: tuple
    expected: tuple
    attributes: str = ""
    refines: bool = True
    runs: bool = True
    region: str = ""

    @property
    def name(self):
        return f"{self.op}({', '.join(self.operands)}){self.attributes}"


def c(op, operands, result, expected=None, **more):
    """`expected` None: the result is given in full, because no inference could name it."""
    tuples = [(x,) if isinstance(x, str) else tuple(x) for x in (result, expected if expected else result)]
    return Case(op, tuple(operands), *tuples, **more)


def unknown(shaped):
    """The same type with every dim unknown."""
    dims, element = re.fullmatch(r"((?:[\d?]+x)*)(.*)", shaped).groups()
    return "?x" * dims.count("x") + element


def r(op, operands, expected, **more):
    """Every result dim is unknown at first."""
    results = (expected,) if isinstance(expected, str) else expected
    return c(op, operands, tuple(unknown(t) for t in results), results, **more)


def e(op, operands, expected, **more):
    """Ops that take exactly the type they infer."""
    return c(op, operands, expected, **more)


X = "2x3xf32"
UNARY = "abs acos acosh asin asinh atan atanh cos cosh erf exp log round rsqrt sin sinh sqrt tan tanh relu sigmoid silu"
ARITHMETIC = "add sub mul divide floor_divide maximum minimum modulo pow"
LOGIC = "and or xor"
BITWISE = "bitwise_and bitwise_or bitwise_xor"
B = "decomposable.broadcasting_"
LINEAR = "interpolation_mode = #coreai.interpolation_mode<linear>"
NEAREST = "interpolation_mode = #coreai.interpolation_mode<nearest_neighbor>"
REST = "[2147483647, 2147483647]:2xsi32"


def elementwise():
    for op in UNARY.split():
        yield r(op, [X], X) if op == "sigmoid" else e(op, [X], X)
    yield e("abs", ["?x3xsi32"], "?x3xsi32")
    yield e("exp", ["2x3xcomplex<f32>"], "2x3xcomplex<f32>")
    yield e("not", ["2x3xi1"], "2x3xi1")
    for mode in ("", "approximate = #coreai.approximate<tanh>", "approximate = #coreai.approximate<sigmoid>"):
        yield r("gelu", [X], X, attributes=mode)
    for op in ARITHMETIC.split():
        yield e(op, [X, X], X)
        yield e(op, ["?x3xf32", "?x3xf32"], "?x3xf32")
        yield r(B + op, [X, "3xf32"], X)
        yield r(B + op, [X, "f32"], X)
        yield r(B + op, ["2x1xf32", "1x3xf32"], X)
        yield r(B + op, ["4x1x3xf32", "2x1xf32"], "4x2x3xf32")
        yield r(B + op, ["?x3xf32", "3xf32"], "?x3xf32")
        yield r(B + op, ["?x3xf32", "2x1xf32"], X)
        yield r(B + op, ["?x3xf32", "1x3xf32"], "?x3xf32")
    for op in LOGIC.split():
        yield e(op, ["2x3xi1"] * 2, "2x3xi1")
        yield r(B + op, ["2x3xi1", "3xi1"], "2x3xi1")
    for op in BITWISE.split():
        yield e(op, ["2x3xsi32"] * 2, "2x3xsi32")
        yield r(B + op, ["2x3xui8", "3xui8"], "2x3xui8")
    for op in ("equal", "greater", "not_equal"):
        yield r(op, [X, X], "2x3xi1")
        yield r(op, ["?x3xf32", X], "2x3xi1", refines=False)
        yield r(B + op, [X, "3xf32"], "2x3xi1")
        yield r(B + op, ["2x1xsi32", "5xsi32"], "2x5xi1")
    yield r("where", ["2x3xi1", X, X], X)
    yield r("where", ["?x3xi1", X, X], X, refines=False)
    yield r(B + "where", ["3xi1", X, "f32"], X)
    yield r(B + "where", ["2x1xi1", "3xf32", "4x1x1xf32"], "4x2x3xf32")
    yield c("cast", [X], "2x3xsi32")
    yield e("create_complex", [X, X], "2x3xcomplex<f32>")
    yield e("real_part", ["2x3xcomplex<f32>"], X)
    yield e("imaginary_part", ["2x3xcomplex<f32>"], X)


def broadcasting():
    yield r("broadcast_to", ["3xf32", "[2, 3]:2xui32"], X, refines=False)
    yield r("broadcast_to", ["2x1xf32", "[4, 2, 3]:3xui32"], "4x2x3xf32", refines=False)
    yield r("broadcast_to", ["f32", "[4]:1xui32"], "4xf32", refines=False)
    yield r("broadcast_to", ["2x1xf32", "2xui32"], "2x?xf32", refines=False, runs=False)
    yield r("broadcast_in_dims", ["1x3xf32", "[2]:1xui32", "[0]:1xsi32"], X)
    yield r("broadcast_in_dims", ["1x3x1xf32", "[5, 2]:2xui32", "[-1, 0]:2xsi32"], "2x3x5xf32")
    yield c("broadcast_shapes", ["[2, 3]:2xui32", "[3]:1xui32"], "?xui32", "2xui32")
    yield c("broadcast_shapes", ["2xui32", "4xui32"], "?xui32", "4xui32", refines=False, runs=False)
    yield r("tile", [X, "[2, 1]:2xui32"], "4x3xf32")
    yield r("tile", [X, "[2]:1xui32"], "2x6xf32")
    yield r("tile", ["?x3xf32", "[2, 2]:2xui32"], "?x6xf32")


def reductions():
    for op in ("reduce_max", "reduce_mean", "reduce_min", "reduce_product", "reduce_sum"):
        yield r(op, [X, "[1]:1xsi32"], "2x1xf32")
        yield r(op, ["2x3x4xf32", "[0, -1]:2xsi32"], "1x3x1xf32")
        yield r(op, ["?x3xf32", "[1]:1xsi32"], "?x1xf32")
        yield r(op, ["?x3xf32", "[0]:1xsi32"], "1x3xf32")
    yield r("reduce_sum", [X, "1xsi32"], "?x?xf32")
    for op in ("all", "any"):
        yield r(op, ["2x3xi1", "[0, 1]:2xsi32"], "1x1xi1")
    yield r("argmax", [X, "1:si32"], "2x1xui32")
    yield r("argmax", [X, "-2:si32"], "1x3xui32")
    yield r("softmax", [X, "-1:si32"], X)
    yield r("sort", [X, "1:si32", "false:i1", "true:i1"], X, refines=False)
    yield e("argsort", [X, "1:si32", "true:i1", "true:i1"], "2x3xsi32")
    for kind in range(4):
        yield r("scan", [X, "1:ui32", "false:i1"], X, attributes=f"scan_op = {kind} : i32")
    yield c("non_zero", [X], "?x2xsi32")
    yield c("non_zero", ["i1"], "?x0xsi32")
    yield r(
        "reduce",
        [X, "[1]:1xsi32", "0.0:f32"],
        "2x1xf32",
        refines=False,
        runs=False,
        region='^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"coreai.yield"(%b) : (tensor<f32>) -> ()',
    )
    yield r(
        "reduce_index",
        [X, "1:si32", "0.0:f32", "0:ui32"],
        "2x1xui32",
        refines=False,
        runs=False,
        region="^bb0(%a: tensor<f32>, %i: tensor<ui32>, %b: tensor<f32>, %j: tensor<ui32>):\n"
        '"coreai.yield"(%b, %j) : (tensor<f32>, tensor<ui32>) -> ()',
    )


def shapes():
    yield r("reshape", [X, "[3, 2]:2xsi32"], "3x2xf32")
    yield r("reshape", [X, "[3, -1]:2xsi32"], "3x2xf32")
    yield r("reshape", [X, "-1:1xsi32"], "6xf32")
    yield r("reshape", [X, "[1, 6, 1]:3xui32"], "1x6x1xf32")
    yield r("reshape", ["1x1xf32", ":0xsi32"], "f32")
    yield r("reshape", ["?x3xf32", "[6, -1]:2xsi32"], "6x?xf32")
    yield r("reshape", ["?x3xf32", "[6, 4]:2xsi32"], "6x4xf32")
    yield r("reshape", [X, "2xsi32"], "?x?xf32")
    yield r("transpose", [X, "[1, 0]:2xui32"], "3x2xf32")
    yield r("transpose", ["2x?x4xf32", "[2, 0, 1]:3xui32"], "4x2x?xf32")
    yield r("transpose", [X, "2xui32"], "?x?xf32")
    for axes, expected in (
        ("[0]:1xsi32", "1x2x3xf32"),
        ("[-1]:1xsi32", "2x3x1xf32"),
        ("[0, 2]:2xsi32", "1x2x1x3xf32"),
        ("[2, 0]:2xsi32", "1x2x1x3xf32"),
        ("[-1, 0]:2xsi32", "1x2x3x1xf32"),
    ):
        yield r("expand_dims", [X, axes], expected)
    yield r("expand_dims", ["?x3xf32", "[1]:1xsi32"], "?x1x3xf32")
    yield e("shrink_dims", ["2x1x3xf32", "[1]:1xsi32"], X)
    yield e("shrink_dims", ["1x2x1xf32", "[0, -1]:2xsi32"], "2xf32")
    yield r("reverse", [X, "[1]:1xsi32"], X)
    yield e("get_shape", [X], "2xui32")
    for mode in ("constant", "reflect", "replicate", "symmetric", "circular"):
        yield r(
            "pad",
            [X, "[0, 0, 1, 2]:4xui32", "0.0:f32"],
            "2x6xf32",
            attributes=f"padding_mode = #coreai.padding_mode<{mode}>",
        )
    yield r(
        "pad",
        ["?x3xf32", "[1, 0, 1, 2]:4xui32", "0.0:f32"],
        "?x6xf32",
        attributes="padding_mode = #coreai.padding_mode<constant>",
    )


def slices():
    zero, one = "[0, 0]:2xsi32", "[1, 1]:2xsi32"
    for begin, end, step, expected in (
        (zero, "[2, 2]:2xsi32", one, "2x2xf32"),
        (zero, REST, "[1, 2]:2xsi32", "2x2xf32"),
        ("[-1, -5]:2xsi32", "[2147483647, -1]:2xsi32", one, "1x2xf32"),
        ("[1, 2]:2xsi32", "[0, 1]:2xsi32", one, "0x0xf32"),
        ("[5, 0]:2xsi32", "[7, 3]:2xsi32", one, "0x3xf32"),
        ("[0, 1]:2xsi32", REST, one, "2x2xf32"),
    ):
        yield r("slice", [X, begin, end, step], expected)
    yield r("slice", ["?x3xf32", zero, "[2, 2]:2xsi32", one], "?x2xf32", refines=False)
    yield r("slice", [X, "2xsi32", REST, one], "?x?xf32")
    yield r("slice_update", [X, "[0, 1]:2xsi32", REST, one, "2x2xf32"], X)
    yield e("concat", ["1:si32", X, X], "2x6xf32")
    yield e("concat", ["-2:si32", X, "4x3xf32", "1x3xf32"], "7x3xf32")
    yield e("concat", ["0:si32", "?x3xf32", X], "?x3xf32")
    yield e("concat", ["1:si32", "?x3xf32", "?x2xf32"], "?x5xf32")
    yield r("split", ["2x6xf32", "[2, 4]:2xui32", "1:si32"], ["2x2xf32", "2x4xf32"])
    yield r("split", ["2x6xf32", "4:ui32", "-1:si32"], ["2x4xf32", "2x2xf32"])
    yield r("split", ["2x6xf32", "[2, 4]:2xui16", "1:si16"], ["2x2xf32", "2x4xf32"])


def indexing():
    yield e("gather_nd", [X, "4x1xsi32"], "4x3xf32")
    yield e("gather_nd", [X, "5x4x2xsi32"], "5x4xf32")
    yield e("gather_nd", [X, "1xsi32"], "3xf32")
    yield r("gather_along_axis", [X, "2x2xsi32", "1:si32"], "2x2xf32")
    yield r("gather_along_axis", ["?x3xf32", "2x5xsi32", "-1:si32"], "2x5xf32")
    yield r("gather_along_axis", [X, "7x3xsi32", "0:si32"], "7x3xf32")
    for mode in ("update", "add", "sub", "mul", "div", "max", "min"):
        yield r(
            "scatter_along_axis",
            [X, "2x2xsi32", "2x2xf32", "1:si32"],
            X,
            attributes=f"scatter_mode = #coreai.scatter_mode<{mode}>",
            refines=False,
        )
    yield r(
        "scatter_nd",
        [X, "2x1xsi32", X],
        X,
        refines=False,
        region='^bb0(%old: tensor<f32>, %new: tensor<f32>):\n"coreai.yield"(%new) : (tensor<f32>) -> ()',
    )


def products():
    yield r("batch_matmul", ["5x2x3xf32", "5x3x4xf32"], "5x2x4xf32")
    yield r("batch_matmul", [X, "3x4xf32"], "2x4xf32")
    yield r("batch_matmul", ["?x2x3xf32", "5x3x4xf32"], "5x2x4xf32")
    yield r(B + "batch_matmul", ["5x1x2x3xf32", "7x3x4xf32"], "5x7x2x4xf32")
    yield r(B + "batch_matmul", ["5x2x3xf32", "3x4xf32"], "5x2x4xf32")
    yield r(B + "batch_matmul", ["?x2x3xf32", "1x3x4xf32"], "?x2x4xf32")


def windows():
    two = lambda a, b=None: f"[{a}, {a if b is None else b}]:2xui32"  # noqa: E731
    three = lambda a: f"[{a}, {a}, {a}]:3xui32"  # noqa: E731
    for stride, dilation, expected in ((1, 1, "6x6"), (2, 1, "3x3"), (1, 2, "4x4"), (3, 2, "2x2")):
        yield r("conv2d", ["1x3x8x8xf32", "4x3x3x3xf32", two(stride), two(dilation), "1:ui32"], f"1x4x{expected}xf32")
    yield r("conv2d", ["2x4x9x8xf32", "6x2x2x3xf32", two(2, 1), two(1, 2), "2:ui32"], "2x6x4x4xf32")
    yield r("conv2d", ["?x3x?x8xf32", "4x3x3x3xf32", two(1), two(1), "1:ui32"], "?x4x?x6xf32")
    yield r("conv3d", ["1x3x4x8x8xf32", "4x3x3x3x3xf32", three(1), three(1), "1:ui32"], "1x4x2x6x6xf32")
    for stride, padding, dilation, extra, expected in ((2, 1, 1, 1, "8x8"), (1, 0, 1, 0, "6x6"), (3, 2, 2, 0, "10x10")):
        yield r(
            "conv_transpose2d",
            ["1x3x4x4xf32", "3x2x3x3xf32", two(stride), two(padding), two(dilation), two(extra), "1:ui32"],
            f"1x2x{expected}xf32",
            refines=False,
        )
    yield r(
        "conv_transpose2d",
        ["1x4x4x4xf32", "4x2x3x3xf32", two(1), two(0), two(1), two(0), "2:ui32"],
        "1x4x6x6xf32",
        refines=False,
    )
    yield r(
        "conv_transpose3d",
        ["1x3x4x4x4xf32", "3x2x3x3x3xf32", three(2), three(1), three(1), three(1), "1:ui32"],
        "1x2x8x8x8xf32",
        refines=False,
    )
    for ceil, expected in (("false", "3x3"), ("true", "4x4")):
        yield r("max_pool_2d", ["1x3x7x7xf32", two(2), two(2), two(1), f"{ceil}:i1"], f"1x3x{expected}xf32")
    yield r("max_pool_2d", ["1x3x8x7xf32", two(2), two(2), two(1), "i1"], "1x3x4x?xf32", refines=False)
    yield r("max_pool_3d", ["1x3x8x8x8xf32", three(3), three(2), three(1), "true:i1"], "1x3x4x4x4xf32", refines=False)
    yield r("sum_pool_2d", ["1x3x7x8xf32", two(2), two(2), two(1)], "1x3x3x4xf32")
    yield r("sum_pool_2d", ["1x3x9x9xf32", two(3), two(2), two(2)], "1x3x3x3xf32")
    yield r("sum_pool_3d", ["1x3x8x8x8xf32", three(2), three(2), three(1)], "1x3x4x4x4xf32")
    for mode in (LINEAR, NEAREST):
        yield r(
            "interpolate",
            ["1x2x4x4xf32", "[1, 2, 8, 6]:4xsi32", "2.0:4xf32", "0.0:4xf32"],
            "1x2x8x6xf32",
            attributes=mode,
        )
        yield r("interpolate_coordinates", ["4x4xf32", "5x2xf32"], "5xf32", attributes=mode)


def creation():
    for start, stop, step, expected in ((0, 7, 3, 3), (5, 0, -2, 3), (0, 0, 1, 0), (3, 1, 1, 0), (-4, 4, 2, 4)):
        yield r("range", [f"{start}:si32", f"{stop}:si32", f"{step}:si32"], f"{expected}xsi32")
    yield r("range", ["0.0:f32", "1.0:f32", "0.25:f32"], "4xf32")
    yield r("range", ["si32", "7:si32", "1:si32"], "?xsi32")


def quantization():
    for scale, offset in (("f32", "f32"), ("f16", "f32")):
        yield r("quantize", [X, scale, "si8", offset, "si32"], "2x3xsi8")
        yield r("dequantize", ["2x3xsi8", scale, "si8", offset, "si32"], X)
    yield r("quantize", [X, "3xf32", "3xui8", "3xf32", "1:si32"], "2x3xui8")
    yield r("dequantize", ["2x3xui8", "2xf32", "2xui8", "2xf32", "-2:si32"], X)
    yield r("blockwise_shift_scale", ["4x6xsi8", "4x2xf32", "4x2xsi8", "4x2xf32"], "4x6xf32")
    yield r("blockwise_shift_scale", ["4x6xui4", "1x3xf16", "1x3xui4", "1x3xf16"], "4x6xf16")
    yield e("lut_to_dense", ["4x6xui2", "1x1x4x1xf32", "0:si16"], "4x6xf32")
    yield e("lut_to_dense", ["4x6xui4", "2x3x16x2xf16", "1:si16"], "4x12xf16")
    yield r("symmetric_quantization_statistics", [X, "2xf32", "0:si32"], "2xf32")
    yield r("asymmetric_quantization_statistics", [X, "2xf32", "1:si32"], ["3xf32", "3xf32"])


def sparse(shaped, values):
    return f"{shaped}, #coreai.sparse_tensor_encoding<bitmask, numNonZero = {values}, posWidth = 1, crdWidth = 1>"


def sparsity():
    yield e("build_sparse_with_bitmask", ["4xf32", "2x3xui1"], sparse(X, 4))
    yield e("sparse_with_bitmask_to_dense", [sparse(X, 4)], X)
    yield e("lut_to_sparse_with_bitmask", [sparse("2x3xui2", 4), "1x1x4x2xf16", "0:si16"], sparse("4x3xf16", 8))


CASES = [
    case
    for family in (
        elementwise,
        broadcasting,
        reductions,
        shapes,
        slices,
        indexing,
        products,
        windows,
        creation,
        quantization,
        sparsity,
    )
    for case in family()
]
