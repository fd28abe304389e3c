# What the examples of a model cover: nlm infer, nlm rules --alternatives and nlm check --model, with a model that has
# alternatives, one without, and broken ones.
byte() { printf "\\x$(printf %02x "$1")"; }
text() { sed 's/\\/\\\\/g; s/"/\\"/g' <<<"$1" | tr '\n' ' '; } # as a text in JSON
# has_father(x) if there is a y with father(x, y), as in tests/cli/infer.sh.
model() { # model FILE METADATA
    local machine='"depth": "1", "breadth": "2", "inputs": "[0, 0, 4]", "width": "1", "hidden": "[]", "residual": "0"'
    machine+=', "outputs": "[1]", "heads": "[{\"name\": \"head\", \"arity\": 1, \"outputs\": 1}]", "task": "has-father"'
    local tensors='"layer.0.arity.1.mlp.0.weight": {"dtype": "F32", "shape": [1, 8], "data_offsets": [0, 32]},
         "layer.0.arity.1.mlp.0.bias": {"dtype": "F32", "shape": [1], "data_offsets": [32, 36]},
         "head.weight": {"dtype": "F32", "shape": [1, 1], "data_offsets": [36, 40]},
         "head.bias": {"dtype": "F32", "shape": [1], "data_offsets": [40, 44]}'
    local zero='\0\0\0\0' ten=${minus_half:-'\0\0\x20\xc1'} twenty=${weight:-'\0\0\xa0\x41'}
    local header="{\"__metadata__\": {$machine, \"rules\": \"has_father(X) :- father(X, _).\"$2}, $tensors}"
    {
        byte $((${#header} % 256)) && byte $((${#header} / 256)) && printf '\0\0\0\0\0\0%s' "$header"
        printf "$twenty$zero$zero$zero$zero$zero$zero$zero$ten$twenty$ten"
    } >"$1"
}
with() { # with FILE ALTERNATIVES
    model "$1" ", \"alternatives\": \"$(text "$2")\""
}
known='{"worlds": 12, "alternatives": [
 {"target": 0, "rules": "has_father(X) :- father(X, _), \\+ son(X, _).", "case": "case :- father(X, _), son(X, _)."},
 {"target": 0, "rules": "has_father(X) :- mother(X, _).", "case": "case :- father(X, _), \\+ mother(X, _).\ncase :- mother(X, _), \\+ father(X, _)."}]}'
with known.nlm "$known"
# Two alternatives with the same case, of different tuples.
with same_case.nlm '{"worlds": 12, "alternatives": [
 {"target": 0, "rules": "has_father(X) :- father(X, _), \\+ son(X, _).", "case": "case :- father(X, _), son(X, _)."},
 {"target": 0, "rules": "has_father(X) :- father(X, _), \\+ father(_, X).", "case": "case :- father(X, _), son(X, _)."}]}'
model unknown.nlm ''
with none.nlm '{"worlds": 12, "alternatives": []}'
with broken.nlm '{"worlds": 12}'
with cycle.nlm '{"worlds": 12, "alternatives": [{"target": 0, "rules": "has_father(X) :- has_father(X)."}]}'

cat >family.pl <<'END'
father(bart, homer). mother(bart, marge). father(homer, abe). mother(lisa, marge). father(abe, orville).
son(abe, homer). mother(abe, yuma). mother(homer, mona). father(maggie, homer).
END
echo 'father(rod, ned). mother(rod, maude).' >neighbours.pl

# A comment behind each conclusion that is beyond the examples; the last line counts.
show nlm infer known.nlm family.pl
show nlm infer known.nlm family.pl --probability --all
show nlm infer known.nlm family.pl --csv
show nlm infer known.nlm family.pl --json
show nlm infer known.nlm neighbours.pl
show nlm infer known.nlm family.pl neighbours.pl
show nlm infer same_case.nlm family.pl

# The same marks, counts and notes whatever computes; only a model that is proved to be its program has joins.
minus_half='\0\0\0\xc3' weight='\0\0\x80\x43' with sure.nlm "$known"
for options in '' '--probability --all' --csv --json; do
    "$NLM" infer sure.nlm family.pl neighbours.pl $options --engine machine >machine 2>&1
    "$NLM" infer sure.nlm family.pl neighbours.pl $options --engine sqlite >sqlite 2>&1 || true
    grep -q 'without SQLite' sqlite || diff machine sqlite
done

# Models without alternatives, and broken ones.
show nlm infer unknown.nlm family.pl
show nlm infer none.nlm neighbours.pl
show nlm infer broken.nlm family.pl
show nlm infer cycle.nlm family.pl

# The other programs.
show nlm rules known.nlm --alternatives
show nlm rules known.nlm --alternatives --json
show nlm rules none.nlm --alternatives
show nlm rules unknown.nlm --alternatives
show nlm rules broken.nlm --alternatives
show nlm rules known.nlm --alternatives --format sql
show nlm rules known.nlm --alternatives --find

# Questions.
show nlm check family.pl --model known.nlm
show nlm check family.pl --model known.nlm --json
show nlm check neighbours.pl --model known.nlm
show nlm check family.pl --model unknown.nlm
show nlm check family.pl --model missing.nlm
show nlm check family.pl --model known.nlm --closed-world

# A machine that is no program marks what is of classes that it was not taught: here somebody with one parent.
cat >parents.pl <<'END'
father(ben, abel). mother(ben, anna). son(abel, ben). son(anna, ben).
father(cleo, ben). daughter(ben, cleo).
END
nlm train has-father --kind paper --seed 3 --hidden 8 --depth 2 --epochs 60 --quiet -o hidden.nlm
nlm infer hidden.nlm parents.pl --all --csv 2>err >marks
grep -q '^has_father,abel,.*covered$' marks
grep -q '^has_father,cleo,.*beyond$' marks
grep -q 'no example was like them in all that the machine reads' err
nlm infer hidden.nlm parents.pl --no-coverage >marks 2>&1
if grep beyond marks; then exit 1; fi
