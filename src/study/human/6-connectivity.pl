connectivity6(X, Y) :- within_2(X, Y).
connectivity6(X, Y) :- within_2(X, Z), within_2(Z, Y).
connectivity6(X, Y) :- within_2(X, Z), within_2(Z, W), within_2(W, Y).
within_2(X, Y) :- has_edge(X, Y).
within_2(X, Y) :- has_edge(X, Z), has_edge(Z, Y).
