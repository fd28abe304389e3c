% niece(N, P): N is a niece of P.  All that there are.
pos(niece(ines, wilma)).
pos(niece(ines, otto)).
pos(niece(marta, arno)).
pos(niece(marta, wilma)).
pos(niece(olga, arno)).
pos(niece(olga, wilma)).
pos(niece(zita, karl)).
pos(niece(zita, marta)).
