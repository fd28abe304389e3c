manages(ernst, felix).
manages(ernst, maria).
manages(ernst, karl).
manages(ernst, kurt).
manages(felix, hans).
manages(felix, wilma).
manages(felix, jakob).
manages(maria, flora).
manages(ernst, gustav).

works(ernst, atlas, engineer).
works(ernst, delta, engineer).
works(ernst, delta, partner).
works(felix, atlas, partner).
works(felix, atlas, writer).
works(felix, delta, lead).
works(gustav, atlas, lead).
works(gustav, bridge, writer).
works(gustav, comet, writer).
works(gustav, delta, writer).
works(hans, atlas, engineer).
works(hans, bridge, tester).
works(jakob, bridge, tester).
works(jakob, comet, lead).
works(karl, comet, tester).
works(maria, bridge, lead).
works(wilma, comet, writer).

budget(bridge).
budget(comet).

senior(lead).
senior(partner).
