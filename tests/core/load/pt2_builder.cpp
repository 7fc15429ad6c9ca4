#include "pt2_builder.hpp"

#include "core/load/archive.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

// PyTorchStreamReader leaves the zip index behind when its constructor throws (less than the file's own
// directory, once per refused file).
extern "C" const char *__lsan_default_suppressions() { return "leak:mz_zip_\n"; }

namespace sixrung::test {
namespace {

const char *const kModel = R"({"graph_module": {"graph": {
  "inputs": [{"as_tensor": {"name": "w"}}, {"as_tensor": {"name": "x"}}],
  "outputs": [{"as_tensor": {"name": "y"}}],
  "nodes": [{"target": "torch.ops.aten.add.Tensor", "name": "y", "metadata": {},
    "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1},
               {"name": "other", "arg": {"as_tensor": {"name": "w"}}, "kind": 1}],
    "outputs": [{"as_tensor": {"name": "y"}}], "is_hop_single_tensor_return": null}],
  "tensor_values": {"w": @F, "x": @F, "y": @F},
  "sym_int_values": {}, "sym_bool_values": {}, "sym_float_values": {}, "custom_obj_values": {},
  "is_single_tensor_return": false},
 "signature": {
  "input_specs": [{"parameter": {"arg": {"name": "w"}, "parameter_name": "layer.weight"}},
                  {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}],
  "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "y"}}}}]},
 "module_call_graph": [{"fqn": "", "signature": null}]},
"opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20},
"torch_version": "2.13.0"})";

const char *const kFloats = R"({"dtype": 7, "sizes": [{"as_int": 2}], "requires_grad": false,
  "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7})";

std::string replaced(std::string text, std::string_view from, std::string_view to, bool all = false) {
  size_t at = text.find(from);
  if (at == text.npos)
    throw std::logic_error("the test edits what is not there: " + std::string(from));
  for (; at != text.npos; at = all ? text.find(from, at + to.size()) : text.npos)
    text.replace(at, from.size(), to);
  return text;
}

uint32_t crc32(std::string_view bytes) {
  uint32_t crc = ~0u;
  for (unsigned char byte : bytes) {
    crc ^= byte;
    for (int i = 0; i < 8; ++i)
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

class Out {
public:
  std::string bytes;
  template <typename T> Out &put(T value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
  }
};

} // namespace

Pt2 Pt2::minimal() {
  std::string config =
      R"({"config": {"layer.weight": {"path_name": "weight_0", "is_param": true, "use_pickle": false,
    "tensor_meta": @F}}})";
  Pt2 pt2;
  float weight[2] = {1, 2};
  auto add = [&](const char *name, std::string content) {
    ZipEntry entry;
    entry.name = name;
    entry.content = std::move(content);
    pt2.entries.push_back(std::move(entry));
  };
  add("m/data/weights/weight_0", std::string(reinterpret_cast<char *>(weight), sizeof weight));
  add("m/data/weights/model_weights_config.json", replaced(config, "@F", kFloats));
  add("m/data/constants/model_constants_config.json", R"({"config": {}})");
  add("m/models/model.json", replaced(kModel, "@F", kFloats, true));
  add("m/archive_format", "pt2");
  add("m/archive_version", "0");
  add("m/.data/version", "3\n");
  add("m/byteorder", "little");
  return pt2;
}

Pt2 Pt2::fixture(const std::string &name) {
  load::Archive archive(fixturePath(name));
  Pt2 pt2;
  for (const std::string &record : archive.list("", "")) {
    ZipEntry entry;
    entry.name = "m/" + record;
    entry.content = archive.read(record);
    pt2.entries.push_back(std::move(entry));
  }
  return pt2;
}

ZipEntry &Pt2::entry(std::string_view suffix) {
  for (ZipEntry &entry : entries)
    if (entry.name.size() >= suffix.size() &&
        entry.name.compare(entry.name.size() - suffix.size(), suffix.size(), suffix) == 0)
      return entry;
  throw std::logic_error("the test wants a record that is not there");
}

Pt2 &Pt2::edit(std::string_view from, std::string_view to) { return edit("models/model.json", from, to); }

Pt2 &Pt2::edit(std::string_view record, std::string_view from, std::string_view to) {
  std::string &content = entry(record).content;
  content = replaced(std::move(content), from, to);
  return *this;
}

Pt2 &Pt2::nodes(std::string_view json) {
  std::string &content = entry("models/model.json").content;
  size_t begin = content.find("\"nodes\": ["), end = content.find("\"tensor_values\"");
  content.replace(begin, end - begin, "\"nodes\": " + std::string(json) + ",\n  ");
  return *this;
}

std::string Pt2::bytes() const {
  Out out;
  std::string directory;
  for (const ZipEntry &each : entries) {
    uint32_t crc = crc32(each.content), local = static_cast<uint32_t>(out.bytes.size());
    auto size = static_cast<uint32_t>(each.content.size());
    // An extra field pads the content to 64 bytes, as torch does.
    size_t begin = out.bytes.size() + 30 + each.name.size() + 4;
    auto padding = static_cast<uint16_t>((64 - begin % 64) % 64);
    out.put(0x04034b50u)
        .put(uint16_t{20})
        .put(each.flags)
        .put(each.method)
        .put(0u)
        .put(crc)
        .put(size)
        .put(size);
    out.put(static_cast<uint16_t>(each.name.size())).put(static_cast<uint16_t>(padding + 4));
    out.bytes += each.name;
    out.put(uint16_t{0x4246}).put(padding);
    out.bytes.append(padding, 'Z');
    out.bytes += each.content;

    int64_t real = size, compressed = real + each.compressedLie, plain = real + each.sizeLie,
            at = local + each.offsetLie;
    auto narrow = [&](int64_t number) { return zip64 ? ~0u : static_cast<uint32_t>(number); };
    Out central;
    central.put(0x02014b50u)
        .put(uint16_t{20})
        .put(uint16_t{20})
        .put(each.flags)
        .put(each.method)
        .put(0u)
        .put(crc);
    central.put(narrow(compressed)).put(narrow(plain)).put(static_cast<uint16_t>(each.name.size()));
    central.put(uint16_t(zip64 ? 28 : 0))
        .put(uint16_t{0})
        .put(uint16_t{0})
        .put(uint16_t{0})
        .put(0u)
        .put(narrow(at));
    central.bytes += each.name;
    if (zip64)
      central.put(uint16_t{1}).put(uint16_t{24}).put(plain).put(compressed).put(at);
    directory += central.bytes;
  }
  auto offset = static_cast<uint32_t>(out.bytes.size());
  auto count = static_cast<uint16_t>(entries.size());
  auto size = static_cast<uint32_t>(directory.size());
  out.bytes += directory;
  if (zip64) {
    uint64_t end = out.bytes.size();
    out.put(0x06064b50u).put(uint64_t{44}).put(uint16_t{45}).put(uint16_t{45}).put(0u).put(0u);
    out.put(uint64_t{count}).put(uint64_t{count}).put(uint64_t{size}).put(uint64_t{offset});
    out.put(0x07064b50u).put(0u).put(end).put(1u);
  }
  out.put(0x06054b50u).put(uint16_t{0}).put(uint16_t{0}).put(zip64 ? uint16_t(~0) : count);
  out.put(zip64 ? uint16_t(~0) : count).put(zip64 ? ~0u : size).put(zip64 ? ~0u : offset).put(uint16_t{0});
  return out.bytes;
}

std::string readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string fixturePath(const std::string &name) { return std::string(SIXRUNG_TEST_DATA) + "/pt2/" + name; }

graph::Program load(const std::string &bytes) {
  // A copy of exactly this size, so that a sanitizer sees every read beyond it.
  auto held = std::make_shared<std::vector<char>>(bytes.begin(), bytes.end());
  load::Archive archive({reinterpret_cast<const std::byte *>(held->data()), held->size()}, held);
  return load::readArchive(archive);
}

std::string failure(const std::string &bytes) {
  try {
    graph::dump(load(bytes));
  } catch (const Error &error) {
    if (*error.what() == '\0')
      throw std::logic_error("an error says nothing");
    return error.what();
  }
  return "";
}

} // namespace sixrung::test
