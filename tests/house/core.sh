#!/usr/bin/env bash
# The small core: without its components the library needs Jansson and the C library alone, learns and concludes, and says what
# it cannot read.  A component that is not found is left out, and a line of cmake says so.
# core.sh LIBRARY COMMAND
set -eu
library=$(realpath "$1") command=$(realpath "$2")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

needed=$(readelf --dynamic --wide "$library" | sed -nE 's/.*\(NEEDED\).*\[(.*)\.so.*\]/\1/p' | sort | tr '\n' ' ')
echo "needs $needed"
for name in $needed; do
    case $name in
    libjansson | libc | libm | ld-linux*) ;;
    *)
        echo "$library needs $name"
        exit 1
        ;;
    esac
done

"$command" train ilp-grandparent --epochs 20 --quiet --force -o "$folder/model.nlm" || [ $? -le 2 ]
"$command" infer "$folder/model.nlm" examples/family/apply.pl >"$folder/conclusions" 2>&1 || true
printf '\037\213\010' >"$folder/train-images-idx3-ubyte.gz"
if "$command" train adjacent-to-zero --images "$folder" -o "$folder/zero.nlm" 2>"$folder/message"; then exit 1; fi
grep -q 'is gzipped, and this build of nlm has no zlib' "$folder/message"

# A pkg-config that knows neither libpng nor zlib.
printf '#!/bin/sh\ncase " $* " in *" libpng "* | *" zlib "*) exit 1 ;; esac\nexec pkg-config "$@"\n' >"$folder/pkg-config"
chmod +x "$folder/pkg-config"
PKG_CONFIG=$folder/pkg-config cmake -S . -B "$folder/build" -DNLM_TESTS=OFF >"$folder/log"
grep -q -- '-- nlm is built without PNG images and gzipped files (libpng, zlib)' "$folder/log"
