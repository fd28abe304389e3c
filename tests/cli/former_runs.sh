# Models and checkpoints that version 0.1.0 wrote (tests/golden/runs, made by tools/digests): they are shown, tested,
# and their runs go on.  Settings that came later have the values in them that leave these runs as they were.
cp "$SOURCES"/tests/golden/runs/* .
family=$SOURCES/examples/family/learn roads=$SOURCES/examples/roads/learn

for model in *.nlm; do
    nlm show "$model" >shown
    grep -q '^training$' shown
    nlm show "$model.checkpoint" >shown
done
for model in task task-paper task-restart memnn dilp; do
    nlm test "$model.nlm" --worlds 3 --objects 9 | grep -qE '^(paper)? *9 '
done
for model in sort path blocks memnn-sort; do
    nlm test "$model.nlm" --worlds 3 --objects 5 | grep -q '^ *5 '
done
nlm test pictures.nlm --images drawn --worlds 3 --objects 9 | grep -q '^ *9 '
nlm test facts.nlm "$family" >tested
nlm test facts-one-world.nlm "$roads" >tested
nlm infer facts.nlm "$SOURCES/examples/family/apply.pl" >concluded

goes_on() {
    local model=$1 before
    shift
    before=$(cksum <"$model.nlm")
    learn "$@" --resume --threads 1 -o "$model.nlm" >log
    if [ "$before" = "$(cksum <"$model.nlm")" ]; then
        echo "$model: nothing was learned after --resume"
        return 1
    fi
}
goes_on task grandparent --kind paper --epochs 3 --batches 20 --exam 100
goes_on task-paper 2-outdegree --protocol paper --epochs 2 --batches 5 --width 4
goes_on task-restart has-sister --kind paper --epochs 8 --batches 2 --patience 2 --width 4 --seed 3
goes_on facts "$family" --epochs 3 --batches 20 --width 4
goes_on facts-one-world "$roads" --target remote,two_roads --closed-world --epochs 3 --batches 5 --width 4
goes_on sort sort --episodes 60 --width 4
goes_on path path --episodes 600 --width 4
goes_on blocks blocks --episodes 1600 --width 4
goes_on memnn has-father --model memnn --epochs 2 --batches 8 --width 16
goes_on memnn-sort sort --model memnn --episodes 1200 --width 16
goes_on dilp ilp-grandparent --model dilp --epochs 2 --batches 40
goes_on pictures adjacent-to-zero --images drawn --epochs 2 --batches 8 --width 4

# A run that is not the one of the file is refused, and what differs is named.
! nlm train grandparent --kind paper --epochs 3 --batches 20 --exam 100 --positives 1 --resume -o task.nlm 2>message
grep -q 'positives 3, not 1' message
! nlm train grandparent --epochs 3 --batches 20 --exam 100 --resume -o task.nlm 2>message
grep -q 'kind paper, not rich' message
echo "all former runs are shown, tested and go on"
