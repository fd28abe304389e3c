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
