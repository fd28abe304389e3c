pos(signs(maria, delta)).
pos(signs(agnes, delta)).
pos(signs(lena, bridge)).
pos(signs(lena, comet)).
pos(signs(david, atlas)).
