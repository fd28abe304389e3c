% father(F, C): F is the father of C.
father(moritz, max).
father(albert, anton).
father(albert, ella).
father(max, irma).
father(max, hanna).
father(max, alfred).
father(jonas, erik).
father(fritz, agnes).
father(alfred, oskar).
father(alfred, lena).

mother(bella, max).
mother(flora, anton).
mother(flora, ella).
mother(ella, irma).
mother(ella, hanna).
mother(ella, alfred).
mother(irma, erik).
mother(hanna, agnes).
mother(paula, oskar).
mother(paula, lena).

female(bella).
female(flora).
female(ella).
female(irma).
female(hanna).
female(paula).
female(agnes).
female(lena).
