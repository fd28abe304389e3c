has_sister(X) :- father(X, Z), daughter(Z, Y), X \= Y.
