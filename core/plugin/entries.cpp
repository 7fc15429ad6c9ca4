// Composites and externalization strategies on their way into a transaction: every field checked and copied.
#include "core/plugin/crossing.hpp"
#include "core/plugin/facts.hpp"
#include "core/plugin/transaction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace sixrung::plugin {
namespace {

constexpr uint32_t kFirstComposite = offsetof(sixrung_composite, user) + sizeof(void *);
constexpr uint32_t kFirstAttribute = offsetof(sixrung_composite_attribute, fallback) + sizeof(sixrung_arg);
constexpr uint32_t kFirstStrategy = offsetof(sixrung_strategy, user) + sizeof(void *);
constexpr uint32_t kMostEntries = 256; // a count that was never set shows as absurd
constexpr size_t kLongestName = 128;
constexpr size_t kLongestText = size_t{1} << 20;

[[noreturn]] void malformed(const std::string &what) { throw failure(SIXRUNG_INVALID_ARGUMENT, what); }

template <typename T> const T *checkedArray(const T *entries, uint32_t count, const std::string &what) {
  if (count > kMostEntries || (count != 0 && !entries))
    malformed(fmt::format("{}: {} are announced and not given", what, count));
  return entries;
}

// What ports and attributes are called: the runtime takes any name, Python and C callers an identifier.
std::string checkedName(sixrung_str given, const std::string &what) {
  std::string_view name = checkedString(given, what.c_str(), kLongestName);
  if (!isEmitterName(name))
    malformed(fmt::format("'{}' is no name for {}", name, what));
  return std::string(name);
}

std::vector<std::string> checkedNames(const sixrung_str *given, uint32_t count, const std::string &what) {
  std::vector<std::string> names;
  checkedArray(given, count, what);
  for (uint32_t i = 0; i < count; ++i) {
    names.push_back(checkedName(given[i], what));
    if (std::count(names.begin(), names.end(), names.back()) > 1)
      malformed(fmt::format("{}: '{}' stands twice", what, names.back()));
  }
  return names;
}

template <typename T> const T *listOf(const sixrung_arg &value, const std::string &what) {
  return checkedArray(reinterpret_cast<const T *>(static_cast<uintptr_t>(value.payload)), value.count, what);
}

template <typename From, typename To>
graph::ArgumentList copiedList(const sixrung_arg &value, const std::string &what) {
  const From *entries = listOf<From>(value, what);
  graph::ArgumentList list;
  for (uint32_t i = 0; i < value.count; ++i)
    list.push_back({static_cast<To>(entries[i])});
  return list;
}

// A fallback as the graph model has it; the plugin's own memory may go.
graph::Argument copied(const sixrung_arg &value, const std::string &what) {
  switch (value.tag) {
  case SIXRUNG_ARG_NONE:
    return {};
  case SIXRUNG_ARG_BOOL:
    return {value.payload != 0};
  case SIXRUNG_ARG_INT:
    return {static_cast<int64_t>(value.payload)};
  case SIXRUNG_ARG_FLOAT:
    return {std::bit_cast<double>(value.payload)};
  case SIXRUNG_ARG_STRING: {
    sixrung_str text{reinterpret_cast<const char *>(static_cast<uintptr_t>(value.payload)), value.count};
    return {std::string(checkedString(text, what.c_str(), kLongestText))};
  }
  case SIXRUNG_ARG_DTYPE:
    if (value.payload == SIXRUNG_DTYPE_NONE || value.payload > SIXRUNG_F8E8M0FNU)
      malformed(what + " is no element type");
    return {graph::DTypeArg{static_cast<graph::DType>(value.payload)}};
  case SIXRUNG_ARG_INT_LIST:
    return {copiedList<int64_t, int64_t>(value, what)};
  case SIXRUNG_ARG_FLOAT_LIST:
    return {copiedList<double, double>(value, what)};
  case SIXRUNG_ARG_BOOL_LIST:
    return {copiedList<uint8_t, bool>(value, what)};
  case SIXRUNG_ARG_STRING_LIST: {
    const sixrung_str *entries = listOf<sixrung_str>(value, what);
    graph::ArgumentList list;
    for (uint32_t i = 0; i < value.count; ++i)
      list.push_back({std::string(checkedString(entries[i], what.c_str(), kLongestText))});
    return {list};
  }
  default:
    malformed(fmt::format("{} has the tag {}, which no attribute of a composite has", what, value.tag));
  }
}

bool isAttributeTag(uint32_t tag) {
  switch (tag) {
  case SIXRUNG_ARG_BOOL:
  case SIXRUNG_ARG_INT:
  case SIXRUNG_ARG_FLOAT:
  case SIXRUNG_ARG_STRING:
  case SIXRUNG_ARG_DTYPE:
  case SIXRUNG_ARG_INT_LIST:
  case SIXRUNG_ARG_FLOAT_LIST:
  case SIXRUNG_ARG_BOOL_LIST:
  case SIXRUNG_ARG_STRING_LIST:
    return true;
  default:
    return false;
  }
}

CompositeAttribute checkedAttribute(const sixrung_composite_attribute *given, const std::string &what) {
  auto raw = checkedStruct(given, ("an attribute of " + what).c_str(), kFirstAttribute);
  CompositeAttribute attribute;
  attribute.name = checkedName(raw.name, "an attribute of " + what);
  std::string which = fmt::format("the attribute '{}' of {}", attribute.name, what);
  if (!isAttributeTag(raw.tag) || raw.flags > SIXRUNG_ATTRIBUTE_OPTIONAL || raw.reserved != 0)
    malformed(fmt::format("{} has the tag {} and the flags {:#x}", which, raw.tag, raw.flags));
  attribute.tag = raw.tag;
  attribute.optional = raw.flags & SIXRUNG_ATTRIBUTE_OPTIONAL;
  if (raw.fallback.tag != SIXRUNG_ARG_NONE && raw.fallback.tag != raw.tag)
    malformed(
        fmt::format("{} has the tag {}, and its fallback the tag {}", which, raw.tag, raw.fallback.tag));
  attribute.fallback = copied(raw.fallback, which);
  return attribute;
}

} // namespace

void Transaction::add(const sixrung_composite *given) {
  auto raw = checkedStruct(given, "the composite", kFirstComposite);
  auto entry = std::make_unique<CompositeEntry>();
  entry->name = checkedName(raw.name, "a composite");
  std::string what = fmt::format("the composite '{}'", entry->name);
  checkEntryFlags(raw.flags, what);
  if (!raw.body)
    malformed(what + " has no body");
  if (raw.version == 0 || raw.output_count == 0)
    malformed(fmt::format("{} has version {} and {} outputs; each is at least 1", what, raw.version,
                          raw.output_count));
  entry->version = raw.version;
  entry->inputs = checkedNames(raw.input_names, raw.input_count, "an input of " + what);
  entry->outputs = checkedNames(raw.output_names, raw.output_count, "an output of " + what);
  checkedArray(raw.attributes, raw.attribute_count, "attributes of " + what);
  const auto *bytes = reinterpret_cast<const std::byte *>(raw.attributes);
  for (uint32_t i = 0; i < raw.attribute_count; ++i) {
    // Entries have the size their maker knew (ABI-4).
    const auto *attribute = reinterpret_cast<const sixrung_composite_attribute *>(bytes);
    entry->attributes.push_back(checkedAttribute(attribute, what));
    if (attribute->struct_size % alignof(sixrung_composite_attribute) != 0 ||
        attribute->struct_size != raw.attributes->struct_size)
      malformed(what + ": its attributes do not have one struct_size, a multiple of 8");
    bytes += attribute->struct_size;
    auto sameName = [&](const auto &other) { return other.name == entry->attributes.back().name; };
    if (std::count_if(entry->attributes.begin(), entry->attributes.end(), sameName) > 1 ||
        std::count(entry->inputs.begin(), entry->inputs.end(), entry->attributes.back().name) != 0)
      malformed(fmt::format("{}: '{}' names two of its inputs and attributes", what,
                            entry->attributes.back().name));
  }
  for (const NewComposite &other : composites)
    if (other.entry->name == entry->name)
      throw failure(SIXRUNG_ALREADY_EXISTS, fmt::format("this plugin already added {}", what));
  entry->body.key = "composite::" + entry->name;
  entry->body.fn = raw.body;
  entry->body.user = raw.user;
  entry->body.owner = owner_;
  composites.push_back({std::move(entry), (raw.flags & SIXRUNG_ENTRY_OVERRIDE) != 0});
}

void Transaction::add(const sixrung_strategy *given) {
  auto raw = checkedStruct(given, "the strategy", kFirstStrategy);
  auto entry = std::make_unique<StrategyEntry>();
  entry->name = checkedName(raw.name, "a strategy");
  std::string what = fmt::format("the strategy '{}'", entry->name);
  checkEntryFlags(raw.flags, what);
  if (!raw.fn)
    malformed(what + " has no function");
  for (const NewStrategy &other : strategies)
    if (other.entry->name == entry->name)
      throw failure(SIXRUNG_ALREADY_EXISTS, fmt::format("this plugin already added {}", what));
  entry->fn = raw.fn;
  entry->user = raw.user;
  entry->owner = owner_;
  strategies.push_back({std::move(entry), (raw.flags & SIXRUNG_ENTRY_OVERRIDE) != 0});
}

} // namespace sixrung::plugin
