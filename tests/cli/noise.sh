# Labels that are wrong: the program that nlm train ends with, and the labels that it and nlm check name.

# make_staff FIRST WRONG...: 40 people, a bonus for those whose manager is in department it; some labels are flipped
make_staff() {
    mkdir "$1"
    (cd "$1" && awk -v x="$2" -v first="$2" -v wrong=" ${*:3} " '
        function draw(n) { x = (75 * x + 74) % 65537; return int(n * x / 65537) }
        BEGIN {
            split("it it hr legal sales", department)
            for (i = 1; i <= 40; i++) {
                person = "p" first + i; of[person] = department[1 + draw(5)]; manager = "p" first + 1 + draw(i - 1)
                print of[person] "(" person ")." >"bk.pl"
                if (i > 1) print "manager(" person ", " manager ")." >"bk.pl"
                bonus = (i > 1 && of[manager] == "it") != (index(wrong, " " person " ") > 0)
                print (bonus ? "pos" : "neg") "(bonus(" person "))." >"exs.pl"
            }
        }')
}
# How long it takes, and what the trained machine answered, is not a test's business.
try() { learn "$@" --force 2>&1 | sed -E 's/(chosen|found|graduated) after .*/\1 .../; /^(learned from|cross-validation)/d'; }

make_staff staff 100 p107 p122
make_staff new 200
show try staff -o staff.nlm
show nlm check staff --model staff.nlm
show nlm check staff --model staff.nlm --json
show nlm test staff.nlm new
# A model that knows other programs lists the labels, then its questions.
show try new -o new.nlm
show nlm check staff --model new.nlm

# The same tuples with different labels: most of them decide.
mkdir alike
for i in $(seq 10 29); do echo "red(r$i). blue(b$i)."; done >alike/bk.pl
for i in $(seq 10 29); do echo "pos(good(r$i)). neg(good(b$i))."; done | sed 's/pos(good(r15))/neg(good(r15))/; s/neg(good(b2[07]))/pos&/; s/posneg/pos/' >alike/exs.pl
show try alike -o alike.nlm
show nlm check alike --model alike.nlm

# Five true labels and a false one.
cat >kin.pl <<'END_OF_FILE'
parent(ann, bob). parent(bob, cid). parent(bob, dan). parent(cid, eve). parent(dan, fay). parent(ann, gus). parent(gus, hal).
END_OF_FILE
mkdir kin
mv kin.pl kin/bk.pl
echo 'pos(grand(ann, cid)). pos(grand(ann, dan)). pos(grand(bob, eve)). pos(grand(bob, fay)). pos(grand(ann, hal)). neg(grand(ann, bob)).' >kin/exs.pl
show try kin -o kin.nlm | sed '/^grand/d; /rules:/d'
nlm train kin -o kin.nlm --force --quiet --no-rules || echo "exit $?"
nlm train staff -o staff.nlm --force --quiet || echo "exit $?"
