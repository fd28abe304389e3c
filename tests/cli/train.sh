# nlm train: a real training, its log, what it says without success, and all that can go wrong before and in it.  Files
# that were there before a command failed are as they were.
set -E
trap 'echo "line $LINENO failed: $BASH_COMMAND"' ERR

small=(1-outdegree --objects 6 --batches 5 --threads 1)

# Prints the command and its one line on standard error; it must fail and change nothing: refused COMMAND...
refused() {
    failed "$@"
    ls -A kept | cmp - kept.list
}
# ... or, having done something, may leave further files behind.
failed() {
    printf '$ %s\n' "$*"
    local status=0
    "$@" >out 2>err || status=$?
    sed -E 's/after epoch [0-9]+/after epoch N/; s/header of [0-9]+ bytes in a file of [0-9]+/header of N bytes in a file of N/' err
    echo "[exit $status]"
    test $status -gt 0 -a $status -lt 128
    test ! -s out
    test "$(without_progress <err | wc -l)" = 1
    sha256sum --quiet -c kept.sums
}
remember() {
    sha256sum kept/* >kept.sums
    ls -A kept >kept.list
}

# ---- a real training, with all defaults ----

mkdir kept
nlm train has-father -o kept/father.nlm --log father.jsonl --quiet >out 2>err
test ! -s out -a ! -s err
test "$(ls kept)" = father.nlm
epochs=$(wc -l <father.jsonl)
for key in epoch loss accuracy balanced_accuracy examples_per_second gradient_norm elapsed; do
    test "$(grep -cE "^\{.*\"$key\": [0-9].*\}\$" father.jsonl)" = "$epochs"
done
sed -E 's/^\{"epoch": ([0-9]+),.*/\1/' father.jsonl | cmp - <(seq "$epochs")
nlm test kept/father.nlm --objects 20,100 --worlds 300 --json >results 2>progress
test "$(wc -l <results)" = 4
for kind in paper rich; do
    right='"wrong": 0, "worlds_with_errors": 0, "accuracy": 1,'
    grep -q "\"kind\": \"$kind\", \"objects\": 20, \"worlds\": 300, \"tuples\": 6000, $right" results
    grep -q "\"kind\": \"$kind\", \"objects\": 100, \"worlds\": 300, \"tuples\": 30000, $right" results
done

# There is nothing left to resume.
remember
nlm train has-father -o kept/father.nlm --resume >out
head -n 1 out | grep -qE "^has-father: graduated after $epochs epochs, [0-9,]+ examples"
grep -q '^kept/father.nlm was there already; try it: nlm test kept/father.nlm$' out
grep -qx 'rules: the model is a program of 2 literals: nlm rules kept/father.nlm, nlm prove kept/father.nlm' out
tail -n 1 out | grep -qx 'has_father(X) :- father(X, _).'
nlm rules kept/father.nlm --format clauses | grep -qx 'has_father(X) :- father(X, _).'
nlm prove kept/father.nlm | grep -q '^proved: kept/father.nlm computes its rules in every world: '
sha256sum --quiet -c kept.sums

# ---- the same for a game ----

sort=(sort --episodes 20000 --threads 2)
nlm train "${sort[@]}" -o kept/sort.nlm --log sort.jsonl >out 2>err
exams=$(wc -l <sort.jsonl)
head -n 1 out | grep -qE "^sort: graduated after [0-9,]+ episodes, $exams exams and [0-9.]+ s; lesson 10, the final exam "
grep -qx 'kept/sort.nlm; try it: nlm test kept/sort.nlm, nlm play kept/sort.nlm' out
grep -q '^rules: the model is a program of [0-9]* literals: ' out
nlm rules kept/sort.nlm | grep -qx 'move(A, B) :- move_1(A, B), A \\= B.'
nlm prove kept/sort.nlm | grep -q '^proved: kept/sort.nlm computes its rules in every world: '
nlm play kept/sort.nlm --objects 5 --json sort.json >play.out
grep -qE '^ +1/10  swap slots [0-9] and [0-9] +[0-9.]+ %  move_[0-9]+$' play.out
grep -q '"legal": true, "rule": [1-9]' sort.json
nlm test kept/sort.nlm --worlds 1 | grep -q '^Moves may be made again in the same position\.$'
test ! -e kept/sort.nlm.checkpoint
for key in exam lesson episodes drawn restarts asked solved success threshold moves train_success loss entropy elapsed; do
    test "$(grep -cE "^\{.*\"$key\": -?[0-9].*\}\$" sort.jsonl)" = "$exams"
done
sed -E 's/^\{"exam": ([0-9]+),.*/\1/' sort.jsonl | cmp - <(seq "$exams")
tail -n 1 sort.jsonl | grep -q '"lesson": 10, "candidate": true, "passed": true, .*"success": 1, "threshold": 1,'
nlm test kept/sort.nlm --objects 50 --worlds 50 --json >results 2>progress
grep -q '"task": "sort", "objects": 50, "episodes": 50, "success": 1, ' results
remember
nlm train "${sort[@]}" -o kept/sort.nlm --resume >out 2>err
head -n 1 out | grep -qE "^sort: graduated after [0-9,]+ episodes, $exams exams; lesson 10, the final exam "
grep -q '^kept/sort.nlm was there already; try it: nlm test kept/sort.nlm, nlm play kept/sort.nlm$' out
sha256sum --quiet -c kept.sums

# Another number of threads, and one of several seeds: the same machine.
nlm train "${sort[@]}" --threads 1 --seeds 1 --worlds 10 -o sorts --quiet >table
cmp sorts/seed-1.nlm kept/sort.nlm
test "$(grep -cE '^ +1  yes ' table)" = 1
tail -n 1 table | grep -qx 'sort: 1 of 1 graduated, 1 of them solve all of 10 instances of each size'

# ---- a training without success ----

nlm train "${small[@]}" --epochs 2 -o kept/ended.nlm >out 2>err
without_progress <err | cmp - /dev/null
grep -qE '^1-outdegree: not graduated after 2 epochs, 40 examples and [0-9.]+ s; loss [0-9.e-]+' out
grep -qE '^the loss has had too few epochs to tell much; in the last epoch [0-9]+ of 120 answers were wrong$' out
grep -qx 'what to try:' out
grep -q -- '--resume --epochs 4$' out
grep -q -- '--seed 2' out
tail -n 1 out | grep -qx 'kept/ended.nlm has the machine as it is'
cp kept/ended.nlm ended.nlm
cp kept/ended.nlm.checkpoint ended.nlm.checkpoint
nlm train "${small[@]}" --epochs 4 -o ended.nlm --resume --quiet
nlm train "${small[@]}" --epochs 4 -o four.nlm --quiet
cmp ended.nlm four.nlm
# After enough epochs more is said.
nlm train "${small[@]}" --epochs 12 --lr 0.000001 --protocol paper -o flat.nlm >out
grep -q '^the loss has hardly moved from where it began;' out
grep -q -- '--lr 5e-07$' out
grep -q -- '--protocol best$' out

# A game says how far it came.
shorten() { sed -E 's/[0-9.]+ s;/N s;/; s/[0-9]+ of [0-9]+ instances, [0-9.]+ %/N of N instances, N %/'; }
game=(path --first-lesson 4 --last-lesson 6 --depth 1 --lr 0.000001 --batch 4 --rollouts 2 --interval 20 --exam 30
    --final-exam 50 --pool 5)
nlm train "${game[@]}" --episodes 40 -o game.nlm | shorten
nlm train "${game[@]}" --episodes 40 -o game.nlm --resume >out
test "$(grep -c '' out)" = 5
nlm train "${game[@]}" --episodes 80 -o game.nlm --resume --quiet
nlm train "${game[@]}" --episodes 80 -o whole.nlm --quiet
cmp game.nlm whole.nlm
nlm train "${game[@]}" --episodes 80 --patience 20 --protocol paper -o given-up.nlm | shorten

# ---- a run that was stopped, to be lost by none of what follows ----

stopped=(1-outdegree --objects 6 --batches 20 --threshold 0 --lr 0.0078125 --threads 1 --quiet)
"$NLM" train "${stopped[@]}" --epochs 1000000 -o kept/run.nlm --log kept/run.jsonl 2>err &
pid=$!
for try in $(seq 30000); do
    if [ -s kept/run.jsonl ]; then break; fi
    sleep 0.01
done
kill -INT $pid
wait $pid || test $? = 130
cp kept/father.nlm kept/run.nlm # an earlier model
nlm train "${game[@]}" --episodes 40 -o kept/game.nlm --quiet
rm kept/game.nlm
head -c 1000 kept/father.nlm >kept/cut.nlm
head -c 2000 kept/run.nlm.checkpoint >kept/cut.nlm.checkpoint
LC_ALL=C sed 's/"nlm 1"/"nlm 9"/; s/"checksum"/"former"  /' kept/father.nlm >kept/new.nlm
LC_ALL=C sed 's/"nlm 1"/"nlm 9"/; s/"checksum"/"former"  /' kept/run.nlm.checkpoint >kept/new.nlm.checkpoint
remember

# Called wrongly.
refused nlm train
refused nlm train has-father has-sister
refused nlm train has-farther
refused nlm train outdegree
refused nlm train walk
for wrong in '--depth 0' '--breadth 9' '--breadth 1' '--width 0' '--lr -1' '--lr nan' '--hidden 1,2,3,4,5' \
    '--hidden -1' '--batch x' '--batch 0' '--seeds 0' '--seeds 2 --log x' '--epochs 0' '--objects 0' '--threads 0' \
    '--exam -1' '--threshold -1' '--resume --force' '--residual --no-residual' '--epochs 1000000 --batches 1000000' \
    '--output'; do
    refused nlm train 1-outdegree -o kept/run.nlm $wrong
done
refused nlm train srot
# Options of tasks are not for games, nor the other way round.
for wrong in '--epochs 3' '--batches 3' '--objects 9' '--positives 1' '--deep 0' '--replay 0' '--threshold 0'; do
    refused nlm train blocks -o kept/run.nlm $wrong
done
for wrong in '--episodes 3' '--interval 3' '--final-exam 3' '--pool 3' '--rollouts 0' '--entropy 0' \
    '--entropy-decay 1' '--discount 1' '--solved-share 0' '--slack 0' '--validity 0' \
    '--first-lesson 3' '--last-lesson 3'; do
    refused nlm train uncle -o kept/run.nlm $wrong
done
# What no game has, or not this one.
for wrong in '--first-lesson 1' '--first-lesson 9 --last-lesson 8' '--breadth 1' '--batch 3 --rollouts 2' '--exam 0' \
    '--final-exam 0' '--pool 0' '--discount 1.1' '--slack -1' '--validity 0.1' '--episodes 0' '--resume --force'; do
    refused nlm train sort -o kept/run.nlm $wrong
done

# No place for the model.
refused nlm train "${small[@]}" -o missing/run.nlm --log kept/run.jsonl
refused nlm train "${small[@]}" -o kept
refused nlm train "${small[@]}" -o kept/father.nlm/run.nlm
refused nlm train "${small[@]}" -o /dev/null
refused nlm train "${small[@]}" --seeds 2 -o kept/father.nlm
if [ "$(id -u)" != 0 ]; then
    mkdir locked
    chmod a-w locked
    refused nlm train "${small[@]}" -o locked/run.nlm >locked.out
fi

# A run that was stopped is there: not to be lost, and not to be mistaken for another.
refused nlm train 1-outdegree -o kept/run.nlm
refused nlm train "${stopped[@]}" -o kept/run.nlm
for other in '--seed 2' '--lr 0.001' '--depth 5' '--breadth 2' '--width 7' '--hidden 8' '--residual' '--batch 5' \
    '--objects 7' '--threshold 0.5' '--batches 21'; do
    refused nlm train "${stopped[@]}" -o kept/run.nlm --resume $other
done
refused nlm train 2-outdegree -o kept/run.nlm --resume
refused nlm train has-father -o kept/run.nlm --resume
# ... of the other kind least of all.
refused nlm train sort -o kept/run.nlm
refused nlm train sort -o kept/run.nlm --resume
refused nlm train sort -o kept/father.nlm --resume
refused nlm train has-father -o kept/game.nlm
refused nlm train has-father -o kept/game.nlm --resume
refused nlm train has-father -o kept/sort.nlm --resume
refused nlm train path -o kept/game.nlm
refused nlm train path -o kept/game.nlm --resume
for other in '--seed 2' '--interval 10' '--breadth 2' '--first-lesson 3'; do
    refused nlm train "${game[@]}" -o kept/game.nlm --resume $other
done
refused nlm train sort -o kept/game.nlm --resume

# Broken files.
refused nlm train "${small[@]}" -o kept/cut.nlm
refused nlm train "${small[@]}" -o kept/cut.nlm --resume
refused nlm train "${small[@]}" -o kept/new.nlm --resume
refused nlm test kept/cut.nlm
refused nlm show kept/cut.nlm
refused nlm test kept/new.nlm
refused nlm show kept/new.nlm
refused nlm test kept/father.nlm --task has-sister

# The disk is full in the middle of a run: for the log, then for the checkpoint.
failed nlm train "${small[@]}" -o kept/father.nlm --log /dev/full
rm kept/father.nlm.checkpoint
limited() ( # a checkpoint of the usual machine has more than 4 kilobytes
    ulimit -f 4
    nlm train "$@"
)
nlm train "${small[@]}" --depth 1 --width 1 --epochs 1 -o kept/tiny.nlm --quiet
remember
refused limited "${small[@]}" -o kept/tiny.nlm
refused limited "${stopped[@]}" --epochs 1000000 -o kept/run.nlm --resume
epochs=$(($(wc -l <kept/run.jsonl) + 2))
nlm train "${stopped[@]}" --epochs $epochs -o kept/run.nlm --resume
nlm train "${stopped[@]}" --epochs $epochs -o whole.nlm
cmp kept/run.nlm whole.nlm

# --force starts over.
nlm train "${small[@]}" --epochs 2 -o kept/cut.nlm --force --quiet
cmp kept/cut.nlm kept/ended.nlm

# A log that cannot be written is found out before anything is lost.
remember
refused nlm train "${small[@]}" -o kept/ended.nlm --log missing/log
refused nlm train "${small[@]}" -o kept/ended.nlm --log kept

# Not the loss but the exam was in the way.
nlm train "${small[@]}" --epochs 1 --threshold 1000 --exam 50 -o exam.nlm >out
if grep 'not below' out; then exit 1; fi
