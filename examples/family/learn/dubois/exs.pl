% niece(N, P): N is a niece of P.  All that there are.
pos(niece(eva, greta)).
pos(niece(eva, ida)).
pos(niece(karin, hans)).
pos(niece(karin, viktor)).
pos(niece(karin, jonas)).
pos(niece(helga, adam)).
pos(niece(helga, jonas)).
pos(niece(hanna, viktor)).
pos(niece(hanna, adam)).
