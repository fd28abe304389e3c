% father(F, C): F is the father of C.
father(frank, agnes).
father(frank, greta).
father(walter, moritz).
father(moritz, vera).
father(moritz, rudi).
father(ernst, david).
father(rudi, lena).
father(rudi, leo).

mother(sofia, agnes).
mother(sofia, greta).
mother(klara, moritz).
mother(greta, vera).
mother(greta, rudi).
mother(vera, david).
mother(lisa, lena).
mother(lisa, leo).

female(sofia).
female(klara).
female(agnes).
female(greta).
female(vera).
female(lisa).
female(lena).
