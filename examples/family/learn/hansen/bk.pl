% father(F, C): F is the father of C.
father(arno, alma).
father(tom, lena).
father(tom, mina).
father(fritz, cora).
father(fritz, nora).
father(fritz, irma).
father(albert, lotte).
father(albert, ella).
father(ivan, fanny).
father(ivan, jonas).
father(jonas, thea).
father(robert, theo).
father(erik, flora).
father(erik, karl).

mother(carla, alma).
mother(rosa, lena).
mother(rosa, mina).
mother(alma, cora).
mother(alma, nora).
mother(alma, irma).
mother(lena, lotte).
mother(lena, ella).
mother(mina, fanny).
mother(mina, jonas).
mother(lotte, thea).
mother(nora, theo).
mother(irma, flora).
mother(irma, karl).

female(carla).
female(rosa).
female(alma).
female(lena).
female(mina).
female(cora).
female(nora).
female(irma).
female(lotte).
female(ella).
female(fanny).
female(thea).
female(flora).
female(greta).
