pos(signs(fritz, delta)).
pos(signs(irma, atlas)).
pos(signs(irma, bridge)).
pos(signs(albert, delta)).
pos(signs(gustav, atlas)).
pos(signs(eva, comet)).
pos(signs(arno, bridge)).
pos(signs(oskar, bridge)).
