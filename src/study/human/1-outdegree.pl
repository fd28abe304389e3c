outdegree1(X) :- has_edge(X, Y), \+ other(X, Y).
other(X, Y) :- has_edge(X, Z), Z \= Y.
