# Tests.  Each file below is found by its place and name; none is listed.
#
#     tests/FOLDER/test_*.c     cmocka, linked with the static library: internal headers are in reach
#     tests/fuzz/fuzz_*.c       fuzz targets, replayed here on tests/fuzz/corpus/NAME
#     tests/cli/*.sh            the command's output against NAME.expected, where there is one
#     tests/house/*.sh          the tree and the finished library
#     examples/*.c              run, and must succeed
#     tools/parity.c            run on tests/golden
#
# NLM_TEST_ONLY chooses among them.  All tests run in the root of the sources.  The sanitizers are told to refuse impossible sizes as malloc would.

# Whether a test is wanted, and has what it needs: those of PNG and gzip make such files.
set(picture_tests "^(fuzz/fuzz_picture|perception/test_(idx|picture|picture_alloc|perception_alloc)|task/test_gallery(_alloc)?|report/test_perceived|cli/(pictures|picture_rules|infer_images))$")
if(NOT has_pictures)
  message(STATUS "tests of PNG and gzip are left out")
endif()
function(nlm_wanted name result)
  set(${result} OFF PARENT_SCOPE)
  if("${name}" MATCHES "${NLM_TEST_ONLY}" AND (has_pictures OR NOT "${name}" MATCHES "${picture_tests}"))
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

function(nlm_test name)
  nlm_wanted(${name} wanted)
  if(NOT wanted)
    return()
  endif()
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT 1800 SKIP_RETURN_CODE 77 ENVIRONMENT
      "ASAN_OPTIONS=allocator_may_return_null=1;UBSAN_OPTIONS=print_stacktrace=1")
endfunction()

# Fuzz targets: with libFuzzer they run by themselves, otherwise a small main replays the corpus.
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/fuzz_*.c)
foreach(source ${fuzz_sources})
  cmake_path(GET source STEM name)
  string(REPLACE "fuzz_" "" corpus ${name})
  nlm_wanted(fuzz/${name} wanted)
  if(NOT wanted)
    continue()
  endif()
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE src)
  target_link_libraries(${name} PRIVATE nlm_static ${packages})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY tests/fuzz)
  if(NLM_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${name} PRIVATE tests/fuzz/replay.c)
    nlm_test(fuzz/${name} ${name} tests/fuzz/corpus/${corpus})
  endif()
endforeach()
if(NLM_FUZZ)
  return()
endif()

pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
file(GLOB test_sources CONFIGURE_DEPENDS tests/*/test_*.c)
foreach(source ${test_sources})
  cmake_path(GET source STEM name)
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder)
  set(target ${folder}-${name})
  nlm_wanted(${folder}/${name} wanted)
  if(NOT wanted)
    continue()
  endif()
  add_executable(${target} ${source})
  target_include_directories(${target} PRIVATE src tests)
  target_include_directories(${target} SYSTEM PRIVATE ${RANDOM123_INCLUDE})
  target_link_libraries(${target} PRIVATE nlm_static PkgConfig::CMOCKA ${packages} m)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY tests/${folder})
  if(folder STREQUAL cli)
    target_link_libraries(${target} PRIVATE nlm_cli)
  elseif(folder STREQUAL report)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE nlm_report_static)
  endif()
  # These define __wrap_malloc and its kin, to make the n-th allocation of the library fail.
  if(folder STREQUAL alloc OR name MATCHES "_alloc$")
    target_link_options(${target} PRIVATE LINKER:--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc)
  endif()
  # These define __wrap_open and its kin, to make the n-th call that writes fail.
  if(name MATCHES "_io$")
    target_link_options(${target} PRIVATE
      LINKER:--wrap=open,--wrap=fopen,--wrap=fdopen,--wrap=ftruncate,--wrap=fwrite,--wrap=fflush,--wrap=fsync,--wrap=fclose,--wrap=rename,--wrap=mkdir)
  endif()
  nlm_test(${folder}/${name} ${target})
endforeach()

file(GLOB cli_scripts CONFIGURE_DEPENDS tests/cli/*.sh)
# Cases that mostly learn, for minutes under the sanitizers, by parts of the command that other cases go through.
set(long_learning ilp large_world noise reproduce shared whole_folders)
foreach(script ${cli_scripts})
  cmake_path(GET script STEM name)
  if(CMAKE_C_FLAGS MATCHES "-fsanitize" AND name IN_LIST long_learning)
    continue()
  endif()
  nlm_test(cli/${name} bash tests/cli/run-case tests/cli/${name}.sh $<TARGET_FILE:nlm_command>)
  # The slowest begin first, so that no processor waits for them at the end.
  nlm_wanted(cli/${name} wanted)
  if(wanted)
    set_tests_properties(cli/${name} PROPERTIES COST 10)
  endif()
endforeach()

foreach(example ${examples})
  cmake_path(GET example STEM name)
  nlm_test(examples/${name} example_${name})
endforeach()

if(TARGET tool_parity)
  nlm_test(parity tool_parity tests/golden)
endif()

if(NOT has_pictures AND NOT NLM_OPENBLAS)
  nlm_test(house/core bash tests/house/core.sh $<TARGET_FILE:nlm_shared> $<TARGET_FILE:nlm_command>)
endif()
if(NLM_TEST_HOUSE)
  nlm_test(house/layers bash tests/house/layers.sh)
  nlm_test(house/command bash tests/house/command.sh)
  nlm_test(house/short bash tests/house/short.sh)
  nlm_test(house/lines bash tests/house/lines.sh)
  nlm_test(house/format bash tests/house/format.sh)
  nlm_test(house/symbols bash tests/house/symbols.sh $<TARGET_FILE:nlm_shared> $<TARGET_FILE:nlm_report_shared>)
  nlm_test(house/null_arguments bash tests/house/null_arguments.sh $<TARGET_FILE:nlm_shared> $<TARGET_FILE:nlm_report_shared>)
  nlm_test(house/binaries bash tests/house/binaries.sh ${CMAKE_BUILD_TYPE} $<TARGET_FILE:nlm_command> $<TARGET_FILE:nlm_shared>
           $<TARGET_FILE:nlm_report_shared>)
  nlm_test(house/new_setting bash tests/house/new_setting.sh)
  nlm_test(house/install bash tests/house/install.sh ${PROJECT_BINARY_DIR})
endif()
