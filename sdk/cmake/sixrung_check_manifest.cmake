# cmake -DLIBRARY=file -DMANIFEST=file -P: whether a library embeds the manifest a file says. Reads bytes, so it works for a
# library of another system, too.
cmake_policy(VERSION 3.24)
file(READ "${LIBRARY}" bytes HEX)
string(FIND "${bytes}" "73697872756e672d6d616e696665737420" at) # "sixrung-manifest "
if(at EQUAL -1)
  message(FATAL_ERROR "${LIBRARY} has no manifest: write it with SIXRUNG_PLUGIN or SIXRUNG_C_PLUGIN")
endif()
string(SUBSTRING "${bytes}" ${at} 4194304 rest)

# Line by line, as long as they are lines of a manifest: what follows it in the file is something else.
set(found "")
while(rest MATCHES "^(([2-7][0-9a-f])+)0a")
  string(REGEX REPLACE "^(([2-7][0-9a-f])+)0a.*" "\\1" line "${rest}")
  string(LENGTH "${line}" length)
  math(EXPR length "${length} + 2")
  string(SUBSTRING "${rest}" ${length} -1 rest)
  string(REGEX REPLACE "(..)" "0x\\1;" codes "${line}")
  set(text "")
  foreach(code IN LISTS codes)
    if(NOT code STREQUAL "")
      math(EXPR code "${code}")
      string(ASCII ${code} letter)
      string(APPEND text "${letter}")
    endif()
  endforeach()
  if(NOT text MATCHES "^(sixrung-manifest|id|version|abi|min-host|tier|lowering|override|emitter|composite|strategy) ")
    break()
  endif()
  string(APPEND found "${text}\n")
endwhile()

if(EXISTS "${MANIFEST}")
  file(READ "${MANIFEST}" wanted)
  string(REPLACE "\r" "" wanted "${wanted}")
endif()
if(NOT found STREQUAL wanted)
  file(WRITE "${LIBRARY}.manifest" "${found}")
  file(REMOVE "${LIBRARY}") # so that the next build looks again
  string(REGEX REPLACE "([^\n]+)" "    \\1" shown "${found}") # CMake keeps the lines of indented text
  message(FATAL_ERROR "the manifest of the library is not that of ${MANIFEST}. It is now:\n${shown}"
    "  If that is meant:\n    cp ${LIBRARY}.manifest ${MANIFEST}")
endif()
