# Completion in bash: the words offered after a command line, without the bash-completion package.
set +eu # as in a user's shell
source "$SOURCES/completions/nlm.bash"
complete -p nlm

# What is offered after these words, of which the last is being typed.
offers() {
    COMP_WORDS=(nlm "$@")
    COMP_CWORD=$#
    printf '$ nlm %s<TAB>\n' "$*"
    _nlm nlm "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | paste -sd ' '
}

offers ''
offers t
offers --
offers help sh
offers help show ''
offers nothing ''

touch one.nlm two.nlm other.txt
mkdir folder
offers show ''
offers show t
offers show one.nlm ''
offers show ./o
offers show -
offers test --json ''
offers test --worlds ''
offers test --task u
offers play t
offers play --task b
offers play --instance ot
offers play two.nlm --json ot
offers play --fps ''
offers play --

offers train g
offers train grandparent ''
offers train grandparent --prot
offers train --protocol ''
offers train --protocol = p
offers train --protocol =
offers train --protocol best has-
offers train --protocol = best has-
offers train --quiet has-
offers train -o ot
offers train --output ot
offers train --no
offers train '--a/b' has-
offers train ot

# Facts: files and folders, as often as they may be given.
offers check ot
offers infer ''
offers infer one.nlm ot
offers infer one.nlm other.txt ot
offers infer one.nlm --images fo
offers infer one.nlm other.txt --threshold 0.5 other.txt fo
offers test one.nlm ot
offers test one.nlm other.txt ''
offers generate has-
offers generate has-father -o ''
offers generate --form ''
offers convert --output fo
offers convert folder --form = t
offers reproduce --tasks s
offers reproduce --tasks uncle,has-
offers reproduce --out fo

# Every option of every command is offered.
offered=0
for command in $(nlm --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$'); do
    for option in $(nlm "$command" --help | grep -oE '^ +(-., )?--[a-z0-9-]+' | grep -oE -- '--[a-z0-9-]+'); do
        if [ "$(offers "$command" "$option" | tail -n 1 | tr ' ' '\n' | grep -cx -- "$option")" != 1 ]; then
            echo "$command: $option is not offered"
        fi
        offered=$((offered + 1))
    done
done
test "$offered" -ge 30 || exit 1
