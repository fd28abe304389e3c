# Programs: the nlm command, the tools of developers (not installed) and the examples.

# The command sees public headers only.  Everything but its main is kept apart, so that tests can reach it.
file(GLOB command_sources CONFIGURE_DEPENDS cli/*.c)
list(REMOVE_ITEM command_sources ${PROJECT_SOURCE_DIR}/cli/main.c)
add_library(nlm_cli STATIC ${command_sources})
target_include_directories(nlm_cli PUBLIC cli)
target_link_libraries(nlm_cli PUBLIC nlm_report_static)

add_executable(nlm_command cli/main.c)
target_link_libraries(nlm_command PRIVATE nlm_cli)
set_target_properties(nlm_command PROPERTIES OUTPUT_NAME nlm)

# tools/NAME.c becomes nlm-NAME; a tool may look inside the library.
file(GLOB tools CONFIGURE_DEPENDS tools/*.c)
foreach(tool ${tools})
  cmake_path(GET tool STEM name)
  add_executable(tool_${name} ${tool})
  target_include_directories(tool_${name} PRIVATE src)
  target_link_libraries(tool_${name} PRIVATE nlm_static PkgConfig::JANSSON m)
  set_target_properties(tool_${name} PROPERTIES OUTPUT_NAME nlm-${name})
endforeach()

# examples/NAME.c becomes examples/NAME.
file(GLOB examples CONFIGURE_DEPENDS examples/*.c)
foreach(example ${examples})
  cmake_path(GET example STEM name)
  add_executable(example_${name} ${example})
  target_link_libraries(example_${name} PRIVATE nlm_static m)
  set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY examples)
endforeach()
