# nlm generate: called wrongly, what it writes, and that a world is the same whenever it is written.

# Called wrongly.
show nlm generate
show nlm generate grandparent
show nlm generate grandparent -o ''
show nlm generate sort -o sort
show nlm generate grandfather -o one
show nlm generate grandparent --objects 0 -o one
show nlm generate grandparent --worlds 0 -o one
show nlm generate grandparent --form pdf -o one
show nlm generate grandparent uncle -o one
test ! -e one -a ! -e sort

# One world, several, and as tables.
show nlm generate has-father --objects 5 --first 2 -o one
show cat one/bias.pl one/bk.pl one/exs.pl
show nlm generate grandparent --worlds 2 --seed 7 -o two
(cd two && find . -type f | LC_ALL=C sort)
show nlm generate grandparent --objects 6 --form csv -o csv
(cd csv && find . -type f | LC_ALL=C sort)
show nlm generate grandparent --objects 6 --form tsv -o tsv
for name in csv/*.csv; do
    tr ',' '\t' <"$name" | cmp - "tsv/$(basename "$name" .csv).tsv"
done

# A world depends on its seed, number and size alone.
nlm generate uncle --objects 9 --worlds 3 -o three >out
nlm generate uncle --objects 9 --worlds 1 --first 2 -o third >out
nlm generate uncle --objects 9 --worlds 1 --first 2 --seed 2 -o other >out
last=$(dirname "$(find three -name bk.pl | LC_ALL=C sort | tail -n 1)")
cmp "$last/bk.pl" third/bk.pl
cmp "$last/exs.pl" third/exs.pl
if cmp -s third/bk.pl other/bk.pl; then exit 1; fi

# What is there stays, unless it may be replaced.
show nlm generate uncle -o third
show nlm generate uncle --objects 9 --worlds 1 --first 2 --seed 2 -o third --force
cmp third/bk.pl other/bk.pl
echo mine >file
show nlm generate uncle -o file
show nlm generate uncle -o file --force
show nlm generate uncle -o no/where
test "$(cat file)" = mine

# Both kinds of worlds; --worlds takes the kind as well.
show nlm generate uncle --kind rich --worlds 3 --deep 4 -o rich
nlm generate uncle --worlds rich --worlds 3 --deep 4 -o same >out
cmp rich/0002/bk.pl same/0002/bk.pl
nlm generate uncle --kind paper --worlds 3 --objects 9 -o paper >out
cmp paper/0002/bk.pl three/0002/bk.pl
show nlm generate ilp-son --kind rich -o none
show nlm generate uncle --kind poor -o none
show nlm train grandparent --kind poor
show nlm train adjacent-to-zero --images drawn --kind rich
