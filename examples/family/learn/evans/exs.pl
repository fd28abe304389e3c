% niece(N, P): N is a niece of P.  All that there are.
pos(niece(vera, agnes)).
pos(niece(lena, vera)).
