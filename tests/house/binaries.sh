#!/usr/bin/env bash
# The finished command and library are built as distributions build theirs, and load nothing from the current folder:
# binaries.sh BUILD_TYPE COMMAND LIBRARY REPORT_LIBRARY
set -eu
build_type=$1 command=$(realpath "$2") library=$(realpath "$3") report=$(realpath "$4")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0
complain() {
    echo "$*"
    status=1
}

for file in "$command" "$library" "$report"; do
    dynamic=$(readelf --dynamic --wide "$file")
    symbols=$(nm --dynamic --undefined-only "$file")
    folders=$(sed -nE 's/.*\((RPATH|RUNPATH)\).*\[(.*)\]/\2:/p' <<<"$dynamic")
    while IFS= read -r -d: entry; do
        [[ $entry == /* ]] || complain "$file: looks for libraries in '$entry', which depends on the current folder"
    done <<<"$folders"
    readelf --file-header "$file" | grep -q 'Type:.*DYN' || complain "$file: is not position independent"
    readelf --program-headers --wide "$file" | grep -q GNU_RELRO || complain "$file: has no RELRO"
    grep -qE 'FLAGS.*(BIND_NOW|NOW)' <<<"$dynamic" || complain "$file: has no BIND_NOW"
    readelf --program-headers --wide "$file" | grep -qE 'GNU_STACK.*RWE' && complain "$file: has an executable stack"
    grep -q __stack_chk_fail <<<"$symbols" || complain "$file: has no stack protector"
    if [ "$build_type" = Release ]; then
        grep -q '__snprintf_chk' <<<"$symbols" || complain "$file: is built without FORTIFY"
    fi
done

# A library of the same name as one that the command needs, in the current folder, must not run.
cd "$folder"
cat >planted.c <<'END'
#include <unistd.h>
__attribute__((constructor)) static void planted(void)
{
    _exit(99);
}
END
readelf --dynamic --wide "$command" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p' | grep -v -E '^(libc|ld-.*)\.so' >needed
echo libopenblas.so.0 >>needed
gcc -shared -fPIC planted.c -o planted.so
while read -r name; do
    cp planted.so "$name"
done <needed
"$command" --version || complain "$command: ran a library of the current folder"
"$command" train has-father --model memnn --width 8 --epochs 1 --batches 1 --exam 0 --quiet -o planted.nlm >output 2>&1 || {
    cat output
    complain "$command: memory networks ran a library of the current folder"
}
exit $status
