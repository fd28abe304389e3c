# The definitions that learned programs are compared with are what the tasks mean, in worlds of both kinds.
for rules in "$SOURCES"/src/study/human/*.pl; do
    task=$(basename "$rules" .pl)
    nlm compile "$rules" -o human.nlm --force >/dev/null
    for kind in paper rich; do
        rm -rf worlds
        nlm generate "$task" --kind "$kind" --worlds 10 --seed 5 -o worlds >/dev/null
        nlm test human.nlm worlds --json 2>/dev/null | grep -q '"worlds": 10, "tuples": [1-9][0-9]*, "wrong": 0,'
    done
done
