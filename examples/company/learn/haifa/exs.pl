pos(signs(ada, atlas)).
pos(signs(ada, bridge)).
pos(signs(ada, comet)).
pos(signs(ivan, bridge)).
pos(signs(anna, bridge)).
pos(signs(anna, comet)).
pos(signs(anna, delta)).
pos(signs(alfred, atlas)).
