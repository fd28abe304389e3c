#!/usr/bin/env bash
# Dependencies between folders: src/FOLDER includes headers of its own folder and of earlier ones, and public headers of
# its own floor and of earlier ones; the page writer, the command and the examples see the public interface only.  File names are unique
# in src, report and cli.  Run in the root of the sources.
set -eu

order=(base syntax kernel world perception baseline plan structure machine task pddl facts logic engine infer learn model study report)

# The floor of each public header: the lowest folder that may include it.
public='version base  status base  random base  file base  tools base  options kernel  world world  batch world  spec world
        machine machine  pass machine  evaluator machine  gallery task  task task  game task  scene task  pddl pddl
        facts facts  program logic  prove logic  why logic  alternatives logic  engine engine  database engine  infer infer  recipe base  settings learn  settings_rows learn  rules learn  evidence learn  run learn  model model  run_pool learn  needs learn  play learn  log learn  test learn
        study study  report report'

# Position of a folder in the order, or nothing.
rank() {
    local i
    for i in "${!order[@]}"; do
        if [ "${order[i]}" = "$1" ]; then echo "$i"; fi
    done
}

# The floor of a header of include/nlm, or nothing.
floor() {
    local name place
    while read -r name place; do
        if [ "nlm/$name.h" = "$1" ]; then echo "$place"; fi
    done < <(printf '%s %s\n' $public)
}

# Lines "file:line:header", one for each #include in a folder.
includes() {
    grep -rnHE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include' "$1" |
        sed -nE 's/^([^:]*:[0-9]+):[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]*)[">].*/\1:\2/p'
}

# Whether a folder of this rank may include the header.
may_include() {
    local own=$1 header=$2 there
    case $header in
    ../*) return 1 ;;
    nlm/nlm.h) return 1 ;; # everything
    nlm/*) there=$(rank "$(floor "$header")") ;;
    *) there=$(rank "${header%%/*}") ;;
    esac
    [ -z "$there" ] || [ "$there" -le "$own" ]
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
            may_include "$own" "$header" || echo "$file:$line: src/$folder may not include $header"
        done < <(includes "$path")
    done
    for path in "$root"/include/nlm/*.h; do
        [ -e "$path" ] || continue
        header=nlm/$(basename "$path")
        own=$(rank "$(floor "$header")")
        if [ "$header" = nlm/nlm.h ]; then
            continue
        elif [ -z "$own" ]; then
            echo "$header has no floor: say in $0 which folders may include it"
            continue
        fi
        while IFS=: read -r file line header; do
            may_include "$own" "$header" || echo "$file:$line: $(basename "$path") may not include $header"
        done < <(includes "$path")
    done
    for path in "$root"/cli "$root"/examples "$root"/report; do
        own=$(basename "$path")
        while IFS=: read -r file line header; do
            there=${header%%/*}
            if [ "$there" = .. ] || { [ "$there" != "$own" ] && [ -n "$(rank "$there")" ]; }; then
                echo "$file:$line: only public headers here, not $header"
            fi
        done < <(includes "$path")
    done
    find "$root"/src "$root"/cli "$root"/report -name '*.[ch]' 2>/dev/null | sed 's|.*/||' | sort | uniq -d |
        sed 's|$|: two files have this name|'
}

# The check itself is checked: a planted violation of each kind must be found.
planted() {
    local root=$1 count
    mkdir -p "$root"/src/{base,world,attic} "$root"/{cli,examples,report,include/nlm}
    printf '#include "world/world.h"\n' >"$root/src/base/early.c"
    printf ' # include <machine/unit.h>\n' >"$root/src/world/early.h"
    printf '#include "../base/late.h"\n' >"$root/src/world/around.c"
    printf '#include "nlm/pass.h"\n' >"$root/src/world/public.c"
    printf '#include "nlm/nlm.h"\n' >"$root/src/base/all.c"
    printf '#include "base/memory.h"\n#include "world/world.h"\n#include <stdio.h>\n#include "nlm/batch.h"\n' \
        >"$root/src/world/fine.c"
    printf '#include "nlm/machine.h"\n' >"$root/include/nlm/batch.h"
    printf '\n' >"$root/include/nlm/unknown.h"
    printf '#include "base/memory.h"\n' >"$root/cli/inside.c"
    printf '#include "../src/base/memory.h"\n' >"$root/examples/outside.c"
    printf '#include "machine/pass.h"\n' >"$root/report/within.c"
    printf '#include "nlm/report.h"\n#include "report/page.h"\n' >"$root/report/pages.c"
    printf '#include "report/page.h"\n' >"$root/cli/page.c"
    printf '#include "nlm/nlm.h"\n#include "options.h"\n' >"$root/cli/fine.c"
    count=$(violations "$root" | wc -l)
    if [ "$count" -ne 13 ]; then
        echo "this check is broken: of 13 planted violations it reports $count"
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
