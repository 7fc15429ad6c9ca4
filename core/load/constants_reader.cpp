#include "core/load/constants_reader.hpp"

#include "core/graph/error.hpp"
#include "core/load/schema_reader.hpp"
#include "core/load/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>

namespace sixrung::load {
namespace {

// A broadcast constant may be larger than its record, but no few bytes may claim terabytes that someone
// packs later.
constexpr uint64_t kMaxBroadcast = uint64_t{1} << 30;

std::vector<int64_t> numbers(Json json, ValueReader &values) {
  std::vector<int64_t> out;
  for (Json each : json.elements()) {
    auto number = values.symInt(each).value;
    if (!number)
      each.fail("the shape of stored data cannot be symbolic");
    if (*number < 0)
      each.fail(fmt::format("{} is negative", *number));
    out.push_back(*number);
  }
  return out;
}

// One folder of tensors with its index.
class Payloads {
public:
  Payloads(const Archive &archive, const std::string &folder, const std::string &index)
      : archive_(archive), folder_(folder) {
    std::string name = folder + index;
    if (!archive.has(name))
      return;
    document_.emplace(name, archive.read(name));
    for (auto &[fqn, entry] : document_->root().at("config").members())
      entries_.emplace(std::move(fqn), entry);
  }

  bool has(const std::string &fqn) const { return entries_.count(fqn) != 0; }

  graph::TensorData tensor(const std::string &fqn) {
    Json entry = entries_.at(fqn);
    auto meta = entry.find("tensor_meta");
    if (entry.at("use_pickle").boolean() || !meta)
      throw Error(ErrorKind::kUnsupported,
                  fmt::format("'{}' is stored as a Python pickle, which is never run", printable(fqn)))
          .with("hint",
                "it is a tensor subclass or a script object; replace it by a plain tensor before export");
    graph::TensorData data;
    data.dtype = values_.dtype(meta->at("dtype"));
    data.sizes = numbers(meta->at("sizes"), values_);
    data.strides = numbers(meta->at("strides"), values_);
    if (values_.layout(meta->at("layout")) != "strided")
      meta->fail("only strided tensors are stored raw");
    auto offset = values_.symInt(meta->at("storage_offset")).value;
    if (!offset || *offset < 0)
      meta->fail("the storage offset is no number");
    place(data, static_cast<uint64_t>(*offset), *meta, folder_ + entry.at("path_name").string());
    return data;
  }

private:
  void place(graph::TensorData &data, uint64_t offset, Json meta, const std::string &record) {
    auto bytes = archive_.view(record);
    uint64_t width = graph::bitWidth(data.dtype) / 8;
    if (offset > bytes.size() / width)
      meta.fail(fmt::format("the storage offset {} lies beyond the {} bytes of '{}'", offset, bytes.size(),
                            printable(record)));
    data.data = bytes.data() + offset * width;
    data.extent = bytes.size() - offset * width;
    data.keepAlive = archive_.keepAlive();
    if (!graph::isInside(data))
      meta.fail(fmt::format("shape [{}] with strides [{}] from element {} does not fit the {} bytes of '{}'",
                            fmt::join(data.sizes, ", "), fmt::join(data.strides, ", "), offset, bytes.size(),
                            printable(record)));
    if (static_cast<uint64_t>(data.elementCount()) * width > bytes.size() + kMaxBroadcast)
      meta.fail(fmt::format("shape [{}] is broadcast from only {} bytes", fmt::join(data.sizes, ", "),
                            bytes.size()));
    // torch aligns records to 64 bytes. Readers may use the elements where they are.
    if (reinterpret_cast<uintptr_t>(data.data) % std::min<uint64_t>(width, 8) != 0)
      meta.fail(fmt::format("the record '{}' is not aligned; the archive was repacked by another tool",
                            printable(record)));
  }

  const Archive &archive_;
  std::string folder_;
  std::optional<JsonDocument> document_;
  std::map<std::string, Json> entries_;
  ValueReader values_;
};

} // namespace

void readConstants(const Archive &archive, const std::string &model, graph::Program &program) {
  using Kind = graph::InputSpec::Kind;
  Payloads weights(archive, "data/weights/", model + "_weights_config.json");
  Payloads constants(archive, "data/constants/", model + "_constants_config.json");
  for (const graph::InputSpec &spec : program.inputs) {
    if (spec.kind != Kind::kParameter && spec.kind != Kind::kBuffer && spec.kind != Kind::kTensorConstant)
      continue;
    if (program.constants.count(spec.target))
      continue;
    Payloads &from = weights.has(spec.target) ? weights : constants;
    if (!from.has(spec.target))
      throw Error(ErrorKind::kInvalidInput,
                  fmt::format("the archive holds no data for '{}', which input '{}' needs",
                              printable(spec.target), printable(spec.value)))
          .with("hint", "the archive is incomplete; save it again with torch.export.save");
    program.constants.emplace(spec.target, from.tensor(spec.target));
  }
}

} // namespace sixrung::load
