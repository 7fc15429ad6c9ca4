// `plugin new`: a folder that builds, from the templates of the SDK.
#include "core/cli/commands.hpp"

#include "core/cli/report.hpp"
#include "core/lower/discovery.hpp"
#include "core/lower/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

namespace sixrung::cli {

namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestName = 64;
// Taken by torch's own libraries, by this product, or as targets by CMake.
constexpr std::array<std::string_view, 20> kReserved = {
    "all",          "aten",        "clean",   "coreai", "coreaix",     "edit_cache", "help",
    "higher_order", "install",     "package", "prim",   "prims",       "quantized",  "rebuild_cache",
    "sixrung",      "sixrung_sdk", "test",    "torch",  "torchvision", "std"};

[[noreturn]] void fail(const fs::path &path, const std::string &why) {
  throw Error(ErrorKind::kIo, fmt::format("cannot write {}: {}", path.string(), why))
      .with("hint", "nothing was written; choose another folder with -o");
}

// The name is an id's last label; with '-' as '_' it is a CMake target and the ops' namespace.
std::string identifierOf(const std::string &name) {
  auto word = [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-'); };
  bool letterFirst = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0]));
  if (!letterFirst || name.size() > kLongestName || !std::all_of(name.begin(), name.end(), word))
    throw UsageError(
        fmt::format("'{}' is no name for a plugin", name),
        fmt::format("letters, digits, '-' and '_', a letter first, at most {}: acme-rope", kLongestName));
  std::string identifier = name;
  std::replace(identifier.begin(), identifier.end(), '-', '_');
  if (std::find(kReserved.begin(), kReserved.end(), identifier) != kReserved.end())
    throw UsageError(
        fmt::format("'{}' is taken: it names the plugin's target in CMake and its ops' namespace", name),
        fmt::format("call it acme-{}", name));
  return identifier;
}

using Words = std::map<std::string, std::string>; // by the word between two '@'

std::string filled(const std::string &text, const Words &words) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t open = std::min(text.find('@', at), text.size());
    out.append(text, at, open - at);
    at = open;
    if (open == text.size())
      break;
    size_t close = text.find('@', open + 1);
    auto word = close == text.npos ? words.end() : words.find(text.substr(open + 1, close - open - 1));
    if (word == words.end()) { // a decorator, an address
      out += text[at++];
      continue;
    }
    out += word->second;
    at = close + 1;
  }
  return out;
}

std::string read(const fs::path &file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in)
    throw Error(ErrorKind::kIo, fmt::format("cannot read the template {}", file.string()))
        .with("hint", "install sixrung again");
  return text;
}

// A folder beside the target, which takes its place when it is whole; removed when that does not happen.
class Staged {
public:
  explicit Staged(const fs::path &target) : target_(target) {
    std::string pattern = target.string() + ".XXXXXX";
    if (!::mkdtemp(pattern.data()))
      fail(target, std::strerror(errno));
    folder_ = pattern;
    fs::permissions(folder_,
                    fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read |
                        fs::perms::others_exec,
                    fs::perm_options::add);
  }
  ~Staged() {
    std::error_code ignored;
    if (!folder_.empty())
      fs::remove_all(folder_, ignored);
  }
  Staged(const Staged &) = delete;

  void write(const fs::path &name, const std::string &text) {
    std::ofstream out(folder_ / name, std::ios::binary);
    out << text;
    out.close();
    if (!out)
      fail(target_ / name, std::strerror(errno));
  }
  void commit() {
    std::error_code error;
    fs::rename(folder_, target_, error);
    if (error)
      fail(target_, error.message());
    folder_.clear();
  }

private:
  fs::path target_, folder_;
};

std::string quoted(const std::string &word) {
  bool plain = std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) || std::strchr("_-./+:,@%=", c) != nullptr;
  });
  if (plain && !word.empty())
    return word;
  std::string out = "'";
  for (char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string shortVersion(const std::string &version) { // "0.1.0" to "0.1"
  return version.substr(0, version.find('.', version.find('.') + 1));
}

} // namespace

Exit newPlugin(const PluginNewOptions &options) {
  std::string identifier = identifierOf(options.name);
  fs::path sdk = lower::sdkFolder(), templates = sdk / "share/sixrung_sdk/templates";
  fs::path target =
      options.output.empty() ? fs::path(options.name) : fs::path(options.output).lexically_normal();
  if (!target.has_filename()) // "acme/"
    target = target.parent_path();
  std::error_code error;
  if (fs::exists(fs::symlink_status(target, error)))
    fail(target, "it exists already");
  if (fs::path parent = target.parent_path(); !parent.empty() && !fs::is_directory(parent, error))
    fail(target, fmt::format("there is no folder {}", parent.string()));

  std::map<std::string, fs::path> files;
  for (const char *folder : {"common", options.language.c_str()})
    for (fs::directory_iterator it(templates / folder, error), end; !error && it != end; it.increment(error))
      if (it->is_regular_file(error)) // pip compiles Python files where they lie: __pycache__
        files[it->path().filename().string()] = it->path();
  if (error || files.empty())
    throw Error(ErrorKind::kIo, fmt::format("the templates are missing from the SDK in {}", sdk.string()))
        .with("hint", "install sixrung again");
  std::string source;
  for (const auto &[name, path] : files)
    if (path.stem() == "lowering")
      source = name;
  Words words = {{"NAME", options.name},
                 {"IDENTIFIER", identifier},
                 {"SOURCE", source},
                 {"SDK_VERSION", shortVersion(lower::productVersion())}};
  Staged staged(target);
  std::string written;
  for (const auto &[name, path] : files) {
    staged.write(name, filled(read(path), words));
    written += " " + name;
  }
  staged.commit();

#if defined(__APPLE__)
  constexpr const char *kSuffix = ".dylib";
#else
  constexpr const char *kSuffix = ".so";
#endif
  fs::path build = target / "build";
  printText(fmt::format("wrote {}:{}\nnext:\n"
                        "  cmake -S {} -B {} -DCMAKE_PREFIX_PATH={} && cmake --build {}\n"
                        "  python {}\n"
                        "  sixrung plugin check {}\n",
                        target.string(), written, quoted(target.string()), quoted(build.string()),
                        quoted(sdk.string()), quoted(build.string()),
                        quoted((target / "test_lowering.py").string()),
                        quoted((build / ("lib" + identifier + kSuffix)).string())));
  return kOk;
}

} // namespace sixrung::cli
