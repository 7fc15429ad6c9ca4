// A plugin of ABI 1.1: composites, private graphs and a strategy, as tests ask for them.
#include "sixrung/sdk.hpp"

using namespace sixrung;

#ifndef PROBE_ID
#define PROBE_ID "org.sixrung.test.newer"
#endif
#ifndef PROBE_FLAGS
#define PROBE_FLAGS 0
#endif
#ifndef PROBE_FACTOR
#define PROBE_FACTOR 2.0
#endif

namespace {

// x * factor (+ bias): its attributes show in the declaration.
Value scaleBody(Node n, Builder &b) {
  Value x = b.mul(n.tensor("x"), n.number("factor"));
  Value bias = n.optionalTensor("bias");
  return bias ? b.add(x, bias) : x;
}
Value endlessBody(Node n, Builder &b) {
  return b.composite("probe_endless", {n.tensor("x")}, {}, n.result(0));
}
Value failingBody(Node, Builder &) { return unsupported("this body fails", "use another"); }

constexpr Composite kComposites[] = {
    {.name = "probe_scale",
     .inputs = {"x", "bias"},
     .attributes = {{"factor", PROBE_FACTOR},
                    {"mode", "fast"},
                    {"count", 3},
                    CompositeAttribute::required("axes", SIXRUNG_ARG_INT_LIST),
                    CompositeAttribute::optional("window", SIXRUNG_ARG_INT)},
     .version = 2,
     .body = scaleBody,
     .flags = PROBE_FLAGS},
#ifndef PROBE_RIVAL
    {.name = "probe_endless", .inputs = {"x"}, .body = endlessBody},
    {.name = "probe_failing", .inputs = {"x"}, .body = failingBody},
#endif
};

#ifndef PROBE_RIVAL
Value scale(Node n, Builder &b) {
  return b.composite("probe_scale", {n.tensor(0), n.argCount() > 1 ? n.tensor(1) : Value()},
                     {{"axes", Ints{0, 1}}});
}
Value misuse(Node n, Builder &b) {
  return b.composite("probe_scale", {n.tensor(0), Value()}, {{"axis", Ints{0}}});
}
Value incomplete(Node n, Builder &b) { return b.composite("probe_scale", {n.tensor(0), Value()}); }
Value unknown(Node n, Builder &b) { return b.composite("probe_nothing", {n.tensor(0)}); }
Value endless(Node n, Builder &b) { return b.composite("probe_endless", {n.tensor(0)}); }
Value failing(Node n, Builder &b) { return b.composite("probe_failing", {n.tensor(0)}); }
// A private graph of the lowering's own, called twice.
Value twice(Node n, Builder &b) {
  Value x = n.tensor(0);
  sixrung_graph graph =
      b.graph("probe_exp", {{"value", x.type()}}, [&](const Values &in) { return Values{b.exp(in[0])}; });
  return b.invoke(graph, b.invoke(graph, {x}))[0];
}

constexpr Lowering kLowerings[] = {{"probe::scale.default", scale},
                                   {"probe::misuse.default", misuse},
                                   {"probe::incomplete.default", incomplete},
                                   {"probe::unknown.default", unknown},
                                   {"probe::endless.default", endless},
                                   {"probe::failing.default", failing},
                                   {"probe::twice.default", twice}};

// Cuts the nodes named in each option out under the option's name.
void byName(Partition &p) {
  for (std::string_view cut : p.option("cuts")) {
    std::vector<uint32_t> nodes;
    for (std::string_view wanted : p.option(cut))
      for (uint32_t i = 0; i < p.size(); ++i)
        if (p.node(i).name == wanted)
          nodes.push_back(i);
    p.cut(cut, nodes);
  }
}
void failingStrategy(Partition &) { fail(SIXRUNG_UNSUPPORTED, "nothing to cut here", "look elsewhere"); }

constexpr Strategy kStrategies[] = {{"probe_by_name", byName}, {"probe_failing", failingStrategy}};

#endif

} // namespace

#ifndef PROBE_RIVAL
SIXRUNG_PLUGIN(PROBE_ID, "1.0.0", kComposites, kLowerings, kStrategies);
#else
SIXRUNG_PLUGIN(PROBE_ID, "1.0.0", kComposites);
#endif
