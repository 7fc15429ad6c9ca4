// Ctrl-C while a file is being written: first clean up, then die of the signal as usual.
#pragma once

#include <atomic>
#include <csignal>
#include <mutex>
#include <sys/types.h>

namespace sixrung::emit {

// While one lives, SIGINT, SIGTERM and SIGHUP only raise a flag and pass on to the worker process;
// the emitter notices, unwinds, and the last guard to go raises the signal again with its default
// action. Signals the host handles itself (Python does) or ignores are left alone. Declare it before
// whatever must be cleaned up.
class InterruptGuard {
public:
  InterruptGuard() {
    std::lock_guard lock(mutex());
    if (count()++ > 0)
      return;
    caught() = 0;
    for (int i = 0; i < kSignals; ++i) {
      struct sigaction now = {};
      taken()[i] = sigaction(kSignal[i], nullptr, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
                   now.sa_handler == SIG_DFL;
      if (!taken()[i])
        continue;
      struct sigaction mine = {};
      mine.sa_handler = handle; // no SA_RESTART: waiting for the worker must end
      sigaction(kSignal[i], &mine, nullptr);
    }
  }

  ~InterruptGuard() {
    int signal = 0;
    {
      std::lock_guard lock(mutex());
      if (--count() > 0)
        return;
      for (int i = 0; i < kSignals; ++i)
        if (taken()[i])
          std::signal(kSignal[i], SIG_DFL);
      signal = caught();
    }
    if (signal)
      std::raise(signal);
  }
  InterruptGuard(const InterruptGuard &) = delete;

  static bool interrupted() { return caught() != 0; }
  // The process to pass the signal on to; 0 for none.
  static void forwardTo(pid_t worker) { child() = worker; }

private:
  static constexpr int kSignals = 3;
  static constexpr int kSignal[kSignals] = {SIGINT, SIGTERM, SIGHUP};

  static void handle(int signal) {
    caught() = signal;
    if (pid_t worker = child(); worker > 0)
      kill(worker, SIGTERM);
  }
  static std::mutex &mutex() {
    static std::mutex m;
    return m;
  }
  static int &count() {
    static int n = 0;
    return n;
  }
  static bool *taken() {
    static bool t[kSignals] = {};
    return t;
  }
  static std::atomic<int> &caught() {
    static std::atomic<int> c{0};
    return c;
  }
  static std::atomic<pid_t> &child() {
    static std::atomic<pid_t> c{0};
    return c;
  }
  static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");
};

} // namespace sixrung::emit
