# nlm train keeps what is there: runs, models and logs that another command line would replace.
quick() { nlm train 1-outdegree --objects 6 --batches 5 --exam 0 --threads 1 --quiet "$@"; }
export -f quick
unchanged() { test "$(cksum m.nlm m.log)" = "$before"; }

quick --threshold 1000 -o m.nlm --log m.log
before=$(cksum m.nlm m.log)
test ! -e m.nlm.checkpoint

# A model that graduated is not trained again with other settings.
show quick --threshold 1000 -o m.nlm --log m.log --resume
show quick --threshold 1000 -o m.nlm --log m.log --resume --lr 0.01
show quick --threshold 1000 -o m.nlm --log m.log --resume --seed 2
unchanged
cp m.nlm whole.nlm
head -c 900 whole.nlm >cut.nlm
show quick --threshold 1000 -o cut.nlm --resume | sed 's/header of [0-9]* bytes/header of N bytes/'
test "$(wc -c <cut.nlm)" = 900

# The log is not the model, under no name.
show quick -o m.nlm --log m.nlm
ln m.nlm link
show quick -o m.nlm --log link
show quick -o new.nlm --log new.nlm.checkpoint
show quick -o ''
unchanged
test ! -e new.nlm

# A run that used up its budget is lost only with its model there, which says the same.
quick --threshold 0 --epochs 2 -o e.nlm
quick --threshold 0 --epochs 2 -o e.nlm
rm e.nlm
show quick --threshold 0 --epochs 2 -o e.nlm
quick --threshold 0 --epochs 2 -o e.nlm --resume
cp whole.nlm e.nlm
show quick --threshold 0 --epochs 2 -o e.nlm

# ... also of a model whose settings are a program, of a task and of facts.
nlm generate has-father --objects 6 --worlds 4 -o facts >/dev/null
echo 'template(has_father, 1, 1, given).' >facts/templates.pl
program() { learn "$1" --model dilp --epochs 1 --batches 1 -o "$2" --quiet; }
for time in 1 2; do
    program has-father t.nlm
    program facts f.nlm
done

# Several seeds: one line, before anything is computed.
quick --threshold 1000 --seeds 2 --worlds 5 -o seeds >table
show quick --threshold 1000 --seeds 2 --worlds 5 -o seeds --resume --lr 0.01
show quick --threshold 1000 --worlds 5 -o m.nlm
unchanged

# A pipe is a fine log.
mkfifo pipe
cat pipe >copy &
quick --threshold 1000 -o p.nlm --log pipe
wait
grep -c '"epoch": 1,' copy

# The same for games.
game() {
    nlm train sort --depth 1 --batch 2 --rollouts 0 --interval 10 --exam 10 --final-exam 10 --pool 5 --patience 0 \
        --threads 1 --quiet "$@"
}
export -f game
game --episodes 20 -o g.nlm --log g.log
game --episodes 20 -o g.nlm --log g.log
before=$(cksum g.nlm g.nlm.checkpoint g.log)
show game -o g.nlm --log g.nlm
show game -o g.nlm --log g.nlm.checkpoint
show game -o g.nlm --resume --pool 6
show quick -o g.nlm --resume
rm g.nlm
show game -o g.nlm
cp m.nlm g.nlm
show game -o g.nlm
show quick -o g.nlm
cmp g.nlm m.nlm
game --episodes 20 -o g.nlm --log g.log --resume
test "$(cksum g.nlm g.nlm.checkpoint g.log)" = "$before"
quick --threshold 1000 -o g.nlm --force
cmp g.nlm m.nlm
