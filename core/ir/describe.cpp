// What the dialect knows of its ops, and attributes from text.
#include "core/ir/builder_impl.hpp"
#include "core/ir/diagnostics.hpp"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/StringSwitch.h"

#include "fmt/format.h"

#include <algorithm>

using namespace mlir;

namespace sixrung::ir {
namespace {

struct Signature {
  std::string_view op;
  std::vector<std::string> operands, results;
};

const std::vector<Signature> &signatures() {
  static const std::vector<Signature> rows = {
#include "OpSignatures.inc"
  };
  return rows;
}

template <typename Attr, typename Case> Attribute caseOf(MLIRContext *context, std::optional<Case> value) {
  return value ? Attribute(Attr::get(context, *value)) : Attribute();
}

// The case of an enumeration attribute. nullopt: `name` is no enumeration; null: no such case.
std::optional<Attribute> enumeration(MLIRContext *context, StringRef name, StringRef text) {
  using namespace coreai;
  if (name == "approximate")
    return caseOf<ApproximateAttr>(context, symbolizeApproximate(text));
  if (name == "padding_mode")
    return caseOf<PaddingModeAttr>(context, symbolizePaddingMode(text));
  if (name == "interpolation_mode")
    return caseOf<InterpolationModeAttr>(context, symbolizeInterpolationMode(text));
  if (name == "scatter_mode")
    return caseOf<ScatterModeAttr>(context, symbolizeScatterMode(text));
  if (name == "scan_op") { // no enumeration in text form: a plain i32
    std::optional<ScanKind> kind = symbolizeScanKind(text);
    return kind ? Attribute(IntegerAttr::get(IntegerType::get(context, 32), static_cast<int64_t>(*kind)))
                : Attribute();
  }
  return std::nullopt;
}

} // namespace

Attribute GraphBuilder::attributeFromText(StringRef op, StringRef name, StringRef text) {
  impl_->lookup(op); // throws for an op that does not exist
  auto refuse = [&](const std::string &why) {
    return Error(ErrorKind::kUnsupported, fmt::format("'{}' is no value of attribute '{}' of {}: {}",
                                                      text.str(), name.str(), op.str(), why))
        .with("op", op.str());
  };
  if (text.starts_with("#")) {
    Capture capture(impl_->context());
    Attribute attribute = parseAttribute(text, impl_->context());
    if (!attribute) // builtin attributes have no '#' of their own: "#3 : si64"
      attribute = parseAttribute(text.drop_front(), impl_->context());
    if (!attribute)
      throw refuse(capture.message("it is not MLIR syntax"));
    return attribute;
  }
  std::optional<Attribute> value = enumeration(impl_->context(), name, text);
  if (value && !*value)
    throw refuse("there is no such case");
  return value ? *value : StringAttr::get(impl_->context(), text);
}

std::vector<OpInfo> dialectOps(MLIRContext *context) {
  std::vector<OpInfo> infos;
  for (RegisteredOperationName name : context->getRegisteredOperations()) {
    if (name.getDialectNamespace() != coreai::CoreAIDialect::getDialectNamespace())
      continue;
    OpInfo info;
    info.name = name.getStringRef().str();
    for (StringAttr attribute : name.getAttributeNames())
      info.attributes.push_back(attribute.str());
    info.infersResults = name.hasInterface<InferTypeOpInterface>();
    auto row =
        llvm::find_if(signatures(), [&](const Signature &signature) { return signature.op == info.name; });
    if (row != signatures().end()) {
      info.operands = row->operands;
      info.results = row->results;
    }
    infos.push_back(std::move(info));
  }
  llvm::sort(infos, [](const OpInfo &left, const OpInfo &right) { return left.name < right.name; });
  return infos;
}

} // namespace sixrung::ir
