// Sessions come and go while the built-ins stay: hashing them again each time would be most of the time a
// session takes to open.
#include "core/plugin/file.hpp"
#include "core/plugin/library.hpp"

#include <chrono>
#include <filesystem>
#include <map>

namespace sixrung::plugin {
namespace {

struct Known {
  JudgedFile judged;
  bool settled = false;
};

std::map<std::string, Known> &known() { // by canonical path
  static auto *all = new std::map<std::string, Known>;
  return *all;
}

// A file written again within one tick of the clock keeps its times, so only one that had rested before it
// was read is known by them.
bool isSettled(const FileIdentity &identity) {
  using namespace std::chrono;
  constexpr int64_t kTick = 2'000'000'000;
  int64_t now = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
  return identity.changed < now - kTick && identity.modified < now - kTick;
}

} // namespace

JudgedFile judgeFile(const std::string &file) {
  std::error_code error;
  std::string path = std::filesystem::canonical(libraryFile(file), error).string();
  if (auto it = known().find(path); !error && it != known().end())
    if (it->second.settled && it->second.judged.file.identity == identityOf(path))
      return it->second.judged;

  JudgedFile judged;
  judged.file = readPluginFile(file);
  bool settled = isSettled(judged.file.identity);
  judged.manifest = manifestOf(judged.file, &judged.native);
  judged.file.bytes = {};
  // Touched while it was read: the identity is of before, so the next look would not notice.
  settled = settled && identityOf(judged.file.path) == judged.file.identity;
  known()[judged.file.path] = {judged, settled};
  return judged;
}

} // namespace sixrung::plugin
