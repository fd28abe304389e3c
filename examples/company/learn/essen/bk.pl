manages(gustav, conrad).
manages(gustav, anton).
manages(gustav, felix).
manages(gustav, thea).
manages(gustav, ida).
manages(conrad, karin).
manages(conrad, ada).
manages(gustav, lisa).
manages(anton, paul).

works(anton, comet, tester).
works(conrad, bridge, engineer).
works(conrad, comet, lead).
works(conrad, delta, lead).
works(conrad, delta, tester).
works(felix, atlas, engineer).
works(lisa, comet, tester).
works(lisa, delta, partner).
works(paul, atlas, lead).
works(paul, bridge, partner).

budget(atlas).
budget(bridge).
budget(delta).

senior(lead).
senior(partner).
