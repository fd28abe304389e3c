% father(F, C): F is the father of C.
father(simon, agnes).
father(simon, ines).
father(simon, adam).
father(erik, carla).
father(erik, kurt).
father(kurt, david).
father(kurt, eva).
father(adam, dora).
father(adam, frank).
father(adam, lukas).
father(paul, edith).
father(paul, karl).
father(david, carl).
father(leo, julia).
father(karl, flora).

mother(karin, agnes).
mother(karin, ines).
mother(karin, adam).
mother(anna, carla).
mother(anna, kurt).
mother(agnes, david).
mother(agnes, eva).
mother(ada, dora).
mother(ada, frank).
mother(ada, lukas).
mother(carla, edith).
mother(carla, karl).
mother(edith, carl).
mother(dora, julia).
mother(lena, flora).

female(karin).
female(anna).
female(agnes).
female(ines).
female(carla).
female(ada).
female(eva).
female(dora).
female(edith).
female(lena).
female(julia).
female(flora).
