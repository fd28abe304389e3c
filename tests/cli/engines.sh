# nlm infer in SQLite and by the machine: the same output about every tuple, on the ten tasks by people's definitions.
"$NLM" infer --help | grep -q -- '--engine'
echo 'father(a, b).' >one.pl
"$NLM" compile "$SOURCES/src/study/human/has-father.pl" -o first.nlm >out
if ! "$NLM" infer first.nlm one.pl --engine sqlite >out 2>message; then
    grep -qxF 'nlm: infer: this nlm was built without SQLite: install libsqlite3-dev and build it again' message
    exit 77
fi

both() { # both MODEL FACTS OPTIONS: the same, errors and notes too
    "$NLM" infer "$@" --engine machine >machine 2>&1
    "$NLM" infer "$@" --engine sqlite >sqlite 2>&1
    cmp machine sqlite
}
for rules in "$SOURCES"/src/study/human/*.pl; do
    task=$(basename "$rules" .pl)
    "$NLM" compile "$rules" -o "$task.nlm" >out
    "$NLM" generate "$task" --objects 24 --kind rich -o "$task" --force >out
    rm "$task/exs.pl"
    both "$task.nlm" "$task"
    cat sqlite >>all
    for options in --probability '--all --json' '--csv --threshold 1' '--csv --threshold 0' --why; do
        both "$task.nlm" "$task" $options
    done
done

test "$(grep -c '(.*)\.$' all)" -gt 100

# Several worlds, types, objects without facts, facts that repeat an object, arity 0, a table.
cat >rules.pl <<'END'
lonely(X) :- \+ likes(X, _), \+ likes(_, X).
vain(X) :- likes(X, X), rain.
pair(X, Y) :- \+ likes(X, Y), X \= Y, forall(likes(Y, Z), likes(X, Z)).
END
echo "object('it''s'). likes(a, b). likes(b, b). likes(c, b). likes(c, a). rain." >likes.pl
echo 'likes(a, b). object(d).' >dry.pl
"$NLM" compile rules.pl --target lonely/1,vain/1,pair/2 -o likes.nlm >out
both likes.nlm likes.pl dry.pl --why
grep -qxF "lonely('it''s')." sqlite
grep -qxF 'vain(b).' sqlite
both likes.nlm likes.pl dry.pl --all --csv
cat >bias.pl <<'END'
head_pred(at, 2). body_pred(lives, 2).
type(at, (person, place)). type(lives, (person, place)).
END
mkdir typed && mv bias.pl typed
echo 'lives(ann, rome). lives(bob, rome). lives(rome, oslo).' >typed/bk.pl
echo 'pos(at(ann, rome)). pos(at(bob, rome)). neg(at(ann, oslo)).' >typed/exs.pl
echo 'at(X, Y) :- lives(X, Y).' >at.pl
"$NLM" compile at.pl -o at.nlm >out
both at.nlm typed

# Where the facts are kept; a model that is no program; a cross product, which is refused with its clause.
"$NLM" infer uncle.nlm uncle --database facts.sqlite >kept 2>notes
"$NLM" infer uncle.nlm uncle --engine machine 2>notes | cmp - kept
test -s facts.sqlite
show nlm infer uncle.nlm uncle --database missing/facts.sqlite
show nlm infer uncle.nlm uncle --database facts.sqlite --engine machine
"$NLM" train has-father --kind paper --epochs 1 --batches 1 --quiet --no-rules -o soft.nlm || true
show nlm infer soft.nlm one.pl --engine sqlite
seq 200000 | sed 's/.*/p(a&)./' >many.pl
echo 'far(X, Y) :- p(X), p(Y), \+ q(X, Y).' >far.pl
"$NLM" compile far.pl -o far.nlm >out
show nlm infer far.nlm many.pl --engine sqlite
show nlm infer far.nlm many.pl

# In a file of somebody else: the conclusions become a table; what is refused leaves it as it was.
sqlite3 kin.sqlite 'CREATE TABLE people(id, "the father"); INSERT INTO people VALUES (1, 2), (3, NULL), (4, 4)'
show nlm infer has-father.nlm --database kin.sqlite --map 'father=people(id,"the father")'
test "$(sqlite3 kin.sqlite 'SELECT * FROM has_father')" = 1
cp kin.sqlite before
show nlm infer has-father.nlm --database kin.sqlite --map 'father=people(id,"the father")'
show nlm infer has-father.nlm --database kin.sqlite
show nlm infer has-father.nlm --database kin.sqlite --map 'father=people(id)'
show nlm infer has-father.nlm --database kin.sqlite --map 'father=people(id,nobody)' --into other
show nlm infer has-father.nlm --database kin.sqlite --map 'father=people(id,'
show nlm infer has-father.nlm --database kin.sqlite --map 'cousin=people(id,b)'
cmp kin.sqlite before
show nlm infer has-father.nlm one.pl --database postgresql://nowhere/kin
show nlm infer has-father.nlm --database kin.sqlite --json
show nlm infer has-father.nlm one.pl --map 'father=people(a,b)'
