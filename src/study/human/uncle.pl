uncle(X, Y) :- parent(X, Z), parent(Z, W), son(W, Y), \+ father(X, Y).
parent(X, Y) :- father(X, Y).
parent(X, Y) :- mother(X, Y).
