# nlm compile: rules to a machine, which draws their conclusions; what is refused.

# Called wrongly.
show nlm compile
show nlm compile rules.pl
show nlm compile rules.pl -o model.nlm
show nlm compile rules.pl -o model.nlm --breadth 6

cat >uncle.pl <<'END'
uncle(X, Y) :- parent(X, Z), brother(Z, Y).
parent(X, Y) :- father(X, Y) ; mother(X, Y).
brother(X, Y) :- parent(X, Z), son(Z, Y), X \= Y.
END
show nlm compile uncle.pl -o uncle.nlm
show nlm show uncle.nlm

cat >facts.pl <<'END'
father(bart, homer). father(lisa, homer). father(homer, abe). mother(bart, marge). mother(lisa, marge).
son(abe, homer). son(abe, herb). son(homer, bart).
END
show nlm infer uncle.nlm facts.pl

# Other targets, several of them; standard input.
show nlm compile uncle.pl --target brother,uncle -o two.nlm
show nlm infer two.nlm facts.pl
from_input() { nlm compile - "$@" <uncle.pl; }
show from_input -o input.nlm
cmp <(nlm infer input.nlm facts.pl) <(nlm infer uncle.nlm facts.pl)

# An existing file stays, and the rules do in any case.
show nlm compile uncle.pl -o uncle.nlm
show nlm compile uncle.pl --target parent --force -o uncle.nlm
show nlm compile uncle.pl --force -o uncle.pl
show nlm compile uncle.pl -o missing/uncle.nlm

# Rules that no machine, or none of this breadth, computes.
show nlm compile uncle.pl --breadth 2 -o narrow.nlm
show nlm compile uncle.pl --target aunt -o aunt.nlm
echo 'p(X) :- q(X, Y), p(Y).' >cycle.pl
show nlm compile cycle.pl -o cycle.nlm
cat >six.pl <<'END'
% Six objects, each related to all others.
six(A) :- e(A, B), e(A, C), e(A, D), e(A, E), e(A, F), e(B, C), e(B, D), e(B, E), e(B, F), e(C, D), e(C, E), e(C, F),
    e(D, E), e(D, F), e(E, F).
END
show nlm compile six.pl -o six.nlm
echo 'everything(X).' >nothing.pl
show nlm compile nothing.pl -o nothing.nlm

# The paper's nine rules.
show nlm compile "$SOURCES/examples/should_move.pl" -o should_move.nlm | sed "s|$SOURCES/||"
