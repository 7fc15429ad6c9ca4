// A module, a graph under construction, and short words for what the tests build.
#pragma once

#include "core/graph/error.hpp"
#include "core/ir/builder.hpp"

#include "gtest/gtest.h"

#include <cstring>

namespace sixrung::ir::test {

using graph::DType;
using mlir::Value;

struct Fixture {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(context.get()));

  mlir::RankedTensorType type(DType dtype, std::vector<int64_t> dims) {
    for (int64_t &dim : dims)
      dim = dim < 0 ? mlir::ShapedType::kDynamic : dim;
    return mlir::RankedTensorType::get(dims, elementType(context.get(), dtype));
  }
  Port port(std::string name, mlir::Type type) {
    return {std::move(name), type, mlir::UnknownLoc::get(context.get())};
  }
  std::unique_ptr<GraphBuilder> graph(const std::vector<Port> &inputs, llvm::StringRef symbol = "main",
                                      bool isPrivate = false) {
    return std::make_unique<GraphBuilder>(*module, symbol, inputs, isPrivate);
  }
  std::string text(Format format = Format::kText) {
    std::string out;
    llvm::raw_string_ostream stream(out);
    serialize(*module, format, stream);
    return out;
  }
  mlir::NamedAttribute attribute(llvm::StringRef name, mlir::Attribute value) {
    return {mlir::StringAttr::get(context.get(), name), value};
  }
};

template <typename T> Value vector(Fixture &f, GraphBuilder &b, DType dtype, const std::vector<T> &values) {
  return b.constant(f.type(dtype, {static_cast<int64_t>(values.size())}),
                    {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)});
}
template <typename T> Value scalar(Fixture &f, GraphBuilder &b, DType dtype, T value) {
  return b.constant(f.type(dtype, {}), {reinterpret_cast<const char *>(&value), sizeof value});
}

inline Value build(GraphBuilder &b, llvm::StringRef op, std::vector<Value> operands,
                   std::vector<mlir::Type> results = {}) {
  return b.build(op, operands, {}, results).at(0);
}

// The elements of a constant, a splat spread out; fails the test when it is none.
template <typename T> std::vector<T> elements(GraphBuilder &b, Value value) {
  std::optional<GraphBuilder::ConstantBytes> constant = b.constantBytes(value);
  if (!constant) {
    ADD_FAILURE() << "not a constant";
    return {};
  }
  std::vector<T> result(constant->bytes.size() / sizeof(T));
  std::memcpy(result.data(), constant->bytes.data(), result.size() * sizeof(T));
  if (constant->splat)
    result.assign(constant->type.getNumElements(), result.at(0));
  return result;
}

template <typename Function> std::string messageOf(ErrorKind kind, Function &&function) {
  try {
    function();
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline bool contains(const std::string &text, std::string_view part) {
  return text.find(part) != std::string::npos;
}
inline size_t count(const std::string &text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++found;
  return found;
}

} // namespace sixrung::ir::test
