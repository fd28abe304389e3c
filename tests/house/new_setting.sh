#!/usr/bin/env bash
# A setting is one row: in a copy of the tree a row is added and used, and that is enough for `nlm train --help`, the
# option and its range, the model file, `nlm show`, resuming, and the library's names.  Run in the root of the sources.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r CMakeLists.txt cmake cli include report src "$folder"
mkdir "$folder/docs"
cp -r docs/man "$folder/docs"
cp -r completions "$folder"
cd "$folder"

# The row, and its use: every step is made as many times smaller.
row='NLM_ROW(double, caution, 1, 100, NLM_OF_ALL, "C", "divides the learning rate (1)",
        .shown = {"steps: caution #"}, .unshown = "1", .absent = "1")'
awk -v row="$row" '{ print } /^#ifdef NLM_ROW/ { print row }' include/nlm/settings_rows.h >rows
mv rows include/nlm/settings_rows.h
sed -i 's/\.rate = \([a-z_.>-]*\)lr,/.rate = \1lr \/ \1caution,/' src/learn/*.c
grep -q 'caution' src/learn/*.c

cmake -S . -B build -DNLM_TESTS=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 >log
cmake --build build --target nlm_command --parallel "$(nproc)" >>log 2>&1 || { tail -n 30 log; exit 1; }
nlm=$PWD/build/nlm

"$nlm" train --help | grep -qE '^ +--caution C +divides the learning rate \(1\)$'
small=(1-outdegree --objects 4 --batches 2 --width 2 --exam 0 --quiet)
"$nlm" train "${small[@]}" --epochs 1 -o plain.nlm
"$nlm" train "${small[@]}" --epochs 1 --caution 10 -o careful.nlm
if cmp -s plain.nlm careful.nlm; then
    echo "it has no effect"
    exit 1
fi
LC_ALL=C grep -aq '"caution":"10"' careful.nlm
LC_ALL=C grep -aq '"caution":"1"' plain.nlm
"$nlm" show careful.nlm | grep -qE '^  steps .*caution 10'
if "$nlm" show plain.nlm | grep caution; then exit 1; fi

refused() {
    local expected=$1
    shift
    if "$nlm" "$@" 2>err; then
        echo "accepted: $*"
        exit 1
    fi
    grep -qF -- "$expected" err || { cat err; exit 1; }
}
refused '--caution 101 is not between 1 and 100' train "${small[@]}" --caution 101
refused '--caution wants a number' train "${small[@]}" --caution much
refused 'a run with caution 10, not 20' train "${small[@]}" --epochs 2 --caution 20 -o careful.nlm --resume
# A file from before the setting.
LC_ALL=C sed 's/"caution":"1"/"CAUTION":"1"/; s/"checksum"/"CHECKSUM"/' plain.nlm.checkpoint >old.nlm.checkpoint
"$nlm" train "${small[@]}" --epochs 2 -o old.nlm --resume
echo "a setting is one row"
