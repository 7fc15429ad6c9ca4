// One element out of one element each: equal shapes, or shapes that broadcast.
#include "core/ir/dialect.hpp"
#include "core/ir/infer.hpp"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;

namespace sixrung::ir {

static Type boolean(Inference &op) { return IntegerType::get(op.element(0).getContext(), 1); }

namespace rules {

LogicalResult sameAsFirst(Inference &op) {
  return op.yield(op.shape(0), op.element(0), op.type(0).getEncoding());
}

static LogicalResult binary(Inference &op, bool broadcasts, Type element) {
  if (failed(op.wantSameElements(0, 1)))
    return failure();
  FailureOr<Dims> dims =
      broadcasts ? op.broadcast(op.shape(0), op.shape(1)) : op.sameShape(op.shape(0), op.shape(1));
  return failed(dims) ? failure() : op.yield(*dims, element);
}
// Equal down to which dims are known: Core AI parses or saves nothing else.
static LogicalResult wantAlike(Inference &op, unsigned a, unsigned b) {
  if (op.shape(a) == op.shape(b))
    return success();
  return op.reject("the shapes " + shapeText(op.shape(a)) + " and " + shapeText(op.shape(b)) +
                   " must be equal; coreai.cast makes them so");
}

LogicalResult sameType(Inference &op) {
  return failure(failed(binary(op, false, op.element(0))) || failed(wantAlike(op, 0, 1)));
}
LogicalResult compareSameShape(Inference &op) { return binary(op, false, boolean(op)); }
LogicalResult broadcasting(Inference &op) { return binary(op, true, op.element(0)); }
LogicalResult compareBroadcasting(Inference &op) { return binary(op, true, boolean(op)); }

static LogicalResult where(Inference &op, bool broadcasts) {
  if (failed(op.wantSameElements(1, 2)))
    return failure();
  auto join = [&](llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) {
    return broadcasts ? op.broadcast(a, b) : op.sameShape(a, b);
  };
  FailureOr<Dims> values = join(op.shape(1), op.shape(2));
  if (failed(values) || (!broadcasts && failed(wantAlike(op, 1, 2))))
    return failure();
  FailureOr<Dims> dims = join(*values, op.shape(0));
  return failed(dims) ? failure() : op.yield(*dims, op.element(1));
}
LogicalResult whereSameShape(Inference &op) { return where(op, false); }
LogicalResult whereBroadcasting(Inference &op) { return where(op, true); }

LogicalResult createComplex(Inference &op) {
  FailureOr<Dims> dims = op.sameShape(op.shape(0), op.shape(1));
  if (failed(dims) || failed(op.wantSameElements(0, 1)))
    return failure();
  if (!op.element(0).isF32())
    return op.reject("the parts of a complex number must be f32");
  return op.yield(*dims, ComplexType::get(op.element(0)));
}

LogicalResult complexPart(Inference &op) {
  auto complex = dyn_cast<ComplexType>(op.element(0));
  if (!complex)
    return op.reject("takes a complex tensor");
  return op.yield(op.shape(0), complex.getElementType());
}

// The one element of a floating constant.
static std::optional<double> floating(Value value) {
  DenseElementsAttr attribute;
  if (!matchPattern(value, m_Constant(&attribute)) || attribute.getNumElements() != 1 ||
      !isa<FloatType>(attribute.getElementType()))
    return std::nullopt;
  llvm::APFloat number = *attribute.value_begin<llvm::APFloat>();
  bool loses;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

// The runtime counts in the element's own precision, which near a whole number rounds either way:
// the length is known only where single and double precision agree.
static int64_t floatingLength(double start, double stop, double step) {
  double wide = std::ceil((stop - start) / step);
  double narrow = std::ceil((float(stop) - float(start)) / float(step));
  if (wide != narrow || !std::isfinite(wide) || wide > 1e15)
    return kUnknown;
  return wide > 0 ? int64_t(wide) : 0;
}

LogicalResult range(Inference &op) {
  if (failed(op.wantSameElements(0, 1)) || failed(op.wantSameElements(0, 2)))
    return failure();
  int64_t length = kUnknown;
  std::optional<int64_t> start = op.integer(0), stop = op.integer(1), step = op.integer(2);
  if (step == 0)
    return op.reject("the step must not be 0");
  if (start && stop && step) {
    Wide span = Wide(*stop) - *start, count = span / *step + (span % *step != 0);
    bool towards = (span > 0) == (*step > 0) && span != 0;
    length = towards ? saturated(count) : 0;
  } else if (auto a = floating(op.operand(0)), b = floating(op.operand(1)), c = floating(op.operand(2));
             a && b && c) {
    if (*c == 0)
      return op.reject("the step must not be 0");
    length = floatingLength(*a, *b, *c);
  }
  return op.yield(length, op.element(0));
}

} // namespace rules
} // namespace sixrung::ir
