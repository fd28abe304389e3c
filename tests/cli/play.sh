# nlm play: called wrongly, models and instances that are no good, and episodes of models whose rules are known.
set -E
trap 'echo "line $LINENO failed: $BASH_COMMAND"' ERR
source "$SOURCES/tests/cli/games.bash"
game untold.nlm "$sort_machine" "${sort_tensors[@]}"
game father.nlm "$sort_machine, \"task\": \"has-father\"" "${sort_tensors[@]}"
game future.nlm "$sort_machine, \"task\": \"chess\", \"version\": \"9.0\"" "${sort_tensors[@]}"
game wrong.nlm "$sort_machine, \"task\": \"blocks\"" "${sort_tensors[@]}"
echo '{"array": [2, 0, 1]}' >sort.json
echo '{"task": "path", "nodes": 6, "edges": [[0, 1], [1, 2], [2, 3], [0, 4]], "start": 0, "target": 2}' >path.json
echo '{"start": [[1], [2], [3]], "target": [[1, 2, 3]]}' >blocks.json

# Called wrongly.
show nlm play
show nlm play sort.nlm path.nlm
show nlm play sort.nlm --objects 0
show nlm play sort.nlm --objects 1
show nlm play sort.nlm --objects 2001
show nlm play path.nlm --objects 4
show nlm play sort.nlm --seed -1
show nlm play sort.nlm --fps 0
show nlm play sort.nlm --fps 61
show nlm play sort.nlm --no-repeat maybe
show nlm play sort.nlm --instance sort.json --objects 3
show nlm play sort.nlm --instance sort.json --seed 1
show nlm play sort.nlm --task uncle
show nlm play sort.nlm --task srot
with_kernel() { NLM_KERNEL=$1 nlm play sort.nlm; }
show with_kernel sse9

# Models that do not play, or not this.
show nlm play missing.nlm
show nlm play sort.json
show nlm play father.nlm
show nlm play father.nlm --task sort
show nlm play future.nlm
show nlm play untold.nlm
show nlm play untold.nlm --task path
show nlm play wrong.nlm
show nlm play sort.nlm --task path

# Instances that are no good: one line that names the file and the cause.
show nlm play sort.nlm --instance missing.json
show nlm play sort.nlm --instance .
show nlm play sort.nlm --instance path.json
bad() { # bad MODEL TEXT
    printf '%b' "$2" >bad.json
    show nlm play "$1" --instance bad.json --json kept.json
}
echo kept >kept.json
bad sort.nlm ''
bad sort.nlm '[2, 0, 1]'
bad sort.nlm '{"array": [2, 0, 1]'
bad sort.nlm '{"array": [2, 0, 3]}'
bad sort.nlm '{"array": [2, 0, 2]}'
bad sort.nlm '{"array": [0]}'
bad sort.nlm '{"array": \x1b[31m\x07}'
bad path.nlm '{"nodes": 3, "edges": [[0, 1]], "start": 0, "target": 2}'
bad path.nlm '{"nodes": 3, "edges": [[0, 3]], "start": 0, "target": 2}'
bad blocks.nlm '{"start": [[1, 2]], "target": [[1]]}'
bad blocks.nlm '{"start": [[1, 1]], "target": [[1, 2]]}'
empty_input() { nlm play sort.nlm --instance - </dev/null; }
show empty_input
endless_input() { yes | nlm play sort.nlm --instance -; }
set +E
show endless_input
set -E

# Where no episode can be written.
show nlm play sort.nlm --json missing/episode.json
show nlm play sort.nlm --json .
show nlm play sort.nlm --json /dev/null
show nlm play sort.nlm --json ''
show nlm play sort.nlm --html missing/episode.html
show nlm play sort.nlm --html .
show nlm play sort.nlm --html ''
show nlm play sort.nlm --html -
show nlm play sort.nlm --json - --html -
show nlm play sort.nlm --json kept.json --html kept.json
show nlm play sort.nlm --json new.json --html ./new.json
cp sort.nlm model.nlm
ln -s model.nlm other.nlm
show nlm play model.nlm --html model.nlm
show nlm play model.nlm --json ./model.nlm
show nlm play model.nlm --html other.nlm
show nlm play model.nlm --instance model.nlm
show nlm play sort.nlm --instance sort.json --json "$PWD/sort.json" | sed "s|$PWD|FOLDER|"
show nlm play sort.nlm --instance sort.json --html sort.json
cmp model.nlm sort.nlm
test ! -e new.json
test -c /dev/null

# Episodes: solved; solved by a path that is walked; solved after a move that is not legal.
show nlm play sort.nlm --instance sort.json
show nlm play path.nlm --instance path.json
show nlm play untold.nlm --task sort --instance sort.json
nlm play blocks.nlm --instance blocks.json >out
head -n 20 out
tail -n 2 out
show nlm play blocks.nlm --objects 2
# With moves that may repeat the first that changes nothing is made for ever.
nlm play blocks.nlm --instance blocks.json --no-repeat 0 --repeat-penalty 1 >circle
tail -n 1 circle

# The same on any kernel, and without any escape codes, whatever the terminal.
for kernel in reference generic; do
    NLM_KERNEL=$kernel TERM=xterm nlm play blocks.nlm --instance blocks.json --fps 0.01 | cmp - out
done
if grep -l "$(printf '\033')" out; then exit 1; fi

# The record: an instance from a file, then one of a seed.
nlm play sort.nlm --instance - --json episode.json <sort.json >out
tail -n 1 out
sed -E 's/("probability": 0\.[0-9]{3})[0-9e-]*/\1/g' episode.json
nlm play sort.nlm --instance episode.json --json again.json >out
cmp episode.json again.json
nlm play sort.nlm --objects 4 --seed 7 --json - >seed.json
head -n 2 seed.json
nlm play sort.nlm --objects 4 --seed 7 --json also.json >out
cmp seed.json also.json
nlm play sort.nlm --objects 4 --seed 8 --json - >other.json
if cmp -s <(sed -n 2p seed.json) <(sed -n 2p other.json); then exit 1; fi
for name in path blocks; do
    nlm play $name.nlm --instance $name.json --json $name.1.json >out.1
    nlm play $name.nlm --instance $name.1.json --json $name.2.json >out.2
    cmp $name.1.json $name.2.json
    cmp <(tail -n +2 out.1) <(tail -n +2 out.2)
done
sed -n '1,4p' path.1.json
tail -n 1 blocks.1.json

# The largest seed is more than a reader of numbers can take; names are any bytes.
odd=$(printf 'm"\\\n\xff\xc3\xa9.nlm')
cp sort.nlm "$odd"
nlm play "$odd" --objects 4 --seed 18446744073709551615 --json odd.json >out
head -n 1 odd.json
nlm play sort.nlm --instance odd.json >out

# The page: whole, of one file, with the record's positions; a name is shown, whatever is in it.
for name in sort path blocks; do
    nlm play $name.nlm --instance $name.json --html $name.html --json $name.3.json
    test "$(head -n 1 $name.html)" = '<!DOCTYPE html>'
    test "$(tail -n 1 $name.html)" = '</html>'
    if grep -E 'https?://' $name.html; then exit 1; fi
    test "$(grep -c '^{"state":' $name.html)" = $(($(grep -c '"state":' $name.3.json) + 1))
done
grep -o 'data-step=.*' blocks.html
grep -E '^<(li|p)|^{"' sort.html | sed -E 's/0\.([0-9]{3})[0-9]*/0.\1/g'
cmp sort.3.json episode.json
harm='<script>alert(1)<'
cp sort.nlm "$harm"
nlm play "$harm" --objects 4 --html harm.html --json - >harm.json
head -n 1 harm.json
if grep "$harm" harm.html; then exit 1; fi
grep -o '<h1>.*' harm.html
nlm play "$odd" --objects 4 --html odd.html >out
grep -o '<h1>.*' odd.html

# The instance of a seed is the first of nlm test's.
for seed in 1 2 3 4 5 6 7 8; do
    nlm test sort.nlm --objects 8 --worlds 1 --seed $seed --json | sed -E 's/.*"success": (.), "moves": (.*), "opt.*/\1 \2/'
    nlm play sort.nlm --objects 8 --seed $seed | tail -n 1
done >ends
sed -E 's/^not solved.*/0 0/; s/^solved in ([0-9]+) .*/1 \1/' ends | paste - - | awk '$1 != $3 || $2 != $4' >differences
test ! -s differences
grep -q '^solved' ends
grep -q '^not solved' ends

# Wide and long instances: no line is wider than 80 columns.
for size in 10 26 27 50 100; do
    nlm play sort.nlm --objects $size
    nlm play path.nlm --objects $size
    nlm play blocks.nlm --objects $size
done | tail -n +2 >out
if grep -E '.{81}' out; then exit 1; fi
nlm play --help >help
if grep -E '.{101}' help; then exit 1; fi

# Nothing is left of files that were not written whole, and what was there stays.
cat kept.json
if ls | grep tmp; then exit 1; fi
limited() (
    ulimit -f 1
    nlm play sort.nlm --objects 10 --json kept.json 2>&1 >/dev/null
)
show limited | cat
limited_page() (
    ulimit -f 1
    nlm play sort.nlm --objects 10 --html kept.json 2>&1 >/dev/null
)
show limited_page | cat
cat kept.json
if ls | grep tmp; then exit 1; fi
to_full_device() { nlm play sort.nlm >/dev/full; }
show to_full_device
json_to_full_device() { nlm play sort.nlm --json - >/dev/full; }
show json_to_full_device
