# One output has one run at a time, which leaves nothing behind, however it is stopped.
# A run that never ends by itself: one layer is too few for the task.
endless=(1-outdegree --objects 6 --depth 1 --batches 40 --threshold 1000 --exam 20 --quiet --epochs 1000000)

# begin NAME OPTION...: the run in the background, until it has logged two rounds more.
begin() {
    local name=$1 try before
    shift
    touch "$name.jsonl"
    before=$(wc -l <"$name.jsonl")
    "$NLM" train "${endless[@]}" -o "$name.nlm" --log "$name.jsonl" "$@" 2>"$name.err" &
    pid=$!
    for try in $(seq 30000); do
        if [ "$(wc -l <"$name.jsonl")" -ge $((before + 2)) ]; then return; fi
        sleep 0.01
    done
    return 1
}
process() { sed "s/process $pid$/process P/"; }

echo "a second run is refused, and so is one that would go on"
begin live
for how in "" --resume --force; do
    show nlm train "${endless[@]}" -o live.nlm --log live.jsonl $how 2>&1 | process
done
ln -s live.nlm link.nlm
show nlm train "${endless[@]}" -o link.nlm 2>&1 | process
rm link.nlm
kill -0 $pid

echo "a lost terminal stops a run as an interrupt does"
kill -HUP $pid
wait $pid || echo "[exit $?]"
sed -E 's/epoch [0-9]+/epoch N/' live.err
grep -c '^{"epoch": ' live.jsonl >lines
test "$(sed -nE 's/^\{"epoch": ([0-9]+), .*\}$/\1/p' live.jsonl | tail -1)" = "$(cat lines)"
ls

echo "unless hang-ups are ignored, as under nohup"
(trap '' HUP && begin deaf && kill -HUP $pid && sleep 0.1 && kill -0 $pid && kill -TERM $pid; wait $pid) || echo "[exit $?]"

echo "what killed runs left is removed by the next, and nothing else"
begin live --resume
{ kill -KILL $pid && wait $pid; } 2>/dev/null || echo "[exit $?]" # the shell's own word on it comes at any time
ls live.nlm.lock
touch live.nlm.tmp-abc123 live.nlm.checkpoint.tmp-0z9y8x other.nlm.tmp-abc123 live.nlm.tmp-mine
begin live --resume
kill -TERM $pid
wait $pid || echo "[exit $?]"
ls *.tmp-*

echo "a link stays a link"
mkdir elsewhere
ln -s elsewhere/model.nlm link.nlm
nlm train 1-outdegree --objects 4 --epochs 1 --batches 1 --threshold 0 --quiet -o link.nlm
readlink link.nlm
ls elsewhere
nlm show link.nlm | sed -n 2p

echo "nothing of a device is a model or facts"
show nlm show /dev/zero
show nlm check /dev/zero
mkfifo pipe
cat elsewhere/model.nlm >pipe &
nlm show pipe | sed -n 2p
echo 'parent(ann, bob). grandparent(ann, bob).' >pipe &
nlm check pipe --target grandparent | sed -n 1p
