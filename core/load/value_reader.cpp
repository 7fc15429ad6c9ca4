#include "core/load/schema_reader.hpp"

#include <fmt/format.h>

namespace sixrung::load {

using graph::DType;
using graph::SymExpr;

graph::DType ValueReader::dtype(Json json) {
  switch (json.integer()) { // ScalarType
  case 1:
    return DType::kUI8;
  case 2:
    return DType::kSI8;
  case 3:
    return DType::kSI16;
  case 4:
    return DType::kSI32;
  case 5:
    return DType::kSI64;
  case 6:
    return DType::kF16;
  case 7:
    return DType::kF32;
  case 8:
    return DType::kF64;
  case 9:
    return DType::kComplex32;
  case 10:
    return DType::kComplex64;
  case 11:
    return DType::kComplex128;
  case 12:
    return DType::kBool;
  case 13:
    return DType::kBF16;
  case 28:
    return DType::kUI16;
  case 29:
    return DType::kF8E4M3FN;
  case 30:
    return DType::kF8E5M2;
  case 31:
    json.fail("the dtype float8_e4m3fnuz has no counterpart in Core AI");
  case 32:
    json.fail("the dtype float8_e5m2fnuz has no counterpart in Core AI");
  case 33:
    return DType::kF8E8M0FNU;
  case 34:
    return DType::kUI32;
  case 35:
    return DType::kUI64;
  default:
    json.fail(fmt::format("the dtype {} is unknown", json.integer()));
  }
}

std::string ValueReader::device(Json json) {
  std::string out = json.at("type").string();
  if (auto index = json.find("index"))
    out += fmt::format(":{}", index->integer());
  return out;
}

namespace {

template <size_t N> std::string named(Json json, const char *what, const char *const (&names)[N]) {
  int64_t value = json.integer();
  if (value < 1 || value > static_cast<int64_t>(N))
    json.fail(fmt::format("the {} {} is unknown", what, value));
  return names[value - 1];
}

} // namespace

std::string ValueReader::layout(Json json) {
  return named(json, "layout",
               {"sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "_mkldnn", "strided"});
}

std::string ValueReader::memoryFormat(Json json) {
  return named(json, "memory format",
               {"contiguous_format", "channels_last", "channels_last_3d", "preserve_format"});
}

std::shared_ptr<const SymExpr> ValueReader::expression(Json json) {
  Json text = json.at("expr_str");
  auto [entry, fresh] = parsed_.try_emplace(text.string());
  if (fresh) {
    try {
      entry->second = graph::parseSrepr(entry->first);
    } catch (const std::exception &error) {
      text.fail(error.what());
    }
  }
  return entry->second;
}

std::shared_ptr<const SymExpr> ValueReader::symbolic(Json json) {
  auto constant = [](SymExpr::Kind kind, int64_t integer, double real) {
    return std::make_shared<const SymExpr>(SymExpr{kind, integer, real, {}, {}});
  };
  auto [tag, value] = json.alternative();
  if (tag == "as_expr")
    return expression(value);
  if (tag == "as_int")
    return constant(SymExpr::Kind::kInteger, value.integer(), 0);
  if (tag == "as_float")
    return constant(SymExpr::Kind::kFloat, 0, value.real());
  if (tag == "as_bool")
    return constant(SymExpr::Kind::kBool, value.boolean(), 0);
  value.fail("a symbolic value is expected");
}

graph::SymInt ValueReader::symInt(Json json) {
  auto [tag, value] = json.alternative();
  if (tag == "as_int")
    return graph::SymInt::of(value.integer());
  if (tag != "as_expr")
    value.fail("a symbolic integer is expected");
  auto expr = expression(value);
  if (expr->kind == SymExpr::Kind::kInteger)
    return graph::SymInt::of(expr->integer);
  return {std::nullopt, std::move(expr)};
}

graph::TensorMeta ValueReader::tensorMeta(Json json) {
  graph::TensorMeta meta;
  meta.dtype = dtype(json.at("dtype"));
  for (Json size : json.at("sizes").elements())
    meta.sizes.push_back(symInt(size));
  for (Json stride : json.at("strides").elements())
    meta.strides.push_back(symInt(stride));
  // A symbolic offset (a view into a dynamic tensor) is not modelled: no lowering reads it of a value.
  meta.storageOffset = symInt(json.at("storage_offset")).value.value_or(0);
  meta.layout = layout(json.at("layout"));
  meta.device = device(json.at("device"));
  meta.requiresGrad = json.at("requires_grad").boolean();
  return meta;
}

} // namespace sixrung::load
