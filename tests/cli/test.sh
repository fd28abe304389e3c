# nlm test: called wrongly, files that are no good, and the results of models whose rules are known, games among them.

# A model as a file: a JSON header, its length before it, then the tensors' values.
byte() { printf "\\x$(printf %02x "$1")"; }
model() { # model FILE METADATA TENSORS VALUES
    local header="{\"__metadata__\": {$2}, $3}"
    { byte $((${#header} % 256)) && byte $((${#header} / 256)) && printf '\0\0\0\0\0\0%s' "$header" && printf "$4"; } >"$1"
}

# has_father(x) if there is a y with father(x, y): one unit, which reads exists and forall of four predicates, and
# a head.  Its weights are 20 and its biases -10; a head with bias -20 finds that nobody has a father.
machine='"depth": "1", "breadth": "2", "inputs": "[0, 0, 4]", "width": "1", "hidden": "[]", "residual": "0"'
machine+=', "outputs": "[1]", "heads": "[{\"name\": \"head\", \"arity\": 1, \"outputs\": 1}]"'
tensors='"layer.0.arity.1.mlp.0.weight": {"dtype": "F32", "shape": [1, 8], "data_offsets": [0, 32]},
         "layer.0.arity.1.mlp.0.bias": {"dtype": "F32", "shape": [1], "data_offsets": [32, 36]},
         "head.weight": {"dtype": "F32", "shape": [1, 1], "data_offsets": [36, 40]},
         "head.bias": {"dtype": "F32", "shape": [1], "data_offsets": [40, 44]}'
zero='\0\0\0\0' ten='\0\0\x20\xc1' twenty='\0\0\xa0\x41' minus_twenty='\0\0\xa0\xc1'
unit=$twenty$zero$zero$zero$zero$zero$zero$zero$ten$twenty
model right.nlm "$machine, \"task\": \"has-father\"" "$tensors" "$unit$ten"
model wrong.nlm "$machine, \"task\": \"has-father\"" "$tensors" "$unit$minus_twenty"
model untold.nlm "$machine" "$tensors" "$unit$ten"
model future.nlm "$machine, \"task\": \"walk\\u001b[1m\", \"version\": \"9.0\"" "$tensors" "$unit$ten"
model foreign.nlm "$machine, \"task\": \"walk\"" "$tensors" "$unit$ten"
head -c 300 right.nlm >cut.nlm
echo nothing >text.nlm
cp "$SOURCES/tests/golden/family.safetensors" headless.nlm
cp "$SOURCES/tests/golden/blocks.safetensors" blocks.nlm
cp "$SOURCES/tests/fuzz/corpus/model/bad_width_huge" huge.nlm

# Called wrongly.
show nlm test
show nlm test right.nlm wrong.nlm
show nlm test right.nlm --worlds 0
show nlm test right.nlm --objects 20,0
show nlm test right.nlm --objects 20,,30
show nlm test right.nlm --objects 100000
show nlm test right.nlm --threads 0
show nlm test right.nlm --seed -1
show nlm test right.nlm --task unkle
show nlm test right.nlm --task xylophone
with_kernel() { NLM_KERNEL=$1 nlm test right.nlm --worlds 1; }
show with_kernel sse9

# Files that are no good.
show nlm test missing.nlm
show nlm test .
show nlm test text.nlm
show nlm test cut.nlm
show nlm test huge.nlm

# The task: recorded in the model, or given, or both.
show nlm test right.nlm --task uncle
show nlm test untold.nlm
show nlm test future.nlm
show nlm test future.nlm --task has-father
show nlm test foreign.nlm
show nlm test blocks.nlm --task uncle
show nlm test headless.nlm --task uncle
show nlm test untold.nlm --task grandparent

# Results.  Times are not a test's business, nor is the progress of those that take long.
results() { nlm test "$@" >results 2>progress && sed -E 's/ +[0-9]+\.[0-9]+$/ X/; s/"(seconds|squared_error|macro_accuracy)": [0-9.e-]+/"\1": X/g' results; }
show results right.nlm
show results untold.nlm --task has-father --objects 7 --worlds 1000 --json
show results wrong.nlm --objects 1,2,20 --worlds 50 --seed 18446744073709551615
show results wrong.nlm --objects 3 --worlds 1000 --json
show results right.nlm --objects 1000 --worlds 1

# The same worlds and counts for any number of threads; another seed has other worlds.
nlm test wrong.nlm --json --threads 1 --worlds 300 | sed 's/"seconds.*//' >one
nlm test wrong.nlm --json --threads 3 --worlds 300 | sed 's/"seconds.*//' >three
cmp one three
nlm test wrong.nlm --json --seed 2 --worlds 300 | sed 's/"seconds.*//' >other
if cmp -s one other; then exit 1; fi

# Games: models whose rules are known play.
mkdir games
cd games
source "$SOURCES/tests/cli/games.bash"
cp ../right.nlm father.nlm
game untold.nlm "$sort_machine" "${sort_tensors[@]}"
show nlm test sort.nlm --task path
show nlm test sort.nlm --task uncle
show nlm test father.nlm --task blocks
show nlm test untold.nlm
show nlm test untold.nlm --task blocks
show nlm test untold.nlm --task path
show nlm test untold.nlm --task stort
show nlm test sort.nlm --objects 10,1
show nlm test path.nlm --objects 10,4
show nlm test blocks.nlm --objects 1001
show results sort.nlm --worlds 100
show results sort.nlm --worlds 100 --objects 10 --moves 1
show results sort.nlm --worlds 100 --objects 10 --moves 10
show nlm test sort.nlm --moves 0
# An agent may repeat its moves, and then goes round in circles; options come before what the file says.
show results blocks.nlm --worlds 100 --objects 2 --no-repeat 0 --repeat-penalty 1
show results blocks.nlm --worlds 100 --objects 2 --no-repeat 0 --json
show nlm test sort.nlm --no-repeat 2
show nlm test sort.nlm --repeat-penalty 1.5
show nlm test sort.nlm facts --repeat-penalty 1
show nlm test father.nlm --moves 2
show results untold.nlm --task sort --objects 3,2 --worlds 1000 --seed 18446744073709551615
show results sort.nlm --objects 3,10 --worlds 100 --json
show results path.nlm --objects 10 --worlds 100
show results path.nlm --objects 5 --worlds 100 --json
show results blocks.nlm --objects 2,10 --worlds 100
show results blocks.nlm --objects 2,10 --worlds 100 --json
nlm test sort.nlm --json --threads 1 --worlds 50 2>progress | sed 's/"seconds.*//' >one
nlm test sort.nlm --json --threads 3 --worlds 50 2>progress | sed 's/"seconds.*//' >three
cmp one three
nlm test sort.nlm --json --seed 2 --worlds 50 2>progress | sed 's/"seconds.*//' >other
if cmp -s one other; then exit 1; fi
cd ..

# Results that cannot be written are a failure.
to_full_device() { nlm test right.nlm --worlds 1 >/dev/full; }
show to_full_device
