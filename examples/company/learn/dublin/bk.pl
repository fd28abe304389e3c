manages(ada, georg).
manages(ada, theo).
manages(ada, otto).
manages(ada, helga).
manages(ada, agnes).
manages(georg, robert).
manages(ada, ivan).
manages(theo, vera).
manages(georg, bruno).

works(bruno, delta, writer).
works(georg, atlas, writer).
works(georg, comet, engineer).
works(georg, comet, partner).
works(helga, atlas, partner).
works(ivan, bridge, engineer).
works(ivan, bridge, partner).
works(ivan, delta, lead).
works(otto, delta, tester).
works(robert, atlas, partner).
works(robert, atlas, tester).
works(robert, delta, writer).
works(theo, atlas, engineer).
works(theo, bridge, lead).
works(theo, comet, lead).
works(vera, comet, tester).

budget(atlas).
budget(bridge).

senior(lead).
senior(partner).
