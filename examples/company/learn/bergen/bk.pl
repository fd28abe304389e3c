manages(gustav, conrad).
manages(gustav, mina).
manages(gustav, anna).
manages(gustav, alma).
manages(gustav, emil).
manages(conrad, zita).
manages(gustav, bruno).
manages(gustav, leo).
manages(conrad, walter).

works(anna, atlas, writer).
works(bruno, bridge, partner).
works(bruno, delta, partner).
works(conrad, atlas, lead).
works(conrad, bridge, writer).
works(conrad, comet, writer).
works(emil, delta, tester).
works(gustav, atlas, writer).
works(gustav, bridge, engineer).
works(gustav, bridge, lead).
works(gustav, delta, engineer).
works(leo, delta, engineer).
works(mina, atlas, writer).
works(zita, comet, partner).

budget(atlas).
budget(bridge).
budget(comet).
budget(delta).

senior(lead).
senior(partner).
