# The library: every object is compiled once and serves libnlm.a and libnlm.so.

set(include_folders
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# Settings common to all objects of the library.
function(nlm_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_include_directories(${name} PRIVATE include src)
  target_include_directories(${name} SYSTEM PRIVATE ${RANDOM123_INCLUDE})
  target_link_libraries(${name} PRIVATE Threads::Threads ${packages})
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    target_compile_definitions(${name} PRIVATE NLM_X86=1)
  endif()
endfunction()

# A file as the initializer of an array of C.
function(nlm_bytes file result)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  set(${result} "{${bytes}0}" PARENT_SCOPE)
endfunction()

# A file as a text of C: baseline_templates holds src/baseline/templates.pl.
nlm_bytes(${PROJECT_SOURCE_DIR}/src/baseline/templates.pl bytes)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/templates.c @ONLY
     CONTENT "#include \"baseline/task_templates.h\"\nconst char baseline_templates[] = ${bytes};\n")

# Definitions that people wrote, with which learned programs are compared: human_rules holds src/study/human/TASK.pl.
file(GLOB human CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/study/human/*.pl)
set(human_rows "")
foreach(rules ${human})
  get_filename_component(task ${rules} NAME_WE)
  nlm_bytes(${rules} bytes)
  string(APPEND human_rows "    {\"${task}\", (const char[])${bytes}},\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/human.c @ONLY
     CONTENT "#include \"study/human.h\"\nconst struct human_rules human_rules[] = {\n${human_rows}    {0}};\n")

# The domains of PDDL that need no file: known_domains holds src/pddl/domains/NAME.pddl, in the order of the names.
file(GLOB domains CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/pddl/domains/*.pddl)
list(SORT domains)
set(domain_rows "")
foreach(domain ${domains})
  get_filename_component(name ${domain} NAME)
  nlm_bytes(${domain} bytes)
  string(APPEND domain_rows "    {\"${name}\", (const char[])${bytes}},\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/known_domains.c @ONLY
     CONTENT "#include \"pddl/known_domains.h\"\nconst struct known_domain known_domains[] = {\n${domain_rows}    {0}};\n")

file(GLOB sources CONFIGURE_DEPENDS src/*/*.c)
list(REMOVE_ITEM sources ${absent_sources})
list(APPEND sources ${PROJECT_BINARY_DIR}/templates.c ${PROJECT_BINARY_DIR}/human.c ${PROJECT_BINARY_DIR}/known_domains.c)
set(vector_sources src/kernel/vector.c src/perception/product_vector.c src/baseline/smooth.c)
list(TRANSFORM vector_sources PREPEND ${PROJECT_SOURCE_DIR}/)
list(REMOVE_ITEM sources ${vector_sources})
nlm_objects(nlm_objects ${sources})
set(object_sets $<TARGET_OBJECTS:nlm_objects>)

# The vector kernels: the same sources, one set of objects per instruction set.
function(nlm_kernel variant)
  nlm_objects(nlm_kernel_${variant} ${vector_sources})
  target_compile_definitions(nlm_kernel_${variant} PRIVATE KERNEL_VARIANT=${variant})
  target_compile_options(nlm_kernel_${variant} PRIVATE -O3 -ffp-contract=fast -fno-math-errno -Wno-psabi ${ARGN})
  list(APPEND object_sets $<TARGET_OBJECTS:nlm_kernel_${variant}>)
  set(object_sets ${object_sets} PARENT_SCOPE)
endfunction()

nlm_kernel(generic)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  nlm_kernel(avx2 -mavx2 -mfma)
  nlm_kernel(avx512 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mfma)
endif()

add_library(nlm_static STATIC ${object_sets})
add_library(nlm_shared SHARED ${object_sets})
foreach(library nlm_static nlm_shared)
  target_include_directories(${library} INTERFACE ${include_folders})
  target_link_libraries(${library} PRIVATE $<BUILD_INTERFACE:Threads::Threads>
                                           "$<BUILD_INTERFACE:${packages}>" m ${loader_libraries})
  set_target_properties(${library} PROPERTIES OUTPUT_NAME nlm)
endforeach()

# Who links the installed static library also needs what the library uses.
target_link_libraries(nlm_static PRIVATE $<INSTALL_INTERFACE:-pthread>
                                         "$<INSTALL_INTERFACE:${JANSSON_LIBRARIES};${picture_libraries};${engine_libraries}>")

# The shared library exports nlm_* and nothing else.  Before version 1 each minor version may change the interface.
set(soversion ${PROJECT_VERSION_MAJOR})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(soversion 0.${PROJECT_VERSION_MINOR})
endif()
set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
target_link_options(nlm_shared PRIVATE LINKER:--version-script=${exports})
set_target_properties(nlm_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${soversion}
                                            LINK_DEPENDS ${exports})
