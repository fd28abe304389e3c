manages(ada, thea).
manages(ada, greta).
manages(ada, ivan).
manages(ada, anna).
manages(ada, adam).
manages(thea, agnes).
manages(ada, alfred).
manages(greta, zita).
manages(ada, maria).

works(adam, comet, tester).
works(agnes, comet, writer).
works(alfred, atlas, lead).
works(anna, atlas, writer).
works(anna, bridge, partner).
works(anna, bridge, writer).
works(anna, comet, partner).
works(anna, delta, lead).
works(ivan, atlas, engineer).
works(ivan, bridge, lead).
works(maria, atlas, engineer).
works(maria, bridge, engineer).
works(maria, delta, tester).
works(thea, comet, engineer).

budget(atlas).
budget(bridge).
budget(comet).

senior(lead).
senior(partner).
