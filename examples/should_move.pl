% The paper's sample rules for the blocks world (appendix E): which blocks should be moved.  A world has the objects of
% two worlds, the initial one and the target; the inputs compare world, number, x and y of two objects:
%
%     nlm compile examples/should_move.pl -o should_move.nlm
%
% is_ground/1 is the paper's: true of what everything else is above.  As the ground of the other world is level with
% the ground of this one, nothing is; the ground has nothing below it, so should_move/1 does not depend on it.

is_ground(X) :- forall(object(Y), above(Y, X)).
same_x_above(X, Y) :- same_world_id(X, Y), same_x(X, Y), above(X, Y).
clear(X) :- \+ same_x_above(_, X).
moveable(X) :- clear(X), \+ is_ground(X).
initial_world(X) :- \+ smaller_world_id(_, X).
match(X, Y) :- same_id(X, Y), same_x(X, Y), same_y(X, Y), \+ same_world_id(X, Y).
matched(X) :- match(X, _).
have_unmatched_below(X) :- same_x_above(X, Y), \+ matched(Y).
should_move(X) :- initial_world(X), moveable(X), have_unmatched_below(X).
