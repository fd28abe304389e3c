has_father(X) :- father(X, Y).
