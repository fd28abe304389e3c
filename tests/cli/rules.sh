# nlm rules: the program of a model in words that a file defines; what is refused.
cat >rules.pl <<'RULES'
t(X, Y) :- p1(X, Z), p1(Z, Y), \+ tall_p1(X).
p1(X, Y) :- father(X, Y) ; mother(X, Y).
tall_p1(X) :- p1(X, Y), tall(Y).
RULES
nlm compile rules.pl -o t.nlm >/dev/null
show nlm rules t.nlm --format clauses
cat >words.pl <<'RULES'
% Words of the house.
elder(X, Y) :- father(X, Y).
elder(X, Y) :- mother(X, Y).
has_tall_elder(X) :- elder(X, Y), tall(Y).
cousin(X, Y) :- elder(X, Z), elder(Y, Z).
RULES
show nlm rules t.nlm --format clauses --names words.pl
show nlm rules t.nlm --format text --names words.pl
nlm rules t.nlm --names words.pl >printed.pl
show nlm prove t.nlm printed.pl
echo 'kid(X, Y) :- mother(Y, X) ; father(Y, X).' >kid.pl
show nlm rules t.nlm --format clauses --names kid.pl
echo 'dad(X, Y) :- father(X, Y).' >dad.pl
show nlm rules t.nlm --format clauses --names dad.pl

# Files that are no such definitions.
show nlm rules t.nlm --names missing.pl
refused() {
    printf '%s\n' "$1" >names.pl
    show nlm rules t.nlm --names names.pl
}
refused '% nothing'
refused 'helper_1 = parent'
refused 'elder(X, Y) :- fahter(X, Y).'
refused 'elder(X) :- father(X).'
refused 'father(X, Y) :- mother(X, Y).'
refused 'elder(X, Y) :- elder(Y, X).'
refused 'elder(X, Y) :- father(X, [Y]).'
seq -f 'n%.0f(X) :- tall(X), father(X, _).' 201 >names.pl
show nlm rules t.nlm --names names.pl
