# find_package(sixrung_sdk): the target sixrung::sdk (headers alone) and sixrung_add_plugin. Works
# from any folder the package was copied to; a project in C needs no C++ compiler.
get_filename_component(_sixrung_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET sixrung::sdk)
  add_library(sixrung::sdk INTERFACE IMPORTED)
  set_target_properties(sixrung::sdk PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_sixrung_prefix}/include")
  get_property(_sixrung_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CXX" IN_LIST _sixrung_languages)
    set_property(TARGET sixrung::sdk PROPERTY INTERFACE_COMPILE_FEATURES cxx_std_20)
  endif()
  unset(_sixrung_languages)
endif()
unset(_sixrung_prefix)
include("${CMAKE_CURRENT_LIST_DIR}/sixrung_add_plugin.cmake")
