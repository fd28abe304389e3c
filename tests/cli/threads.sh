# Threads of every kind, for the thread sanitizer too: the same bits as with one.
small=(--objects 8 --batches 10 --epochs 2 --exam 5 --quiet)

# same NAME ARGUMENTS...: nlm train with one thread, two and three.
same() {
    local name=$1 threads
    shift
    for threads in 1 2 3; do
        nlm train "$@" --threads $threads -o "$name-$threads.nlm" >log 2>&1 || [ $? -eq 3 ]
    done
    cmp "$name-1.nlm" "$name-2.nlm"
    cmp "$name-1.nlm" "$name-3.nlm"
}
same task uncle "${small[@]}"
same memnn has-father --model memnn --width 8 "${small[@]}"
same game sort --episodes 300 --no-rules --quiet

# Runs side by side, each with threads of its own where there are more than runs.
for threads in 1 2 4; do
    nlm train 1-outdegree "${small[@]}" --seeds 3 --worlds 5 --threads $threads -o seeds-$threads >log 2>&1 || [ $? -eq 3 ]
done
for model in seeds-1/*.nlm; do
    cmp "$model" "seeds-2/${model##*/}"
    cmp "$model" "seeds-4/${model##*/}"
done

# same_test MODEL: nlm test with one thread and three.
same_test() {
    nlm test "$1" --objects 10,30 --worlds 20 --json --threads 1 2>log | sed 's/"seconds.*//' >one
    nlm test "$1" --objects 10,30 --worlds 20 --json --threads 3 2>log | sed 's/"seconds.*//' >three
    test -s one
    cmp one three
}
same_test task-1.nlm
same_test game-1.nlm
