connectivity4(X, Y) :- within_2(X, Y).
connectivity4(X, Y) :- within_2(X, Z), within_2(Z, Y).
within_2(X, Y) :- has_edge(X, Y).
within_2(X, Y) :- has_edge(X, Z), has_edge(Z, Y).
