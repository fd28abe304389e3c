manages(conrad, hugo).
manages(conrad, nora).
manages(conrad, edith).
manages(conrad, henry).
manages(hugo, walter).
manages(conrad, frank).
manages(hugo, bruno).
manages(nora, jonas).
manages(conrad, maria).

works(bruno, bridge, engineer).
works(bruno, bridge, lead).
works(bruno, delta, engineer).
works(conrad, comet, tester).
works(edith, comet, lead).
works(frank, atlas, partner).
works(frank, bridge, lead).
works(henry, atlas, tester).
works(hugo, delta, lead).
works(maria, delta, writer).
works(walter, atlas, engineer).
works(walter, comet, writer).

budget(atlas).
budget(delta).

senior(lead).
senior(partner).
