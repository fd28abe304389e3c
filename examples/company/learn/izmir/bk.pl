manages(otto, anton).
manages(otto, agnes).
manages(otto, klara).
manages(otto, kurt).
manages(anton, felix).
manages(anton, jonas).
manages(anton, conrad).
manages(anton, ada).
manages(anton, maria).

works(ada, atlas, tester).
works(anton, bridge, engineer).
works(anton, delta, writer).
works(conrad, atlas, tester).
works(conrad, delta, lead).
works(felix, atlas, partner).
works(jonas, bridge, engineer).
works(jonas, bridge, lead).
works(jonas, comet, partner).
works(klara, atlas, engineer).
works(klara, comet, tester).
works(maria, bridge, partner).

budget(comet).
budget(delta).

senior(lead).
senior(partner).
