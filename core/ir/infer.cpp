// What the rules of inference share.
#include "core/ir/infer.hpp"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace sixrung::ir {

std::string shapeText(llvm::ArrayRef<int64_t> dims) {
  if (dims.empty())
    return "scalar";
  return llvm::join(
      llvm::map_range(dims,
                      [](int64_t dim) { return dim == kUnknown ? std::string("?") : std::to_string(dim); }),
      "x");
}

std::optional<Integers> Inference::integers(unsigned operand) const {
  return knownIntegers(operands_[operand]);
}

std::optional<int64_t> Inference::integer(unsigned operand) const {
  std::optional<Integers> known = knownIntegers(operands_[operand]);
  return known && known->size() == 1 ? known->front() : std::nullopt;
}

std::optional<Dims> Inference::constants(unsigned operand) const {
  std::optional<Integers> known = knownIntegers(operands_[operand]);
  if (!known)
    return std::nullopt;
  Dims values;
  for (const std::optional<int64_t> &value : *known) {
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

LogicalResult Inference::reject(const llvm::Twine &reason) const {
  return emitOptionalError(location_, "'", op_, "' op ", reason);
}

LogicalResult Inference::yield(llvm::ArrayRef<int64_t> dims, Type element, Attribute encoding) {
  // A tensor type with a negative dim asserts, so a rule must never come here with one.
  for (int64_t dim : dims)
    if (dim < 0 && dim != kUnknown)
      return reject("a result dim would be " + llvm::Twine(dim));
  results_.push_back(RankedTensorType::get(dims, element, encoding));
  return success();
}

LogicalResult Inference::wantRank(unsigned operand, int64_t wanted, llvm::StringRef role) const {
  if (rank(operand) == wanted)
    return success();
  return reject("the " + role + " must have rank " + llvm::Twine(wanted) + ", not " +
                llvm::Twine(rank(operand)));
}

LogicalResult Inference::wantSameElements(unsigned a, unsigned b) const {
  if (element(a) == element(b))
    return success();
  return emitOptionalError(location_, "'", op_, "' op operands ", a, " and ", b,
                           " must have one element type, not ", element(a), " and ", element(b),
                           "; coreai.cast converts one");
}

FailureOr<int64_t> Inference::axis(int64_t axis, int64_t rank, llvm::StringRef role) const {
  if (axis < -rank || axis >= rank)
    return reject("the " + role + " " + llvm::Twine(axis) + " is out of range for rank " + llvm::Twine(rank));
  return axis < 0 ? axis + rank : axis;
}

FailureOr<Dims> Inference::axes(llvm::ArrayRef<int64_t> given, int64_t rank, llvm::StringRef role) const {
  Dims normal;
  for (int64_t one : given) {
    FailureOr<int64_t> positive = axis(one, rank, role);
    if (failed(positive))
      return failure();
    if (llvm::is_contained(normal, *positive))
      return reject("the " + role + " " + llvm::Twine(one) + " is given twice");
    normal.push_back(*positive);
  }
  return normal;
}

FailureOr<Dims> Inference::sameShape(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) const {
  Dims merged;
  bool equal = a.size() == b.size();
  for (size_t i = 0; equal && i < a.size(); ++i) {
    equal = a[i] == b[i] || a[i] == kUnknown || b[i] == kUnknown;
    merged.push_back(a[i] == kUnknown ? b[i] : a[i]);
  }
  if (equal)
    return merged;
  std::string sibling = ("coreai.decomposable.broadcasting_" + op_.substr(op_.rfind('.') + 1)).str();
  bool broadcasts = !operands_.empty() &&
                    RegisteredOperationName::lookup(sibling, operands_.front().getContext()).has_value();
  return reject("the shapes " + shapeText(a) + " and " + shapeText(b) + " must be equal" +
                (broadcasts ? "; " + sibling + " broadcasts" : ""));
}

FailureOr<Dims> Inference::broadcast(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b) const {
  if (a.size() < b.size())
    std::swap(a, b);
  Dims joined(a);
  size_t lead = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t &dim = joined[lead + i];
    if (dim == b[i] || b[i] == 1)
      continue;
    if (dim == 1)
      dim = b[i];
    else if (dim == kUnknown) // 1 or b[i] at run time
      dim = b[i];
    else if (b[i] != kUnknown)
      return reject("the shapes " + shapeText(a) + " and " + shapeText(b) + " do not broadcast");
  }
  return joined;
}

static LogicalResult apply(Inference &inference, unsigned operandCount, ValueRange operands, Rule rule,
                           bool sparse) {
  if (operands.size() < operandCount)
    return inference.reject("takes " + llvm::Twine(operandCount) + " operands, not " +
                            llvm::Twine(operands.size()));
  for (auto [index, operand] : llvm::enumerate(operands)) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      return inference.reject("operand " + llvm::Twine(index) + " must be a ranked tensor");
    if (type.getEncoding() && !sparse)
      return inference.reject("operand " + llvm::Twine(index) + " must be a dense tensor");
  }
  return rule(inference);
}

LogicalResult infer(llvm::StringRef op, unsigned operandCount, std::optional<Location> location,
                    ValueRange operands, Rule rule, llvm::SmallVectorImpl<Type> &results) {
  Inference inference(op, location, operands, results);
  return apply(inference, operandCount, operands, rule, false);
}

LogicalResult inferSparse(llvm::StringRef op, unsigned operandCount, std::optional<Location> location,
                          ValueRange operands, Rule rule, llvm::SmallVectorImpl<Type> &results) {
  Inference inference(op, location, operands, results);
  return apply(inference, operandCount, operands, rule, true);
}

static bool compatible(TypeRange inferred, TypeRange given, bool elements) {
  if (inferred.size() != given.size())
    return false;
  for (auto [mine, theirs] : llvm::zip_equal(inferred, given)) {
    auto a = dyn_cast<RankedTensorType>(mine), b = dyn_cast<RankedTensorType>(theirs);
    if (!a || !b || a.getRank() != b.getRank() || a.getEncoding() != b.getEncoding() ||
        (elements && a.getElementType() != b.getElementType()) ||
        failed(verifyCompatibleShape(a.getShape(), b.getShape())))
      return false;
  }
  return true;
}

bool compatibleResults(TypeRange inferred, TypeRange given) { return compatible(inferred, given, true); }
bool compatibleIndexResults(TypeRange inferred, TypeRange given) {
  return compatible(inferred, given, false);
}
bool countedIndexResults(TypeRange inferred, TypeRange given) {
  if (!compatible(inferred, given, false))
    return false;
  auto mine = cast<RankedTensorType>(inferred[0]), theirs = cast<RankedTensorType>(given[0]);
  return llvm::all_of(llvm::zip_equal(mine.getShape(), theirs.getShape()), [](auto dims) {
    auto [known, dim] = dims;
    return known == kUnknown || known == dim;
  });
}
bool exactResults(TypeRange inferred, TypeRange given) { return inferred == given; }

} // namespace sixrung::ir
