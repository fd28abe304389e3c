% father(F, C): F is the father of C.
father(theo, alfred).
father(theo, felix).
father(adam, otto).
father(adam, kurt).
father(alfred, lotte).
father(alfred, ivan).
father(alfred, lena).
father(felix, henry).
father(felix, rudi).
father(felix, robert).
father(otto, ernst).
father(otto, ines).
father(kurt, ada).
father(kurt, julia).
father(robert, paula).
father(robert, edith).
father(ernst, karin).

mother(flora, alfred).
mother(flora, felix).
mother(helga, otto).
mother(helga, kurt).
mother(lisa, lotte).
mother(lisa, ivan).
mother(lisa, lena).
mother(agnes, henry).
mother(agnes, rudi).
mother(agnes, robert).
mother(fanny, ernst).
mother(fanny, ines).
mother(greta, ada).
mother(greta, julia).
mother(ines, paula).
mother(ines, edith).
mother(lotte, karin).

female(flora).
female(helga).
female(lisa).
female(agnes).
female(fanny).
female(greta).
female(lotte).
female(lena).
female(ines).
female(ada).
female(julia).
female(paula).
female(edith).
female(karin).
