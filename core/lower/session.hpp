// The whole way from a graph::Program to IR and files, for the CLI and Python alike.
#pragma once

#include "core/graph/program.hpp"
#include "core/ladder/ladder.hpp"
#include "core/plugin/registry.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace sixrung::lower {

// An externalization strategy to run on every entrypoint, and the options it is given.
struct StrategyRequest {
  std::string name;
  std::map<std::string, std::vector<std::string>> options; // "paths": {"encoder.layers.0"}
};

struct ConvertOptions {
  bool debugLocations = true;              // DEBUG: file:line:col of user code; RELEASE: none
  bool wideIo = false;                     // keep int64 and float64 from the inputs on
  std::vector<StrategyRequest> strategies; // in this order
  std::string sourceRoot; // source paths under it become relative; usually the working folder
  std::function<void(size_t done, size_t total)> progress; // may be empty
};

// One entrypoint: a program and the names it is given.
struct EntryPoint {
  std::string name = "main";
  std::shared_ptr<const graph::Program> program;
  // Empty: names of placeholders, of returned values, of mutated buffers and inputs.
  std::vector<std::string> inputNames, outputNames, stateNames;
};

// Who lowered what (ABI-13).
struct NodeRecord {
  std::string entrypoint, node, key, source; // source: "file:line" or empty
  ladder::Rung rung = ladder::Rung::kError;
  std::string plugin, version, detail; // id, version; detail for Python
  std::vector<std::string> overridden; // ids of the losers
  std::vector<std::string> ops;        // coreai ops it built, in order
  // "note: ...", "warning: ...", "narrowing: ..."; "KEY by PLUGIN VERSION" for dispatches from inside.
  std::vector<std::string> remarks;
  std::vector<std::string> via; // ids of the plugins behind these dispatches, composites included
};

// A mutable buffer or mutated input of an entrypoint.
struct StateInfo {
  std::string entrypoint, name;
  graph::TensorMeta meta;
  graph::DType valueDtype = graph::DType::kNone;
  std::vector<std::byte> initial; // packed, narrowed as the argument is; empty for a mutated user input
  bool hasInitial = false;
};

struct PortInfo {
  std::string name;
  graph::DType dtype;
  std::vector<int64_t> dims; /* -1 dynamic */
};
struct EntryInfo {
  std::string name;
  std::vector<PortInfo> inputs, outputs;
};

struct Provenance; // core/lower/provenance.hpp

// A converted program. Movable; owns its MLIR context.
class Converted {
public:
  struct Impl;
  explicit Converted(std::unique_ptr<Impl> impl);
  Converted(Converted &&) noexcept;
  ~Converted();

  // Constants of more than `largest` bytes are named and left out, when it is given.
  std::string text(bool generic = false, std::optional<size_t> largest = {}) const;
  std::string bytecode() const;
  void writeBytecode(const std::string &path) const; // weights streamed, not copied
  size_t opCount() const;
  const std::vector<NodeRecord> &nodes() const;
  const std::vector<StateInfo> &states() const;
  const std::vector<EntryInfo> &entries() const;
  const Provenance &provenance() const; // of the session as it was when converting
  Impl &impl() { return *impl_; }

private:
  std::unique_ptr<Impl> impl_;
};

// Built-ins are looked for in `folder`, else SIXRUNG_BUILTIN_PLUGINS, else beside this library.
class Session {
public:
  explicit Session(const std::string &builtinFolder = {});
  ~Session();

  plugin::Registry &registry();
  const ladder::Ladder &ladder() const;

  // Checks A and B of core/validate, and that the names fit the program. Source paths under `sourceRoot`
  // are told relative to it.
  void stage(const EntryPoint &entry, const std::string &sourceRoot = {}) const;
  // Converts entrypoints into one module. Throws Error; nothing is left behind.
  Converted convert(const std::vector<EntryPoint> &entries, const ConvertOptions &options);
  // Hands the program to the emitter called `name`, or, when empty, to the one taking the path's
  // suffix. `options` go to the emitter by name.
  void emit(Converted &program, const std::string &path, const std::string &name = {},
            const std::map<std::string, std::string> &options = {});

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The table handed to every plugin: one per process, const.
const sixrung_host *hostTable();
// For lowerings that live in this process and know its graphs (Python's); they see more than a plugin.
// The node a call is for; null for a dispatch from inside another lowering. Throws for a stale handle.
const graph::Node *callNode(sixrung_call call);
// What a name of the call's graph stands for so far; id 0 when that is no value.
sixrung_value callValue(sixrung_call call, std::string_view name);
// Leaves a private graph the call opened, and those inside it, unfinished: what was to fill it raised.
void abandonGraph(sixrung_call call, sixrung_graph graph);
// "1.0"
std::string abiVersion();
std::string productVersion();
// Where a Session given no folder looks for the built-ins; for listing them without loading.
std::string builtinFolder();

} // namespace sixrung::lower
