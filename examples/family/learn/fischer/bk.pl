% father(F, C): F is the father of C.
father(erik, edith).
father(theo, arno).
father(theo, wilma).
father(theo, otto).
father(arno, ines).
father(otto, karl).
father(otto, marta).
father(otto, olga).
father(karl, walter).
father(karl, tom).
father(bruno, jakob).
father(henry, zita).

mother(vera, edith).
mother(karin, arno).
mother(karin, wilma).
mother(karin, otto).
mother(edith, ines).
mother(ella, karl).
mother(ella, marta).
mother(ella, olga).
mother(ines, walter).
mother(ines, tom).
mother(marta, jakob).
mother(olga, zita).

female(vera).
female(karin).
female(edith).
female(wilma).
female(ella).
female(ines).
female(marta).
female(olga).
female(zita).
female(rosa).
