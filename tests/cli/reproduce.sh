# nlm reproduce: all files, stopped and killed and gone on with, what is damaged, what is refused.
set -E -o pipefail
trap 'echo "line $LINENO failed: $BASH_COMMAND"' ERR

both=(--no-rules --models nlm --tasks has-father,sort --seeds 2 --worlds 20 --quiet)

# One line on standard error, nothing on standard output: refused COMMAND...
refused() {
    printf '$ %s\n' "$*"
    local status=0
    "$@" >out 2>err || status=$?
    cat err
    echo "[exit $status]"
    test $status = 1 -o $status = 2
    test ! -s out
    test "$(wc -l <err)" = 1
}

# Waits for a file: wait_for FILE
wait_for() {
    local try
    for try in $(seq 30000); do
        if [ -e "$1" ]; then return; fi
        sleep 0.01
    done
    echo "$1 does not come"
    return 1
}

# What differs from one time to the next.
timeless() {
    sed -E 's/"(seconds|test_seconds)": [0-9.]+/"\1": N/g; s/"date": "[^"]*"/"date": "D"/; s/"machine": "[^"]*"/"machine": "M"/
        s/"processor": ("[^"]*"|null), "cores": [0-9]+/"processor": P, "cores": N/; s/"version": "[^"]*"/"version": "V"/' "$@"
}
# ... and from one processor to another, whose kernels round differently.
numberless() {
    timeless "$@" | sed -E '/"seed"/s/"(epochs|exams|restarts|examples|episodes|drawn|moves|optimal_moves|squared_error)": [0-9.e-]+/"\1": N/g'
}
numberless_tables() {
    sed -E 's/, nlm [0-9.]+, [0-9-]+ [0-9:]+ UTC\.$/, nlm V, DATE./; s/^.*, [0-9]+ cores?; /PROCESSOR; /
        s/[0-9:]+ in all\.$/TIME in all./; s/100, [0-9]+\.[0-9]{2} \(/100, N (/g; s/[0-9]+\.[0-9]{2,3}, [0-9]+\.[0-9]{2,3}/N, N/g; s/ +/ /g
        s/ [0-9]+\.[0-9]( (\| )?[0-9]+,000 (\| )?)[0-9]+\.[0-9]( (\| )?)[0-9,]+r* [0-9,]+r*( \|)?$/ N\1N\4N N\6/' "$@"
}

# Names, sizes and times of all models and outcomes.
state_of() { (cd "$1" && stat -c '%n %s %Y %Z %i' */seed-*.nlm */seed-*.json); }

# ---- what is refused, before anything is made ----

refused nlm reproduce --tasks has-father,srot
refused nlm reproduce --tasks has-father,
refused nlm reproduce --tasks ''
refused nlm reproduce --models nlm,memn
refused nlm reproduce --models ''
refused nlm reproduce --models dilp --tasks sort,path
refused nlm reproduce --seeds 0
refused nlm reproduce --seeds 1001
refused nlm reproduce --worlds 0
refused nlm reproduce --threads 0
refused nlm reproduce --protocol worst
refused nlm reproduce sort
refused nlm reproduce --out ''
test ! -e reproduced
touch file
refused nlm reproduce --no-rules --models nlm --tasks sort --out file
refused nlm reproduce --no-rules --models nlm --tasks sort --out file/folder
refused nlm reproduce --no-rules --models nlm --tasks sort --out missing/folder
mkdir blocked
touch blocked/sort
refused nlm reproduce --no-rules --models nlm --tasks sort --out blocked
mkdir -p full/results.md
refused nlm reproduce --no-rules --models nlm --tasks sort --out full
if [ "$(id -u)" != 0 ]; then
    mkdir locked-folder
    chmod a-w locked-folder
    refused nlm reproduce --no-rules --models nlm --tasks sort --out locked-folder >locked.out
fi

# ---- killed in the middle, and gone on with ----

"$NLM" reproduce "${both[@]}" --threads 1 --out made >table &
pid=$!
wait_for made/has-father/seed-1.json
refused nlm reproduce "${both[@]}" --protocol paper --out made # others can join (shared.sh), with the same settings
{ kill -9 $pid && wait $pid || test $? = 137; } 2>/dev/null
test -e made/results.json
test ! -e made/sort/seed-2.json
state_of made | grep seed-1 | grep has-father >before
nlm reproduce "${both[@]}" --out made >table 2>err
test ! -s err
state_of made | grep seed-1 | grep has-father | cmp - before
numberless made/results.json
numberless_tables table
numberless_tables made/results.md
for file in has-father/seed-{1,2} sort/seed-{1,2}; do
    test -s made/$file.jsonl
    timeless made/$file.json | grep -qFf - <(timeless made/results.json)
done
find made -name '*.tmp*' -o -name '*.checkpoint' | wc -l
test -s made/report.html

# The models are those of nlm train, without the search for rules.
nlm train sort --seed 2 --no-rules -o second.nlm --quiet
cmp second.nlm made/sort/seed-2.nlm

# ---- nothing is left to do; then more seeds and tasks ----

state_of made >before
nlm reproduce "${both[@]}" --out made >table
state_of made | cmp - before

# A folder that can only be read: the tables, and a note.
cp -r made readable
rm readable/results.md
mkdir readable/results.md
nlm reproduce "${both[@]}" --out readable 2>&1 >again | cat
cmp <(tail -n +3 again) <(tail -n +3 table)

# Files that are of no run, and what killed commands left; slashes after the folder.
touch made/sort/seed-{8.nlmbackup,9.json.tmp-0a1b2c,7.json.tmp-12zz99,6.nlm.tmp-a1b2c3,05.nlm,4.jsonl.old} made/results.json.tmp-d4e5f6
nlm reproduce "${both[@]}" --out made/// >again
cmp <(tail -n +3 again) <(tail -n +3 table)
(cd made && ls -d results* report* sort/*)
rm made/sort/seed-{8.nlmbackup,05.nlm,4.jsonl.old}
nlm reproduce --no-rules --models nlm --tasks sort --seeds 1 --worlds 20 --out made// 2>err | tail -n 1
nlm reproduce --no-rules --models nlm --tasks sort,sort --seeds 3 --worlds 20 --quick --out made >table 2>err
state_of made | grep -v 'sort/seed-3' | cmp - before
test -e made/sort/seed-3.json
test ! -e made/has-father/seed-3.json
grep '"command"' made/results.json
numberless_tables table | head -n 2
grep -E '^(has-father|sort) .* [0-9]/[0-9] ' table | sed -E 's/^([a-z-]+) .* ([0-9]\/[0-9]) +([0-9]\/[0-9]) .*/\1 \2 \3/'

# ---- damaged outcomes: tests only, the model stays ----

cp made/sort/seed-1.json whole.json
stat -c '%n %s %Y %Z %i' made/sort/seed-*.nlm >before
head -c 150 whole.json >made/sort/seed-1.json
sed 's/"graduated": true/"graduated": "yes"/' whole.json >made/sort/seed-2.json
echo '[]' >made/sort/seed-3.json
nlm reproduce --no-rules --models nlm --tasks sort --seeds 3 --worlds 20 --quiet --out made 2>&1 >table | cat
cmp <(timeless made/sort/seed-1.json) <(timeless whole.json)
stat -c '%n %s %Y %Z %i' made/sort/seed-*.nlm | cmp - before
grep -q '"seconds": [0-9]' made/sort/seed-1.json # from the log
echo '{' >made/results.json
cp made/sort/seed-3.json third.json
echo '[]' >made/sort/seed-3.json
nlm reproduce "${both[@]}" --out made 2>&1 >table | cat
grep '^- ' table
mv third.json made/sort/seed-3.json

# A model that is gone is made again, and its outcome is none of the new one; one that is damaged, or of another
# run, is not taken for this one's.
rm made/sort/seed-3.nlm
echo damaged >made/sort/seed-3.nlm.checkpoint
if nlm reproduce --no-rules --models nlm --tasks sort --seeds 3 --worlds 20 --quiet --out made >table 2>err; then exit 1; fi
cat err
test ! -e made/sort/seed-3.json
rm made/sort/seed-3.nlm.checkpoint
nlm reproduce --no-rules --models nlm --tasks sort --seeds 3 --worlds 20 --quiet --out made >table
test -e made/sort/seed-3.json
cp made/sort/seed-2.nlm made/sort/seed-3.nlm
refused nlm reproduce --no-rules --models nlm --tasks sort --seeds 3 --worlds 20 --out made
rm made/sort/seed-3.nlm
nlm reproduce --no-rules --models nlm --tasks sort --seeds 3 --worlds 20 --quiet --out made 2>&1 >table | cat
test -e made/sort/seed-3.nlm
rm made/sort/seed-3.json
head -c 100 second.nlm >made/sort/seed-3.nlm
refused nlm reproduce --no-rules --models nlm --tasks sort --seeds 3 --worlds 20 --out made | sed -E 's/(seed-3.nlm: )[^;]*/\1.../'
rm made/sort/seed-3.*

# ---- other settings ----

refused nlm reproduce "${both[@]}" --protocol paper --out made
refused nlm reproduce --no-rules --models nlm --tasks sort --seeds 2 --worlds 21 --out made
refused nlm reproduce --no-rules --models nlm --tasks sort --quick --out made
rm made/results.json # what is there tells, too
refused nlm reproduce "${both[@]}" --protocol paper --out made
rm made/*/*.json
refused nlm reproduce --no-rules --models nlm --tasks sort --seeds 2 --worlds 20 --protocol paper --out made

# ---- interrupted ----

for signal in INT TERM; do
    rm -rf stopped
    "$NLM" reproduce --no-rules --models nlm --tasks uncle,sort --seeds 1 --worlds 20 --threads 2 --out stopped --quiet >table 2>err &
    pid=$!
    wait_for stopped/sort/seed-1.json
    kill -$signal $pid
    status=0
    wait $pid || status=$?
    test $status = $((128 + $(kill -l $signal)))
    cat err
    grep '^- ' table
    grep -c '"finished": false' stopped/results.json
done
test -e stopped/uncle/seed-1.nlm.checkpoint

# ---- runs that do not graduate, and what cannot be written ----

nlm reproduce --no-rules --models nlm --tasks sort --seeds 1 --worlds 20 --protocol paper --out paper --quiet >table
if grep -q '"graduated": false' paper/sort/seed-1.json; then # which depends on the processor
    grep -qE '^sort .* 0/1 .* -$' table
    grep -qE '^- sort, seed 1: not graduated; at 10 objects .* solved' table
    grep -qE '^- sort, seed 1: not graduated; at 10 objects .* solved' paper/results.md
fi
mkdir -p locked/sort/seed-1.json
status=0
nlm reproduce --no-rules --models nlm --tasks sort --seeds 1 --worlds 20 --out locked --quiet >table 2>err || status=$?
cat err
grep '^- ' table
grep -c '"error": "locked' locked/results.json
test $status = 1

# ---- other models ----

# Their folders, a tenth of the budget, and the figures that no one but they have.
others=(--models memnn --tasks 1-outdegree --seeds 1 --worlds 1 --quiet --out others)
nlm reproduce "${others[@]}" --quick >table 2>err
test ! -s err
(cd others && ls)
grep -oE '"(model|protocol|budget|refused)": [^,]*' others/1-outdegree-memnn/seed-1.json | paste -sd ' '
test "$(grep -oE '"(macro_accuracy|squared_error)": [0-9]' others/1-outdegree-memnn/seed-1.json | wc -l)" = 4
grep -E '^(Table|MemNN learned|Of 1 run)' table
grep '"command"' others/results.json
nlm train 1-outdegree --model memnn --hidden 0 --epochs 5 -o memory.nlm --quiet >out
cmp memory.nlm others/1-outdegree-memnn/seed-1.nlm
grep -c '<h2>1-outdegree (memnn)' others/report.html

# Nothing is left to do; and what had a tenth of the budget is not taken for what has all.
state_of others >before
nlm reproduce "${others[@]}" --quick >again
state_of others | cmp - before
cmp <(tail -n +3 again) <(tail -n +3 table)
refused nlm reproduce "${others[@]}"

# A training that takes too much memory is refused, which is an outcome.
for time in 1 2; do
    nlm reproduce --models dilp --tasks 2-outdegree --seeds 2 --worlds 1 --quiet --out others >table
    grep -cE '^2-outdegree +(10|50) .* refused ' table
    grep -cE '^- 2-outdegree-dilp: 2 of 2 refused: seeds 1 2; .' table
done >refusals
grep -c '"refused": "[^"]' others/2-outdegree-dilp/seed-2.json >>refusals
printf '%s\n' 2 1 2 1 1 | cmp - refusals

# ---- programs ----

# A run that was made without its program goes on with the search; the model is then that of nlm train.
found=(--models nlm --tasks 1-outdegree --seeds 1 --worlds 20 --quiet --out programs)
nlm reproduce --no-rules "${found[@]}" >table
if grep -q '^Programs' table || grep -q '"program"' programs/results.json; then exit 1; fi
nlm reproduce "${found[@]}" >table 2>err
test ! -s err
sed '1,/^Programs: tasks/d' table | numberless_tables | sed -E 's/^(1-outdegree 6 )[0-9 ]+ (1 of 1 1 of 1 0 0 0 0).*/\1L \2 T/; s/(human definition: ).*/\1N/'
grep -qE '"program": \{"found": true, "literals": [0-9]+, "proved": true, "seconds": [0-9.]+, "processor_seconds": [0-9.]+\}' programs/results.json
grep -q '"epochs": [1-9].*"drawn": [1-9][0-9]*, "seconds": [1-9]\|"seconds": 0\.[0-9]*[1-9]' programs/1-outdegree/seed-1.json # from the log
nlm train 1-outdegree -o program.nlm --quiet
cmp program.nlm programs/1-outdegree/seed-1.nlm
grep -cE '<td data-key="[0-9]+">[0-9]+ literals, proved</td>' programs/report.html

# Nothing is left to do, also for who wants no programs.
state_of programs >before
nlm reproduce "${found[@]}" >again
nlm reproduce --no-rules "${found[@]}" >without
state_of programs | cmp - before
cmp <(tail -n +3 again) <(tail -n +3 table)
cmp <(tail -n +3 without) <(tail -n +3 table)
