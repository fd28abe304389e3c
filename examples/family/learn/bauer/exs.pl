% niece(N, P): N is a niece of P.  All that there are.
pos(niece(alma, anton)).
pos(niece(edith, anton)).
