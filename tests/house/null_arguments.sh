#!/usr/bin/env bash
# Every public function that returns a status refuses NULL for each pointer that it needs: NLM_BAD_ARGUMENT, no crash.
# null_arguments.sh LIBRARY..., run in the root of the sources.  Calls are made of the headers' declarations: one for each
# pointer, in which that is NULL and the others point to zeros.
set -eu
libraries=()
for library; do
    libraries+=("$(realpath "$library")" "-Wl,-rpath,$(dirname "$(realpath "$library")")")
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Pointers that may be NULL, by name or as function.name.
optional="error context options reading watch note how
    nlm_run_step.round_ended nlm_run_load.settings nlm_settings_choose_model.path nlm_job_init.folder nlm_run_pool.jobs
    nlm_world_add_object.object nlm_world_add_predicate.predicate nlm_world_add_target.target
    nlm_world_add_attribute.attribute
    nlm_world_add_fact.tuple nlm_world_add_number.tuple nlm_world_add_label.tuple nlm_position_move.reward nlm_report_add_images.folder
    nlm_machine_new.heads nlm_machine_save.metadata nlm_rule_search_save.metadata nlm_replay_add.choices nlm_settings_of_problem.needs
    nlm_pddl_read.domain nlm_pddl_read_file.domain nlm_pddl_validate.actions nlm_pddl_validate_file.actions
    nlm_prove.signature nlm_prove.rules nlm_why_write.holds nlm_inference_compare.listener nlm_doubted_labels.listener nlm_inference_count_coverage.first nlm_study_path.ending"

for header in include/nlm/*.h; do
    printf '#include "nlm/%s"\n' "$(basename "$header")"
done >"$folder/calls.c"
gcc -E -P -I include "$folder/calls.c" | tr '\n' ' ' | sed 's/;/;\n/g' |
    sed -nE 's/.*\bnlm_status (nlm_[a-z_]+)\((.*)\);$/\1(\2/p' | grep -v 'typedef' >"$folder/declarations"

awk -v optional="$optional" '
function value(i, null) {
    if (i == null) return "NULL"
    if (name[i] == "error") return "&error"
    if (is_pointer[i]) return "(void *)block"
    return type[i] ~ /^nlm_/ ? "(" type[i] "){0}" : "0"
}
BEGIN {
    count = split(optional, words, /[ \n]+/)
    for (i = 1; i <= count; i++) may_be_null[words[i]] = 1
    print "#include <stdio.h>\n#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>"
    print "static nlm_error error; static double block[1 << 16];"
    print "static int bad; static int run(nlm_status (*call)(void), const char *what) { int status; pid_t child = fork();"
    print "if (child == 0) { alarm(20); _exit(call() == NLM_BAD_ARGUMENT && (error.status == NLM_OK || strstr(error.message, \"NULL\")) ? 0 : 1); }"
    print "waitpid(child, &status, 0); if (status) { printf(\"%s: %s\\n\", what, WIFSIGNALED(status) ? \"crashes\" : \"is accepted\"); bad++; } return 0; }"
}
{
    open = index($0, "(")
    function_name = substr($0, 1, open - 1)
    text = substr($0, open + 1)
    count = 0; depth = 0; part = ""
    for (i = 1; i <= length(text) + 1; i++) {
        c = substr(text, i, 1)
        if ((c == "," && depth == 0) || c == "") { parts[++count] = part; part = ""; continue }
        depth += (c == "(") - (c == ")")
        part = part c
    }
    for (i = 1; i <= count; i++) {
        gsub(/^ +| +$/, "", parts[i])
        is_pointer[i] = parts[i] ~ /[*\[]/ || parts[i] ~ /_(listener|watch|note) /
        if (match(parts[i], /\(\*[a-z_]+\)/)) name[i] = substr(parts[i], RSTART + 2, RLENGTH - 3)
        else { name[i] = parts[i]; sub(/\[.*/, "", name[i]); sub(/.*[ *]/, "", name[i]) }
        type[i] = parts[i]; sub(/ +[a-z0-9_]+$/, "", type[i])
    }
    for (null = 1; null <= count; null++) {
        if (!is_pointer[null] || name[null] in may_be_null || (function_name "." name[null]) in may_be_null) continue
        call = ""
        for (i = 1; i <= count; i++) call = call (i > 1 ? ", " : "") value(i, null)
        number++
        printf "static nlm_status call_%d(void) { return %s(%s); }\n", number, function_name, call
        what[number] = function_name ": " name[null]
    }
}
END {
    print "int main(void) {"
    for (i = 1; i <= number; i++) printf "run(call_%d, \"%s\");\n", i, what[i]
    printf "printf(\"%d pointers of %d functions\\n\"); return bad != 0; }\n", number, NR
}' "$folder/declarations" >>"$folder/calls.c"

gcc -w -I include "$folder/calls.c" -o "$folder/calls" "${libraries[@]}" -lm
"$folder/calls"
