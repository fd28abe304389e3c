% father(F, C): F is the father of C.
father(frank, lukas).
father(frank, simon).
father(walter, anton).
father(walter, theo).
father(simon, ernst).
father(anton, jonas).
father(anton, david).
father(theo, alma).
father(theo, edith).

mother(ada, lukas).
mother(ada, simon).
mother(olga, anton).
mother(olga, theo).
mother(dora, ernst).
mother(lotte, jonas).
mother(lotte, david).
mother(ella, alma).
mother(ella, edith).

female(ada).
female(olga).
female(dora).
female(lotte).
female(ella).
female(alma).
female(edith).
