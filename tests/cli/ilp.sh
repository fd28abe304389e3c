# tests/ilp/make-problems and bench/ilp: the same seed writes the same files, the published clauses agree with every label
# (as SWI-Prolog says, through a Popper that knows them), and nlm learns from what was written.
make() { python3 "$SOURCES/tests/ilp/make-problems" "$@"; }
bench() { python3 "$SOURCES/bench/ilp" --nlm "$NLM" "$@"; }

make --seed 7 --train 60 --test 80 made
make --seed 7 --train 60 --test 80 again
diff -r made again
make --seed 8 --train 60 --test 80 other zendo1
if diff -rq made/zendo1 other/zendo1 >/dev/null; then exit 1; fi
# Wrong labels: so many of those to learn from, none of the test.
make --seed 7 --train 60 --test 80 --wrong 20 wrong zendo1
diff -r made/zendo1/test wrong/zendo1/test
test "$(sort made/zendo1/train/exs.pl | comm -13 - <(sort wrong/zendo1/train/exs.pl) | wc -l)" = 12

# What is refused.
for bad in "--wrong 60 made" "--train -1 made" "made nothing"; do
    if make $bad 2>said; then exit 1; fi
    grep -q '^make-problems: ' said
done
mkdir empty
for bad in "empty" "nowhere" "--systems prolog made" "--seconds 0 made"; do
    if bench $bad >/dev/null 2>said; then exit 1; fi
    test "$(wc -l <said)" = 1
    grep -q '^ilp: ' said
done

# nlm, and programs that are not there.
bench made/trains1 made/iggp-rps --systems nlm,popper --json rows --seconds 1 >table
grep -q '^skipped: no Popper' table
test "$(wc -l <rows)" = 2
bench made/trains1 --systems nlm --rules --seconds 300 >table
grep -qE '^trains1 +nlm +[0-9.]+ % ' table

command -v swipl >/dev/null || exit 77
# A Popper that knows the rule: of every problem its own.
mkdir rules
cat >rules/trains4 <<'RULES'
f(A):- diamond(B),has_load(C,B),rectangle(D),has_car(A,C),has_load(C,D).
f(A):- hexagon(D),has_car(A,B),has_car(A,C),has_load(B,D),triangle(E),has_load(C,E).
f(A):- hexagon(C),has_car(A,B),roof_open(B),has_load(B,C),three_load(C).
f(A):- has_car(A,B),long(C),roof_open(B),short(B),has_car(A,C),roof_flat(C).
RULES
cat >rules/zendo2 <<'RULES'
zendo(A):- piece(A,B),piece(A,D),piece(A,C),green(D),red(B),blue(C).
zendo(A):- piece(A,D),piece(A,B),coord1(B,C),green(D),lhs(B),coord1(D,C).
RULES
cat >rules/zendo3 <<'RULES'
zendo(A):- piece(A,D),blue(D),coord1(D,B),piece(A,C),coord1(C,B),red(C).
zendo(A):- piece(A,D),contact(D,C),rhs(D),size(C,B),large(B).
zendo(A):- piece(A,B),upright(B),contact(B,D),blue(D),size(D,C),large(C).
RULES
cat >rules/iggp-rps <<'RULES'
next_score(A,B,C):- my_true_score(A,B,C),different(B,D),does(A,B,E),does(A,D,E).
next_score(A,B,C):- my_true_score(A,B,C),different(D,B),beats(F,G),does(A,D,F),does(A,B,G).
next_score(A,B,C):- my_true_score(A,B,F),my_succ(F,C),does(A,B,E),beats(E,D),does(A,G,D).
RULES
cat >rules/iggp-coins <<'RULES'
next_cell(A,B,C):- does_jump(A,E,B,D),role(E),c_zerocoins(C).
next_cell(A,B,C):- does_jump(A,E,D,B),role(E),c_twocoins(C).
next_cell(A,B,C):- my_true_cell(A,B,C),role(D),does_jump(A,D,F,E),different(E,B),different(F,B).
RULES
cat >rules/iggp-minimal-decay <<'RULES'
next_value(A,B):- c5(B),pressButton(C),player(D),does(A,D,C).
next_value(A,B):- player(D),noop(E),true_value(A,C),my_succ(B,C),does(A,D,E).
RULES
cat >rules/krk2 <<'RULES'
f(A):- cell(A,B,C,D),white(C),cell(A,E,F,D),king(D),black(F),samerank(B,E),nextfile(B,G),nextfile(G,E).
f(A):- cell(A,B,C,D),white(C),cell(A,E,F,D),king(D),black(F),samerank(B,E),nextfile(E,G),nextfile(G,B).
f(A):- cell(A,B,C,D),white(C),cell(A,E,F,D),king(D),black(F),samefile(B,E),nextrank(B,G),nextrank(G,E).
f(A):- cell(A,B,C,D),white(C),cell(A,E,F,D),king(D),black(F),samefile(B,E),nextrank(E,G),nextrank(G,B).
RULES
for rules in rules/*; do # the last is zendo3
    cat >popper.py <<PYTHON
import sys
assert sys.argv[2] == "--timeout"
print("********** SOLUTION **********\nPrecision:1.00 Recall:1.00 TP:1 FN:0 TN:1 FP:0 Size:1")
print(open("$PWD/$rules").read() + "******************************")
PYTHON
    bench "made/${rules#rules/}" --systems popper --popper popper.py >table
    grep -qE "^${rules#rules/} +popper +100.0 % " table || { cat table; exit 1; }
done
grep -qE '^zendo3 +popper +100.0 % +[0-9.]+ +20 ' table
# A wrong rule is seen to be wrong.
echo 'zendo(A):- piece(A,B),red(B).' >rules/zendo3
bench made/zendo3 --systems popper --popper popper.py >table
grep -qE '^zendo3 +popper +[5-9][0-9].[0-9] % +[0-9.]+ +3 ' table
