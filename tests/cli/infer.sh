# nlm infer: called wrongly, conclusions of a model that knows its rule, in every form, from every kind of file.
cat >model.bash <<'END'
# has_father(x) if there is a y with father(x, y), as in tests/cli/test.sh.
byte() { printf "\\x$(printf %02x "$1")"; }
model() { # model FILE METADATA TENSORS VALUES
    local header="{\"__metadata__\": {$2}, $3}"
    { byte $((${#header} % 256)) && byte $((${#header} / 256)) && printf '\0\0\0\0\0\0%s' "$header" && printf "$4"; } >"$1"
}
machine='"depth": "1", "breadth": "2", "inputs": "[0, 0, 4]", "width": "1", "hidden": "[]", "residual": "0"'
machine+=', "outputs": "[1]", "heads": "[{\"name\": \"head\", \"arity\": 1, \"outputs\": 1}]"'
tensors='"layer.0.arity.1.mlp.0.weight": {"dtype": "F32", "shape": [1, 8], "data_offsets": [0, 32]},
         "layer.0.arity.1.mlp.0.bias": {"dtype": "F32", "shape": [1], "data_offsets": [32, 36]},
         "head.weight": {"dtype": "F32", "shape": [1, 1], "data_offsets": [36, 40]},
         "head.bias": {"dtype": "F32", "shape": [1], "data_offsets": [40, 44]}'
zero='\0\0\0\0' ten='\0\0\x20\xc1' twenty='\0\0\xa0\x41'
unit=$twenty$zero$zero$zero$zero$zero$zero$zero$ten$twenty
END
source model.bash
model father.nlm "$machine, \"task\": \"has-father\"" "$tensors" "$unit$ten"
model untold.nlm "$machine" "$tensors" "$unit$ten"
(source "$SOURCES/tests/cli/games.bash")

cat >family.pl <<'END'
father(bart, homer). father(lisa, homer). father(homer, abe).
mother(bart, marge). son(homer, bart). daughter(homer, lisa). son(abe, homer). son(marge, bart). daughter(marge, lisa).
END
echo "father('Ned, Jr.', ned). father(rod, ned)." >neighbours.pl

# Called wrongly.
show nlm infer
show nlm infer father.nlm
show nlm infer father.nlm missing.pl
show nlm infer missing.nlm family.pl
show nlm infer father.nlm family.pl --threshold 2
show nlm infer father.nlm family.pl --json --csv
show nlm infer father.nlm family.pl --all --threshold 0.1
show nlm infer untold.nlm family.pl
show nlm infer sort.nlm family.pl
echo 'father(bart, ' >broken.pl
show nlm infer father.nlm broken.pl

# The forms of the answers.  Notes go to standard error.
show nlm infer father.nlm family.pl
show nlm infer father.nlm family.pl --probability
show nlm infer father.nlm family.pl --all
show nlm infer father.nlm family.pl --threshold 1
show nlm infer father.nlm family.pl --threshold 0 --csv
show nlm infer father.nlm family.pl neighbours.pl
nlm infer father.nlm family.pl neighbours.pl >facts.pl 2>notes
grep -c . notes
for form in --json --csv '--csv --probability'; do
    show nlm infer father.nlm family.pl $form
    nlm infer father.nlm neighbours.pl family.pl $form 2>/dev/null
done

# Names that need quotes.
cat >odd.pl <<'END'
father('a, "b"', x). father(' c', x). father('d ', x). father('e\\f', x). father('g\nh', x). father('i\tj', x).
END
for form in --probability --json --csv; do
    nlm infer father.nlm odd.pl $form 2>/dev/null
done

# Facts of other predicates than the model's.
echo 'fathers(a, b).' >plural.pl
echo "likes(a, b). father(a, b, c). 'Father'(a, b)." >capital.pl
echo "son(a, b). 'Father'(b, a)." >some.pl
echo 'edge(a, b).' >other.pl
for facts in plural capital other some; do
    show nlm infer father.nlm $facts.pl
done

# From a folder, from several worlds, from standard input.
nlm generate has-father --objects 4 --worlds 2 -o worlds >/dev/null
show nlm infer father.nlm worlds
show nlm infer father.nlm worlds family.pl --json
nlm infer father.nlm - <family.pl 2>/dev/null
show nlm infer father.nlm worlds --threads 3

# A world that cannot be in memory is refused before anything is computed.
seq -f 'father(a%.0f, b).' 300000 >large.pl
nlm infer father.nlm large.pl 2>err >out && exit 1
test ! -s out
sed -E 's/ [0-9.]+ [KMGTPE]B/ X/g; s/enough for [0-9]+/enough for N/' err | grep -v note
