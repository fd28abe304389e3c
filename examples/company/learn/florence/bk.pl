manages(vera, jonas).
manages(vera, lukas).
manages(vera, max).
manages(vera, olga).
manages(vera, lisa).
manages(vera, henry).
manages(vera, jakob).
manages(jonas, bruno).
manages(lukas, leo).

works(bruno, atlas, lead).
works(bruno, atlas, writer).
works(bruno, bridge, tester).
works(henry, atlas, lead).
works(jakob, atlas, tester).
works(jakob, bridge, lead).
works(jonas, comet, lead).
works(jonas, delta, writer).
works(leo, comet, writer).
works(lisa, delta, tester).
works(lukas, delta, engineer).
works(max, comet, engineer).
works(olga, atlas, tester).
works(olga, bridge, engineer).
works(olga, delta, lead).
works(vera, bridge, engineer).

budget(atlas).
budget(bridge).
budget(comet).
budget(delta).

senior(lead).
senior(partner).
