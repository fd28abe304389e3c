# nlm bench: called wrongly, and the form of its results; the times themselves are not a test's business.
show nlm bench --only nothing
show nlm bench --json --summary
show nlm bench --moves --summary
show nlm bench --moves --only dense
show nlm bench --threads 0

# The environment chooses how the library runs; what it cannot mean is refused.
with_kernel() { NLM_KERNEL=$1 nlm bench --only outdegree1 --summary >/dev/null; }
with_structure() { NLM_STRUCTURE=$1 nlm bench --only outdegree1 --summary >summary; }
show with_kernel sse9
show with_kernel reference
show with_structure sideways
show with_structure lift
grep -q ' lifted$' summary
show with_structure identity
if grep ' lifted$' summary; then exit 1; fi

# One JSON object a line, always with the same keys.
nlm bench --only outdegree1 --seconds 0.001 --objects 12 --json >json 2>error
test ! -s error
sed -E 's/: [0-9]+\.[0-9]+/: X/g' json

# For people: a heading and one aligned line per machine.
nlm bench --only outdegree1 --seconds 0.001 --objects 12 >table
sed -E 's/ +[0-9]+\.[0-9]+ ms/ X ms/g; s/ +[0-9]+ %/ X %/; s/ +[0-9]+ MB/ X MB/' table

# One move of an agent.
nlm bench --moves --only sort --objects 5 --seconds 0.001 --json | sed -E 's/: [0-9]+\.[0-9]+/: X/g'
nlm bench --moves --only sort --objects 5 --seconds 0.001 | sed -E 's/ +[0-9]+\.[0-9]+ ms/ X ms/g'

# A program against the machine that it was made of.
nlm train has-father -o program.nlm --quiet
nlm bench program.nlm --seconds 0.001 --objects 12 --json >json
sed -E 's/: [0-9]+\.[0-9]+/: X/g' json
nlm bench program.nlm --seconds 0.001 --objects 12 | sed -E 's/ +[0-9]+\.[0-9]+ ms/ X ms/g; s/[0-9.]+$/X/'
show nlm bench program.nlm --moves
show nlm bench program.nlm --only dense
show nlm bench missing.nlm
nlm train has-father --epochs 1 --batches 1 --quiet --no-rules --force -o soft.nlm
show nlm bench soft.nlm
echo 'p(X) :- q(X, _).' >rules.pl
nlm compile rules.pl -o compiled.nlm >/dev/null
show nlm bench compiled.nlm
