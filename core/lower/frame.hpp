// The call frame of one lowering: what its sixrung_call handle stands for.
#pragma once

#include "core/graph/program.hpp"
#include "core/ir/builder.hpp"
#include "core/ladder/ladder.hpp"
#include "core/lower/boundary.hpp"

#include "llvm/Support/Allocator.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sixrung::lower {

class GraphLowering;
struct NameScope;

// What the program says of one result, as the boundary tells it, and the value bound to it.
struct ResultSlot {
  uint32_t kind = SIXRUNG_RESULT_NONE;
  graph::DType dtype = graph::DType::kNone;
  llvm::SmallVector<int64_t, 4> dims;
  bool used = false;
  mlir::Value value;
};
ResultSlot resultSlot(const graph::ValueMeta &meta, bool used);
sixrung_result_info toAbiResult(const ResultSlot &slot, bool wide);
ResultSlot fromAbiResult(const sixrung_result_info &info);

// A region opened through the boundary: open, then closed and owned here, then moved into an op.
struct RegionRecord {
  enum class State { kOpen, kClosed, kUsed } state = State::kOpen;
  uint32_t scope = 0;
  size_t graph = 0; // private graphs that were open
  std::unique_ptr<mlir::Region> region;
};

// Pooled by GraphLowering and reset between calls; everything borrowed by the plugin lies in `arena`.
struct Frame {
  GraphLowering *lowering = nullptr;
  uint32_t generation = 0;
  const ladder::Entry *entry = nullptr;
  std::string_view key;
  // The graph's node; for a dispatch from inside a lowering, the outermost one.
  const graph::Node *node = nullptr;
  NameScope *scope = nullptr;
  size_t record = 0; // in GraphLowering::records
  std::string sourceFile;
  uint32_t sourceLine = 0;

  // Arguments: of the node, encoded when first asked for, or handed over by a dispatch.
  const std::vector<graph::NamedArgument> *inputs = nullptr;
  const sixrung_named_arg *given = nullptr;
  size_t argumentCount = 0;
  std::vector<std::optional<sixrung_arg>> encoded;
  std::vector<const graph::SubgraphArg *> subgraphs;

  std::vector<ResultSlot> results;
  std::vector<RegionRecord> regions;
  unsigned regionsBefore = 0; // open when the call began
  size_t graphsBefore = 0;    // private graphs, the same
  bool dispatched = false;    // through host->lower, not for a node of a graph
  llvm::BumpPtrAllocator arena;

  void reset();
  // Destroys the regions no op took, from `first` on. An inner one uses values of an outer one, so it goes
  // first; its handle is stale from then on.
  void dropRegions(size_t first);
  template <typename T> T *allocate(size_t count) { return arena.Allocate<T>(count); }
};

// The frames running on this thread, innermost last. Host functions marked [session] find their frame
// here, so a handle used on another thread is a stale one, and sessions need no lock (ABI-16).
class ActiveFrames {
public:
  static std::vector<Frame *> &stack();
  // The frame a handle stands for; it must be the innermost one.
  static Frame &find(sixrung_call call);
  // The frame of a generation on this thread, wherever it stands; null when over.
  static Frame *byGeneration(uint32_t generation);
};

class FrameGuard {
public:
  explicit FrameGuard(Frame &frame) { ActiveFrames::stack().push_back(&frame); }
  ~FrameGuard() { ActiveFrames::stack().pop_back(); }
  FrameGuard(const FrameGuard &) = delete;
};

} // namespace sixrung::lower
