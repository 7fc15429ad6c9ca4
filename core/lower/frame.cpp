#include "core/lower/frame.hpp"

#include "core/lower/types.hpp"

#include <fmt/format.h>

namespace sixrung::lower {

using graph::DType;
using graph::ValueMeta;

ResultSlot resultSlot(const ValueMeta &meta, bool used) {
  ResultSlot slot;
  slot.used = used;
  auto symbolic = [&](uint32_t kind, DType dtype) {
    slot.kind = kind;
    slot.dtype = dtype;
    slot.dims = {1}; // symbolic values travel as tensors of rank 1, which concat into shapes
  };
  switch (meta.kind) {
  case ValueMeta::Kind::kTensor:
    slot.kind = SIXRUNG_RESULT_TENSOR;
    slot.dtype = meta.tensor.dtype;
    slot.dims = dimsOf(meta.tensor);
    break;
  case ValueMeta::Kind::kSymInt:
    symbolic(SIXRUNG_RESULT_SYM_INT, DType::kSI64);
    break;
  case ValueMeta::Kind::kSymFloat:
    symbolic(SIXRUNG_RESULT_SYM_FLOAT, DType::kF64);
    break;
  case ValueMeta::Kind::kSymBool:
    symbolic(SIXRUNG_RESULT_SYM_BOOL, DType::kBool);
    break;
  case ValueMeta::Kind::kToken:
  case ValueMeta::Kind::kNone:
    slot.used = false; // no value stands for it
    break;
  }
  return slot;
}

sixrung_result_info toAbiResult(const ResultSlot &slot, bool wide) {
  sixrung_result_info info{};
  info.struct_size = sizeof(info);
  info.kind = slot.kind;
  info.dtype = static_cast<uint32_t>(slot.dtype);
  // Symbolic values stay 32 bits wide even then: sizes are indices.
  info.value_dtype =
      static_cast<uint32_t>(valueDtype(slot.dtype, wide && slot.kind == SIXRUNG_RESULT_TENSOR));
  info.rank = static_cast<uint32_t>(slot.dims.size());
  info.used = slot.used ? 1 : 0;
  info.dims = slot.dims.data();
  return info;
}

ResultSlot fromAbiResult(const sixrung_result_info &info) {
  constexpr uint32_t kMostDims = 64;
  if (info.kind > SIXRUNG_RESULT_SYM_BOOL || info.dtype > SIXRUNG_F8E8M0FNU || info.rank > kMostDims ||
      (info.rank != 0 && !info.dims))
    throw failure(SIXRUNG_INVALID_ARGUMENT,
                  fmt::format("a result of kind {}, element type {} and rank {} is malformed", info.kind,
                              info.dtype, info.rank));
  ResultSlot slot;
  slot.kind = info.kind;
  slot.dtype = static_cast<DType>(info.dtype);
  if (info.rank != 0)
    slot.dims.assign(info.dims, info.dims + info.rank);
  slot.used = info.used != 0 && info.kind != SIXRUNG_RESULT_NONE;
  return slot;
}

void Frame::reset() {
  encoded.clear();
  subgraphs.clear();
  results.clear();
  regions.clear();
  arena.Reset();
  inputs = nullptr;
  given = nullptr;
  argumentCount = 0;
  dispatched = false;
}

void Frame::dropRegions(size_t first) {
  for (size_t i = regions.size(); i-- > first;) {
    regions[i].region.reset();
    regions[i].state = RegionRecord::State::kUsed;
  }
}

std::vector<Frame *> &ActiveFrames::stack() {
  thread_local std::vector<Frame *> frames;
  return frames;
}

Frame &ActiveFrames::find(sixrung_call call) {
  const std::vector<Frame *> &frames = stack();
  if (!frames.empty() && frames.back()->generation == generationOf(call.id) &&
      frames.size() - 1 == indexOf(call.id))
    return *frames.back();
  if (call.id == 0)
    throw failure(SIXRUNG_INVALID_ARGUMENT, "the call handle is 0, which is none");
  if (indexOf(call.id) < frames.size() && frames[indexOf(call.id)]->generation == generationOf(call.id))
    throw failure(SIXRUNG_INVALID_ARGUMENT,
                  "the call waits for a lowering it dispatched to, which has a call of its own");
  throw failure(SIXRUNG_STALE_HANDLE, "the call is over, or belongs to another thread: a call handle lives "
                                      "until its lowering returns, on the thread that runs it");
}

Frame *ActiveFrames::byGeneration(uint32_t generation) {
  for (Frame *frame : stack())
    if (frame->generation == generation)
      return frame;
  return nullptr;
}

} // namespace sixrung::lower
