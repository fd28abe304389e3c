#!/usr/bin/env bash
# Dependencies between folders: src/FOLDER includes headers of its own folder, of earlier ones and of the public
# interface; the command and the examples see the public interface only.  Run in the root of the sources.
set -eu

order=(base syntax kernel perception baseline world plan structure machine task facts infer learn report)

# Position of a folder in the order, or nothing.
rank() {
    local i
    for i in "${!order[@]}"; do
        if [ "${order[i]}" = "$1" ]; then echo "$i"; fi
    done
}

# Lines "file:line:header", one for each #include in a folder.
includes() {
    grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include' "$1" |
        sed -nE 's/^([^:]*:[0-9]+):[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]*)[">].*/\1:\2/p'
}

# Prints what is wrong below a root; nothing when all is well.
violations() {
    local root=$1 path folder own file line header there
    for path in "$root"/src/*/; do
        folder=$(basename "$path")
        own=$(rank "$folder")
        if [ -z "$own" ]; then
            echo "src/$folder has no place in the order: ${order[*]}"
            continue
        fi
        while IFS=: read -r file line header; do
            there=$(rank "${header%%/*}")
            if [ "$header" != "${header#../}" ] || { [ -n "$there" ] && [ "$there" -gt "$own" ]; }; then
                echo "$file:$line: src/$folder may not include $header"
            fi
        done < <(includes "$path")
    done
    for path in "$root"/cli "$root"/examples; do
        while IFS=: read -r file line header; do
            if [ "$header" != "${header#../}" ] || [ -n "$(rank "${header%%/*}")" ]; then
                echo "$file:$line: only public headers here, not $header"
            fi
        done < <(includes "$path")
    done
}

# The check itself is checked: a planted violation of each kind must be found.
planted() {
    local root=$1 count
    mkdir -p "$root"/src/{base,world,attic} "$root"/{cli,examples}
    printf '#include "world/world.h"\n' >"$root/src/base/early.c"
    printf ' # include <machine/unit.h>\n' >"$root/src/world/early.h"
    printf '#include "../base/late.h"\n' >"$root/src/world/around.c"
    printf '#include "base/memory.h"\n#include "world/world.h"\n#include <stdio.h>\n' >"$root/src/world/fine.c"
    printf '#include "base/memory.h"\n' >"$root/cli/inside.c"
    printf '#include "../src/base/memory.h"\n' >"$root/examples/inside.c"
    printf '#include "nlm/nlm.h"\n#include "options.h"\n' >"$root/cli/fine.c"
    count=$(violations "$root" | wc -l)
    if [ "$count" -ne 6 ]; then
        echo "this check is broken: of 6 planted violations it reports $count"
        violations "$root"
    fi
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
found=$(violations . && planted "$folder")
if [ -n "$found" ]; then
    echo "$found"
    exit 1
fi
echo "layers are in order"
