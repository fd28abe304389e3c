pos(signs(ernst, bridge)).
pos(signs(ernst, delta)).
pos(signs(felix, atlas)).
pos(signs(felix, comet)).
pos(signs(felix, delta)).
pos(signs(maria, bridge)).
pos(signs(jakob, comet)).
pos(signs(gustav, atlas)).
