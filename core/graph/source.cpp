// Where a node comes from, told in a way that does not depend on the machine.
#include "core/graph/program.hpp"
#include "core/graph/spelling.hpp"

#include <filesystem>

namespace sixrung::graph {
namespace {

std::string normal(std::string_view path) {
  std::string slashes(path);
  for (char &c : slashes)
    if (c == '\\')
      c = '/';
  return std::filesystem::path(slashes).lexically_normal().generic_string();
}

// Installed packages are told from there on; the folder before it is the machine's.
size_t afterSitePackages(std::string_view path) {
  for (std::string_view marker : {"site-packages/", "dist-packages/"})
    if (auto at = path.rfind(marker); at != path.npos && (at == 0 || path[at - 1] == '/'))
      return at + marker.size();
  return path.npos;
}

bool isTorch(std::string_view recorded) {
  if (recorded.empty() || recorded.front() == '<') // "<eval_with_key>.3", "<frozen importlib._bootstrap>"
    return true;
  if (auto package = afterSitePackages(recorded); package != recorded.npos)
    return recorded.substr(package, 6) == "torch/";
  if (recorded.find("torch") == recorded.npos) // nearly every frame: a path is not put in order for nothing
    return false;
  std::string path = normal(recorded);
  std::string_view file = path;
  if (auto package = afterSitePackages(file); package != file.npos) // with backslashes
    return file.substr(package, 6) == "torch/";
  // torch tells its own passes relative to itself, or to the folder a program ran in; the last is a
  // development tree.
  while (file.substr(0, 3) == "../")
    file.remove_prefix(3);
  return file.substr(0, 6) == "torch/" || file.find("/torch/fx/") != file.npos ||
         file.find("/pytorch/torch/") != file.npos;
}

} // namespace

const SourceFrame *userFrame(const Node &node) {
  for (auto frame = node.stack.rbegin(); frame != node.stack.rend(); ++frame)
    if (!isTorch(frame->file))
      return &*frame;
  return nullptr;
}

static std::string shortened(std::string_view recorded, std::string_view root) {
  std::string path = normal(recorded);
  if (path.empty() || path.front() == '<')
    return path;
  if (auto package = afterSitePackages(path); package != path.npos)
    return path.substr(package);
  if (!root.empty()) {
    std::string base = normal(root);
    if (base.back() != '/')
      base += '/';
    if (path.size() > base.size() && path.compare(0, base.size(), base) == 0)
      return path.substr(base.size());
  }
  auto last = path.rfind('/');
  if (last == path.npos || last == 0)
    return last == 0 ? path.substr(1) : path;
  auto before = path.rfind('/', last - 1);
  std::string tail = before == path.npos ? path : path.substr(before + 1);
  // A cell of a notebook: the folder is the process's, and the file's name is made of the cell.
  constexpr std::string_view kNotebook = "ipykernel_";
  if (tail.compare(0, kNotebook.size(), kNotebook) == 0)
    tail.erase(kNotebook.size() - 1, tail.find('/') - kNotebook.size() + 1);
  return tail;
}

std::string portablePath(std::string_view recorded, std::string_view root) {
  return oneLine(shortened(recorded, root));
}

} // namespace sixrung::graph
