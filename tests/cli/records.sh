# nlm reproduce --records: results that go from machine to machine without models.
set -E -o pipefail
trap 'echo "line $LINENO failed: $BASH_COMMAND"' ERR

runs=(--no-rules --models nlm --worlds 20 --quiet)
tables() { tail -n +4 "$1" | grep -v '^- 20'; } # without the lines of days and machines

# A run leaves a record; on "another machine", where nothing else is, it counts, and nothing is made.
nlm reproduce "${runs[@]}" --tasks sort --seeds 2 --out here --records kept >here.table
find kept -type f | sort
nlm reproduce "${runs[@]}" --tasks sort --seeds 2 --out there --records kept >there.table
cmp <(tables here.table) <(tables there.table)
test ! -e there/sort/seed-1.nlm
grep -c '"seed": [12], "protocol": "best"' there/results.json
grep -c 'known by the results alone' there/report.html

# What follows is that part of the study that has no record yet; the tables have all of it.
before=$(stat -c '%n %Y %i' kept/sort/*)
nlm reproduce "${runs[@]}" --tasks sort --seeds 3 --out there --records kept >there.table
test "$before" = "$(stat -c '%n %Y %i' kept/sort/seed-[12].json)"
(cd there/sort && ls)
find kept -type f | wc -l
grep -oE '^sort .* [0-9]/[0-9] ' there.table | sed -E 's/ +/ /g'
grep -oE '[0-9] of them known by the results alone' there/report.html
# Also those that this command does not want.
nlm reproduce "${runs[@]}" --tasks sort --seeds 1 --out third --records kept | grep -oE '^sort .* [0-9]/[0-9] ' | sed -E 's/ +/ /g'

# Finished runs of a folder are added to records that are begun later, as they are.
nlm reproduce "${runs[@]}" --tasks sort --seeds 2 --out here --records later >here.table
cmp later/sort/seed-2.json kept/sort/seed-2.json

# A record of other settings, or of another form, is refused, and nothing is made of it.
refused() {
    local status=0
    nlm reproduce "${runs[@]}" --tasks sort --seeds 2 --out refused --records later "$@" >out 2>err || status=$?
    cat err
    test $status != 0 -a ! -s out -a "$(wc -l <err)" = 1
}
sed 's/"depth": "[0-9]*"/"depth": "9"/' kept/sort/seed-2.json >later/sort/seed-2.json
refused
sed 's/"depth": "[0-9]*"/"depth": "deep"/' kept/sort/seed-2.json >later/sort/seed-2.json
refused
sed 's/"record": 1/"record": 2/' kept/sort/seed-2.json >later/sort/seed-2.json
refused | sed 's/this one is .*/this one is V/'
cp here/sort/seed-2.json later/sort/seed-2.json
refused
cp kept/sort/seed-2.json later/sort
refused --protocol paper
refused --records ''

# One that is damaged does not count, and is written again.
head -c 200 kept/sort/seed-2.json >later/sort/seed-2.json
nlm reproduce "${runs[@]}" --tasks sort --seeds 2 --out refused --records later 2>&1 >table | cat
test -e refused/sort/seed-2.nlm
test ! -e refused/sort/seed-1.nlm
cmp here/sort/seed-2.nlm refused/sort/seed-2.nlm
grep -c '"record": 1' later/sort/seed-2.json

# A record without a program counts only where none is wanted.
nlm reproduce --models nlm --worlds 20 --quiet --tasks 1-outdegree --seeds 1 --no-rules --out plain --records program >table
nlm reproduce --models nlm --worlds 20 --quiet --tasks 1-outdegree --seeds 1 --out found --records program >table
grep -c '"program": {"found": true' program/1-outdegree/seed-1.json

# A folder that cannot be written.
touch blocked
status=0
nlm reproduce "${runs[@]}" --tasks sort --seeds 1 --out here --records blocked 2>&1 >table || status=$?
echo "[exit $status]"
