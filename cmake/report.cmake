# The page writer: a library of its own, libnlm-report, on the public headers of libnlm.

# The SHA-256 of a file in base 64, as the policy of a page names it: 11 groups of 24 bits, of which the last has 16.
function(nlm_hash file result)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(text "sha256-")
  file(SHA256 ${file} hash)
  foreach(at RANGE 0 60 6)
    string(SUBSTRING "${hash}00" ${at} 6 group)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING ${digits} ${digit} 1 digit)
      string(APPEND text ${digit})
    endforeach()
  endforeach()
  string(REGEX REPLACE ".$" "=" text ${text})
  set(${result} ${text} PARENT_SCOPE)
endfunction()

# Files as texts of C: asset_NAME holds report/assets/NAME.* (style and scripts of the pages).
file(GLOB assets CONFIGURE_DEPENDS report/assets/*)
set(asset_texts "#include \"report/assets.h\"\n")
foreach(asset ${assets})
  get_filename_component(name ${asset} NAME_WE)
  nlm_bytes(${asset} bytes)
  nlm_hash(${asset} hash)
  string(APPEND asset_texts "static const char text_of_${name}[] = ${bytes};\n"
                            "const asset asset_${name} = {text_of_${name}, \"${hash}\"};\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/report_assets.c CONTENT "${asset_texts}" @ONLY)

file(GLOB report_sources CONFIGURE_DEPENDS report/*.c)
add_library(nlm_report_objects OBJECT ${report_sources} ${PROJECT_BINARY_DIR}/report_assets.c)
target_include_directories(nlm_report_objects PRIVATE include ${PROJECT_SOURCE_DIR})

add_library(nlm_report_static STATIC $<TARGET_OBJECTS:nlm_report_objects>)
add_library(nlm_report_shared SHARED $<TARGET_OBJECTS:nlm_report_objects>)
target_link_libraries(nlm_report_static PUBLIC nlm_static m)
target_link_libraries(nlm_report_shared PUBLIC nlm_shared PRIVATE m)
set_target_properties(nlm_report_static nlm_report_shared PROPERTIES OUTPUT_NAME nlm-report)
target_link_options(nlm_report_shared PRIVATE LINKER:--version-script=${exports})
set_target_properties(nlm_report_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${soversion}
                                                   LINK_DEPENDS ${exports})
