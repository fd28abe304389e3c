# nlm generate and nlm convert, stopped at any moment or out of room, leave nothing, or a folder that says that it is
# not complete: no command takes what is there of it for all.
worlds=60
nlm generate uncle --objects 9 --worlds $worlds -o source >/dev/null

# complete folder: whether it is read, and then all of it must be there.
complete() {
    nlm check "$1" >out 2>errors || return 1
    grep -q "^$1: $worlds worlds of 9 objects; closed world" out || { cat out; exit 1; }
}

# killed count command...: stopped after a moment that grows from 0; then it is done again, without --force.
killed() {
    local count=$1 i
    shift
    for ((i = 0; i < count; i++)); do
        rm -rf made
        "$NLM" "$@" -o made >/dev/null 2>&1 &
        sleep "0.0$i"
        kill -KILL $! 2>/dev/null || true
        wait $! || true
        if ! test -e made || ! complete made; then
            test ! -e made || grep -qE 'INCOMPLETE|no facts' errors
            nlm "$@" -o made >/dev/null
        fi
        complete made
        diff -r made source >/dev/null || test "$1" = convert
        test "$(find made | grep -cE 'INCOMPLETE|tmp-')" = 0
    done
}
killed 10 generate uncle --objects 9 --worlds $worlds
killed 5 convert source --form csv
killed 5 convert source --form folder

# No room: nothing is left behind, and an earlier folder is as it was.
nlm generate uncle --objects 40 --worlds 2 --seed 2 -o earlier >/dev/null
cp -r earlier before
for size in 0 1; do
    for output in "new" "earlier --force"; do
        status=0
        errors=$( (ulimit -f $size && exec "$NLM" generate uncle --objects 40 --worlds 2 --seed 3 -o $output) 2>&1) ||
            status=$?
        test $status = 1
        grep -q '^nlm: generate: .*: File too large$' <<<"$errors"
        test ! -e new
        diff -r earlier before
    done
done

# A world without labels.
rm source/0002/exs.pl
for command in "train source -o model.nlm" "check source" "convert source -o again"; do
    if nlm $command >out 2>errors; then exit 1; fi
    grep -q 'source: 0002 has no exs.pl, where the other worlds have their labels: add it' errors
done
test ! -e again
