#!/usr/bin/env bash
# What the shared library exports is what the public headers declare, and all of it is called nlm_*.
# symbols.sh LIBRARY, run in the root of the sources.
set -eu
library=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

nm --dynamic --defined-only --format=posix "$library" | awk '{print $1}' | sort >"$folder/exported"
for header in include/nlm/*.h; do
    gcc -E -P -I include "$header"
done | grep -oE '\bnlm_[a-z0-9_]+ *\([^*]' | sed "s| *(.*||" | sort -u >"$folder/declared"

for list in exported declared; do
    if [ ! -s "$folder/$list" ]; then
        echo "no functions $list: this check is broken"
        exit 1
    fi
done

status=0
complain() {
    if [ -n "$2" ]; then
        printf '%s:\n%s\n' "$1" "$2"
        status=1
    fi
}
complain "exported, but not called nlm_*" "$(grep -v '^nlm_' "$folder/exported" || true)"
complain "declared, but not exported" "$(comm -13 "$folder/exported" "$folder/declared")"
complain "exported, but in no public header" "$(comm -23 "$folder/exported" "$folder/declared" | grep '^nlm_' || true)"
echo "$(wc -l <"$folder/exported") symbols exported, $(wc -l <"$folder/declared") functions declared"
exit $status
