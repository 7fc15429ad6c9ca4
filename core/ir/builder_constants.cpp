// Constants: which form each is stored in, and reading them back.
#include "core/ir/builder_impl.hpp"

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/xxhash.h"

#include "fmt/format.h"

#include <cstring>

using namespace mlir;

namespace sixrung::ir {
namespace {

// From this many elements on, bytes stand in a resource and not in the attribute.
constexpr int64_t kResourceElements = 256;
// The runtime's loader ends the process on larger ones.
constexpr size_t kBlobAlignment = 16;

bool isBool(Type element) { return element.isSignlessInteger(1); }

unsigned elementBits(RankedTensorType type) {
  std::optional<graph::DType> dtype = dtypeOf(type.getElementType());
  return dtype ? graph::bitWidth(*dtype) : 0;
}

std::string describe(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

void checkSize(RankedTensorType type, size_t given) {
  std::optional<uint64_t> expected = byteSize(type);
  if (!expected)
    throw Error(ErrorKind::kInternal, fmt::format("a constant cannot have the type {}", describe(type)));
  if (given != *expected)
    throw Error(ErrorKind::kInternal,
                fmt::format("a constant of {} takes {} bytes, not {}", describe(type), *expected, given));
}

uint64_t littleEndian(ArrayRef<char> bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < std::min<size_t>(bytes.size(), 8); ++i)
    value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

DenseElementsAttr splatOf(RankedTensorType type, ArrayRef<char> element) {
  Type scalar = type.getElementType();
  if (auto floating = dyn_cast<FloatType>(scalar)) {
    APInt bits(floating.getWidth(), littleEndian(element));
    return DenseElementsAttr::get(type, APFloat(floating.getFloatSemantics(), bits));
  }
  if (isBool(scalar))
    return DenseElementsAttr::get(type, element[0] != 0);
  unsigned width = cast<IntegerType>(scalar).getWidth();
  return DenseElementsAttr::get(type, APInt(64, littleEndian(element)).trunc(width));
}

DenseElementsAttr inlined(RankedTensorType type, ArrayRef<char> bytes) {
  if (!isBool(type.getElementType()))
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  SmallVector<bool> values;
  for (char byte : bytes)
    values.push_back(byte != 0);
  return DenseElementsAttr::get(type, values);
}

// Every element equal to the first, bit by bit: -0.0 is not 0.0, and equal NaNs are equal.
bool allEqual(RankedTensorType type, ArrayRef<char> bytes) {
  unsigned bits = elementBits(type);
  if (bits % 8 != 0 || bytes.empty() || isa<ComplexType>(type.getElementType()))
    return false;
  size_t size = bits / 8;
  return bytes.size() == size || std::memcmp(bytes.data(), bytes.data() + size, bytes.size() - size) == 0;
}

// Small, or the same everywhere: an attribute without a resource; null otherwise.
ElementsAttr withoutResource(RankedTensorType type, ArrayRef<char> bytes) {
  if (allEqual(type, bytes))
    return splatOf(type, bytes.take_front(elementBits(type) / 8));
  // Complex numbers outside of a resource end the process that saves them.
  bool inlinable = (elementBits(type) % 8 == 0 && !isa<ComplexType>(type.getElementType())) || bytes.empty();
  if (type.getNumElements() < kResourceElements && inlinable)
    return inlined(type, bytes);
  return {};
}

// Equal bytes share one resource, whatever their shape: its name is a hash of them.
ElementsAttr inResource(RankedTensorType type, ArrayRef<char> bytes,
                        llvm::function_ref<AsmResourceBlob()> makeBlob) {
  auto &manager = DenseResourceElementsHandle::getManagerInterface(type.getContext());
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  std::string name = fmt::format("w_{:016x}{:016x}", hash.high64, hash.low64);
  if (auto *entry = manager.getBlobManager().lookup(name); entry && entry->getBlob())
    return DenseResourceElementsAttr::get(
        type, DenseResourceElementsHandle(entry, cast<BuiltinDialect>(manager.getDialect())));
  return DenseResourceElementsAttr::get(type, manager.insert(name, makeBlob()));
}

} // namespace

Value GraphBuilder::Impl::constant(ElementsAttr value) {
  Value &known = constants[value];
  if (known)
    return known;
  OperationState state(location, coreai::ConstantOp::getOperationName());
  state.addAttribute("value", value);
  state.addTypes(value.getType());
  Operation *op = Operation::create(state);
  Block &head = *scopes.front().block;
  head.getOperations().insert(lastConstant ? std::next(Block::iterator(lastConstant)) : head.begin(), op);
  lastConstant = op;
  return known = op->getResult(0);
}

Value GraphBuilder::constant(RankedTensorType type, ArrayRef<char> bytes) {
  impl_->checkOpen();
  checkSize(type, bytes.size());
  if (ElementsAttr small = withoutResource(type, bytes))
    return impl_->constant(small);
  return impl_->constant(inResource(
      type, bytes, [&] { return HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, kBlobAlignment); }));
}

Value GraphBuilder::splat(RankedTensorType type, ArrayRef<char> element) {
  impl_->checkOpen();
  if (!byteSize(type) || element.size() != (elementBits(type) + 7) / 8)
    throw Error(ErrorKind::kInternal,
                fmt::format("an element of {} bytes cannot fill {}", element.size(), describe(type)));
  if (isa<ComplexType>(type.getElementType())) {
    std::vector<char> spread;
    spread.reserve(*byteSize(type));
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      spread.insert(spread.end(), element.begin(), element.end());
    return constant(type, spread);
  }
  return impl_->constant(splatOf(type, element));
}

Value GraphBuilder::constantView(RankedTensorType type, ArrayRef<char> bytes,
                                 std::shared_ptr<const void> owner) {
  impl_->checkOpen();
  checkSize(type, bytes.size());
  if (ElementsAttr small = withoutResource(type, bytes))
    return impl_->constant(small);
  return impl_->constant(inResource(type, bytes, [&] {
    // Written at this alignment in a file, whatever the bytes have here.
    return AsmResourceBlob(
        bytes, kBlobAlignment, [owner](void *, size_t, size_t) {}, /*dataIsMutable=*/false);
  }));
}

std::optional<GraphBuilder::ConstantBytes> GraphBuilder::constantBytes(Value value) const {
  auto op = value ? value.getDefiningOp<coreai::ConstantOp>() : coreai::ConstantOp();
  auto type = op ? dyn_cast<RankedTensorType>(op.getType()) : RankedTensorType();
  if (!type)
    return std::nullopt;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue())) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob ? std::optional(ConstantBytes{type, blob->getData(), false}) : std::nullopt;
  }
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!dense)
    return std::nullopt;
  bool splat = dense.isSplat() && type.getNumElements() > 0;
  auto integer = dyn_cast<IntegerType>(type.getElementType());
  if (!integer || integer.getWidth() % 8 == 0)
    return ConstantBytes{type, dense.getRawData(), splat};
  // MLIR packs booleans and spreads other small integers; callers see the reverse.
  std::vector<char> &bytes = impl_->unpacked[dense];
  unsigned width = integer.isSignless() ? 8 : integer.getWidth();
  size_t count = splat ? 1 : type.getNumElements(), at = 0;
  bytes.assign((count * width + 7) / 8, 0);
  for (const APInt &element :
       llvm::make_range(dense.value_begin<APInt>(), dense.value_begin<APInt>() + count)) {
    for (unsigned bit = 0; bit < integer.getWidth(); ++bit)
      bytes[(at + bit) / 8] |= static_cast<char>(element[bit] << ((at + bit) % 8));
    at += width;
  }
  return ConstantBytes{type, bytes, splat};
}

} // namespace sixrung::ir
