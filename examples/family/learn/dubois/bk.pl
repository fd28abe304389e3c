% father(F, C): F is the father of C.
father(conrad, georg).
father(conrad, greta).
father(ivan, ida).
father(ivan, olga).
father(georg, eva).
father(georg, hans).
father(peter, viktor).
father(peter, adam).
father(peter, jonas).
father(adam, karin).
father(adam, hugo).
father(viktor, helga).
father(viktor, simon).
father(jonas, hanna).
father(jonas, felix).

mother(wilma, georg).
mother(wilma, greta).
mother(emma, ida).
mother(emma, olga).
mother(olga, eva).
mother(olga, hans).
mother(ida, viktor).
mother(ida, adam).
mother(ida, jonas).
mother(eva, karin).
mother(eva, hugo).
mother(julia, helga).
mother(julia, simon).
mother(sofia, hanna).
mother(sofia, felix).

female(wilma).
female(emma).
female(greta).
female(ida).
female(olga).
female(eva).
female(julia).
female(sofia).
female(karin).
female(helga).
female(hanna).
female(vera).
