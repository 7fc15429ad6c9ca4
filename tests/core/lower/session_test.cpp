// Sessions side by side, emission, discovery, speed.
#include "support.hpp"

#include "core/ir/builder.hpp"
#include "core/lower/discovery.hpp"
#include "core/lower/emission.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

using namespace sixrung;
using namespace sixrung::test;

namespace {

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

std::shared_ptr<const graph::Program> chain(int nodes) {
  ProgramMaker m;
  m.input("x", tensor({8, 16})).parameter("w", {8, 16}, std::vector<float>(128, 0.5f));
  std::string last = "x";
  for (int i = 0; i < nodes; ++i) {
    std::string name = "n" + std::to_string(i);
    if (i % 2)
      m.node(name, "aten::add.Tensor", {use(last), use("p_w")}, tensor({8, 16}));
    else
      m.node(name, "aten::relu.default", {use(last)}, tensor({8, 16}));
    m.source("/w/app/model.py", static_cast<uint32_t>(i + 1));
    last = name;
  }
  m.output(use(last));
  return m.program();
}

TEST(Sessions, TwoAtOnceKeepTheirOwnLowerings) {
  std::string expected[2], got[2];
  auto run = [](const char *op) {
    Lab lab;
    lab.elementwise("aten::relu.default", op).elementwise("aten::add.Tensor", "coreai.add");
    std::string text;
    for (int i = 0; i < 8; ++i)
      text = lab.convert(chain(60)).text();
    return text;
  };
  const char *ops[2] = {"coreai.relu", "coreai.silu"};
  for (int i = 0; i < 2; ++i)
    expected[i] = run(ops[i]);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&, i] { got[i] = run(ops[i]); });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(got[i], expected[i]);
    EXPECT_TRUE(has(got[i], ops[i]));
  }
}

TEST(Sessions, ThousandsOfNodes) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu").elementwise("aten::add.Tensor", "coreai.add");
  EXPECT_GE(lab.convert(chain(2500)).opCount(), 2500u);
}

TEST(Sessions, NothingToConvert) {
  Lab lab;
  EXPECT_THROW(lab.session.convert({}, {}), Error);
  EXPECT_THROW(lab.session.convert({lower::EntryPoint{}}, {}), Error);
}

TEST(Sessions, AMalformedProgramIsRefused) {
  Lab lab;
  graph::Program program = *chain(4);
  program.graph.nodes[0].inputs[0].value = use("nowhere");
  EXPECT_TRUE(has(lab.errorOf(std::make_shared<const graph::Program>(program)), "nowhere"));
}

struct Sink {
  std::string bytes;
  size_t refuseAfter = ~size_t{0};
};

sixrung_status *collect(void *user, const void *data, uint64_t size) {
  auto *sink = static_cast<Sink *>(user);
  if (sink->bytes.size() + size > sink->refuseAfter) {
    std::string text = "the disk is full";
    return lower::hostTable()->status_create(SIXRUNG_IO, text.data(), text.size());
  }
  sink->bytes.append(static_cast<const char *>(data), size);
  return nullptr;
}

// An emitter that serializes into the sink behind `user`.
sixrung_status *emitToSink(const sixrung_host *host, void *user, sixrung_emission emission) {
  sixrung_emission_info info{};
  info.struct_size = sizeof(info);
  if (sixrung_status *status = host->emission_info(emission, &info))
    return status;
  EXPECT_EQ(std::string(info.path.data, info.path.size), "out.lab");
  EXPECT_EQ(info.option_count, 1u);
  EXPECT_EQ(info.options[0].value.tag, SIXRUNG_ARG_STRING);
  EXPECT_EQ(take(host, host->emission_serialize(emission, 9, collect, user)).code, SIXRUNG_INVALID_ARGUMENT);
  EXPECT_EQ(take(host, host->emission_serialize({emission.id + 1}, 3, collect, user)).code,
            SIXRUNG_STALE_HANDLE);
  return host->emission_serialize(emission, SIXRUNG_FORMAT_BYTECODE, collect, user);
}

sixrung_status *emitThrows(const sixrung_host *, void *, sixrung_emission) {
  throw std::runtime_error("no ink");
}

TEST(Emission, StreamsToTheSinkAndPassesItsFailureOn) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu").elementwise("aten::add.Tensor", "coreai.add");
  lower::Converted program = lab.convert(chain(10));
  Sink sink;
  plugin::EmitterEntry emitter;
  emitter.name = "lab";
  emitter.fn = emitToSink;
  emitter.user = &sink;
  emitter.owner =
      std::make_shared<ladder::Owner>(ladder::Owner{"org.test.lab", "1.2.0", "lab.so", "", false});
  auto context = ir::makeContext();
  auto module = ir::parse(context.get(), program.bytecode());
  lower::runEmitter(emitter, *module, "out.lab", {{"level", "3"}});
  EXPECT_EQ(sink.bytes, program.bytecode());

  Sink full;
  full.refuseAfter = 10;
  emitter.user = &full;
  try {
    lower::runEmitter(emitter, *module, "out.lab", {{"level", "3"}});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    EXPECT_TRUE(has(error.what(), "emitter 'lab' of org.test.lab 1.2.0: the disk is full")) << error.what();
  }
  emitter.fn = emitThrows;
  EXPECT_THROW(lower::runEmitter(emitter, *module, "out.lab", {}), Error);
}

TEST(Emission, AnUnknownSuffixNamesWhatIsKnown) {
  Lab lab;
  lab.elementwise("aten::relu.default", "coreai.relu");
  lower::Converted program = lab.convert(oneNode("aten::relu.default", tensor({2}), tensor({2})));
  try {
    lab.session.emit(program, "model.xyz");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error &error) {
    EXPECT_TRUE(has(error.what(), "no emitter writes model.xyz")) << error.what();
  }
}

TEST(Discovery, BuiltinsAreBesideTheHostOrWhereTheEnvironmentSays) {
  ::unsetenv("SIXRUNG_BUILTIN_PLUGINS");
  std::string folder = lower::builtinFolder(); // this test lies in build/tests
  if (std::filesystem::is_directory(SIXRUNG_BUILD_DIR "/plugins")) {
    EXPECT_TRUE(std::filesystem::equivalent(folder, SIXRUNG_BUILD_DIR "/plugins")) << folder;
  }
  ::setenv("SIXRUNG_BUILTIN_PLUGINS", "/somewhere/else", 1);
  EXPECT_EQ(lower::builtinFolder(), "/somewhere/else");
  ::unsetenv("SIXRUNG_BUILTIN_PLUGINS");
}

TEST(Discovery, ThePluginPath) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lower-plugin-path";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "libbroken.so") << "not a library";
  std::ofstream(folder / "readme.txt") << "ignored";
  ::setenv("SIXRUNG_PLUGIN_PATH", (folder.string() + "::").c_str(), 1);
  EXPECT_EQ(lower::pluginPathFolders(), std::vector<std::string>{folder.string()});
  EXPECT_EQ(lower::pluginFiles(folder.string()).size(), 1u);
  EXPECT_THROW(Lab(), Error) << "a private plugin that cannot be read is an error, not a shrug";
  ::setenv("SIXRUNG_PLUGIN_PATH", "/no/such/folder", 1);
  EXPECT_THROW(lower::pluginPathFolders(), Error);
  ::unsetenv("SIXRUNG_PLUGIN_PATH");
  std::filesystem::remove_all(folder);
}

} // namespace
