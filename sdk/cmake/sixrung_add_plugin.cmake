# sixrung_add_plugin(NAME name SOURCES a.cpp ... [MANIFEST file]) builds one plugin: a shared library with hidden
# visibility that exports exactly sixrung_plugin_v1 (ABI-2), lib<name>.so or lib<name>.dylib. Usable from the build tree and
# from the installed package alike.
#
# The table in the source writes the manifest. MANIFEST is a copy of it for people to read and review: the build fails when
# the library promises something else than the file says.

function(sixrung_add_plugin)
  cmake_parse_arguments(ARG "" "NAME;MANIFEST" "SOURCES" ${ARGN})
  if(NOT ARG_NAME OR NOT ARG_SOURCES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sixrung_add_plugin(NAME name SOURCES file... [MANIFEST file])")
  endif()
  if(APPLE) # a module would be a bundle there, under the name of a dylib
    add_library(${ARG_NAME} SHARED ${ARG_SOURCES})
  else()
    add_library(${ARG_NAME} MODULE ${ARG_SOURCES})
  endif()
  target_link_libraries(${ARG_NAME} PRIVATE sixrung::sdk)
  set_target_properties(${ARG_NAME} PROPERTIES
    PREFIX "lib" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(APPLE)
    # The folder it was built in is nobody's business.
    set_target_properties(${ARG_NAME} PROPERTIES SUFFIX ".dylib" INSTALL_NAME_DIR "@rpath"
      BUILD_WITH_INSTALL_NAME_DIR ON)
    target_link_options(${ARG_NAME} PRIVATE "LINKER:-exported_symbol,_sixrung_plugin_v1")
  else()
    # An anonymous version script: a named version node would export a second symbol.
    target_link_options(${ARG_NAME} PRIVATE
      "LINKER:--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/one_symbol.map" "LINKER:-z,defs")
    set_target_properties(${ARG_NAME} PROPERTIES LINK_DEPENDS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/one_symbol.map)
  endif()
  if(ARG_MANIFEST)
    get_filename_component(manifest "${ARG_MANIFEST}" ABSOLUTE)
    set_property(TARGET ${ARG_NAME} APPEND PROPERTY LINK_DEPENDS "${manifest}") # so that a change of it is looked at
    add_custom_command(TARGET ${ARG_NAME} POST_BUILD VERBATIM
      COMMAND ${CMAKE_COMMAND} "-DLIBRARY=$<TARGET_FILE:${ARG_NAME}>" "-DMANIFEST=${manifest}"
        -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/sixrung_check_manifest.cmake")
  endif()
endfunction()
