# Facts that end in numbers: learned from through thresholds, kept by the model, printed, proved, explained; the programs
# in SWI-Prolog, clingo and SQLite conclude what the model concludes.
python3 "$SOURCES/tools/number_worlds.py" interval 60 13 train
python3 "$SOURCES/tools/number_worlds.py" interval 400 23 test
show nlm check train | grep -A4 '^number V\|^input'
learn train -o m.nlm --threads 2 >log 2>&1 || cat log
show nlm rules m.nlm
nlm rules --format clauses m.nlm >rules.pl
show nlm prove m.nlm rules.pl
nlm test m.nlm test --json | python3 -c 'import json, sys; print(json.loads(sys.stdin.readline())["accuracy"] >= 0.95)'

# What is known of one object only, and of none.
cat >new.pl <<'X'
piece(box, p1). value(p1, 5.9). piece(box, p2). value(p2, 1.25).
piece(bag, p3). value(p3, 9.5). piece(hat, p4).
X
show nlm infer m.nlm new.pl --worlds-by none
show nlm why m.nlm new.pl 'good(box)'
show nlm why m.nlm new.pl 'good(bag)'
printf 'value(p0, 3.5).\nvalue(p1, 1,5).\n' >comma.pl
show nlm infer m.nlm comma.pl
printf 'value(p1, 1.5).\nvalue(p1, 2.5).\n' >two.pl
show nlm infer m.nlm two.pl

# Rules of one's own, with sums, differences and negations.
cat >own.pl <<'X'
tall(X) :- size(X, V), V >= 3.76, \+ (near(X, Y), size(Y, W), W > V).
small(X) :- near(X, _), \+ (size(X, V), V >= 2).
wide(X, Y) :- size(X, V), size(Y, W), V + W >= 7.5, X \= Y.
apart(X) :- size(X, V), near(X, Y), size(Y, W), V - W > 1.5.
X
show nlm compile own.pl -o own.nlm
show nlm prove own.nlm own.pl
show nlm rules own.nlm --format asp
cat >world.pl <<'X'
size(a, 3.76). size(b, 3.75). size(c, 1.0). size(d, 5.25). near(a, b). near(b, c). near(c, d). near(d, e). near(e, f).
X
nlm infer own.nlm world.pl | tr -d ' .' | sort >expected
cat expected
nlm rules own.nlm >own_rules.pl
if command -v swipl >/dev/null; then
    swipl -q -g "forall((member(G, [tall(_), small(_), wide(_, _), apart(_)]), call(G)), (print(G), nl))" -t halt \
        own_rules.pl world.pl 2>/dev/null | tr -d ' ' | sort -u | diff - expected
fi
if command -v clingo >/dev/null; then
    nlm rules own.nlm --format asp >own.lp
    sed -E 's/([0-9])\.([0-9]+)\)/\1.\200)/g; s/([0-9]+)\.([0-9][0-9])0*\)/\1\2)/g' world.pl >world.lp
    { clingo --outf=1 -V0 own.lp world.lp || true; } | tr -d ' .' | grep -o '[a-z]*([a-z,]*)' | sort -u | diff - expected
fi
if command -v sqlite3 >/dev/null; then
    {
        echo 'CREATE TABLE size(a TEXT, b REAL); CREATE TABLE near(a TEXT, b TEXT);'
        sed -E "s/(size|near)\(([a-z]), ([a-z])\)\./INSERT INTO \1 VALUES('\2', '\3');/g; s/size\(([a-z]), ([0-9.]+)\)\./INSERT INTO size VALUES('\1', \2);/g" world.pl
        nlm rules own.nlm --format sql | sed -E "s/^-- (.*)/SELECT '% \1';/"
    } >query.sql
    sqlite3 :memory: <query.sql | awk '/^%/ { name = $2; next } { gsub(/\|/, ","); print name "(" $0 ")" }' | sort -u | diff - expected
fi
