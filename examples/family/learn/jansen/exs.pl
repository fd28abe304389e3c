% niece(N, P): N is a niece of P.  All that there are.
pos(niece(lotte, felix)).
pos(niece(lena, felix)).
pos(niece(ines, kurt)).
pos(niece(ada, otto)).
pos(niece(julia, otto)).
pos(niece(paula, henry)).
pos(niece(paula, rudi)).
pos(niece(paula, ernst)).
pos(niece(edith, henry)).
pos(niece(edith, rudi)).
pos(niece(edith, ernst)).
pos(niece(karin, ivan)).
pos(niece(karin, lena)).
pos(niece(karin, ines)).
