% niece(N, P): N is a niece of P.  All that there are.
pos(niece(eva, ines)).
pos(niece(eva, adam)).
pos(niece(eva, carla)).
pos(niece(dora, agnes)).
pos(niece(dora, ines)).
pos(niece(edith, kurt)).
pos(niece(julia, frank)).
pos(niece(julia, lukas)).
pos(niece(flora, edith)).
