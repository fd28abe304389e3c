pos(signs(agnes, atlas)).
pos(signs(agnes, bridge)).
pos(signs(agnes, comet)).
pos(signs(agnes, delta)).
pos(signs(lisa, bridge)).
pos(signs(bruno, comet)).
pos(signs(bruno, delta)).
pos(signs(klara, comet)).
