mg_uncle(X, Y) :- parent(X, Z), mother(Z, W), mother(W, V), son(V, Y).
parent(X, Y) :- father(X, Y).
parent(X, Y) :- mother(X, Y).
