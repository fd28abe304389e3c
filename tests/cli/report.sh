# nlm report: folders, logs and models, whole, damaged and unfinished; what is refused; and names that mean harm.
set -E
trap 'echo "line $LINENO failed: $BASH_COMMAND"' ERR

# A page's size depends on weights, which differ a little between processors.
report() { nlm report "$@" 2>&1 | sed -E 's/, [0-9.]+ [kM]B$/, SIZE/'; }
# Prints how often each of some words is in a page: holds PAGE WORD...
holds() {
    local page=$1 word
    shift
    for word; do printf '%s: %d\n' "$word" "$(grep -oF -- "$word" "$page" | wc -l)"; done
}
# Nothing in a page comes from elsewhere.
alone() { if grep -nE 'src="|<link|@import|url\(|https?://[^w]' "$1"; then exit 1; fi; }

# Called wrongly.
show nlm report
show nlm report missing
mkdir empty
show nlm report empty
show nlm report empty -o ''
show nlm report empty -o .
show nlm report empty -o /dev/null
test -c /dev/null
if ls report.html 2>/dev/null; then exit 1; fi

# Folders of nlm train --seeds.
small=(--worlds 5 --threads 1 --quiet)
mkdir runs
nlm train 1-outdegree --seeds 2 -o runs/1-outdegree "${small[@]}" >/dev/null
nlm train sort --seeds 1 -o runs/sort --no-rules "${small[@]}" >/dev/null
show report runs
test -f report.html
alone report.html
holds report.html '<figure class="chart">' '<figure class="machine">' '<figure class="confusion">' '<h4>' '<tr><td>1-outdegree</td>' \
    '<code>nlm train 1-outdegree --seeds 2 -o FOLDER</code>'
# With their tests: graduated and exact, twice in the table of tasks; a row for each run.
holds report.html '<td>2 / 2</td>' '<td data-key="1">100 %</td>'
grep -oE '"(asked|share|flawless)": [^,]*' runs/1-outdegree/seed-2.json
# Of facts too: on what they learned from, and on what was held out.
nlm generate has-father --objects 8 --worlds 10 -o fathers >/dev/null
nlm train ./fathers --seeds 2 -o runs-of-facts --epochs 30 --threads 1 --quiet >/dev/null 2>&1
show report runs-of-facts -o facts-seeds.html
grep -oE '"(task|worlds|asked)": [^,]*' runs-of-facts/seed-1.json
grep -cF 'held-out data' facts-seeds.html

# A log, a model, and the same run twice; the page is replaced.
show report runs/1-outdegree/seed-2.jsonl -o log.html
show report runs/sort/seed-1.nlm runs/sort runs/sort/seed-1.jsonl -o model.html
cp runs/1-outdegree/seed-1.jsonl alone.jsonl
show report alone.jsonl -o log.html
holds log.html '<h1>alone</h1>' '<figure class="chart">' '<figure class="machine">' 'not recorded'

# A page never replaces what it is made from, nor anything that is called as a file of a run is.
show report alone.jsonl -o alone.jsonl
ln alone.jsonl alone.html
show report alone.jsonl -o alone.html
show report alone.jsonl -o runs/sort/seed-1.nlm
show report runs -o runs/results.json
cmp alone.jsonl runs/1-outdegree/seed-1.jsonl
rm alone.html

# A log that is cut off, lines that mean nothing, files that are damaged.
mkdir damaged
head -c 700 alone.jsonl >damaged/cut.jsonl
{ head -n 3 alone.jsonl; printf '{"epoch": 1, "examples": 1e999}\n\0\xff\033[31m\n'; } >damaged/odd.jsonl
printf 'no model' >damaged/odd.nlm
: >damaged/none.jsonl
echo '[' >damaged/results.json
show report damaged -o damaged.html | sed -E 's/header of [0-9]+ bytes/header of N bytes/'
holds damaged.html 'is cut off'
show report damaged/none.jsonl

# A run that goes on, or was stopped.
mkdir going
short=(1-outdegree --objects 6 --batches 5 --threads 1 --quiet)
nlm train "${short[@]}" --epochs 3 -o going/run.nlm --log going/run.jsonl >/dev/null
show report going -o going.html
holds going.html 'did not graduate'
"$NLM" train "${short[@]}" --epochs 100000 --threshold 1e-30 -o stopped.nlm --log stopped.jsonl >/dev/null 2>&1 &
trainer=$!
while [ "$(cat stopped.jsonl 2>/dev/null | wc -l)" -lt 3 ]; do sleep 0.05; done
kill $trainer
wait $trainer || true
show report stopped.nlm.checkpoint -o stopped.html
holds stopped.html 'not finished'

# Names that mean harm.
mkdir world
cat >world/bk.pl <<'END_FACTS'
p('<script>alert(1)</script>', b). p(b, '" onload="alert(2)'). p('&lt;', b).
END_FACTS
cat >world/exs.pl <<'END_FACTS'
pos(q('<script>alert(1)</script>', b)). neg(q(b, '&lt;')).
END_FACTS
learn world -o 'facts<script>.nlm' --epochs 2 --threads 1 --quiet >/dev/null 2>&1
show report 'facts<script>.nlm' -o facts.html
holds facts.html '<script>' '--facts' '<div class="matrix"'
show report 'facts<script>.nlm' --facts world -o facts.html
holds facts.html '<script>' 'onload="' '<div class="matrix"' '\u003cscript\u003ealert(1)'
alone facts.html
# A page takes the place of no facts either.
cp world/bk.pl facts
mkdir tables
echo 'a,b' >tables/p.csv
show report 'facts<script>.nlm' --facts world -o world/bk.pl
show report 'facts<script>.nlm' --facts tables -o tables/p.csv
show report 'facts<script>.nlm' --facts facts -o facts
cmp world/bk.pl facts
show report 'facts<script>.nlm' --facts missing
echo 'r(a).' >other.pl
show report 'facts<script>.nlm' --facts other.pl -o other.html

# Digits: drawn ones, those of files, files that are missing, and images that a model did not learn from.
export HOME=$PWD/home
unset XDG_CACHE_HOME
digits=(adjacent-to-zero --objects 5 --batches 2 --epochs 1 --threads 1 --quiet)
nlm train "${digits[@]}" --images drawn -o drawn.nlm >/dev/null 2>&1
show report drawn.nlm -o drawn.html
alone drawn.html
holds drawn.html '<section class="perceived">' '<figure class="sense">' '<figure class="confusion">' ' drawn digits' 'LeNet: computes'
mkdir mnist
for part in train t10k; do # ten images each, all of them blank
    { printf '\0\0\10\3\0\0\0\12\0\0\0\34\0\0\0\34'; head -c 7840 /dev/zero; } >mnist/$part-images-idx3-ubyte
    printf '\0\0\10\1\0\0\0\12\0\1\2\3\4\5\6\7\10\11' >mnist/$part-labels-idx1-ubyte
done
nlm train "${digits[@]}" --images mnist -o files.nlm >/dev/null 2>&1
show report files.nlm -o files.html | sed -E "s|$PWD|HERE|"
holds files.html '<section class="perceived">' '<figure class="machine">' 'needs images'
show report files.nlm --images mnist -o files.html
holds files.html '<section class="perceived">' ' test images of MNIST' 'No output separates'
show report files.nlm --images drawn -o files.html
show report files.nlm --images missing
mkdir -p home/.cache/nlm
mv mnist home/.cache/nlm/mnist
show report files.nlm runs -o files.html
holds files.html '<section class="perceived">'

# What was there stays when the page cannot be written, and nothing else is left behind.
echo kept >kept.html
limited() (
    ulimit -f 1
    trap '' XFSZ
    nlm report runs -o kept.html 2>&1
)
show limited | sed -E 's/File too large.*/File too large/'
cat kept.html
if ls | grep -i tmp; then exit 1; fi
