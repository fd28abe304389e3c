# One world of 260 towns: learned from in neighbourhoods, the same for any number of threads and when resumed; the
# program is right about the whole world, and about another.
python3 "$SOURCES/tools/make-large-worlds" roads towns --objects 260
python3 "$SOURCES/tools/make-large-worlds" roads others --objects 400 --seed 2

"$NLM" train towns -o two.nlm --threads 2 >said 2>notes
grep -q 'the world has 260 objects: learning from neighbourhoods of up to' notes
grep -q '^learned from: 0 of ' said
grep -q '^learned: ' said
"$NLM" show two.nlm | grep -q 'neighbourhoods of up to'
"$NLM" test two.nlm towns | grep -qE '^two_roads/2 +67,340 +0 '
"$NLM" test two.nlm others | grep -qE '^two_roads/2 +159,600 +0 '

# The same bits.
short=(--no-rules --epochs 2 --batches 10 --width 4 --quiet)
learn towns -o one.nlm "${short[@]}" --threads 1 --force
learn towns -o other.nlm "${short[@]}" --threads 3 --force
cmp one.nlm other.nlm
learn towns -o part.nlm "${short[@]}" --epochs 1 --force
learn towns -o part.nlm "${short[@]}" --resume
cmp one.nlm part.nlm

# Asked for, forbidden, and where it means nothing.
learn towns -o none.nlm "${short[@]}" --neighbourhood 0 --epochs 1 --batches 1 --breadth 2 2>notes
test ! -s notes
! "$NLM" show none.nlm | grep -q 'neighbourhoods'
! "$NLM" train "$SOURCES/examples/family/learn" -o no.nlm --neighbourhood 20 2>message
grep -q 'neighbourhoods are drawn from a single world' message
