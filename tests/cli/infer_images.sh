# nlm generate and nlm infer with images: called wrongly, what is written, conclusions in every form, and folders of
# images that are not as they must be.
quiet() { "$@" >out 2>&1 || { cat out && exit 1; }; }
quiet nlm train adjacent-to-zero --images drawn --epochs 1 --batches 20 --exam 0 --gain 30 -o digits.nlm
quiet nlm train adjacent-to-red --epochs 1 --batches 1 --exam 0 -o red.nlm

# Called wrongly.
show nlm generate grandparent --images drawn -o none
nlm generate adjacent-to-zero --images nowhere -o none 2>&1 | head -n 1
test ! -e none
quiet nlm generate adjacent-to-zero --objects 6 -o one
show nlm infer digits.nlm one
show nlm infer red.nlm one --images one
show nlm infer digits.nlm one --images nowhere
show nlm infer digits.nlm one --images one/bk.pl
echo 'likes(a, b).' >likes.pl
show nlm infer digits.nlm likes.pl --images one

# What is written: one world, several, tables, and again.
rm -r one
show nlm generate adjacent-to-zero --objects 6 -o one
(cd one && find . -type f | LC_ALL=C sort)
cmp <(head -c 13 one/images/node0.pgm) <(printf 'P5\n28 28\n255\n')
test "$(wc -c <one/images/node0.pgm)" -eq $((13 + 28 * 28))
show nlm generate adjacent-to-zero --objects 3 --worlds 2 -o two
(cd two && find . -type f | LC_ALL=C sort)
show nlm generate adjacent-to-zero --objects 3 --form csv -o tables
(cd tables && find . -type f | LC_ALL=C sort)
cp -r one before
show nlm generate adjacent-to-zero --objects 6 -o one --force
diff -r before one
touch one/images/mine
show nlm generate adjacent-to-zero --objects 6 -o one --force
rm one/images/mine
# Images to test with, unless a number says otherwise.
quiet nlm generate adjacent-to-zero --objects 6 --first 1099511627776 -o numbered
diff -r one numbered
quiet nlm generate adjacent-to-zero --objects 6 --first 0 -o first
if diff -r one first >out; then exit 1; fi

# A model's answers are those that it has in its tests of these worlds, however they are asked for.
wrong() { sed -n 's/.*"wrong": \([0-9]*\),.*/\1/p'; }
true_facts() { sed -n 's/^pos(\(.*\))\.$/\1./p' "$1" | LC_ALL=C sort; }
quiet nlm generate adjacent-to-zero --objects 12 --worlds 9 --seed 3 -o nine
expected=$(nlm test digits.nlm --images drawn --objects 12 --worlds 9 --seed 3 --json | wrong)
test "$expected" -gt 0
test "$(nlm test digits.nlm nine --images nine --json | wrong)" -eq "$expected"
counted=0
for world in nine/0*; do
    nlm infer digits.nlm "$world/bk.pl" --images "$world/images" | LC_ALL=C sort >concluded
    differing=$(comm -3 concluded <(true_facts "$world/exs.pl") | wc -l)
    counted=$((counted + differing))
done
test "$counted" -eq "$expected"

# The images count: exchanged, they change probabilities.  Where facts and images lie makes no difference.
nlm infer digits.nlm one --images one --all --json >before.json
cp -r one changed
mv changed/images/node0.pgm changed/images/node5.pgm
cp one/images/node1.pgm changed/images/node0.pgm
nlm infer digits.nlm one --images changed --all --json >after.json
if cmp -s before.json after.json; then exit 1; fi
nlm infer digits.nlm one/bk.pl --images one/images --all --json | cmp - before.json
nlm infer digits.nlm - --images one/images --all --json <one/bk.pl | cmp - before.json

# The forms of the answers, here of all tuples; probabilities are as they come.
blind() { sed -E 's/[0-9]\.[0-9]+(e-[0-9]+)?/P/; s/0(::|\})/P\1/'; }
nlm infer digits.nlm one --images one --all | blind
nlm infer digits.nlm one --images one --all --csv | blind
nlm infer digits.nlm one --images one --all --json | blind
nlm infer digits.nlm two --images two --threshold 0
nlm infer digits.nlm two --images two --threshold 1 2>&1
nlm infer digits.nlm one/bk.pl two/0001/bk.pl --images one --threshold 0 --csv

# PNG, endings in capitals, an object without facts, files of other kinds.
corpus=$SOURCES/tests/fuzz/corpus/picture
mkdir mixed
cp one/images/*.pgm mixed
mv mixed/node0.pgm mixed/node0.PGM
cp "$corpus/valid_palette2_png" mixed/node1.Png
rm mixed/node1.pgm
cp "$corpus/valid_colour_alpha16_png" 'mixed/The Visitor.png'
show nlm infer digits.nlm one --images mixed --threshold 0
touch mixed/thumbs.db
nlm infer digits.nlm one --images mixed 2>&1 >out
touch mixed/.png
nlm infer digits.nlm one --images mixed 2>&1 >out

# Folders that are refused.
rm mixed/thumbs.db mixed/.png
rm mixed/node0.PGM
show nlm infer digits.nlm one --images mixed
rm mixed/node2.pgm mixed/node3.pgm
show nlm infer digits.nlm one --images mixed
cp one/images/*.pgm mixed
show nlm infer digits.nlm one --images mixed
rm mixed/node1.Png
show nlm infer digits.nlm two --images mixed
for bad in bad_kind bad_size_png bad_cut_png bad_cut_p5 bad_largest_p5 bad_sum_png; do
    cp "$corpus/$bad" mixed/node2.pgm
    show nlm infer digits.nlm one --images mixed
done
rm mixed/node2.pgm
mkdir mixed/node2.pgm
show nlm infer digits.nlm one --images mixed
