# tools/few-worlds: the least number of worlds from which every seed is exact; what was done is not done again.
few() { python3 "$SOURCES/tools/few-worlds" "$NLM" few --tasks 1-outdegree --seeds 2 --worlds 20 "$@"; }

# One world is too few for anything; from 60 the program is exact.
few --counts 1,60 >first
grep -qE '^\| 1-outdegree \| (60|none of these) \| (1|60) \| [2-4] \| [0-9]+ to [0-9]+ \|$' first
grep -q '"count": 60, "seed": 2, "kind": "rich", "worlds": 20, "graduated": true, "machine": [0-9]*, "program": 0,' few/runs.jsonl
test -z "$(find few -mindepth 1 -maxdepth 1 -not -name runs.jsonl)"

cksum few/runs.jsonl >before
few --counts 1,60 >second
cksum few/runs.jsonl | diff before -
diff <(tail -1 first) <(tail -1 second)

# Where there is no time, the table says so.
few --counts 1,60,70 --kind paper --seconds -1 >third
grep -q '^| 1-outdegree | not finished | not finished | ' third
