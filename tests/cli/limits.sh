# Under limits of memory, of the size of files and of open files every command either does its work or says in one line
# why it cannot; none hangs (ctest ends what does), none is killed.
nlm train grandparent --objects 8 --batches 5 --epochs 1 --exam 0 --threads 2 --quiet -o model.nlm
nlm train sort --episodes 20 --width 4 --quiet -o sort.nlm
quick="--batches 2 --epochs 1 --exam 0 --quiet --force --objects 8"
commands=(
    "--version"
    "tasks"
    "generate grandparent --objects 12 --worlds 3 --force -o worlds"
    "check $SOURCES/examples/family/learn"
    "convert $SOURCES/examples/family/learn --force -o converted"
    "train grandparent $quick --threads 2 -o under.nlm"
    "train has-father $quick --model memnn --width 8 --threads 2 -o under-memnn.nlm"
    "train ilp-predecessor --model dilp --batches 2 --epochs 1 --quiet --force -o under-dilp.nlm"
    "test model.nlm --objects 12 --worlds 3 --threads 2"
    "infer model.nlm $SOURCES/examples/family/learn"
    "show model.nlm"
    "play sort.nlm --objects 5"
    "report model.nlm --force -o report.html"
)

# under ulimit-option value: all commands.
under() {
    local status errors
    for command in "${commands[@]}"; do
        status=0
        errors=$( (ulimit "$1" "$2" && exec "$NLM" $command) 2>&1 >/dev/null) || status=$?
        case $status in
        0) ;;
        1 | 2 | 127) test -n "$errors" ;; # 127: the loader of programs speaks
        *) false ;;
        esac || {
            echo "ulimit $1 $2, nlm $command: status $status"
            echo "$errors"
            exit 1
        }
    done
}

# A sanitizer wants more memory than these limits leave.
if (ulimit -v 400000 && "$NLM" --version >/dev/null 2>&1); then
    for size in 5000 9000 14000 25000 55000 100000 160000 250000 400000; do
        under -v "$size"
    done
else
    echo "limits of memory are not tried with this build"
fi
for size in 0 1 8 64; do
    under -f "$size"
done
for files in 3 4 5 6 8 16; do
    under -n "$files"
done
