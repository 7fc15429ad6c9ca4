#include "core/conformance/opened.hpp"

#include "core/plugin/library.hpp"

#include <algorithm>

namespace sixrung::conformance {

std::string describeCurrentException() {
  try {
    throw;
  } catch (const std::exception &error) {
    return error.what();
  } catch (...) {
    return "something that is no std::exception";
  }
}

Returned consumed(sixrung_status *status) {
  Returned returned;
  returned.success = !status;
  try {
    plugin::throwIfFailed(status, ErrorKind::kPlugin);
  } catch (const Error &error) {
    bool ours = std::any_of(error.payload().begin(), error.payload().end(),
                            [](const auto &pair) { return pair.first == "code"; });
    (ours ? returned.message : returned.wild) = error.what();
  }
  return returned;
}

Opened::Opened(const std::string &file) {
  std::lock_guard lock(plugin::loadMutex());
  judged_ = plugin::judgeFile(file);
  plugin::checkServable(judged_.manifest, judged_.native, SIXRUNG_ABI_MINOR);
  descriptor_ =
      plugin::checkedDescriptor(plugin::openLibrary(judged_.file), judged_.manifest, SIXRUNG_ABI_MINOR);
}

Opened::Init::Init(const Opened &opened, const sixrung_host *host)
    : transaction(std::make_shared<ladder::Owner>(ladder::Owner{
          opened.manifest().id, opened.manifest().version, opened.judged_.file.path, {}, false})),
      opened_(opened), host_(host) {
  returned = called([&] { return opened.descriptor_.init(host, transaction.handle(), &state_); });
  transaction.close();
}

std::string Opened::Init::shutDown() {
  try {
    if (opened_.descriptor_.shutdown)
      opened_.descriptor_.shutdown(host_, state_);
    return {};
  } catch (...) {
    return describeCurrentException();
  }
}

} // namespace sixrung::conformance
