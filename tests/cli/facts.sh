# Facts of one's own from beginning to end: check, train, test, infer; and nlm test with facts.
nlm generate has-father --objects 8 --worlds 20 -o learn >/dev/null
nlm generate has-father --objects 12 --worlds 5 --seed 2 -o fresh >/dev/null
learn learn -o father.nlm --quiet --no-rules
show nlm test father.nlm fresh
show nlm test father.nlm fresh --json
show nlm test father.nlm fresh --show-errors --threads 2

# The conclusions are what the labels say.
nlm infer father.nlm fresh | grep -v '^%' >concluded
cat fresh/*/exs.pl | sed -n 's/^pos(\(.*\))\.$/\1./p' >labels
LC_ALL=C sort concluded >a
LC_ALL=C sort labels >b
cmp a b
test -s a

# Labels that are not so: errors are shown with their worlds.
mkdir odd odd/one odd/two
cp fresh/bias.pl odd
printf 'father(a, b). father(b, c). son(b, a).\n' | tee odd/one/bk.pl >odd/two/bk.pl
printf 'pos(has_father(a)). neg(has_father(c)).\n' >odd/one/exs.pl
printf 'neg(has_father(a)). pos(has_father(c)).\n' >odd/two/exs.pl
errors() { nlm test father.nlm "$@" 2>/dev/null | sed -E 's/with 0\.(0[0-4]|9[5-9])/with X/; s/with 1\.00/with X/; s/"probability": [0-9.e-]+/"probability": X/'; }
show errors odd --show-errors
show errors odd --show-errors --json
printf 'neg(has_father(c)).\n' | tee odd/one/exs.pl >odd/two/exs.pl
show errors odd

# Called wrongly.
for option in '--objects 5' '--worlds 3' '--seed 2' '--task uncle'; do
    show nlm test father.nlm fresh $option
done
show nlm test father.nlm --show-errors
show nlm test father.nlm missing
show nlm test father.nlm fresh odd
echo 'father(a, b).' >unlabelled.pl
show nlm test father.nlm unlabelled.pl
show nlm test father.nlm
show nlm play father.nlm
from_input() { nlm test father.nlm - <"$1" 2>&1 | grep -v note | head -n 1; }
echo 'father(a, b). has_father(a).' >labelled.pl
show from_input labelled.pl
show from_input unlabelled.pl

# Examples of others are no labels, be it that there are none; one of has_father in any world is enough.
nlm generate uncle --objects 20 --worlds 2 -o uncles >/dev/null
grep -qh pos uncles/*/exs.pl
show nlm test father.nlm uncles
cp -r uncles some
echo 'pos(has_father(person0)).' >>some/0001/exs.pl
nlm test father.nlm some 2>/dev/null | awk '/has_father/ { print $2, "tuples" }'
printf '' | tee uncles/0001/exs.pl >uncles/0002/exs.pl
show nlm test father.nlm uncles
show nlm check uncles --target father

# Types, facts that repeat an object, several targets: from beginning to end.
mkdir typed
cat >typed/bias.pl <<'END'
head_pred(citizen,2). head_pred(happy,1). head_pred(selfish,2).
body_pred(born,2). body_pred(in,2). body_pred(likes,2). body_pred(rain,0).
type(citizen,(person,country)). type(born,(person,city)). type(in,(city,country)). type(likes,(person,person)).
type(happy,(person,)). type(selfish,(person,person)).
END
cat >typed/bk.pl <<'END'
born(ann, paris). born(bob, paris). born(cid, rome). born(dan, berlin). born(eve, rome). born(fay, berlin).
born(paris, berlin). % a person of that name
in(paris, france). in(rome, italy). in(berlin, germany).
likes(ann, ann). likes(ann, bob). likes(bob, ann). likes(cid, cid). rain.
END
cat >typed/exs.pl <<'END'
pos(citizen(ann, france)). pos(citizen(bob, france)). pos(citizen(cid, italy)). pos(citizen(dan, germany)).
pos(citizen(eve, italy)). pos(citizen(fay, germany)). pos(citizen(paris, germany)).
pos(happy(ann)). pos(happy(bob)). pos(selfish(ann, ann)). pos(selfish(cid, cid)).
END
show nlm check typed
learn typed -o typed.nlm --quiet
nlm prove typed.nlm | grep -q '^proved'
nlm rules typed.nlm | grep -qF 'selfish(X, X) :- ' # and not the name of an input made for that
show nlm test typed.nlm typed
show nlm infer typed.nlm typed
show nlm infer typed.nlm typed --csv
test "$(nlm infer typed.nlm typed --all | wc -l)" = 77 # tuples that have the types
nlm convert typed --form csv -o tables >out
show nlm infer typed.nlm tables --threads 1

# The program of a model of facts is looked for in the facts that it was trained on, and in no others.
if nlm rules --find father.nlm 2>err; then false; fi
grep -q 'the facts that the machine was trained on are needed$' err
cp -r learn other
sed -i 1d "$(find other -name bk.pl | sort | head -n 1)"
if nlm rules --find father.nlm other 2>err; then false; fi
grep -q 'other has other facts than those that the model was trained on$' err
