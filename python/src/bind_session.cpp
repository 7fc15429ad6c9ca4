// Sessions: plugins and lowerings, staging, conversion, emission.
#include "bindings.hpp"
#include "core/ir/builder.hpp"
#include "core/lower/explain.hpp"
#include "core/lower/provenance.hpp"
#include "core/lower/session.hpp"
#include "core/plugin/deployment.hpp"
#include "core/plugin/registry.hpp"
#include "trampoline.hpp"

#include <pybind11/stl.h>

namespace sixrung::python {
namespace {

struct PySession {
  explicit PySession(const std::string &builtins) : session(builtins) {}

  // Before the session, whose registry points at them.
  std::vector<std::unique_ptr<PythonLowering>> lowerings;
  lower::Session session;
};

void addLowering(PySession &self, const std::string &key, py::object run, const std::string &detail,
                 const std::string &file, const std::string &sourceSha256, bool allowOverride) {
  auto lowering = std::make_unique<PythonLowering>(PythonLowering{std::move(run)});
  auto owner = std::make_shared<ladder::Owner>();
  owner->id = "python";
  owner->file = file;
  owner->sha256 = sourceSha256;
  ladder::Entry entry;
  entry.key = graph::canonicalKey(key);
  entry.fn = runPythonLowering;
  entry.user = lowering.get();
  entry.owner = std::move(owner);
  entry.declaredOverride = allowOverride;
  entry.detail = detail;
  self.session.registry().addLowering(std::move(entry), allowOverride);
  self.lowerings.push_back(std::move(lowering));
}

using PyEntry = std::tuple<std::string, std::shared_ptr<LiveProgram>, std::vector<std::string>,
                           std::vector<std::string>, std::vector<std::string>>;

lower::EntryPoint entryPoint(const PyEntry &given) {
  const auto &[name, program, inputs, outputs, states] = given;
  return {name, program->program, inputs, outputs, states};
}

using PyStrategy = std::pair<std::string, std::map<std::string, std::vector<std::string>>>;

std::shared_ptr<lower::Converted> convert(PySession &self, const std::vector<PyEntry> &given,
                                          bool debugLocations, bool wideIo, const std::string &sourceRoot,
                                          const std::vector<PyStrategy> &strategies) {
  std::vector<lower::EntryPoint> entries;
  std::vector<std::shared_ptr<LiveProgram>> programs;
  for (const PyEntry &entry : given) {
    entries.push_back(entryPoint(entry));
    programs.push_back(std::get<1>(entry));
  }
  lower::ConvertOptions options;
  options.debugLocations = debugLocations;
  options.wideIo = wideIo;
  options.sourceRoot = sourceRoot;
  for (const auto &[name, given] : strategies)
    options.strategies.push_back({name, given});
  ConversionScope scope(std::move(programs));
  options.progress = [&scope](size_t, size_t) { scope.poll(); };
  try {
    py::gil_scoped_release release;
    return std::make_shared<lower::Converted>(self.session.convert(entries, options));
  } catch (const Error &error) {
    ConversionScope::throwInterrupt();
    py::object cause = ConversionScope::takeException(error.what());
    if (cause.is_none())
      throw;
    raise(error, "LoweringError", cause);
  }
}

// All or nothing: what only the plugins' own code can show is tried in a session that is thrown away.
std::vector<std::string> useDeployment(PySession &self, const std::string &path,
                                       const std::string &builtins) {
  plugin::Deployment deployment = plugin::readDeployment(path);
  plugin::inspectDeployment(deployment, self.session.registry());
  {
    lower::Session rehearsal(builtins);
    plugin::applyDeployment(deployment, rehearsal.registry());
  }
  return plugin::applyDeployment(deployment, self.session.registry());
}

py::list resolve(PySession &self,
                 const std::vector<std::pair<std::string, std::shared_ptr<LiveProgram>>> &given,
                 const std::string &sourceRoot) {
  std::vector<lower::EntryPoint> entries;
  for (const auto &[name, program] : given)
    entries.push_back({name, program->program, {}, {}, {}});
  py::list out;
  for (const lower::NodeRecord &node : lower::resolveNodes(self.session, entries, sourceRoot))
    out.append(record(node));
  return out;
}

std::vector<std::string> servedKeys(PySession &self) {
  std::set<std::string> keys;
  const ladder::Table &table = self.session.registry().table();
  for (const auto *entries : {&table.user, &table.builtin})
    for (const auto &[key, entry] : *entries)
      keys.insert(key);
  return {keys.begin(), keys.end()};
}

py::dict readDeployment(const std::string &path) {
  plugin::Deployment deployment = plugin::readDeployment(path);
  py::list plugins;
  for (const plugin::Deployment::Plugin &plugin : deployment.plugins)
    plugins.append(py::make_tuple(plugin.written, plugin.id, plugin.versions, plugin.sha256));
  py::dict overrides;
  for (const plugin::Deployment::Override &override : deployment.overrides)
    overrides[py::str(override.key)] = override.plugin;
  py::dict out;
  out["name"] = deployment.name;
  out["sha256"] = deployment.sha256;
  out["strict"] = deployment.strict;
  out["plugins"] = plugins;
  out["overrides"] = overrides;
  return out;
}

py::list plugins(PySession &self) {
  py::list out;
  for (const plugin::PluginInfo &info : self.session.registry().plugins()) {
    py::dict one;
    one["id"] = info.owner.id;
    one["version"] = info.owner.version;
    one["file"] = info.owner.file;
    one["sha256"] = info.owner.sha256;
    one["builtin"] = info.owner.builtin;
    one["lowerings"] = info.manifest.lowerings;
    one["emitters"] = info.manifest.emitters;
    one["composites"] = info.manifest.composites;
    one["strategies"] = info.manifest.strategies;
    out.append(one);
  }
  return out;
}

// (operands, attributes, results, infers) of every op of the dialect.
py::dict dialectOps() {
  auto context = ir::makeContext();
  py::dict out;
  for (const ir::OpInfo &op : ir::dialectOps(context.get()))
    out[py::str(op.name)] = py::make_tuple(op.operands, op.attributes, op.results, op.infersResults);
  return out;
}

} // namespace

void bindSession(py::module_ &module) {
  using Release = py::call_guard<py::gil_scoped_release>;
  py::class_<PySession>(module, "Session", "One registry of plugins and lowerings.")
      .def(py::init<const std::string &>(), py::arg("builtin_folder") = "", Release())
      .def(
          "load_plugin",
          [](PySession &self, const std::string &path, const std::set<std::string> &allowOverride) {
            plugin::LoadOptions options;
            for (const std::string &key : allowOverride)
              options.allowOverride.insert(plugin::isEntryPermission(key) ? key : graph::canonicalKey(key));
            self.session.registry().load(path, options);
          },
          py::arg("path"), py::arg("allow_override") = std::set<std::string>(), Release())
      .def("add_lowering", &addLowering, py::arg("key"), py::arg("run"), py::arg("detail"), py::arg("file"),
           py::arg("source_sha256"), py::arg("allow_override"))
      .def(
          "stage",
          [](PySession &self, const PyEntry &entry, const std::string &sourceRoot) {
            self.session.stage(entryPoint(entry), sourceRoot);
          },
          py::arg("entry"), py::arg("source_root") = "", Release())
      .def("convert", &convert, py::arg("entries"), py::arg("debug_locations"), py::arg("wide_io"),
           py::arg("source_root"), py::arg("strategies") = std::vector<PyStrategy>())
      .def(
          "emit",
          [](PySession &self, lower::Converted &program, const std::string &path, const std::string &name,
             const std::map<std::string, std::string> &options, bool sidecar) {
            if (sidecar)
              lower::emitWithSidecar(self.session, program, path, name, options);
            else
              self.session.emit(program, path, name, options);
          },
          py::arg("program"), py::arg("path"), py::arg("name") = "",
          py::arg("options") = std::map<std::string, std::string>(), py::arg("sidecar") = false, Release())
      .def("use_deployment", &useDeployment, py::arg("path"), py::arg("builtin_folder"), Release())
      .def(
          "deployment", [](PySession &self) { return self.session.registry().table().policy.deployment; },
          "The name of the one in use; empty for none.")
      .def("resolve", &resolve, py::arg("entries"), py::arg("source_root"))
      .def("served_keys", &servedKeys, "Every key a lowering is there for.")
      .def("plugins", &plugins)
      .def(
          "serves",
          [](PySession &self, const std::string &key) {
            return self.session.ladder().resolveKey(graph::canonicalKey(key)).entry != nullptr;
          },
          py::arg("key"), "Whether anything lowers this key.")
      .def(
          "user_lowerings",
          [](PySession &self) {
            std::vector<std::pair<std::string, std::string>> out;
            for (const auto &[key, entry] : self.session.registry().table().user)
              out.emplace_back(key, entry.owner->id);
            return out;
          },
          "(key, owner) of the lowerings that came without the product.");
  module.def("dialect_ops", &dialectOps);
  module.def("read_deployment", &readDeployment, py::arg("path"));
  module.def(
      "check_deployment",
      [](const std::string &path, const std::string &builtins) {
        lower::Session session(builtins);
        return plugin::applyDeployment(plugin::readDeployment(path), session.registry());
      },
      py::arg("path"), py::arg("builtin_folder"), Release());
  module.def(
      "lock_deployment",
      [](const std::string &path, const std::string &builtins) {
        lower::Session session(builtins);
        plugin::Locked locked = plugin::lockDeployment(path, session.registry());
        std::vector<std::string> replaced;
        for (const plugin::Locked::Replaced &one : locked.replaced)
          replaced.push_back(plugin::describe(one));
        return std::pair(locked.written, replaced);
      },
      py::arg("path"), py::arg("builtin_folder"), Release());
  module.def(
      "canonical_key", [](const std::string &spelling) { return graph::canonicalKey(spelling); },
      py::arg("spelling"));
  module.def("builtin_folder", &lower::builtinFolder);
  module.attr("__version__") = lower::productVersion();
  module.attr("abi_version") = lower::abiVersion();
}

} // namespace sixrung::python
