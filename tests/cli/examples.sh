# The problem folders of examples/: each is learned, and what was learned is applied to a larger world it has not seen.
# What must be concluded is written down beside them.
examples=$SOURCES/examples

# With sanitizers that would take minutes: there it is enough that one of them can be learned from and applied.
if grep -q __asan_init "$NLM"; then
    learn "$examples/company/learn" --quiet --epochs 1 --batches 5 -o company.nlm
    nlm infer company.nlm "$examples/company/apply.pl" --all >concluded
    test "$(wc -l <concluded)" -eq 216
    exit 0
fi

# conclude EXAMPLE: its facts to apply the model to, against what is expected.
conclude() {
    nlm infer "$1.nlm" "$examples/$1/apply.pl" | sort >concluded
    sort "$examples/$1/expected.pl" | diff - concluded
    echo "$1: all of $(wc -l <concluded) conclusions as expected"
}

show nlm train "$examples/family/learn" --quiet -o family.nlm | sed "s|$SOURCES/||"
conclude family

show nlm train "$examples/company/learn" --no-rules --quiet -o company.nlm | sed "s|$SOURCES/||"
conclude company

show nlm train "$examples/roads/learn" --target two_roads,remote --no-rules --quiet -o roads.nlm | sed "s|$SOURCES/||"
nlm test roads.nlm "$examples/roads/apply" --json >judged
diff - judged <<'END_JUDGED'
{"target": "two_roads/2", "worlds": 1, "tuples": 14280, "wrong": 0, "accuracy": 1, "precision": 1, "recall": 1}
{"target": "remote/1", "worlds": 1, "tuples": 120, "wrong": 0, "accuracy": 1, "precision": 1, "recall": 1}
END_JUDGED
echo "roads: all of $(grep -o '"tuples": [0-9]*' judged | awk '{sum += $2} END {print sum}') labels as expected"
