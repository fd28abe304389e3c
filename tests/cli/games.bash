# Models of games whose rules are known, written by hand: for the cases of nlm test and nlm play.
#
#     sort.nlm     swaps the first pair of slots whose numbers are in the wrong order: solves small arrays
#     path.nlm     goes to a neighbour that is the target, or next to it: solves paths of up to 2 edges
#     blocks.nlm   moves a block onto one that is below it in the target: may try moves that are not legal

byte() { printf "\\x$(printf %02x "$1")"; }

# The numbers that the weights need, as F32 of the lowest byte first.
declare -A float=([0]='\0\0\0\0' [4]='\0\0\x80\x40' [-4]='\0\0\x80\xc0' [20]='\0\0\xa0\x41' [40]='\0\0\x20\x42'
    [-30]='\0\0\xf0\xc1' [-50]='\0\0\x48\xc2')

# game FILE METADATA "NAME SHAPE NUMBER..." ...: a model file; all tensors one after the other.
game() {
    local file=$1 metadata=$2 tensors= values= offset=0 tensor words number
    shift 2
    for tensor in "$@"; do
        read -ra words <<<"$tensor"
        tensors+=", \"${words[0]}\": {\"dtype\": \"F32\", \"shape\": [${words[1]}], \"data_offsets\": [$offset, "
        for number in "${words[@]:2}"; do
            values+=${float[$number]}
            offset=$((offset + 4))
        done
        tensors+="$offset]}"
    done
    local header="{\"__metadata__\": {$metadata}$tensors}"
    { byte $((${#header} % 256)) && byte $((${#header} / 256)) && printf '\0\0\0\0\0\0%s' "$header" && printf "$values"; } >"$file"
}

# zeros TIMES
zeros() { printf '0 %.0s' $(seq "$1"); }

# swap(i, j) if a[j] < a[i] and j > i
sort_machine='"depth": "1", "breadth": "2", "inputs": "[0, 0, 6]", "width": "1", "hidden": "[]", "residual": "0"'
sort_machine+=', "outputs": "[2]", "heads": "[{\"name\": \"head\", \"arity\": 2, \"outputs\": 1}]"'
sort_tensors=("layer.0.arity.2.mlp.0.weight 1,12 20 0 0 0 0 20 $(zeros 6)" "layer.0.arity.2.mlp.0.bias 1 -30"
    "head.weight 1,1 4" "head.bias 1 0")
game sort.nlm "$sort_machine, \"task\": \"sort\"" "${sort_tensors[@]}"

# In layer 1, of pairs: x is next to the current node y; x is next to the target y.  In layer 2: x is next to the
# current node, and it is the target or next to it.
path_machine='"depth": "2", "breadth": "2", "inputs": "[0, 2, 2]", "width": "2", "hidden": "[]", "residual": "1"'
path_machine+=', "outputs": "[1]", "heads": "[{\"name\": \"head\", \"arity\": 1, \"outputs\": 1}]"'
game path.nlm "$path_machine, \"task\": \"path\"" \
    "layer.0.arity.0.mlp.0.weight 2,4 $(zeros 8)" "layer.0.arity.0.mlp.0.bias 2 0 0" \
    "layer.0.arity.1.mlp.0.weight 2,6 $(zeros 12)" "layer.0.arity.1.mlp.0.bias 2 0 0" \
    "layer.0.arity.2.mlp.0.weight 2,8 0 0 20 0 20 0 0 0 0 0 20 0 0 20 0 0" "layer.0.arity.2.mlp.0.bias 2 -30 -30" \
    "layer.1.arity.1.mlp.0.weight 2,14 0 0 0 20 0 0 0 0 0 0 40 0 20 0 $(zeros 14)" \
    "layer.1.arity.1.mlp.0.bias 2 -50 0" "head.weight 1,6 0 0 0 0 4 0" "head.bias 1 0"

# Of pairs of twins: in the same tower of the target, the first above the second, and not in one tower now.
blocks_machine='"depth": "1", "breadth": "2", "inputs": "[0, 0, 12]", "width": "1", "hidden": "[]", "residual": "0"'
blocks_machine+=', "outputs": "[1]", "heads": "[{\"name\": \"head\", \"arity\": 2, \"outputs\": 1, \"twins\": true}]"'
game blocks.nlm "$blocks_machine, \"task\": \"blocks\"" \
    "layer.0.arity.1.mlp.0.weight 1,24 $(zeros 24)" "layer.0.arity.1.mlp.0.bias 1 0" \
    "head.weight 1,28 $(zeros 14)-4 0 0 0 4 $(zeros 8)4" "head.bias 1 0"
