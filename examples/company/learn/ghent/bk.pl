manages(maria, karl).
manages(maria, agnes).
manages(maria, lena).
manages(maria, jonas).
manages(karl, frank).
manages(maria, david).
manages(maria, emil).
manages(maria, adam).
manages(karl, vera).

works(adam, comet, writer).
works(adam, delta, writer).
works(agnes, delta, partner).
works(agnes, delta, writer).
works(david, atlas, lead).
works(david, comet, writer).
works(frank, atlas, engineer).
works(jonas, comet, tester).
works(karl, bridge, writer).
works(lena, bridge, partner).
works(lena, comet, lead).
works(maria, delta, lead).
works(vera, bridge, engineer).


senior(lead).
senior(partner).
