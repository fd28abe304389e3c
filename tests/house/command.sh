#!/usr/bin/env bash
# The command parses and prints; all else is the library's.  It is small, and has no JSON library, no threads, no batch,
# structure or pass but where it measures speed, and no case for a task, game or model by its name.  Run in the root of
# the sources.
set -eu

# 8,750 were enough before PDDL, 9,550 before databases, many machines and JSON from every command.
most_lines=10500

# The names of tasks, games and models, as a pattern.
names() {
    {
        printf '%s\n' nlm memnn dilp
        grep -rhoE '(\{\{?|\.name = )"[a-z0-9-]+",' --include='*.c' src/task | grep -oE '"[^"]+"' | tr -d '"'
    } | sort -u | paste -sd '|'
}

# Prints lines of cli/ below a root that match a pattern, files whose names match `except` left out.
refuse() {
    local root=$1 pattern=$2 except=$3 why=$4 file name
    for file in "$root"/cli/*.[ch]; do
        name=$(basename "${file%.*}")
        if [[ $name == $except ]]; then continue; fi
        grep -nHE "$pattern" "$file" | sed "s|\$|    <-- $why|" || true
    done
}

violations() {
    local root=$1 lines
    lines=$(cat "$root"/cli/*.[ch] | wc -l)
    if [ "$lines" -gt "$most_lines" ]; then echo "cli/ has $lines lines; $most_lines are allowed"; fi
    refuse "$root" '#include *["<]jansson' '' 'formats are read and written by the library'
    refuse "$root" 'pthread|threads\.h' '' 'threads belong to the library'
    refuse "$root" '\bnlm_(batch|structure|pass)(_[a-z_]+)?\b' 'bench*' 'ask through an evaluator, a run or an inference'
    refuse "$root" "str(case)?n?cmp\(.*\"($known)\"" '' 'what differs between them is a row of a table beside each'
}

# The check itself is checked: a planted violation of each kind must be found.
planted() {
    local root=$1 count
    mkdir -p "$root/cli"
    printf '#include <jansson.h>\n' >"$root/cli/json.c"
    printf 'static pthread_t worker;\n' >"$root/cli/worker.h"
    printf 'nlm_pass_forward(pass, structure, false, &error);\n' >"$root/cli/ask.c"
    printf 'nlm_pass_forward(pass, structure, false, &error);\n' >"$root/cli/bench_fine.c"
    printf 'if (strcmp(game->name, "blocks") == 0)\nif (strcmp(name, "mg-uncle") == 0)\n' >"$root/cli/case.c"
    printf 'if (!strcmp(model, "memnn"))\nif (strcmp(path, "-") == 0)\n' >"$root/cli/model.c"
    yes '' | head -n "$most_lines" >"$root/cli/long.c"
    count=$(violations "$root" | wc -l)
    if [ "$count" -ne 7 ]; then
        echo "this check is broken: of 7 planted violations it reports $count"
        violations "$root"
    fi
}

known=$(names)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
found=$(violations . && planted "$folder")
if [ -n "$found" ]; then
    echo "$found"
    exit 1
fi
echo "the command is $(cat cli/*.[ch] | wc -l) lines, of at most $most_lines"
