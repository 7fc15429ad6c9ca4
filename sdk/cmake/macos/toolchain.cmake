# Cross-builds a plugin in C for macOS on any machine that has clang and lld, without an Apple SDK:
#
#   cmake -B build -DCMAKE_TOOLCHAIN_FILE=<sdk>/lib/cmake/sixrung_sdk/macos/toolchain.cmake
#         -DCMAKE_OSX_ARCHITECTURES=arm64
#
# One architecture a build; `llvm-lipo-19 -create` joins two into a universal library. The folder sysroot/ beside this
# file stands for the SDK: the few functions of the C library a plugin in C is likely to call, as libSystem has them.
# For more of it, or for C++, name an SDK of your own with -DCMAKE_OSX_SYSROOT=.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_OSX_DEPLOYMENT_TARGET 13.0 CACHE STRING "The oldest macOS the plugin loads on")
set(CMAKE_OSX_ARCHITECTURES arm64 CACHE STRING "arm64 or x86_64")
list(LENGTH CMAKE_OSX_ARCHITECTURES _sixrung_count)
if(NOT _sixrung_count EQUAL 1)
  message(FATAL_ERROR "one architecture a build: arm64 or x86_64; join two builds with llvm-lipo-19 -create")
endif()
set(CMAKE_SYSTEM_PROCESSOR ${CMAKE_OSX_ARCHITECTURES})
set(CMAKE_OSX_SYSROOT ${CMAKE_CURRENT_LIST_DIR}/sysroot CACHE PATH "An Apple SDK, or what stands for it")

find_program(CMAKE_C_COMPILER NAMES clang-19 clang REQUIRED)
find_program(CMAKE_CXX_COMPILER NAMES clang++-19 clang++ REQUIRED)
find_program(CMAKE_AR NAMES llvm-ar-19 llvm-ar REQUIRED)
find_program(CMAKE_RANLIB NAMES llvm-ranlib-19 llvm-ranlib REQUIRED)
find_program(CMAKE_STRIP NAMES llvm-strip-19 llvm-strip REQUIRED)
find_program(CMAKE_INSTALL_NAME_TOOL NAMES llvm-install-name-tool-19 llvm-install-name-tool REQUIRED)
find_program(_sixrung_ld64 NAMES ld64.lld-19 ld64.lld REQUIRED)
foreach(language C CXX)
  set(CMAKE_${language}_COMPILER_TARGET ${CMAKE_OSX_ARCHITECTURES}-apple-macos${CMAKE_OSX_DEPLOYMENT_TARGET})
endforeach()
foreach(kind SHARED MODULE EXE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld --ld-path=${_sixrung_ld64}")
endforeach()
# What is built here cannot run here.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
