# A spreadsheet: one table in, a rule, and the same table out with a column added.
people=$SOURCES/examples/people
cp "$people/people.csv" "$people/new.csv" .
show nlm check people.csv
nlm check people.csv --json | grep -o '"columns": .*}]' | sed 's/, "inputs".*//'
status=0
nlm train people.csv >out || status=$?
sed -E 's/ and [0-9.]+ s;/ and X s;/; s/loss [0-9.e-]+,/loss X,/' out
echo "status $status"
# All of the new people right, which the rule that made the labels says.
show nlm test people.nlm new.csv
show nlm rules people.nlm --format sql
show nlm rules people.nlm --format datalog
show nlm rules people.nlm --format asp
show nlm rules people.nlm --format json
show nlm rules people.nlm --format text
show nlm why people.nlm new.csv 'label(kim)'
show nlm prove people.nlm

# The table again: without labels, with other separators and line ends, as facts.
cut -d, -f1-3 new.csv | tr , ';' | sed 's/$/\r/' >unlabelled.csv
nlm infer people.nlm unlabelled.csv --no-coverage >answered.csv
head -n 4 answered.csv | od -c | head -n 4
{ echo label; tail -n +2 new.csv | cut -d, -f4 | sed 's/yes/true/; s/no/false/'; } >wanted
tr -d '\r' <answered.csv | cut -d';' -f4 | cmp - wanted
nlm infer people.nlm new.csv 2>/dev/null | head -n 3
nlm infer people.nlm unlabelled.csv --probability 2>/dev/null | head -n 2 | sed -E 's/[0-9.]+e-[0-9]+/0/'
show nlm infer people.nlm unlabelled.csv --csv --no-coverage | head -n 3

# A table on standard input is a table, and so is a file with another ending.
nlm infer people.nlm - --no-coverage <unlabelled.csv | cmp - answered.csv
cp unlabelled.csv unlabelled.txt
nlm infer people.nlm unlabelled.txt --no-coverage | cmp - answered.csv
show nlm check - <people.csv | sed 3q
printf 'from\tto\na\tb\nb\tc\n' | nlm check - | grep '^table/2'

# Several worlds have the same columns.
mkdir -p worlds/{1,2}
head -n 21 people.csv >worlds/1/people.csv
{ head -n 1 people.csv; tail -n 20 people.csv; } >worlds/2/people.csv
show nlm check worlds | sed 11q

# What is to be learned is asked for, or said.
printf 'id,a,b,c\nx,yes,no,u\ny,no,no,u\nz,no,yes,v\nw,yes,yes,v\n' >three.csv
show nlm train three.csv
show nlm check three.csv --target c
printf 'id,size\nx,1\ny,2\n' >none.csv
show nlm train none.csv

# Columns that are something else, and what cannot be.
show nlm check three.csv --target a --columns c=objects
show nlm check three.csv --columns c
show nlm check people.csv --columns department=numbers
show nlm check people.csv --columns department=number
sed 's/^bob,.*/bob,ann,it,maybe/' people.csv >maybe.csv
show nlm check maybe.csv
cat people.csv people.csv >twice.csv
show nlm check twice.csv
iconv -f utf-8 -t utf-16 people.csv >wide.csv
show nlm check wide.csv | sed 3q # UTF-16 is read

# Constants of facts.
cat >facts.pl <<'END'
works(ann, it). works(bob, hr). works(cid, it). works(dan, hr). works(eve, it). works(fay, hr).
boss(ann, bob). boss(cid, dan). boss(eve, ann). boss(bob, cid). boss(dan, cid). boss(fay, ann).
good(ann). good(cid).
END
show nlm check facts.pl --target good --constants works
learn facts.pl --target good --constants works --quiet -o facts.nlm
show nlm rules facts.nlm --format clauses
show nlm convert facts.pl --target good --constants works -o folder
cat folder/bias.pl

# A file that is not there is no task.
if nlm train nothere.csv 2>message; then exit 1; fi
grep -qx 'nlm: train: nothere.csv: no such file or folder' message

# A table of more rows than are learned from at once.
awk 'function drawn() { return x = (x * 1103 + 12345) % 65536 }
    BEGIN { print "id,boss,team,same"; x = 31
    for (i = 0; i < 200; i++) { team[i] = drawn() % 97 < 48 ? "a" : "b"; boss[i] = int(drawn() / 7) % 200 }
    for (i = 0; i < 200; i++) print "p" i ",p" boss[i] "," team[i] "," (team[i] == team[boss[i]] ? "yes" : "no") }' >large.csv
learn large.csv --quiet -o large.nlm 2>notes
nlm test large.nlm large.csv | grep '^same/1 '

# Labels that depend on something that the table does not say.
awk 'BEGIN { print "id,team,ok"; x = 7
    for (i = 0; i < 60; i++) { x = (x * 1103 + 12345) % 65536; print "p" i "," (i % 2 ? "a" : "b") "," (x % 97 < 48 ? "yes" : "no") } }' >hidden.csv
status=0
nlm train hidden.csv -o hidden.nlm >out 2>notes || status=$?
cat notes
tail -n 1 out
echo "status $status"
