pos(signs(anton, comet)).
pos(signs(anton, delta)).
pos(signs(felix, atlas)).
pos(signs(jonas, bridge)).
pos(signs(jonas, comet)).
pos(signs(conrad, delta)).
pos(signs(maria, bridge)).
