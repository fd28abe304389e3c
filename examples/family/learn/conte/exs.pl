% niece(N, P): N is a niece of P.  All that there are.
pos(niece(irma, anton)).
pos(niece(hanna, anton)).
pos(niece(agnes, irma)).
pos(niece(agnes, alfred)).
pos(niece(lena, irma)).
pos(niece(lena, hanna)).
