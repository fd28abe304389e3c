# tools/run-in-engines: programs of each form conclude in SWI-Prolog and clingo what nlm infer does; what does not is found.
for engine in swipl clingo; do
    command -v $engine >/dev/null || { echo "$engine is not installed"; exit 77; }
done
run() { python3 "$SOURCES/tools/run-in-engines" "$NLM" models results.jsonl --worlds 4; }

for task in has-sister uncle grandparent adjacent-to-red 2-outdegree 6-connectivity 1-outdegree; do mkdir -p models/$task; done
for task in has-sister uncle grandparent adjacent-to-red 2-outdegree 6-connectivity; do
    nlm compile "$SOURCES/src/study/human/$task.pl" -o models/$task/seed-1.nlm >/dev/null
done
cat >all.pl <<'RULES'
outdegree1(X) :- forall(object(Y), (has_edge(X, Y) ; X = Y)).
RULES
cp "$SOURCES/tests/golden/runs/task.nlm" models/grandparent/seed-3.nlm
run >table
test "$(grep -cE '^\| [a-z0-9-]+-1 \| 4 \| [1-9][0-9,]* \| 0 \| 0 \| 0 \|$' table)" = 6
grep -q '^| grandparent-3 | no program ' table
grep -q '^6 programs, .* 0 programs with a tuple that differs.$' table

# Another program than the task's, with objects that no fact is about.
nlm compile all.pl -o models/1-outdegree/seed-1.nlm >/dev/null
if run >table 2>failure; then exit 1; fi
grep -qE '^\| 1-outdegree-1 \| 4 \| [0-9]+ \| 0 \| 0 \| [1-9][0-9]* \|$' table
grep -q '^1 programs differ, 0 models are left' failure

# What is known is not asked again.
PATH=/usr/bin:/bin
cksum results.jsonl >before
run >again 2>/dev/null || true
diff table again
cksum results.jsonl | diff before -

# An engine that concludes something else.
mkdir other
printf '#!/bin/sh\necho "uncle(person1,person2) uncle(person1,person1)"\n' >other/clingo
chmod +x other/clingo
rm -r results.jsonl models/[0-9]* models/has* models/adj* models/grand*
if PATH=$PWD/other:$PATH run >table 2>failure; then exit 1; fi
grep -qE '^\| uncle-1 \| 4 \| [0-9]+ \| 0 \| [1-9][0-9]* \| 0 \|$' table
grep -q "uncle('person1', 'person2') in .*: clingo" results.jsonl
