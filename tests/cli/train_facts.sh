# nlm train on facts: what it says when there is nothing to learn, and when it does not graduate.

# Two epochs are too few for anything.  Times and losses are not a test's business.
try() {
    learn "$@" --epochs 2 --batches 5 --force 2>&1 | sed -E 's/[0-9.]+ s; loss [0-9.e+-]+, .*/X/; s/(learned from: )[0-9]+ of/\1X of/
        s/[0-9]+ of ([0-9]+ (true|false))/X of \1/g; s/machine of epoch 1, the best of them/machine as it is/; s/--lr .*/--lr X/
        s/why: (what was learned|a machine of this size) .*/why: .../; /more worlds or labels|more epochs|lower learning/d'
}

# Nothing to learn, or nothing to learn from.
cat >family.pl <<'END_OF_FILE'
parent(ann, bob). parent(bob, cid). parent(bob, dan). parent(cid, eve). 'is old'(ann). object(fay).
grandparent(ann, cid). grandparent(ann, dan). grandparent(bob, eve).
END_OF_FILE
show nlm train family.pl
mkdir open none
echo 'p0(a). p1(a). p2(a). p3(a). p4(a). p5(a). p6(a).' | tee open/bk.pl >none/bk.pl
show nlm train open
printf 'head_pred(q, 1). head_pred(r, 2).' >none/bias.pl
show nlm train none
show nlm train none --target p9
echo 'p(a).' | show nlm train - --target p

# Too few examples.
show try family.pl --target grandparent -o few.nlm

# A row of 16: what is more than three steps away takes depth.
for i in $(seq 15); do echo "next(n$i, n$((i + 1)))."; done >row.pl
for i in $(seq 11); do echo "far(n$i, n$((i + 4)))."; done >>row.pl
show try row.pl --target far --breadth 3 --depth 2 -o row.nlm
show try row.pl --target far --breadth 2 -o row2.nlm

# Triangles and hexagons: a breadth of 2 does not tell them apart.
for t in 1 2 3 4; do
    for i in 0 1 2; do echo "edge(t$t$i, t$t$(((i + 1) % 3))). edge(t$t$(((i + 1) % 3)), t$t$i). small(t$t$i)."; done
done >rings.pl
for h in 1 2; do
    for i in 0 1 2 3 4 5; do echo "edge(h$h$i, h$h$(((i + 1) % 6))). edge(h$h$(((i + 1) % 6)), h$h$i)."; done
done >>rings.pl
show try rings.pl --target small --breadth 2 --depth 3 -o rings.nlm
show try rings.pl --target small -o rings3.nlm

# Nothing tells these apart.
for i in $(seq 10 21); do echo "male(m$i). chosen(m$i)."; done >alike.pl
echo 'male(other).' >>alike.pl
show try alike.pl --target chosen -o alike.nlm

# Contradictions.
mkdir both
for i in $(seq 10 21); do echo "male(m$i). female(f$i)."; done >both/bk.pl
for i in $(seq 10 21); do echo "pos(tall(m$i)). neg(tall(f$i))."; done >both/exs.pl
echo 'neg(tall(m10)). pos(tall(f11)). neg(tall(m12)). neg(tall(m13)).' >>both/exs.pl
show try both -o both.nlm

# The model is that of the best epoch; its name is that of the folder, but learn and train are none.
mkdir -p project/learn project/data
cp rings.pl project/learn/bk.pl
cp rings.pl project/data/bk.pl
cp rings.pl train.pl
for path in project/learn/ project/data ./project/learn train.pl ./train.pl; do
    learn $path --target small --epochs 1 --batches 1 --quiet
done
(cd project/learn && learn ../learn --target small --epochs 1 --batches 1 --quiet && ls *.nlm)
ls *.nlm
learn rings.pl --target small --epochs 40 --batches 1 --lr 0.5 --patience 0 --no-rules -o best.nlm >out
best=$(nlm show best.nlm | sed -n 's/.*best epoch \([0-9]*\).*/\1/p')
test "$best" -lt 40
grep -qx "best.nlm has the machine of epoch $best, the best of them" out
