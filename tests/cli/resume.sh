# nlm train, killed at any moment and taken up again: the same model to the last bit, and each epoch or exam logged once.
set -E
trap 'echo "line $LINENO failed: $BASH_COMMAND"' ERR

# A run that never ends by itself, so that every kill meets it alive: one layer is too few for the task, so it fails its
# exams and gets new weights again and again.  The last command that resumes it gives it an end.
small=(1-outdegree --objects 6 --depth 1 --batches 40 --threshold 1000 --exam 20 --patience 7 --quiet)
endless=(--epochs 1000000)
seeds=(--seeds 3 --threads 3 --worlds 5)

# Kills a command after some seconds: kill_after SECONDS COMMAND...
kill_after() {
    local seconds=$1
    shift
    "$@" &
    local pid=$!
    sleep "$seconds"
    kill -9 $pid
    local status=0
    wait $pid || status=$?
    test $status = 137
}

# Waits until a file has so many lines: wait_for_lines FILE LINES
wait_for_lines() {
    local try
    for try in $(seq 30000); do
        if [ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]; then return; fi
        sleep 0.01
    done
    echo "$1 has not $2 lines"
    return 1
}

# The log without the times that it took.
timeless() { sed -E 's/"(examples_per_second|elapsed)": [0-9.e+-]+//g' "$1"; }

# The log has the epochs or exams 1, 2, ..., LAST: check_epochs FILE LAST
check_epochs() {
    sed -E 's/^\{"(epoch|exam)": ([0-9]+), .*\}$/\2/' "$1" | cmp - <(seq "$2")
}

echo "killed in one run"
"$NLM" train "${small[@]}" "${endless[@]}" -o killed.nlm --log killed.jsonl &
pid=$!
wait_for_lines killed.jsonl 3
kill -9 $pid
wait $pid || true
for seconds in 0.05 0.07 0.11 0.16 0.24 0.36 0.5; do
    kill_after $seconds "$NLM" train "${small[@]}" "${endless[@]}" -o killed.nlm --log killed.jsonl --resume
done
test ! -e killed.nlm
epochs=$(($(wc -l <killed.jsonl) + 3))
nlm train "${small[@]}" --epochs $epochs -o killed.nlm --log killed.jsonl --resume
nlm train "${small[@]}" --epochs $epochs -o whole.nlm --log whole.jsonl
cmp killed.nlm whole.nlm
check_epochs killed.jsonl $epochs
check_epochs whole.jsonl $epochs
cmp <(timeless killed.jsonl) <(timeless whole.jsonl)
grep -q '"restarts": [1-9]' whole.jsonl
grep -q '"failures": [1-9]' whole.jsonl

echo "resumed when there is nothing left to do"
nlm train "${small[@]}" --epochs $epochs -o killed.nlm --log killed.jsonl --resume
cmp killed.nlm whole.nlm
check_epochs killed.jsonl $epochs

echo "ended, but the model could not be written"
graduating=(1-outdegree --objects 6 --width 4 --batches 2000 --threshold 1000 --protocol paper --quiet)
"$NLM" train "${graduating[@]}" -o ended.nlm 2>ended.err &
pid=$!
wait_for_lines ended.nlm.checkpoint 0
mkdir ended.nlm
status=0
wait $pid || status=$?
test $status = 1
test "$(wc -l <ended.err)" = 1
grep -q '^nlm: train: ended.nlm: ' ended.err
rmdir ended.nlm
nlm train "${graduating[@]}" -o ended.nlm --resume
test ! -e ended.nlm.checkpoint
nlm train "${graduating[@]}" -o whole.nlm
cmp ended.nlm whole.nlm

echo "the log was lost"
head -n 2 killed.jsonl >short.jsonl
printf '{"epoch": 3, "lo' >>short.jsonl
nlm train "${small[@]}" --epochs $((epochs + 2)) -o killed.nlm --log short.jsonl --resume
check_epochs <(tail -n 2 short.jsonl | sed "s/: $((epochs + 1)),/: 1,/; s/: $((epochs + 2)),/: 2,/") 2
test "$(wc -l <short.jsonl)" = 4

echo "killed in runs of several seeds"
"$NLM" train "${small[@]}" "${endless[@]}" "${seeds[@]}" -o killed >table &
pid=$!
wait_for_lines killed/seed-2.jsonl 2
kill -9 $pid
wait $pid || true
for seconds in 0.06 0.13 0.3; do
    kill_after $seconds "$NLM" train "${small[@]}" "${endless[@]}" "${seeds[@]}" -o killed --resume >table
done
test ! -s table
epochs=$(($(cat killed/*.jsonl | sed -E 's/^\{"epoch": ([0-9]+),.*/\1/' | sort -n | tail -n 1) + 2))
nlm train "${small[@]}" --epochs $epochs --seeds 3 --threads 2 --worlds 5 -o killed --resume >table
nlm train "${small[@]}" --epochs $epochs "${seeds[@]}" -o whole >whole.table
for seed in 1 2 3; do
    cmp killed/seed-$seed.nlm whole/seed-$seed.nlm
    check_epochs killed/seed-$seed.jsonl $epochs
    cmp <(timeless killed/seed-$seed.jsonl) <(timeless whole/seed-$seed.jsonl)
done
if cmp -s whole/seed-1.nlm whole/seed-2.nlm; then exit 1; fi
# Their tests are in files.
cmp <(grep -o '"tests".*' killed/seed-1.json) <(grep -o '"tests".*' whole/seed-1.json)
test "$(ls whole/*.json | wc -l)" = 3
# The seed of several is the same run as that seed alone.
nlm train "${small[@]}" --epochs $epochs --seed 3 -o third.nlm
cmp third.nlm whole/seed-3.nlm

echo "interrupted"
for signal in INT TERM; do
    rm -f signal.*
    "$NLM" train "${small[@]}" "${endless[@]}" -o signal.nlm --log signal.jsonl >signal.out 2>signal.err &
    pid=$!
    wait_for_lines signal.jsonl 2
    kill -$signal $pid
    status=0
    wait $pid || status=$?
    test $status = $((128 + $(kill -l $signal)))
    test ! -s signal.out
    test "$(wc -l <signal.err)" = 1
    grep -qE '^nlm: train: 1-outdegree: stopped after epoch [0-9]+; .*--resume' signal.err
    test ! -e signal.nlm
    epochs=$(($(wc -l <signal.jsonl) + 2))
    nlm train "${small[@]}" --epochs $epochs -o signal.nlm --log signal.jsonl --resume
    nlm train "${small[@]}" --epochs $epochs -o whole.nlm
    cmp signal.nlm whole.nlm
    check_epochs signal.jsonl $epochs
done

echo "several seeds interrupted"
mkdir signals
echo '{}' >signals/seed-2.json # the result of another run, which must not be taken for that of this one
"$NLM" train "${small[@]}" "${endless[@]}" --seeds 3 --threads 2 -o signals >signal.out 2>signal.err &
pid=$!
wait_for_lines signals/seed-2.jsonl 2
kill -INT $pid
status=0
wait $pid || status=$?
test $status = 130
test "$(wc -l <signal.err)" = 1
grep -q -- --resume signal.err
test "$(grep -c 'not finished' signal.out)" = 3
if ls signals/*.json 2>/dev/null; then exit 1; fi

# A game, with all that a run of it has to remember: pools, legal and illegal moves, lessons passed.  One layer is too
# few to pass them all.
game=(blocks --depth 1 --first-lesson 2 --last-lesson 9 --slack 0.1 --batch 4 --rollouts 2 --interval 20 --exam 30
    --final-exam 60 --pool 10 --patience 0 --quiet)
endless=(--episodes 1000000000)

# Some more episodes than logs have: more_episodes FILE...
more_episodes() {
    local last
    last=$(sed -nE 's/.*"episodes": ([0-9]+),.*/\1/p' "$@" | sort -n | tail -n 1)
    echo $((last + 60))
}

echo "a game killed in one run"
"$NLM" train "${game[@]}" "${endless[@]}" -o game.nlm --log game.jsonl &
pid=$!
wait_for_lines game.jsonl 4
kill -9 $pid
wait $pid || true
for seconds in 0.06 0.11 0.2 0.4; do
    kill_after $seconds "$NLM" train "${game[@]}" "${endless[@]}" -o game.nlm --log game.jsonl --resume
done
test ! -e game.nlm
episodes=$(more_episodes game.jsonl)
nlm train "${game[@]}" --episodes $episodes -o game.nlm --log game.jsonl --resume
nlm train "${game[@]}" --episodes $episodes -o whole.nlm --log whole.jsonl --threads 1
cmp game.nlm whole.nlm
check_epochs whole.jsonl "$(wc -l <whole.jsonl)"
cmp <(timeless game.jsonl) <(timeless whole.jsonl)
grep -q '"passed": true' whole.jsonl
grep -q '"passed": false' whole.jsonl

echo "a game resumed when there is nothing left to do"
nlm train "${game[@]}" --episodes $episodes -o game.nlm --log game.jsonl --resume
cmp game.nlm whole.nlm
cmp <(timeless game.jsonl) <(timeless whole.jsonl)

echo "a game interrupted, several seeds of it killed"
"$NLM" train "${game[@]}" "${endless[@]}" -o signal.nlm --log signal.log >signal.out 2>signal.err &
pid=$!
wait_for_lines signal.log 2
kill -INT $pid
status=0
wait $pid || status=$?
test $status = 130
test ! -s signal.out
grep -qxE 'nlm: train: blocks: stopped after exam [0-9]+; continue with the same command and --resume' signal.err
test "$(wc -l <signal.err)" = 1
"$NLM" train "${game[@]}" "${endless[@]}" --seeds 2 --threads 2 -o games >table &
pid=$!
wait_for_lines games/seed-2.jsonl 3
kill -9 $pid
wait $pid || true
episodes=$(more_episodes games/*.jsonl)
nlm train "${game[@]}" --episodes $episodes --seeds 2 --threads 1 --worlds 5 -o games --resume >table
nlm train "${game[@]}" --episodes $episodes --seed 2 -o second.nlm
cmp second.nlm games/seed-2.nlm
head -n 1 table | grep -qE '^ +seed  graduated +episodes +exams +restarts +seconds +solved at 10 +moves +solved at 50 +moves$'
test "$(grep -cE '^ +[12]  no ' table)" = 2
tail -n 1 table | grep -qx 'blocks: 0 of 2 graduated, 0 of them solve all of 5 instances of each size'
