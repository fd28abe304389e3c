adjacent_to_red(X) :- has_edge(X, Y), red(Y).
