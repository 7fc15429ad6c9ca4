// What the asset says of its making.
#pragma once

#include "core/lower/session.hpp"

#include <string>

namespace sixrung::cli {

// A JSON object for the emitter's option "provenance": each member becomes an entry of the asset's own
// metadata. Names the host, its ABI, and the plugins that had a part, by id, version and checksum;
// nothing of the machine.
std::string provenanceJson(lower::Session &session, const lower::Converted &program);

} // namespace sixrung::cli
