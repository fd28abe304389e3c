% The head office, which is larger than any branch.
manages(emma, david).
manages(emma, dora).
manages(emma, olga).
manages(emma, marta).
manages(david, lisa).
manages(david, eva).
manages(emma, adam).
manages(dora, helga).
manages(dora, agnes).
manages(david, anna).
manages(olga, vera).
manages(olga, albert).
manages(olga, lotte).
manages(olga, ivan).
manages(dora, conrad).
manages(marta, julia).
manages(lisa, max).
manages(lisa, mina).
manages(lisa, lena).
manages(marta, erik).
manages(dora, fanny).
manages(lisa, fritz).
manages(emma, kurt).

works(agnes, atlas, writer).
works(agnes, island, lead).
works(albert, bridge, tester).
works(albert, falcon, tester).
works(anna, comet, tester).
works(conrad, island, writer).
works(david, atlas, partner).
works(david, falcon, engineer).
works(david, glacier, engineer).
works(dora, delta, engineer).
works(emma, bridge, tester).
works(emma, falcon, engineer).
works(emma, harbour, engineer).
works(erik, ember, tester).
works(eva, island, writer).
works(fanny, bridge, partner).
works(fanny, glacier, tester).
works(helga, glacier, partner).
works(helga, glacier, tester).
works(ivan, delta, engineer).
works(ivan, delta, lead).
works(julia, harbour, lead).
works(kurt, falcon, lead).
works(lena, ember, writer).
works(lena, harbour, engineer).
works(lisa, comet, lead).
works(lisa, delta, tester).
works(marta, comet, lead).
works(marta, comet, tester).
works(marta, ember, partner).
works(marta, harbour, writer).
works(mina, atlas, tester).
works(mina, delta, partner).
works(olga, ember, writer).
works(vera, atlas, engineer).
works(vera, glacier, partner).

budget(ember).

senior(lead).
senior(partner).
