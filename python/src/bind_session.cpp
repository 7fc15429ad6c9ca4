// Sessions: plugins and lowerings, staging, conversion, emission.
#include "bindings.hpp"
#include "core/ir/builder.hpp"
#include "core/lower/session.hpp"
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
                 const std::string &file, bool allowOverride) {
  auto lowering = std::make_unique<PythonLowering>(PythonLowering{std::move(run)});
  auto owner = std::make_shared<ladder::Owner>();
  owner->id = "python";
  owner->file = file;
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

using PyStrategy = std::pair<std::string, std::map<std::string, std::vector<std::string>>>;

std::shared_ptr<lower::Converted> convert(PySession &self, const std::vector<PyEntry> &given, bool debugLocations,
                                          bool wideIo, const std::string &sourceRoot,
                                          const std::vector<PyStrategy> &strategies) {
  std::vector<lower::EntryPoint> entries;
  std::vector<std::shared_ptr<LiveProgram>> programs;
  for (const auto &[name, program, inputs, outputs, states] : given) {
    entries.push_back({name, program->program, inputs, outputs, states});
    programs.push_back(program);
  }
  lower::ConvertOptions options;
  options.debugLocations = debugLocations;
  options.wideIo = wideIo;
  options.sourceRoot = sourceRoot;
  for (const auto &[name, given] : strategies)
    options.strategies.push_back({name, given});
  ConversionScope scope(std::move(programs));
  try {
    py::gil_scoped_release release;
    return std::make_shared<lower::Converted>(self.session.convert(entries, options));
  } catch (const Error &error) {
    py::object cause = ConversionScope::takeException(error.what());
    if (cause.is_none())
      throw;
    raise(error, "LoweringError", cause);
  }
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
      .def("load_plugin",
           [](PySession &self, const std::string &path, const std::set<std::string> &allowOverride) {
             plugin::LoadOptions options;
             for (const std::string &key : allowOverride)
               options.allowOverride.insert(graph::canonicalKey(key));
             self.session.registry().load(path, options);
           },
           py::arg("path"), py::arg("allow_override") = std::set<std::string>(), Release())
      .def("add_lowering", &addLowering, py::arg("key"), py::arg("run"), py::arg("detail"), py::arg("file"),
           py::arg("allow_override"))
      .def("stage", [](PySession &self, const LiveProgram &program) { self.session.stage(*program.program); },
           py::arg("program"), Release())
      .def("convert", &convert, py::arg("entries"), py::arg("debug_locations"), py::arg("wide_io"),
           py::arg("source_root"), py::arg("strategies") = std::vector<PyStrategy>())
      .def("emit",
           [](PySession &self, lower::Converted &program, const std::string &path, const std::string &name,
              const std::map<std::string, std::string> &options) {
             self.session.emit(program, path, name, options);
           },
           py::arg("program"), py::arg("path"), py::arg("name") = "",
           py::arg("options") = std::map<std::string, std::string>(), Release())
      .def("plugins", &plugins)
      .def("serves",
           [](PySession &self, const std::string &key) {
             return self.session.ladder().resolveKey(graph::canonicalKey(key)).entry != nullptr;
           },
           py::arg("key"), "Whether anything lowers this key.")
      .def("user_lowerings",
           [](PySession &self) {
             std::vector<std::pair<std::string, std::string>> out;
             for (const auto &[key, entry] : self.session.registry().table().user)
               out.emplace_back(key, entry.owner->id);
             return out;
           },
           "(key, owner) of the lowerings that came without the product.");
  module.def("dialect_ops", &dialectOps);
  module.def("canonical_key", [](const std::string &spelling) { return graph::canonicalKey(spelling); },
             py::arg("spelling"));
  module.def("builtin_folder", &lower::builtinFolder);
  module.attr("__version__") = lower::productVersion();
  module.attr("abi_version") = lower::abiVersion();
}

} // namespace sixrung::python
