% niece(N, P): N is a niece of P.  All that there are.
pos(niece(anna, walter)).
pos(niece(lotte, gustav)).
pos(niece(lotte, peter)).
pos(niece(fanny, agnes)).
pos(niece(fanny, peter)).
pos(niece(julia, agnes)).
pos(niece(julia, peter)).
pos(niece(bella, viktor)).
pos(niece(bella, georg)).
pos(niece(bella, lotte)).
pos(niece(alma, anna)).
pos(niece(alma, viktor)).
pos(niece(alma, jonas)).
