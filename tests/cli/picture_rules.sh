# Rules over what a network sees: images that are easily told apart, the program and its proof, the digits beside it.

# A digit in three is a 0, all white; the others are black with a white dot.
bytes() { printf "\\x$(printf %02x $(($1 / 256)))\\x$(printf %02x $(($1 % 256)))"; }
images() { # images COUNT
    printf '\0\0\x08\x03\0\0' && bytes "$1" && printf '\0\0\0\x1c\0\0\0\x1c'
    for ((i = 0; i < $1; i++)); do
        if ((i % 3)); then
            head -c 300 /dev/zero && printf '\xff' && head -c 483 /dev/zero
        else
            head -c 784 /dev/zero | tr '\0' '\377'
        fi
    done
}
labels() { # labels COUNT
    printf '\0\0\x08\x01\0\0' && bytes "$1"
    for ((i = 0; i < $1; i++)); do printf "\\x0$((i % 3))"; done
}
mkdir bright
for part in train t10k; do
    images 30 >bright/$part-images-idx3-ubyte
    labels 30 >bright/$part-labels-idx1-ubyte
done

# Which output sees the zeros depends on rounding.
any() { sed -E 's/(sees_|output )[0-9]+/\1N/g'; }
train() { nlm train adjacent-to-zero --images bright --epochs 3 --batches 100 --objects 5 "$@" 2>&1; }
train -o seen.nlm | any | sed -n '/^rules/,$p'
nlm rules seen.nlm | any
nlm rules seen.nlm --format text | any
nlm prove seen.nlm | any
nlm test seen.nlm --images bright --worlds 50 --objects 8 --json | sed -E 's/.*("wrong": [0-9]+).*/\1/'

# The same for two threads, and where the rules are found afterwards.
train --threads 2 -o again.nlm >again.txt
cmp seen.nlm again.nlm
train --no-rules -o soft.nlm >soft.txt
show nlm rules soft.nlm
show nlm rules soft.nlm --find # its images are not in the file
train --resume -o seen.nlm | any | tail -n 1

# Conclusions of the program are those of the images; derivations have no facts to end with.
nlm generate adjacent-to-zero --objects 8 --seed 8 --images bright -o graph >graph.txt 2>&1
nlm infer seen.nlm graph --images graph | sort >program.txt
nlm infer soft.nlm graph --images graph | sort >machine.txt
cmp program.txt machine.txt && wc -l <program.txt | tr -d ' '
show nlm why seen.nlm graph 'adjacent_to_zero(node0)'
show nlm infer seen.nlm graph --images graph --why

# After so few steps digits are not told apart.
nlm train adjacent-to-zero --images drawn --epochs 1 --batches 2 --objects 5 -o chance.nlm 2>&1 | grep -o '^no rules: the machine itself'
