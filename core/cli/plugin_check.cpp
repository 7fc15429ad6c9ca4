// `plugin check`: the conformance suite on a finished library, one line a check.
#include "core/cli/commands.hpp"

#include "core/cli/report.hpp"
#include "core/cli/table.hpp"
#include "core/conformance/conformance.hpp"
#include "core/load/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace sixrung::cli {

namespace {

namespace fs = std::filesystem;
using conformance::Check;
using conformance::Outcome;

std::vector<std::string> besideLibrary(const std::string &file) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(fs::path(file).parent_path() / "samples", error), end; !error && it != end;
       it.increment(error))
    if (it->path().extension() == ".pt2")
      found.push_back(it->path().string());
  std::sort(found.begin(), found.end());
  return found;
}

std::string_view word(Outcome outcome) {
  return outcome == Outcome::kPass ? "pass" : outcome == Outcome::kFail ? "FAIL" : "not run";
}

// Messages of several lines in one cell.
std::string rest(const Check &check) {
  std::string text = check.remedy.empty() ? check.detail : check.detail + ". " + check.remedy;
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string table(const conformance::Report &report) {
  constexpr size_t kShown = 6;
  Table out({"CHECK", "RESULT", "DETAIL"});
  const std::vector<Check> &checks = report.checks;
  for (size_t i = 0, end; i < checks.size(); i = end) {
    // A library of a hundred keys without a sample is told in one line.
    for (end = i + 1; end < checks.size() && checks[end].outcome == checks[i].outcome &&
                      rest(checks[end]) == rest(checks[i]);)
      ++end;
    bool together = end - i > kShown && checks[i].name.starts_with("lowers ");
    std::string name =
        together ? fmt::format("{} to {} ({})", checks[i].name, checks[end - 1].name.substr(7), end - i)
                 : checks[i].name;
    out.row({name, std::string(word(checks[i].outcome)), rest(checks[i])});
    if (!together)
      end = i + 1;
  }
  return out.text() + fmt::format("{} passed, {} failed, {} not run\n", report.count(Outcome::kPass),
                                  report.count(Outcome::kFail), report.count(Outcome::kNotRun));
}

Json json(const conformance::Report &report) {
  Json checks = Json::array();
  for (const Check &check : report.checks)
    checks.push_back({{"name", check.name},
                      {"result", check.outcome == Outcome::kPass   ? "pass"
                                 : check.outcome == Outcome::kFail ? "fail"
                                                                   : "not_run"},
                      {"detail", check.detail},
                      {"remedy", check.remedy}});
  return {{"file", report.file},
          {"id", report.id},
          {"version", report.version},
          {"built", report.built},
          {"native", report.native},
          {"checks", std::move(checks)},
          {"passed", report.count(Outcome::kPass)},
          {"failed", report.count(Outcome::kFail)},
          {"not_run", report.count(Outcome::kNotRun)}};
}

} // namespace

Exit checkPlugin(const PluginCheckOptions &options) {
  conformance::Options suite;
  suite.timeout = std::chrono::seconds(options.timeout);
  std::vector<std::string> files = options.samples;
  for (std::string &file : besideLibrary(options.file))
    files.push_back(std::move(file));
  for (const std::string &file : files)
    suite.samples.push_back({file, std::make_shared<const graph::Program>(load::loadPt2(file))});
  conformance::Report report = conformance::check(options.file, suite);
  if (options.json)
    printJson(json(report));
  else
    printText(table(report));
  return report.count(Outcome::kFail) ? kPlugin : kOk;
}

} // namespace sixrung::cli
