#!/usr/bin/env bash
# What the shared libraries export is what the public headers declare, and all of it is called nlm_*: of the page writer
# nlm/report.h, of the library all other headers.
# symbols.sh LIBRARY REPORT_LIBRARY, run in the root of the sources.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

status=0
complain() {
    if [ -n "$2" ]; then
        printf '%s:\n%s\n' "$1" "$2"
        status=1
    fi
}

# Functions that headers declare themselves, those that they include left out.
declared() {
    for header in "$@"; do
        gcc -E -I include "$header" |
            awk -v own="$header" '/^# [0-9]+ "/ { here = $3 == "\"" own "\"" } !/^#/ && here'
    done | tr '\n' ' ' | grep -oE '\bnlm_[a-z0-9_]+ *\([^*]' | sed "s| *(.*||" | sort -u
}

# check LIBRARY HEADER...
check() {
    local library=$1
    shift
    nm --dynamic --defined-only --format=posix "$library" | awk '{print $1}' | sort >"$folder/exported"
    declared "$@" >"$folder/declared"
    for list in exported declared; do
        if [ ! -s "$folder/$list" ]; then
            echo "no functions $list: this check is broken"
            exit 1
        fi
    done
    complain "exported, but not called nlm_*" "$(grep -v '^nlm_' "$folder/exported" || true)"
    complain "declared, but not exported" "$(comm -13 "$folder/exported" "$folder/declared")"
    complain "exported, but in no public header" "$(comm -23 "$folder/exported" "$folder/declared" | grep '^nlm_' || true)"
    echo "$(basename "$library"): $(wc -l <"$folder/exported") symbols exported, $(wc -l <"$folder/declared") declared"
}

mapfile -t headers < <(printf '%s\n' include/nlm/*.h | grep -v '/report\.h$')
check "$1" "${headers[@]}"
check "$2" include/nlm/report.h
exit $status
