// Output formats: an emitter writes a finished program, serialized by the host (ABI-10).
#pragma once

#include "sixrung/node.hpp"

#include <functional>

namespace sixrung {

class Emission {
public:
  Emission(detail::Context *context, sixrung_emission handle) : context_(context), handle_(handle) {}

  std::string path() const { return std::string(view(info().path)); } // where the user wants the output
  // An option of the run by name, or `fallback`.
  std::string option(std::string_view name, std::string fallback = {}) const {
    sixrung_emission_info all = info();
    for (uint32_t i = 0; i < all.option_count; ++i)
      if (view(all.options[i].name) == name && all.options[i].value.tag == SIXRUNG_ARG_STRING)
        return std::string(
            reinterpret_cast<const char *>(static_cast<uintptr_t>(all.options[i].value.payload)),
            all.options[i].value.count);
    return fallback;
  }
  // Streams the program: SIXRUNG_FORMAT_TEXT, _TEXT_GENERIC or _BYTECODE. The sink may be called
  // many times; what it throws comes out here.
  void serialize(uint32_t format, const std::function<void(std::string_view)> &sink);

private:
  sixrung_emission_info info() const {
    sixrung_emission_info out{};
    out.struct_size = sizeof out;
    SIXRUNG_HOST_CALL(context_, emission_info, handle_, &out);
    return out;
  }
  detail::Context *context_;
  sixrung_emission handle_;
};

// One row of an emitter table.
struct EmitterRow {
  std::string_view name;     // "mlir"
  std::string_view suffixes; // ".mlir;.mlirb"
  void (*fn)(Emission &);
};

namespace detail {
template <class Body> sixrung_status *guarded(Context &context, Body &&body) noexcept;

inline sixrung_status *sinkThunk(void *user, const void *data, uint64_t size) noexcept {
  auto &[context, sink] =
      *static_cast<std::pair<Context *, const std::function<void(std::string_view)> *> *>(user);
  return guarded(*context, [&] {
    (*sink)(std::string_view(static_cast<const char *>(data), static_cast<size_t>(size)));
  });
}
inline sixrung_status *emitThunk(const sixrung_host *host, void *user, sixrung_emission handle) noexcept {
  Context context{host, {}, nullptr, {}};
  CurrentContext guard(&context);
  return guarded(context, [&] {
    Emission emission(&context, handle);
    static_cast<const EmitterRow *>(user)->fn(emission);
  });
}
} // namespace detail

inline void Emission::serialize(uint32_t format, const std::function<void(std::string_view)> &sink) {
  std::pair<detail::Context *, const std::function<void(std::string_view)> *> user{context_, &sink};
  SIXRUNG_HOST_CALL(context_, emission_serialize, handle_, format, detail::sinkThunk, &user);
}

} // namespace sixrung
