// From constexpr tables to a plugin: rows of lowerings, emitters, composites and strategies give both the
// registrations of `init` and the manifest section, at compile time, so that neither can miss a key (ABI-3,
// ABI-11).
//
//   constexpr Lowering kLowerings[] = {
//       {"acme::fused.default", fused},                       // Value fused(Node, Builder &)
//       {"acme::split.default", split},                       // Values split(Node, Builder &)
//       {"acme::exp.default", unary, "coreai.exp"},           // Value unary(Node, Builder &,
//       std::string_view) Lowering{"aten::silu.default", silu}.overriding(),    // takes a key another plugin
//       holds (ABI-12)
//   };
//   SIXRUNG_PLUGIN("com.acme.lowerings", "1.2.0", kLowerings)
#pragma once

#include "sixrung/builder.hpp"
#include "sixrung/composite.hpp"
#include "sixrung/emission.hpp"
#include "sixrung/strategy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace sixrung {

// One row: a key and the function that lowers it, with a word of data where rows share a function.
class Lowering {
public:
  using One = Value (*)(Node, Builder &);
  using Many = Values (*)(Node, Builder &);
  using OneWith = Value (*)(Node, Builder &, std::string_view);
  using ManyWith = Values (*)(Node, Builder &, std::string_view);

  constexpr Lowering(std::string_view key, One fn) : key(key), one_(fn) {}
  constexpr Lowering(std::string_view key, Many fn) : key(key), many_(fn) {}
  constexpr Lowering(std::string_view key, OneWith fn, std::string_view data)
      : key(key), data(data), oneWith_(fn) {}
  constexpr Lowering(std::string_view key, ManyWith fn, std::string_view data)
      : key(key), data(data), manyWith_(fn) {}
  constexpr Lowering overriding() const {
    Lowering copy = *this;
    copy.flags |= SIXRUNG_ENTRY_OVERRIDE;
    return copy;
  }

  Values run(Node n, Builder &b) const {
    if (one_)
      return {one_(n, b)};
    if (oneWith_)
      return {oneWith_(n, b, data)};
    return many_ ? many_(n, b) : manyWith_(n, b, data);
  }

  std::string_view key;
  std::string_view data;
  uint32_t flags = 0;

private:
  One one_ = nullptr;
  Many many_ = nullptr;
  OneWith oneWith_ = nullptr;
  ManyWith manyWith_ = nullptr;
};

// A row whose function takes any constexpr data: {"key", function, {.exponent = 2}}.
template <class Data> struct LoweringWith {
  std::string_view key;
  Value (*fn)(Node, Builder &, const Data &);
  Data data{};
  uint32_t flags = 0;

  Values run(Node n, Builder &b) const { return {fn(n, b, data)}; }
};

namespace detail {

constexpr std::string_view kind(const EmitterRow &) { return "emitter "; }
template <class Row> constexpr std::string_view kind(const Row &row) {
  return row.flags & SIXRUNG_ENTRY_OVERRIDE ? "override " : "lowering ";
}
constexpr std::string_view entryName(const EmitterRow &row) { return row.name; }
template <class Row> constexpr std::string_view entryName(const Row &row) { return row.key; }

#if SIXRUNG_TARGET_MINOR >= 1
constexpr std::string_view kind(const Composite &) { return "composite "; }
constexpr std::string_view kind(const Strategy &) { return "strategy "; }
constexpr std::string_view entryName(const Composite &row) { return row.name; }
constexpr std::string_view entryName(const Strategy &row) { return row.name; }
#endif

// The oldest host that has a place for such rows.
template <class Row> constexpr unsigned rowSince(const Row *) { return 0; }
#if SIXRUNG_TARGET_MINOR >= 1
constexpr unsigned rowSince(const Composite *) { return 1; }
constexpr unsigned rowSince(const Strategy *) { return 1; }
#endif
template <class... Tables> constexpr unsigned minHostMinor(const Tables &...tables) {
  unsigned minor = 0;
  ((minor = std::max(minor, rowSince(std::data(tables)))), ...);
  return minor;
}

static_assert(SIXRUNG_ABI_MAJOR == 1 && SIXRUNG_TARGET_MINOR < 10, "spelled out in the manifest");
constexpr char kAbiLine[] = {'a', 'b', 'i', ' ', '1', '.', '0' + SIXRUNG_TARGET_MINOR, '\n', 0};

// Writes the manifest to any sink taking string_views.
template <class Sink, class... Tables>
constexpr void writeManifest(Sink &sink, std::string_view id, std::string_view version,
                             const Tables &...tables) {
  for (std::string_view part :
       {std::string_view("sixrung-manifest 1\nid "), id, std::string_view("\nversion "), version,
        std::string_view("\n"), std::string_view(kAbiLine)})
    sink.put(part);
  const char minHost[] = {static_cast<char>('0' + minHostMinor(tables...))};
  sink.put("min-host ");
  sink.put(std::string_view(minHost, 1));
  sink.put("\ntier 1\n");
  auto table = [&](const auto &rows) {
    for (const auto &row : rows) {
      sink.put(kind(row));
      sink.put(entryName(row));
      sink.put("\n");
    }
  };
  (table(tables), ...);
}
struct CountingSink {
  size_t size = 0;
  constexpr void put(std::string_view text) { size += text.size(); }
};
template <size_t N> struct FillingSink {
  std::array<char, N> text{};
  size_t at = 0;
  constexpr void put(std::string_view part) {
    for (char c : part)
      text[at++] = c;
  }
};
template <class... Tables>
consteval size_t manifestSize(std::string_view id, std::string_view version, const Tables &...tables) {
  CountingSink sink;
  writeManifest(sink, id, version, tables...);
  return sink.size;
}
template <size_t N, class... Tables>
consteval std::array<char, N> manifest(std::string_view id, std::string_view version,
                                       const Tables &...tables) {
  FillingSink<N> sink;
  writeManifest(sink, id, version, tables...);
  return sink.text;
}

// Runs `body`, turning whatever it throws into a status (ABI-7).
template <class Body> sixrung_status *guarded(Context &context, Body &&body) noexcept {
#if SIXRUNG_EXCEPTIONS
  try {
    body();
  } catch (Failure &failure) {
    return failure.take();
  } catch (const std::exception &error) {
    return makeStatus(context.host, SIXRUNG_INTERNAL, error.what(), "this is a bug of the plugin");
  } catch (...) {
    return makeStatus(context.host, SIXRUNG_INTERNAL, "the plugin threw something that is no std::exception",
                      "this is a bug of the plugin");
  }
#else
  body();
#endif
  return std::exchange(context.failure, nullptr);
}

template <class Row>
sixrung_status *lowerThunk(const sixrung_host *host, void *user, sixrung_call call) noexcept {
  Context context{host, call, nullptr, {}};
  CurrentContext guard(&context);
  return guarded(context, [&] {
    Builder builder(&context);
    Node node(&context);
    Values results = static_cast<const Row *>(user)->run(node, builder);
    if (context.failed())
      return;
    if (static_cast<int>(results.size()) > node.resultCount())
      fail(SIXRUNG_INVALID_ARGUMENT, "the lowering gave " + std::to_string(results.size()) +
                                         " results where " + std::to_string(node.resultCount()) +
                                         " are expected");
    for (size_t i = 0; i < results.size(); ++i)
      if (results[i]) // a null stands for a result nobody reads
        SIXRUNG_HOST_CALL(&context, call_set_result, call, static_cast<uint32_t>(i), results[i].handle());
  });
}

inline void addEntry(Context &context, sixrung_transaction transaction, const EmitterRow &row) {
  sixrung_emitter entry{sizeof entry,      0,         str(row.name),
                        str(row.suffixes), emitThunk, const_cast<EmitterRow *>(&row)};
  SIXRUNG_HOST_CALL(&context, add_emitter, transaction, &entry);
}
#if SIXRUNG_TARGET_MINOR >= 1
inline void addEntry(Context &context, sixrung_transaction transaction, const Composite &row) {
  std::vector<sixrung_str> inputs, outputs;
  std::vector<sixrung_composite_attribute> attributes;
  for (std::string_view name : row.inputs)
    inputs.push_back(str(name));
  for (std::string_view name : row.outputs)
    outputs.push_back(str(name));
  for (const CompositeAttribute &attribute : row.attributes)
    attributes.push_back(attribute.raw());
  sixrung_composite entry{};
  entry.struct_size = sizeof entry;
  entry.flags = row.flags;
  entry.version = row.version;
  entry.input_count = static_cast<uint32_t>(inputs.size());
  entry.attribute_count = static_cast<uint32_t>(attributes.size());
  entry.output_count = static_cast<uint32_t>(outputs.size());
  entry.name = str(row.name);
  entry.input_names = inputs.data();
  entry.output_names = outputs.data();
  entry.attributes = attributes.data();
  entry.body = lowerThunk<Composite>;
  entry.user = const_cast<Composite *>(&row);
  SIXRUNG_HOST_CALL(&context, add_composite, transaction, &entry);
}
inline void addEntry(Context &context, sixrung_transaction transaction, const Strategy &row) {
  sixrung_strategy entry{sizeof entry, row.flags, str(row.name), strategyThunk, const_cast<Strategy *>(&row)};
  SIXRUNG_HOST_CALL(&context, add_strategy, transaction, &entry);
}
#endif
template <class Row> void addEntry(Context &context, sixrung_transaction transaction, const Row &row) {
  sixrung_lowering entry{sizeof entry, row.flags, str(row.key), lowerThunk<Row>, const_cast<Row *>(&row)};
  SIXRUNG_HOST_CALL(&context, add_lowering, transaction, &entry);
}
template <class... Tables>
sixrung_status *initialize(const sixrung_host *host, sixrung_transaction transaction,
                           const Tables &...tables) noexcept {
  Context context{host, {}, nullptr, {}};
  CurrentContext guard(&context);
  return guarded(context, [&] {
    auto table = [&](const auto &rows) {
      for (const auto &row : rows)
        addEntry(context, transaction, row);
    };
    (table(tables), ...);
  });
}

} // namespace detail
} // namespace sixrung

#if defined(__has_attribute)
#if __has_attribute(retain)
#define SIXRUNG_MANIFEST_ATTRIBUTES used, retain, section(SIXRUNG_MANIFEST_SECTION)
#endif
#endif
#ifndef SIXRUNG_MANIFEST_ATTRIBUTES
#define SIXRUNG_MANIFEST_ATTRIBUTES used, section(SIXRUNG_MANIFEST_SECTION)
#endif

#ifndef SIXRUNG_PLUGIN_FINGERPRINT
#define SIXRUNG_PLUGIN_FINGERPRINT __VERSION__
#endif

// Once per plugin, at namespace scope: its reverse-DNS id, semantic version, and tables of rows.
#define SIXRUNG_PLUGIN(ID, VERSION, ...)                                                                     \
  namespace {                                                                                                \
  __attribute__((SIXRUNG_MANIFEST_ATTRIBUTES)) constexpr auto sixrungManifest =                              \
      ::sixrung::detail::manifest<::sixrung::detail::manifestSize(ID, VERSION, __VA_ARGS__)>(ID, VERSION,    \
                                                                                             __VA_ARGS__);   \
  sixrung_status *sixrungInit(const sixrung_host *host, sixrung_transaction transaction, void **) noexcept { \
    return ::sixrung::detail::initialize(host, transaction, __VA_ARGS__);                                    \
  }                                                                                                          \
  constexpr std::string_view sixrungId = ID, sixrungVersion = VERSION,                                       \
                             sixrungFingerprint = SIXRUNG_PLUGIN_FINGERPRINT;                                \
  constexpr sixrung_plugin_descriptor sixrungDescriptor = {                                                  \
      SIXRUNG_MAGIC,                                                                                         \
      sizeof(sixrung_plugin_descriptor),                                                                     \
      SIXRUNG_ABI_MAJOR,                                                                                     \
      SIXRUNG_TARGET_MINOR,                                                                                  \
      ::sixrung::detail::minHostMinor(__VA_ARGS__),                                                          \
      SIXRUNG_TIER_C,                                                                                        \
      0,                                                                                                     \
      {sixrungId.data(), sixrungId.size()},                                                                  \
      {sixrungVersion.data(), sixrungVersion.size()},                                                        \
      {sixrungFingerprint.data(), sixrungFingerprint.size()},                                                \
      sixrungInit,                                                                                           \
      nullptr,                                                                                               \
      nullptr};                                                                                              \
  }                                                                                                          \
  extern "C" SIXRUNG_EXPORT const sixrung_plugin_descriptor *SIXRUNG_ENTRY_NAME(void) {                      \
    return &sixrungDescriptor;                                                                               \
  }                                                                                                          \
  static_assert(true)
