# The manual pages: one for each command, with the options of its help, each in the same order and words.
pages=$SOURCES/docs/man
commands=$(nlm --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$')
test -n "$commands"

# "-o, --output FILE", a line for each option of a help text.
options_of_help() {
    sed -nE '/^options:/,$s/^ +((-[a-z], )?--[a-z0-9-]+( [^ ]+)?)( .*)?$/\1/p'
}

# The same from the section OPTIONS of a page: the line after .TP, without macros, quotes and backslashes.
options_of_page() {
    sed -n '/^\.SH OPTIONS/,/^\.SH [^O]/p' "$1" | grep -A 1 '^\.TP' | grep -E '^\.(B|BI) ' |
        sed -E 's/^\.(B|BI) //; s/["\\]//g; s/  +/ /'
}

for command in $commands; do
    page=$pages/nlm-$command.1
    echo "$command"
    nlm "$command" --help | options_of_help >help
    options_of_page "$page" >page
    diff -u help page
    grep -q "^\.B nlm $command\$" "$page"
    grep -q "^nlm\\\\-$command \\\\- [a-z]" "$page"
    # What the command is for is said in the same words.
    nlm --help | sed -nE "s/^  $command +//p" | grep -qxF -f - <(sed -n "s/^nlm\\\\-$command \\\\- //p" "$page")
    for where in COMMANDS 'SEE ALSO'; do
        sed -n "/^\.SH $where/,/^\.SH/p" "$pages/nlm.1" | grep -q "nlm\\\\-$command (1)"
    done
done

# No page without a command.
for page in "$pages"/nlm-*.1; do
    command=$(basename "$page" .1)
    grep -qx "${command#nlm-}" <<<"$commands"
done

# Pages that others are referred to exist, and the typesetter has no complaints, where there is one.
for page in $(grep -hoE 'nlm\\-[a-z]+ \(1\)' "$pages"/*.1 | sed 's/\\//; s/ (1)//' | sort -u); do
    test -e "$pages/$page.1"
done
if command -v groff >/dev/null; then
    complaints=$(groff -man -ww -Tascii -z "$pages"/*.1 2>&1)
    echo "$complaints"
    test -z "$complaints"
fi
