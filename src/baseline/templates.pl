% Templates of differentiable ILP for the tasks of this library.
%
% A part begins with task(NAME).  and is otherwise as any templates.pl: steps(N). says how far is chained,
% objects(N). how large the worlds to learn from are, labels(PERCENT). how many labels a step looks at,
% negated(NAME, ARITY). gives the negation of an input or of a helper, and
% template(NAME, ARITY, VARIABLES, BODY). is a form of clauses, of the target first.  Bodies are given or
% defined as in Evans and Grefenstette 2018, or mixed or helpers: then of helpers that come later.

% ---- families: father/2 mother/2 son/2 daughter/2 ----

% has_father(X) :- father(X,Y).
task('has-father').
objects(10).
steps(1).
template(has_father, 1, 1, given).

% has_sister(X) :- sister(X,Y), not_mother(X,Y).
% sister(X,Y) :- father(X,Z), daughter(Z,Y).        which X is too, if a daughter; not_mother(X,X) is false
task('has-sister').
objects(10).
steps(2).
negated(mother, 2).
template(has_sister, 1, 1, defined).
template(sister, 2, 1, given).

% grandparent(X,Y) :- parent(X,Z), parent(Z,Y).
task(grandparent).
objects(10).
steps(2).
template(grandparent, 2, 1, defined).
template(parent, 2, 0, given).
template(parent, 2, 0, given).

% uncle(X,Y) :- candidate(X,Y), not_father(X,Y).
% candidate(X,Y) :- parent(X,Z), brother(Z,Y).
% parent(X,Y) :- father(X,Y).  parent(X,Y) :- mother(X,Y).
% brother(X,Y) :- mother(X,Z), son(Z,Y).            which X is too, if a son
task(uncle).
objects(12).
labels(100).
steps(3).
negated(father, 2).
template(uncle, 2, 0, mixed).
template(candidate, 2, 1, helpers).
template(parent, 2, 0, given).
template(parent, 2, 0, given).
template(brother, 2, 1, given).

% mg_uncle(X,Y) :- parent(X,Z), uncle(Z,Y).
% uncle(X,Y) :- mother(X,Z), brother(Z,Y).
% brother(X,Y) :- mother(X,Z), son(Z,Y).
task('mg-uncle').
labels(100).
steps(3).
template(mg_uncle, 2, 1, helpers).
template(parent, 2, 0, given).
template(parent, 2, 0, given).
template(uncle, 2, 1, mixed).
template(brother, 2, 1, given).

% ---- graphs: has_edge/2, and red/1 blue/1 green/1 yellow/1 ----

% adjacent_to_red(X) :- has_edge(X,Y), red(Y).
task('adjacent-to-red').
steps(1).
template(adjacent_to_red, 1, 1, given).

% connectivity4(X,Y) :- has_edge(X,Y).
% connectivity4(X,Y) :- has_edge(X,Z), connectivity4(Z,Y).    in as many steps as there may be edges
task('4-connectivity').
steps(4).
template(connectivity4, 2, 0, given).
template(connectivity4, 2, 1, defined).

task('6-connectivity').
steps(6).
template(connectivity6, 2, 0, given).
template(connectivity6, 2, 1, defined).

% outdegree1(X) :- has_edge(X,Y), not_other(X,Y).
% other(X,Y) :- has_edge(X,Z), has_edge(Z,Y).       X has an edge to another than Y, which is never Z here:
% other(X,Y) :- has_edge(X,Z), not_has_edge(Z,Y).
task('1-outdegree').
steps(1).
negated(has_edge, 2).
negated(other, 2).
template(outdegree1, 1, 1, given).
template(other, 2, 1, given).
template(other, 2, 1, given).

% Exactly two edges: a third one is a matter of three nodes, which no predicate of arity 2 tells.  These
% templates come near, and take more memory than there is.
task('2-outdegree').
steps(3).
negated(has_edge, 2).
negated(third, 2).
negated(second, 2).
template(outdegree2, 1, 2, defined).
template(outdegree2, 1, 2, defined).
template(third, 2, 2, defined).
template(third, 2, 2, defined).
template(second, 2, 2, given).
template(second, 2, 2, given).

% ---- the twenty tasks of Evans and Grefenstette 2018, with their templates ----

% predecessor(X,Y) :- succ(Y,X).
task('ilp-predecessor').
steps(1).
template(predecessor, 2, 0, given).

% even(X) :- zero(X).  even(X) :- succ(Y,X), odd(Y).
% odd(X) :- succ(Y,X), even(Y).
task('ilp-even-odd').
steps(objects).
template(even, 1, 0, given).
template(even, 1, 1, defined).
template(odd, 1, 1, defined).

% even(X) :- zero(X).  even(X) :- even(Y), succ2(Y,X).
% succ2(X,Y) :- succ(X,Z), succ(Z,Y).
task('ilp-even-succ2').
steps(objects).
template(even, 1, 0, given).
template(even, 1, 1, defined).
template(succ2, 2, 1, given).

% less_than(X,Y) :- succ(X,Y).  less_than(X,Y) :- less_than(X,Z), less_than(Z,Y).
task('ilp-less-than').
steps(objects).
template(less_than, 2, 0, given).
template(less_than, 2, 1, defined).

% fizz(X) :- zero(X).  fizz(X) :- fizz(Y), succ3(Y,X).
% succ3(X,Y) :- succ(X,Z), succ2(Z,Y).  succ2(X,Y) :- succ(X,Z), succ(Z,Y).
task('ilp-fizz').
steps(objects).
template(fizz, 1, 0, given).
template(fizz, 1, 1, defined).
template(succ3, 2, 1, defined).
template(succ2, 2, 1, given).

% buzz(X) :- zero(X).  buzz(X) :- buzz(Y), plus5(Y,X).
% plus5(X,Y) :- plus2(X,Z), plus3(Z,Y).
task('ilp-buzz').
steps(objects).
template(buzz, 1, 0, given).
template(buzz, 1, 1, defined).
template(plus5, 2, 1, given).

% member(X,Y) :- value(Y,X).  member(X,Y) :- cons(Y,Z), member(X,Z).
task('ilp-member').
steps(objects).
template(member, 2, 0, given).
template(member, 2, 1, defined).

% length(X,Y) :- zero(X), zero(Y).  length(X,Y) :- cons(X,Z), one_more(Z,Y).
% one_more(X,Y) :- length(X,Z), succ(Z,Y).
task('ilp-length').
steps(objects).
labels(100).
template(length, 2, 0, given).
template(length, 2, 1, defined).
template(one_more, 2, 1, defined).

% son(X,Y) :- father(Y,X), male(X).
% male(X) :- brother(X,Y).  male(X) :- father(X,Y).
task('ilp-son').
steps(2).
template(son, 2, 0, defined).
template(male, 1, 1, given).
template(male, 1, 1, given).

% grandparent(X,Y) :- parent(X,Z), parent(Z,Y).
% parent(X,Y) :- father(X,Y).  parent(X,Y) :- mother(X,Y).
task('ilp-grandparent').
steps(2).
template(grandparent, 2, 1, defined).
template(parent, 2, 0, given).
template(parent, 2, 0, given).

% husband(X,Y) :- father(X,Z), daughter(Z,Y).
task('ilp-husband').
steps(1).
template(husband, 2, 1, given).

% uncle(X,Y) :- brother(X,Z), parent(Z,Y).
% parent(X,Y) :- father(X,Y).  parent(X,Y) :- mother(X,Y).
task('ilp-uncle').
steps(2).
template(uncle, 2, 1, defined).
template(parent, 2, 0, given).
template(parent, 2, 0, given).

% related(X,Y) :- link(X,Y).  related(X,Y) :- related(X,Z), related(Z,Y).
% link(X,Y) :- parent(X,Y).  link(X,Y) :- parent(Y,X).
task('ilp-relatedness').
steps(objects).
template(related, 2, 0, defined).
template(related, 2, 1, defined).
template(link, 2, 0, given).
template(link, 2, 0, given).

% father(X,Y) :- husband(X,Z), mother(Z,Y).
task('ilp-father').
steps(1).
template(father, 2, 1, given).

% undirected_edge(X,Y) :- edge(X,Y).  undirected_edge(X,Y) :- edge(Y,X).
task('ilp-undirected-edge').
steps(1).
template(undirected_edge, 2, 0, given).
template(undirected_edge, 2, 0, given).

% adjacent_to_red(X) :- edge(X,Y), is_red(Y).
% is_red(X) :- colour(X,Y), red(Y).
task('ilp-adjacent-to-red').
steps(2).
template(adjacent_to_red, 1, 1, defined).
template(is_red, 1, 1, given).

% two_children(X) :- edge(X,Y), another(X,Y).
% another(X,Y) :- edge(X,Z), neq(Z,Y).
task('ilp-two-children').
steps(2).
template(two_children, 1, 1, defined).
template(another, 2, 1, given).

% same_colour_neighbour(X) :- edge(X,Y), same_colour(X,Y).
% same_colour(X,Y) :- colour(X,Z), colour(Y,Z).
task('ilp-graph-colouring').
steps(2).
template(same_colour_neighbour, 1, 1, defined).
template(same_colour, 2, 1, given).

% connected(X,Y) :- edge(X,Y).  connected(X,Y) :- edge(X,Z), connected(Z,Y).
task('ilp-connectedness').
steps(objects).
template(connected, 2, 0, given).
template(connected, 2, 1, defined).

% cyclic(X) :- path(X,X).
% path(X,Y) :- edge(X,Y).  path(X,Y) :- edge(X,Z), path(Z,Y).
task('ilp-cyclic').
steps(objects).
template(cyclic, 1, 0, defined).
template(path, 2, 0, given).
template(path, 2, 1, defined).
