# nlm why: derivations and misses of a compiled model, and what is refused.
echo 'grandparent(X, Y) :- father(X, Z), father(Z, Y).' >grandparent.pl
nlm compile grandparent.pl -o grandparent.nlm >/dev/null
echo 'father(abe, homer). father(homer, bart). object(ned).' >family.pl
show nlm why grandparent.nlm family.pl 'grandparent(abe, bart)'
show nlm why grandparent.nlm family.pl 'grandparent(abe, bart)' --json
show nlm why grandparent.nlm family.pl 'grandparent(abe, ned)'
show nlm why grandparent.nlm family.pl 'grandparent(abe, maggie)'
show nlm why grandparent.nlm family.pl 'uncle(abe, bart)'
show nlm why grandparent.nlm family.pl 'grandparent(abe'
show nlm why grandparent.nlm missing.pl 'grandparent(abe, bart)'
cp "$SOURCES/tests/golden/runs/task.nlm" .
show nlm why task.nlm family.pl 'grandparent(abe, bart)'
show nlm why grandparent.nlm family.pl

# nlm infer --why: below each conclusion, as comments; the output is loaded as facts again.
cat >rules.pl <<'RULES'
parent(X, Y) :- father(X, Y).
parent(X, Y) :- mother(X, Y).
grandparent(X, Y) :- parent(X, Z), parent(Z, Y), \+ father(X, Y).
RULES
nlm compile rules.pl -o rules.nlm >/dev/null
printf "father(abe, homer). father(homer, bart). mother(homer, 'L\\\\nisa').\n" >family.pl
show nlm infer rules.nlm family.pl --why
show nlm infer rules.nlm family.pl --why --json
show nlm infer rules.nlm family.pl --why --probability
nlm infer rules.nlm family.pl --why >facts.pl
show nlm convert facts.pl -o again
cat again/bk.pl again/exs.pl 2>/dev/null || cat again/*
printf 'father(abe, homer). father(homer, bart).\n' >two.pl
show nlm infer rules.nlm two.pl --why --all
show nlm infer rules.nlm two.pl --why --csv
show nlm infer task.nlm two.pl --why
cp "$SOURCES/tests/golden/runs/pictures.nlm" .
show nlm infer pictures.nlm two.pl --why --images .
