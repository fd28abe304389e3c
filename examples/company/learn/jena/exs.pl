pos(signs(conrad, atlas)).
pos(signs(conrad, delta)).
pos(signs(hugo, delta)).
pos(signs(edith, comet)).
pos(signs(frank, atlas)).
pos(signs(frank, bridge)).
pos(signs(bruno, bridge)).
