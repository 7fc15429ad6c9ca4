// Deployment files: which plugins a conversion uses, who may replace whom, what is forbidden (ABI-12,
// ABI-14). docs/deployments.md is the format.
#pragma once

#include "core/plugin/registry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sixrung::plugin {

struct Deployment {
  struct Plugin {
    std::string written; // the path as the file has it
    std::string path;    // relative to the deployment file's folder, resolved
    std::string id, versions, sha256;
    size_t line = 0;
  };
  struct Override {
    std::string key; // canonical, or "emitter:NAME" and other kinds with their prefix
    std::string plugin;
    size_t line = 0;
  };
  struct Denied {
    std::string what; // a key or an id
    size_t line = 0;
  };
  std::string path, name, sha256;
  bool strict = false;
  std::vector<Plugin> plugins; // in the order written, which is that of loading
  std::vector<Override> overrides;
  std::vector<Denied> deniedKeys, deniedPlugins;
};

// Throw Error(kInvalidInput) that begins with "FILE:LINE: ".
Deployment parseDeployment(std::string_view text, const std::string &path);
Deployment readDeployment(const std::string &path); // Error(kIo) when it cannot be read

// What the files of a deployment are, as of now. No code of a plugin has run.
struct Inspection {
  struct Plugin {
    Manifest manifest;
    std::string file, sha256; // canonical
  };
  std::vector<Plugin> plugins;
  std::vector<std::string> warnings;
};
// Every rule but those that need a plugin's code, against what `registry` holds. Throws Error(kPlugin)
// with the deployment's file and line. `pins` off: checksums are about to be written.
Inspection inspectDeployment(const Deployment &deployment, const Registry &registry, bool pins = true);
// Loads the plugins and sets the policy; gives warnings, which a strict deployment takes for errors.
std::vector<std::string> applyDeployment(const Deployment &deployment, Registry &registry);

// The text with the pins of its plugins written or replaced, and nothing else changed.
std::string withPins(std::string_view text, const std::string &path, const std::vector<std::string> &sha256s);
// What locking did: how many pins were written, and which of them took the place of another one, whose
// file is no longer there.
struct Locked {
  struct Replaced {
    std::string path, before, now; // path as the file has it
  };
  size_t written = 0;
  std::vector<Replaced> replaced;
};
// "PATH is another file than was pinned: ..."
std::string describe(const Locked::Replaced &replaced);
// Writes the pins into the file, aside and then in one step.
Locked lockDeployment(const std::string &path, const Registry &registry);

} // namespace sixrung::plugin
