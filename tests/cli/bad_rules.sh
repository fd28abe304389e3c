# Rules that are none, or that no machine has: one line each, with file, line, reason and what to do; and files of facts,
# models and programs of thousands of clauses that are none of what is asked for.
refused() {
    printf '%s\n' "$1" >r.pl
    show nlm compile r.pl -o r.nlm "${@:2}"
    test ! -e r.nlm
}
# Lists, functions, arithmetic, objects, strings.
refused 'p(X) :- q([X]).'
refused 'p(X) :- q(f(X)).'
refused 'p(X) :- q(X, Y), X > 3.'
refused 'p(X) :- q(X, Y), V > 3.'
refused 'p(X) :- q(X, Y), Y > 3, r(Y).'
refused 'p(X) :- q(X, Y), Y > 1,5.'
refused 'p(X) :- q(X, Y), Y > inf.'
refused 'p(X) :- q(X, Y), Y is X + 1.'
refused 'p(X) :- q(X, bart).'
refused 'p(X) :- q(X, 3).'
refused 'p(X) :- q(X, "a").'
refused 'p(a).'
refused 'p(X) --> q(X).'
refused 'p(X) :- q(X), !.'
refused 'p(X) :- findall(Y, q(X, Y), L).'
# Variables that are bound too late.
refused 'p(X) :- \+ q(X, Y), r(Y).'
refused 'p(X) :- q(X), X \= Y.'
# A variable that only the head has.
refused 'p(X, Y) :- q(X, Z).'
# Arities, cycles, what is not finished.
refused 'p(A, B, C, D, E, F) :- q(A, B, C, D, E, F).'
refused 'p(X) :- q(X, Y), p(Y).'
refused 'p(X) :- r(X).
r(X) :- s(X), \+ p(X).'
refused 'p(X) :- q(X'
refused '% nothing'
# Five variables at once.
refused 'p(A) :- q(A, B), q(B, C), q(C, D), q(D, E), q(A, C), q(A, D), q(A, E), q(B, D), q(B, E), q(C, E).' --breadth 3
refused 'p(A) :- r(A).
s(A) :- q(A, B, C, D, E).' --breadth 3 --target s

# One name with two numbers of arguments is two predicates, which is said.
echo 'p(X) :- q(X), q(X, _), p(X, _).' >arities.pl
show nlm compile arities.pl -o arities.nlm

# Predicates that a model does not have; another number of arguments.
echo 'grandparent(X, Y) :- father(X, Z), father(Z, Y).' >grandparent.pl
nlm compile grandparent.pl -o grandparent.nlm >/dev/null
echo 'grandparent(X, Y) :- fahter(X, Z), father(Z, Y).' >unknown.pl
show nlm prove grandparent.nlm unknown.pl
echo 'grandparent(X, Y) :- father(X, Y, _).' >clash.pl
show nlm prove grandparent.nlm clash.pl

# A rule among facts is called a rule, wherever facts are read.
printf 'father(a, b).\nparent(X, Y) :-\n    father(X, Y).\n' >rule.pl
show nlm infer grandparent.nlm rule.pl
show nlm why grandparent.nlm rule.pl 'grandparent(a, b)'
show nlm check rule.pl
show nlm train rule.pl --target father -o learned.nlm | sed -E 's/found after .*/found .../'
show nlm convert rule.pl -o converted
mkdir folder
cp rule.pl folder/bk.pl
echo 'pos(p(X)) :- q(X).' >folder/exs.pl
show nlm check folder
echo 'father(a, b).' >folder/bk.pl
show nlm check folder
printf 'father(X, b). parent(X, Y) :- father(X, Y).\n' >variable.pl
show nlm infer grandparent.nlm variable.pl

# A model that is not hard: what is missing.
cp "$SOURCES/tests/golden/runs/task.nlm" "$SOURCES/tests/golden/runs/memnn.nlm" .
show nlm prove task.nlm | sed -E 's/-?[0-9]+\.[0-9e-]+/N/; s/, where .*/, where .../'
show nlm prove memnn.nlm
show nlm why task.nlm folder/bk.pl 'grandparent(a, b)'

# Thousands of clauses: bounded, and said.
clauses() { awk -v n="$1" "BEGIN { for (i = 1; i <= n; i++) { $2 } }"; }
many() { show nlm compile many.pl -o many.nlm --force | sed -E 's/(reads .{40}).*/\1 .../'; }
clauses 20000 'print "p(X) :- q" i % 200 "(X), r" int(i / 200) "(X)."' >many.pl
many
clauses 20001 'print "p(X) :- q(X, Y)."' >many.pl
many
clauses 3000 'print "p" i "(X, Y) :- p" i - 1 "(X, Z), p" i - 1 "(Z, Y)."' >many.pl
many
clauses 60 'print "p" i "(X, Y) :- p" i - 1 "(X, Z), p" i - 1 "(Z, Y)."' >many.pl
many
clauses 3000 'print "p" i "(X) :- q(X)."' >many.pl
many
{ printf 'p(X) :- q(X)' && clauses 1000 'print ", q" i "(X)"' && echo .; } >many.pl
many
{ printf 'p(X) :- ' && clauses 70 'printf "\\+ ("' && printf 'q(X)' && clauses 70 'printf ")"' && echo .; } >many.pl
many
clauses 2000 'print "p(X) :- q" i % 20 "(X), r" int(i / 20) "(X)."' >many.pl
many | head -1
nlm rules many.nlm --format text | wc -l
show nlm prove many.nlm
echo 'q1(a). r0(a).' >few.pl
nlm infer many.nlm few.pl --why 2>/dev/null
