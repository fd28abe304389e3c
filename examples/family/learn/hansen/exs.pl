% niece(N, P): N is a niece of P.  All that there are.
pos(niece(lotte, mina)).
pos(niece(ella, mina)).
pos(niece(fanny, lena)).
pos(niece(thea, ella)).
pos(niece(thea, fanny)).
pos(niece(flora, cora)).
pos(niece(flora, nora)).
