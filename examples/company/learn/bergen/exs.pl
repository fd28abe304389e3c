pos(signs(gustav, atlas)).
pos(signs(gustav, bridge)).
pos(signs(gustav, delta)).
pos(signs(conrad, atlas)).
pos(signs(conrad, comet)).
pos(signs(zita, comet)).
pos(signs(bruno, bridge)).
pos(signs(bruno, delta)).
