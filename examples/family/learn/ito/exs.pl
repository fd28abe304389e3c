% niece(N, P): N is a niece of P.  All that there are.
pos(niece(agnes, conrad)).
pos(niece(agnes, bella)).
pos(niece(irma, lena)).
pos(niece(irma, oskar)).
pos(niece(karin, lena)).
pos(niece(karin, oskar)).
pos(niece(ines, leo)).
pos(niece(ines, jakob)).
pos(niece(ines, rudi)).
pos(niece(eva, leo)).
pos(niece(eva, jakob)).
pos(niece(eva, rudi)).
pos(niece(emma, karin)).
pos(niece(edith, karin)).
pos(niece(klara, rudi)).
pos(niece(klara, agnes)).
