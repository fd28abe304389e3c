# tools/make-genealogies and tools/test-genealogies: the same number gives the same people, true rules make no error,
# others do, and the labels are those that the tasks have in rich worlds.
tools=$SOURCES/tools
make() { python3 "$tools/make-genealogies" "$1" --count 6 --first 3 --least 60 --most 200 --gedcom; }
judge() { python3 "$tools/test-genealogies" "$NLM" made results.jsonl "$@"; }

make made
make again
diff -r made again
for world in made/*/; do
    people=$(sed -nE '1s/^% people: ([0-9]+),.*/\1/p' "$world/bk.pl")
    test "$people" -ge 60
    test "$people" -le 200
    test "$(grep -c ' INDI$' "$world/tree.ged")" = "$people"
    test "$(grep -c '^father(' "$world/bk.pl")" -ge 10
done
# What is there to be met: somebody has it in one of these genealogies.
for feature in 'one parent unknown' 'sex unknown' 'with children by two' 'children of cousins' 'two fathers or mothers'; do
    grep -qhE "^%.* $feature: [1-9]" made/*/bk.pl
done
nlm check made >checked 2>/dev/null

for task in grandparent uncle mg-uncle; do nlm compile "$SOURCES/src/study/human/$task.pl" -o $task.nlm >/dev/null; done
judge grandparent.nlm uncle.nlm mg-uncle.nlm >table
test "$(grep -cE '^\| (grandparent|uncle|mg-uncle) \| 6 of 6 \| [0-9,]+ \| 0 \| 0 \| 0 \|$' table)" = 3
test "$(wc -l <results.jsonl)" = 18

# Every uncle is taken to be a son of a grandfather, and fathers to be uncles.
cat >wrong.pl <<'RULES'
uncle(X, Y) :- parent(X, Z), father(Z, W), son(W, Y).
parent(X, Y) :- father(X, Y).
parent(X, Y) :- mother(X, Y).
RULES
nlm compile wrong.pl -o wrong.nlm >/dev/null
if judge wrong.nlm >table 2>failure; then exit 1; fi
grep -qE '^\| wrong \| 6 of 6 \| [0-9,]+ \| [1-9][0-9,]* \| [1-9][0-9,]* \|' table
grep -q '6 with wrong pairs' failure
grep -qE '"label": false, "paths": \["father", ' results.jsonl

# Models of nlm reproduce have the name of their task.
mkdir uncle
cp uncle.nlm uncle/seed-3.nlm
judge uncle/seed-3.nlm >table 2>/dev/null || true
grep -q '^| uncle-3 | 6 of 6 ' table

# What is known is not asked again; what there is no time for is left.
NLM=/bin/false judge uncle.nlm >/dev/null || true
cksum results.jsonl >before
NLM=/bin/false judge uncle.nlm mg-uncle.nlm >/dev/null || true
cksum results.jsonl | diff before -
cp wrong.nlm late.nlm
if judge late.nlm --seconds -1 >table 2>failure; then exit 1; fi
grep -q '^6 not done' failure

# The labels against those of the tasks.
for task in grandparent uncle mg-uncle; do
    nlm generate $task --kind rich --worlds 20 --seed 3 -o rich-$task >/dev/null
    PYTHONPATH=$tools python3 - "$task" <<'PYTHON'
import glob
import re
import sys
from genealogy import truth_of
target = sys.argv[1].replace("-", "_")
compared = 0
for world in glob.glob(f"rich-{sys.argv[1]}/*/"):
    facts = re.findall(r"^(\w+)\((\w+), ?(\w+)\)", open(world + "bk.pl").read(), re.MULTILINE)
    labels = set(re.findall(r"^pos\(%s\((\w+), ?(\w+)\)" % target, open(world + "exs.pl").read(), re.MULTILINE))
    assert truth_of(facts)[target] == labels, world
    compared += len(labels)
assert compared > 0
PYTHON
done
