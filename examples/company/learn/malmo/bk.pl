manages(fritz, irma).
manages(fritz, moritz).
manages(fritz, adam).
manages(fritz, albert).
manages(fritz, gustav).
manages(irma, eva).
manages(irma, arno).
manages(fritz, carl).
manages(irma, oskar).

works(albert, bridge, writer).
works(albert, delta, lead).
works(arno, bridge, partner).
works(arno, bridge, tester).
works(carl, delta, tester).
works(eva, comet, lead).
works(fritz, delta, engineer).
works(gustav, atlas, lead).
works(irma, atlas, lead).
works(irma, atlas, tester).
works(irma, bridge, engineer).
works(moritz, comet, engineer).
works(oskar, bridge, partner).

budget(bridge).
budget(delta).

senior(lead).
senior(partner).
