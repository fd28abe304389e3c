% father(F, C): F is the father of C.
father(carl, conrad).
father(carl, cora).
father(carl, bella).
father(gustav, david).
father(gustav, lena).
father(gustav, oskar).
father(oskar, tom).
father(oskar, leo).
father(conrad, henry).
father(bruno, jakob).
father(bruno, rudi).
father(bruno, agnes).
father(david, irma).
father(david, karin).
father(tom, ines).
father(tom, eva).
father(henry, emma).
father(henry, edith).
father(jakob, ernst).
father(jakob, klara).

mother(maria, conrad).
mother(maria, cora).
mother(maria, bella).
mother(marta, david).
mother(marta, lena).
mother(marta, oskar).
mother(bella, tom).
mother(bella, leo).
mother(nora, henry).
mother(cora, jakob).
mother(cora, rudi).
mother(cora, agnes).
mother(sofia, irma).
mother(sofia, karin).
mother(agnes, ines).
mother(agnes, eva).
mother(irma, emma).
mother(irma, edith).
mother(carla, ernst).
mother(carla, klara).

female(maria).
female(marta).
female(cora).
female(bella).
female(lena).
female(nora).
female(sofia).
female(agnes).
female(irma).
female(karin).
female(carla).
female(ines).
female(eva).
female(emma).
female(edith).
female(klara).
