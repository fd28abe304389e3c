# tools/learn-programs: trains, tests, proves, tables; what is finished is skipped, what was stopped is continued.
learn() { python3 "$SOURCES/tools/learn-programs" "$NLM" learned --tasks 1-outdegree --worlds 20 "$@"; }
quick=(--exam 500)

# Stopped at once: says so, fails, and the next call goes on.
if learn --seeds 1 --limit 0 -- "${quick[@]}" >first 2>failure; then exit 1; fi
grep -q '^1-outdegree 1: training was stopped or failed' first
grep -q '^1 of 1 are no proved programs without error: 1-outdegree-1$' failure
learn --seeds 1,2-2 -- "${quick[@]}" >second
grep -qE '^1-outdegree 2: [0-9]+ s, rules, proved, [0-9]+ wrong$' second
grep -qE '^\| 1-outdegree \| 6 \| [0-9]+ \| [0-9.]+ \| [0-9]+ \| 2 of 2 \| 2 of 2 \|' learned/programs.md
for file in log nlm prove.json test.jsonl train.json; do test -s "learned/1-outdegree-2.$file"; done

# Nothing is done twice.
cksum learned/1-outdegree-*.nlm learned/*.json >before
learn --seeds 1-2 >third
cksum learned/1-outdegree-*.nlm learned/*.json | diff before -
diff <(sort second | grep '^1-outdegree') <(sort third | grep '^1-outdegree')

# A wrong answer, a model that is no program and one that is not proved count as such.
sed -i 's/"wrong": 0,/"wrong": 7,/' learned/1-outdegree-1.test.jsonl
sed -i 's/"verdict": "proved"/"verdict": "soft"/' learned/1-outdegree-2.prove.json
if learn --seeds 1-2 >fourth 2>failure; then exit 1; fi
grep -q '^2 of 2 are no proved' failure
grep -q '^- 1-outdegree 2: soft; ' fourth
grep -q '1 of 2 | 7 in 1 of 2 | 7 in 1 of 2 ' fourth

# The definitions that programs are compared with are what the tasks mean, in worlds of both kinds.
for rules in "$SOURCES"/tools/human/*.pl; do
    task=$(basename "$rules" .pl)
    nlm compile "$rules" -o human.nlm --force >/dev/null
    for kind in paper rich; do
        rm -rf worlds
        nlm generate "$task" --kind "$kind" --worlds 10 --seed 5 -o worlds >/dev/null
        nlm test human.nlm worlds --json 2>/dev/null | grep -q '"worlds": 10, "tuples": [1-9][0-9]*, "wrong": 0,'
    done
done
