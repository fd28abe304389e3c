# The clauses that differentiable ILP learned, run by SWI-Prolog on the facts of larger worlds, conclude what nlm infer does.
if ! command -v swipl >/dev/null; then
    echo 'SWI-Prolog (swipl) is not installed'
    exit 77
fi

# Prints all conclusions about different objects, as nlm infer does: prolog RULES FACTS NAME ARITY
prolog() {
    cat >query.pl <<'END_OF_FILE'
:- initialization(main, main).
:- dynamic object/1.
main :-
    current_prolog_flag(argv, Given), append(_, [Rules, Facts, Name, Number], Given),
    atom_number(Number, Arity),
    consult([Rules, Facts]),
    read_file_to_terms(Facts, Terms, []),
    findall(O, (member(T, Terms), T =.. [_ | As], member(O, As)), All), sort(All, Objects),
    forall(member(O, Objects), (object(O) -> true ; assertz(object(O)))),
    length(Arguments, Arity), Goal =.. [Name | Arguments],
    forall((maplist([A]>>member(A, Objects), Arguments), is_set(Arguments), once(Goal)),
           (writeq(Name), write('('), write_arguments(Arguments), write(').'), nl)).
write_arguments([A]) :- writeq(A).
write_arguments([A, B]) :- writeq(A), write(', '), writeq(B).
END_OF_FILE
    swipl query.pl -- "$@"
}

# Options are for the training, the rest for a world to compare with: compare TASK NAME ARITY OBJECTS OPTION ...
compare() {
    local seed
    for seed in 1 2 3 4; do
        nlm train "$1" --model dilp --seed $seed --epochs 6 --threads 1 --force --quiet -o model.nlm "${@:5}" || true
        nlm show model.nlm | grep -q 'result *graduated' && break
    done
    nlm show model.nlm | grep -q 'result *graduated'
    nlm rules model.nlm >rules.pl
    rm -rf world
    nlm generate "$1" --objects "$4" --worlds 1 --seed 5 -o world >/dev/null
    nlm infer model.nlm world 2>/dev/null | sort >nlm.txt
    prolog rules.pl world/bk.pl "$2" "$3" | sort >prolog.txt
    test -s nlm.txt
    diff nlm.txt prolog.txt
    echo "$1: the same $(wc -l <nlm.txt) conclusions"
}

compare ilp-predecessor predecessor 2 15
compare ilp-husband husband 2 20
compare ilp-father father 2 20
compare ilp-undirected-edge undirected_edge 2 12
compare ilp-grandparent grandparent 2 20
compare ilp-adjacent-to-red adjacent_to_red 1 15
compare ilp-less-than less_than 2 10 --objects 4
compare ilp-two-children two_children 1 15
compare has-sister has_sister 1 15

# Negations of names that Prolog has to quote, and an input that is used but that the world has no fact of.
mkdir own
echo "head_pred(alone, 1). body_pred('Friend of', 2). body_pred(shy, 1)." >own/bias.pl
printf "'Friend of'(%s, %s).\n" a b b a c d d c >own/bk.pl
echo 'shy(a). shy(c).' >>own/bk.pl
printf 'object(%s).\n' a b c d e f g h >>own/bk.pl
{ printf 'neg(alone(%s)).\n' b d; printf 'pos(alone(%s)).\n' a c e f g h; } >own/exs.pl
cat >own/templates.pl <<'END_OF_FILE'
% Those who have no shy friend, and the shy; 'not_Friend of' is not needed.
% alone(X) :- not_befriended(X).  alone(X) :- shy(X).  befriended(X) :- shy(Y), 'Friend of'(X,Y).
steps(1).
negated('Friend of', 2).
negated(befriended, 1).
template(alone, 1, 0, given).
template(alone, 1, 0, given).
template(befriended, 1, 1, given).
END_OF_FILE
for seed in 1 2 3 4; do
    learn own --model dilp --held-out 0 --seed $seed --quiet --force -o own.nlm
    nlm show own.nlm | grep -q 'result *graduated' && break
done
nlm rules own.nlm >rules.pl
grep -F "'not_Friend of'(X,Y) :- object(X), object(Y), X \\== Y, \\+ 'Friend of'(X,Y)." rules.pl
grep -q '^[a-z].* :- .*shy(' rules.pl
printf "'Friend of'(%s, %s). object(z).\n" x y >facts.pl
nlm infer own.nlm facts.pl | sort >nlm.txt
prolog rules.pl facts.pl alone 1 | sort >prolog.txt
test -s nlm.txt
diff nlm.txt prolog.txt

# Facts that repeat an object are of another predicate to the model, and must not count in others' place.
mkdir twice
echo 'head_pred(grandparent, 2). body_pred(parent, 2).' >twice/bias.pl
printf 'parent(%s, %s).\n' a b b c c d d e e f g g h h f g a h >twice/bk.pl
{ printf 'pos(grandparent(%s, %s)).\n' a c b d c e d f e g
  printf 'neg(grandparent(%s, %s)).\n' f g a h a b b a c a; } >twice/exs.pl
echo 'steps(1). template(grandparent, 2, 1, given).' >twice/templates.pl
learn twice --model dilp --held-out 0 --quiet -o twice.nlm
nlm rules twice.nlm >rules.pl
grep -v '^%' rules.pl
nlm infer twice.nlm twice/bk.pl | sort >nlm.txt
prolog rules.pl twice/bk.pl grandparent 2 | sort >prolog.txt
test -s nlm.txt
diff nlm.txt prolog.txt

# Names that Prolog has a use for itself: a predicate of its own, an operator, a number.
nlm train ilp-length --model dilp --epochs 1 --batches 1 --quiet -o length.nlm
nlm rules length.nlm --least 0 >rules.pl
swipl -q -g halt rules.pl >errors 2>&1
if grep ERROR errors; then exit 1; fi
grep -q '^:- redefine_system_predicate(length(_,_)).$' rules.pl
mkdir words
echo "head_pred('1', 1). body_pred(table, 1). body_pred('2', 2)." >words/bias.pl
printf 'table(%s).\n' a b >words/bk.pl
printf "'2'(%s, %s).\n" a c b d e f >>words/bk.pl
{ printf "pos('1'(%s)).\n" c d; printf "neg('1'(%s)).\n" a b e f; } >words/exs.pl
echo "steps(1). template('1', 1, 1, given)." >words/templates.pl
learn words --model dilp --held-out 0 --quiet -o words.nlm
nlm rules words.nlm >rules.pl
grep -v '^%' rules.pl
nlm infer words.nlm words/bk.pl | sort | tee nlm.txt
prolog rules.pl words/bk.pl 1 1 | sort >prolog.txt
diff nlm.txt prolog.txt

# A definition of which no clause is likely enough is false, and no error.
learn own --model dilp --epochs 1 --batches 1 --quiet -o begun.nlm
nlm rules begun.nlm --least 0.99 2>note >rules.pl
grep '^% undecided' rules.pl
prolog rules.pl facts.pl alone 1 >prolog.txt 2>errors
test ! -s prolog.txt
test ! -s errors
