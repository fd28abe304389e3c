pos(signs(gustav, delta)).
pos(signs(conrad, comet)).
pos(signs(conrad, delta)).
pos(signs(anton, atlas)).
pos(signs(anton, bridge)).
pos(signs(lisa, delta)).
pos(signs(paul, atlas)).
pos(signs(paul, bridge)).
