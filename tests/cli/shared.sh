# Several nlm reproduce at once in one folder: no run is made twice, one that a killed command leaves is taken up again,
# and all is as one command makes it, bit by bit.
set -E -o pipefail
trap 'echo "line $LINENO failed: $BASH_COMMAND"' ERR

study=(--no-rules --models nlm --tasks has-father,sort,ilp-predecessor,ilp-two-children --seeds 1 --worlds 20 --threads 1 --quiet)
names=({has-father,sort,ilp-predecessor,ilp-two-children}/seed-1)

wait_for() {
    local try
    for try in $(seq 30000); do
        if compgen -G "$1" >found; then return; fi
        sleep 0.01
    done
    echo "$1 does not come"
    return 1
}
timeless() { sed -E 's/"(seconds|test_seconds)": [0-9.]+/"\1": N/g; s/"date": "[^"]*"/"date": "D"/' "$@"; }
# A table without its head and its seconds.
tables() { tail -n +3 "$1" | sed -E 's/[0-9]+\.[0-9]+/N/g; s/ +/ /g'; }
untimed() { sed -E 's/"(examples_per_second|elapsed)": [0-9.e+-]+//g' "$1"; }
same_as_one() {
    local name
    for name in "${names[@]}"; do
        cmp one/$name.nlm "$1/$name.nlm"
        cmp <(timeless one/$name.json) <(timeless "$1/$name.json")
        cmp <(untimed one/$name.jsonl) <(untimed "$1/$name.jsonl")
    done
    cmp <(timeless one/results.json) <(timeless "$1/results.json")
    if find "$1" -name '*.claim-*' -o -name '*.lock' -o -name '*.tmp*' | grep .; then return 1; fi
}

"$NLM" reproduce "${study[@]}" --out one >table

# ---- two at once ----

for number in 1 2; do
    "$NLM" reproduce "${study[@]}" --out two >table-$number 2>errors-$number &
    pids[number]=$!
done
wait ${pids[1]}
wait ${pids[2]}
test ! -s errors-1
test ! -s errors-2
same_as_one two
cmp <(tables table) <(tables table-1)
cmp <(tables table) <(tables table-2)

# ---- three at once, one of them killed in the middle of a run ----

for number in 1 2 3; do
    "$NLM" reproduce "${study[@]}" --out three >table-$number 2>errors-$number &
    pids[number]=$!
done
wait_for 'three/*/*.nlm.claim-1'
run=$(head -n 1 found)
for try in $(seq 1000); do # the claim's text comes a moment after its name
    holder=$(awk 'NR == 3 { print $1 }' "$run" 2>/dev/null || true)
    if [ -n "$holder" ]; then break; fi
    sleep 0.01
done
{ kill -9 "$holder"; } 2>/dev/null
killed=0
for number in 1 2 3; do
    status=0
    wait ${pids[number]} 2>/dev/null || status=$?
    test $status = 0 -o $status = 137
    if [ $status = 137 ]; then killed=$((killed + 1)); fi
    if [ $status = 0 ]; then cmp <(tables table) <(tables table-$number); fi
    grep -v '^$' errors-$number && exit 1
done
test $killed = 1
same_as_one three

# The claim of another machine holds while it changes.  This one does not: the command goes on when it was silent for a
# minute, or is removed.
rm three/sort/seed-1.json
printf 'nlm claim 1\nelsewhere boot space\n12 34\n1 0.5 epoch 3\n' >three/sort/seed-1.nlm.claim-1
"$NLM" reproduce "${study[@]}" --out three >table-1 2>errors-1 &
pid=$!
sleep 1
kill -0 $pid
test ! -e three/sort/seed-1.json
rm three/sort/seed-1.nlm.claim-1
wait $pid
test ! -s errors-1
same_as_one three

# ---- ranks: what mpirun puts into the environment; one of them speaks ----

# two_ranks PREFIX COMMAND...: as two ranks at once, told by PREFIX_RANK and PREFIX_SIZE; table-RANK has what each printed.
two_ranks() {
    local prefix=$1 rank pids=()
    shift
    for rank in 0 1; do
        env "${prefix}_RANK=$rank" "${prefix}_SIZE=2" "$@" >table-$rank 2>errors-$rank &
        pids[rank]=$!
    done
    wait "${pids[0]}"
    wait "${pids[1]}"
    test ! -s table-1
    test ! -s errors-0
    test ! -s errors-1
}

quick=(--no-rules --models nlm --tasks sort --seeds 3 --worlds 20 --quiet)
two_ranks OMPI_COMM_WORLD "$NLM" reproduce "${quick[@]}" --out ranks
nlm reproduce "${quick[@]}" --out ranks >again
cmp <(tables again) <(tables table-0)
for seed in 1 2 3; do test -s ranks/sort/seed-$seed.json; done

nlm train sort --seeds 3 --worlds 20 --no-rules -o alone --quiet >table
two_ranks PMI "$NLM" train sort --seeds 3 --worlds 20 --no-rules -o seeds --quiet
for seed in 1 2 3; do cmp alone/seed-$seed.nlm seeds/seed-$seed.nlm; done
no_seconds() { sed -E 's/ +[0-9.]+( +100 %)/\1/' "$1"; }
cmp <(no_seconds table) <(no_seconds table-0)
export PMI_RANK=0 PMI_SIZE=2
show nlm train sort --seeds 3 --force -o seeds | grep -c 'force is not for several ranks' | grep -qx 1
# Whole runs are kept; those of other settings are refused.
state() { stat -c '%n %s %Y %Z %i' seeds/seed-*.nlm seeds/seed-*.json; }
state >before
nlm train sort --seeds 3 --worlds 20 --no-rules -o seeds --quiet >table-0
state | cmp - before
cmp <(no_seconds table) <(no_seconds table-0)
if nlm train sort --seeds 3 --worlds 20 --no-rules --lr 0.02 -o seeds --quiet >out 2>err; then exit 1; fi
grep -c 'lr' err >/dev/null
