# find_package(sixrung_sdk) gives the target sixrung::sdk, which is headers alone, and sixrung_add_plugin.
if(NOT TARGET sixrung::sdk)
  get_filename_component(_sixrung_sdk_prefix ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)
  add_library(sixrung::sdk INTERFACE IMPORTED)
  target_include_directories(sixrung::sdk INTERFACE ${_sixrung_sdk_prefix}/include)
  if(CMAKE_CXX_COMPILER_LOADED) # a plugin in C needs no C++ compiler
    target_compile_features(sixrung::sdk INTERFACE cxx_std_20)
  endif()
  unset(_sixrung_sdk_prefix)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/sixrung_add_plugin.cmake)
