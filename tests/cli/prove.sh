# nlm prove: compiled models with their rules and with others, models that are not hard, and what is refused.
cat >grandparent.pl <<'RULES'
parent(X, Y) :- father(X, Y).
parent(X, Y) :- mother(X, Y).
grandparent(X, Y) :- parent(X, Z), parent(Z, Y).
RULES
nlm compile grandparent.pl -o grandparent.nlm >/dev/null
show nlm prove grandparent.nlm
show nlm prove grandparent.nlm grandparent.pl

# The same in other words.
cat >other.pl <<'RULES'
grandparent(X, Y) :- \+ childless(X, Y).
childless(X, Y) :- \+ both(X, Y).
both(X, Y) :- father(X, Z), father(Z, Y).
both(X, Y) :- mother(Z, Y), mother(X, Z).
both(X, Y) :- mother(X, Z), father(Z, Y).
both(X, Y) :- father(X, Z), mother(Z, Y).
RULES
show nlm prove grandparent.nlm other.pl

# Other rules: a world on which they differ, which the model reads.
cat >wrong.pl <<'RULES'
grandparent(X, Y) :- father(X, Z), father(Z, Y).
grandparent(X, Y) :- mother(X, Z), mother(Z, Y).
RULES
show nlm prove grandparent.nlm wrong.pl
show nlm prove --json grandparent.nlm wrong.pl
nlm prove grandparent.nlm wrong.pl | sed 1d >world.pl || true
show nlm infer grandparent.nlm world.pl

# Rules about other predicates.
echo 'grandparent(X, Y) :- parent(X, Z), parent(Z, Y).' >unknown.pl
show nlm prove grandparent.nlm unknown.pl
echo 'uncle(X, Y) :- father(X, Y).' >uncle.pl
show nlm prove grandparent.nlm uncle.pl

# A world with an object without facts.
echo 'lonely(X) :- \+ friend(X, _).' >lonely.pl
nlm compile lonely.pl -o lonely.nlm >/dev/null
show nlm prove lonely.nlm lonely.pl
echo 'lonely(X) :- friend(X, _), \+ friend(_, X).' >wrong.pl
show nlm prove lonely.nlm wrong.pl

# Models of other kinds, and soft ones.
for name in task blocks sort memnn pictures; do
    cp "$SOURCES/tests/golden/runs/$name.nlm" .
    show nlm prove $name.nlm | sed -E 's/-?[0-9]+\.[0-9e-]+/N/; s/, where .*/, where .../'
done
show nlm prove --json task.nlm | sed -E 's/-?[0-9]+\.[0-9e-]+/N/; s/, where .*/, where .../'
nlm prove pictures.nlm | grep -o 'sees_[0-9](X) is [a-z]*' # inputs of the network
show nlm prove sort.nlm grandparent.pl
show nlm prove missing.nlm
show nlm prove grandparent.pl
show nlm prove grandparent.nlm missing.pl
show nlm prove
show nlm prove a b c

# nlm test says what is proved about program and machine; the test is about the task.
cat >has_father.pl <<'RULES'
has_father(X) :- father(X, Y).
has_father(X) :- father(X, Y), mother(X, Z), son(X, V), daughter(X, W).
RULES
nlm compile has_father.pl -o has_father.nlm >/dev/null
# A model whose clauses were changed, and its checksum left out.
LC_ALL=C sed 's/:- father(X/:- mother(X/; s/"checksum"/"check___"/' has_father.nlm >changed.nlm
mkdir labelled
echo 'father(a, b). mother(b, c). son(b, a). daughter(c, b).' >labelled/bk.pl
echo 'pos(has_father(a)). neg(has_father(b)).' >labelled/exs.pl
seconds() { sed -E 's/"seconds": [0-9.]+/"seconds": S/; s/ +[0-9.]+$//'; }
for model in has_father changed; do
    show nlm test $model.nlm --task has-father --worlds 3 --objects 5 --kind paper | seconds
    show nlm test $model.nlm --task has-father --worlds 3 --objects 5 --kind paper --json | seconds
    show nlm test $model.nlm labelled
    show nlm test $model.nlm labelled --json
done
