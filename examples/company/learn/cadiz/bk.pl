manages(leo, vera).
manages(leo, ines).
manages(leo, jonas).
manages(leo, gustav).
manages(vera, georg).
manages(leo, max).
manages(vera, hugo).
manages(ines, simon).
manages(leo, maria).

works(georg, bridge, lead).
works(georg, bridge, tester).
works(georg, delta, writer).
works(hugo, atlas, tester).
works(hugo, bridge, writer).
works(hugo, comet, lead).
works(ines, atlas, lead).
works(ines, delta, partner).
works(jonas, atlas, engineer).
works(jonas, atlas, lead).
works(jonas, comet, partner).
works(jonas, comet, writer).
works(leo, bridge, tester).
works(leo, delta, writer).
works(max, comet, tester).
works(simon, bridge, lead).
works(simon, delta, tester).
works(vera, atlas, tester).

budget(bridge).
budget(comet).

senior(lead).
senior(partner).
