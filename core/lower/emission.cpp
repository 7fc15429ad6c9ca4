#include "core/lower/emission.hpp"

#include "core/ir/builder.hpp"
#include "core/lower/boundary.hpp"
#include "core/lower/host_slots.hpp"
#include "core/lower/session.hpp"

#include <fmt/format.h>
#include <vector>

namespace sixrung::lower {
namespace {

struct Emission {
  uint32_t generation = 0;
  mlir::ModuleOp module;
  const std::string *path = nullptr;
  std::vector<sixrung_named_arg> options;
};

// As with calls: an emission is known on the thread that runs it, and only while it runs.
std::vector<Emission *> &running() {
  thread_local std::vector<Emission *> emissions;
  return emissions;
}

Emission &find(sixrung_emission handle) {
  for (Emission *emission : running())
    if (emission->generation == generationOf(handle.id) && indexOf(handle.id) == 0)
      return *emission;
  throw failure(SIXRUNG_STALE_HANDLE, "the emission is over, or belongs to another thread");
}

// Hands bytes on as they come. LLVM's code must not see an exception, so a failure waits until the end.
class SinkStream : public llvm::raw_ostream {
public:
  SinkStream(sixrung_sink_fn sink, void *user) : sink_(sink), user_(user) { SetBufferSize(size_t{1} << 20); }
  ~SinkStream() override { flush(); }

  sixrung_status *takeStatus() { return std::exchange(status_, nullptr); }

private:
  void write_impl(const char *data, size_t size) override {
    position_ += size;
    if (status_ || size == 0)
      return;
    try {
      status_ = sink_(user_, data, size);
    } catch (...) {
      status_ = plugin::currentExceptionToStatus();
    }
  }
  uint64_t current_pos() const override { return position_; }

  sixrung_sink_fn sink_;
  void *user_;
  sixrung_status *status_ = nullptr;
  uint64_t position_ = 0;
};

} // namespace

void runEmitter(const plugin::EmitterEntry &emitter, mlir::ModuleOp module, const std::string &path,
                const std::map<std::string, std::string> &options) {
  Emission emission;
  emission.generation = nextGeneration();
  emission.module = module;
  emission.path = &path;
  for (const auto &[name, value] : options)
    emission.options.push_back({toStr(name),
                                {SIXRUNG_ARG_STRING, static_cast<uint32_t>(value.size()),
                                 reinterpret_cast<uintptr_t>(value.data())}});
  struct Running {
    explicit Running(Emission &emission) { running().push_back(&emission); }
    ~Running() { running().pop_back(); }
  } guard(emission);
  const plugin::EmitterEntry &entry = emitter;
  std::string who = fmt::format("emitter '{}' of {} {}", entry.name, entry.owner->id, entry.owner->version);
  try {
    sixrung_status *status = nullptr;
    try {
      status = entry.fn(hostTable(), entry.user, sixrung_emission{makeId(emission.generation, 0)});
    } catch (const std::exception &error) { // no exception may cross (ABI-7); one that does is named
      throw failure(SIXRUNG_INTERNAL, fmt::format("an exception left the emitter: {}", error.what()));
    } catch (...) {
      throw failure(SIXRUNG_INTERNAL, "an exception that is no std::exception left the emitter");
    }
    uint32_t code = hostTable()->status_code(status);
    plugin::throwIfFailed(status, code == SIXRUNG_IO            ? ErrorKind::kIo
                                  : code == SIXRUNG_UNSUPPORTED ? ErrorKind::kUnsupported
                                                                : ErrorKind::kPlugin);
  } catch (const Error &error) {
    Error wrapped(error.kind(), fmt::format("writing {}: {}: {}", path, who, error.what()));
    for (const auto &[key, value] : error.payload())
      wrapped.with(key, value);
    throw wrapped.with("plugin", entry.owner->id);
  }
}

namespace slots {

sixrung_status *emission_info(sixrung_emission handle, sixrung_emission_info *out) {
  return guarded([&] {
    Emission &emission = find(handle);
    uint32_t size = commonSize(out, "the emission info");
    sixrung_emission_info info{};
    info.option_count = static_cast<uint32_t>(emission.options.size());
    info.path = toStr(*emission.path);
    info.options = emission.options.data();
    writeStruct(out, info, size);
  });
}

sixrung_status *emission_serialize(sixrung_emission handle, uint32_t format, sixrung_sink_fn sink,
                                   void *user) {
  sixrung_status *failed = nullptr;
  sixrung_status *own = guarded([&] {
    Emission &emission = find(handle);
    if (!sink)
      throw failure(SIXRUNG_INVALID_ARGUMENT, "the sink is NULL");
    if (format < SIXRUNG_FORMAT_TEXT || format > SIXRUNG_FORMAT_BYTECODE)
      throw failure(SIXRUNG_INVALID_ARGUMENT, fmt::format("{} is no format", format));
    SinkStream stream(sink, user);
    ir::serialize(emission.module,
                  format == SIXRUNG_FORMAT_TEXT           ? ir::Format::kText
                  : format == SIXRUNG_FORMAT_TEXT_GENERIC ? ir::Format::kTextGeneric
                                                          : ir::Format::kBytecode,
                  stream);
    stream.flush();
    failed = stream.takeStatus();
  });
  return own ? own : failed; // the sink's own status is passed on
}

} // namespace slots
} // namespace sixrung::lower
