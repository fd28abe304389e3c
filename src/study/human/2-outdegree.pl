outdegree2(X) :- has_edge(X, Y), has_edge(X, Z), Y \= Z, \+ other(X, Y, Z).
other(X, Y, Z) :- has_edge(X, W), W \= Y, W \= Z.
