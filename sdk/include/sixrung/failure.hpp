// Errors of a lowering: exceptions inside the plugin, statuses at the boundary (ABI-7).
//
// With exceptions, a failure is thrown as `Failure` and the thunk hands its status to the host.
// Without (-fno-exceptions), the first failure sticks to the call: every later step does nothing and
// gives null values, and the thunk returns the status. `return unsupported("...")` is right in both.
#pragma once

#include "sixrung/plugin.h"

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define SIXRUNG_EXCEPTIONS 1
#define SIXRUNG_NORETURN [[noreturn]]
#else
#define SIXRUNG_EXCEPTIONS 0
#define SIXRUNG_NORETURN
#endif

namespace sixrung {

inline sixrung_str str(std::string_view s) { return {s.data(), s.size()}; }
inline std::string_view view(sixrung_str s) {
  return s.data ? std::string_view(s.data, static_cast<size_t>(s.size)) : std::string_view();
}

namespace detail {

// What one call of the host into the plugin carries along.
struct Context {
  const sixrung_host *host = nullptr;
  sixrung_call call{};
  sixrung_status *failure = nullptr; // the first one; sticky
  sixrung_node_info node{};          // filled on first use

  bool failed() const { return failure != nullptr; }
};

// The call this thread is serving. Calls nest when a lowering dispatches back into the ladder.
inline thread_local Context *current = nullptr;

class CurrentContext {
public:
  explicit CurrentContext(Context *context) : previous_(current) { current = context; }
  ~CurrentContext() { current = previous_; }
  CurrentContext(const CurrentContext &) = delete;

private:
  Context *previous_;
};

} // namespace detail

#if SIXRUNG_EXCEPTIONS
// Owns the status it carries.
class Failure : public std::exception {
public:
  Failure(const sixrung_host *host, sixrung_status *status)
      : host_(host), status_(status), message_(view(host->status_message(status))) {}
  Failure(Failure &&other) noexcept
      : host_(other.host_), status_(std::exchange(other.status_, nullptr)),
        message_(std::move(other.message_)) {}
  Failure(const Failure &) = delete;
  ~Failure() override {
    if (status_)
      host_->status_release(status_);
  }
  const char *what() const noexcept override { return message_.c_str(); }
  uint32_t code() const { return status_ ? host_->status_code(status_) : 0; }
  sixrung_status *take() { return std::exchange(status_, nullptr); }

private:
  const sixrung_host *host_;
  sixrung_status *status_;
  std::string message_;
};
#endif

// Stands for any value after a failure, so that `return fail(...)` fits every return type.
struct Failed {
  template <class T> operator T() const { return T{}; }
};

namespace detail {

// Hands a failed status over: thrown, or kept as the call's first failure.
SIXRUNG_NORETURN inline void raise(Context *context, sixrung_status *status) {
#if SIXRUNG_EXCEPTIONS
  throw Failure(context->host, status);
#else
  if (context->failure)
    context->host->status_release(status);
  else
    context->failure = status;
#endif
}

inline void check(Context *context, sixrung_status *status) {
  if (status)
    raise(context, status);
}

inline sixrung_status *makeStatus(const sixrung_host *host, uint32_t code, std::string_view message,
                                  std::string_view hint = {}) {
  sixrung_status *status = host->status_create(code, message.data(), message.size());
  if (!hint.empty() && SIXRUNG_HAS(host, status_add))
    host->status_add(status, str("hint"), str(hint));
  return status;
}

} // namespace detail

// Fails the lowering with a code of plugin.h, what is wrong, and what to do about it.
SIXRUNG_NORETURN inline Failed fail(uint32_t code, std::string_view message, std::string_view hint = {}) {
  detail::Context *context = detail::current;
  detail::raise(context, detail::makeStatus(context->host, code, message, hint));
#if !SIXRUNG_EXCEPTIONS
  return {};
#endif
}

// The input is well formed, but this lowering cannot express it.
SIXRUNG_NORETURN inline Failed unsupported(std::string_view what, std::string_view hint = {}) {
  fail(SIXRUNG_UNSUPPORTED, what, hint);
#if !SIXRUNG_EXCEPTIONS
  return {};
#endif
}

// True once something failed; only ever seen without exceptions.
inline bool failed() { return detail::current && detail::current->failed(); }

namespace detail {
// The minor that brought each slot, by name.
namespace since {
#define SIXRUNG_HOST_FN(minor, ret, name, params) inline constexpr unsigned name = minor;
#include "sixrung/host_functions.def"
#undef SIXRUNG_HOST_FN
} // namespace since

inline void missing(const sixrung_host *host, const char *slot, unsigned minor) {
  std::string text = "needs host ABI " + std::to_string(SIXRUNG_ABI_MAJOR) + "." + std::to_string(minor) +
                     " ('" + slot + "'), this is " + std::to_string(host->abi_major) + "." +
                     std::to_string(host->abi_minor);
  fail(SIXRUNG_VERSION, text, "use a newer sixrung");
}
} // namespace detail

// Calls a slot of the host table after the check ABI-5 asks for.
#define SIXRUNG_HOST_CALL(context, slot, ...)                                                                \
  do {                                                                                                       \
    ::sixrung::detail::Context *sixrungContext = (context);                                                  \
    if (sixrungContext->failed())                                                                            \
      break;                                                                                                 \
    if (!SIXRUNG_HAS(sixrungContext->host, slot)) {                                                          \
      ::sixrung::detail::missing(sixrungContext->host, #slot, ::sixrung::detail::since::slot);               \
      break;                                                                                                 \
    }                                                                                                        \
    ::sixrung::detail::check(sixrungContext, sixrungContext->host->slot(__VA_ARGS__));                       \
  } while (0)

} // namespace sixrung
