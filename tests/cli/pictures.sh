# nlm train and nlm test on adjacent-to-zero: digits that nlm draws, MNIST's files in a folder, and neither; runs that
# are stopped and go on; the same bits for any threads.

# MNIST's files, but small: so many images, black with a white dot, that show 0, 1, 2 in turn.
bytes() { printf "\\x$(printf %02x $(($1 / 256)))\\x$(printf %02x $(($1 % 256)))"; }
images() { # images COUNT
    printf '\0\0\x08\x03\0\0' && bytes "$1" && printf '\0\0\0\x1c\0\0\0\x1c'
    for ((i = 0; i < $1; i++)); do head -c 300 /dev/zero && printf '\xff' && head -c 483 /dev/zero; done
}
labels() { # labels COUNT
    printf '\0\0\x08\x01\0\0' && bytes "$1"
    for ((i = 0; i < $1; i++)); do printf "\\x0$((i % 3))"; done
}
gallery() { # gallery FOLDER TRAIN TEST
    mkdir "$1"
    images "$2" >"$1/train-images-idx3-ubyte"
    labels "$2" | gzip >"$1/train-labels-idx1-ubyte.gz"
    images "$3" | gzip >"$1/t10k-images-idx3-ubyte.gz"
    labels "$3" >"$1/t10k-labels-idx1-ubyte"
}

# What does not depend on rounding.
train() {
    nlm train adjacent-to-zero --seed 3 --objects 5 --batches 5 "$@" 2>&1 |
        sed -nE 's/^(adjacent-to-zero: .* examples) and .*/\1/p; /^nlm: /p'
    return "${PIPESTATUS[0]}"
}
test() {
    nlm test "$@" --worlds 20 --objects 4,9 --json 2>&1 | sed -E 's/, "wrong".*/.../'
    return "${PIPESTATUS[0]}"
}

# Digits that nlm draws.
show train --images drawn --epochs 1 -o drawn.nlm
show test drawn.nlm --images drawn
train --images drawn --epochs 1 --threads 2 -o again.nlm >again.txt
cmp drawn.nlm again.nlm
nlm test drawn.nlm --images drawn --worlds 20 --threads 1 --json | sed 's/"seconds".*//' >one.txt
nlm test drawn.nlm --images drawn --worlds 20 --threads 2 --json | sed 's/"seconds".*//' >two.txt
cmp one.txt two.txt
show train --images drawn --epochs 2 --resume -o drawn.nlm
train --images drawn --epochs 2 --threads 2 -o whole.nlm >whole.txt
cmp drawn.nlm whole.nlm

# A folder of one's own.
gallery few 6 4
gallery more 7 4
show train --images few --epochs 1 -o few.nlm
show test few.nlm --images few
show test few.nlm --images drawn
show train --images more --epochs 2 --resume -o few.nlm
show train --images drawn --epochs 2 --resume -o few.nlm
show train --images few --epochs 2 --resume -o few.nlm

# The usual folder, with XDG_CACHE_HOME and without.
mkdir -p home/.cache/nlm cache/nlm empty
cp -r few home/.cache/nlm/mnist
cp -r more cache/nlm/mnist
export HOME=$PWD/home
unset XDG_CACHE_HOME
show train --epochs 3 --resume -o few.nlm
show test few.nlm
XDG_CACHE_HOME=cache show test few.nlm # no absolute path: it does not count
export XDG_CACHE_HOME=$PWD/cache
show train --epochs 4 --resume -o few.nlm

# No MNIST.
export XDG_CACHE_HOME=$PWD/empty
without_mnist() {
    "$@" 2>&1 | without_progress | sed "s:$PWD/:PWD/:"
    return "${PIPESTATUS[0]}"
}
show without_mnist nlm train adjacent-to-zero -o none.nlm
show without_mnist nlm test few.nlm
without_mnist nlm test drawn.nlm --worlds 20 --json | sed 's/"seconds".*//' >unnamed.txt
nlm test drawn.nlm --images drawn --worlds 20 --json | sed 's/"seconds".*//' | cmp - unnamed.txt # what it learned from
show nlm train adjacent-to-zero --images nowhere -o none.nlm
show nlm test drawn.nlm --images nowhere
ls none.nlm* 2>/dev/null || echo "nothing was written"

# Files that are broken.
gallery broken 6 4
echo nothing >broken/t10k-labels-idx1-ubyte
show nlm test drawn.nlm --images broken
labels 3 >broken/t10k-labels-idx1-ubyte
show nlm test drawn.nlm --images broken
rm broken/t10k-labels-idx1-ubyte
show nlm test drawn.nlm --images broken
images 6 | head -c 1000 >broken/train-images-idx3-ubyte
show nlm train adjacent-to-zero --images broken -o none.nlm
show nlm train adjacent-to-zero --images few/train-images-idx3-ubyte -o none.nlm

# Other tasks, games and facts show nothing.
nlm train 1-outdegree --epochs 1 --batches 1 --objects 4 -o outdegree.nlm >outdegree.txt 2>&1 || true
nlm generate 1-outdegree --worlds 3 -o facts >facts.txt 2>&1
show nlm train 1-outdegree --images drawn -o none.nlm
show nlm test outdegree.nlm --images drawn
show nlm train sort --images drawn -o none.nlm
show nlm train facts --images drawn -o none.nlm
nlm train sort --episodes 1 --quiet -o sort.nlm
show nlm test sort.nlm --images drawn

# Facts are not graduated from just because nothing could tell that they were.
nlm train facts --threshold 0 --epochs 1 --batches 1 -o none.nlm 2>/dev/null | sed -nE '1s/ after .*//p'

# Nor is it reproduced without pictures.
show nlm reproduce --models nlm --tasks adjacent-to-zero --out reproduced
ls reproduced 2>/dev/null || echo "nothing was written"
