% father(F, C): F is the father of C.
father(hugo, walter).
father(hugo, tom).
father(david, agnes).
father(david, gustav).
father(david, peter).
father(tom, anna).
father(tom, viktor).
father(tom, georg).
father(bruno, jonas).
father(bruno, lotte).
father(gustav, fanny).
father(gustav, julia).
father(jonas, bella).
father(georg, alma).
father(viktor, anton).
father(viktor, kurt).
father(erik, adam).

mother(thea, walter).
mother(thea, tom).
mother(ines, agnes).
mother(ines, gustav).
mother(ines, peter).
mother(flora, anna).
mother(flora, viktor).
mother(flora, georg).
mother(agnes, jonas).
mother(agnes, lotte).
mother(helga, fanny).
mother(helga, julia).
mother(anna, bella).
mother(lotte, alma).
mother(fanny, anton).
mother(fanny, kurt).
mother(julia, adam).

female(thea).
female(ines).
female(agnes).
female(flora).
female(helga).
female(anna).
female(lotte).
female(fanny).
female(julia).
female(bella).
female(alma).
