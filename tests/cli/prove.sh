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
show nlm prove sort.nlm grandparent.pl
show nlm prove missing.nlm
show nlm prove grandparent.pl
show nlm prove grandparent.nlm missing.pl
show nlm prove
show nlm prove a b c
