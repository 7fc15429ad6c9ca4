#include "python.hpp"

#include "../common/failure.hpp"
#include "../common/interrupt.hpp"
#include "process.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

namespace sixrung::emit {

namespace {

namespace fs = std::filesystem;

constexpr int kLacksCoreAi = 17;
constexpr char kProbe[] = "import importlib.util, sys\n"
                          "sys.exit(0 if importlib.util.find_spec('coreai') else 17)\n";

Outcome probe(const std::string &python, const Log &log) { return run({python, "-c", kProbe}, log); }

// Of the running program; empty when the system does not tell.
fs::path executable() {
  std::error_code error;
#if defined(__APPLE__)
  char buffer[4096];
  uint32_t size = sizeof buffer;
  if (_NSGetExecutablePath(buffer, &size) != 0)
    return {};
  return fs::weakly_canonical(buffer, error);
#else
  return fs::read_symlink("/proc/self/exe", error);
#endif
}

fs::path thisLibrary() {
  Dl_info info = {};
  static const char anchor = 0;
  if (!dladdr(&anchor, &info) || !info.dli_fname)
    return {};
  std::error_code error;
  return fs::weakly_canonical(info.dli_fname, error);
}

bool isProgram(const fs::path &path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// bin/python of the environment that holds this program or this plugin.
std::vector<fs::path> nearby() {
  std::vector<fs::path> found;
  auto consider = [&](const fs::path &folder) {
    for (const char *name : {"python3", "python"})
      if (isProgram(folder / name)) {
        found.push_back(folder / name);
        return;
      }
  };
  if (fs::path exe = executable(); !exe.empty())
    consider(exe.parent_path());
  // <environment>/lib/python3.x/site-packages/... : the folder with a bin/ beside lib/.
  for (fs::path at = thisLibrary().parent_path(); at.has_relative_path(); at = at.parent_path())
    if (at.filename() == "lib" || at.filename() == "lib64")
      consider(at.parent_path() / "bin");
  return found;
}

std::string installHint(const std::string &python) {
  return "install it there: " + python + " -m pip install coreai-core==1.0.0b3";
}

std::string named(const std::string &python, const std::string &origin, const Log &log) {
  Outcome outcome = probe(python, log);
  if (outcome.ok())
    return python;
  if (InterruptGuard::interrupted())
    failIo("interrupted before the asset was saved");
  if (outcome.started && outcome.signal == 0 && outcome.exitCode == kLacksCoreAi)
    failIo("cannot save an .aimodel: the Python '" + python + "' (" + origin + ") has no coreai-core",
           installHint(python));
  failIo("cannot save an .aimodel: the Python '" + python + "' (" + origin + ") " + outcome.describe() +
             quoted(log.tail()),
         "give a working Python interpreter");
}

} // namespace

std::string findPython(const Emission &emission, const Log &log) {
  if (std::string python = emission.option("python"); !python.empty())
    return named(python, "given for this conversion", log);
  if (const char *python = std::getenv("SIXRUNG_PYTHON"); python && *python)
    return named(python, "from SIXRUNG_PYTHON", log);
  std::string tried;
  std::vector<fs::path> candidates = nearby();
  candidates.push_back("python3");
  for (const fs::path &candidate : candidates) {
    if (probe(candidate.string(), log).ok())
      return candidate.string();
    tried += (tried.empty() ? "" : ", ") + candidate.string();
  }
  failIo("cannot save an .aimodel: no Python with coreai-core was found (tried " + tried + ")",
         installHint("python3") +
             "\nor name a Python that has it: --python PATH, or the variable SIXRUNG_PYTHON"
             "\nor write .mlirb, which needs no Python");
}

std::vector<std::string> workerArguments(const Emission &emission) {
  if (std::string worker = emission.option("worker"); !worker.empty())
    return {worker};
  // In a wheel the plugins lie inside the package; in a build tree, beside it.
  fs::path folder = thisLibrary().parent_path();
  for (const char *place :
       {"../worker.py", "../../worker.py", "../python/sixrung/worker.py", "../../python/sixrung/worker.py"}) {
    std::error_code error;
    if (fs::path worker = folder / place; fs::is_regular_file(worker, error))
      return {worker.lexically_normal().string()};
  }
  return {"-m", "sixrung.worker"};
}

} // namespace sixrung::emit
