# What `cmake --install` puts in place: command with its manual pages and completion, libraries, headers, pkg-config
# and CMake packages.
# The two package files find their own folder, so that the installed tree may be moved.

include(CMakePackageConfigHelpers)

install(TARGETS nlm_command RUNTIME)
install(TARGETS nlm_shared nlm_static nlm_report_shared nlm_report_static EXPORT nlm)
install(DIRECTORY include/nlm TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
file(GLOB pages CONFIGURE_DEPENDS docs/man/*.1)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES completions/nlm.bash RENAME nlm DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# The Python package, for Debian's Python: below /usr in the folder of all versions, elsewhere in that of its own.
set(NLM_PYTHON_FOLDER "" CACHE STRING "Folder of the Python package, below the prefix")
if(NLM_PYTHON_FOLDER)
  set(python_folder ${NLM_PYTHON_FOLDER})
  install(DIRECTORY bindings/python/nlm DESTINATION ${python_folder} PATTERN __pycache__ EXCLUDE)
elseif(EXISTS /usr/bin/python3)
  execute_process(COMMAND /usr/bin/python3 -c "import sys; print('%d.%d' % sys.version_info[:2])"
                  OUTPUT_VARIABLE python_version OUTPUT_STRIP_TRAILING_WHITESPACE)
  install(CODE "
    set(python_folder lib/python${python_version}/dist-packages)
    if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
      set(python_folder lib/python3/dist-packages)
    endif()
    file(INSTALL \"${PROJECT_SOURCE_DIR}/bindings/python/nlm\"
         DESTINATION \"\${CMAKE_INSTALL_PREFIX}/\${python_folder}\" PATTERN __pycache__ EXCLUDE)")
else()
  message(STATUS "the Python package is not installed: there is no /usr/bin/python3")
endif()

set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pkgconfig_to_prefix /${pkgconfig_folder} /)
# Named as libraries, not as packages: programs that use the shared library do without their headers.
set(private_libraries ${JANSSON_LIBRARIES} ${picture_libraries} ${engine_libraries})
list(REMOVE_DUPLICATES private_libraries)
list(TRANSFORM private_libraries PREPEND -l)
list(JOIN private_libraries " " private_libraries)
configure_file(cmake/nlm.pc.in nlm.pc @ONLY)
configure_file(cmake/nlm-report.pc.in nlm-report.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nlm.pc ${PROJECT_BINARY_DIR}/nlm-report.pc DESTINATION ${pkgconfig_folder})

# find_package(nlm) gives nlm::nlm (shared) and nlm::static, and of the page writer nlm::report and
# nlm::report_static.
set_target_properties(nlm_shared PROPERTIES EXPORT_NAME nlm)
set_target_properties(nlm_static PROPERTIES EXPORT_NAME static)
set_target_properties(nlm_report_shared PROPERTIES EXPORT_NAME report)
set_target_properties(nlm_report_static PROPERTIES EXPORT_NAME report_static)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/nlm)
install(EXPORT nlm NAMESPACE nlm:: FILE nlmConfig.cmake DESTINATION ${package_folder})
write_basic_package_version_file(nlmConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/nlmConfigVersion.cmake DESTINATION ${package_folder})
