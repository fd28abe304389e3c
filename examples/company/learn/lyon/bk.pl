manages(agnes, lisa).
manages(agnes, bruno).
manages(agnes, gustav).
manages(agnes, flora).
manages(agnes, alma).
manages(lisa, otto).
manages(agnes, adam).
manages(agnes, carl).
manages(bruno, klara).

works(agnes, atlas, lead).
works(agnes, comet, lead).
works(bruno, delta, lead).
works(carl, bridge, writer).
works(carl, delta, tester).
works(flora, bridge, engineer).
works(klara, atlas, engineer).
works(klara, comet, lead).
works(klara, comet, writer).
works(lisa, bridge, lead).
works(lisa, delta, engineer).
works(otto, bridge, engineer).

budget(atlas).
budget(bridge).
budget(comet).
budget(delta).

senior(lead).
senior(partner).
