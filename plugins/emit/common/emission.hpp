// Reading an emission, and streaming the program it holds to a file.
#pragma once

#include "failure.hpp"
#include "interrupt.hpp"

#include <cerrno>
#include <map>
#include <string>
#include <unistd.h>

namespace sixrung::emit {

struct Emission {
  std::string path;
  std::map<std::string, std::string> options;

  std::string option(const std::string &name) const {
    auto found = options.find(name);
    return found == options.end() ? std::string() : found->second;
  }
  bool flag(const std::string &name) const {
    std::string value = option(name);
    return !value.empty() && value != "0" && value != "false";
  }
};

inline std::string text(sixrung_str s) { return std::string(s.data ? s.data : "", s.size); }

inline Emission readEmission(const sixrung_host *host, sixrung_emission emission) {
  sixrung_emission_info info = {};
  info.struct_size = sizeof info;
  check(host->emission_info(emission, &info));
  Emission out;
  out.path = text(info.path);
  for (uint32_t i = 0; i < info.option_count; ++i) {
    const sixrung_named_arg &option = info.options[i];
    if (option.value.tag == SIXRUNG_ARG_STRING)
      out.options[text(option.name)] =
          std::string(reinterpret_cast<const char *>(option.value.payload), option.value.count);
  }
  return out;
}

// Streams the program to an open file. Weights pass through in pieces as the host hands them.
inline void serializeTo(const sixrung_host *host, sixrung_emission emission, uint32_t format, int descriptor,
                        const std::string &shown) {
  struct Sink {
    const sixrung_host *host;
    int descriptor;
    const std::string &shown;
  } sink{host, descriptor, shown};
  check(host->emission_serialize(
      emission, format,
      [](void *user, const void *data, uint64_t size) -> sixrung_status * {
        const Sink &to = *static_cast<Sink *>(user);
        return guarded(to.host, [&] {
          const char *at = static_cast<const char *>(data);
          while (size > 0) {
            if (InterruptGuard::interrupted())
              throw Failure(SIXRUNG_IO, "interrupted while writing '" + to.shown + "'");
            // A single write beyond 2 GiB fails on some systems.
            ssize_t wrote = write(to.descriptor, at, size < (1u << 30) ? size : (1u << 30));
            if (wrote < 0 && errno == EINTR)
              continue;
            if (wrote < 0)
              throw ioFailure("cannot write", to.shown, errno);
            at += wrote;
            size -= static_cast<uint64_t>(wrote);
          }
        });
      },
      &sink));
}

} // namespace sixrung::emit
